import { readJson } from '../../src/files.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import {
	DUMP_FORMAT,
	type ExpectedModel,
	fields,
	MODEL_FIELDS,
	NEWTON_VERSION,
} from '../../src/newton/expected-model.ts';

/** One call of a program. */
export interface ProgramOp {
	readonly op: string;
	readonly args: JsonObject;
}

/** One builder of a program. */
export interface ProgramBuilder {
	readonly name: string;
	readonly settings: JsonObject;
	readonly ops: readonly ProgramOp[];
}

/** Builder calls with the meshes that they name; the last builder is finalized. */
export interface Program {
	readonly meshes: {
		readonly [name: string]: { readonly vertices: readonly number[]; readonly indices: readonly number[] };
	};
	readonly builders: readonly ProgramBuilder[];
}

/** What the reference did with one call. */
export interface ExpectedResult {
	readonly result?: Json;
	readonly error?: { readonly type: string; readonly message: string };
	readonly warnings?: readonly JsonObject[];
}

/** One file of the folder. */
export interface Golden {
	readonly program: Program;
	readonly outcomes: readonly { readonly name: string; readonly results: readonly ExpectedResult[] }[];
	readonly finalizeError: ExpectedResult['error'] | null;
	readonly finalizeWarnings: readonly JsonObject[];
	readonly model: ExpectedModel | undefined;
	readonly defects: ReadonlySet<string>;
}

/** Reads a file; a field that is not known here is an error, because it would not be checked. */
export function readGolden(path: string): Golden {
	const root = fields(readJson(path), 'file', ['expected', 'program']);
	const program = fields(root.program, 'program', ['builders', 'format', 'meshes', 'seed', 'theme']);
	const expected = fields(
		root.expected,
		'expected',
		['defects', 'finalize', 'format', 'model', 'newton', 'outcomes'],
		['model'],
	);
	const finalize = fields(expected.finalize, 'expected.finalize', ['error', 'model', 'printed', 'warnings']);
	if ((finalize.model === true) !== (expected.model !== undefined)) {
		throw new TypeError('expected.finalize.model and expected.model disagree');
	}
	if (!Array.isArray(finalize.printed) || finalize.printed.length > 0)
		throw new TypeError('expected.finalize.printed is no empty list');
	if (typeof finalize.model !== 'boolean') throw new TypeError('expected.finalize.model is no boolean');
	if (expected.format !== DUMP_FORMAT)
		throw new TypeError(`expected.format is '${String(expected.format)}', not '${DUMP_FORMAT}'`);
	if (expected.newton !== NEWTON_VERSION)
		throw new TypeError(`expected.newton is '${String(expected.newton)}', not ${NEWTON_VERSION}`);
	if (finalize.error !== null) fields(finalize.error, 'expected.finalize.error', ['message', 'type']);
	checkWarnings(finalize.warnings, 'expected.finalize.warnings');
	if (expected.model !== undefined) fields(expected.model, 'expected.model', MODEL_FIELDS);
	for (const builder of program.builders as unknown as ProgramBuilder[]) {
		fields(builder as unknown as Json, 'builder', ['name', 'ops', 'settings']);
		for (const op of builder.ops) fields(op as unknown as Json, `op of ${builder.name}`, ['args', 'op']);
	}
	for (const outcome of expected.outcomes as unknown as Golden['outcomes']) {
		fields(outcome as unknown as Json, 'outcome', ['name', 'results']);
		for (const result of outcome.results) {
			fields(
				result as unknown as Json,
				`result of ${outcome.name}`,
				['error', 'result', 'warnings'],
				['error', 'warnings'],
			);
			if (result.error !== undefined) {
				fields(result.error, `error of ${outcome.name}`, ['message', 'type']);
				if (result.result !== null) throw new TypeError(`a refused call of ${outcome.name} has a result`);
			}
			if (result.warnings !== undefined) checkWarnings(result.warnings, `warnings of ${outcome.name}`);
		}
	}
	const programs = {
		program: program as unknown as Program,
		outcomes: expected.outcomes as unknown as Golden['outcomes'],
	};
	const sizes = (list: readonly { readonly name: string }[], key: string): string =>
		JSON.stringify(list.map((one) => [one.name, (one as unknown as Record<string, unknown[]>)[key]!.length]));
	if (sizes(programs.program.builders, 'ops') !== sizes(programs.outcomes, 'results'))
		throw new TypeError('expected.outcomes are not those of the calls of the program');
	return {
		...programs,
		finalizeError: finalize.error as unknown as Golden['finalizeError'],
		finalizeWarnings: finalize.warnings as unknown as JsonObject[],
		model: expected.model as unknown as ExpectedModel | undefined,
		defects: defectsOf(expected.defects),
	};
}

function defectsOf(names: Json | undefined): ReadonlySet<string> {
	if (!Array.isArray(names)) throw new TypeError('expected.defects is no list');
	const set = new Set(names as string[]);
	if (set.size !== names.length) throw new TypeError('expected.defects names one twice');
	return set;
}

function checkWarnings(warnings: unknown, where: string): void {
	if (!Array.isArray(warnings)) throw new TypeError(`${where} is no list`);
	for (const warning of warnings) {
		const { category } = fields(warning, where, ['category', 'message']);
		if (category !== 'UserWarning') throw new TypeError(`${where} has the category '${String(category)}'`);
	}
}
