import { createTriangleMesh } from '@manyworlds/mesh/internal';
import { type Model, ModelBuilder } from '@manyworlds/model';
import { COLUMN_NAMES, COLUMNS, MODEL_ARRAY_NAMES, MODEL_ARRAYS } from '@manyworlds/model/internal';
import { describe, expect, test } from 'vitest';
import { codeOf, robot } from './support.ts';

function ballScene(): Model {
	const builder = new ModelBuilder();
	builder.defineAttribute({
		name: 'score',
		namespace: 'app',
		type: 'f64',
		frequency: 'body',
		owner: 'state',
		default: 1,
	});
	builder.defineAttribute({ name: 'name', type: 'string', frequency: 'body', owner: 'state', default: 'x' });
	builder.defineAttribute({ name: 'push', type: 'f64', frequency: 'body', owner: 'control', default: 2 });
	const body = builder.addLink({ mass: 1 });
	builder.addArticulation([builder.addJointBall({ child: body })]);
	builder.addBody({ mass: 1, xform: { p: [1, 2, 3] } });
	builder.addParticle({ position: [0, 0, 1], velocity: [1, 0, 0], mass: 2 });
	return builder.finalize();
}

describe('State', () => {
	test('trap 30: shares no memory with the model or other states', () => {
		const model = ballScene();
		const [a, b] = [model.createState(), model.createState()];
		a.bodyQ[0] = 9;
		a.jointQ[0] = 9;
		a.particleQ[0] = 9;
		expect([model.bodyQ[0], model.jointQ[0], model.particleQ[0], b.bodyQ[0]]).toEqual([0, 0, 0, 0]);
	});

	test('copies everything from another state, or nothing', () => {
		const model = ballScene();
		const [a, b] = [model.createState(), model.createState()];
		b.bodyQ.fill(3);
		(b.attributes.get('app:score') as Float64Array).fill(7);
		(b.attributes.get('name') as string[])[0] = 'y';
		a.assign(b);
		expect(a.bodyQ).toEqual(b.bodyQ);
		expect(a.attributes.get('app:score')).toEqual(b.attributes.get('app:score'));
		expect(a.attributes.get('name')).toEqual(['y', 'x']);
		const more = model.createState({ include: ['bodyQdd'] });
		more.bodyQ.fill(5);
		expect(codeOf(() => a.assign(more))).toBe('MODEL042');
		expect(codeOf(() => more.assign(a))).toBe('MODEL042');
		expect(a.bodyQ[0]).toBe(3);
		expect(codeOf(() => model.createState({ include: ['bodyPower' as never] }))).toBe('MODEL040');
		expect(codeOf(() => a.assign(robot(2).finalize().createState()))).toBe('MODEL042');
	});

	test('clears forces only', () => {
		const state = ballScene().createState();
		state.bodyF.fill(1);
		state.particleF.fill(1);
		state.clearForces();
		expect([...state.bodyF, ...state.particleF].every((value) => value === 0)).toBe(true);
		expect(Array.from(state.bodyQ.subarray(7, 10))).toEqual([1, 2, 3]);
	});
});

describe('Control', () => {
	test('trap 31: cleared targets are rotations', () => {
		const model = ballScene();
		const control = model.createControl();
		control.jointTargetQ.fill(9);
		control.jointF.fill(9);
		control.clear(model);
		expect(control.jointTargetQ).toEqual(model.jointTargetQ);
		expect(Array.from(control.jointTargetQ.subarray(0, 4))).toEqual([0, 0, 0, 1]);
		expect(control.jointF.every((value) => value === 0)).toBe(true);
		expect(Array.from(control.attributes.get('push') as Float64Array)).toEqual([0, 0]);
	});

	test('targets have the layout of coordinates, and per-axis angles compose as X Y Z', () => {
		const builder = new ModelBuilder();
		const [a, b] = [builder.addLink({ mass: 1 }), builder.addLink({ mass: 1 })];
		builder.addArticulation([
			builder.addJointFree({ child: a }),
			builder.addJointRevolute({ parent: a, child: b, targetPos: 0.3 }),
		]);
		const model = builder.finalize();
		expect(Array.from(model.jointTargetQ)).toEqual([0, 0, 0, 0, 0, 0, 1, 0.3]);
		expect(model.jointTargetQd.length).toBe(7);
	});
});

