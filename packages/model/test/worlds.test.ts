import { ModelBuilder, ModelError } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { codeOf } from './support.ts';

/** Head globals, three worlds of a chain without a root joint, tail globals. */
function grouped(): ModelBuilder {
	const chain = new ModelBuilder();
	const bodies = [0, 1, 2].map(() => chain.addLink({ mass: 1 }));
	const joints = [0, 1].map((i) => chain.addJointRevolute({ parent: bodies[i]!, child: bodies[i + 1]!, axis: 'z' }));
	chain.addArticulation(joints);
	for (const body of bodies) chain.addShapeSphere(body, { radius: 0.1 });
	chain.addParticle({ position: [0, 0, 0], mass: 1 });
	chain.addParticle({ position: [1, 0, 0], mass: 1 });
	const main = new ModelBuilder();
	const global = (): void => {
		main.addShapeSphere(main.addBody({ mass: 1 }), { radius: 0.2 });
		main.addParticle({ position: [0, 0, 0], mass: 1 });
	};
	global();
	for (let i = 0; i < 3; i++) main.addWorld(chain);
	global();
	global();
	return main;
}

describe('grouping by world', () => {
	test('trap 1 and 2: globals at both ends, starts in entities and in joint spaces', () => {
		const model = grouped().finalize();
		expect(Array.from(model.particleWorldStart)).toEqual([1, 3, 5, 7, 9]);
		expect(Array.from(model.bodyWorldStart)).toEqual([1, 4, 7, 10, 12]);
		expect(Array.from(model.shapeWorldStart)).toEqual([1, 4, 7, 10, 12]);
		expect(Array.from(model.jointWorldStart)).toEqual([1, 3, 5, 7, 9]);
		expect(Array.from(model.articulationWorldStart)).toEqual([1, 2, 3, 4, 6]);
		expect(Array.from(model.jointDofWorldStart)).toEqual([6, 8, 10, 12, 24]);
		expect(Array.from(model.jointCoordWorldStart)).toEqual([7, 9, 11, 13, 27]);
		expect(Array.from(model.jointConstraintWorldStart)).toEqual([0, 10, 20, 30, 30]);
	});

	test('trap 3: a model without worlds has one empty world and only globals', () => {
		const builder = new ModelBuilder();
		for (let i = 0; i < 3; i++) builder.addBody({ mass: 1 });
		const model = builder.finalize();
		expect(model.worldCount).toBe(1);
		expect(Array.from(model.bodyWorld)).toEqual([-1, -1, -1]);
		expect(Array.from(model.bodyWorldStart)).toEqual([3, 3, 3]);
	});

	test('a type that no world holds counts as head-global, also when added last', () => {
		const builder = new ModelBuilder();
		builder.withWorld({}, () => builder.addBody({ mass: 1 }));
		builder.addShapeSphere(-1);
		expect(Array.from(builder.finalize().shapeWorldStart)).toEqual([1, 1, 1]);
	});

	test('trap 4: worlds neither nest nor end twice, and a failing body closes its world', () => {
		const builder = new ModelBuilder();
		expect(codeOf(() => builder.endWorld())).toBe('MODEL009');
		builder.beginWorld({ label: 'first' });
		expect(codeOf(() => builder.beginWorld())).toBe('MODEL009');
		expect(codeOf(() => builder.replicate(new ModelBuilder(), { count: 2 }))).toBe('MODEL009');
		expect(codeOf(() => builder.addWorld(new ModelBuilder()))).toBe('MODEL009');
		expect(builder.worldCount).toBe(1);
		builder.addBody({ mass: 1 });
		builder.endWorld();
		expect(() =>
			builder.withWorld({}, () => {
				builder.addBody({ mass: 1 });
				throw new Error('stop');
			}),
		).toThrow('stop');
		expect(builder.currentWorld).toBe(-1);
		const model = builder.finalize();
		expect(model.worldCount).toBe(2);
		expect(model.worlds.labels).toEqual(['first', '']);
	});

	test('trap 5: a global entity between worlds is refused with its array and index', () => {
		const builder = new ModelBuilder();
		builder.withWorld({}, () => builder.addShapeSphere(-1));
		builder.addShapeSphere(-1);
		builder.withWorld({}, () => builder.addShapeSphere(-1));
		expect(() => builder.finalize()).toThrow(/shape_world\[1\] is global .* between worlds 0 and 1/);
		const allowed = new ModelBuilder();
		allowed.withWorld({}, () => allowed.addBody({ mass: 1 }));
		allowed.addShapeSphere(-1);
		allowed.withWorld({}, () => allowed.addBody({ mass: 1 }));
		expect(Array.from(allowed.finalize().shapeWorldStart)).toEqual([1, 1, 1, 1]);
	});

	test('an empty world in the middle is refused, an empty last one is not', () => {
		const hole = new ModelBuilder();
		hole.withWorld({}, () => {});
		hole.withWorld({}, () => hole.addBody({ mass: 1 }));
		expect(() => hole.finalize()).toThrow(/not contiguous/);
		const tail = new ModelBuilder();
		tail.withWorld({}, () => tail.addBody({ mass: 1 }));
		tail.withWorld({}, () => {});
		expect(Array.from(tail.finalize().bodyWorldStart)).toEqual([0, 1, 1, 1]);
	});

	test('world columns edited out of order are refused', () => {
		const builder = grouped();
		const worlds = builder.column('bodyWorld');
		worlds[1] = 1;
		worlds[4] = 0;
		expect(() => builder.finalize()).toThrow(/body_world is not monotonic/);
		worlds[4] = 99;
		expect(() => builder.finalize()).toThrow(ModelError);
	});

	test('trap 6: finalizing changes nothing and can be repeated', () => {
		const builder = grouped();
		const first = builder.finalize();
		const second = builder.finalize();
		expect(second.bodyQ).toEqual(first.bodyQ);
		expect(second.bodyQ).not.toBe(first.bodyQ);
		const global = new ModelBuilder();
		global.addBody({ mass: 1 });
		expect(global.finalize().worldCount).toBe(1);
		expect(global.worldCount).toBe(0);
		global.withWorld({}, () => global.addBody({ mass: 1 }));
		expect(Array.from(global.finalize().bodyWorld)).toEqual([-1, 0]);
	});

	test('trap 12: a shape of another world than its body is refused', () => {
		const builder = new ModelBuilder();
		let body = -1;
		builder.withWorld({ label: 'w' }, () => {
			body = builder.addBody({ mass: 1, label: 'ball' });
		});
		expect(() => builder.addShapeSphere(body, { label: 'skin' })).toThrow(
			/shape 'skin' would be in world -1, its body 0 'ball' is in world 0/,
		);
		expect(builder.shapeCount).toBe(0);
	});

	test('world shapes on global bodies stay possible', () => {
		const builder = new ModelBuilder();
		const body = builder.addBody({ mass: 1 });
		builder.withWorld({}, () => builder.addShapeSphere(body));
		expect(Array.from(builder.finalize().shapeWorld)).toEqual([0]);
	});

	test('joints, articulations and mimics across worlds name both sides', () => {
		const builder = new ModelBuilder();
		const outside = builder.addLink({ mass: 1, label: 'outside' });
		builder.beginWorld();
		const inside = builder.addLink({ mass: 1, label: 'inside' });
		expect(() => builder.addJointRevolute({ parent: outside, child: inside })).toThrow(
			/parent of the joint is body 0 'outside' of world -1, the joint would be in world 0/,
		);
		const joint = builder.addJointRevolute({ parent: -1, child: inside });
		builder.endWorld();
		expect(codeOf(() => builder.addArticulation([joint]))).toBe('MODEL006');
		expect(codeOf(() => builder.addConstraintMimic({ joint0: joint, joint1: joint }))).toBe('MODEL006');
	});
});

