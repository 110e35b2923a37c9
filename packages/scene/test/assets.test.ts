import type { GitSource } from '@manyworlds/scene';
import { SAP_TAU_ATTRIBUTE } from '@manyworlds/sim/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGitSource } from '../src/git-source.ts';
import { findings, load, loaded } from './support.ts';

const numbers = (values: ArrayLike<number> | undefined): number[] => Array.from(values ?? []);
const scene = (asset: object, parts: object = {}): string =>
	JSON.stringify({ assets: [{ id: 'r', ...asset }], ...parts });
const refusal = (asset: object, options = {}): string =>
	findings(load(scene(asset), options)).map((line) => line.replace(/^\S+ /, ''))[0]!;

const URDF = `<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="tip">
    <inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
    <visual><geometry><sphere radius="0.1"/></geometry></visual>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="30" velocity="2"/><dynamics damping="0.4" friction="0.05"/></joint>
</robot>`;

const MJCF = `<mujoco><worldbody><body name="ball" pos="0 0 1"><freejoint/>
  <geom name="soft" type="sphere" size="0.1" solref="0.02 1"/><geom name="plain" type="sphere" size="0.2"/></body></worldbody></mujoco>`;

const USD = `#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "World"
{
    def PhysicsScene "scene"
    {
        vector3f physics:gravityDirection = (0, 0, -1)
        float physics:gravityMagnitude = 5
    }
    def Cube "box" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
    {
        double size = 1
    }
}
`;

describe('sources', () => {
	it('are paths relative to the scene, as text or in a mapping', () => {
		const files = { 'scenes/robots/arm.urdf': URDF };
		for (const source of ['robots/arm.urdf', './robots/arm.urdf', { path: 'robots/arm.urdf' }]) {
			const result = loaded(scene({ type: 'urdf', source }), { file: 'scenes/a.yaml', files });
			expect(result.bodyLabels).toEqual(['arm/base', 'arm/tip']);
			expect(result.assets[0]).toMatchObject({
				id: 'r',
				format: 'urdf',
				file: 'scenes/robots/arm.urdf',
				bodies: [0, 2],
				joints: [0, 2],
			});
		}
	});

	it('are the text of a file', () => {
		expect(loaded(scene({ type: 'urdf', source: `\n${URDF}` })).bodyLabels).toEqual(['arm/base', 'arm/tip']);
		expect(loaded(scene({ type: 'mjcf', source: MJCF })).model.bodyCount).toBe(1);
	});

	it('lead nowhere else', () => {
		expect(refusal({ type: 'urdf', source: '../secret.urdf' })).toContain(
			"SCN031 assets[0].source is '../secret.urdf', which cannot be read",
		);
		expect(refusal({ type: 'urdf', source: '/etc/passwd' })).toContain('SCN031');
		expect(refusal({ type: 'usd', source: 'https://example.org/a.usda' })).toContain('SCN031');
		expect(refusal({ type: 'usd', source: 'absent.usda' })).toContain(
			"SCN031 assets[0].source cannot be imported: 'absent.usda' does not exist",
		);
	});

	it('are listed as unsupported in the words of SAP Warp', () => {
		const features = (asset: object): readonly string[] => load(scene(asset), { strict: false }).unsupportedFeatures;
		expect(features({ type: 'sdf' })).toEqual(["asset['r'] type=sdf"]);
		expect(features({})).toEqual(["asset['r'] type=<missing>"]);
		expect(features({ type: 'urdf' })).toEqual([
			"asset['r'] urdf source: Expected asset source string or mapping, got None.",
		]);
		expect(features({ type: 'urdf', source: ['a'] })).toEqual([
			"asset['r'] urdf source: Expected asset source string or mapping, got ['a'].",
		]);
		expect(features({ type: 'usd', source: {} })).toEqual(["asset['r'] usd source: Unsupported asset source: {}"]);
		expect(features({ type: 'usd', source: { examples_asset: "it's" } })).toEqual([
			`asset['r'] usd source: examples_asset="it's"`,
		]);
		expect(
			features({
				type: 'urdf',
				source: URDF,
				base_joint: {},
				parent_body: 3,
				collapse_fixed_joints: true,
				override_root_xform: true,
				up_axis: 'x',
			}),
		).toEqual([
			"asset['r'] urdf base_joint",
			"asset['r'] urdf parent_body",
			"asset['r'] urdf collapse_fixed_joints",
			"asset['r'] urdf override_root_xform",
			"asset['r'] urdf up_axis='x'",
		]);
	});

	it('say nothing of what follows from a missing asset', () => {
		const text = scene(
			{ type: 'urdf', source: 'absent.urdf' },
			{
				post_build: [{ op: 'set_array', array: 'joint_q', index: 3, value: 1 }],
				initial_joint_q: [{ joint: 'hinge', value: 1 }],
			},
		);
		expect(findings(load(text))).toHaveLength(1);
	});
});

