import { PhiloxStream } from '@manyworlds/core/internal';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { reportHtml } from '../src/report/report-html.ts';
import { explainedShare, rankCorrelation } from '../src/report/sensitivity.ts';
import { writeDataset } from '../src/result/dataset.ts';
import { queryRows } from '../src/result/query-rows.ts';
import { agree, decodeResult, encodeResult, type RunResult } from '../src/result/run-result.ts';
import { encodeTable, type TableEntry, writeTiming } from '../src/result/table.ts';
import { Expansion } from '../src/runs/expansion.ts';
import { planOf } from './plans.ts';

const { plan } = planOf(
	'asset: a\nruns: {sampler: {kind: random, count: 40}}\nparameters: {x: {option: dt, range: [1, 2]}, kind: {variant: "/R{s}", choices: [a, "<b>"]}, flag: {path: "prim:/R.f", choices: [true, false]}}\noutputs: {metrics: {e: {last: energy}, c: {max: contacts}}}\n',
);
const entries: TableEntry[] = [...new Expansion(plan).runs()].map((run) => {
	const x = run.values[0] as number;
	const base = { version: 1 as const, key: `key${run.index}`, steps: 10, state: 'abc' };
	const result: RunResult =
		run.index === 3
			? { ...base, status: 'diverged', reason: 'step 4: <too> fast & "wild"', metrics: {} }
			: {
					...base,
					status: 'ok',
					metrics: { 'last(energy)': 3 * x, 'max(contacts)': run.index === 5 ? Number.NaN : 1 },
				};
	return { run, result };
});

describe('datasets', () => {
	test('hold the series of all runs with index, values and seed; quantities that a run has not are empty', async () => {
		const some = entries.slice(0, 3).map((entry, i) => {
			const columns: Record<string, number[]> =
				i === 1 ? { time: [0, 0.5], q: [10, 11] } : { time: [0], q: [20 + i], extra: [7] };
			const columnData = Object.entries(columns).map(([name, data]) => ({ name, type: 'DOUBLE' as const, data }));
			const bytes = new Uint8Array(parquetWriteBuffer({ columnData }));
			return { ...entry, series: () => bytes };
		});
		const encode = async (): Promise<Uint8Array> => {
			const writer = new ByteWriter();
			const size = await writeDataset(writer, plan, () => some);
			expect(size).toMatchObject({ runs: 3, rows: 4 });
			return writer.getBytes();
		};
		const bytes = await encode();
		expect(await encode()).toEqual(bytes);
		const rows = await parquetReadObjects({ file: bytes.slice().buffer });
		expect(rows.map(({ index, time, q, extra }) => [Number(index), time, q, extra ?? null])).toEqual([
			[0, 0, 20, 7],
			[1, 0, 10, null],
			[1, 0.5, 11, null],
			[2, 0, 22, 7],
		]);
		expect(rows.map((row) => row['p_x'])).toEqual([0, 1, 1, 2].map((i) => entries[i]!.run.values[0]));
	});
});

describe('tables', () => {
	test('have a column for each parameter and metric, rows in order, and the same bytes every time', async () => {
		const bytes = encodeTable(plan, 'tool', entries);
		expect(encodeTable(plan, 'tool', entries)).toEqual(bytes);
		const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
		const rows = (await parquetReadObjects({ file })) as Record<string, unknown>[];
		expect(Object.keys(rows[0]!)).toEqual([
			'run_key',
			'index',
			'p_x',
			'p_kind',
			'p_flag',
			'repeat',
			'seed',
			'status',
			'reason',
			'm_e',
			'm_c',
			'steps',
			'state',
			'tool',
		]);
		expect(rows.map(({ index }) => Number(index))).toEqual(entries.map(({ run }) => run.index));
		expect(rows[3]).toMatchObject({ status: 'diverged', m_e: null, m_c: null });
		expect(rows[7]!['p_x']).toBe(entries[7]!.run.values[0]);
		expect(typeof rows[7]!['p_flag']).toBe('boolean');
		expect(rows[7]!['seed']).toBe(BigInt(entries[7]!.run.seed));
		expect(rows[5]!['m_c']).toBeNaN();
		const { key_value_metadata: metadata, row_groups: groups } = parquetMetadata(file);
		expect(metadata).toEqual(expect.arrayContaining([{ key: 'manyworlds.tool', value: 'tool' }]));
		expect(groups).toHaveLength(1);
		expect(groups[0]!.columns[2]!.meta_data!.statistics!.min_value).toBeGreaterThanOrEqual(1);
	});

	test('results survive their files, and nothing else is taken for one', () => {
		for (const { result } of entries) expect(decodeResult(encodeResult(result))).toEqual(result);
		for (const bad of [
			'',
			'{}',
			'[]',
			'{"version":1,"key":1}',
			'{"version":1,"key":"../../x","status":"ok","steps":1,"state":"","metrics":{}}',
			'{"version":1,"key":"a","status":"good","steps":1,"state":"","metrics":{}}',
			'{"version":1,"key":"a","status":"ok","steps":1,"state":"","metrics":{"a":"x"}}',
		])
			expect(decodeResult(new TextEncoder().encode(bad))).toBeUndefined();
	});
});

