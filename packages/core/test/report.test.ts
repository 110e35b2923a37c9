import { type Diagnostic, Report, type Severity, SourceText, UsageRangeError } from '@manyworlds/core';
import { diagnosticMaker } from '@manyworlds/core/internal';
import { describe, expect, test } from 'vitest';

const createDiagnostic = diagnosticMaker({ API001: 'error', API002: 'error', API003: 'error', API004: 'error' });

const make = (message: string, severity: Severity = 'error', file = 'a.usda'): Diagnostic =>
	createDiagnostic('API003', message, { severity, file });

describe('diagnosticMaker', () => {
	test('takes the severity of its table unless told otherwise', () => {
		expect(createDiagnostic('API003', 'm').severity).toBe('error');
		expect(createDiagnostic('API003', 'm', { severity: 'hint' }).severity).toBe('hint');
	});
});

describe('a report', () => {
	test('drops repetitions', () => {
		const report = new Report();
		report.add(make('x'));
		report.add(make('x'));
		report.add(make('x', 'warning'));
		expect(report.counts).toEqual({ error: 1, warning: 1, info: 0, hint: 0 });
		expect(report.size).toBe(2);
	});

	test('keeps equal messages about different variants apart, whatever the order of their sets', () => {
		const report = new Report();
		report.add(createDiagnostic('API003', 'm', { variants: { a: '1', b: '2' } }));
		report.add(createDiagnostic('API003', 'm', { variants: { b: '2', a: '1' } }));
		report.add(createDiagnostic('API003', 'm', { variants: { a: '1', b: '3' } }));
		expect(report.size).toBe(2);
	});

	test('counts what exceeds the cap', () => {
		const report = new Report({ cap: 3 });
		for (let i = 0; i < 10; i++) report.add(make(`m${i}`));
		expect(report.toArray()).toHaveLength(3);
		expect(report.omitted).toBe(7);
		expect(report.counts.error).toBe(10);
	});

	test('lets errors take the place of lighter findings when full', () => {
		const report = new Report({ cap: 2 });
		report.add(make('w', 'warning'));
		report.add(make('h', 'hint'));
		expect(report.isFull('error')).toBe(false);
		report.add(make('e1'));
		report.add(make('e2'));
		report.add(make('w2', 'warning'));
		expect(report.toArray().map((d) => d.message)).toEqual(['e1', 'e2']);
		expect(report.omitted).toBe(3);
		expect(report.counts).toEqual({ error: 2, warning: 2, info: 0, hint: 1 });
		expect(report.isFull('error')).toBe(true);
	});

	test('knows of errors that it did not keep', () => {
		const report = new Report({ cap: 0 });
		expect(report.hasErrors).toBe(false);
		report.add(make('e'));
		expect(report.hasErrors).toBe(true);
		expect(report.size).toBe(0);
	});

	test('sorts by file, offset, code and message', () => {
		const text = new SourceText(new TextEncoder().encode('a\n'.repeat(20)), 'b.usda');
		const at = (offset: number, message: string): Diagnostic =>
			createDiagnostic('API003', message, text.locate(offset, offset + 1));
		const report = new Report();
		report.add(at(30, 'late'));
		report.add(at(4, 'z'));
		report.add(createDiagnostic('API004', 'c', text.locate(4, 5)));
		report.add(at(4, 'a'));
		report.add(make('whole file', 'error', 'b.usda'));
		report.add(make('first file'));
		report.add(createDiagnostic('API001', 'no file'));
		const messages = report.toArray().map((d) => d.message);
		expect(messages).toEqual(['no file', 'first file', 'whole file', 'a', 'z', 'c', 'late']);
	});

	test('takes over what another report counted', () => {
		const from = new Report({ cap: 1 });
		from.add(make('e1'));
		from.add(make('e2'));
		const into = new Report();
		into.add(make('e1'));
		into.addAll(from);
		expect(into.size).toBe(1);
		expect(into.omitted).toBe(1);
		expect(into.counts.error).toBe(2);
	});

	test('refuses a cap that is not a count', () => {
		expect(() => new Report({ cap: Number.NaN })).toThrow(UsageRangeError);
		expect(() => new Report({ cap: -1 })).toThrow(RangeError);
	});
});
