#!/usr/bin/env node
import * as module from 'node:module';

// Node 22 and later keep compiled code between runs when asked to
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
const { main } = await (process.argv[2] === 'check' ? import('./check-main.ts') : import('./main.ts'));

// a reader that stops early, such as head, is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await main(process.argv.slice(2));
