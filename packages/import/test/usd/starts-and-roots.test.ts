import { describe, expect, it } from 'vitest';
import { importText } from './usd-scene.ts';

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
