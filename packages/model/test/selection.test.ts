import { describe, expect, it } from 'vitest';
import type { Model } from '../src/model/model.ts';
import { ModelBuilder } from '../src/model-builder.ts';
import { selectArticulations } from '../src/selection/articulation-selection.ts';
import { matchLabels } from '../src/selection/match-labels.ts';

function arm(joints = 2): ModelBuilder {
	const builder = new ModelBuilder();
	const added: number[] = [];
	let parent = -1;
	for (let i = 0; i < joints; i++) {
		const child = builder.addLink({ mass: 1, label: `arm/link${i}` });
		builder.addShapeSphere(child, { radius: 0.1 });
		added.push(builder.addJointRevolute({ parent, child, axis: 'z', label: `arm/joint${i}` }));
		parent = child;
	}
	builder.addArticulation(added, { label: 'arm' });
	return builder;
}

function replicated(count: number): Model {
	const scene = new ModelBuilder();
	scene.addGroundPlane();
	scene.replicate(arm(), { count });
	return scene.finalize();
}

describe('matchLabels (trap 33)', () => {
	const labels = ['arm', 'armX', 'Arm', 'leg', 'a.b', 'arm'];

	it.each([
		['arm', [0, 5]],
		['arm*', [0, 1, 5]],
		['*', [0, 1, 2, 3, 4, 5]],
		['ar?', [0, 5]],
		['[aA]rm', [0, 2, 5]],
		['[!a]*', [2, 3]],
		['arm.*', []],
		['a.b', [4]],
		['none', []],
	])("reads the glob '%s'", (pattern, expected) => {
		expect(matchLabels(pattern, labels)).toEqual(expected);
	});

	it('needs a full match of a regular expression', () => {
		expect(matchLabels(/arm.*/, labels)).toEqual([0, 1, 5]);
		expect(matchLabels(/rm/, labels)).toEqual([]);
	});

	it('joins lists without repeats, in label order, and passes indices through', () => {
		expect(matchLabels(['leg', 'arm*', 'arm'], labels)).toEqual([0, 1, 3, 5]);
		expect(matchLabels([4, 2], labels)).toEqual([4, 2]);
		expect(matchLabels([], labels)).toEqual([]);
	});
});

describe('selectArticulations', () => {
	it('finds one instance in each world although labels repeat (trap 32)', () => {
		const selection = selectArticulations(replicated(3), 'arm', { layout: 'grid' });
		expect(selection.instances.map(({ world }) => world)).toEqual([0, 1, 2]);
		expect(selection.countPerWorld).toBe(1);
		expect(selection.jointNames).toEqual(['joint0', 'joint1']);
		expect(selection.jointLabels).toEqual(['arm/joint0', 'arm/joint1']);
		expect(selection.read('jointQ', selection.model.createState()).shape).toEqual([3, 1, 2]);
		expect(selection.read('bodyQ', selection.model.createState()).shape).toEqual([3, 1, 2, 7]);
	});

	it('writes what it was given and nothing else (trap 35)', () => {
		const model = replicated(3);
		const state = model.createState();
		state.jointQ.fill(-1);
		const selection = selectArticulations(model, 'arm', { joints: { include: 'joint1' } });
		selection.write('jointQ', state, [10, 20, 30], { mask: [1, 0, 1] });
		expect(Array.from(state.jointQ)).toEqual([-1, 10, -1, -1, -1, 30]);
	});

	it('refuses a wrong mask or size before writing anything', () => {
		const model = replicated(3);
		const state = model.createState();
		const selection = selectArticulations(model, 'arm');
		expect(() => selection.write('jointQ', state, new Array(6).fill(9), { mask: [1, 0] })).toThrow(
			/mask has 2 entries/,
		);
		expect(() => selection.write('jointQ', state, [1])).toThrow(/1 numbers were given/);
		expect(() => selection.read('gravity', model)).toThrow(/not an array of joints/);
		expect(Array.from(state.jointQ)).toEqual(new Array(6).fill(0));
	});

	it('selects over worlds with different numbers of robots when flat (trap 34)', () => {
		const scene = new ModelBuilder();
		scene.withWorld({}, () => scene.addBuilder(arm()));
		scene.withWorld({}, () => scene.addShapeBox(-1));
		scene.withWorld({}, () => {
			scene.addBuilder(arm());
			scene.addBuilder(arm());
		});
		const model = scene.finalize();
		const flat = selectArticulations(model, 'arm');
		expect(flat.count).toBe(3);
		expect(Array.from(flat.worldStart)).toEqual([0, 1, 1, 3]);
		expect(flat.read('jointQ', model.createState()).shape).toEqual([3, 2]);
		expect(() => selectArticulations(model, 'arm', { layout: 'grid' })).toThrow(/world 0 has 1 .* world 1 has 0/);
	});

	it('names the first difference between instances', () => {
		const scene = new ModelBuilder();
		scene.addWorld(arm(2));
		scene.addWorld(arm(3));
		expect(() => selectArticulations(scene.finalize(), 'arm')).toThrow(/has 3 selected joints, the first one has 2/);
	});

	it('refuses patterns that match nothing, or global and local ones together', () => {
		const scene = new ModelBuilder();
		scene.addBuilder(arm());
		scene.addWorld(arm());
		const model = scene.finalize();
		expect(() => selectArticulations(model, 'leg')).toThrow(/no articulation matches 'leg'/);
		expect(() => selectArticulations(model, 'arm')).toThrow(/1 global articulations and 1 in worlds/);
		expect(() => selectArticulations(model, [1, 0])).toThrow(/not ascending/);
		expect(selectArticulations(model, [0], { layout: 'grid' }).countPerWorld).toBe(1);
	});

	it('tells fixed and floating bases apart and names degrees of freedom', () => {
		const builder = new ModelBuilder();
		builder.addBody({ mass: 1, label: 'ball' });
		const model = builder.finalize();
		const ball = selectArticulations(model, 'ball*');
		expect(ball.isFloatingBase).toBe(true);
		expect(ball.isFixedBase).toBe(false);
		expect(ball.dofNames).toEqual([0, 1, 2, 3, 4, 5].map((i) => `ball_free_joint:${i}`));
	});
});
