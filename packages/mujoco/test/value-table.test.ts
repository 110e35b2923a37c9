import { JointTargetMode, type Model, ModelBuilder, registerMujocoAttributes } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { convertModel } from '../src/convert/convert-model.ts';
import { VALUE_TABLE, type ValueKind, type ValueRow } from '../src/convert/value-table.ts';
import { WORLD_FIELDS } from '../src/engine/world-values.ts';
import type { ConvertOptions } from '../src/index.ts';
import { CompiledModel, SolrefMode, WorldValues } from '../src/internal.ts';
import { hinged, mujoco, mujocoBuilder } from './support.ts';

const OPTIONS: ConvertOptions = { forwardGap: true };

/** Two worlds, each with everything that the table has values of. */
function everything(): Model {
	const robot = mujocoBuilder();
	const body = { com: [0.1, 0.2, 0.3], mass: 2, inertia: [1, 0, 0, 0, 1.2, 0, 0, 0, 1.4] };
	const joint = {
		parentXform: [0.1, 0.2, 0.3, 0, 0, 0, 1],
		childXform: [0.3, 0.1, 0.2, 0, 0, 0, 1],
		targetKe: 20,
		targetKd: 1,
		actuatorMode: JointTargetMode.POSITION,
		limitLower: -1,
		limitUpper: 2,
		effortLimit: 30,
		armature: 0.1,
		friction: 0.2,
		damping: 0.3,
	};
	const bodies = [hinged(robot, joint, body), hinged(robot, joint, body)];
	for (const own of bodies) {
		robot.addShapeBox(own.body, {
			halfExtents: [0.1, 0.2, 0.3],
			xform: [0.1, 0, 0, 0, 0, 0, 1],
			config: { density: 0 },
		});
		robot.addSite(own.body, { label: `site ${own.body}`, xform: [0.2, 0, 0, 0, 0, 0, 1] });
	}
	robot.addRow('mujoco:pair', { 'mujoco:pair_geom1': 0, 'mujoco:pair_geom2': 2, 'mujoco:pair_margin': 0.01 });
	for (const own of bodies) {
		robot.addRow('mujoco:tendon_joint', { 'mujoco:tendon_joint': own.joint, 'mujoco:tendon_coef': 1 });
	}
	robot.addRow('mujoco:tendon', {
		'mujoco:tendon_joint_adr': 0,
		'mujoco:tendon_joint_num': 2,
		'mujoco:tendon_range': [-2, 2],
		'mujoco:tendon_actuator_force_range': [-3, 3],
	});
	const ranges = {
		'mujoco:actuator_has_ctrlrange': 1,
		'mujoco:actuator_ctrlrange': [-1, 1],
		'mujoco:actuator_has_forcerange': 1,
		'mujoco:actuator_forcerange': [-2, 2],
	};
	robot.addRow('mujoco:actuator', {
		'mujoco:actuator_trnid': [0, -1],
		'mujoco:actuator_dyntype': 1,
		'mujoco:actuator_has_actrange': 1,
		'mujoco:actuator_actrange': [-3, 3],
		...ranges,
	});
	robot.addRow('mujoco:actuator', {
		'mujoco:actuator_trntype': 5,
		'mujoco:actuator_trnid': [1, 3],
		'mujoco:actuator_cranklength': 0.5,
		...ranges,
	});
	const [a, b] = bodies;
	const [body1, body2] = [a!.body, b!.body];
	robot.addEqualityConstraint({ type: 'connect', body1, body2, anchor: [0.1, 0.2, 0.3] });
	const relpose = [0.1, 0.2, 0.3, 0, 0, 0, 1];
	robot.addEqualityConstraint({ type: 'weld', body1, body2, anchor: [0.1, 0.2, 0.3], relpose, torquescale: 2 });
	robot.addEqualityConstraint({ type: 'joint', joint1: a!.joint, joint2: b!.joint, polycoef: [0.1, 1, 0.2, 0.3, 0.4] });
	robot.addConstraintMimic({ joint0: a!.joint, joint1: b!.joint, coef0: 0.1, coef1: 2 });
	const scene = new ModelBuilder();
	registerMujocoAttributes(scene);
	scene.replicate(robot, { count: 2 });
	const model = scene.finalize();
	numbersOf(model, 'mujoco:solref_mode').fill(SolrefMode.RAW);
	numbersOf(model, 'mujoco:solreflimit_mode').fill(SolrefMode.RAW);
	for (const name of ['mujoco:solref', 'mujoco:solreflimit']) numbersOf(model, name).fill(0.5);
	return model;
}

type Numbers = Float64Array | Int32Array;

function numbersOf(model: Model, source: string): Numbers {
	if (source.startsWith('mujoco:')) return model.attributes.get(source) as Numbers;
	return Reflect.get(model, source) as Numbers;
}

/** Changes what a row stands for in one of the two worlds, whose values are one half of the array each. */
function change(model: Model, row: ValueRow, world: number): () => void {
	const values = numbersOf(model, row.sources[0]!);
	const before = values.slice();
	const half = values.subarray((values.length / 2) * world, (values.length / 2) * (world + 1));
	const isFrame = /Transform$|X[PC]$|Relpose$/.test(row.sources[0]!);
	for (let i = 0; i < half.length; i++) {
		if (isFrame && /quat$/.test(row.field)) {
			if (i % 7 >= 3) half[i] = [Math.sin(0.1), 0, 0, Math.cos(0.1)][(i % 7) - 3]!;
		} else if (isFrame) {
			if (i % 7 < 3) half[i]! += 0.01;
		} else if (row.field === 'jnt_axis') half[i] = [0, 0.6, 0.8][i % 3]!;
		else if (row.field === 'body_iquat') half[i] = [1, 0.1, 0, 0.1, 1.2, 0, 0, 0, 1.4][i % 9]!;
		else if (values instanceof Int32Array) half[i]! += 1;
		else half[i] = half[i] === 0 && row.field !== 'body_inertia' ? 0.001 : half[i]! * 1.01;
	}
	return () => values.set(before as never);
}

