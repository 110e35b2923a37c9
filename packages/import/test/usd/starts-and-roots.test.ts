import { ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { importUsd } from '../../src/index.ts';
import { importText, openUsd } from './usd-scene.ts';

const BODY = 'prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]';

describe('free joints of bodies that move at the start', () => {
	it('have the velocity of their own body, in degrees where it turns', () => {
		const text = [1, 2, 3]
			.map(
				(n) => `
def Xform "b${n}" (${BODY}) {
	float physics:mass = 1
	float3 physics:diagonalInertia = (1, 1, 1)
	vector3f physics:velocity = (${n}, ${2 * n}, ${3 * n})
	vector3f physics:angularVelocity = (0, 0, ${90 * n})
}`,
			)
			.join('\n');
		const { builder } = importText(`#usda 1.0\n(\n\tmetersPerUnit = 1\n\tupAxis = "Z"\n)\n${text}`);
		const starts = builder.column('jointQdStart');
		const qd = builder.column('jointQd');
		for (const n of [1, 2, 3]) {
			const body = builder.labels('body').indexOf(`/b${n}`);
			const joint = [...builder.column('jointChild')].indexOf(body);
			const own = [...qd.slice(starts[joint]!, starts[joint]! + 6)];
			const expected = [n, 2 * n, 3 * n, 0, 0, (n * Math.PI) / 2];
			for (const [i, value] of expected.entries()) expect(own[i], `b${n}[${i}]`).toBeCloseTo(value, 6);
		}
	});
});

describe('free joints on a body that moves', () => {
	type Vector = [number, number, number];
	const cross = (a: readonly number[], b: readonly number[]): Vector => [
		a[1]! * b[2]! - a[2]! * b[1]!,
		a[2]! * b[0]! - a[0]! * b[2]!,
		a[0]! * b[1]! - a[1]! * b[0]!,
	];
	/** v + 2 u × (u × v + w v) */
	const rotate = ([x, y, z, w]: readonly number[], v: readonly number[]): Vector => {
		const u = [x!, y!, z!];
		const inner = cross(u, v).map((part, i) => part + w! * v[i]!);
		return cross(u, inner).map((part, i) => v[i]! + 2 * part) as Vector;
	};
	const back = ([x, y, z, w]: readonly number[], v: readonly number[]): Vector => rotate([-x!, -y!, -z!, w!], v);

	it('have what is left of the velocity, seen from the frame on that body', () => {
		const builder = new ModelBuilder();
		const carrierQ = [1, 0, 2, 0.5, -0.5, 0.5, 0.5];
		const carrierQd = [0.3, -0.2, 0.5, 1, 2, 3];
		for (let i = 0; i < 3; i++) {
			const link = builder.addLink({ xform: carrierQ, mass: 2, com: [0.1 + i, 0.2, 0.3 - i] });
			builder.addArticulation([builder.addJointFree({ child: link })]);
		}
		builder.column('bodyQd').set(carrierQd, 6 * 2);
		const body = (name: string, n: number): string => `
def Xform "${name}" (${BODY}) {
	float physics:mass = 1
	point3f physics:centerOfMass = (${n}, 2, 3)
	vector3f physics:velocity = (4, ${5 * n}, 6)
	vector3f physics:angularVelocity = (90, 0, ${180 * n})
	double3 xformOp:translate = (0, ${n}, 7)
	uniform token[] xformOpOrder = ["xformOp:translate"]
}`;
		const stage = openUsd(`#usda 1.0\n(\n\tmetersPerUnit = 1\n\tupAxis = "Z"\n)\n${body('a', 1)}${body('b', 2)}`);
		const xform = [3, 2, 1, 0.6, 0, 0, 0.8];
		const { pathBodyMap } = importUsd(stage, builder, { parentBody: 2, baseJoint: { type: 'free' }, xform });
		for (const [path, n] of [
			['/a', 1],
			['/b', 2],
		] as const) {
			const child = pathBodyMap.get(path)!;
			const joint = builder.column('jointChild').indexOf(child);
			expect(builder.column('jointParent')[joint]).toBe(2);
			const q = [...builder.column('bodyQ').subarray(7 * child, 7 * child + 7)];
			// velocities of the asset are in axes of its bodies, which stand as the import does
			const linear = rotate(q.slice(3), [4, 5 * n, 6]);
			const angular = rotate(q.slice(3), [Math.PI / 2, 0, Math.PI * n]);
			const center = rotate(q.slice(3), [n, 2, 3]).map((part, i) => part + q[i]!);
			const carrier = rotate(carrierQ.slice(3), [2.1, 0.2, -1.7]).map((part, i) => part + carrierQ[i]!);
			const swing = cross(
				carrierQd.slice(3),
				center.map((part, i) => part - carrier[i]!),
			);
			const seen = (v: readonly number[]): Vector => back(xform.slice(3), back(carrierQ.slice(3), v));
			const expected = [
				...seen(linear.map((part, i) => part - carrierQd[i]! - swing[i]!)),
				...seen(angular.map((part, i) => part - carrierQd[3 + i]!)),
			];
			const start = builder.column('jointQdStart')[joint]!;
			const found = builder.column('jointQd').subarray(start, start + 6);
			for (const [i, value] of expected.entries()) expect(found[i], `${path}[${i}]`).toBeCloseTo(value, 5);
		}
	});
});

describe('an import below one prim', () => {
	const text = `
def Xform "World" {
	def Xform "Room" {
		def Cube "table" {}
		def Xform "robot" (${BODY}) {
			def Sphere "seen" {}
		}
	}
	def Cube "outside" {}
}`;
	const shapes = (rootPath: string): string[] => [...importText(text, { rootPath }).builder.labels('shape')].sort();

	it('has what is seen there and on no body, and nothing from elsewhere', () => {
		expect(shapes('/World/Room')).toEqual(['/World/Room/robot/seen', '/World/Room/table']);
		expect(shapes('/World/Room/table')).toEqual(['/World/Room/table']);
		expect(shapes('/')).toEqual(['/World/Room/robot/seen', '/World/Room/table', '/World/outside']);
	});

	it('has no visual of a body twice', () => {
		expect(shapes('/World/Room/robot')).toEqual(['/World/Room/robot/seen']);
	});
});

describe('a joint that mimics another by PhysX', () => {
	const follower = (values: string): string => `
def Xform "a" (${BODY}) { float physics:mass = 1 }
def Xform "b" (${BODY}) { float physics:mass = 1 }
def Xform "c" (${BODY}) { float physics:mass = 1 }
def PhysicsRevoluteJoint "lead" { rel physics:body0 = </a>\nrel physics:body1 = </b> }
def PhysicsRevoluteJoint "j" (prepend apiSchemas = ["PhysxMimicJointAPI:rotZ"]) {
	rel physics:body0 = </a>
	rel physics:body1 = </c>
	rel physxMimicJoint:rotZ:referenceJoint = </lead>
	${values}
}`;

	it('goes the other way by the same amount where it says no more', () => {
		const { builder } = importText(follower(''));
		expect([...builder.column('constraintMimicCoef0')].map((value) => value + 0)).toEqual([0]);
		expect([...builder.column('constraintMimicCoef1')]).toEqual([-1]);
	});

	it('has its offset in lengths where it slides', () => {
		const text = follower('float physxMimicJoint:transX:offset = 0.5').replaceAll('rotZ', 'transX');
		const { builder } = importText(text.replaceAll('Revolute', 'Prismatic'));
		expect([...builder.column('constraintMimicCoef0')]).toEqual([-0.5]);
	});
});
