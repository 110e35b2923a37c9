import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Report } from '@manyworlds/core';
import { compareLayers, readUsda } from '@manyworlds/usd';
import { main } from 'manyworlds/internal';
import type { Diagnostic, DocumentSymbol, SemanticTokens, TextEdit } from 'vscode-languageserver-protocol';
import { applyEdits, TestClient } from '../../../packages/lsp/test/support/test-client.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';

/** Every layer, opened in an editor and checked by the command. */
export const lspConformanceLayers: Suite = {
	name: 'lsp/conformance-layers',
	description: 'text layers, right and wrong ones; what an editor is told against what the command prints',
	defaultDir: 'conformance',
	groups: [
		{
			name: 'findings',
			description: 'diagnostics of the language server and of check --format json are the same set',
			tolerance: 'exact: code, severity, message, file, line and column',
			timeLimit: 60,
			cases: (context) => cases(context, checkFindings),
		},
		{
			name: 'views',
			description:
				'tokens, symbols, folding, links and lenses of any layer come without an error; formatting keeps the content',
			tolerance: 'exact',
			timeLimit: 60,
			cases: (context) => cases(context, checkViews),
		},
	],
};

function* cases({ dir }: SuiteContext, run: (file: string) => Promise<Outcome>): Generator<Case> {
	const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.usda'));
	for (const file of files.sort()) {
		if (statSync(join(dir, file)).isFile()) yield { name: file, run: () => run(join(dir, file)) };
	}
}

const SEVERITIES = ['', 'error', 'warning', 'info', 'hint'];

async function checkFindings(file: string): Promise<Outcome> {
	const folder = dirname(file);
	const name = basename(file);
	const client = await TestClient.start({}, { disk: folder, hasFolder: false });
	const told = new Set<string>();
	try {
		await client.open(name);
		await client.pull(name);
		const { items } = await client.connection.sendRequest<{ items: { uri: string; items?: Diagnostic[] }[] }>(
			'workspace/diagnostic',
			{ previousResultIds: [] },
		);
		for (const { uri, items: findings = [] } of items) {
			const path = decodeURIComponent(uri.replace('file://', ''));
			for (const { code, severity = 1, data, range } of findings) {
				const message = String((data as { readonly message: string }).message);
				const column = columnOf(client, path, range.start.line, range.start.character);
				told.add(
					key([String(code), SEVERITIES[severity]!, message, path, `${range.start.line + 1}:${column}`], folder),
				);
			}
		}
	} finally {
		await client.stop();
	}
	const printed = await check(folder, name);
	const onlyTold = [...told].filter((one) => !printed.has(one));
	const onlyPrinted = [...printed].filter((one) => !told.has(one));
	if (onlyTold.length + onlyPrinted.length === 0) return undefined;
	return `${onlyTold.length} only in the editor, ${onlyPrinted.length} only of the command: ${[...onlyTold, ...onlyPrinted].slice(0, 2).join(' | ')}`;
}

/** A column as findings count them: code points from 1. */
function columnOf(client: TestClient, path: string, line: number, character: number): number {
	const bytes = client.bytes(path.slice(client.folder.length + 1));
	const text = bytes && client.textAt(`file://${path}`);
	if (text === undefined) return 1;
	const start = text.lineStart(line);
	return [...text.slice(start, text.offset({ line, character }))].length + 1;
}

function key(
	[code, severity, message, file, place]: readonly [string, string, string, string, string],
	folder: string,
): string {
	const relative = (text: string): string => text.replaceAll(`${folder}/`, '');
	return [code, severity, relative(message), relative(file), place].join(' ');
}

/** What `manyworlds check` prints about a file. */
async function check(folder: string, name: string): Promise<Set<string>> {
	let output = '';
	const io = {
		stdout: { write: (data: string | Uint8Array) => void (output += String(data)) },
		stderr: { write: () => {} },
		env: {},
		cwd: folder,
		now: () => 0,
	};
	await main(['check', name, '--format', 'json', '--no-config', '--no-fixes'], io);
	const { diagnostics } = JSON.parse(output) as {
		diagnostics: { code: string; severity: string; message: string; file?: string; line?: number; column?: number }[];
	};
	const found = new Set<string>();
	for (const { code, severity, message, file = name, line = 1, column = 1 } of diagnostics) {
		// that nothing could be opened is told by what is wrong with the text
		if (code.startsWith('CLI')) continue;
		found.add(key([code, severity, message.replace(ROOT_HINT, ''), file, `${line}:${column}`], folder));
	}
	return found;
}

/** Advice that only makes sense on a command line. */
const ROOT_HINT = /; --root DIR allows one more|; name its folder with --package \S+/g;

async function checkViews(file: string): Promise<Outcome> {
	const client = await TestClient.start({}, { disk: dirname(file), hasFolder: false, isIdle: true });
	try {
		const name = basename(file);
		await client.open(name);
		const { data } = await client.in<SemanticTokens>('textDocument/semanticTokens/full', name);
		const problem = wrongTokens(data, client, name);
		if (problem !== undefined) return problem;
		await client.in<DocumentSymbol[]>('textDocument/documentSymbol', name);
		for (const method of ['foldingRange', 'documentLink', 'codeLens', 'documentColor'])
			await client.in(`textDocument/${method}`, name);
		const edits = await client.in<TextEdit[] | null>('textDocument/formatting', name, {
			options: { tabSize: 4, insertSpaces: true },
		});
		return wrongFormat(client, name, edits ?? []);
	} finally {
		await client.stop();
	}
}

/** Tokens must lie inside of their lines, in order and apart. */
function wrongTokens(data: readonly number[], client: TestClient, name: string): string | undefined {
	const { text } = client.texts.get(name)!;
	let line = 0;
	let character = 0;
	let end = 0;
	for (let i = 0; i < data.length; i += 5) {
		const [down, right, length] = data.slice(i, i + 3) as [number, number, number];
		if (down > 0) [line, character, end] = [line + down, 0, 0];
		character += right;
		const start = text.offset({ line, character });
		if (character < end || length <= 0 || text.position(start).character !== character)
			return `the token at ${line}:${character} is wrong`;
		end = character + length;
		if (text.position(text.offset({ line, character: end })).character !== end)
			return `the token at ${line}:${character} leaves its line`;
	}
	return undefined;
}

const ORDERS: ReadonlySet<string> = new Set(['properties', 'variantChildren']);

function wrongFormat(client: TestClient, name: string, edits: readonly TextEdit[]): string | undefined {
	const { text } = client.texts.get(name)!;
	const report = new Report();
	const before = readUsda(text.bytes, { report });
	if (report.hasErrors) return edits.length === 0 ? undefined : 'broken text was formatted';
	const after = readUsda(new TextEncoder().encode(applyEdits(text, edits)));
	// the canonical form sorts properties and variants; which there are is compared spec by spec
	const difference = compareLayers(before, after).find(({ field = '' }) => !ORDERS.has(field));
	return difference && `formatting changes ${difference.path} ${difference.field ?? ''}: ${difference.kind}`;
}
