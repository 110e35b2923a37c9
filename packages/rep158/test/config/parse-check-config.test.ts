import { type Diagnostic, Report } from '@manyworlds/core';
import type { CheckConfig } from '@manyworlds/rep158';
import { parseCheckConfig } from '@manyworlds/rep158/config';
import { applyPaths, configOptions, createRep158Diagnostic } from '@manyworlds/rep158/internal';
import { describe, expect, it } from 'vitest';

/** The configuration in a text, and what is wrong with it: line, column, what is underlined, message. */
function parse(text: string): { config: CheckConfig | undefined; problems: string[] } {
	const report = new Report();
	const config = parseCheckConfig(text, 'manyworlds.json', report);
	return { config, problems: report.toArray().map(shown) };
}

function shown({ code, file, range, excerpt, message }: Diagnostic): string {
	expect([code, file]).toEqual(['CHK003', 'manyworlds.json']);
	const { text, caretStart, caretLength } = excerpt!;
	return `${range!.start.line}:${range!.start.column} ${text.slice(caretStart, caretStart + caretLength)} | ${message}`;
}

describe('a configuration of checks', () => {
	it('sets options for all paths and for some', () => {
		const { config, problems } = parse(`{
			"view": { "theme": "dark" },
			"check": {
				"profile": "source", "payloadPolicy": "entry", "failOn": "never", "maxVariants": 3,
				"select": ["§1.1", "R1.2.5.5"], "ignore": ["R1.1.3"], "severities": { "§1.1": "info", "R1.1.7": "off" },
				"thresholds": { "uv": 0, "pivot": 0.5 }, "vendors": { "acme": ["acme:", "Acme"] },
				"paths": { "./old/": { "severities": { "R1.1.16": "error" } }, "*.usda": { "ignore": ["R1.1.16"] } }
			}
		}`);
		expect(problems).toEqual([]);
		expect(config).toMatchObject({ profile: 'source', payloadPolicy: 'entry', failOn: 'never', maxVariants: 3 });
		expect(config!.thresholds).toEqual({ uv: 0, pivot: 0.5 });
		expect([...config!.vendors]).toEqual([['acme', ['acme:', 'Acme']]]);
		const { select, severities } = configOptions(config!);
		expect([select!.has('R1.1.16'), select!.has('R1.2.5.5'), select!.has('R1.2.5.6')]).toEqual([true, true, false]);
		expect(['R1.1.3', 'R1.1.7', 'R1.1.16'].map((rule) => severities!.get(rule as never))).toEqual([
			'off',
			'off',
			'info',
		]);
		const finding = createRep158Diagnostic('R1.1.16', 'x');
		expect(applyPaths(finding, config!, 'old/deep/box.usda')?.severity).toBe('error');
		expect(applyPaths(finding, config!, 'box.usda')).toBeUndefined();
		expect(applyPaths(finding, config!, 'new/box.usda')).toBe(finding);
	});

	it('may say nothing', () => {
		expect(parse('{}')).toMatchObject({ config: { paths: [], thresholds: {} }, problems: [] });
	});

	it('has every mistake told with its line and column', () => {
		const text = `{
  "check": {
    "profile": "sauce",
    "failOn": 3,
    "maxVariants": 0,
    "select": ["R1.1.3", "R0", 7],
    "ignore": "R1.1.3",
    "severity": {},
    "severities": { "§99": "info", "R1.1.3": "loud" },
    "thresholds": { "uv": -1, "size": 2 },
    "vendors": { "acme": "acme:" },
    "paths": { "old/**": { "ignore": ["1.3"], "profile": "source" } },
    "payloadPolicy": null
  }
}`;
		const { config, problems } = parse(text);
		expect(config).toBeUndefined();
		const rule = 'expected an identifier such as R1.1.7 or a section such as §1.3';
		expect(problems).toEqual([
			`3:16 "sauce" | check.profile is '"sauce"', expected one of distributed, source`,
			`4:15 3 | check.failOn is '3', expected one of error, warning, info, hint, never`,
			`5:20 0 | check.maxVariants is '0', expected a whole number, 1 or more`,
			`6:26 "R0" | check.select: unknown rule 'R0', ${rule}`,
			`6:32 7 | check.select[2] is '7', expected a rule or section`,
			`7:15 "R1.1.3" | check.ignore is '"R1.1.3"', expected a list of rules and sections`,
			`8:5 "severity" | check has the unknown entry 'severity', expected profile, payloadPolicy, select, ignore, severities, failOn, thresholds, vendors, maxVariants, paths`,
			`9:21 "§99" | check.severities: the REP has no section '99' with rules`,
			`9:46 "loud" | check.severities['R1.1.3'] is '"loud"', expected a severity or 'off'`,
			`10:27 -1 | check.thresholds.uv is '-1', expected a number, 0 or more`,
			expect.stringMatching(/^10:31 "size" \| check\.thresholds has the unknown entry 'size', expected heavyBytes, /),
			`11:26 "acme:" | check.vendors.acme is '"acme:"', expected a list of prefixes`,
			`12:39 "1.3" | check.paths['old/**'].ignore: unknown rule '1.3', ${rule}; a section is written §1.3`,
			`12:47 "profile" | check.paths['old/**'] has the unknown entry 'profile', expected select, ignore, severities`,
			`13:22 null | check.payloadPolicy is 'null', expected one of kinematics-visible, entry`,
		]);
	});

	it('is refused when it is no JSON, no object, or says a thing twice', () => {
		expect(parse('{\n  "check": {},\n}').problems).toEqual([
			"3:1 } | the configuration is no JSON: found '}', expected a key in double quotes",
		]);
		expect(parse('[1]').problems).toEqual(['1:1 [1] | the configuration is a list of 1, expected an object']);
		expect(parse('{"check": []}').problems).toEqual(['1:11 [] | check is an empty list, expected an object']);
		expect(parse('{"check": {"ignore": [], "ignore": []}}')).toEqual({
			config: undefined,
			problems: ['1:26 "ignore" | check.ignore is given twice, expected once'],
		});
	});
});
