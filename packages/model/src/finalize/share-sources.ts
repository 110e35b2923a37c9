import type { ShapeSource } from '../geometry.ts';
import { ContentHash } from '../snapshot/content-hash.ts';

/**
 * Shape sources with one object for all that have the same content: identity is tried first, then the sizes of their
 * arrays with some of their numbers, then a hash, then every number.
 */
export function shareSources(sources: readonly (ShapeSource | null)[]): (ShapeSource | null)[] {
	const sketches = new Map<ShapeSource, string>();
	const alike = new Map<string, number>();
	for (const source of sources) {
		if (source === null || sketches.has(source)) continue;
		const sketch = sketchOf(source);
		sketches.set(source, sketch);
		alike.set(sketch, (alike.get(sketch) ?? 0) + 1);
	}
	const shared = new Map<ShapeSource, ShapeSource>();
	const byHash = new Map<string, ShapeSource[]>();
	return sources.map((source) => {
		if (source === null) return null;
		const known = shared.get(source);
		if (known !== undefined) return known;
		// few to compare with: the hash of a large mesh is spared
		const sketch = sketches.get(source)!;
		const digits = alike.get(sketch)! <= FEW ? sketch : hashOf(source);
		const candidates = byHash.get(digits) ?? [];
		const equal = candidates.find((candidate) => isEqual(candidate, source)) ?? source;
		if (equal === source) byHash.set(digits, [...candidates, source]);
		shared.set(source, equal);
		return equal;
	});
}

/** Most sources of one sketch that are compared with each other without a hash. */
const FEW = 8;
/** Numbers of an array in its sketch, evenly spread. */
const SAMPLES = 16;

/** The names and lengths of the arrays of a source, with a hash of a few of their numbers. */
function sketchOf(source: ShapeSource): string {
	const hash = new ContentHash();
	const samples = new Float64Array(SAMPLES);
	let text = '';
	for (const [key, value] of Object.entries(source)) {
		if (!isNumbers(value)) continue;
		text += `${key} ${value.length} `;
		for (let i = 0; i < SAMPLES; i++) samples[i] = value[Math.floor((i * value.length) / SAMPLES)] ?? 0;
		hash.numbers(samples);
	}
	return text + hash.digits();
}

/** Hashes of arrays: meshes that differ in other respects often share them. */
const digitsOf = new WeakMap<Float64Array | Uint32Array, string>();

function hashOf(source: ShapeSource): string {
	const parts: string[] = [];
	for (const [key, value] of Object.entries(source)) {
		if (!isNumbers(value)) continue;
		let digits = digitsOf.get(value);
		if (digits === undefined) {
			const hash = new ContentHash();
			hash.numbers(value);
			digits = hash.digits();
			digitsOf.set(value, digits);
		}
		parts.push(`${key} ${digits}`);
	}
	return parts.join();
}

function isEqual(a: ShapeSource, b: ShapeSource): boolean {
	const [first, second] = [Object.entries(a), b as unknown as Readonly<Record<string, unknown>>];
	if (first.length !== Object.keys(b).length) return false;
	return first.every(([key, value]) => {
		const other = second[key];
		if (!isNumbers(value)) return JSON.stringify(value) === JSON.stringify(other);
		if (value === other) return true;
		if (!isNumbers(other) || other.length !== value.length || other.constructor !== value.constructor) return false;
		for (let i = 0; i < value.length; i++) if (!Object.is(value[i], other[i])) return false;
		return true;
	});
}

function isNumbers(value: unknown): value is Float64Array | Uint32Array {
	return ArrayBuffer.isView(value);
}
