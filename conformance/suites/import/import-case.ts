import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../src/files.ts';
import { isObject, type Json, type JsonObject } from '../../src/json.ts';
import { DUMP_FORMAT, type ExpectedModel, fields, NEWTON_VERSION } from '../../src/newton/expected-model.ts';

/** One call of a case: an importer, or the begin or end of a world. */
export interface ImportStep {
	readonly call: string;
	/** A file beside the case, or one below the asset folder. */
	readonly source: string | { readonly asset: string } | undefined;
	readonly isInline: boolean;
	readonly options: JsonObject;
}

/** A message that the reference gave. */
export interface Message {
	readonly category: string;
	readonly message: string;
}

/** What the reference did in one step. */
export interface ExpectedStep {
	readonly call: string;
	readonly error: { readonly type: string; readonly message: string } | null;
	readonly result: JsonObject | null;
	readonly warnings: readonly Message[];
}

/** A case: calls, and what the reference made of them. */
export interface ImportCase {
	readonly folder: string;
	readonly tags: readonly string[];
	readonly builder: JsonObject;
	readonly steps: readonly ImportStep[];
	/** Of the last call. */
	readonly expected: ExpectedStep;
	readonly finalizeError: ExpectedStep['error'];
	readonly finalizeWarnings: readonly Message[];
	readonly model: ExpectedModel | undefined;
}

/** Formats of input, by the call that reads them. */
export const FORMATS: Readonly<Record<string, string>> = { add_usd: 'usd', add_urdf: 'urdf', add_mjcf: 'mjcf' };

const TAGS = ['composition', 'finalize-raises', 'mjcf', 'out-of-scope', 'raises', 'urdf', 'usd'];

/** The case of a folder with `options.json` and `expected.json.gz`. */
export function readImportCase(folder: string): ImportCase {
	const keys = ['also', 'builder', 'call', 'name', 'steps', 'tags', 'test'];
	const options = fields(readJson(join(folder, 'options.json')), 'options.json', keys, [
		'also',
		'call',
		'name',
		'test',
	]);
	const file = ['expected.json.gz', 'expected.json'].map((name) => join(folder, name)).find(existsSync);
	if (file === undefined) throw new TypeError('there is no expected.json.gz');
	const dump = fields(
		readJson(file),
		'expected.json',
		['finalize', 'format', 'model', 'newton', 'step'],
		['finalize', 'model'],
	);
	const tags = options.tags as readonly string[];
	const odd = tags.find((tag) => !TAGS.includes(tag));
	if (odd !== undefined) throw new TypeError(`the tag '${odd}' is not known`);
	const it = caseOf(folder, tags, options, dump, dump.step);
	const isRaising = it.expected.error !== null;
	if (tags.includes('raises') !== isRaising) throw new TypeError("the tag 'raises' and the expected error disagree");
	if (tags.includes('finalize-raises') !== (it.finalizeError !== null))
		throw new TypeError("the tag 'finalize-raises' and the expected error disagree");
	return it;
}

/** The case of one file of an asset folder. */
export function readAssetCase(path: string): ImportCase {
	const dump = fields(
		readJson(path),
		'dump',
		['case', 'finalize', 'format', 'model', 'newton', 'steps'],
		['finalize', 'model'],
	);
	const options = fields(dump.case, 'case', ['builder', 'steps']);
	const steps = dump.steps as readonly Json[];
	return caseOf(join(path, '..'), [], options, dump, steps.at(-1));
}

function caseOf(
	folder: string,
	tags: readonly string[],
	options: JsonObject,
	dump: JsonObject,
	step: Json | undefined,
): ImportCase {
	if (dump.format !== DUMP_FORMAT) throw new TypeError(`the format is '${String(dump.format)}', not '${DUMP_FORMAT}'`);
	if (dump.newton !== NEWTON_VERSION) throw new TypeError(`Newton is ${String(dump.newton)}, not ${NEWTON_VERSION}`);
	const steps = (options.steps as readonly Json[]).map(stepOf);
	const expected = expectedStep(step);
	if (steps.at(-1)!.call !== expected.call) throw new TypeError(`the expected call is ${expected.call}`);
	if (dump.finalize === undefined) {
		if (expected.error === null) throw new TypeError('there is no finalize');
		if (dump.model !== undefined) throw new TypeError('there is a model of an import that failed');
		return {
			folder,
			tags,
			builder: options.builder as JsonObject,
			steps,
			expected,
			finalizeError: null,
			finalizeWarnings: [],
			model: undefined,
		};
	}
	if (expected.error !== null) throw new TypeError('there is a finalize after an error');
	const finalize = fields(dump.finalize, 'finalize', ['error', 'model', 'printed', 'warnings']);
	if ((finalize.model === true) !== (dump.model !== undefined) || typeof finalize.model !== 'boolean')
		throw new TypeError('finalize.model and model disagree');
	checkTexts(finalize.printed, 'finalize.printed');
	return {
		folder,
		tags,
		builder: options.builder as JsonObject,
		steps,
		expected,
		finalizeError: errorOf(finalize.error),
		finalizeWarnings: warningsOf(finalize.warnings),
		model: dump.model as unknown as ExpectedModel | undefined,
	};
}

function stepOf(json: Json): ImportStep {
	const step = fields(json, 'step', ['call', 'inline', 'options', 'source'], ['inline', 'options', 'source']);
	return {
		call: step.call as string,
		source: step.source as ImportStep['source'],
		isInline: step.inline === true,
		options: (step.options ?? {}) as JsonObject,
	};
}

function expectedStep(json: Json | undefined): ExpectedStep {
	const step = fields(json, 'expected step', ['call', 'error', 'printed', 'result', 'warnings']);
	checkTexts(step.printed, 'printed');
	const result = step.result ?? null;
	if (result !== null && !isObject(result)) throw new TypeError('the result is no object');
	return { call: step.call as string, error: errorOf(step.error), result, warnings: warningsOf(step.warnings) };
}

function errorOf(json: Json | undefined): ExpectedStep['error'] {
	if (json === null) return null;
	const { message, type } = fields(json, 'error', ['message', 'type']);
	if (typeof message !== 'string' || typeof type !== 'string' || !/^[A-Z]\w*(Error|Exception|Warning)$/.test(type))
		throw new TypeError('the error has no type and message');
	return { message, type };
}

function warningsOf(json: Json | undefined): readonly Message[] {
	if (!Array.isArray(json)) throw new TypeError('warnings is no list');
	return json.map((item) => {
		const { category, message } = fields(item, 'warning', ['category', 'message']);
		if (!CATEGORIES.includes(category as string))
			throw new TypeError(`the category '${String(category)}' is not known`);
		return { category: category as string, message: message as string };
	});
}

const CATEGORIES = ['DeprecationWarning', 'RuntimeWarning', 'UserWarning'];

function checkTexts(json: Json | undefined, where: string): void {
	if (!Array.isArray(json) || json.some((line) => typeof line !== 'string'))
		throw new TypeError(`${where} is no list of texts`);
}
