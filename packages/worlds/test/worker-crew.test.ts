import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divide } from '../src/runner/thread-workers.ts';

describe('runs of worlds', () => {
	it('follow each other, differ by one world at most and are never empty', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 64 }), (worlds, workers) => {
				const runs = divide(worlds, workers);
				const sizes = runs.map(({ start, end }) => end - start);
				expect(runs).toHaveLength(Math.min(worlds, workers));
				expect(runs.map(({ start }) => start)).toEqual([0, ...runs.slice(0, -1).map(({ end }) => end)]);
				expect(runs.at(-1)!.end).toBe(worlds);
				expect(Math.min(...sizes)).toBeGreaterThan(0);
				expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
			}),
		);
	});
});
