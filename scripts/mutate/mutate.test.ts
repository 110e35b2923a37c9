import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../source-files.ts';
import { draw } from './draw.ts';
import { isAbout, readEquivalents } from './equivalent.ts';
import { findMutants } from './find-mutants.ts';
import * as api from './harness/test-api.ts';
import { instrument } from './instrument.ts';

const changes = (text: string): string[] =>
	findMutants('a.ts', text)
		.map(({ operator, original, replacement }) => `${operator}: ${original} → ${replacement}`)
		.sort();

describe('tests that run one by one', () => {
	it('find around them what their scopes set up, and nothing of other scopes', async () => {
		let engine = 'none';
		const seen: string[] = [];
		const scope = (name: string): void => {
			api.describe(name, () => {
				api.beforeAll(() => (engine = name) as never);
				api.afterAll(() => (engine = 'none') as never);
				api.it('one', () => seen.push(engine));
				api.describe('inner', () => api.it('two', () => seen.push(engine)));
			});
		};
		const tests = await api.collectTests(async () => {
			scope('a');
			scope('b');
			api.it('alone', () => seen.push(engine));
		});
		for (const at of [0, 2, 1, 4, 3, 0]) {
			await api.setUp(tests[at]!.hooks);
			await api.runTest(tests[at]!);
		}
		expect(seen).toEqual(['a', 'b', 'a', 'none', 'b', 'a']);
	});
});

describe('findMutants', () => {
	it('changes numbers, operators and conditions, and removes statements', () => {
		expect(changes('if (a < 3) b = c && d;')).toEqual([
			'comparison: a < 3 → a >= 3',
			'condition: a < 3 → false',
			'condition: a < 3 → true',
			'logic: c && d → (c) || (d)',
			'number: 3 → 4',
			'number: 3 → 6',
			'statement: b = c && d; → ',
		]);
	});

	it('removes early returns and rows of tables', () => {
		expect(changes('function f() { if (x) return y; return z; }')).toContain('statement: return y; → ');
		expect(changes('function f() { if (x) return y; return z; }')).not.toContain('statement: return z; → ');
		expect(changes("const T = ['a', 'b'];")).toContain("row: 'a' → ");
		expect(changes('const T = { a: f(), b: g(), c: h() };')).toContain('row: a: f() → ');
	});

	it('leaves types, imports, wording and buffers alone', () => {
		expect(changes("import { a } from 'b'; type T = 1 | 'x';")).toEqual([]);
		expect(changes('const t = `a $' + '{b + 1}`; const u = "two words" + v; const w = new Float64Array(16);')).toEqual(
			[],
		);
		// twice as many rooms are rooms enough, a half of them are not
		expect(changes('const w = new Float64Array(2 * n * 3);')).toEqual([
			'arithmetic: 2 * n * 3 → 2 * n / 3',
			'arithmetic: 2 * n → 2 / n',
		]);
		expect(changes('const w = new Float64Array(n - 1);')).toContain('number: 1 → 2');
	});
});

describe('instrument', () => {
	it('does what the source does until a mutant is switched on, and counts what is reached', () => {
		const text = 'out.push(...[1, 2 + 3]); if (out.length > 1) out.push(9);';
		const mutants = findMutants('a.ts', text).map((mutant, i) => ({ ...mutant, id: i + 1 }));
		const scope = globalThis as unknown as Record<string, unknown>;
		const run = (active: number): [out: number[], hits: Uint32Array] => {
			const hits = new Uint32Array(mutants.length + 1);
			const out: number[] = [];
			scope['__mwHits'] = hits;
			scope['__mwState'] = { active };
			new Function('out', instrument(text, mutants))(out);
			delete scope['__mwHits'];
			delete scope['__mwState'];
			return [out, hits];
		};
		const [plain, hits] = run(0);
		expect(plain).toEqual([1, 5, 9]);
		expect([...hits.subarray(1)].every((count) => count === 1)).toBe(true);
		const sum = mutants.find(({ operator }) => operator === 'arithmetic')!;
		expect(run(sum.id)[0]).toEqual([1, -1, 9]);
		// every change of this text shows
		for (const { id } of mutants) if (mutants[id - 1]!.replacement !== 'true') expect(run(id)[0]).not.toEqual(plain);
	});

	it('keeps the lines', () => {
		const text = 'a = 1;\nb = [\n\t2,\n\t3,\n];\n';
		const mutants = findMutants('a.ts', text).map((mutant, i) => ({ ...mutant, id: i + 1 }));
		expect(mutants.length).toBeGreaterThan(6);
		expect(instrument(text, mutants).split('\n')).toHaveLength(text.split('\n').length);
	});
});

describe('draw', () => {
	it('takes from every group in turn, the same for the same seed', () => {
		const groups = [[1, 2, 3, 4], [10], [20, 21]];
		const drawn = draw(groups, 5, 3);
		expect(drawn).toEqual(draw(groups, 5, 3));
		expect(drawn.filter((one) => one >= 10 && one < 20)).toEqual([10]);
		expect(new Set(drawn.slice(0, 3).map((one) => Math.floor(one / 10))).size).toBe(3);
		expect(draw(groups, 99, 1).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 10, 20, 21]);
	});
});

describe('changes that are listed as equivalent', () => {
	it('are changes of the sources as they are', () => {
		const entries = readEquivalents();
		const gone = [...new Set(entries.map(({ file }) => file))].flatMap((file) => {
			const text = readFileSync(join(ROOT, file), 'utf8');
			const lines = text.split('\n');
			const mutants = findMutants(file, text);
			return entries.filter((entry) => entry.file === file && !mutants.some((mutant) => isAbout(entry, mutant, lines)));
		});
		expect(gone).toEqual([]);
	});
});
