import { transformMultiply } from '@manyworlds/core/internal';
import { createTriangleMesh } from '@manyworlds/mesh/internal';
import { ArticulatedDynamics, ModelBuilder } from '@manyworlds/model';
import { hashModel, worldOffsets } from '@manyworlds/model/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOf, contentOf, robot } from './support.ts';

const number = fc.integer({ min: -50, max: 50 }).map((value) => value / 10);
const transform = fc
	.tuple(fc.tuple(number, number, number), fc.tuple(number, number, number, fc.integer({ min: 1, max: 20 })))
	.map(([p, q]) => {
		const norm = Math.hypot(...q);
		return [...p, ...q.map((value) => value / norm)];
	});

const MESH = createTriangleMesh({
	vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
	indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
});

/** Random builders: chains with all kinds of joints, shapes, constraints, particles and custom attributes. */
const builders = fc
	.record({
		links: fc.array(
			fc.record({
				joint: fc.integer({ min: 0, max: 6 }),
				pose: transform,
				anchor: transform,
				shape: fc.integer({ min: 0, max: 4 }),
				value: number,
			}),
			{ minLength: 1, maxLength: 5 },
		),
		hasMimic: fc.boolean(),
		particles: fc.integer({ min: 0, max: 3 }),
		rows: fc.integer({ min: 0, max: 3 }),
	})
	.map(({ links, hasMimic, particles, rows }) => {
		const b = new ModelBuilder({ gravity: [0, 1, -links.length] });
		b.defineAttribute({ name: 'heat', type: 'f64', frequency: 'body', default: 20 });
		b.defineAttribute({ name: 'gain', type: 'vec2', frequency: 'jointDof' });
		b.defineAttribute({ name: 'tag', type: 'string', frequency: 'shape', default: 'none' });
		b.defineAttribute({ name: 'site', type: 'i32', frequency: 'world', default: -1, references: 'world' });
		const pair = b.defineFrequency({ namespace: 'app', name: 'pair' });
		b.defineAttribute({
			namespace: 'app',
			name: 'shape',
			type: 'i32',
			frequency: pair,
			default: -1,
			references: 'shape',
		});
		b.setAttribute('site', 3);
		const joints: number[] = [];
		let parent = -1;
		links.forEach((link, i) => {
			const child = b.addLink({
				xform: link.pose,
				mass: 1,
				label: i % 2 ? `link_${i}` : '',
				attributes: i % 2 ? { heat: link.value } : {},
			});
			const common = { parent, child, parentXform: link.anchor };
			const kind = [
				() => b.addJointRevolute({ ...common, attributes: { gain: [link.value, 1] } }),
				() => b.addJointPrismatic(common),
				() => b.addJointBall(common),
				() => b.addJointFixed(common),
				() => b.addJointFree(common),
				() => b.addJointDistance(common),
				() => b.addJointD6({ ...common, linearAxes: [{ axis: 'x' }], angularAxes: [{ axis: 'y' }, { axis: 'z' }] }),
			];
			joints.push(kind[link.joint]!());
			const shapes = [
				() => b.addShapeBox(child, { config: { collisionGroup: 2 } }),
				() => b.addShapeSphere(child, { attributes: { tag: `t${i}` } }),
				() => b.addShapeMesh(child, { mesh: MESH, scale: [1, 2, 1] }),
				() => b.addShapeCapsule(-1, { xform: link.pose }),
				() => b.addSite(child),
			];
			shapes[link.shape]!();
			parent = child;
		});
		b.addArticulation(joints, { label: 'chain' });
		if (hasMimic && joints.length > 1) b.addConstraintMimic({ joint0: 0, joint1: 1, coef1: 2 });
		b.addEqualityConstraint({ type: 'weld', body1: 0, body2: -1 });
		for (let i = 0; i < particles; i++) b.addParticle({ position: [i, 0, 0], velocity: [0, i, 0], mass: i });
		if (particles > 1) b.addSpring(0, 1);
		for (let i = 0; i < rows; i++) b.addRow(pair, { 'app:shape': i === 0 ? -1 : 0 });
		b.column('jointQd').fill(0.25);
		b.column('bodyQd').fill(0.5);
		return b;
	});

