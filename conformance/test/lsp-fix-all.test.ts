import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { main } from 'manyworlds/internal';
import { afterAll, expect, it } from 'vitest';
import type { CodeAction } from 'vscode-languageserver-protocol';
import { TestClient } from '../../packages/lsp/test/support/test-client.ts';

const DATA = resolve(import.meta.dirname, '../data/rep158-fix');
const folder = mkdtempSync(join(tmpdir(), 'manyworlds-fix-all-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let compared = 0;
const cases = readdirSync(DATA).filter((name) => statSync(join(DATA, name)).isDirectory());

it.each(cases)('source.fixAll of %s gives the bytes that manyworlds fix writes', async (name) => {
	const copy = join(folder, name);
	cpSync(join(DATA, name, 'before'), copy, { recursive: true });
	const { entry } = JSON.parse(readFileSync(join(DATA, name, 'case.json'), 'utf8')) as { entry?: string };
	const layers = readdirSync(copy).filter((file) => file.endsWith('.usda'));
	const root = entry ?? layers[0]!;
	const client = await TestClient.start({}, { disk: copy, hasFolder: false, isIdle: true });
	await client.open(root);
	const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
	const [action] = await client.in<CodeAction[]>('textDocument/codeAction', root, {
		range,
		context: { diagnostics: [], only: ['source.fixAll'] },
	});
	const before = contents(copy);
	const edited = action?.edit === undefined ? new Map<string, string>() : client.applied(action.edit);
	await client.stop();
	await fix(copy, root);
	const after = contents(copy);
	const changed = [...after].filter(([file, bytes]) => before.get(file) !== bytes);
	if (action?.disabled !== undefined) {
		// what is no text cannot be edited in an editor, and the action says so
		expect(changed.some(([file]) => !/\.usda$/.test(file))).toBe(true);
		return;
	}
	expect(Object.fromEntries(edited)).toEqual(Object.fromEntries(changed));
	if (changed.length > 0) compared++;
});

it('most cases are changes that an editor can make', () => {
	expect(compared).toBeGreaterThan(cases.length / 2);
});

function contents(root: string): Map<string, string> {
	const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
		statSync(join(root, file)).isFile(),
	);
	return new Map(files.map((file) => [relative(root, join(root, file)), readFileSync(join(root, file), 'utf8')]));
}

async function fix(cwd: string, root: string): Promise<void> {
	const nowhere = { write: () => true };
	await main(['fix', root], { stdout: nowhere, stderr: nowhere, env: {}, cwd, now: () => 0 });
}
