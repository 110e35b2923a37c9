import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { main } from 'manyworlds/internal';
import type { CodeAction } from 'vscode-languageserver-protocol';
import { TestClient } from '../../../packages/lsp/test/support/test-client.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';

/** Everything that can be fixed safely, in an editor and by the command. */
export const lspFixAll: Suite = {
	name: 'lsp/fix-all',
	description: 'cases of rep158-fix; source.fixAll of the language server against manyworlds fix',
	defaultDir: resolve(import.meta.dirname, '../../data/rep158-fix'),
	groups: [
		{
			name: 'bytes',
			description: 'the texts after source.fixAll are those that manyworlds fix writes, and no other file changes',
			tolerance: 'exact',
			timeLimit: 60,
			*cases({ dir }: SuiteContext): Generator<Case> {
				const names = readdirSync(dir).filter((name) => statSync(join(dir, name)).isDirectory());
				for (const name of names.sort()) yield { name, run: () => checkCase(join(dir, name)) };
			},
		},
	],
};

async function checkCase(from: string): Promise<Outcome> {
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-fix-all-'));
	try {
		cpSync(join(from, 'before'), folder, { recursive: true });
		const { entry } = JSON.parse(readFileSync(join(from, 'case.json'), 'utf8')) as { entry: string };
		const client = await TestClient.start({}, { disk: folder, hasFolder: false, isIdle: true });
		await client.open(entry);
		const start = { line: 0, character: 0 };
		const [action] = await client.in<CodeAction[]>('textDocument/codeAction', entry, {
			range: { start, end: start },
			context: { diagnostics: [], only: ['source.fixAll'] },
		});
		const edited = action?.edit === undefined ? new Map<string, string>() : client.applied(action.edit);
		await client.stop();
		const before = contents(folder);
		const nowhere = { write: () => true };
		await main(['fix', entry], { stdout: nowhere, stderr: nowhere, env: {}, cwd: folder, now: () => 0 });
		const changed = new Map([...contents(folder)].filter(([file, text]) => before.get(file) !== text));
		if (action?.disabled !== undefined) {
			// what is no text cannot be edited in an editor, and the action says so
			const isBinary = [...changed.keys()].some((file) => !file.endsWith('.usda'));
			return isBinary ? { excluded: 'it changes files that are no text' } : `it is refused: ${action.disabled.reason}`;
		}
		for (const file of new Set([...edited.keys(), ...changed.keys()])) {
			if (edited.get(file) !== changed.get(file)) return `${file} differs`;
		}
		return changed.size === 0 ? { excluded: 'there is nothing to fix' } : undefined;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function contents(root: string): Map<string, string> {
	const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
	return new Map(
		files
			.filter((file) => statSync(join(root, file)).isFile())
			.map((file) => [file, readFileSync(join(root, file), 'utf8')]),
	);
}
