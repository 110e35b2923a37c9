import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { quote } from '@manyworlds/core';
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
		const found = expandInput(context, input, wanted);
		if (found.length === 0) {
			context.report.add(createDiagnostic('CLI009', `no file matches ${quote(input)}`));
		}
		for (const file of found) files.add(context.display(file));
	}
	return [...files].sort();
}

/** What makes an argument a pattern. */
const GLOB = /[*?[{]/;

function expandInput(context: CommandContext, input: string, wanted: RegExp): string[] {
	const stats = statSync(context.absolute(input), { throwIfNoEntry: false });
	if (stats?.isDirectory()) return filesBelow(context, input).filter((file) => wanted.test(file));
	if (stats !== undefined || !GLOB.test(input)) return [input];
	const parts = input.split(sep).join('/').split('/');
	const fixed = parts.findIndex((part) => GLOB.test(part));
	const folder = parts.slice(0, fixed).join('/') || (input.startsWith('/') ? '/' : '.');
	const matches = picomatch(parts.slice(fixed).join('/'));
	const start = folder === '.' ? '' : `${folder}/`.replace('//', '/');
	return filesBelow(context, folder)
		.map((file) => file.split(sep).join('/').replace(/^\.\//, ''))
		.filter((file) => matches(file.slice(start.length)));
}

function filesBelow(context: CommandContext, folder: string): string[] {
	const files: string[] = [];
	const pending = [folder];
	for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
		for (const entry of readFolder(context.absolute(next))) {
			if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
			const path = join(next, entry.name);
			if (entry.isDirectory()) pending.push(path);
			else if (entry.isFile()) files.push(path);
		}
	}
	return files;
}

function readFolder(folder: string): ReturnType<typeof readEntries> {
	try {
		return readEntries(folder);
	} catch {
		return [];
	}
}

function readEntries(folder: string) {
	return readdirSync(folder, { withFileTypes: true });
}
