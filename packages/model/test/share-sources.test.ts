import { describe, expect, test } from 'vitest';
import { shareSources } from '../src/finalize/share-sources.ts';
import type { ShapeMesh } from '../src/geometry.ts';

/** A mesh of many numbers, one of which may be another. */
function mesh(place = -1, value = 7): ShapeMesh {
	const vertices = Float64Array.from({ length: 300 }, (_, i) => (i === place ? value : i / 8));
	return { vertices, indices: Uint32Array.from({ length: 99 }, (_, i) => i) };
}

describe('sources of shapes', () => {
	test.each([2, 8, 9, 40])('are one object for %d of the same content', (count) => {
		const sources = Array.from({ length: count }, () => mesh());
		expect(new Set(shareSources([...sources, null]))).toEqual(new Set([sources[0], null]));
	});

	test.each([3, 20])('stay apart when one number of %d differs, wherever it is', (count) => {
		const sources = Array.from({ length: count }, (_, i) => mesh(i * 7 + 1));
		expect(new Set(shareSources([...sources, ...sources]))).toEqual(new Set(sources));
		expect(shareSources(sources)).toEqual(sources);
	});

	test('stay apart when a zero has another sign, and are one when both are not numbers', () => {
		const zeros = [mesh(0, 0), mesh(0, -0)];
		expect(new Set(shareSources(zeros)).size).toBe(2);
		const [first, second] = shareSources([mesh(5, Number.NaN), mesh(5, Number.NaN)]);
		expect(second).toBe(first);
	});

	test('stay apart when their looks differ', () => {
		const sources: ShapeMesh[] = [mesh(), { ...mesh(), color: [1, 0, 0] }, { ...mesh(), color: [1, 0, 0] }];
		const shared = shareSources(sources);
		expect([shared[0] === shared[1], shared[1] === shared[2]]).toEqual([false, true]);
	});
});
