import { readFileSync } from 'node:fs';
import {
	exponential,
	naturalLog,
	normalQuantile,
	normalShare,
	PhiloxStream,
	philox4x32,
} from '@manyworlds/core/internal';
import { describe, expect, test } from 'vitest';
import { axisValue, valueAt } from '../src/sample/distribution.ts';
import { permuteIndex } from '../src/sample/feistel.ts';
import type { Distribution, PlanParameter, SamplerSpec } from '../src/sample/parameter.ts';
import { createSampler } from '../src/sample/sampler.ts';
import { SOBOL_DIMENSIONS, SobolSequence, scrambleOwen } from '../src/sample/sobol.ts';

const golden = <T>(name: string): T =>
	JSON.parse(readFileSync(new URL(`golden/${name}`, import.meta.url), 'utf8')) as T;

const uniform = (name: string, distribution: Distribution = { kind: 'uniform', low: 0, high: 1 }): PlanParameter => ({
	name,
	target: { kind: 'option', name: 'dt' },
	apply: 'set',
	distribution,
});

describe('Philox', () => {
	// known answers of Random123, kat_vectors: philox4x32 10
	test.each([
		[
			[0, 0, 0, 0],
			[0, 0],
			[0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
		],
		[new Array(4).fill(0xffffffff), [0xffffffff, 0xffffffff], [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]],
		[
			[0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
			[0xa4093822, 0x299f31d0],
			[0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
		],
	])('has the published answer for counter %j', (counter, [k0, k1], expected) => {
		expect([...philox4x32(new Uint32Array(4), counter as number[], k0!, k1!)]).toEqual(expected);
	});

	test('draws any number alone, apart by seed, name and lane', () => {
		const stream = new PhiloxStream(42, 'mu');
		const inOrder = Array.from({ length: 100 }, (_, i) => stream.uniform(i));
		expect(new PhiloxStream(42, 'mu').uniform(77)).toBe(inOrder[77]);
		expect(new Set([...inOrder, stream.uniform(0, 1), new PhiloxStream(43, 'mu').uniform(0)]).size).toBe(102);
		expect(new PhiloxStream(42, 'mv').uniform(0)).not.toBe(inOrder[0]);
		// indices beyond 32 bits do not repeat
		expect(stream.uniform(2 ** 32)).not.toBe(inOrder[0]);
		expect(new PhiloxStream(42 + 2 ** 32, 'mu').uniform(0)).not.toBe(inOrder[0]);
	});
});

describe('elementary functions', () => {
	const data = golden<Record<'quantile' | 'share' | 'log' | 'exp', [number, number][]>>('elementary-values.json');
	const error = (found: number, expected: number): number =>
		expected === 0 ? Math.abs(found) : Math.abs(found / expected - 1);

	test('logarithm and exponential to the last place', () => {
		for (const [x, expected] of data.log) expect(error(naturalLog(x), expected)).toBeLessThan(2.3e-16);
		for (const [x, expected] of data.exp) expect(error(exponential(x), expected)).toBeLessThan(2.3e-16);
		expect([naturalLog(0), naturalLog(-1), naturalLog(5e-324), exponential(800), exponential(-800)]).toEqual([
			-Infinity,
			Number.NaN,
			-744.4400719213812,
			Infinity,
			0,
		]);
	});

	test('normal quantile and share as scipy has them', () => {
		for (const [p, expected] of data.quantile) {
			// scipy itself is good to about 1e-15 there
			expect(Math.abs(normalQuantile(p) - expected)).toBeLessThan(1e-14 * Math.max(1, Math.abs(expected)));
		}
		for (const [x, expected] of data.share) expect(error(normalShare(x), expected)).toBeLessThan(1e-12);
		expect([normalQuantile(0), normalQuantile(1), normalQuantile(2)]).toEqual([-Infinity, Infinity, Number.NaN]);
	});
});

describe("Sobol' sequence", () => {
	const data = golden<{ first: string; late: string }>('sobol-points.json');

	test('has the first 1,024 points of scipy in 50 dimensions, bit for bit', () => {
		const expected = new Uint16Array(Uint8Array.from(Buffer.from(data.first, 'base64')).buffer);
		const sequence = new SobolSequence(50);
		let differences = 0;
		for (let i = 0; i < 1024; i++)
			for (let d = 0; d < 50; d++) if (sequence.at(i, d) !== expected[50 * i + d]! / 1024) differences++;
		expect(differences).toBe(0);
	});

	test('has points 1,000,000 and 1,000,001 of scipy in all 1,111 dimensions', () => {
		const expected = new Uint32Array(Uint8Array.from(Buffer.from(data.late, 'base64')).buffer);
		const sequence = new SobolSequence(SOBOL_DIMENSIONS);
		for (let i = 0; i < 2; i++)
			for (let d = 0; d < SOBOL_DIMENSIONS; d++)
				if (sequence.bits(1_000_000 + i, d) !== expected[SOBOL_DIMENSIONS * i + d]) throw new Error(`dimension ${d}`);
		expect(expected.length).toBe(2 * SOBOL_DIMENSIONS);
	});

	test('stays a net when it is scrambled: every elementary box of the first two dimensions has its point', () => {
		const sequence = new SobolSequence(2);
		const points = Array.from({ length: 256 }, (_, i) => [0, 1].map((d) => scrambleOwen(sequence.bits(i, d), 99 + d)));
		for (let split = 0; split <= 8; split++) {
			const boxes = new Set(
				points.map(([x, y]) => `${Math.floor(x! / 2 ** (32 - split))} ${Math.floor(y! / 2 ** (24 + split))}`),
			);
			expect(boxes.size).toBe(256);
		}
		expect(points[0]).not.toEqual([0, 0]);
	});

	test('is scrambled without bias: the mean of the first point over many keys is a half', () => {
		let sum = 0;
		for (let key = 0; key < 4000; key++) sum += scrambleOwen(0, key * 2654435761) * 2 ** -32;
		expect(Math.abs(sum / 4000 - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / 4000));
	});
});

describe('permutation', () => {
	test.each([1, 2, 3, 7, 64, 1000, 4097])('of %i numbers takes each once, and differs by key', (count) => {
		const found = Array.from({ length: count }, (_, i) => permuteIndex(i, count, 5));
		expect([...found].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
		if (count > 6) expect(found).not.toEqual(Array.from({ length: count }, (_, i) => permuteIndex(i, count, 6)));
	});
});

/** Warnock's formula for the L2 star discrepancy. */
function discrepancy(points: readonly (readonly number[])[]): number {
	const [n, d] = [points.length, points[0]!.length];
	let middle = 0;
	let last = 0;
	for (const a of points) {
		middle += a.reduce((product, x) => product * (1 - x * x), 1);
		for (const b of points) last += a.reduce((product, x, k) => product * (1 - Math.max(x, b[k]!)), 1);
	}
	return Math.sqrt(3 ** -d - (2 ** (1 - d) / n) * middle + last / n ** 2);
}

describe('samplers', () => {
	const three = ['a', 'b', 'c'].map((name) => uniform(name));
	const draws = (spec: SamplerSpec, parameters = three, seed = 7): number[][] => {
		const sampler = createSampler(spec, parameters, seed);
		return Array.from({ length: sampler.count }, (_, i) => {
			const out = new Map<string, number | string | boolean>();
			sampler.draw(i, out);
			return parameters.map(({ name }) => out.get(name) as number);
		});
	};

	test('Latin hypercubes have a point in every stratum of every dimension', () => {
		const points = draws({ kind: 'lhs', count: 100 });
		for (let d = 0; d < 3; d++) expect(new Set(points.map((point) => Math.floor(100 * point[d]!))).size).toBe(100);
	});

	test('are spread as their names promise: Sobol below Latin hypercube below random', () => {
		const mean = (kind: 'random' | 'lhs' | 'sobol'): number => {
			let sum = 0;
			for (let seed = 0; seed < 6; seed++)
				sum += discrepancy(draws({ kind, count: 256, scramble: 'owen' } as SamplerSpec, three, seed));
			return sum / 6;
		};
		const [random, lhs, sobol] = [mean('random'), mean('lhs'), mean('sobol')];
		expect(sobol).toBeLessThan(0.5 * lhs);
		expect(lhs).toBeLessThan(0.75 * random);
	});

	test('choose by weight: chi-square of 20,000 draws', () => {
		const weights = [1, 2, 3, 0, 4];
		const parameter = uniform('pick', { kind: 'choice', values: ['a', 'b', 'c', 'd', 'e'], weights });
		const counts = new Map<unknown, number>();
		for (const [value] of draws({ kind: 'random', count: 20000 }, [parameter]))
			counts.set(value, (counts.get(value) ?? 0) + 1);
		expect(counts.get('d')).toBeUndefined();
		let chi = 0;
		for (const [i, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
			const expected = (20000 * weights[i]!) / 10;
			if (expected > 0) chi += (counts.get(name)! - expected) ** 2 / expected;
		}
		// three degrees of freedom, one in ten thousand
		expect(chi).toBeLessThan(21.1);
		expect(chi).toBeGreaterThan(0.01);
	});

	test('grids run through all combinations, the last parameter fastest', () => {
		const parameters = [
			uniform('x', { kind: 'uniform', low: 0, high: 1, steps: 3 }),
			uniform('n', { kind: 'integer', low: 4, high: 5 }),
		];
		expect(draws({ kind: 'grid' }, parameters)).toEqual([
			[0, 4],
			[0, 5],
			[0.5, 4],
			[0.5, 5],
			[1, 4],
			[1, 5],
		]);
	});

	test('products cross their parts, and lists give their rows', () => {
		const spec: SamplerSpec = {
			kind: 'product',
			of: [
				{ kind: 'list', rows: [{ a: 1 }, { a: 2 }] },
				{ kind: 'sobol', count: 4, scramble: 'none', parameters: ['b'] },
				{ kind: 'random', count: 1 },
			],
		};
		const points = draws(spec);
		expect(points.map(([a, b]) => [a, b])).toEqual([1, 2].flatMap((a) => [0, 0.5, 0.75, 0.25].map((b) => [a, b])));
		expect(new Set(points.map(([, , c]) => c)).size).toBe(1);
	});

	test('a point drawn alone is the point of the whole', () => {
		for (const kind of ['random', 'lhs', 'sobol'] as const) {
			const spec = { kind, count: 1024, scramble: 'owen' } as SamplerSpec;
			const out = new Map<string, number | string | boolean>();
			createSampler(spec, three, 7).draw(777, out);
			expect([...out.values()]).toEqual(draws(spec)[777]);
		}
	});
});

describe('distributions', () => {
	const mean = (distribution: Distribution): [number, number, number, number] => {
		const stream = new PhiloxStream(3, 'd');
		const values = Array.from({ length: 20000 }, (_, i) => valueAt(distribution, stream.uniform(i)) as number);
		const average = values.reduce((sum, x) => sum + x, 0) / values.length;
		const spread = Math.sqrt(values.reduce((sum, x) => sum + (x - average) ** 2, 0) / values.length);
		return [average, spread, Math.min(...values), Math.max(...values)];
	};

	test('normal has its mean and spread; truncated it stays inside, without piling up at the ends', () => {
		const [average, spread] = mean({ kind: 'normal', mean: 2, sd: 0.5 });
		expect(average).toBeCloseTo(2, 1);
		expect(spread).toBeCloseTo(0.5, 1);
		const [, , low, high] = mean({ kind: 'normal', mean: 1, sd: 0.1, clip: [0.95, 1.3] });
		expect(low).toBeGreaterThanOrEqual(0.95);
		expect(low).toBeLessThan(0.951);
		expect(high).toBeLessThanOrEqual(1.3);
		const stream = new PhiloxStream(3, 'd');
		const atEnd = Array.from({ length: 2000 }, (_, i) =>
			valueAt({ kind: 'normal', mean: 1, sd: 0.1, clip: [0.95, 1.3] }, stream.uniform(i)),
		).filter((value) => value === 0.95);
		expect(atEnd).toEqual([]);
	});

	test('log-uniform has as many values below as above the geometric mean', () => {
		const distribution: Distribution = { kind: 'log', low: 0.001, high: 10 };
		expect(valueAt(distribution, 0.5) as number).toBeCloseTo(0.1, 12);
		expect(valueAt(distribution, 0)).toBe(0.001);
		expect(axisValue({ ...distribution, steps: 5 }, 4)).toBe(10);
	});

	test('integers are whole and reach both ends', () => {
		const [, , low, high] = mean({ kind: 'integer', low: -2, high: 2 });
		expect([low, high]).toEqual([-2, 2]);
	});
});
