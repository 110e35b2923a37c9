import { readFileSync, statSync } from 'node:fs';
import { quote } from '@manyworlds/core';
import { fileFault, writeFileAtomically } from '@manyworlds/node/internal';
import { type CliCode, createDiagnostic } from '../diagnostics.ts';
import type { CommandContext } from './command-context.ts';

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

/** Whether there is a folder. */
export function isFolder(context: CommandContext, file: string): boolean {
	return statSync(context.absolute(file), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Writes a file, whole or not at all. Gives false, with a diagnostic, when that fails. */
export function writeOutput(context: CommandContext, file: string, bytes: Uint8Array | readonly Uint8Array[]): boolean {
	const size = bytes instanceof Uint8Array ? bytes.length : bytes.reduce((sum, { length }) => sum + length, 0);
	context.progress.step(`writing ${context.display(file)}`, size);
	try {
		writeFileAtomically(context.absolute(file), bytes);
		return true;
	} catch (error) {
		const message = `${quote(context.display(file))} cannot be written: ${fileFault(error)}`;
		context.report.add(createDiagnostic('CLI004', message, { file: context.display(file) }));
		return false;
	}
}

function explain(error: unknown, file: string): [CliCode, string] {
	const code = (error as NodeJS.ErrnoException).code;
	if (code === 'ENOENT' || code === 'ENOTDIR') return ['CLI001', `there is no file ${quote(file)}`];
	if (code === 'EISDIR') return ['CLI002', `${quote(file)} is a folder, expected a file`];
	return ['CLI003', `${quote(file)} cannot be read: ${fileFault(error)}`];
}
