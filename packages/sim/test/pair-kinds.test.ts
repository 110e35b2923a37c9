import { GeoType } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { hasFaceAxes, isBallOnPlane, needsSearch } from '../src/collision/pair-kinds.ts';
import { makeBuilder } from './make-scene.ts';

const { PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, CONE, CONVEX_MESH } = GeoType;
const KINDS = [PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, CONE, CONVEX_MESH];

/** Pairs of kinds, the smaller first, that a rule holds for. */
function pairsWith(rule: (type0: number, type1: number) => boolean): string[] {
	const nameOf = (type: number): string => Object.entries(GeoType).find(([, value]) => value === type)![0];
	return KINDS.flatMap((a) => KINDS.filter((b) => b >= a && rule(a, b)).map((b) => `${nameOf(a)} ${nameOf(b)}`));
}

describe('kinds of shapes', () => {
	it('are told apart by closed forms with planes, balls beside anything smooth, capsules beside bars and boxes beside boxes', () => {
		expect(pairsWith((a, b) => !needsSearch(a, b))).toEqual([
			...KINDS.map((type) => `PLANE ${Object.entries(GeoType).find(([, value]) => value === type)![0]}`),
			'SPHERE SPHERE',
			'SPHERE CAPSULE',
			'SPHERE ELLIPSOID',
			'SPHERE CYLINDER',
			'SPHERE BOX',
			'SPHERE CONE',
			'CAPSULE CAPSULE',
			'CAPSULE CYLINDER',
			'CAPSULE BOX',
			'BOX BOX',
		]);
	});

	it('whose faces are looked at first are cylinders beside boxes and cylinders', () => {
		expect(pairsWith(hasFaceAxes)).toEqual(['CYLINDER CYLINDER', 'CYLINDER BOX']);
	});

	it('are a ball on a plane when the plane has no end, wherever they are in the model', () => {
		const builder = makeBuilder();
		builder.addShapeBox(-1, { halfExtents: [1, 1, 1] });
		builder.addShapePlane({ width: 2, length: 2 });
		builder.addShapePlane({ width: 0, length: 0 });
		builder.addShapeSphere(-1, { radius: 1 });
		const model = builder.finalize();
		const found = [0, 1, 2, 3].flatMap((plane) =>
			[0, 1, 2, 3].filter((ball) => isBallOnPlane(model, plane, ball)).map((ball) => [plane, ball]),
		);
		expect(found).toEqual([[2, 3]]);
	});
});
