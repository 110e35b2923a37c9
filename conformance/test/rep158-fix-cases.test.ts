import { expect, it } from 'vitest';
import { InputFinder } from '../src/input-finder.ts';
import { golden } from '../suites/rep158-fix/golden.ts';
import { rep158Fix } from '../suites/rep158-fix/index.ts';

const { defaultDir: dir } = rep158Fix;
const cases = [...golden.cases({ dir, assetsDir: dir, inputs: new InputFinder(dir), log: () => {} })];

it.each(cases.map((one) => [one.name, one] as const))(
	'makes of %s exactly the files that are committed',
	async (_, one) => {
		expect(await one.run()).toBeUndefined();
	},
);
