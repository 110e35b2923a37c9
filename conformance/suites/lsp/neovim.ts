import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type {
	CodeAction,
	Diagnostic,
	Position,
	PublishDiagnosticsParams,
	TextEdit,
	WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import type { DocumentText } from '../../../packages/lsp/src/text/document-text.ts';
import { applyEdits, TestClient } from '../../../packages/lsp/test/support/test-client.ts';
import type { Case, Outcome, Suite } from '../../src/suite.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const ROBOT = join(ROOT, 'examples/robots/heron');
/** Time [s] that Neovim has for all scenarios. */
const LONGEST = 240;

/** What came of a scenario, as both clients write it. */
interface Transcript {
	readonly diagnostics?: readonly (readonly unknown[])[];
	readonly error?: string;
	readonly texts?: Readonly<Record<string, string>>;
	readonly answer?: unknown;
}

/** A real editor and a protocol client do the same, and get the same. */
export const lspNeovim: Suite = {
	name: 'lsp/neovim',
	description: 'scenarios on an example robot, done in Neovim and by a protocol client',
	defaultDir: ROBOT,
	groups: [
		{
			name: 'scenarios',
			description: 'what Neovim shows and changes is what a protocol client is told',
			tolerance: 'exact',
			timeLimit: LONGEST + 60,
			*cases(): Generator<Case> {
				for (const scenario of SCENARIOS) yield { name: scenario.name, run: () => compare(scenario) };
			},
		},
	],
};

let transcripts:
	| Promise<{ readonly client: Map<string, Transcript>; readonly editor: Record<string, Transcript> | string }>
	| undefined;

async function compare({ name }: Scenario): Promise<Outcome> {
	transcripts ??= run();
	const { client, editor } = await transcripts;
	if (typeof editor === 'string') return { skipped: editor };
	const [expected, found] = [client.get(name), editor[name]].map((one) => canonical(one));
	if (expected === undefined || found === undefined) return 'it was not done';
	return expected === found ? undefined : `Neovim has ${found.slice(0, 300)}, the client ${expected.slice(0, 300)}`;
}

/** JSON with keys in order. Lua cannot tell an empty list from an empty object, and has no null in tables. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (_, part: unknown) => {
		if (part === null || typeof part !== 'object') return part === null ? undefined : part;
		if (Array.isArray(part)) return part;
		const entries = Object.entries(part).filter(([key, one]) => one !== null && key !== 'resultId');
		return entries.length === 0 ? [] : Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
	});
}

async function run(): Promise<{ client: Map<string, Transcript>; editor: Record<string, Transcript> | string }> {
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-neovim-'));
	try {
		cpSync(ROBOT, folder, { recursive: true });
		const client = await runClient(folder);
		return { client, editor: runNeovim(folder, client) };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function runClient(folder: string): Promise<Map<string, Transcript>> {
	const found = new Map<string, Transcript>();
	const client = await TestClient.start(
		{},
		{
			disk: folder,
			pulls: false,
			capabilities: {
				textDocument: {
					hover: { contentFormat: ['markdown', 'plaintext'] },
					documentSymbol: { hierarchicalDocumentSymbolSupport: true },
					definition: { linkSupport: true },
				},
			},
		},
	);
	for (const scenario of SCENARIOS) {
		await client.open(scenario.file);
		if (scenario.edit !== undefined) await client.edit(scenario.file, ...scenario.edit);
		found.set(scenario.name, await clientTranscript(client, scenario));
		await client.close(scenario.file);
	}
	await client.stop();
	return found;
}

async function clientTranscript(
	client: TestClient,
	{ file, at, method, params = {}, applies }: Scenario,
): Promise<Transcript> {
	if (method === 'diagnostics')
		return { diagnostics: (await whenSettled(client, file)).map((one) => toRow(one, client.texts.get(file)!.text)) };
	const position = at === undefined ? {} : { position: client.position(file, at) };
	const textDocument = method === 'workspace/symbol' ? {} : { textDocument: { uri: client.uri(file) } };
	try {
		if (method === 'fixAll') {
			const start = { line: 0, character: 0 };
			const [action] = await client.in<CodeAction[]>('textDocument/codeAction', file, {
				range: { start, end: start },
				context: { diagnostics: [], only: ['source.fixAll'] },
			});
			return { texts: textsAfter(client, file, action!.edit!) };
		}
		const answer = await client.connection.sendRequest<unknown>(method, { ...textDocument, ...position, ...params });
		if (applies !== true) return { answer };
		if (method !== 'textDocument/formatting') return { texts: textsAfter(client, file, answer as WorkspaceEdit) };
		return { texts: { [file]: withoutEnd(applyEdits(client.texts.get(file)!.text, answer as TextEdit[])) } };
	} catch (error) {
		return { error: (error as Error).message };
	}
}

/** The last diagnostics of a file after nothing new has come for a while. */
async function whenSettled(client: TestClient, file: string): Promise<readonly Diagnostic[]> {
	const uri = client.uri(file);
	const { version } = client.texts.get(file)!;
	const isOf = (params: PublishDiagnosticsParams): boolean => params.uri === uri && params.version === version;
	await client.whenPublished(isOf);
	// the workspace answers when the asset is checked as it is now
	await client.connection.sendRequest('workspace/diagnostic', { previousResultIds: [] });
	return client.published.findLast(isOf)!.diagnostics;
}

/** A diagnostic as Neovim has it: columns in bytes. */
function toRow({ code, range: { start, end }, message }: Diagnostic, text: DocumentText): readonly unknown[] {
	const column = (position: Position): number => text.offset(position) - text.lineStart(position.line);
	return [code, start.line, column(start), end.line, column(end), message];
}

function textsAfter(client: TestClient, file: string, edit: WorkspaceEdit): Record<string, string> {
	const changed = client.applied(edit);
	if (!changed.has(file)) changed.set(file, client.text(file));
	return Object.fromEntries([...changed].map(([name, text]) => [name, withoutEnd(text)]));
}

/** Neovim has lines, and so no line end behind the last one. */
function withoutEnd(text: string): string {
	return text.replace(/\n$/, '');
}

function runNeovim(folder: string, client: ReadonlyMap<string, Transcript>): Record<string, Transcript> | string {
	try {
		execFileSync('nvim', ['--version'], { stdio: 'ignore' });
	} catch {
		return 'Neovim is not installed (nvim)';
	}
	const scenarios = SCENARIOS.map((scenario) => ({
		...scenario,
		expected: client.get(scenario.name)?.diagnostics ?? [],
	}));
	const command = [
		process.execPath,
		'--import',
		'tsx',
		'--conditions=@manyworlds/source',
		join(ROOT, 'packages/manyworlds/src/command/bin.ts'),
		'lsp',
		'--stdio',
	];
	const input = join(folder, '..', `${folder.split('/').at(-1)}.json`);
	const output = `${input}.out`;
	writeFileSync(input, JSON.stringify({ folder, command, scenarios }));
	try {
		const { status } = spawnSync(
			'nvim',
			['--headless', '-u', 'NONE', '-n', '-c', `luafile ${join(import.meta.dirname, 'neovim.lua')}`],
			{
				cwd: ROOT,
				env: {
					...process.env,
					SCENARIOS: input,
					RESULTS: output,
					NVIM_LOG_FILE: '/dev/null',
					XDG_STATE_HOME: tmpdir(),
					XDG_CACHE_HOME: tmpdir(),
				},
				timeout: LONGEST * 1000,
				stdio: ['ignore', 'ignore', 'inherit'],
			},
		);
		if (!existsSync(output)) throw new Error(`Neovim ended with ${status} and wrote nothing`);
		return JSON.parse(readFileSync(output, 'utf8')) as Record<string, Transcript>;
	} finally {
		rmSync(input, { force: true });
		rmSync(output, { force: true });
	}
}
