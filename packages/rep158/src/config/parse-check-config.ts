import { quote, type Report } from '@manyworlds/core';
import { type JsonPath, JsonPlaces } from '@manyworlds/core/internal';
import type * as z from 'zod';
import type { CheckConfig } from '../check-config.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { checkConfigSchema } from './check-config-schema.ts';

/**
 * Reads a configuration: JSON whose entry `check` is an object. Unknown entries and wrong types are errors, each with its line and
 * column; undefined after one.
 *
 * ```json
 * { "check": { "profile": "source", "severities": { "§1.3.2": "off" }, "paths": { "vendor/**": { "ignore": ["R1.2.5.5"] } } } }
 * ```
 * @public
 */
export function parseCheckConfig(text: string, file: string, report: Report): CheckConfig | undefined {
	const places = new JsonPlaces(text, file);
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch (error) {
		const reason = places.fault?.message ?? (error as Error).message;
		report.add(createDiagnostic('CHK003', `the configuration is no JSON: ${reason}`, places.locate([])));
		return undefined;
	}
	for (const { path, place } of places.repeatedKeys) {
		report.add(createDiagnostic('CHK003', `${entryName(path)} is given twice, expected once`, place));
	}
	const { success, data: config, error } = checkConfigSchema.safeParse(data);
	for (const issue of error?.issues ?? []) diagnose(issue, data, places, report);
	return success && places.repeatedKeys.length === 0 ? config : undefined;
}

function diagnose(issue: z.core.$ZodIssue, data: unknown, places: JsonPlaces, report: Report): void {
	const path = issue.path as JsonPath;
	const add = (message: string, at: JsonPath, part: 'key' | 'value'): void =>
		report.add(createDiagnostic('CHK003', message, places.locate(at, part)));
	const above = entryName(path.slice(0, -1));
	switch (issue.code) {
		case 'unrecognized_keys':
			for (const key of issue.keys) {
				add(`${entryName(path)} has the unknown entry ${quote(key)}, expected ${issue.message}`, [...path, key], 'key');
			}
			return;
		case 'invalid_key':
			add(`${above}: ${issue.issues[0]?.message}`, path, 'key');
			return;
		case 'custom':
			add(`${above}: ${issue.message}`, path, 'value');
			return;
		default:
			add(`${entryName(path)} is ${shown(valueAt(data, path))}, expected ${issue.message}`, path, 'value');
	}
}

/** An entry for messages: `check.paths['old/**'].ignore[0]`. */
function entryName(path: JsonPath): string {
	if (path.length === 0) return 'the configuration';
	return path.reduce<string>((text, step) => {
		if (typeof step === 'number') return `${text}[${step}]`;
		if (text === '') return step;
		return /^[\w-]+$/.test(step) ? `${text}.${step}` : `${text}[${quote(step)}]`;
	}, '');
}

function valueAt(data: unknown, path: JsonPath): unknown {
	let at = data;
	for (const step of path) at = (at as Readonly<Record<string | number, unknown>> | null | undefined)?.[step];
	return at;
}

/** A value as it is written; of lists and objects only what they are, because they may be large. */
function shown(value: unknown): string {
	if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
	return typeof value === 'object' && value !== null ? 'an object' : quote(JSON.stringify(value) ?? 'nothing');
}