describe('Contacts', () => {
	test('trap 38 and 39: the capacity is fixed, the counters are true, old rows mean nothing', () => {
		const contacts = ballScene().createContacts({ rigidCapacity: 10, softCapacity: 1, withForce: true });
		const rows = Array.from({ length: 40 }, () => contacts.nextRigid());
		expect(rows.slice(0, 11)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1]);
		expect([contacts.rigidFound, contacts.rigidCount, contacts.hasOverflow]).toEqual([40, 10, true]);
		contacts.rigidShape0.fill(7);
		contacts.clear();
		expect([contacts.rigidFound, contacts.rigidCount, contacts.hasOverflow, contacts.generation]).toEqual([
			0,
			0,
			false,
			1,
		]);
		expect(contacts.rigidShape0[0]).toBe(7);
		expect([contacts.nextSoft(), contacts.nextSoft(), contacts.softCount]).toEqual([0, -1, 1]);
		expect(contacts.rigidForce!.length).toBe(60);
	});

	test('room per world, as the builder asks', () => {
		const scene = new ModelBuilder({ rigidContactsPerWorld: 5 });
		scene.replicate(robot(1), { count: 3 });
		expect(scene.finalize().createContacts().rigidCapacity).toBe(15);
		expect(codeOf(() => scene.finalize().createContacts({ rigidCapacity: -1 }))).toBe('MODEL001');
	});
});

describe('Model', () => {
	test('has a field and a Newton name for every authored column', () => {
		const model = robot(1).finalize();
		const newtonNames = new Set<string>();
		for (const name of COLUMN_NAMES) {
			const { newton, type } = COLUMNS[name];
			if (newton === '') continue;
			const kind = { float: Float64Array, int: Int32Array, bool: Uint8Array }[type];
			expect(model.array(newton)).toBeInstanceOf(kind);
			newtonNames.add(newton);
		}
		expect(newtonNames.size).toBe(COLUMN_NAMES.filter((name) => COLUMNS[name].newton !== '').length);
		for (const name of MODEL_ARRAY_NAMES) expect(ArrayBuffer.isView(model[name])).toBe(true);
		for (const name of Object.keys(model)) {
			if (ArrayBuffer.isView(model[name as 'bodyQ'])) expect(MODEL_ARRAYS).toHaveProperty(name);
		}
	});

	test('arrays can live in shared memory', () => {
		const model = robot(1).finalize({ shared: true });
		for (const name of MODEL_ARRAY_NAMES) expect(model[name].buffer).toBeInstanceOf(SharedArrayBuffer);
		expect(model.bodyQ).toEqual(robot(1).finalize().bodyQ);
	});

	test('trap 42 and 43: limits are finite, ids are 32-bit integers', () => {
		const builder = new ModelBuilder();
		const body = builder.addLink({ mass: 1 });
		builder.addArticulation([
			builder.addJointRevolute({
				child: body,
				limitLower: Number.NEGATIVE_INFINITY,
				limitUpper: Number.POSITIVE_INFINITY,
			}),
		]);
		const model = builder.finalize();
		expect([model.jointLimitLower[0], model.jointLimitUpper[0]]).toEqual([-1e10, 1e10]);
		expect(model.bodyWorldStart).toBeInstanceOf(Int32Array);
	});

	test('labels follow the rules of the reference', () => {
		const builder = new ModelBuilder();
		builder.addBody({ label: 'ball', mass: 1 });
		const link = builder.addLink();
		builder.addJointRevolute({ child: link });
		builder.addShapeSphere(link);
		expect(builder.labels('body')).toEqual(['ball', 'body_1']);
		expect(builder.labels('joint')).toEqual(['ball_free_joint', 'joint_2']);
		expect(builder.labels('articulation')).toEqual(['ball_articulation']);
		expect(builder.labels('shape')).toEqual(['shape_0']);
	});

	test('joint ancestors are tree joints beside loops', () => {
		const builder = new ModelBuilder();
		const [a, b, c] = [builder.addLink({ mass: 1 }), builder.addLink({ mass: 1 }), builder.addLink({ mass: 1 })];
		builder.addArticulation([
			builder.addJointRevolute({ child: a }),
			builder.addJointRevolute({ parent: a, child: b }),
			builder.addJointRevolute({ parent: b, child: c }),
		]);
		builder.addJointBall({ parent: a, child: c });
		builder.addJointBall({ parent: c, child: b });
		const model = builder.finalize();
		expect(Array.from(model.jointAncestor)).toEqual([-1, 0, 1, 0, 2]);
		expect(Array.from(model.jointArticulation)).toEqual([0, 0, 0, -1, -1]);
		expect(Array.from(model.articulationStart)).toEqual([0, 5]);
		expect(Array.from(model.articulationEnd)).toEqual([3]);
		expect(model.maxJointsPerArticulation).toBe(3);
	});

	test('meshes of equal content become one, others stay apart', () => {
		const tetra = (last: number, order = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]) =>
			createTriangleMesh({ vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, last], indices: order });
		const builder = new ModelBuilder();
		for (const mesh of [tetra(1), tetra(1), tetra(2), tetra(1, [1, 2, 3, 0, 2, 1, 0, 1, 3, 0, 3, 2])])
			builder.addShapeMesh(-1, { mesh });
		const { shapeSources } = builder.finalize();
		expect(shapeSources[0]).toBe(shapeSources[1]);
		expect(new Set(shapeSources).size).toBe(3);
	});

	test('shapes by body', () => {
		const model = robot(2).finalize();
		expect(Array.from(model.shapesOf(1))).toEqual([1]);
		expect(Array.from(model.shapesOf(-1))).toEqual([]);
		expect(codeOf(() => model.shapesOf(3))).toBe('MODEL004');
	});
});

