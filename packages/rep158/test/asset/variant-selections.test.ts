import { VariantSelections } from '@manyworlds/rep158';
import type { VariantSelectionsOptions } from '@manyworlds/rep158/internal';
import { describe, expect, it } from 'vitest';
import { openAssetStage } from '../../src/asset/open-stage.ts';
import { openAsset } from '../open-asset.ts';

/** What a walk shows: the variants that are chosen, prim by prim. */
function walk(text: string, options: VariantSelectionsOptions = {}): string[] {
	const { layer, store } = openAsset({ 'robot.usda': text }, 'robot.usda');
	const selections = new VariantSelections(options);
	const shown: string[] = [];
	while (selections.pending > 0) {
		const next = selections.next((choices) => openAssetStage(layer, store, { choices }))!;
		shown.push(next.choices.map(({ prim, set, variant }) => `${prim.name}.${set}=${variant}`).join(' '));
		selections.addNeighbours(next);
		next.stage.close();
	}
	return shown;
}

function prim(name: string, sets: Readonly<Record<string, readonly string[]>>): string {
	const names = Object.keys(sets);
	const selected = names.map((set) => `string ${set} = "${sets[set]![0]}"`).join('\n');
	const bodies = names.map((set) => `variantSet "${set}" = {\n${sets[set]!.map((v) => `"${v}" {}`).join('\n')}\n}`);
	return `def Xform "${name}" (
variantSets = [${names.map((set) => `"${set}"`).join(', ')}]
variants = {
${selected}
}
)
{
${bodies.join('\n')}
}
`;
}

describe('variant selections', () => {
	it('are all combinations, the authored one first', () => {
		const text = `#usda 1.0\n${prim('R', { tool: ['a', 'b'], colour: ['red', 'blue'] })}`;
		expect(walk(text)).toEqual(['', 'R.tool=b', 'R.colour=blue', 'R.tool=b R.colour=blue']);
	});

	it('show each variant once when combinations are not wanted', () => {
		const text = `#usda 1.0\n${prim('R', { tool: ['a', 'b'], colour: ['red', 'blue'] })}`;
		expect(walk(text, { cover: 'variants' })).toEqual(['', 'R.tool=b', 'R.colour=blue']);
	});

	it('switch a set of one name on all prims that have it', () => {
		const text = `#usda 1.0\n${prim('L', { tool: ['a', 'b'] })}${prim('R', { tool: ['a', 'b', 'c'] })}`;
		for (const cover of ['combinations', 'variants'] as const)
			expect(walk(text, { cover })).toEqual(['', 'L.tool=b R.tool=b', 'R.tool=c']);
	});

	it('reach sets inside of variants, of the same name too', () => {
		const inner = prim('tip', { tool: ['x', 'y'] });
		const text = `#usda 1.0\n${prim('R', { tool: ['a', 'b'] }).replace('"b" {}', `"b" {\n${inner}\n}`)}`;
		expect(walk(text, { cover: 'variants' })).toEqual(['', 'R.tool=b', 'R.tool=b tip.tool=y']);
	});
});
