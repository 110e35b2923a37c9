import { formatGithub, formatJson, formatSarif, formatText, Report, SourceText } from '@manyworlds/core';
import { CODES } from '@manyworlds/core/codes';
import { diagnosticMaker, printable, toJsonReport } from '@manyworlds/core/internal';
import { describe, expect, test } from 'vitest';

const createDiagnostic = diagnosticMaker({ API001: 'error', API002: 'error', API003: 'error', API004: 'error' });

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function reportOf(...diagnostics: Parameters<Report['add']>[0][]): Report {
	const report = new Report();
	for (const diagnostic of diagnostics) report.add(diagnostic);
	return report;
}

const text = new SourceText(encode('#usda 1.0\n\tdef "漢" oops\n'), 'robots/arm.usda');
const syntax = createDiagnostic('API003', "found 'oops', expected '{'", text.locate(21, 25));
const rich = createDiagnostic('API002', 'bad path', {
	...text.locate(0, 5),
	severity: 'warning',
	prim: '/Robot/arm',
	layer: 'physics.usda',
	arc: 'reference',
	variants: { size: 'large' },
	related: [{ message: 'first authored here', file: 'b.usda', range: text.range(0, 1), prim: '/B' }],
	fix: { title: 'rename it', safety: 'safe', edits: [{ file: 'robots/arm.usda', range: text.range(0, 5), text: 'x' }] },
});

describe('text', () => {
	test('shows place, code, message, source line and caret', () => {
		expect(formatText(reportOf(syntax))).toBe(
			[
				"robots/arm.usda:2:10: error API003: found 'oops', expected '{'",
				'  \tdef "漢" oops',
				'  \t         ^^^^',
				'1 error',
				'',
			].join('\n'),
		);
	});

	test('shows context, related places and fixes', () => {
		expect(formatText(reportOf(rich), { excerpts: false })).toBe(
			[
				'robots/arm.usda:1:1: warning API002: bad path',
				'  at </Robot/arm> in layer physics.usda by reference with size=large',
				'  note: b.usda:1:1: </B>: first authored here',
				'  fix (safe): rename it',
				'1 warning',
				'',
			].join('\n'),
		);
	});

	test('colours only when asked', () => {
		expect(formatText(reportOf(rich))).not.toContain('\u001b');
		expect(formatText(reportOf(rich), { colour: true })).toContain('\u001b[1;33mwarning API002:\u001b[0m');
	});

	test('lets no control character of a message or file name through', () => {
		const hostile = createDiagnostic('API001', 'a\u001b[2Jb\nc', { file: 'x\u0007.usda', prim: '/\u001b' });
		const lines = formatText(reportOf(hostile)).split('\n');
		expect(lines).toHaveLength(4);
		expect(lines.every((line) => line === printable(line))).toBe(true);
	});

	test('is empty for an empty report and says what is not shown', () => {
		expect(formatText(new Report())).toBe('');
		const report = new Report({ cap: 1 });
		for (let i = 0; i < 3; i++) report.add(createDiagnostic('API001', `m${i}`));
		expect(formatText(report)).toBe('error API001: m0\n3 errors (2 not shown)\n');
	});
});

describe('json', () => {
	test('has the shape of the design and leaves absent fields out', () => {
		expect(toJsonReport(reportOf(syntax, createDiagnostic('API001', 'none')))).toEqual({
			version: 1,
			diagnostics: [
				{ code: 'API001', severity: 'error', message: 'none' },
				{
					code: 'API003',
					severity: 'error',
					message: "found 'oops', expected '{'",
					file: 'robots/arm.usda',
					line: 2,
					column: 10,
				},
			],
			summary: { errors: 2, warnings: 0, infos: 0, hints: 0, total: 2, omitted: 0 },
		});
	});

	test('carries context and fixes', () => {
		const [diagnostic] = JSON.parse(formatJson(reportOf(rich))).diagnostics;
		expect(diagnostic).toEqual({
			code: 'API002',
			severity: 'warning',
			message: 'bad path',
			file: 'robots/arm.usda',
			line: 1,
			column: 1,
			prim: '/Robot/arm',
			layer: 'physics.usda',
			arc: 'reference',
			variants: { size: 'large' },
			fix: {
				title: 'rename it',
				safety: 'safe',
				edits: [{ file: 'robots/arm.usda', line: 1, column: 1, endLine: 1, endColumn: 6, text: 'x' }],
			},
		});
	});
});

