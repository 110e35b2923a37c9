import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScene } from '@manyworlds/scene';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { findings, loaded } from './support.ts';

const SEEDS = join(import.meta.dirname, '../../../../shared/seeds');
const name = existsSync(SEEDS) ? readdirSync(SEEDS).find((file) => /^001.*\.txt$/.test(file)) : undefined;
if (name === undefined) console.warn(`skipped: seed 001 is not in ${SEEDS}`);

const KEYS =
	/^(schema_version|name|simulation|builder|ground|assets|bodies|joints|articulations|initial_joint_q|post_build|replicate|xform|angle):/;

/** Runs of lines that begin with a key of the schema and go on with indented lines and further keys. */
function snippets(text: string): string[] {
	const found: string[] = [];
	let lines: string[] = [];
	for (const line of [...text.split(/\r?\n/), 'end']) {
		if (KEYS.test(line) || (lines.length > 0 && /^(\s|$)/.test(line))) lines.push(line);
		else {
			if (lines.length > 0) found.push(`${lines.join('\n').trimEnd()}\n`);
			lines = [];
		}
	}
	return found;
}

describe.skipIf(name === undefined)('the snippets of seed 001', () => {
	const all = name === undefined ? [] : snippets(readFileSync(join(SEEDS, name), 'utf8'));
	const having = (text: string): string => {
		const found = all.find((snippet) => snippet.includes(text));
		if (found === undefined) throw new Error(`no snippet has ${text}`);
		return found;
	};
	/** A snippet with what it needs around it. */
	const within = (text: string, parts: object): string => stringify({ ...parts, ...(parse(having(text)) as object) });

	it('are all found', () => {
		expect(all.length).toBe(11);
	});

	it('are read without a finding', () => {
		for (const snippet of all.filter((text) => !/^(xform|angle):/.test(text))) {
			expect(findings(readScene(snippet), ['error', 'warning', 'info'])).toEqual([]);
		}
	});

	it('simulation: time step, worlds, capacity and solver', () => {
		expect(loaded(having('contact_preset_variant: drake')).settings).toMatchObject({
			dt: 0.003,
			numWorlds: 1,
			maxRigidContact: 48,
			solver: { contactPresetVariant: 'drake', lineSearchVariant: 'armijo_decay' },
		});
	});

	it('numbers and transforms: a quarter turn', () => {
		const { angle } = parse(having('angle: pi * 0.5')) as { readonly angle: unknown };
		const bodies = [{ id: 'a', transform: { q: { axis_angle: { axis: [0, 0, 1], angle } } }, shapes: [{}] }];
		expect(loaded(stringify({ bodies })).state.bodyQ[5]).toBeCloseTo(Math.SQRT1_2, 12);
		const { xform } = parse(having('xform:')) as { readonly xform: unknown };
		const [x, y, z, , , qz] = loaded(stringify({ bodies: [{ id: 'a', transform: xform, shapes: [{}] }] })).state.bodyQ;
		expect([x, y, z]).toEqual([0, 0, 0.62]);
		expect(qz).toBeCloseTo(Math.SQRT1_2, 12);
	});

	const USD = '#usda 1.0\ndef Cube "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])\n{\n}\n';

	it('assets: a file beside the scene', () => {
		const scene = loaded(having('source: assets/robots/robot.usda'), { files: { 'assets/robots/robot.usda': USD } });
		expect(scene.assets[0]).toMatchObject({ id: 'robot', format: 'usd', file: 'assets/robots/robot.usda' });
	});

	it('assets: a git checkout', () => {
		const scene = loaded(having('repo: https'), {
			files: { 'cache/unitree_g1/usd_structured/g1_29dof_with_hand_rev_1_0.usda': USD },
			checkout: ({ repo, rev, sparse }) => {
				expect(repo).toBe('https://github.com/newton-physics/newton-assets.git');
				expect(rev).toBe('261cd1f429619d8ef4f546bd788ab9dea906b5e1');
				expect(sparse).toEqual(['unitree_g1/usd_structured', 'unitree_g1/meshes']);
				return { folder: 'cache' };
			},
		});
		expect(scene.assets[0]?.id).toBe('g1');
	});

	it('bodies: cfg of a shape wins over the builder', () => {
		const { model } = loaded(within('id: payload', { builder: { defaults: { shape: { mu: 0.1, density: 1 } } } }));
		expect(model.bodyMass[0]).toBeCloseTo(500 * 0.4 ** 3, 9);
		expect(model.shapeMaterialMu[0]).toBe(0.8);
		expect(model.shapeGap[0]).toBe(0.004);
	});

	it('joints: a hinge with limits in an articulation', () => {
		const { model } = loaded(within('id: hinge', { bodies: [{ id: 'link', shapes: [{}] }] }));
		expect(Array.from(model.jointAxis)).toEqual([0, 0, 1]);
		expect([model.jointLimitLower[0], model.jointLimitUpper[0]]).toEqual([-1.57, 1.57]);
		expect(model.labels('articulation')).toEqual(['hinge_articulation']);
	});

	it('initial_joint_q: by joint and offset', () => {
		const { state } = loaded(
			within('joint: revolute_a_b', {
				bodies: ['a', 'b'].map((id) => ({ id, shapes: [{}] })),
				joints: [
					{ id: 'revolute_a_b', type: 'revolute', child: 'a' },
					{ id: 'box_free', type: 'free', child: 'b' },
				],
				articulations: [{ joints: ['revolute_a_b'] }, { joints: ['box_free'] }],
			}),
		);
		expect(Array.from(state.jointQ)).toEqual([Math.PI / 2, 0, 0, 1.25, 0, 0, 0, 1]);
	});

	it('post_build: ranges and a label prefix', () => {
		const robot = `<robot name="robot"><link name="base"><collision><geometry><sphere radius="1"/></geometry></collision></link>
			<link name="l"/><link name="r"/>
			<joint name="left_leg_hip" type="continuous"><parent link="base"/><child link="l"/></joint>
			<joint name="right_leg_hip" type="continuous"><parent link="base"/><child link="r"/></joint></robot>`;
		const { model, state } = loaded(
			within('label_prefix: robot/left_leg', { assets: [{ type: 'urdf', source: robot, floating: true }] }),
		);
		expect(Array.from(state.jointQ).slice(0, 3)).toEqual([0, 0, 0.67]);
		expect(Array.from(model.jointTargetKe)).toEqual([0, 0, 0, 0, 0, 0, 1000, 500]);
		expect(Array.from(model.jointTargetKd)).toEqual([0, 0, 0, 0, 0, 0, 20, 10]);
		expect(Array.from(model.jointTargetMode)).toEqual([0, 0, 0, 0, 0, 0, 1, 1]);
	});

	it('replicate: sixteen worlds in a centred grid', () => {
		const scene = loaded(within('num_worlds: 16', { bodies: [{ id: 'a', shapes: [{}] }] }));
		expect(scene.worldCount).toBe(16);
		expect(Array.from(scene.state.bodyQ).slice(0, 2)).toEqual([-3, -3]);
		expect(Array.from(scene.state.bodyQ).slice(-7, -5)).toEqual([3, 3]);
	});
});
