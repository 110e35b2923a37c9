import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Edge, sortEdges } from '../../src/usd/topology.ts';

describe('sorting of joints', () => {
	it('goes depth first or breadth first from the root, in order at each node', () => {
		const edges: Edge[] = [
			[1, 3],
			[0, 1],
			[0, 2],
			[-1, 0],
			[2, 4],
		];
		expect(sortEdges(edges, 'dfs').order).toEqual([3, 1, 0, 2, 4]);
		expect(sortEdges(edges, 'bfs').order).toEqual([3, 1, 2, 0, 4]);
	});

	it('reverses edges that point to the root', () => {
		expect(
			sortEdges(
				[
					[-1, 0],
					[1, 0],
				],
				'dfs',
			),
		).toMatchObject({ order: [0, 1], reversed: [1] });
	});

	it('tells of circles and of what is not connected', () => {
		expect(
			sortEdges(
				[
					[0, 1],
					[1, 2],
					[2, 0],
				],
				'dfs',
			).fault,
		).toMatchObject({ kind: 'cycle' });
		expect(
			sortEdges(
				[
					[0, 1],
					[2, 3],
				],
				'dfs',
			).fault,
		).toMatchObject({ kind: 'several roots', node: 2 });
	});

	it('takes long chains without recursion', () => {
		const edges = Array.from({ length: 50_000 }, (_, i): Edge => [i - 1, i]);
		expect(sortEdges(edges, 'dfs').order).toHaveLength(50_000);
	});

	it('puts parents before children in every tree', () => {
		const tree = fc
			.array(fc.nat(), { minLength: 1, maxLength: 40 })
			.map((picks) => picks.map((pick, child): Edge => [(pick % (child + 1)) - 1, child]));
		const shuffled = tree.chain((edges) => fc.shuffledSubarray(edges, { minLength: edges.length }));
		fc.assert(
			fc.property(shuffled, fc.constantFrom('dfs', 'bfs'), (edges, ordering) => {
				const { order, reversed, fault } = sortEdges(edges, ordering);
				expect(fault).toBeUndefined();
				expect(reversed).toEqual([]);
				expect([...order].sort((a, b) => a - b)).toEqual(edges.map((_, i) => i));
				const placed = new Set([-1]);
				for (const edge of order) {
					expect(placed.has(edges[edge]![0])).toBe(true);
					placed.add(edges[edge]![1]);
				}
			}),
			{ seed: 3, numRuns: 100 },
		);
	});
});
