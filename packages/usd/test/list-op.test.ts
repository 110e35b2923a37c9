import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListOp } from '../src/sdf/list-op.ts';

const items = fc.uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 4 });
const edits = fc
	.record({ prependedItems: items, appendedItems: items, deletedItems: items })
	.map((lists) => ListOp.edits<string>(lists));
const anyOp = fc.oneof(
	edits,
	items.map((list) => ListOp.explicit(list)),
);

describe('ListOp', () => {
	it('deletes, then adds, prepends, appends and reorders', () => {
		const op = ListOp.edits({
			deletedItems: ['a'],
			addedItems: ['b', 'x'],
			prependedItems: ['p', 'c'],
			appendedItems: ['b', 'q'],
			orderedItems: ['q', 'p'],
		});
		expect(op.apply(['a', 'b', 'c', 'd'])).toEqual(['q', 'p', 'c', 'd', 'x', 'b']);
	});

	it('moves what follows a reordered item along with it', () => {
		expect(ListOp.edits({ orderedItems: ['c', 'a'] }).apply(['z', 'a', 'b', 'c', 'd'])).toEqual([
			'z',
			'c',
			'd',
			'a',
			'b',
		]);
	});

	it('replaces everything when explicit, without repeats', () => {
		expect(ListOp.explicit(['b', 'a', 'b']).apply(['x'])).toEqual(['b', 'a']);
	});

	it('composes to one edit with the effect of both', () => {
		fc.assert(
			fc.property(anyOp, anyOp, items, (stronger, weaker, start) => {
				const composed = stronger.composeOver(weaker);
				expect(composed).toBeDefined();
				expect(composed?.apply(start)).toEqual(stronger.apply(weaker.apply(start)));
			}),
			{ seed: 3, numRuns: 2000 },
		);
	});

	it('composes in any grouping', () => {
		fc.assert(
			fc.property(anyOp, anyOp, anyOp, items, (a, b, c, start) => {
				const left = a.composeOver(b)?.composeOver(c);
				const right = b.composeOver(c);
				expect(left?.apply(start)).toEqual(a.composeOver(right!)?.apply(start));
			}),
			{ seed: 4, numRuns: 1000 },
		);
	});

	it('cannot compose legacy adds over an edit', () => {
		const add = ListOp.edits({ addedItems: ['a'] });
		expect(add.composeOver(ListOp.edits({ prependedItems: ['b'] }))).toBeUndefined();
		expect(add.composeOver(ListOp.explicit(['b']))?.explicitItems).toEqual(['b', 'a']);
	});

	it('maps items and leaves out those without an image', () => {
		const op = ListOp.edits({ prependedItems: [1, 2], deletedItems: [3] }).mapItems((n) =>
			n === 2 ? undefined : `${n}`,
		);
		expect(op.prependedItems).toEqual(['1']);
		expect(op.deletedItems).toEqual(['3']);
	});
});