describe('replicate', () => {
	test('trap 8: gives the same as a loop of addWorld', () => {
		fc.assert(
			fc.property(
				builders,
				fc.array(transform, { minLength: 1, maxLength: 3 }),
				fc.boolean(),
				(source, xforms, hasPrefix) => {
					const labelPrefix = (i: number): string | undefined => (hasPrefix ? `env_${i}` : undefined);
					const batched = new ModelBuilder();
					batched.addGroundPlane();
					batched.replicate(source, { count: xforms.length, xforms, labelPrefix });
					const looped = new ModelBuilder();
					looped.addGroundPlane();
					xforms.forEach((xform, i) => {
						const prefix = labelPrefix(i);
						looped.addWorld(source, { xform, ...(prefix === undefined ? {} : { labelPrefix: prefix }) });
					});
					expect(contentOf(batched)).toEqual(contentOf(looped));
					expect(hashModel(batched.finalize())).toBe(hashModel(looped.finalize()));
				},
			),
			{ seed: 5, numRuns: 60 },
		);
	});

	test('trap 7 and 32: shares meshes, keeps labels, and does not alias its source', () => {
		const source = new ModelBuilder();
		source.addShapeMesh(source.addBody({ label: 'a' }), { mesh: MESH });
		const scene = new ModelBuilder();
		scene.replicate(source, { count: 3 });
		const model = scene.finalize();
		expect(model.shapeSources.every((mesh) => mesh === MESH)).toBe(true);
		expect(model.bodyLabels).toEqual(['a', 'a', 'a']);
		scene.column('bodyQ')[0] = 9;
		expect(source.column('bodyQ')[0]).toBe(0);
		expect(scene.column('bodyQ')[7]).toBe(0);
	});

	test('zero spacing copies coordinates bit by bit', () => {
		const source = robot(3);
		source.column('jointQ').set([0.1, 0.2, 0.3, 0.1, 0.7, 0.1, 0.7], 0);
		const scene = new ModelBuilder();
		scene.replicate(source, { count: 2 });
		const q = Array.from(source.column('jointQ'));
		expect(Array.from(scene.column('jointQ'))).toEqual([...q, ...q]);
	});

	test('places worlds by line, grid and cube, centred except along the up axis', () => {
		const rows = (...args: Parameters<typeof worldOffsets>): number[][] => {
			const flat = worldOffsets(...args);
			return Array.from({ length: flat.length / 3 }, (_, i) => Array.from(flat.subarray(3 * i, 3 * i + 3)));
		};
		expect(rows(2, [10, 0, 0], 'z')).toEqual([
			[-5, 0, 0],
			[5, 0, 0],
		]);
		expect(rows(4, [5, 5, 0], 'z')).toEqual([
			[-2.5, -2.5, 0],
			[2.5, -2.5, 0],
			[-2.5, 2.5, 0],
			[2.5, 2.5, 0],
		]);
		expect(rows(4, [10, 0, 0], 'z').map(([x]) => x)).toEqual([-15, -5, 5, 15]);
		expect(rows(1, [10, 10, 0], 'z')).toEqual([[0, 0, 0]]);
		expect(rows(2, [0, 0, 3], 'z').map(([, , z]) => z)).toEqual([0, 3]);
		expect(rows(2, [0, 0, 3], 'y').map(([, , z]) => z)).toEqual([-1.5, 1.5]);
		expect(rows(8, [1, 1, 1], 'z')[7]).toEqual([0.5, 0.5, 1]);
		expect(rows(3, [0, 0, 0], 'z')).toEqual([
			[0, 0, 0],
			[0, 0, 0],
			[0, 0, 0],
		]);
	});

	test('refuses a wrong number of transforms and does nothing for zero worlds', () => {
		const scene = new ModelBuilder();
		expect(codeOf(() => scene.replicate(robot(1), { count: 2, xforms: [[0, 0, 0, 0, 0, 0, 1]] }))).toBe('MODEL010');
		expect(codeOf(() => scene.replicate(robot(1), { count: 1.5 }))).toBe('MODEL001');
		scene.replicate(robot(1), { count: 0 });
		expect(scene.worldCount).toBe(0);
	});

	test('world counts of the ways to add builders', () => {
		const scene = new ModelBuilder();
		const part = new ModelBuilder();
		part.addBody({ mass: 1 });
		scene.addBuilder(part);
		expect(scene.worldCount).toBe(0);
		expect(scene.addWorld(part)).toBe(0);
		scene.beginWorld();
		scene.addBuilder(part);
		scene.addBuilder(part);
		scene.endWorld();
		expect(scene.worldCount).toBe(2);
		expect(Array.from(scene.finalize().bodyWorld)).toEqual([-1, 0, 1, 1]);
	});

	test('labels get a prefix unless they are empty', () => {
		const part = new ModelBuilder();
		const body = part.addBody({ label: 'ball', mass: 1 });
		part.addEqualityConstraint({ type: 'weld', body1: body });
		const scene = new ModelBuilder();
		scene.addWorld(part, { labelPrefix: 'left' });
		expect(scene.labels('body')).toEqual(['left/ball']);
		expect(scene.labels('joint')).toEqual(['left/ball_free_joint']);
		expect(scene.labels('equalityConstraint')).toEqual(['']);
	});
});

