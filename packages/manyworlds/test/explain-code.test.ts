import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

describe('manyworlds explain RULE', () => {
	it('prints the page of a rule', async () => {
		const { code, stdout, stderr } = await runCli(['explain', 'R2.8.1']);
		expect(stderr).toBe('');
		expect(code).toBe(0);
		expect(stdout).toContain('R2.8.1: Camera without an optical frame');
		expect(stdout).toContain('REP 0158 section 2.8 (Optical frames): must.');
		expect(stdout).toMatch(
			/Breaks it\n {2}# base\.usda\n[\s\S]*orient = \(1, 0, 0, 0\)[\s\S]*Keeps it\n[\s\S]*orient = \(0, 1, 0, 0\)/,
		);
		expect(stdout).toMatch(/\nFix\n {2}/);
	});

	it('prints it as JSON', async () => {
		const { stdout } = await runCli(['explain', 'r1.1.1', '--json']);
		expect(JSON.parse(stdout)).toMatchObject({ id: 'R1.1.1', section: '1.1', level: 'must', check: 'static' });
	});

	it('prints what other codes mean', async () => {
		const { stdout, code } = await runCli(['explain', 'USDA001']);
		expect(stdout).toMatch(/^USDA001: Syntax error\n/);
		expect(code).toBe(0);
	});

	it('says what it expects instead of a text that is neither', async () => {
		const { stdout, stderr, code } = await runCli(['explain', 'R9.9.9']);
		expect(stdout).toBe('');
		expect(stderr).toContain("CLI006: unknown rule or code 'R9.9.9'");
		expect(code).toBe(2);
	});
});