describe('particles', () => {
	test('springs, triangles, edges and tetrahedra rest in their present shape', () => {
		const builder = new ModelBuilder();
		for (const position of [
			[0, 0, 0],
			[2, 0, 0],
			[0, 1, 0],
			[0, 0, 3],
		]) {
			builder.addParticle({ position, mass: 1 });
		}
		builder.addSpring(0, 1);
		builder.addTriangle([0, 1, 2]);
		builder.addEdge([2, 3, 0, 1]);
		builder.addTetrahedron([0, 1, 2, 3]);
		const model = builder.finalize();
		expect(model.springRestLength[0]).toBe(2);
		expect(model.triAreas[0]).toBe(1);
		expect(Array.from(model.triPoses)).toEqual([0.5, -0, 0, 1]);
		expect(Math.abs(model.edgeRestAngle[0]!)).toBeCloseTo(Math.PI / 2, 12);
		expect(Array.from(model.tetPoses)).toEqual(
			[0.5, 0, 0, 0, 1, 0, 0, 0, 1 / 3].map((value) => expect.closeTo(value, 12)),
		);
		expect(Array.from(model.particleInvMass)).toEqual([1, 1, 1, 1]);
		expect(codeOf(() => builder.addTriangle([0, 0, 1]))).toBe('MODEL008');
		expect(codeOf(() => builder.addTetrahedron([0, 2, 1, 3]))).toBe('MODEL008');
		expect(codeOf(() => builder.addSpring(0, 9))).toBe('MODEL004');
		expect(codeOf(() => builder.addParticle({ position: [0, 0, 0], mass: -1 }))).toBe('MODEL002');
	});

	test('kinematic particles have no inverse mass', () => {
		const builder = new ModelBuilder();
		builder.addParticle({ position: [0, 0, 0], mass: 0, radius: 0.3 });
		const model = builder.finalize();
		expect(model.particleInvMass[0]).toBe(0);
		expect(model.particleMaxRadius).toBe(0.3);
	});
});
