import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { caseName, walkFiles } from '../../src/files.ts';
import { isObject, type JsonObject } from '../../src/json.ts';

type Matrix = readonly (readonly number[])[];

/** A constraint of a problem, as the file has it: parameters, and what follows from them. */
export interface GoldenConstraint {
	readonly type: 'contact' | 'limit' | 'pd' | 'bilateral';
	readonly cliques: readonly number[];
	/** One block for each clique. */
	readonly J: readonly Matrix[];
	readonly w: number;
	readonly beta?: number;
	readonly mu?: number;
	readonly k?: number | 'inf';
	readonly tau_d?: number;
	readonly phi?: number;
	readonly sigma?: number;
	readonly g?: readonly number[];
	readonly R?: readonly number[];
	readonly v_hat?: readonly number[];
	readonly impulse_lower?: readonly (number | string)[];
	readonly impulse_upper?: readonly (number | string)[];
	readonly kp?: number;
	readonly kd?: number;
	readonly kp_eff?: number;
	readonly kd_eff?: number;
	readonly q0?: number;
	readonly qd?: number;
	readonly vd?: number;
	readonly u0?: number;
	readonly effort_limit?: number | 'inf';
}

/** A problem of format sap-problems/1. */
export interface GoldenProblem {
	readonly name: string;
	readonly family: string;
	readonly dt: number;
	readonly A: readonly Matrix[];
	readonly v_star: readonly number[];
	readonly constraints: readonly GoldenConstraint[];
	readonly solution: {
		readonly v: readonly number[];
		readonly gamma: readonly (readonly number[])[];
		readonly mode: readonly string[];
		readonly cost: number;
		readonly residual: number;
		readonly residual_of_rounded_v: number;
		readonly error_bound_relative: number;
		readonly conic_violation: number;
		readonly condition_A: number;
		readonly iterations: number;
	};
}

/** Problems of every file of the format below a folder, with a name for each. */
export function* goldenProblems(dir: string): Generator<{ readonly name: string; readonly problem: GoldenProblem }> {
	for (const { path, json } of filesOfFormat(dir, 'sap-problems/1')) {
		const file = checkKeys(json, 'the file', 'format problems seed');
		for (const entry of list(file['problems'], 'problems')) {
			const problem = checkProblem(entry);
			yield { name: `${caseName(dir, path)}#${problem.name}`, problem };
		}
	}
}

/** JSON files below a folder whose `format` is the given one. */
export function* filesOfFormat(
	dir: string,
	format: string,
): Generator<{ readonly path: string; readonly json: JsonObject }> {
	for (const path of walkFiles(dir)) {
		if (!/\.json(\.gz)?$/.test(path)) continue;
		const bytes = readFileSync(path);
		const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
		// most files of the folder belong to other suites: look before parsing
		if (!text.includes(`"${format}"`)) continue;
		const json: unknown = JSON.parse(text);
		if (isObject(json) && json['format'] === format) yield { path, json };
	}
}

/** An object with exactly the given keys; those that end in `?` may be absent. */
export function checkKeys(value: unknown, what: string, keys: string): JsonObject {
	if (!isObject(value)) throw new TypeError(`${what} is no object`);
	const known = keys.split(' ');
	const names = new Set(known.map((key) => key.replace('?', '')));
	for (const key of Object.keys(value))
		if (!names.has(key)) throw new TypeError(`${what} has an unknown field '${key}'`);
	for (const key of known) {
		if (!key.endsWith('?') && !Object.hasOwn(value, key)) throw new TypeError(`${what} has no field '${key}'`);
	}
	return value;
}

/** A list, or an error that names it. */
export function list(value: unknown, what: string): readonly unknown[] {
	if (!Array.isArray(value)) throw new TypeError(`${what} is no list`);
	return value;
}

/** A number; `inf` and `-inf` are written as text. */
export function number(value: unknown): number {
	if (value === 'inf') return Number.POSITIVE_INFINITY;
	if (value === '-inf') return Number.NEGATIVE_INFINITY;
	if (typeof value !== 'number') throw new TypeError(`${String(value)} is no number`);
	return value;
}

const CONSTRAINT_KEYS: Readonly<Record<string, string>> = {
	contact: 'J R beta cliques k mu phi sigma tau_d type v_hat w',
	limit: 'J R beta cliques g k tau_d type v_hat w',
	pd: 'J beta cliques effort_limit kd kd_eff kp kp_eff q0 qd type u0 vd w',
	bilateral: 'J R beta cliques g impulse_lower impulse_upper k tau_d type v_hat w',
	friction: 'J R cliques impulse_lower impulse_upper sigma type v_hat w',
};

function checkProblem(value: unknown): GoldenProblem {
	const problem = checkKeys(value, 'a problem', 'A constraints dt family name solution v_star');
	checkKeys(
		problem['solution'],
		'a solution',
		'condition_A conic_violation cost error_bound_relative gamma iterations mode residual residual_of_rounded_v v',
	);
	for (const constraint of list(problem['constraints'], 'constraints')) {
		if (!isObject(constraint)) throw new TypeError('a constraint is no object');
		const type = String(constraint['type']);
		const kind = type === 'bilateral' && 'sigma' in constraint ? 'friction' : type;
		const keys = CONSTRAINT_KEYS[kind];
		if (keys === undefined) throw new TypeError(`a constraint has the type '${type}'`);
		checkKeys(constraint, `a constraint of type ${kind}`, keys);
	}
	return problem as unknown as GoldenProblem;
}