describe('what goes beside a table', () => {
	test('times of runs are in a file of their own', async () => {
		const writer = new ByteWriter();
		writeTiming(writer, [{ key: 'a', index: 3, seconds: 0.5, worker: 'w', at: 1000 }]);
		const rows = await parquetReadObjects({ file: writer.getBuffer() });
		expect(rows).toEqual([{ run_key: 'a', index: 3n, wall_s: 0.5, worker: 'w', at_ms: 1000n }]);
	});

	test('results agree in what both have; one that time ended says nothing', () => {
		const [a] = [entries[0]!.result];
		expect(agree(a, { ...a, metrics: { 'last(energy)': a.metrics['last(energy)']! } })).toBe(true);
		expect(agree(a, { ...a, metrics: { 'last(energy)': 1 } })).toBe(false);
		expect(agree(a, { ...a, state: 'x' })).toBe(false);
		expect(agree(a, { ...a, steps: 11 })).toBe(false);
		expect(agree(a, { ...a, state: 'x', status: 'timeout' })).toBe(true);
		expect(agree({ ...a, state: 'x', status: 'crashed' }, a)).toBe(true);
	});
});

describe('questions about a table', () => {
	const rows = [
		{ kind: 'a', x: 1, n: 4n },
		{ kind: 'a', x: 3, n: 5n },
		{ kind: 'b', x: 5, n: 6n },
	];
	test.each([
		[
			'select kind, avg(x) as mean, count(*) from runs group by kind order by mean desc',
			[
				{ kind: 'b', mean: 5, 'count(*)': 1 },
				{ kind: 'a', mean: 2, 'count(*)': 2 },
			],
		],
		["select x from runs where kind = 'a' and x > 1", [{ x: 3 }]],
		['select sum(n), min(x), max(x) from runs', [{ 'sum(n)': 15, 'min(x)': 1, 'max(x)': 5 }]],
		["select * from runs where kind <> 'a' limit 1", [{ kind: 'b', x: 5, n: 6 }]],
	])('%s', (sql, expected) => {
		expect(queryRows(sql, rows)).toEqual(expected);
	});
	test.each([
		['drop table runs', /expected select/],
		['select y from runs', /no column 'y'/],
		['select x from runs where y > 1', /no column 'y'/],
		['select x from runs where x >', /where x >/],
		['select x+1 from runs', /unknown column 'x\+1'/],
	])('%s is refused', (sql, expected) => {
		expect(queryRows(sql, rows)).toMatch(expected);
	});
});

describe('reports', () => {
	const subject = {
		plan,
		tool: 'tool',
		count: 40,
		entries,
		seconds: () => 0.5,
		command: (index: number) => `manyworlds sweep p.yaml --run ${index}`,
	};

	test('stand alone, name failures with the command that repeats them, and escape what they show', () => {
		const html = reportHtml(subject);
		expect(html).not.toMatch(/https?:|src=|<link|@import/);
		expect(html).toContain('manyworlds sweep p.yaml --run 3');
		expect(html).toContain('step 4: &lt;too&gt; fast &amp; &quot;wild&quot;');
		expect(html).not.toContain('<too>');
		expect(html).not.toContain('"<b>"');
		const data = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)![1]!) as {
			columns: { name: string }[];
			rows: unknown[][];
		};
		expect(data.columns.map(({ name }) => name)).toEqual(['x', 'kind', 'flag', 'e', 'c']);
		expect(data.rows).toHaveLength(40);
		expect(data.rows[5]!.at(-1)).toBeNull();
		expect(html).not.toContain('refresh');
	});

	test('of a running sweep show where it is, and load again', () => {
		const html = reportHtml({ ...subject, progress: '3 of 40 runs', entries: [] });
		expect(html).toContain('running: 3 of 40 runs');
		expect(html).toContain('http-equiv="refresh"');
	});

	test('sensitivities: rank correlation and first-order indices of a known function', () => {
		const draw = ['a', 'b', 'c'].map((name) => new PhiloxStream(1, name));
		const [a, b, c] = draw.map((stream) => Array.from({ length: 2000 }, (_, i) => stream.uniform(i))) as [
			number[],
			number[],
			number[],
		];
		// variances 4/12 and 1/12: shares 0.8 and 0.2
		const y = a.map((x, i) => 2 * x - b[i]!);
		expect(explainedShare(a, y)).toBeCloseTo(0.8, 1);
		expect(explainedShare(b, y)).toBeCloseTo(0.2, 1);
		expect(explainedShare(c, y)).toBeLessThan(0.02);
		expect(rankCorrelation(a, y)).toBeGreaterThan(0.8);
		expect(rankCorrelation(b, y)).toBeLessThan(-0.3);
		expect(rankCorrelation([1, 2, 3, 4], [1, 8, 27, 64])).toBeCloseTo(1, 12);
		expect(
			explainedShare(
				a.map((x) => (x < 0.5 ? 'low' : 'high')),
				a.map((x) => (x < 0.5 ? 0 : 1)),
			),
		).toBeCloseTo(1, 6);
	});
});
