import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Report } from '@manyworlds/core';
import { Control, type Model, ModelBuilder, State } from '@manyworlds/model';
import { worldOffsets } from '@manyworlds/model/internal';
import { ControlPlayback, type ControlSequence, readControl } from '@manyworlds/scene';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const FRANKA = join(import.meta.dirname, '../../../../shared/assets/sap-control/franka_panda_cube_pick_place.json');

/** A hinge and a slide on the world, and a box that flies, in some worlds two metres apart. */
function makeModel(worlds: number): Model {
	const world = new ModelBuilder();
	const [a, b, box] = ['a', 'b', 'box'].map((label) => world.addLink({ mass: 1, label }));
	const hinge = world.addJointRevolute({ child: a!, axis: 'z', label: 'hinge' });
	world.addArticulation([hinge, world.addJointPrismatic({ parent: a!, child: b!, axis: 'x', label: 'slide' })]);
	world.addArticulation([world.addJointFree({ child: box!, label: 'fly' })]);
	const all = new ModelBuilder();
	all.replicate(world, { count: worlds, spacing: [2, 0, 0] });
	return all.finalize();
}

const ROWS = [
	[0.1, 0.2, 0, 0, 0, 0, 0, 0],
	[0.3, 0.4, 0, 0, 0, 0, 0, 0],
	[0.5, 0.6, 0, 0, 0, 0, 0, 0],
];

function read(content: unknown): { sequence: ControlSequence | undefined; messages: string[] } {
	const report = new Report();
	const text = typeof content === 'string' ? content : JSON.stringify(content, null, '\t');
	const sequence = readControl(text, { file: 'play.json', report });
	return { sequence, messages: report.toArray().map(({ code, message }) => `${code} ${message}`) };
}

function play(content: unknown, model: Model, options: { loop?: boolean; worldOffsets?: Float64Array } = {}) {
	const report = new Report();
	const { sequence, messages } = read(content);
	if (sequence === undefined) throw new Error(messages.join('\n'));
	const playback = ControlPlayback.create(sequence, model, { ...options, report });
	return { playback, messages: report.toArray().map(({ code, message }) => `${code} ${message}`) };
}

describe('readControl', () => {
	it('reads rows, their distance, the state to start from and whether to start over', () => {
		const { sequence, messages } = read({
			schema_version: 1,
			name: 'wave',
			joint_target_pos: { order: 'sap_public_joint_dof', dt: 0.02, values: ROWS },
			joint_q: { values: [[1, 2, 3, 4, 5, 0, 0, 0, 1]] },
			joint_qd: { values: [[1, 2, 3, 4, 5, 6, 7, 8]] },
			loop: true,
		});
		expect(messages).toEqual([]);
		expect(sequence).toMatchObject({ frameCount: 3, dofCount: 8, sampleDt: 0.02, loop: true });
		expect([...sequence!.targets]).toEqual(ROWS.flat());
		expect([...sequence!.jointQ!]).toEqual([1, 2, 3, 4, 5, 0, 0, 0, 1]);
	});

	it.each([
		['no JSON', '{"a": ', 'CTL001 found the end of the file, expected a value', '1:7'],
		['a list', [], 'CTL002 the file holds an empty list, expected a mapping', '1:1'],
		['another version', { schema_version: 2 }, 'CTL002 schema_version is 2, expected 1', '2:20'],
		['no targets', {}, "CTL002 there is no 'joint_target_pos', expected rows of target positions", '1:1'],
		['no rows', target({ dt: 1, values: [] }), 'CTL002 joint_target_pos.values is an empty list', '4:13'],
		[
			'rows of different length',
			target({ dt: 1, values: [[1, 2], [3]] }),
			'values[1] has 1 numbers, expected 2',
			'9:4',
		],
		['text', target({ dt: 1, values: [['pi']] }), "values[0][0] is 'pi', expected a finite number", '6:5'],
		['no distance', target({ values: [[1]] }), 'has no dt, and its times are nothing, expected 1 numbers', '2:2'],
		['a distance of zero', target({ dt: 0, values: [[1]] }), 'dt is 0, expected a positive number', '3:9'],
		['times that stand', target({ times: [0, 0], values: [[1], [2]] }), 'times[1] is 0', '5:4'],
		['another order', target({ order: 'drake', dt: 1, values: [[1]] }), "order is 'drake', expected", '3:12'],
		['a loop that is a number', { ...target({ dt: 1, values: [[1]] }), loop: 1 }, 'loop is 1, expected true', '10:10'],
	])('refuses %s', (_, content, message, place) => {
		const report = new Report();
		const text = typeof content === 'string' ? content : JSON.stringify(content, null, '\t');
		expect(readControl(text, { file: 'play.json', report })).toBeUndefined();
		const [found] = report.toArray();
		expect(`${found!.code} ${found!.message}`).toContain(message);
		expect(`${found!.range?.start.line}:${found!.range?.start.column}`).toBe(place);
	});

	it('never throws, whatever the file holds', () => {
		const good = { ...target({ dt: 0.1, values: ROWS }), joint_q: { values: [[0]] }, loop: true };
		const section = fc.record(
			{ order: fc.anything(), values: fc.jsonValue(), dt: fc.jsonValue(), times: fc.jsonValue() },
			{ requiredKeys: [] },
		);
		const file = fc.record(
			{
				schema_version: fc.jsonValue(),
				joint_target_pos: section,
				joint_q: section,
				joint_qd: section,
				loop: fc.jsonValue(),
			},
			{ requiredKeys: [] },
		);
		const texts = fc.oneof(
			fc.string(),
			fc.json(),
			file.map((value) => JSON.stringify({ ...good, ...value })),
		);
		fc.assert(
			fc.property(texts, (text) => {
				const { sequence, messages } = read(text);
				expect(sequence !== undefined || messages.length > 0).toBe(true);
			}),
			{ numRuns: 300 },
		);
	});

	it('tells keys that it does not know', () => {
		const { sequence, messages } = read({ ...target({ dt: 1, values: [[1]] }), lop: true });
		expect(sequence?.loop).toBe(false);
		expect(messages).toEqual([expect.stringContaining("CTL004 key 'lop' is not known")]);
	});
});

