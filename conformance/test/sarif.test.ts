import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SourceText } from '@manyworlds/core';
import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { main } from 'manyworlds/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Region {
	readonly startLine: number;
	readonly startColumn: number;
	readonly endLine: number;
	readonly endColumn: number;
}

interface Result {
	readonly ruleId: string;
	readonly ruleIndex: number;
	readonly partialFingerprints: Record<string, string>;
	readonly locations?: {
		readonly physicalLocation?: { readonly artifactLocation: { readonly uri: string }; readonly region?: Region };
	}[];
	readonly fixes?: {
		readonly artifactChanges: {
			readonly artifactLocation: { readonly uri: string };
			readonly replacements: { readonly deletedRegion: Region; readonly insertedContent: { readonly text: string } }[];
		}[];
	}[];
	readonly suppressions?: unknown[];
}

interface Log {
	readonly runs: [
		{
			readonly tool: { readonly driver: { readonly rules: Record<string, unknown>[] } };
			readonly results: Result[];
			readonly invocations: Record<string, unknown>[];
		},
	];
}

const DATA = resolve(import.meta.dirname, '../data');
const folder = mkdtempSync(join(tmpdir(), 'manyworlds-sarif-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: readonly string[], cwd = folder): Promise<{ readonly code: number; readonly output: string }> {
	let output = '';
	const stdout = { write: (text: string | Uint8Array) => void (output += String(text)) };
	const code = await main(args, { stdout, stderr: { write: () => true }, env: {}, cwd, now: () => 0 });
	return { code, output };
}

function validator(): (log: unknown) => string[] {
	const schema = JSON.parse(readFileSync(join(DATA, 'sarif/sarif-schema-2.1.0.json'), 'utf8')) as Record<
		string,
		unknown
	>;
	// the schema is written for draft 4; it uses nothing whose meaning differs from draft 7 but the name of its identifier
	const { id, $schema: _, ...rest } = schema;
	const ajv = new Ajv({ strict: false, allErrors: true });
	const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void;
	addFormats(ajv);
	const validate = ajv.compile({ ...rest, $id: String(id) });
	return (log) =>
		validate(log) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('check --format sarif', () => {
	const validate = validator();
	let log: Log;

	beforeAll(async () => {
		cpSync(join(DATA, 'rep158-fix/safe-everything/before'), join(folder, 'robot'), { recursive: true });
		const broken = '#usda 1.0\n\ndef Xform "ü"\n{\n    /* 😀 */ float x = oops\n}\n';
		writeFileSync(join(folder, 'broken.usda'), broken);
		const { code, output } = await run(['check', 'robot', 'broken.usda', '--format', 'sarif', '--fixes']);
		expect(code).toBe(1);
		log = JSON.parse(output) as Log;
	});

	it('holds to the schema of OASIS', () => {
		expect(validate(log)).toEqual([]);
		// and the schema refuses what is wrong
		expect(validate({ ...log, version: '2.0.0' })).not.toEqual([]);
	});

	it('describes every rule that it uses, with its section and page', () => {
		const [{ tool, results }] = log.runs;
		expect(results.length).toBeGreaterThan(10);
		for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]!['id']).toBe(ruleId);
		for (const rule of tool.driver.rules) {
			expect(Object.keys(rule)).toEqual(
				expect.arrayContaining([
					'name',
					'shortDescription',
					'fullDescription',
					'help',
					'helpUri',
					'defaultConfiguration',
				]),
			);
		}
		const rep = tool.driver.rules.find(({ id }) => /^R\d/.test(String(id)));
		expect(JSON.stringify(rep!['properties'])).toMatch(/REP-0158 §\d/);
	});

	it('has places inside of their files', () => {
		for (const { locations = [] } of log.runs[0].results) {
			for (const { physicalLocation } of locations) {
				const region = physicalLocation?.region;
				if (region === undefined) continue;
				const text = new SourceText(
					readFileSync(join(folder, decodeURIComponent(physicalLocation!.artifactLocation.uri))),
				);
				expect(region.endLine).toBeLessThanOrEqual(text.lineCount);
				for (const [line, column] of [
					[region.startLine, region.startColumn],
					[region.endLine, region.endColumn],
				] as const) {
					const { line: back, column: width } = text.position(text.lineEnd(line));
					expect(back).toBe(line);
					expect(column).toBeLessThanOrEqual(width);
				}
			}
		}
	});

	it('has fixes whose changes remove what they are for', async () => {
		const fixed = log.runs[0].results.filter(({ fixes }) => fixes !== undefined);
		expect(fixed.length).toBeGreaterThan(2);
		const [{ ruleId, fixes }] = fixed as [Result];
		const before = countOf(log, ruleId);
		for (const { artifactLocation, replacements } of fixes![0]!.artifactChanges) {
			const path = join(folder, decodeURIComponent(artifactLocation.uri));
			let bytes = readFileSync(path);
			for (const { deletedRegion, insertedContent } of [...replacements].reverse()) {
				const text = new SourceText(bytes);
				const start = text.offsetAt(deletedRegion.startLine, deletedRegion.startColumn);
				const end = text.offsetAt(deletedRegion.endLine, deletedRegion.endColumn);
				bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(insertedContent.text), bytes.subarray(end)]);
			}
			writeFileSync(path, bytes);
		}
		const { output } = await run(['check', 'robot', '--format', 'sarif', '--no-fixes']);
		expect(countOf(JSON.parse(output) as Log, ruleId)).toBeLessThan(before);
	});

	it('has fingerprints that lines on top do not change', async () => {
		const prints = async (): Promise<string[]> => {
			const { output } = await run(['check', 'robot', '--format', 'sarif', '--no-fixes']);
			return (JSON.parse(output) as Log).runs[0].results.map((one) => one.partialFingerprints['manyworldsFinding/v1']!);
		};
		const before = await prints();
		expect(new Set(before).size).toBe(before.length);
		for (const file of readdirSync(join(folder, 'robot'), { recursive: true, encoding: 'utf8' })) {
			const path = join(folder, 'robot', file);
			if (!statSync(path).isFile() || !file.endsWith('.usda')) continue;
			const text = readFileSync(path, 'utf8');
			writeFileSync(path, text.replace('\n', `\n${'# another line\n'.repeat(10)}`));
		}
		expect((await prints()).sort()).toEqual(before.sort());
	});

	it('lists what the baseline has as suppressed, and files that cannot be read as notifications', async () => {
		await run(['check', 'robot', '--write-baseline', 'baseline.json']);
		const { code, output } = await run([
			'check',
			'robot',
			'--baseline',
			'baseline.json',
			'--format',
			'sarif',
			'--no-fixes',
		]);
		const [{ results, invocations }] = (JSON.parse(output) as Log).runs;
		expect(code).toBe(0);
		expect(results.length).toBeGreaterThan(5);
		expect(results.every(({ suppressions }) => suppressions?.length === 1)).toBe(true);
		expect(invocations[0]).toMatchObject({ executionSuccessful: true, exitCode: 0 });
		const missing = JSON.parse((await run(['check', 'nothing.usda', '--format', 'sarif'])).output) as Log;
		expect(validate(missing)).toEqual([]);
		expect(missing.runs[0].invocations[0]).toMatchObject({ executionSuccessful: false, exitCode: 2 });
		expect(JSON.stringify(missing.runs[0].invocations[0]!['toolExecutionNotifications'])).toContain('nothing.usda');
	});
});

function countOf(log: Log, rule: string): number {
	return log.runs[0].results.filter(({ ruleId }) => ruleId === rule).length;
}

it('check --format gitlab has a place and a fingerprint of its own for each finding', async () => {
	const { output } = await run(['check', 'broken.usda', '--format', 'gitlab']);
	const found = JSON.parse(output) as {
		fingerprint: string;
		severity: string;
		location: { path: string; lines: { begin: number } };
	}[];
	expect(found.length).toBeGreaterThan(3);
	expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(found.length);
	expect(
		found.every(
			({ location, severity }) =>
				location.path === 'broken.usda' && location.lines.begin >= 1 && /critical|major|minor|info/.test(severity),
		),
	).toBe(true);
});
