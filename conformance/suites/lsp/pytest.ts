import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Case, Outcome, Suite } from '../../src/suite.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** A Python with pytest-lsp. */
const PYTHON = process.env['MANYWORLDS_PYTEST_LSP'] ?? join(homedir(), 'pytest-lsp-oracle/bin/python');
const TESTS = join(ROOT, 'conformance/suites/lsp/test_clients.py');
const EDITORS = ['visual_studio_code', 'neovim', 'emacs'];
const SCENES = [
	'a_wrong_axis_is_found_once',
	'hover_tells_the_composed_value',
	'definition_leads_to_the_prim',
	'completion_knows_the_types_of_prims',
	'symbols_are_the_prims',
	'a_fix_of_a_finding_is_offered',
];

/** The server by a client that somebody else wrote, which holds both sides to the protocol. */
export const lspPytest: Suite = {
	name: 'lsp/pytest',
	description: 'scenes of pytest-lsp with the recorded capabilities of three editors',
	defaultDir: '.',
	groups: [
		{
			name: 'scenes',
			description: 'each scene with each editor',
			tolerance: 'exact',
			timeLimit: 600,
			*cases(): Generator<Case> {
				for (const scene of SCENES)
					for (const editor of EDITORS) {
						const name = `${scene.replaceAll('_', ' ')}, ${editor.replaceAll('_', ' ')}`;
						yield { name, run: () => outcomeOf(`test_${scene}[${editor}]`) };
					}
			},
		},
	],
};

/** What pytest says of each test, and what else it said; all are run once. */
let outcomes: { readonly words: ReadonlyMap<string, string>; readonly text: string } | undefined;

function outcomeOf(test: string): Outcome {
	if (!existsSync(PYTHON)) return { skipped: `there is no ${PYTHON}: see docs/testing.md, "Editors"` };
	outcomes ??= runAll();
	const word = outcomes.words.get(test);
	return word === 'PASSED' ? undefined : `${word ?? 'it was not run'}: ${outcomes.text.slice(-600)}`;
}

function runAll(): NonNullable<typeof outcomes> {
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-pytest-lsp-'));
	try {
		cpSync(join(ROOT, 'examples/robots/heron'), join(folder, 'heron'), { recursive: true });
		const server = [
			process.execPath,
			...['--import', 'tsx', '--conditions=@manyworlds/source'],
			join(ROOT, 'packages/manyworlds/src/command/bin.ts'),
			...['lsp', '--stdio'],
		];
		const { stdout, stderr } = spawnSync(PYTHON, ['-m', 'pytest', '-v', '-p', 'no:cacheprovider', TESTS], {
			cwd: ROOT,
			encoding: 'utf8',
			maxBuffer: 1e8,
			env: {
				...process.env,
				PYTHONDONTWRITEBYTECODE: '1',
				SERVER: JSON.stringify(server),
				ROBOT: join(folder, 'heron'),
			},
		});
		const words = new Map(
			[...stdout.matchAll(/::(test_\S+) (PASSED|FAILED|ERROR)/g)].map(([, test, word]) => [test!, word!]),
		);
		return { words, text: `${stdout}${stderr}` };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