/** Rows that an edit of the array may show in. */
function sharing(row: ValueRow): ValueRow[] {
	return VALUE_TABLE.filter(({ sources }) => sources.includes(row.sources[0]!));
}

/** Element of MJCF that stands for a kind. */
const ELEMENTS: Readonly<Partial<Record<ValueKind, string>>> = { dof: 'joint', mimic: 'equality', target: 'actuator' };

function attributeName({ kind, attribute }: ValueRow): string {
	return attribute.includes('.') ? attribute : `${ELEMENTS[kind] ?? kind}.${attribute}`;
}

/** All attributes of the document of a model, by element and name. */
function attributesOf(model: Model): Map<string, string> {
	const found = new Map<string, string>();
	for (const element of convertModel(model, OPTIONS).sections.document.elements()) {
		const section = element.parent?.name ?? '';
		const kind = ['equality', 'tendon', 'actuator'].includes(section) ? section : element.name;
		for (const { name, value } of element.attributes) {
			found.set(`${kind}.${name}`, `${found.get(`${kind}.${name}`) ?? ''}${value};`);
		}
	}
	return found;
}

function differences<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>): string[] {
	const names = new Set([...a.keys(), ...b.keys()]);
	return [...names].filter((name) => JSON.stringify(a.get(name)) !== JSON.stringify(b.get(name)));
}

const title = (row: ValueRow): string => `${row.sources[0]} is ${attributeName(row)} and ${row.field}`;
const ROWS = VALUE_TABLE.map((row) => [title(row), row] as const);

const NAMES = new Set(VALUE_TABLE.map(attributeName));

/** Anchors of connects are also derived from where the bodies are at the reference. */
const PLACES_BODIES = new Set(['jointXP', 'jointXC', 'jointAxis', 'mujoco:dof_ref']);

describe('the table of values', () => {
	test('names each value once, and each array of the model and of MuJoCo exists', () => {
		const names = VALUE_TABLE.map((row) => `${row.kind} ${row.attribute}`);
		expect(new Set(names).size).toBe(names.length);
		const model = everything();
		for (const { sources } of VALUE_TABLE) {
			for (const source of sources) expect(numbersOf(model, source)?.length, source).toBeGreaterThan(0);
		}
		expect(WORLD_FIELDS.length).toBe(72);
	});

	describe('an edit of the template world shows in its MJCF attribute, and in no other of the table', () => {
		const model = everything();
		const before = attributesOf(model);
		test.each(ROWS)('%s', (_, row) => {
			const restore = change(model, row, 0);
			// of these all worlds have the same
			const restoreOther = row.isPerWorld ? undefined : change(model, row, 1);
			const changed = differences(before, attributesOf(model)).filter((name) => NAMES.has(name));
			restoreOther?.();
			restore();
			expect(changed).toContain(attributeName(row));
			expect(sharing(row).map(attributeName)).toEqual(expect.arrayContaining(changed));
			expect(differences(before, attributesOf(model))).toEqual([]);
		});
	});

	describe('an edit of another world shows in the MuJoCo array of that world, and in no other of the table', () => {
		const model = everything();
		const compiled = new CompiledModel(mujoco, convertModel(model, OPTIONS));
		const values = new WorldValues(compiled, { start: 0, end: 2 });
		const fields = new Set(VALUE_TABLE.map(({ field }) => field).filter((field) => WORLD_FIELDS.includes(field)));
		const snapshot = (world: number): Map<string, number[]> =>
			new Map([...fields].map((field) => [field, [...values.valuesOf(field, world)]]));
		const before = [snapshot(0), snapshot(1)];
		test.each(ROWS.filter(([, { kind, isPerWorld }]) => kind !== 'option' && isPerWorld))('%s', (_, row) => {
			const restore = change(model, row, 1);
			values.update(row.flag, [0, 1]);
			const changed = differences(before[1]!, snapshot(1));
			const template = differences(before[0]!, snapshot(0));
			restore();
			values.update(row.flag, [0, 1]);
			expect(changed).toContain(row.field);
			const allowed = sharing(row).map(({ field }) => field);
			if (PLACES_BODIES.has(row.sources[0]!)) allowed.push('eq_data');
			expect(allowed).toEqual(expect.arrayContaining(changed));
			expect(template).toEqual([]);
			expect(differences(before[1]!, snapshot(1))).toEqual([]);
		});
	});

	describe('an option of a world is that of the engine while the world is loaded', () => {
		const options = VALUE_TABLE.filter(({ kind }) => kind === 'option');
		const read = (model: Model, world: number): Map<string, number[]> => {
			const compiled = new CompiledModel(mujoco, convertModel(model, OPTIONS));
			new WorldValues(compiled, { start: 0, end: 2 }).load(world);
			const found = options.map(({ field }) => {
				const value: unknown = Reflect.get(compiled.engineOptions, field.slice(4));
				return [field, typeof value === 'number' ? [value] : [...(value as Float64Array)]] as const;
			});
			compiled.dispose();
			return new Map(found);
		};
		test.each(options.map((row) => [title(row), row] as const))('%s', (_, row) => {
			const model = everything();
			const before = [read(model, 0), read(model, 1)];
			change(model, row, 1);
			expect(differences(before[0]!, read(model, 0))).toEqual([]);
			expect(differences(before[1]!, read(model, 1))).toEqual([row.field]);
		});
	});
});
