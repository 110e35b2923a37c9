import type { Prim } from '@manyworlds/usd';
import { localTransform } from '@manyworlds/usd/internal';
import { describe, expect, it } from 'vitest';
import { FIXERS } from '../../src/fix/fixers.ts';
import { fixMemory, openMemory } from './memory-asset.ts';

const HEADER =
	'#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    kilogramsPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n';

/** A prop whose only part has the given statements; what is seen is one metre above the ground. */
function prop(statements: string): string {
	return `${HEADER}
def Xform "R" (
    kind = "component"
)
{
    def Xform "part" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI"]
    )
    {
        ${statements.trim().replaceAll('\n', '\n        ')}

        def Cube "box"
        {
            double size = 2
        }
    }
}
`;
}

function part(text: string): Prim {
	return openMemory({ 'a.usda': text }, 'a.usda').stage.prim('/R/part')!;
}

function positions(text: string, times: readonly number[]): number[][] {
	const prim = part(text);
	return times.map((time) => Array.from(localTransform(prim, { time }).matrix.subarray(12, 15)));
}

function fixText(text: string, only: 'F8' | 'F2' | 'F3'): { text: string; messages: readonly string[] } {
	const fixed = fixMemory({ 'a.usda': text }, 'a.usda', { only: [only], unsafe: true });
	return { text: fixed.after['a.usda'] as string, messages: fixed.messages };
}

describe('F8', () => {
	it('shifts the time samples of a translation and keeps their times', () => {
		const before = prop(`
double3 xformOp:translate = (0, 0, 0)
double3 xformOp:translate.timeSamples = {
    0: (0, 0, 0),
    2: (3, 0, 5),
}
uniform token[] xformOpOrder = ["xformOp:translate"]`);
		const { text } = fixText(before, 'F8');
		expect(part(text).attribute('xformOp:translate').timeSamples()).toEqual([0, 2]);
		expect(positions(text, [0, 1, 2])).toEqual([
			[0, 0, 1],
			[1.5, 0, 3.5],
			[3, 0, 6],
		]);
		expect(fixText(text, 'F8').text).toBe(text);
	});

	it('puts a translation before operations that it leaves alone', () => {
		const before = prop(`
float xformOp:rotateZ.timeSamples = {
    0: 0,
    4: 720,
}
double3 xformOp:translate:pivot = (1, 0, 0)
uniform token[] xformOpOrder = ["xformOp:translate:pivot", "xformOp:rotateZ", "!invert!xformOp:translate:pivot"]`);
		const { text } = fixText(before, 'F8');
		const was = positions(before, [0, 0.25, 1, 3]);
		expect(positions(text, [0, 0.25, 1, 3])).toEqual(was.map(([x, y, z]) => [x, y, z! + 1]));
		expect(part(text).attribute('xformOp:rotateZ').timeSamples()).toEqual([0, 4]);
	});

	it('keeps splines of translations along axes', () => {
		const before = prop(`
double xformOp:translateX.spline = {
    0: 0; post linear,
    1: 2; post held,
}
uniform token[] xformOpOrder = ["xformOp:translateX"]`);
		const { text } = fixText(before, 'F8');
		expect(text).toContain('xformOp:translateX.spline');
		expect(positions(text, [0.5, 1])).toEqual([
			[1, 0, 1],
			[2, 0, 1],
		]);
	});

	it('refuses a part that does not follow the default prim', () => {
		const before = prop(`
double3 xformOp:translate = (0, 0, 0)
uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"]`);
		const { text, messages } = fixText(before, 'F8');
		expect(text).toBe(before);
		expect(messages.join()).toContain('does not follow');
	});
});

