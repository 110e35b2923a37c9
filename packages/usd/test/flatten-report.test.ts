import { Report } from '@manyworlds/core';
import { describe, expect, it } from 'vitest';
import { flattenLayerStack, flattenStage, type Stage, writeUsda } from '../src/index.ts';
import { SourcePlaces } from '../src/internal.ts';
import { openScene } from './stage-scene.ts';

const SCENE = {
	root: `( subLayers = [@./weak@] )
def Xform "Robot" (
    serialNumber = 7
    customData = { int kept = 1 }
)
{
    double x = 1 (
        vendorNote = "a"
    )

    def "Off" (
        active = false
    )
    {
        def "Below" (
            alsoUnknown = 1
        )
        {
        }
    }
}
`,
	weak: `over "Robot" (
    reorder references = [@./c@]
)
{
    custom rel x
    custom nosuch q = 1
}
`,
};

function findings(flatten: (report: Report, stage: Stage) => void): string[] {
	const report = new Report();
	flatten(report, openScene(SCENE));
	return report.toArray().map(({ code, file, prim, severity }) => [severity, code, file, prim].join(' '));
}

describe('flattening', () => {
	it('names every field, attribute and prim that it leaves out, once and where it was authored', () => {
		const found = findings((report, stage) => void flattenStage(stage, { report }));
		expect(found).toEqual([
			'warning STG002 root /Robot',
			'warning STG002 root /Robot.x',
			'info STG005 root /Robot/Off',
			'warning STG003 weak /Robot.q',
		]);
	});

	it('points at the line when it can', () => {
		const stage = openScene(SCENE);
		const report = new Report();
		const text = new TextEncoder().encode(`#usda 1.0\n${SCENE.root}`);
		const places = new SourcePlaces({ name: (identifier) => identifier, text: () => text });
		flattenStage(stage, { report, places });
		const first = report.toArray()[0]!;
		expect([first.message, first.range?.start.line]).toEqual([
			"the metadata 'serialNumber' of '/Robot' is not registered and is left out, expected a field of the core, a schema or a plugin",
			4,
		]);
	});

	it('of a layer stack leaves out only what cannot be put together', () => {
		const found = findings((report, stage) => void flattenLayerStack(stage, { report }));
		expect(found).toEqual(['warning STG006 weak /Robot', 'warning STG006 weak /Robot.x']);
		const text = new TextDecoder().decode(writeUsda(flattenLayerStack(openScene(SCENE)).data));
		for (const kept of ['serialNumber = 7', 'vendorNote = "a"', 'alsoUnknown = 1', 'custom nosuch q']) {
			expect(text).toContain(kept);
		}
	});
});
