import { afterEach, expect, test } from 'vitest';
import { CancellationTokenSource, LSPErrorCodes, ResponseError } from 'vscode-languageserver-protocol/node';
import { TestClient } from './support/test-client.ts';

let client: TestClient;
afterEach(() => client.stop());

/** A stage that takes a while to check. */
function manyPrims(count: number): string {
	const prims = Array.from(
		{ length: count },
		(_, i) =>
			`    def Cube "c${i}"\n    {\n        double size = 1\n        rel to = </World/c${(i * 7) % count}>\n    }\n`,
	);
	return `#usda 1.0\n(\n    defaultPrim = "World"\n)\n\ndef Xform "World"\n{\n${prims.join('')}}\n`;
}

async function outcome(work: Promise<unknown>): Promise<unknown> {
	return work.then(
		() => 'answered',
		(error: unknown) => (error instanceof ResponseError ? error.code : error),
	);
}

test('requests that are cancelled end as such, and the server answers the next', async () => {
	client = await TestClient.start({ 'many.usda': manyPrims(3000) });
	await client.open('many.usda');
	const textDocument = { uri: client.uri('many.usda') };
	for (const [method, params] of [
		['textDocument/diagnostic', { textDocument }],
		['textDocument/codeLens', { textDocument }],
		[
			'textDocument/references',
			{ textDocument, position: client.position('many.usda', 'Cube "c1|7"'), context: { includeDeclaration: true } },
		],
	] as const) {
		const source = new CancellationTokenSource();
		const work = outcome(client.connection.sendRequest(method, params, source.token));
		source.cancel();
		expect(await work, method).toBe(LSPErrorCodes.RequestCancelled);
	}
	const symbols = await client.in<{ children: unknown[] }[]>('textDocument/documentSymbol', 'many.usda');
	expect(symbols[0]!.children.length).toBe(3000);
});

test('a request that waits for a check ends when it is cancelled, before the check does', async () => {
	client = await TestClient.start({ 'many.usda': manyPrims(5000) });
	await client.open('many.usda');
	const source = new CancellationTokenSource();
	const params = { textDocument: { uri: client.uri('many.usda') } };
	const work = outcome(client.connection.sendRequest('textDocument/diagnostic', params, source.token));
	while (client.server.checksStarted === 0) await new Promise((resolve) => setImmediate(resolve));
	source.cancel();
	expect(await work).toBe(LSPErrorCodes.RequestCancelled);
	const report = await client.pull('many.usda');
	expect(report.kind).toBe('full');
});

test('a check that an edit overtakes is given up, and the next one tells the new state', async () => {
	client = await TestClient.start({ 'many.usda': manyPrims(2000) });
	await client.open('many.usda');
	const first = client.pull('many.usda');
	await client.edit('many.usda', 'defaultPrim = "World"', 'defaultPrim = "Nobody"');
	const [before, after] = await Promise.all([first, client.pull('many.usda')]);
	for (const report of [before, after]) {
		const items = report.kind === 'full' ? report.items : [];
		expect(items.some(({ message }) => String(message).includes('Nobody'))).toBe(true);
	}
});
