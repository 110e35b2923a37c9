import { createRequire } from 'node:module';

/** Version of the command, from its package. */
export const VERSION: string = (createRequire(import.meta.url)('../package.json') as { version: string }).version;
