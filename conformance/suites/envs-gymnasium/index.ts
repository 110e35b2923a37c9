import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Case, Outcome, Suite } from '../../src/suite.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Python of a folder that `python3 -m venv` made, with gymnasium and numpy. */
const PYTHON = process.env['MANYWORLDS_GYMNASIUM_PYTHON'] ?? join(tmpdir(), 'manyworlds-gymnasium/bin/python');
const CHECKS = ['spaces', 'seeds', 'episodes', 'random_play', 'wrong_actions', 'masks', 'closing', 'dead_program'];

/** Real Gymnasium with the one file for Python against environments in another process. */
export const envsGymnasium: Suite = {
	name: 'envs/gymnasium',
	description: 'the cart-pole of the examples as a vector environment of Gymnasium, over standard input and output',
	defaultDir: '.',
	groups: [
		{
			name: 'vector',
			description: 'gymnasium_peer.py, a check each',
			tolerance: 'numbers are equal, closed forms to 1e-12',
			timeLimit: 120,
			*cases(): Generator<Case> {
				for (const check of CHECKS) yield { name: check, run: () => runCheck(check) };
			},
		},
	],
};

function runCheck(check: string): Outcome {
	if (!existsSync(PYTHON)) return { skipped: `no Python with Gymnasium at ${PYTHON}` };
	const { status, stderr } = spawnSync(PYTHON, [join(import.meta.dirname, 'gymnasium_peer.py'), check], {
		cwd: ROOT,
		env: { ...process.env, PYTHONPATH: join(ROOT, 'examples/python'), MANYWORLDS_NODE: process.execPath },
		encoding: 'utf8',
	});
	return status === 0 ? undefined : (stderr.trim().split('\n').at(-1) ?? `status ${status}`);
}
