import type { ShapeSource } from '../geometry.ts';
import { ContentHash } from '../snapshot/content-hash.ts';

/** Shape sources with one object for all that have the same content: identity is tried first, then a hash, then every number. */
export function shareSources(sources: readonly (ShapeSource | null)[]): (ShapeSource | null)[] {
	const shared = new Map<ShapeSource, ShapeSource>();
	const byHash = new Map<string, ShapeSource[]>();
	return sources.map((source) => {
		if (source === null) return null;
		const known = shared.get(source);
		if (known !== undefined) return known;
		const digits = hashOf(source);
		const candidates = byHash.get(digits) ?? [];
		const equal = candidates.find((candidate) => isEqual(candidate, source)) ?? source;
		if (equal === source) byHash.set(digits, [...candidates, source]);
		shared.set(source, equal);
		return equal;
	});
}

function hashOf(source: ShapeSource): string {
	const hash = new ContentHash();
	for (const [key, value] of Object.entries(source)) {
		if (!isNumbers(value)) continue;
		hash.text(key);
		hash.numbers(value);
	}
	return hash.digits();
}

function isEqual(a: ShapeSource, b: ShapeSource): boolean {
	const [first, second] = [Object.entries(a), b as unknown as Readonly<Record<string, unknown>>];
	if (first.length !== Object.keys(b).length) return false;
	return first.every(([key, value]) => {
		const other = second[key];
		if (!isNumbers(value)) return JSON.stringify(value) === JSON.stringify(other);
		if (!isNumbers(other) || other.length !== value.length || other.constructor !== value.constructor) return false;
		for (let i = 0; i < value.length; i++) if (!Object.is(value[i], other[i])) return false;
		return true;
	});
}

function isNumbers(value: unknown): value is Float64Array | Uint32Array {
	return ArrayBuffer.isView(value);
}
