import { sha256Hex } from '@manyworlds/core/internal';
import type { PlanMetric, SweepPlan } from '../plan/plan.ts';
import type { ParameterValue } from '../sample/parameter.ts';
import type { Run } from './expansion.ts';

/** What every run of a sweep has in common, as its key has it. */
export interface SweepIdentity {
	/** Version of the program and of what computes, such as `0 sap-1a2b3c`. */
	readonly tool: string;
	/** Hash of the asset with all files it is made of; see `hashTree`. */
	readonly assetTree: string;
}

/** JSON with sorted keys; numbers are the bits of a double, so that nothing is rounded on the way. */
export function canonicalJson(value: unknown): string {
	if (typeof value === 'number') return `"#${hexOfDouble(value)}"`;
	if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	const entries = Object.entries(value)
		.filter(([, part]) => part !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`).join(',')}}`;
}

const view = new DataView(new ArrayBuffer(8));

/** The 16 hexadecimal digits of a double. */
export function hexOfDouble(value: number): string {
	view.setFloat64(0, value);
	const word = (at: number): string => view.getUint32(at).toString(16).padStart(8, '0');
	return word(0) + word(4);
}

/** SHA-256 of a text. */
export function hashOf(text: string): string {
	return sha256Hex(new TextEncoder().encode(text));
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** The first bits of a hexadecimal text in base32, five bits to a letter. */
export function base32(hex: string, letters: number): string {
	let out = '';
	for (let i = 0; i < letters; i++) {
		const at = 5 * i;
		let value = 0;
		for (let bit = at; bit < at + 5; bit++) {
			const nibble = Number.parseInt(hex[bit >> 2]!, 16);
			value = 2 * value + ((nibble >> (3 - (bit & 3))) & 1);
		}
		out += ALPHABET[value];
	}
	return out;
}

/** Letters of a run key: 160 bits. */
const KEY_LETTERS = 32;
/** Letters that tell sets of outputs apart. */
const OUTPUT_LETTERS = 8;

/**
 * Makes the keys of runs: SHA-256 over all that decides the motion, the values of its parameters and its noise seed. What is
 * measured is not part of it, so that a new metric leaves old results alone.
 */
export class RunKeys {
	/** Tells the metrics and series of the plan from others of the same runs; names and order do not count. */
	readonly outputs: string;
	readonly #common: string;
	readonly #names: readonly string[];

	constructor(plan: SweepPlan, identity: SweepIdentity) {
		const { parameters, simulate, task, check } = plan;
		this.#names = parameters.map(({ name }) => name);
		const { sample: _, ...motion } = simulate;
		const targets = parameters.map(({ name, target, apply }) => ({ name, target, apply }));
		this.#common = canonicalJson({ ...identity, task, simulate: motion, check, targets });
		this.outputs = base32(hashOf(canonicalJson(outputsOf(plan))), OUTPUT_LETTERS);
	}

	keyOf({ values, seed }: Pick<Run, 'values' | 'seed'>): string {
		const own: Record<string, ParameterValue> = {};
		for (const [i, name] of this.#names.entries()) own[name] = values[i]!;
		return base32(hashOf(`${this.#common}${canonicalJson({ values: own, seed })}`), KEY_LETTERS);
	}
}

/** Key of a run that is a file, by its content and the names it has. */
export function fileKey(identity: SweepIdentity, plan: SweepPlan, file: string, content: string): string {
	return base32(hashOf(canonicalJson({ ...identity, task: plan.task, check: plan.check, file, content })), KEY_LETTERS);
}

/** What a metric is, whatever its name. */
export function metricDefinition({ kind, expression }: PlanMetric): string {
	return `${kind}(${expression.replaceAll(/\s+/g, ' ').trim()})`;
}

function outputsOf({ outputs, simulate }: SweepPlan): unknown {
	return {
		metrics: [...new Set(outputs.metrics.map(metricDefinition))].sort(),
		sample: simulate.sample,
		series: outputs.series,
		keep:
			outputs.keepSeriesWhen === undefined
				? undefined
				: metricDefinition(outputs.metrics.find(({ name }) => name === outputs.keepSeriesWhen)!),
	};
}

/** A file of an asset. */
export interface TreeFile {
	/** Relative to the folder that all files are in, with forward slashes. */
	readonly path: string;
	/** SHA-256 of its content. */
	readonly hash: string;
}

/** Hash of a tree of files. */
export function hashTree(entry: string, files: readonly TreeFile[]): string {
	const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
	return hashOf(canonicalJson({ entry, files: sorted.map(({ path, hash }) => ({ path, hash })) }));
}
