import { describe, expect, it } from 'vitest';
import { explainPath, type Stage } from '../src/index.ts';
import { explanationMask, formatExplanation, SourcePlaces } from '../src/internal.ts';
import { openScene } from './stage-scene.ts';

const SCENE = {
	root: `( subLayers = [@./weak@] )
over "Robot" (
    variants = { string look = "red" }
)
{
}
`,
	weak: `def Xform "Robot" (
    variants = { string look = "blue" }
    prepend variantSets = ["look", "lod", "shape"]
)
{
    variantSet "look" = {
        "red" { }
        "blue" { }
    }
    variantSet "lod" = {
        "low" { }
    }
    variantSet "shape" = {
        "a" { }
    }
    def "Arm"
    {
        double y = 2
        def "Hand"
        {
        }
    }
    def "Leg"
    {
    }
}
def "Other"
{
}
`,
};

const PLACES = new SourcePlaces({ name: (identifier) => identifier, text: () => undefined });
const OPTIONS = { file: 'root', places: PLACES };

function prims(stage: Stage): string[] {
	return [...stage.traverse()].map(({ path }) => path.toString());
}

describe('explaining', () => {
	it('tells where the selection of each variant set was authored', () => {
		const stage = openScene(SCENE, { variantFallbacks: new Map([['lod', ['low']]]) });
		const explanation = explainPath(stage, '/Robot', OPTIONS);
		if ('problem' in explanation) throw new Error(explanation.problem);
		const brief = explanation.variants?.map(({ set, selection, isFallback, opinions }) => [
			set,
			selection,
			isFallback,
			opinions.map(({ file, value, role }) => [file, value, role]),
		]);
		expect(brief).toEqual([
			[
				'look',
				'red',
				undefined,
				[
					['root', 'red', 'winner'],
					['weak', 'blue', 'hidden'],
				],
			],
			['lod', 'low', true, []],
			['shape', '', undefined, []],
		]);
		const text = formatExplanation(explanation);
		expect(text).toContain('Variant set look: red (> decides)\n  > root  selects "red"\n    weak  selects "blue"\n');
		expect(text).toContain('Variant set lod: low, preferred when the stage was opened\n');
		expect(text).toContain('Variant set shape: nothing selected\n');
	});

	it.each([
		['/Robot/Arm.y', ['/Robot', '/Robot/Arm']],
		['/Robot/Arm', ['/Robot', '/Robot/Arm']],
		['/Robot:kind', ['/Robot']],
		['/:upAxis', []],
	])('%s needs only %j', (path, needed) => {
		const part = openScene(SCENE, { mask: explanationMask(path) });
		expect(prims(part)).toEqual(needed);
		expect(explainPath(part, path, OPTIONS)).toEqual(explainPath(openScene(SCENE), path, OPTIONS));
	});

	it('of what is no path leaves the stage whole', () => {
		expect(explanationMask('Robot').isAll).toBe(true);
		expect(explanationMask('/a b').isAll).toBe(true);
	});
});
