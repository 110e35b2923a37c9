import { expect, it } from 'vitest';
import { InputFinder } from '../src/input-finder.ts';
import { lspFixAll } from '../suites/lsp/fix-all.ts';

const { defaultDir: dir, groups } = lspFixAll;
const cases = [...groups[0]!.cases({ dir, assetsDir: dir, inputs: new InputFinder(dir), log: () => {} })];
/** Cases that have several layers, new files and moved prims; `npm run conformance -- lsp/fix-all` does all. */
const FEW = ['f01-mimic', 'f02-scale-above-bodies', 'f12-four-bar', 'safe-everything'];

it.each(FEW)('source.fixAll of %s gives the bytes that manyworlds fix writes', async (name) => {
	expect(await cases.find((one) => one.name === name)!.run()).toBeUndefined();
});