describe('github', () => {
	test('writes one escaped command per finding', () => {
		const odd = createDiagnostic('API001', '50%\nof it', { file: 'a,b:c.usda', severity: 'info' });
		expect(formatGithub(reportOf(syntax, odd))).toBe(
			[
				'::notice file=a%2Cb%3Ac.usda,title=API001::50%25%0Aof it',
				"::error file=robots/arm.usda,line=2,col=10,endColumn=14,title=API003::found 'oops', expected '{'",
				'',
			].join('\n'),
		);
	});

	test('adds the context to the message', () => {
		expect(formatGithub(reportOf(rich))).toContain('::bad path (at </Robot/arm> in layer');
	});

	test('says what is not shown', () => {
		const report = new Report({ cap: 0 });
		report.add(syntax);
		expect(formatGithub(report)).toBe('::notice::1 further findings are not shown\n');
	});
});

describe('sarif', () => {
	const parse = (report: Report) => JSON.parse(formatSarif(report, { toolVersion: '0.1.0', codes: CODES }));

	test('takes rules from the codes that are given and points at them', () => {
		const run = parse(reportOf(syntax, rich)).runs[0];
		expect(run.tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual(['API002', 'API003']);
		expect(run.tool.driver.rules[1].shortDescription.text).toBe(CODES['API003']?.title);
		expect(run.tool.driver.version).toBe('0.1.0');
		expect(run.results.map((r: { ruleIndex: number }) => r.ruleIndex)).toEqual([0, 1]);
		expect(run.columnKind).toBe('unicodeCodePoints');
	});

	test('names rules by their code where nothing is written about them', () => {
		const log = JSON.parse(formatSarif(reportOf(syntax)));
		expect(log.runs[0].tool.driver.rules).toEqual([{ id: 'API003' }]);
	});

	test('locates text by line and column, binary by byte', () => {
		const binary = createDiagnostic('API004', 'm', { file: 'a b.usdc', byteOffset: 12 });
		const results = parse(reportOf(syntax, binary)).runs[0].results;
		expect(results[0].locations[0].physicalLocation).toEqual({
			artifactLocation: { uri: 'a%20b.usdc', uriBaseId: '%SRCROOT%' },
			region: { byteOffset: 12 },
		});
		expect(results[1].locations[0].physicalLocation.region).toEqual({
			startLine: 2,
			startColumn: 10,
			endLine: 2,
			endColumn: 14,
		});
	});

	test('writes fixes, related places, prims and variants', () => {
		const [result] = parse(reportOf(rich)).runs[0].results;
		expect(result.level).toBe('warning');
		expect(result.locations[0].logicalLocations[0].fullyQualifiedName).toBe('/Robot/arm');
		expect(result.relatedLocations[0].message.text).toBe('first authored here');
		expect(result.fixes[0].artifactChanges[0].replacements[0].insertedContent.text).toBe('x');
		expect(result.properties).toEqual({ layer: 'physics.usda', arc: 'reference', variants: { size: 'large' } });
	});

	test.each([
		['/home/a/b c.usda', 'file:///home/a/b%20c.usda'],
		['C:\\robots\\a.usda', 'file:///C:/robots/a.usda'],
		['pack.usdz[a/b.usda]', 'pack.usdz%5Ba/b.usda%5D'],
		['x\ud800.usda', 'x%EF%BF%BD.usda'],
	])('writes the file name %s as a URI', (file, uri) => {
		const [result] = parse(reportOf(createDiagnostic('API001', 'm', { file }))).runs[0].results;
		expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
	});

	test('leaves locations out when there is none', () => {
		expect('locations' in parse(reportOf(createDiagnostic('API001', 'm'))).runs[0].results[0]).toBe(false);
	});
});
