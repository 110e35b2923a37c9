import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { quote, Report } from '@manyworlds/core';
import { fileFault } from '@manyworlds/node/internal';
import picomatch from 'picomatch/posix.js';
import { createDiagnostic } from '../diagnostics.ts';
import type { CommandContext } from './command-context.ts';

/**
 * The files that arguments stand for, sorted and each once: a file is itself, a folder stands for the files below it
 * whose names match `wanted`, a glob for what it matches. Hidden folders and `node_modules` are passed over.
 */
export function expandInputs(context: CommandContext, inputs: readonly string[], wanted: RegExp): string[] {
	const files = new Set<string>();
	for (const input of inputs) {
		const faults = new Report();
		const found = expandInput(context, input, wanted, faults);
		context.report.addAll(faults);
		if (found.length === 0 && !faults.hasErrors) {
			context.report.add(createDiagnostic('CLI009', `no file matches ${quote(input)}`));
		}
		for (const file of found) files.add(context.display(file));
	}
	return [...files].sort();
}

/** What makes an argument a pattern. */
const GLOB = /[*?[{]/;

function expandInput(context: CommandContext, input: string, wanted: RegExp, faults: Report): string[] {
	const stats = statsOf(context.absolute(input));
	if (stats?.isDirectory()) return filesBelow(context, input, faults).filter((file) => wanted.test(file));
	if (stats !== undefined || !GLOB.test(input)) return [input];
	const parts = input.split(sep).join('/').split('/');
	const fixed = parts.findIndex((part) => GLOB.test(part));
	const folder = parts.slice(0, fixed).join('/') || (input.startsWith('/') ? '/' : '.');
	const matches = picomatch(parts.slice(fixed).join('/'));
	const start = folder === '.' ? '' : `${folder}/`.replace('//', '/');
	return filesBelow(context, folder, faults)
		.map((file) => file.split(sep).join('/').replace(/^\.\//, ''))
		.filter((file) => matches(file.slice(start.length)));
}

/** What is at a path; undefined when there is nothing, or it may not be looked at: reading it then says why. */
function statsOf(path: string): Stats | undefined {
	try {
		return statSync(path, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

function filesBelow(context: CommandContext, folder: string, faults: Report): string[] {
	const files: string[] = [];
	const pending = [folder];
	for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
		for (const entry of readFolder(context, next, faults)) {
			if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
			const path = join(next, entry.name);
			if (entry.isDirectory()) pending.push(path);
			else if (entry.isFile()) files.push(path);
		}
	}
	return files;
}

function readFolder(context: CommandContext, folder: string, faults: Report): Dirent[] {
	try {
		return readdirSync(context.absolute(folder), { withFileTypes: true });
	} catch (error) {
		// a pattern may start in a folder that is not there
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
		const file = context.display(folder);
		faults.add(createDiagnostic('CLI003', `the folder ${quote(file)} cannot be read: ${fileFault(error)}`, { file }));
		return [];
	}
}
