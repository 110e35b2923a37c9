import { ModelBuilder } from '@manyworlds/model';
import { EditTarget, Layer, makeValue, Stage, T } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { importUsd } from '../../src/index.ts';
import { importText, openUsd } from './usd-scene.ts';

const BOX = `def Xform "box" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
	float physics:mass = 2
	double3 xformOp:translate = (0, 0, 0.5)
	uniform token[] xformOpOrder = ["xformOp:translate"]
	def Cube "shape" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { double size = 0.2 }
}
`;

function instancer(more: string = ''): string {
	return `def Xform "World" {
	double3 xformOp:translate = (10, 0, 0)
	uniform token[] xformOpOrder = ["xformOp:translate"]
	def PointInstancer "p" {
		rel prototypes = </World/p/box>
		int[] protoIndices = [0, 0, 0]
		point3f[] positions = [(0, 0, 0), (1, 0, 0), (2, 0, 0)]
		${more}
		${BOX}
	}
}
`;
}

describe('point instancers', () => {
	it('place a body with its colliders for every instance', () => {
		const { model, result, findings } = importText(instancer());
		expect(findings).toEqual([]);
		const { bodyQ, bodyMass, bodyLabels, shapeBody } = model();
		expect(bodyLabels).toEqual(['/World/p/instance_0', '/World/p/instance_1', '/World/p/instance_2']);
		expect([...bodyMass]).toEqual([2, 2, 2]);
		expect([...shapeBody].sort()).toEqual([0, 1, 2]);
		for (let i = 0; i < 3; i++) {
			expect(bodyQ[7 * i]).toBeCloseTo(10 + i, 9);
			// half a metre along the stage's z, which is not up there
			expect(Math.hypot(bodyQ[7 * i + 1]!, bodyQ[7 * i + 2]!)).toBeCloseTo(0.5, 9);
		}
		expect(result.pathBodyMap.size).toBe(3);
	});

	it('place instances on a stage with a session layer too, whose opinions are stronger', () => {
		const plain = openUsd(instancer());
		const session = Layer.create('session.usda');
		const stage = Stage.open(plain.rootLayer, { store: plain.store, sessionLayer: session });
		stage.editTarget = EditTarget.forLayer(session);
		stage.editor.setValue('/World/p/box.physics:mass', makeValue(T.float, 5));
		const builder = new ModelBuilder();
		importUsd(stage, builder);
		expect(builder.labels('body')).toHaveLength(3);
		expect([...builder.column('bodyMass')]).toEqual([5, 5, 5]);
		expect(stage.sessionLayer).toBe(session);
		expect(session.has('/World/p/instance_0')).toBe(false);
	});

	it('leave out instances that are not shown, and keep the others under their ids', () => {
		const { model } = importText(instancer('int64[] ids = [7, 8, 9]\nint64[] invisibleIds = [8]'));
		expect(model().bodyLabels).toEqual(['/World/p/instance_7', '/World/p/instance_9']);
	});

	it('turn and scale what they place', () => {
		const more =
			'quath[] orientations = [(1, 0, 0, 0), (0, 0, 0, 1), (1, 0, 0, 0)]\nfloat3[] scales = [(1, 1, 1), (1, 1, 1), (2, 2, 2)]';
		const { model } = importText(instancer(more));
		const { bodyQ, shapeScale } = model();
		let dot = 0;
		for (let k = 3; k < 7; k++) dot += bodyQ[k]! * bodyQ[7 + k]!;
		expect(dot).toBeCloseTo(0, 6);
		expect(shapeScale[3 * 2]! / shapeScale[0]!).toBeCloseTo(2, 6);
	});

	it('are accounted for attribute by attribute', () => {
		const more =
			'int64[] ids = [7, 8, 9]\nint64[] invisibleIds = [8]\nfloat3[] scales = [(1, 1, 1), (1, 1, 1), (1, 1, 1)]\n' +
			'quath[] orientations = [(1, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0)]\nquatf[] orientationsf = [(1, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0)]';
		const { result } = importText(instancer(more));
		const own = result.ledger.entries().filter(({ path }) => path === '/World/p');
		expect(own.filter(({ class: state }) => state === 'ignored')).toEqual([]);
		const totals = result.ledger.totals();
		expect(totals.used + totals.converted + totals.kept + totals.ignored).toBe(totals.total);
	});
});