describe('ControlPlayback', () => {
	it('holds each row until the next one is due, then the last one', () => {
		const model = makeModel(1);
		const { playback } = play(target({ dt: 0.02, values: ROWS }), model);
		const samples = Array.from({ length: 16 }, (_, frame) => playback!.sampleOf(frame, 0.005));
		expect(samples).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]);
	});

	it('starts over when the scene or the file says so; the scene wins', () => {
		const model = makeModel(1);
		const file = { ...target({ dt: 0.1, values: ROWS }), loop: true };
		expect(play(file, model).playback!.sampleOf(4, 0.1)).toBe(1);
		expect(play(file, model, { loop: false }).playback!.sampleOf(4, 0.1)).toBe(2);
	});

	it('follows times that are not even', () => {
		const { playback } = play(target({ times: [1, 1.1, 1.5], values: ROWS }), makeModel(1), { loop: true });
		const samples = [0, 1, 2, 4, 5, 8, 9, 10].map((frame) => playback!.sampleOf(frame, 0.1));
		expect(samples).toEqual([0, 1, 1, 1, 2, 2, 0, 1]);
	});

	it('gives even times the same rows as their distance', () => {
		const model = makeModel(1);
		fc.assert(
			fc.property(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 500 }), (rows, frame) => {
				const values = Array.from({ length: rows }, () => ROWS[0]);
				const times = values.map((_, i) => 0.02 * i);
				const [a, b] = [target({ dt: 0.02, values }), target({ times, values })].map(
					(file) => play(file, model).playback!,
				);
				expect(b!.sampleOf(frame, 0.005)).toBe(a!.sampleOf(frame, 0.005));
			}),
			{ numRuns: 100 },
		);
	});

	it('writes the targets of joints with one coordinate for each degree of freedom, in every world', () => {
		const model = makeModel(2);
		const { playback, messages } = play(target({ dt: 1, values: ROWS }), model);
		expect(messages).toEqual([]);
		const control = new Control(model);
		const before = control.jointTargetQ.slice();
		playback!.apply(control, 1, 1);
		expect([...control.jointTargetQ]).toEqual([
			0.3,
			0.4,
			...before.subarray(2, 9),
			0.3,
			0.4,
			...before.subarray(11, 18),
		]);
	});

	it('takes rows for all worlds', () => {
		const model = makeModel(2);
		const { playback } = play(target({ dt: 1, values: [[1, 2, 0, 0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0]] }), model);
		const control = new Control(model);
		playback!.apply(control, 0, 1);
		expect([control.jointTargetQ[0], control.jointTargetQ[9]]).toEqual([1, 3]);
	});

	it('starts every world from the same state in its own place', () => {
		const model = makeModel(3);
		const offsets = worldOffsets(3, [2, 0, 0], 'z');
		const file = { ...target({ dt: 1, values: ROWS }), joint_q: { values: [[0.1, 0.2, 5, 6, 7, 0, 0, 0, 1]] } };
		const { playback } = play(file, model, { worldOffsets: offsets });
		const state = new State(model);
		playback!.applyInitialState(state);
		for (let world = 0; world < 3; world++) {
			const { start } = model.worlds.range('body', world);
			const [x, y, z] = state.bodyQ.subarray(7 * (start + 2));
			expect([x, y, z]).toEqual([5 + 2 * (world - 1), 6, 7]);
			expect(state.jointQ[9 * world]).toBe(0.1);
		}
	});

	it('tells targets of a joint that has no position to hold', () => {
		const { messages } = play(target({ dt: 1, values: [[0, 0, 0, 0, 9, 0, 0, 0]] }), makeModel(1));
		expect(messages).toEqual([expect.stringContaining("values[0][4] is 9, but joint 'fly' has no position")]);
	});

	it('refuses rows that fit no model', () => {
		const { playback, messages } = play(target({ dt: 1, values: [[1, 2, 3]] }), makeModel(2));
		expect(playback).toBeUndefined();
		expect(messages).toEqual([
			'CTL003 rows of joint_target_pos have 3 numbers, expected as many as there are degrees of freedom: 8 (one world) or 16 (all 2)',
		]);
	});
});

it.skipIf(!existsSync(FRANKA))('reads the sequence of SAP Warp', () => {
	const { sequence, messages } = read(existsSync(FRANKA) ? readFileSync(FRANKA, 'utf8') : '');
	expect(messages).toEqual([]);
	expect(sequence).toMatchObject({ frameCount: 431, dofCount: 15, sampleDt: 0.02, loop: false });
	expect(sequence!.jointQ).toHaveLength(16);
});
if (!existsSync(FRANKA)) console.log(`skipped: there is no ${FRANKA}`);

function target(section: Record<string, unknown>) {
	return { joint_target_pos: section };
}
