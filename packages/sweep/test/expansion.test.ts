import { sha256Hex } from '@manyworlds/core/internal';
import { describe, expect, test } from 'vitest';
import { batchesOf, decodeBatch, encodeBatch } from '../src/backend/batches.ts';
import type { SweepPlan } from '../src/plan/plan.ts';
import { Expansion } from '../src/runs/expansion.ts';
import { base32, canonicalJson, hexOfDouble, RunKeys } from '../src/runs/run-key.ts';
import { planOf } from './plans.ts';

const IDENTITY = { tool: 't', assetTree: 'a' };
const PARAMETERS =
	'parameters: {x: {path: "model:body_mass[a]", range: [0, 1]}, v: {variant: "/R{s}", choices: [p, q]}}\n';
const plan = (text: string): SweepPlan => planOf(`asset: a\n${text}`).plan;

describe('runs', () => {
	test('a run drawn alone is the run of the whole; constraints leave gaps', () => {
		const expansion = new Expansion(
			plan(`${PARAMETERS}runs: {sampler: {kind: random, count: 1000}}\nconstraints: ["x < 0.5"]\n`),
		);
		const all = [...expansion.runs()];
		expect(all.length).toBeGreaterThan(400);
		expect(all.length).toBeLessThan(600);
		expect(all.every(({ values }) => (values[0] as number) < 0.5)).toBe(true);
		const chosen = all.find(({ index }) => index >= 777)!;
		expect(expansion.run(chosen.index)).toEqual(chosen);
		expect([expansion.run(-1), expansion.run(1000), expansion.run(1.5)]).toEqual([undefined, undefined, undefined]);
	});

	test('constraints know choices of texts and of yes and no, and say when nothing is left', () => {
		const text =
			'parameters: {b: {path: "prim:/R.b", choices: [true, false]}, v: {variant: "/R{s}", choices: [p, q]}}\n';
		const left = (constraint: string): unknown[] =>
			[...new Expansion(plan(`${text}constraints: [${JSON.stringify(constraint)}]\n`)).runs()].map(
				({ values }) => values,
			);
		expect(left("b == 1 and v == 'q'")).toEqual([[true, 'q']]);
		expect(left('b == 0')).toEqual([
			[false, 'p'],
			[false, 'q'],
		]);
		expect(new Expansion(plan(`${text}constraints: ["b == 0"]\n`)).isPossible).toBe(true);
		expect(new Expansion(plan(`${text}constraints: ["b == 2"]\n`)).isPossible).toBe(false);
		expect(new Expansion(plan(text)).isPossible).toBe(true);
	});

	test('ten million runs begin at once and are never kept', () => {
		const expansion = new Expansion(plan(`${PARAMETERS}runs: {sampler: {kind: lhs, count: 10000000}}\n`));
		const before = process.memoryUsage().heapUsed;
		const batches = batchesOf(plan(`${PARAMETERS}runs: {sampler: {kind: lhs, count: 10000000}}\n`), expansion, {
			size: () => 100,
			isDone: () => false,
			sweep: 's',
		});
		let count = 0;
		for (const batch of batches) {
			count += batch.indices.length;
			if (count > 100_000) break;
		}
		expect(expansion.count).toBe(10_000_000);
		expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6);
	});
});

