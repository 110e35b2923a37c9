import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Case, Outcome, Suite } from '../../src/suite.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PYTHON = process.env['MANYWORLDS_PYTHON'] ?? 'python3';

/** The wheel in an empty environment of Python, with Node off the path. */
export const pythonWheel: Suite = {
	name: 'python/wheel',
	description: 'the wheel is built twice, installed by pip into an empty environment, and tested there with pytest',
	defaultDir: '.',
	groups: [
		{
			name: 'built',
			description: 'two builds have the same bytes',
			tolerance: 'exact',
			timeLimit: 300,
			*cases(): Generator<Case> {
				yield { name: 'same bytes', run: () => withFolder((folder) => buildTwice(folder)) };
			},
		},
		{
			name: 'installed',
			description: 'python/tests in an environment that holds the wheel and pytest only',
			tolerance: 'as each test says',
			timeLimit: 900,
			*cases(): Generator<Case> {
				yield { name: 'pytest', run: () => withFolder((folder) => installAndTest(folder)) };
			},
		},
	],
};

function withFolder(work: (folder: string) => Outcome): Outcome {
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-wheel-'));
	try {
		return work(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function buildTwice(folder: string): Outcome {
	const missing = whyNot();
	if (missing !== undefined) return { skipped: missing };
	const [first, second] = ['first', 'second'].map((name) => readFileSync(build(join(folder, name))));
	return first!.equals(second!) ? undefined : 'two builds differ';
}

function installAndTest(folder: string): Outcome {
	const missing = whyNot();
	if (missing !== undefined) return { skipped: missing };
	const wheel = build(join(folder, 'wheel'));
	const venv = spawnSync(PYTHON, ['-m', 'venv', join(folder, 'venv')], { encoding: 'utf8' });
	if (venv.status !== 0) return { skipped: `no environment of Python: ${lastLine(venv.stderr)}` };
	const python = join(folder, 'venv/bin/python');
	const pip = spawnSync(python, ['-m', 'pip', 'install', '-q', wheel, 'pytest'], { encoding: 'utf8' });
	if (pip.status !== 0) return { skipped: `pip installs nothing here: ${lastLine(pip.stderr)}` };
	const { status, stdout } = spawnSync(
		join(folder, 'venv/bin/pytest'),
		['-q', '-p', 'no:cacheprovider', join(ROOT, 'python/tests')],
		{ cwd: folder, encoding: 'utf8', env: { PATH: '/usr/bin:/bin', HOME: folder } },
	);
	return status === 0 ? undefined : stdout.split('\n').slice(-12).join(' ');
}

/** Why no wheel can be built here. */
function whyNot(): string | undefined {
	if (spawnSync(PYTHON, ['--version']).status !== 0) return `${PYTHON} is not there`;
	if (existsSync(join(ROOT, 'packages/manyworlds/bundle/bin.cjs'))) return undefined;
	return 'packages/manyworlds/bundle is not built: npm run build';
}

function build(folder: string): string {
	const { status, stderr } = spawnSync(PYTHON, [join(ROOT, 'python/build_wheel.py'), folder], { encoding: 'utf8' });
	if (status !== 0) throw new Error(`build_wheel.py: ${lastLine(stderr)}`);
	return join(folder, readdirSync(folder).find((name) => name.endsWith('.whl'))!);
}

function lastLine(text: string): string {
	return text.trim().split('\n').at(-1) ?? '';
}
