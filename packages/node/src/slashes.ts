import { sep } from 'node:path';

/** A path with forward slashes, as libraries and messages have it. @public */
export function toSlashes(path: string): string {
	return sep === '/' ? path : path.split(sep).join('/');
}