describe('gravity', () => {
	test('follows the up axis and takes vectors, without aliasing', () => {
		expect(Array.from(new ModelBuilder({ upAxis: 'y' }).gravity)).toEqual([0, -9.81, 0]);
		const builder = new ModelBuilder({ gravity: [1, 2, 3] });
		builder.gravity[0] = 99;
		expect(Array.from(builder.gravity)).toEqual([1, 2, 3]);
		expect(codeOf(() => new ModelBuilder({ gravity: [1, 2] }))).toBe('MODEL001');
	});

	test('trap 11: every world has its own, a merged builder brings its own, an explicit one wins', () => {
		const moon = new ModelBuilder({ gravity: [0, 0, -1.62] });
		moon.addBody({ mass: 1 });
		const scene = new ModelBuilder();
		scene.addWorld(moon);
		scene.beginWorld({ gravity: [0, 0, -3.7] });
		scene.addBuilder(moon);
		scene.endWorld();
		scene.beginWorld();
		scene.addBuilder(moon);
		scene.endWorld();
		scene.withWorld({}, () => scene.addBody({ mass: 1 }));
		scene.addWorld(moon, { gravity: 'inherit' });
		scene.addWorld(moon, { gravity: [0, 0, -25] });
		scene.replicate(moon, { count: 1 });
		const z = Array.from(scene.finalize().gravity).filter((_, i) => i % 3 === 2);
		expect(z).toEqual([-1.62, -3.7, -1.62, -9.81, -9.81, -25, -1.62]);
	});

	test('of global entities is that of world 0, or their own with newtonCompat', () => {
		const scene = new ModelBuilder();
		scene.withWorld({ gravity: [0, 0, -1] }, () => scene.addBody({ mass: 1 }));
		expect(Array.from(scene.finalize().globalGravity)).toEqual([0, 0, -1]);
		const compat = scene.finalize({ newtonCompat: true });
		expect(Array.from(compat.globalGravity)).toEqual([0, 0, -9.81]);
		expect(Array.from(compat.gravity)).toEqual([0, 0, -1]);
		compat.setGravity([0, 0, -2], { world: -1 });
		expect(Array.from(compat.gravityOf(-1))).toEqual([0, 0, -2]);
	});

	test('setGravity takes one vector, one per world, and refuses other worlds and sizes', () => {
		const scene = new ModelBuilder();
		for (let i = 0; i < 2; i++) scene.withWorld({}, () => scene.addBody({ mass: 1 }));
		const model = scene.finalize();
		model.setGravity([0, 0, -1]);
		expect(Array.from(model.gravity)).toEqual([0, 0, -1, 0, 0, -1]);
		model.setGravity([1, 0, 0, 2, 0, 0]);
		expect(Array.from(model.gravity)).toEqual([1, 0, 0, 2, 0, 0]);
		expect(codeOf(() => model.setGravity([0, 0, 1], { world: 2 }))).toBe('MODEL004');
		expect(codeOf(() => model.setGravity([0, 0, 1], { world: -2 }))).toBe('MODEL004');
		expect(codeOf(() => model.setGravity([1, 2, 3, 4]))).toBe('MODEL001');
		expect(Array.from(model.gravity)).toEqual([1, 0, 0, 2, 0, 0]);
	});
});
