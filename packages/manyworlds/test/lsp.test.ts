import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
	createProtocolConnection,
	type DocumentDiagnosticReport,
	type ProtocolConnection,
	StreamMessageReader,
	StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { bundledFile } from './bundle-sources.ts';
import { HERON, ROOT, runCli } from './run-cli.ts';

function start(): {
	readonly connection: ProtocolConnection;
	readonly ended: Promise<number | null>;
} {
	const child = spawn(process.execPath, [bundledFile('bin'), 'lsp', '--stdio'], {
		cwd: ROOT,
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
	const connection = createProtocolConnection(
		new StreamMessageReader(child.stdout!),
		new StreamMessageWriter(child.stdin!),
	);
	connection.onRequest('client/registerCapability', () => null);
	connection.listen();
	return { connection, ended };
}

test('a client over standard input and output is told what check prints, and the server ends with status 0', async () => {
	const { connection, ended } = start();
	const folder = join(ROOT, 'examples/robots/heron');
	await connection.sendRequest('initialize', {
		processId: process.pid,
		rootUri: null,
		workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'heron' }],
		capabilities: { textDocument: { diagnostic: {} }, general: { positionEncodings: ['utf-8'] } },
	});
	await connection.sendNotification('initialized', {});
	const uri = pathToFileURL(join(ROOT, HERON)).href;
	const text = readFileSync(join(ROOT, HERON), 'utf8').replace('upAxis = "Z"', 'upAxis = "Y"');
	await connection.sendNotification('textDocument/didOpen', {
		textDocument: { uri, languageId: 'usda', version: 1, text },
	});
	const report = await connection.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
		textDocument: { uri },
	});
	const items = report.kind === 'full' ? report.items : [];
	expect(items.map(({ message }) => message).join('\n')).toMatch(/upAxis/);
	await connection.sendRequest('shutdown');
	await connection.sendNotification('exit');
	expect(await ended).toBe(0);
});

test.each(['bash', 'zsh', 'fish'])('completion of %s knows every command and the choices of options', async (shell) => {
	const { code, stdout } = await runCli(['completion', shell]);
	expect(code).toBe(0);
	for (const word of ['check', 'fix', 'convert', 'lsp', 'sarif']) expect(stdout).toContain(word);
});

test('the completion of bash completes', async () => {
	const { stdout } = await runCli(['completion', 'bash']);
	const script = `${stdout}\nCOMP_WORDS=(manyworlds check --form); COMP_CWORD=2; _manyworlds; echo "\${COMPREPLY[@]}"; COMP_WORDS=(manyworlds check --format sa); COMP_CWORD=3; _manyworlds; echo "\${COMPREPLY[@]}"`;
	const child = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
	let output = '';
	child.stdout.on('data', (data: Buffer) => {
		output += data.toString();
	});
	await new Promise((resolve) => child.on('exit', resolve));
	expect(output).toBe('--format\nsarif\n');
});
