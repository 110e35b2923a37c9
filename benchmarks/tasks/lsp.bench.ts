import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatBytes } from '@manyworlds/usd/internal';
import type {
	CompletionList,
	DocumentDiagnosticReport,
	Hover,
	SemanticTokens,
	SemanticTokensDelta,
} from 'vscode-languageserver-protocol/node';
import {
	createProtocolConnection,
	StreamMessageReader,
	StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { TestClient, type TestClientOptions } from '../../packages/lsp/test/support/test-client.ts';
import { BUNDLED_COMMAND, bundleCommand } from '../files/bundled-command.ts';
import { makeRobot, robotPrims } from '../files/check-robots.ts';
import type { BenchSuite, BenchTask, Prepared } from '../harness/task.ts';

/** Lines of the layer of which findings are timed, and prims of the one that stands for a large robot. */
const LINES = 5000;
const LIMBS = 1666;
/** Edits after which memory is looked at. */
const EDITS = 10_000;
/** Growth of memory that many edits may leave [bytes]. */
const MOST_GROWTH = 16_000_000;

/** A layer with prims of five lines. */
function layer(prims: number): string {
	const parts = Array.from(
		{ length: prims },
		(_, i) =>
			`    def Cube "part${i}"\n    {\n        double size = ${i % 7}\n        rel next = </World/part${(i + 1) % prims}>\n    }\n`,
	);
	return `#usda 1.0\n(\n    defaultPrim = "World"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n\ndef Xform "World"\n{\n${parts.join('')}}\n`;
}

/** What an editor waits for: findings, colours, help, the start. */
export const suite: BenchSuite = {
	name: 'lsp',
	prepare: async ({ folder }) => {
		bundleCommand();
		makeRobot(join(folder, 'check/chain'), 1, 50);
		const large = layer(12_000).length;
		return `a layer of ${LINES} lines, one of ${formatBytes(large)}, and one of ${robotPrims(LIMBS, 1)} prims`;
	},
	tasks: [
		task('syntaxLines', `a mistake typed into ${LINES} lines, until it is told`, () =>
			typing(layer(LINES / 5), { pulls: false }),
		),
		task('syntaxLarge', 'a mistake typed into a large layer, until it is told', () =>
			typing(layer(12_000), { pulls: false }),
		),
		task('findingsLines', `a number changed in ${LINES} lines, until all findings are told, with the pause`, () =>
			findings(layer(LINES / 5)),
		),
		task(
			'findingsStage',
			`a number changed in a stage of ${robotPrims(LIMBS, 1)} prims, until all findings are told, with the pause`,
			() => findings(layer(robotPrims(LIMBS, 1))),
		),
		task('tokensDelta', 'colours of a large layer after an edit, as the difference', () => tokens(layer(12_000))),
		task('hover', 'what stands at a place of a large stage', () => hover(layer(robotPrims(LIMBS, 1)))),
		task('completion', 'what may be written at a place of a large stage', () =>
			completion(layer(robotPrims(LIMBS, 1))),
		),
		task('coldStart', 'start a process, open a robot of 50 links, until its findings are told', coldStart),
		task('manyEdits', `${EDITS} edits of ${LINES} lines with findings of every hundredth; memory must not grow`, () =>
			manyEdits(layer(LINES / 5)),
		),
	],
};

function task(name: string, title: string, prepare: (folder: string) => Promise<Prepared>): BenchTask {
	const contender = { name: 'manyworlds', prepare: ({ folder }: { readonly folder: string }) => prepare(folder) };
	return { kind: 'task', name, title, rates: [], contenders: [contender], outside: [] };
}

async function open(text: string, options: TestClientOptions = {}): Promise<TestClient> {
	const client = await TestClient.start({ 'a.usda': text }, options);
	await client.open('a.usda');
	return client;
}

/** Types a mistake and takes it back, in turn. */
async function typing(text: string, options: TestClientOptions): Promise<Prepared> {
	const client = await open(text, options);
	let isWrong = false;
	return {
		run: async () => {
			isWrong = !isWrong;
			await client.edit(
				'a.usda',
				isWrong ? 'double size = 3' : 'double size = oops',
				isWrong ? 'double size = oops' : 'double size = 3',
			);
			const { version } = client.texts.get('a.usda')!;
			return client.whenPublished((params) => params.version === version);
		},
		check: (result) => {
			const codes = (result as { diagnostics: { message: string }[] }).diagnostics.filter(({ message }) =>
				message.includes('oops'),
			);
			if (codes.length > 0 !== isWrong) throw new Error(`${codes.length} findings about the mistake`);
			return {};
		},
	};
}

async function findings(text: string): Promise<Prepared> {
	const client = await open(text);
	await client.pull('a.usda');
	let isUp = true;
	return {
		run: async () => {
			isUp = !isUp;
			await client.edit('a.usda', isUp ? 'upAxis = "Y"' : 'upAxis = "Z"', isUp ? 'upAxis = "Z"' : 'upAxis = "Y"');
			return client.pull('a.usda');
		},
		check: (result) => {
			const items = (result as { items?: { message: string }[] }).items ?? [];
			if (items.some(({ message }) => message.includes("upAxis is 'Y'")) === isUp)
				throw new Error('the findings are those before the edit');
			return { findings: items.length };
		},
	};
}

async function tokens(text: string): Promise<Prepared> {
	const client = await open(text, { isIdle: true });
	let { resultId } = await client.in<SemanticTokens>('textDocument/semanticTokens/full', 'a.usda');
	let count = 0;
	return {
		run: async () => {
			await client.edit('a.usda', 'def Cube "part9', `# ${count++}\n    def Cube "part9`);
			const delta = await client.in<SemanticTokensDelta>('textDocument/semanticTokens/full/delta', 'a.usda', {
				previousResultId: resultId,
			});
			({ resultId } = delta);
			return delta;
		},
		check: (result) => {
			const delta = result as SemanticTokensDelta;
			const sent = delta.edits.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
			if (delta.edits.length === 0 || sent > 200) throw new Error(`${sent} numbers for one line`);
			return { numbers: sent };
		},
	};
}

async function hover(text: string): Promise<Prepared> {
	const client = await open(text, { isIdle: true });
	const ask = (): Promise<Hover> => client.at('textDocument/hover', 'a.usda', 'def Cube "part77|"');
	await ask();
	return {
		run: ask,
		check: (result) => {
			if (!JSON.stringify(result).includes('/World/part77')) throw new Error('it tells something else');
			return {};
		},
	};
}

async function completion(text: string): Promise<Prepared> {
	const client = await open(text, { isIdle: true });
	const ask = (): Promise<CompletionList> =>
		client.at('textDocument/completion', 'a.usda', 'rel next = </World/|part8>');
	await ask();
	return {
		run: ask,
		check: (result) => {
			const { items, isIncomplete } = result as CompletionList;
			if (items.length < 100 || !isIncomplete) throw new Error(`${items.length} proposals`);
			return { proposals: items.length };
		},
	};
}

async function coldStart(folder: string): Promise<Prepared> {
	const uri = pathToFileURL(join(folder, 'check/chain/robot.usda')).href;
	const { readFileSync } = await import('node:fs');
	const text = readFileSync(join(folder, 'check/chain/robot.usda'), 'utf8');
	const start = async (): Promise<{
		readonly report: DocumentDiagnosticReport;
		readonly end: (isPatient: boolean) => Promise<void>;
	}> => {
		const child = spawn(process.execPath, [BUNDLED_COMMAND, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
		const connection = createProtocolConnection(
			new StreamMessageReader(child.stdout),
			new StreamMessageWriter(child.stdin),
		);
		connection.listen();
		await connection.sendRequest('initialize', {
			processId: process.pid,
			rootUri: null,
			capabilities: { textDocument: { diagnostic: {} } },
		});
		await connection.sendNotification('textDocument/didOpen', {
			textDocument: { uri, languageId: 'usda', version: 1, text },
		});
		const report = await connection.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
			textDocument: { uri },
		});
		const end = async (isPatient: boolean): Promise<void> => {
			const ended = new Promise((resolve) => child.on('exit', resolve));
			if (isPatient) {
				await connection.sendRequest('shutdown');
				await connection.sendNotification('exit');
			} else child.kill();
			await ended;
			connection.dispose();
		};
		return { report, end };
	};
	// the first time on a machine compiles the program; what that gives is kept when the editor ends
	await (await start()).end(true);
	return {
		run: async () => {
			const { report, end } = await start();
			await end(false);
			return report;
		},
		check: (result) => {
			const { kind } = result as DocumentDiagnosticReport;
			if (kind !== 'full') throw new Error(`the answer is ${kind}`);
			return {};
		},
	};
}

async function manyEdits(text: string): Promise<Prepared> {
	return {
		run: async () => {
			const client = await open(text);
			let early = 0;
			for (let i = 0; i < EDITS; i++) {
				const [from, to] =
					i % 2 === 0 ? ['double size = 3', 'double size = 33'] : ['double size = 33', 'double size = 3'];
				await client.edit('a.usda', from!, to!);
				if (i % 100 === 99) await client.pull('a.usda');
				if (i === EDITS / 10) early = await heapUsed();
			}
			const growth = (await heapUsed()) - early;
			await client.stop();
			return growth;
		},
		check: (growth) => {
			if ((growth as number) > MOST_GROWTH) throw new Error(`memory grew by ${formatBytes(growth as number)}`);
			return { edits: EDITS };
		},
	};
}

/** Bytes in use after what nobody needs is gone. */
async function heapUsed(): Promise<number> {
	const { gc } = globalThis as { gc?: () => void };
	if (gc === undefined) throw new Error('the process was started without --expose-gc');
	for (let i = 0; i < 3; i++) {
		gc();
		await new Promise((resolve) => setImmediate(resolve));
	}
	return process.memoryUsage().heapUsed;
}
