import { ArticulatedDynamics } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { physicsOf, type RobotStyle, robotText } from './robot-fixture.ts';
import { type Imported, importText } from './usd-scene.ts';

const written = (style: RobotStyle = {}): string => {
	const { header, body } = robotText(style);
	return header + body;
};
const usual = physicsOf(importText(written()));

describe('the robot itself', () => {
	const imported = importText(written());

	it('is imported without a finding', () => {
		expect(imported.findings).toEqual([]);
	});

	it('has the numbers that were written', () => {
		expect(usual).toMatchObject({
			gravity: [0, 0, -9.5],
			bodies: [
				{ name: 'arm', mass: 4, position: [0.3, 0, 1] },
				{ name: 'ball', mass: 4.1888, position: [0, 1, 2], velocity: [1, 0, 0] },
				{ name: 'cart', mass: 4, position: [0, 0, 0.5] },
				{ name: 'slide', mass: 2, position: [0.3, 0.2, 1.5] },
			],
			joints: [
				{ name: 'free', child: 'ball' },
				{ name: 'free', child: 'cart' },
				{ name: 'rail', axes: [{ axis: [1, 0, 0], limits: [-0.1, 0.2], gains: [100, 0, 10000, 10], target: 0.05 }] },
				{ name: 'shoulder', axes: [{ axis: [0, 1, 0], limits: [-1.5708, 0.7854], armature: 0.02, target: 0.17453 }] },
			],
			pairs: [
				'ball block',
				'ball floor',
				'ball frame',
				'ball rod',
				'block floor',
				'block frame',
				'floor frame',
				'floor rod',
			],
		});
	});

	it('stands where it was written by forward kinematics too', () => {
		const model = imported.model();
		const state = model.createState();
		new ArticulatedDynamics(model).forwardKinematics(state);
		state.bodyQ.forEach((value, i) => {
			expect(value).toBeCloseTo(model.bodyQ[i]!, 6);
		});
	});
});

describe('the same physics comes of', () => {
	const check = (imported: Imported, name?: (label: string) => string): void => {
		expect(imported.findings.filter((finding) => finding !== 'IMP002')).toEqual([]);
		expect(physicsOf(imported, name)).toEqual(usual);
	};
	const { header, body } = robotText();

	it('prims in the opposite order', () => {
		check(importText(written({ isReversed: true })));
	});

	it('other names', () => {
		const rename = (name: string): string => `x_${[...name].reverse().join('')}`;
		check(importText(written({ rename })), (label) => [...label.replace(/^x_/, '')].reverse().join(''));
	});

	it('further transforms above bodies', () => {
		check(importText(written({ hasTransformsAbove: true })));
	});

	it('a stage with Y up', () => {
		check(importText(written({ upAxis: 'Y' })));
	});

	it('centimetres', () => {
		const imported = importText(written({ metersPerUnit: 0.01 }));
		expect(imported.findings).toEqual(['IMP002']);
		check(imported);
	});

	it('grams and inches', () => {
		check(importText(written({ metersPerUnit: 0.0254, kilogramsPerUnit: 0.001 })));
	});

	it('millimetres with Y up, in the opposite order', () => {
		check(importText(written({ metersPerUnit: 0.001, upAxis: 'Y', isReversed: true })));
	});

	it('everything behind a payload', () => {
		const root = `${header}def Xform "World" (prepend payload = @robot.usda@</World>) {\n}\n`;
		check(importText({ 'root.usda': root, 'robot.usda': `#usda 1.0\n${body}` }));
	});

	it('layers that each say a part', () => {
		const overs = `#usda 1.0\nover "World" {\n over "robot" {\n  over "shoulder" {\n   float physics:upperLimit = 45\n  }\n }\n}\n`;
		const weak = body.replace('float physics:upperLimit = 45', 'float physics:upperLimit = 80');
		const root = header.replace('defaultPrim', 'subLayers = [@overs.usda@, @weak.usda@]\n\tdefaultPrim');
		check(importText({ 'root.usda': root, 'overs.usda': overs, 'weak.usda': `#usda 1.0\n${weak}` }));
	});

	it('an instance', () => {
		const root = `${header}def Xform "Place" (prepend references = @robot.usda@</World>\ninstanceable = true) {\n}\n`;
		const instanced = importText({ 'root.usda': root, 'robot.usda': `#usda 1.0\n${body}` });
		expect(instanced.result.pathBodyMap.has('/Place/robot/cart')).toBe(true);
		check(instanced);
	});

	it('a variant', () => {
		const root = `${header}def Xform "World" (
	prepend variantSets = "model"
	variants = { string model = "full" }
) {
	variantSet "model" = {
		"full" (prepend references = @robot.usda@</World>) {
		}
		"none" {
		}
	}
}
`;
		check(importText({ 'root.usda': root, 'robot.usda': `#usda 1.0\n${body}` }));
	});
});

