import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScene } from '@manyworlds/scene';
import type { SceneGeometry, SceneOperation, SceneRange } from '@manyworlds/scene/internal';
import { describe, expect, it } from 'vitest';
import { ROOT, runCli } from './run-cli.ts';

const FOLDER = join(ROOT, 'examples/scenes');
const SEED = join(ROOT, '../shared/seeds');
const FILES = readdirSync(FOLDER)
	.filter((name) => /\.(?:yaml|json)$/.test(name))
	.sort();

type Mapping = Readonly<Record<string, unknown>>;

function read(name: string) {
	const { scene, config, report } = readScene(readFileSync(join(FOLDER, name), 'utf8'), { file: name });
	if (scene === undefined) throw new Error(report.toArray().map(({ message }) => message)[0]);
	return { scene, config: config as Mapping, findings: report.size };
}

/** Names of a closed list: the compiler refuses a list that has one more or one less than the schema. */
function namesOf<K extends string>(names: Readonly<Record<K, true>>): string[] {
	return Object.keys(names).sort();
}

const SHAPES = namesOf<SceneGeometry['type']>({
	box: true,
	sphere: true,
	capsule: true,
	cylinder: true,
	cone: true,
	ellipsoid: true,
	mesh: true,
});

const OPERATIONS = namesOf<Exclude<SceneOperation['op'], 'unknown'>>({
	add_shape: true,
	set_array: true,
	copy_array: true,
	scale_sphere_shapes: true,
	approximate_meshes: true,
	set_attr: true,
	set_joint_targets: true,
	set_joint_q: true,
	copy_joint_q_to_joint_targets: true,
	set_joint_armature: true,
});

const RANGES = namesOf<Exclude<SceneRange['kind'], 'unknown'>>({
	all: true,
	head: true,
	tail: true,
	from: true,
	between: true,
});

/** Lists of seed 001. */
const JOINTS = ['fixed', 'free', 'prismatic', 'revolute'];
const SELECTORS = ['joint', 'joint_label', 'joint_labels', 'joints', 'label_prefix', 'match'];
const ARRAYS =
	'shape_margin, shape_gap, shape_material_ke, shape_material_tau, shape_material_mu, shape_material_restitution, shape_material_mu_torsional, shape_material_mu_rolling, shape_material_kh, shape_collision_group, shape_flags, joint_q, joint_qd, joint_target_pos, joint_target_vel, joint_target_ke, joint_target_kd, joint_target_mode, joint_armature'.split(
		', ',
	);

describe('the example scenes', () => {
	const scenes = FILES.map(read);
	const operations = scenes.flatMap(({ scene }) => scene.post_build);
	const written = scenes.flatMap(({ config }) => (config['post_build'] ?? []) as Mapping[]);
	const sorted = (values: Iterable<unknown>): unknown[] => [...new Set(values)].sort();

	it('have no key that the schema does not know', () => {
		expect(scenes.map(({ findings }) => findings)).toEqual(scenes.map(() => 0));
	});

	it('have every joint type and shape', () => {
		expect(sorted(scenes.flatMap(({ scene }) => scene.joints.map(({ type }) => type)))).toEqual(JOINTS);
		const shapes = scenes.flatMap(({ scene }) => scene.bodies.flatMap((body) => body.shapes));
		expect(sorted(shapes.map(({ geometry }) => geometry.type))).toEqual(SHAPES);
	});

	it('have every operation, selector and array', () => {
		expect(sorted(operations.map(({ op }) => op))).toEqual(OPERATIONS);
		const keys = written.flatMap((operation) => Object.keys(operation));
		expect(sorted(keys.filter((key) => SELECTORS.includes(key)))).toEqual(SELECTORS);
		const arrays = written.flatMap(({ array, src, dst, from_array }) => [array, src, dst, from_array]);
		expect(sorted(arrays.filter((name) => name !== undefined))).toEqual(ARRAYS.toSorted());
	});

	it('have every form of a range, and indices from both ends', () => {
		const entries = operations.flatMap((operation) =>
			'entries' in operation
				? [operation.entries]
				: operation.op === 'copy_array'
					? [operation.src_range, operation.dst_range]
					: [],
		);
		const ranges = entries.flatMap(({ range }) => (range === undefined ? [] : [range]));
		expect(sorted(ranges.map(({ kind }) => kind))).toEqual(RANGES);
		const between = ranges.flatMap((range) => (range.kind === 'between' ? [range] : []));
		expect(between.some(({ start }) => start < 0)).toBe(true);
		expect(between.some(({ end }) => end === undefined)).toBe(true);
		expect(between.some(({ end }) => end !== undefined)).toBe(true);
		const indices = entries.flatMap(({ index }) => (index === undefined ? [] : [index]));
		expect([indices.some((index) => index >= 0), indices.some((index) => index < 0)]).toEqual([true, true]);
		expect(written.some(({ value }) => value !== undefined)).toBe(true);
		expect(written.some(({ values }) => values !== undefined)).toBe(true);
	});

	it('have every asset format, local and inline sources, presets and line searches', () => {
		const assets = scenes.flatMap(({ scene }) => scene.assets);
		expect(sorted(assets.map(({ type }) => type))).toEqual(['mjcf', 'urdf', 'usd']);
		const forms = assets.map(({ source }) =>
			typeof source !== 'string' ? 'mapping' : source.startsWith('<') ? 'text' : 'path',
		);
		expect(sorted(forms)).toEqual(['mapping', 'path', 'text']);
		const options = scenes.map(({ scene }) => scene.simulation.solver?.options);
		const presets = sorted(options.map((each) => each?.contactPresetVariant));
		expect(presets).toEqual(['approx32', 'approx64', 'drake']);
		const searches = options.map((each) => each?.lineSearchVariant).filter((name) => name !== undefined);
		expect(sorted(searches)).toEqual(['armijo_decay', 'exact_root', 'monotone_decay']);
	});

	it.skipIf(!existsSync(SEED))('have the minimal scene of the seed word for word', () => {
		const file = existsSync(SEED) ? readdirSync(SEED).find((name) => name.startsWith('001')) : undefined;
		const seed = readFileSync(join(SEED, file ?? ''), 'utf8');
		const start = seed.indexOf('schema_version: 1\nname: single_box');
		const minimal = seed.slice(start, seed.indexOf('Run it with:', start)).trim();
		expect(readFileSync(join(FOLDER, 'single-box.yaml'), 'utf8').trim()).toBe(minimal);
	});
	if (!existsSync(SEED)) console.log(`skipped: there is no ${SEED}`);
});

describe.each(FILES)('examples/scenes/%s', (name) => {
	it('runs', async () => {
		const { code, stdout, stderr } = await runCli(['run', `examples/scenes/${name}`, '--frames', '20', '--json']);
		expect(code, stderr).toBe(0);
		const { worlds, runs } = JSON.parse(stdout);
		const { scene } = read(name);
		expect(worlds).toBe(scene.simulation.num_worlds ?? scene.replicate.num_worlds);
		expect(runs[0]).toMatchObject({ steps: 20, dt: scene.simulation.dt, failedWorlds: 0, unconvergedWorldSteps: 0 });
	});
});
