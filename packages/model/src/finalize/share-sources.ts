import type { ShapeSource } from '../geometry.ts';
import { ContentHash } from '../snapshot/content-hash.ts';

/**
 * Shape sources with one object for all that have the same content: identity is tried first, then the sizes of their
 * arrays, then a hash, then every number.
 */
export function shareSources(sources: readonly (ShapeSource | null)[]): (ShapeSource | null)[] {
	const sizes = new Map<ShapeSource, string>();
	const alike = new Map<string, number>();
	for (const source of sources) {
		if (source === null || sizes.has(source)) continue;
		const size = sizesOf(source);
		sizes.set(source, size);
		alike.set(size, (alike.get(size) ?? 0) + 1);
	}
	const shared = new Map<ShapeSource, ShapeSource>();
	const byHash = new Map<string, ShapeSource[]>();
	return sources.map((source) => {
		if (source === null) return null;
		const known = shared.get(source);
		if (known !== undefined) return known;
		// few to compare with: most differ in their first numbers, and the hash of a large mesh is spared
		const size = sizes.get(source)!;
		const digits = alike.get(size)! <= FEW ? size : hashOf(source);
		const candidates = byHash.get(digits) ?? [];
		const equal = candidates.find((candidate) => isEqual(candidate, source)) ?? source;
		if (equal === source) byHash.set(digits, [...candidates, source]);
		shared.set(source, equal);
		return equal;
	});
}

/** Most sources of one size that are compared with each other without a hash. */
const FEW = 8;

/** The names and lengths of the arrays of a source. */
function sizesOf(source: ShapeSource): string {
	let text = '';
	for (const [key, value] of Object.entries(source)) if (isNumbers(value)) text += `${key} ${value.length} `;
	return text;
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