describe('git sources', () => {
	const git = { repo: 'https://example.org/robots.git', rev: '261cd1f4', path: 'arms/arm.urdf' };

	it('are checked out by the host', () => {
		const asked: GitSource[] = [];
		const result = loaded(scene({ type: 'urdf', source: { git: { ...git, sparse: ['arms', './meshes/'] } } }), {
			files: { 'cache/1/arms/arm.urdf': URDF },
			checkout: (source) => {
				asked.push(source);
				return { folder: 'cache/1/' };
			},
		});
		expect(asked).toEqual([{ ...git, sparse: ['arms', 'meshes'] }]);
		expect(result.assets[0]?.file).toBe('cache/1/arms/arm.urdf');
	});

	it('check out the folder of the path when nothing else is named', () => {
		expect(readGitSource(git)).toEqual({ ...git, sparse: ['arms'] });
		expect(readGitSource({ ...git, path: 'arm.urdf' })).toMatchObject({ sparse: ['.'] });
		expect(readGitSource({ ...git, sparse: 'arms' })).toMatchObject({ sparse: ['arms'] });
		expect(readGitSource({ ...git, rev: 1234567 })).toMatchObject({ rev: '1234567' });
	});

	it('need a host that can', () => {
		expect(refusal({ type: 'urdf', source: { git } })).toContain(
			"SCN033 unsupported feature: asset['r'] urdf source: Git asset https://example.org/robots.git@261cd1f4:arms/arm.urdf cannot be checked out here.",
		);
		expect(refusal({ type: 'urdf', source: { git } }, { checkout: () => ({ failure: 'offline' }) })).toContain(
			"asset['r'] urdf source: offline",
		);
	});

	it.each([
		['repo', '--upload-pack=touch /tmp/x'],
		['repo', 'ext::sh -c touch% /tmp/x'],
		['repo', '-oProxyCommand=x'],
		['repo', 'https://example.org/a\nb'],
		['rev', '--output=/etc/passwd'],
		['rev', '-q'],
		['rev', 'a b'],
		['rev', 'main..other'],
		['rev', 'main:file'],
		['path', '../a.urdf'],
		['path', 'a/../../b.urdf'],
		['path', '/etc/passwd'],
		['path', 'C:\\a.urdf'],
		['path', '..\\a.urdf'],
		['path', '-a.urdf'],
		['path', 'a/-b.urdf'],
		['path', '.git/config'],
		['path', 'a\u0000b'],
		['sparse', '../..'],
		['sparse', '--stdin'],
		['sparse', '/'],
	])('never hand an unsafe %s to git: %j', (key, value) => {
		let calls = 0;
		const options = {
			checkout: () => {
				calls++;
				return { failure: '' };
			},
		};
		expect(refusal({ type: 'urdf', source: { git: { ...git, [key]: value } } }, options)).toContain('SCN032');
		expect(calls).toBe(0);
	});

	it.each([
		[{ rev: 'a', path: 'b' }, 'source.git.repo is required.'],
		[{ repo: 'a', path: 'b' }, 'source.git.rev is required.'],
		[{ repo: 'a', rev: 'b' }, 'source.git.path is required.'],
		[{ ...git, repo: {} }, 'source.git.repo must be text.'],
		[{ ...git, sparse: [] }, 'source.git.sparse must be a path or a list of paths.'],
	])('need all their parts: %j', (value, reason) => {
		expect(readGitSource(value)).toMatchObject({ kind: 'invalid', reason });
	});

	it('never pass options or leave the checkout, whatever the texts', () => {
		const part = fc.oneof(
			fc.string({ maxLength: 12 }),
			fc.constantFrom('..', '-x', '--', '/', '\\', 'a/b', '.git', 'ext::', '\n', 'main', 'https://a/b'),
		);
		const text = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
		fc.assert(
			fc.property(fc.record({ repo: text, rev: text, path: text, sparse: text }), (value) => {
				const source = readGitSource(value);
				if ('kind' in source) return;
				for (const argument of [source.repo, source.rev, source.path, ...source.sparse]) {
					expect(argument).toMatch(/^[^-\p{Cc}][^\p{Cc}]*$/u);
				}
				for (const path of [source.path, ...source.sparse]) {
					expect(path.split('/')).not.toContain('..');
					expect(path).not.toMatch(/^\/|\\|^[A-Za-z]:/);
				}
				expect(source.repo).not.toMatch(/^\w+::/);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('imported assets', () => {
	it('stand at xform, fixed or floating', () => {
		const xform = { p: [1, 2, 3] };
		const fixed = loaded(scene({ type: 'urdf', source: URDF, xform }));
		expect(fixed.model.jointDofCount).toBe(1);
		expect(numbers(fixed.state.bodyQ).slice(0, 3)).toEqual([1, 2, 3]);
		const floating = loaded(scene({ type: 'urdf', source: URDF, xform, floating: true }));
		expect(floating.model.jointDofCount).toBe(7);
		expect(numbers(floating.state.jointQ).slice(0, 3)).toEqual([1, 2, 3]);
	});

	it('always have poses that follow from coordinates', () => {
		const { state } = loaded(scene({ type: 'urdf', source: URDF, floating: true, xform: { p: [0, 0, 0.6] } }));
		expect(numbers(state.bodyQ).filter((_, i) => i % 7 === 2)).toEqual([0.6, 0.6]);
	});

	it('take builder defaults for joints, and limits and damping of the file', () => {
		const { model } = loaded(
			scene({ type: 'urdf', source: URDF }, { builder: { defaults: { joint: { armature: 0.3, limit_ke: 55 } } } }),
		);
		expect(model.jointArmature[0]).toBe(0.3);
		expect(model.jointLimitKe[0]).toBe(55);
		expect(model.jointEffortLimit[0]).toBe(30);
		expect(model.jointVelocityLimit[0]).toBe(2);
		expect(model.jointFriction[0]).toBe(0.05);
		expect(model.jointDamping[0]).toBe(0.4);
		expect(model.jointTargetMode[0]).toBe(0);
	});

	it('take the material of the asset, cfg last, for all of their shapes', () => {
		const asset = {
			type: 'urdf',
			source: URDF,
			physics: { ke: 1, mu: 0.1 },
			shape: { mu: 0.2, tau: 0.5 },
			cfg: { mu: 0.3, density: 100 },
		};
		const result = loaded(scene(asset, { builder: { defaults: { shape: { mu: 0.9, ke: 5, tau: 0.02 } } } }));
		expect(numbers(result.model.shapeMaterialMu)).toEqual([0.3, 0.3, 0.3, 0.9]);
		expect(numbers(result.model.shapeMaterialKe)).toEqual([1, 1, 1, 5]);
		expect(numbers(result.model.attributes.get(SAP_TAU_ATTRIBUTE) as Float64Array)).toEqual([0.5, 0.5, 0.5, 0.02]);
		// density of the builder defaults while it is imported; inertials of the file win
		expect(numbers(result.model.bodyMass)).toEqual([expect.closeTo(0.8, 9), 2]);
	});

	it('dissipate as fast as solref says, where a geom gives one', () => {
		const { model } = loaded(scene({ type: 'mjcf', source: MJCF }));
		// ke = 1/(tc² dr²), kd = 2/tc
		expect(numbers(model.attributes.get(SAP_TAU_ATTRIBUTE) as Float64Array)).toEqual([
			expect.closeTo(0.04, 12),
			0.01,
			0.01,
		]);
	});

	it('show colliders of links without visuals, and hide or show them all on request', () => {
		const flags = (options: object): number[] =>
			numbers(loaded(scene({ type: 'urdf', source: URDF, ...options }, { ground: false })).model.shapeFlags);
		expect(flags({})).toEqual([7, 1, 6]);
		expect(flags({ hide_collision_shapes: true })).toEqual([6, 1, 6]);
		expect(flags({ force_show_colliders: true })).toEqual([7, 1, 7]);
		expect(flags({ load_visual_shapes: false })).toEqual([7, 7]);
	});

	it('collide with themselves unless told otherwise', () => {
		const pairs = (options: object): number =>
			loaded(
				scene(
					{ type: 'urdf', source: URDF.replace('type="revolute"', 'type="floating"'), ...options },
					{ ground: false },
				),
			).model.shapeContactPairs.length / 2;
		expect(pairs({ enable_self_collisions: false })).toBe(0);
	});

	it('bring their gravity, which is said, and which post_build can replace', () => {
		const files = { 'box.usda': USD };
		const text = (post_build: object[]): string =>
			scene({ type: 'usd', source: 'box.usda' }, { builder: { gravity: -9.81 }, post_build });
		const result = load(text([]), { files });
		expect(numbers(result.loaded?.model.gravity)).toEqual([0, 0, -5]);
		expect(findings(result, ['warning'])[0]).toContain(
			'SCN061 assets[0] gives the gravity [0, 0, -5] m/s², which replaces builder.gravity',
		);
		expect(numbers(loaded(text([{ op: 'set_attr', name: 'gravity', value: -9.81 }]), { files }).model.gravity)).toEqual(
			[0, 0, -9.81],
		);
	});

	it('keep a ledger', () => {
		const { ledger } = loaded(scene({ type: 'urdf', source: URDF })).assets[0]!;
		expect(ledger.totals().total).toBeGreaterThan(10);
		expect(ledger.totals().ignored).toBe(0);
	});

	it('refuse files with errors, at the place that names them', () => {
		expect(refusal({ type: 'urdf', source: '<robot name="r"><link' })).toContain(
			'SCN031 assets[0].source cannot be imported',
		);
		expect(findings(load(scene({ type: 'urdf', source: '<robot name="r"/>' })))).toEqual([
			expect.stringMatching(/^1:\d+ SCN031 assets\[0\]\.source cannot be imported: /),
			'1:45 URDF002 <robot> has no <link> (line 1, column 1 of the text)',
		]);
		expect(refusal({ type: 'mjcf', source: '<mujoco><worldbody>' })).toContain('SCN031');
		expect(refusal({ type: 'usd', source: 'a.usda', ignore_paths: ['('] })).toContain(
			"SCN009 assets[0].ignore_paths has the text '('",
		);
	});

	it('find folders from elsewhere below an MJCF file', () => {
		const mjcf = `<mujoco><compiler meshdir="meshes"/><asset><mesh name="m" file="t.obj"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`;
		const files = {
			'robot/a.xml': mjcf,
			'elsewhere/t.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n',
		};
		const asset = { type: 'mjcf', source: 'robot/a.xml', external_assets: [{ target: 'meshes', path: 'elsewhere' }] };
		expect(loaded(scene(asset), { files }).model.shapeCount).toBe(2);
		expect(refusal({ ...asset, external_assets: [{ target: '../x', path: 'elsewhere' }] }, { files })).toContain(
			'SCN032',
		);
	});
});