describe('keys', () => {
	const keyOf = (text: string, index = 0, identity = IDENTITY): string => {
		const own = plan(text);
		return new RunKeys(own, identity).keyOf(new Expansion(own).run(index)!);
	};
	const text = `${PARAMETERS}runs: {sampler: {kind: random, count: 8}}\n`;

	test('change with what decides the motion, and with nothing else', () => {
		const key = keyOf(text);
		expect(key).toMatch(/^[a-z2-7]{32}$/);
		expect(keyOf(`${text}outputs: {metrics: {e: {last: energy}}}\n`)).toBe(key);
		expect(keyOf(`${text}stop: {time_per_run: 1s}\n`)).toBe(key);
		// more runs leave the old ones alone
		expect(keyOf(text.replace('count: 8', 'count: 16'), 3)).toBe(keyOf(text, 3));
		for (const other of [
			keyOf(text, 1),
			keyOf(`${text}seed: 1\n`),
			keyOf(`${text}simulate: {duration: 2}\n`),
			keyOf(text, 0, { ...IDENTITY, tool: 'u' }),
			keyOf(text, 0, { ...IDENTITY, assetTree: 'b' }),
			keyOf(text.replace('[a]', '[b]')),
		])
			expect(other).not.toBe(key);
	});

	test('repeats have noise of their own, and stay when their number grows', () => {
		const noisy = (repeats: number): string =>
			`${text}simulate: {noise: {joint_q: 0.1}}\n`.replace('count: 8}', `count: 8}, repeats: ${repeats}`);
		expect(keyOf(noisy(2), 0)).not.toBe(keyOf(noisy(2), 1));
		// point 3, repeat 1
		expect(keyOf(noisy(2), 7)).toBe(keyOf(noisy(5), 16));
	});

	test('outputs are told apart by what they are, not by their names or order', () => {
		const outputs = (metrics: string): string =>
			new RunKeys(plan(`${text}outputs: {metrics: {${metrics}}}\n`), IDENTITY).outputs;
		expect(outputs('a: {last: energy}, b: {max: contacts}')).toBe(outputs('c: {max: contacts}, d: {last: energy}'));
		expect(outputs('a: {last: energy}')).not.toBe(outputs('a: {max: energy}'));
	});

	test('numbers go into keys as the bits of doubles', () => {
		expect(hexOfDouble(0.1)).toBe('3fb999999999999a');
		expect(canonicalJson({ b: [1, 'x', true, null], a: -0 })).toBe(
			'{"a":"#8000000000000000","b":["#3ff0000000000000","x",true,null]}',
		);
		expect(base32(sha256Hex(new Uint8Array()), 8)).toBe('4oymiquy');
	});
});

describe('batches', () => {
	const own = plan(`${PARAMETERS}runs: {sampler: {kind: random, count: 100}}\n`);
	const expansion = new Expansion(own);

	test('have one structure each, leave out what is done, and share points among shards', () => {
		const batches = [...batchesOf(own, expansion, { size: () => 8, isDone: ({ index }) => index < 10, sweep: 's' })];
		for (const { indices } of batches)
			expect(new Set(indices.map((index) => expansion.run(index)!.values[1])).size).toBe(1);
		expect(batches.flatMap(({ indices }) => indices).sort((a, b) => a - b)).toEqual(
			Array.from({ length: 90 }, (_, i) => i + 10),
		);
		expect(new Set(batches.map(({ id }) => id)).size).toBe(batches.length);
		const shards = [0, 1, 2].map((index) =>
			[
				...batchesOf(own, expansion, { size: () => 8, isDone: () => false, sweep: 's', shard: { index, count: 3 } }),
			].flatMap(({ indices }) => indices),
		);
		expect(shards.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
		expect(shards.every((shard) => shard.length > 30)).toBe(true);
	});

	test('messages are whole numbers only; all else is refused', () => {
		const header = { sweep: 's', tool: 't' };
		const [batch] = batchesOf(own, expansion, { size: () => 8, isDone: () => false, sweep: 's' });
		expect(decodeBatch(encodeBatch(batch!, header), header, 100)).toEqual(batch);
		const encode = (data: unknown): Uint8Array =>
			new TextEncoder().encode(typeof data === 'string' ? data : JSON.stringify(data));
		const good = { version: 1, sweep: 's', tool: 't', runs: [1, [3, 5]] };
		expect(decodeBatch(encode(good), header, 100)).toMatchObject({ indices: [1, 3, 4, 5] });
		for (const bad of [
			'{',
			'[]',
			'null',
			{ ...good, runs: [] },
			{ ...good, runs: [-1] },
			{ ...good, runs: [100] },
			{ ...good, runs: [[5, 3]] },
			{ ...good, runs: [1.5] },
			{ ...good, runs: ['../../etc/passwd'] },
			{ ...good, version: 2 },
			{ ...good, runs: 'all' },
			' '.repeat(70_000),
		])
			expect(decodeBatch(encode(bad), header, 100)).toBe('malformed');
		expect(decodeBatch(encode({ ...good, runs: [[0, 9_999_999]] }), header, 10_000_000)).toBe('malformed');
		expect(decodeBatch(encode({ ...good, tool: 'u' }), header, 100)).toBe('version');
		expect(decodeBatch(encode({ ...good, sweep: 'u' }), header, 100)).toBe('foreign');
		expect(decodeBatch(new Uint8Array([0xff, 0xfe]), header, 100)).toBe('malformed');
	});
});
