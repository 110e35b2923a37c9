import type { GIT_CODES } from './codes/git.ts';

/** A code that this package can report. @public */
export type NodeCode = keyof typeof GIT_CODES;
