import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { unzipSync } from 'fflate';
import { chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
	createProtocolConnection,
	type DocumentDiagnosticReport,
	StreamMessageReader,
	StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { ROOT } from '../source-files.ts';
import { packVsix, type Vsix } from './pack-vsix.ts';

let vsix: Vsix;
let content: Record<string, Uint8Array>;
const folder = mkdtempSync(join(tmpdir(), 'manyworlds-vsix-'));

beforeAll(async () => {
	vsix = await packVsix();
	content = unzipSync(vsix.bytes);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function text(name: string): string {
	return new TextDecoder().decode(content[name]);
}

it('holds these files and stays below three megabytes', () => {
	expect(vsix.files).toEqual([
		'[Content_Types].xml',
		'extension.vsixmanifest',
		'extension/LICENSE',
		'extension/README.md',
		'extension/dist/extension-web.js',
		'extension/dist/extension.js',
		'extension/dist/server-web.js',
		'extension/dist/server.js',
		'extension/language-configuration.json',
		'extension/package.json',
		'extension/syntaxes/urdf.tmLanguage.json',
		'extension/syntaxes/usda.tmLanguage.json',
		'extension/xml-configuration.json',
	]);
	expect(vsix.bytes.length).toBeLessThan(3_000_000);
});

it('names only files that it holds', () => {
	const { main, browser, contributes } = JSON.parse(text('extension/package.json')) as {
		main: string;
		browser: string;
		contributes: { languages: { configuration: string }[]; grammars: { path: string }[] };
	};
	const named = [
		main,
		browser,
		...contributes.languages.map((one) => one.configuration),
		...contributes.grammars.map((one) => one.path),
	];
	for (const name of named) expect(Object.keys(content)).toContain(`extension/${name.replace('./', '')}`);
	for (const [, path] of text('extension.vsixmanifest').matchAll(/Path="([^"]+)"/g))
		expect(Object.keys(content)).toContain(path);
});

it('needs nothing of Node in its bundles for the web', () => {
	const needed = new RegExp(`require\\(["'](?:node:)?(?:${builtinModules.join('|')})["']\\)|from\\s*["']node:`);
	for (const name of ['extension-web.js', 'server-web.js'])
		expect(needed.exec(text(`extension/dist/${name}`))).toBeNull();
	expect(needed.exec(text('extension/dist/server.js'))).not.toBeNull();
});

it('has a problem matcher that reads what check prints', async () => {
	const { contributes } = JSON.parse(text('extension/package.json')) as {
		contributes: { problemMatchers: { pattern: { regexp: string } }[] };
	};
	const line = 'examples/stages/arm.usda:10:5: error R1.1.3: timeCodesPerSecond is 24, expected 1';
	expect(new RegExp(contributes.problemMatchers[0]!.pattern.regexp).exec(line)?.slice(1)).toEqual([
		'examples/stages/arm.usda',
		'10',
		'5',
		'error',
		'R1.1.3',
		'timeCodesPerSecond is 24, expected 1',
	]);
});

it('has a grammar whose expressions are right', () => {
	const seen: string[] = [];
	const visit = (part: unknown): void => {
		if (Array.isArray(part)) part.forEach(visit);
		else if (typeof part === 'object' && part !== null) {
			for (const [key, value] of Object.entries(part)) {
				if (/^(?:match|begin|end)$/.test(key) && typeof value === 'string') seen.push(value);
				else visit(value);
			}
		}
	};
	visit(JSON.parse(text('extension/syntaxes/usda.tmLanguage.json')));
	expect(seen.length).toBeGreaterThan(10);
	for (const expression of seen) expect(() => new RegExp(expression, 'u')).not.toThrow();
});

const BROKEN = '#usda 1.0\ndef Xform "A" (\n    references = @./part.usda@\n)\n{\n    float x = oops\n}\n';

it('has a server that runs by itself', async () => {
	const server = join(folder, 'server.js');
	writeFileSync(server, content['extension/dist/server.js']!);
	const child = spawn(process.execPath, [server, '--stdio'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
	const ended = new Promise((resolve) => child.on('exit', resolve));
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
	const uri = pathToFileURL(join(folder, 'a.usda')).href;
	await connection.sendNotification('textDocument/didOpen', {
		textDocument: { uri, languageId: 'usda', version: 1, text: BROKEN },
	});
	const report = await connection.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
		textDocument: { uri },
	});
	expect((report as { items: { code: string }[] }).items.map(({ code }) => code)).toEqual(
		expect.arrayContaining(['USDA030', 'R1.1.1']),
	);
	await connection.sendRequest('shutdown');
	await connection.sendNotification('exit');
	expect(await ended).toBe(0);
});

it('has a server that runs in a worker of a browser, with files that the page has', async () => {
	const executablePath = process.env['CHROMIUM_PATH'] ?? (await chromium.executablePath());
	const browser = await playwright.launch({ executablePath, args: ['--no-sandbox', '--no-zygote', '--disable-gpu'] });
	try {
		const page = await browser.newPage();
		await page.goto('about:blank');
		const program = readFileSync(join(ROOT, 'scripts/vscode/worker-client.js'), 'utf8');
		const server = JSON.stringify(text('extension/dist/server-web.js'));
		const findings = await page.evaluate(
			`${program.replace('export ', '')}; findInWorker(${server}, ${JSON.stringify(BROKEN)})`,
		);
		expect(findings).toEqual(expect.arrayContaining(['USDA030', 'R1.1.1', 'part.usda was read']));
	} finally {
		await browser.close();
	}
});