describe('two instances', () => {
	it('are two robots', () => {
		const { header, body } = robotText();
		const instance = (name: string, x: number): string =>
			`def Xform "${name}" (prepend references = @robot.usda@</World>\ninstanceable = true) {
	double3 xformOp:translate = (${x}, 0, 0)
	uniform token[] xformOpOrder = ["xformOp:translate"]
}\n`;
		const { builder, result } = importText({
			'root.usda': header + instance('A', 0) + instance('B', 10),
			'robot.usda': `#usda 1.0\n${body}`,
		});
		expect(builder.bodyCount).toBe(8);
		expect(builder.shapeCount).toBe(10);
		const b = result.pathBodyMap.get('/B/robot/cart')!;
		expect(builder.column('bodyQ')[7 * b]).toBeCloseTo(10, 9);
	});
});

describe('gravity', () => {
	const scene = (settings: string, header: string = ''): number => {
		const { builder } = importText(`#usda 1.0\n${header}\ndef PhysicsScene "s" {\n${settings}\n}\n`);
		return Math.hypot(...builder.gravity);
	};

	it.each([
		['without a word', '', '', 9.81],
		['minus infinite', 'float physics:gravityMagnitude = -inf', '', 9.81],
		['negative', 'float physics:gravityMagnitude = -1', '', 9.81],
		['zero', 'float physics:gravityMagnitude = 0', '', 0],
		['of the earth in centimetres', '', '(\n\tmetersPerUnit = 0.01\n)', 9.81],
		['given in centimetres', 'float physics:gravityMagnitude = 162', '(\n\tmetersPerUnit = 0.01\n)', 1.62],
		['switched off', 'bool newton:gravityEnabled = false', '', 0],
	])('%s', (_name, settings, header, expected) => {
		expect(scene(settings, header)).toBeCloseTo(expected, 5);
	});

	it('points where the scene says, turned with the import', () => {
		const text =
			'def PhysicsScene "s" {\nvector3f physics:gravityDirection = (3, 4, 0)\nfloat physics:gravityMagnitude = 10\n}\n';
		const { builder } = importText(text, {}, { upAxis: 'y' });
		expect([...builder.gravity].map((part) => Math.round(part * 1e5) / 1e5)).toEqual([6, 8, 0]);
	});
});

describe('placing an import', () => {
	it('moves and turns everything, gravity included', () => {
		const half = Math.SQRT1_2;
		const { builder, result } = importText(written(), { xform: { p: [1, 2, 3], q: [half, 0, 0, half] } });
		const cart = result.pathBodyMap.get('/World/robot/cart')!;
		const at = builder.column('bodyQ').subarray(7 * cart, 7 * cart + 3);
		// a quarter turn about x takes z to -y
		expect(at[0]).toBeCloseTo(1, 9);
		expect(at[1]).toBeCloseTo(2 - 0.5, 9);
		expect(at[2]).toBeCloseTo(3, 9);
		expect(builder.gravity[1]).toBeCloseTo(9.5, 6);
	});

	it('is in metres whatever the stage is in', () => {
		const { builder, result } = importText(written({ metersPerUnit: 0.01 }), { xform: { p: [1, 2, 3] } });
		const cart = result.pathBodyMap.get('/World/robot/cart')!;
		expect(builder.column('bodyQ')[7 * cart + 2]).toBeCloseTo(3.5, 6);
	});

	it('turns the builder when asked to', () => {
		const { builder, result } = importText(written({ upAxis: 'Y' }), { applyUpAxisFromStage: true });
		expect(builder.upAxis).toBe('y');
		const cart = result.pathBodyMap.get('/World/robot/cart')!;
		expect(builder.column('bodyQ')[7 * cart + 1]).toBeCloseTo(0.5, 6);
	});
});