describe('a moved copy', () => {
	test('trap 9: root frames, free coordinates, static shapes and velocities move, what hangs on bodies stays', () => {
		fc.assert(
			fc.property(builders, transform, (source, xform) => {
				const X = Float64Array.from(xform);
				const still = new ModelBuilder();
				still.addWorld(source);
				const moved = new ModelBuilder();
				moved.addWorld(source, { xform });
				const [a, b] = [still.finalize(), moved.finalize()];
				const [fa, fb] = [a.createState(), b.createState()];
				new ArticulatedDynamics(a).forwardKinematics(fa);
				new ArticulatedDynamics(b).forwardKinematics(fb);
				const pose = new Float64Array(7);
				for (let body = 0; body < a.bodyCount; body++) {
					transformMultiply(pose, X, fa.bodyQ, 0, 0, 7 * body);
					const own = fb.bodyQ.subarray(7 * body, 7 * body + 7);
					// a quaternion and its negative turn alike
					const sign = pose[6]! * own[6]! + pose[3]! * own[3]! + pose[4]! * own[4]! + pose[5]! * own[5]! < 0 ? -1 : 1;
					for (let i = 0; i < 7; i++) expect(own[i]! * (i > 2 ? sign : 1)).toBeCloseTo(pose[i]!, 9);
				}
				expect(speeds(fb.bodyQd)).toEqual(speeds(fa.bodyQd).map((value) => expect.closeTo(value, 9)));
				for (let shape = 0; shape < a.shapeCount; shape++) {
					const before = a.shapeTransform.subarray(7 * shape, 7 * shape + 7);
					const after = b.shapeTransform.subarray(7 * shape, 7 * shape + 7);
					if (a.shapeBody[shape] === -1)
						expect(Array.from(after)).toEqual(Array.from(transformMultiply(pose, X, before)));
					else expect(Array.from(after)).toEqual(Array.from(before));
				}
			}),
			{ seed: 9, numRuns: 60 },
		);
	});

	test('trap 10: references to nothing stay -1 in every copy, others refer to their own copy', () => {
		const part = new ModelBuilder();
		part.defineAttribute({ name: 'friend', type: 'i32', frequency: 'shape', default: -1, references: 'body' });
		const body = part.addBody({ mass: 1 });
		part.addShapeSphere(body, { attributes: { friend: body } });
		part.addShapeSphere(-1);
		for (let i = 0; i < 3; i++) part.addParticle({ position: [i, i % 2, 0], mass: 1 });
		part.addEdge([-1, 2, 0, 1]);
		const scene = new ModelBuilder();
		scene.addBody({ mass: 1 });
		scene.replicate(part, { count: 4 });
		const model = scene.finalize();
		expect(Array.from(model.shapeBody)).toEqual([1, -1, 2, -1, 3, -1, 4, -1]);
		expect(Array.from(model.jointParent)).toEqual([-1, -1, -1, -1, -1]);
		expect(Array.from(model.attributes.get('friend') as Int32Array)).toEqual([1, -1, 2, -1, 3, -1, 4, -1]);
		expect(Array.from(model.edgeIndices.subarray(12))).toEqual([-1, 11, 9, 10]);
	});

	test('a free joint below another body keeps its coordinates', () => {
		const part = new ModelBuilder();
		const a = part.addLink({ mass: 1 });
		const b = part.addLink({ mass: 1, xform: { p: [1, 2, 3] } });
		part.addArticulation([part.addJointFixed({ child: a }), part.addJointFree({ parent: a, child: b })]);
		const scene = new ModelBuilder();
		scene.addWorld(part, { xform: { p: [5, 0, 0] } });
		expect(Array.from(scene.column('jointQ'))).toEqual(Array.from(part.column('jointQ')));
		expect(Array.from(part.column('jointQ').subarray(0, 3))).toEqual([1, 2, 3]);
	});
});

describe('a refused merge', () => {
	const before = (): ModelBuilder => {
		const scene = robot(1);
		scene.defineAttribute({ name: 'heat', type: 'f64', frequency: 'body', default: 1 });
		return scene;
	};
	const cases: Record<string, [code: string, source: ModelBuilder]> = {
		'another up axis': ['MODEL011', new ModelBuilder({ upAxis: 'y' })],
		'another default': ['MODEL022', withAttribute({ type: 'f64', default: 2 })],
		'another type': ['MODEL022', withAttribute({ type: 'vec3' })],
	};
	for (const [name, [code, source]] of Object.entries(cases)) {
		test(`for ${name} changes nothing`, () => {
			const scene = before();
			const content = contentOf(scene);
			expect(codeOf(() => scene.addWorld(source))).toBe(code);
			expect(codeOf(() => scene.addBuilder(source))).toBe(code);
			expect(codeOf(() => scene.replicate(source, { count: 2 }))).toBe(code);
			expect(contentOf(scene)).toEqual(content);
			scene.addBody({ mass: 1 });
			expect(Array.from(scene.column('bodyWorld')).at(-1)).toBe(-1);
		});
	}

	test('into itself', () => {
		const scene = before();
		expect(codeOf(() => scene.addBuilder(scene))).toBe('MODEL011');
	});

	test('with a bad transform changes nothing', () => {
		const scene = before();
		const content = contentOf(scene);
		expect(codeOf(() => scene.addWorld(robot(1), { xform: [1, 2, 3] }))).toBe('MODEL001');
		expect(contentOf(scene)).toEqual(content);
	});
});

function withAttribute(part: { type: 'f64' | 'vec3'; default?: number }): ModelBuilder {
	const builder = robot(1);
	builder.defineAttribute({ name: 'heat', frequency: 'body', ...part });
	return builder;
}

/** Linear and angular speed of each body. */
function speeds(qd: Float64Array): number[] {
	return Array.from({ length: qd.length / 3 }, (_, i) => Math.hypot(qd[3 * i]!, qd[3 * i + 1]!, qd[3 * i + 2]!));
}