describe('F2 over time', () => {
	const SPIN = `
matrix4d xformOp:transform.timeSamples = {
    0: ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) ),
    1: ( (0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) ),
}
uniform token[] xformOpOrder = ["xformOp:transform"]`;

	it('puts samples between matrices that are 90 degrees apart', () => {
		const { text } = fixText(prop(SPIN), 'F2');
		for (let i = 0; i <= 20; i++) {
			const time = i / 20;
			const { matrix } = localTransform(part(text), { time });
			// what a reader makes of two matrices in between turns by this angle
			const angle = Math.atan2(time, 1 - time);
			expect(Math.abs(Math.atan2(matrix[1]!, matrix[0]!) - angle)).toBeLessThan((0.1 * Math.PI) / 180);
		}
	});

	it('puts samples along the arc of a turn about a pivot', () => {
		const before = prop(`
float xformOp:rotateZ.timeSamples = {
    0: 0,
    1: 170,
}
double3 xformOp:translate:pivot = (1, 0, 0)
uniform token[] xformOpOrder = ["xformOp:translate:pivot", "xformOp:rotateZ", "!invert!xformOp:translate:pivot"]`);
		const { text } = fixText(before, 'F2');
		const times = Array.from({ length: 33 }, (_, i) => i / 32);
		const was = positions(before, times);
		const is = positions(text, times);
		for (const [i, [x, y]] of was.entries()) {
			expect(Math.hypot(is[i]![0]! - x!, is[i]![1]! - y!)).toBeLessThan(5e-3);
		}
	});

	it('keeps whole turns between two samples', () => {
		const before = prop(`
float xformOp:rotateZ.timeSamples = {
    0: 0,
    1: 1440,
}
uniform token[] xformOpOrder = ["xformOp:rotateZ"]`);
		const { text } = fixText(before, 'F2');
		for (const time of [0.1, 0.23, 0.6, 0.9]) {
			const angle = (time * 1440 * Math.PI) / 180;
			const { matrix } = localTransform(part(text), { time });
			expect(matrix[0]).toBeCloseTo(Math.cos(angle), 2);
			expect(matrix[1]).toBeCloseTo(Math.sin(angle), 2);
		}
	});

	it('samples splines, and refuses those that go on beyond their knots', () => {
		const spline = (post: string): string =>
			prop(`
double xformOp:rotateZ.spline = {
${post}    0: 0; post linear,
    1: 90; post linear,
}
uniform token[] xformOpOrder = ["xformOp:rotateZ"]`);
		const { text } = fixText(spline(''), 'F3');
		const { matrix } = localTransform(part(text), { time: 0.5 });
		expect(matrix[0]).toBeCloseTo(Math.SQRT1_2, 6);
		const endless = spline('    post: linear,\n');
		const refused = fixText(endless, 'F3');
		expect(refused.text).toBe(endless);
		expect(refused.messages.join()).toContain('beyond');
	});
});

describe('verification', () => {
	it('takes back what loses time samples', () => {
		const text = `${HEADER}
def Xform "R"
{
    double3 xformOp:translate.timeSamples = {
        0: (0, 0, 0),
        1: (1, 0, 0),
    }
    uniform token[] xformOpOrder = ["xformOp:translate"]

    def SphereLight "lamp"
    {
        float inputs:intensity.timeSamples = {
            0: 1,
            1: 2,
        }
    }
}
`;
		const spoil = (path: string): string => {
			const fixer = FIXERS.find(({ family }) => family === 'F9')!;
			const { apply } = fixer;
			try {
				Object.assign(fixer, {
					apply: (session: Parameters<typeof apply>[0]) => {
						session.edit('R1.2.5.1', session.rootLayer, (layer) => {
							const attribute = [...layer.data.paths()].find((at) => at.toString() === path)!;
							layer.eraseField(attribute, 'timeSamples');
						});
					},
				});
				return fixMemory({ 'a.usda': text }, 'a.usda', { only: ['F9'] }).messages.join();
			} finally {
				Object.assign(fixer, { apply });
			}
		};
		expect(spoil('/R.xformOp:translate')).toContain('FIX004');
		expect(spoil('/R/lamp.inputs:intensity')).toContain('FIX004');
	});
});
