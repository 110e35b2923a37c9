import { createTriangleMesh } from '@manyworlds/mesh/internal';
import {
	hashState,
	type Model,
	ModelBuilder,
	modelToBytes,
	modelToJson,
	readModelSnapshot,
	readStateSnapshot,
	stateToBytes,
	stateToJson,
} from '@manyworlds/model';
import { hashModel } from '@manyworlds/model/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arraysOf, robot } from './support.ts';

function scene(): Model {
	const part = robot(2);
	part.defineAttribute({ name: 'heat', type: 'f32', frequency: 'body', default: 20 });
	part.defineAttribute({ name: 'tag', type: 'string', frequency: 'shape', default: 'ü' });
	part.defineAttribute({ name: 'score', type: 'vec3', frequency: 'body', owner: 'state', default: [1, 2, 3] });
	const pair = part.defineFrequency({ namespace: 'app', name: 'pair' });
	part.defineAttribute({
		namespace: 'app',
		name: 'first',
		type: 'i32',
		frequency: pair,
		references: 'shape',
		default: -1,
	});
	part.addRow(pair, { 'app:first': 1 });
	const mesh = createTriangleMesh({
		vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
		indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
		name: 'tetra',
	});
	part.addShapeMesh(1, { mesh });
	const builder = new ModelBuilder({ rigidContactsPerWorld: 7 });
	builder.addGroundPlane();
	const heightfield = { rows: 2, columns: 2, data: Float64Array.of(0, 0.5, 1, 0), hx: 1, hy: 2, minZ: 0, maxZ: 3 };
	builder.addShapeHeightfield({ heightfield });
	builder.replicate(part, { count: 3, spacing: [1, 1, 0], labelPrefix: (i) => `env_${i}` });
	const model = builder.finalize({ newtonCompat: true });
	// numbers that JSON lacks
	model.jointEffortLimit.set([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, -0]);
	return model;
}

describe('snapshots', () => {
	const model = scene();
	const forms: [string, () => unknown][] = [
		['JSON object', () => modelToJson(model)],
		['JSON text', () => JSON.stringify(modelToJson(model))],
		['bytes', () => modelToBytes(model)],
	];

	for (const [name, write] of forms) {
		test(`trap 42: a model comes back exactly from ${name}`, () => {
			const { model: back, report } = readModelSnapshot(write());
			expect(report.size).toBe(0);
			expect(arraysOf(back!)).toEqual(arraysOf(model));
			expect(Object.is(back!.jointEffortLimit[3], -0)).toBe(true);
			expect(hashModel(back!)).toBe(hashModel(model));
			expect(back!.bodyLabels).toEqual(model.bodyLabels);
			expect(back!.worlds.labels).toEqual(model.worlds.labels);
			expect(back!.attributes.get('heat')).toEqual(model.attributes.get('heat'));
			expect(back!.attributes.get('tag')).toEqual(model.attributes.get('tag'));
			expect(back!.createState().attributes.get('score')).toEqual(model.createState().attributes.get('score'));
			expect(back!.frequencyCount('app:pair')).toBe(3);
			expect(Array.from(back!.globalGravity)).toEqual(Array.from(model.globalGravity));
			expect(back!.shapeSources).toEqual(model.shapeSources);
			// copies of a shape still share their mesh
			expect(new Set(back!.shapeSources).size).toBe(new Set(model.shapeSources).size);
			expect(back!.createContacts().rigidCapacity).toBe(21);
		});
	}

	test('a state comes back exactly', () => {
		const state = model.createState({ include: ['bodyQdd'] });
		state.bodyQ[3] = 0.1 + 0.2;
		state.bodyF[1] = Number.NaN;
		(state.attributes.get('score') as Float64Array)[2] = -0;
		for (const data of [stateToJson(state), JSON.stringify(stateToJson(state)), stateToBytes(state)]) {
			const { state: back } = readStateSnapshot(model, data);
			expect(hashState(back!)).toBe(hashState(state));
			expect(back!.bodyQ).toEqual(state.bodyQ);
			expect(back!.bodyQdd).toEqual(state.bodyQdd);
		}
	});

	test('the hash tells every change of a number', () => {
		const hash = hashState(model.createState());
		expect(hashState(model.createState())).toBe(hash);
		expect(hash).toMatch(/^[0-9a-f]{16}$/);
		fc.assert(
			fc.property(fc.nat(), fc.double({ noNaN: true }), (at, value) => {
				const state = model.createState();
				const index = at % state.bodyQ.length;
				const same = Object.is(state.bodyQ[index], value);
				state.bodyQ[index] = value;
				return (hashState(state) === hash) === same;
			}),
			{ seed: 2 },
		);
	});

	test('a model read in place shares the memory of the bytes', () => {
		const bytes = modelToBytes(model);
		const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
		shared.set(bytes);
		const [one, two] = [shared, shared].map((data) => readModelSnapshot(data, { inPlace: true }).model!);
		expect(hashModel(one!)).toBe(hashModel(model));
		one!.bodyMass[0] = 42;
		expect(two!.bodyMass[0]).toBe(42);
		expect(readModelSnapshot(bytes).model!.bodyMass[0]).toBe(model.bodyMass[0]);
		const odd = new Uint8Array(new ArrayBuffer(bytes.length + 1), 1);
		odd.set(bytes);
		expect(readModelSnapshot(odd, { inPlace: true }).report.toArray()[0]!.message).toMatch(/expected a multiple of 8/);
		expect(hashModel(readModelSnapshot(odd).model!)).toBe(hashModel(model));
	});

	test('cut, changed and foreign data give a diagnostic and never throw', () => {
		const bytes = modelToBytes(robot(1).finalize());
		const json = JSON.stringify(modelToJson(robot(1).finalize()));
		const bad: unknown[] = [
			undefined,
			null,
			4,
			'',
			'{}',
			'[1]',
			'x',
			new Uint8Array(0),
			new Uint8Array(100),
			json.replace('"kind":"model"', '"kind":"state"'),
		];
		fc.assert(
			fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
				const copy = bytes.slice();
				copy[at] = copy[at]! ^ change;
				const { model: back, report } = readModelSnapshot(copy);
				// padding between arrays is the only place without meaning
				return back === undefined ? report.hasErrors : hashModel(back) === hashModel(robot(1).finalize());
			}),
			{ seed: 4, numRuns: 300 },
		);
		for (const size of [3, 11, 40, bytes.length - 1]) bad.push(bytes.subarray(0, size));
		for (const data of bad) {
			const { model: back, report } = readModelSnapshot(data);
			expect(back).toBeUndefined();
			expect(report.toArray().map(({ code }) => code)).toEqual(['MODEL041']);
		}
		const state = readStateSnapshot(model, stateToJson(robot(1).finalize().createState()));
		expect(state.report.toArray()[0]!.message).toMatch(/numbers, the model needs/);
		expect(readStateSnapshot(model, modelToBytes(model)).report.hasErrors).toBe(true);
	});
});
