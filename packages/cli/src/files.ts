import {
	closeSync,
	fchmodSync,
	fsyncSync,
	mkdirSync,
	openSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { quote } from '@manyworlds/core';
import type { CommandContext } from './command-context.ts';
import { type CliCode, createDiagnostic } from './diagnostics.ts';

/** Reads a file that the user named; undefined, with a diagnostic, when that fails. */
export function readInput(context: CommandContext, file: string): Uint8Array | undefined {
	const path = context.absolute(file);
	try {
		const { size } = statSync(path);
		context.progress.step(`reading ${context.display(file)}`, size);
		return readFileSync(path);
	} catch (error) {
		const [code, message] = explain(error, file);
		context.report.add(createDiagnostic(code, message, { file: context.display(file) }));
		return undefined;
	}
}

/** Reads a file that a layer named; undefined when there is none. */
export function readDependency(context: CommandContext, file: string): Uint8Array | undefined {
	try {
		return readFileSync(context.absolute(file));
	} catch {
		return undefined;
	}
}

/** Whether there is a file. */
export function fileExists(context: CommandContext, file: string): boolean {
	return statSync(context.absolute(file), { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Writes a file under a temporary name beside its place and renames it, so that an interruption leaves the old content
 * or the new, never half. Gives false, with a diagnostic, when that fails.
 */
export function writeOutput(context: CommandContext, file: string, bytes: Uint8Array): boolean {
	// the file that a link leads to is replaced, not the link
	const path = realPath(context.absolute(file));
	const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
	context.progress.step(`writing ${context.display(file)}`, bytes.length);
	try {
		mkdirSync(dirname(path), { recursive: true });
		const old = statSync(path, { throwIfNoEntry: false });
		if (old?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
		writeThrough(temporary, bytes, old?.mode);
		renameSync(temporary, path);
		return true;
	} catch (error) {
		rmSync(temporary, { force: true });
		const message = `${quote(context.display(file))} cannot be written: ${reason(error)}`;
		context.report.add(createDiagnostic('CLI004', message, { file: context.display(file) }));
		return false;
	}
}

function realPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

function writeThrough(path: string, bytes: Uint8Array, mode: number | undefined): void {
	const descriptor = openSync(path, 'w');
	try {
		if (mode !== undefined) fchmodSync(descriptor, mode & 0o7777);
		for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}

function explain(error: unknown, file: string): [CliCode, string] {
	const code = (error as NodeJS.ErrnoException).code;
	if (code === 'ENOENT' || code === 'ENOTDIR') return ['CLI001', `there is no file ${quote(file)}`];
	if (code === 'EISDIR') return ['CLI002', `${quote(file)} is a folder, expected a file`];
	return ['CLI003', `${quote(file)} cannot be read: ${reason(error)}`];
}

function reason(error: unknown): string {
	const { code, message } = error as NodeJS.ErrnoException;
	const known: Readonly<Record<string, string>> = {
		EACCES: 'permission denied',
		EPERM: 'permission denied',
		EISDIR: 'it is a folder',
		ENOSPC: 'the disk is full',
		EROFS: 'the file system is read-only',
		ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
	};
	return known[code ?? ''] ?? message;
}
