import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SemanticTokens } from 'vscode-languageserver-protocol';
import { TestClient } from '../packages/lsp/test/support/test-client.ts';
import { allGroups } from './groups/all-groups.ts';
import { Random } from './random.ts';

/** Cases of one group that are opened. */
const FEW = 2;
/** Requests about a place. */
const AT_PLACE = [
	'hover',
	'definition',
	'declaration',
	'references',
	'documentHighlight',
	'completion',
	'prepareRename',
];
/** Requests about a text. */
const IN_TEXT = [
	'documentSymbol',
	'foldingRange',
	'documentLink',
	'codeLens',
	'documentColor',
	'semanticTokens/full',
	'diagnostic',
];

describe('the language server', () => {
	let client: TestClient;
	beforeAll(async () => {
		client = await TestClient.start();
	});
	afterAll(() => client.stop());

	/** Asks for everything; a request may be refused, but has to end, and the server has to go on. */
	async function askAll(name: string, bytes: Uint8Array, random: Random): Promise<void> {
		await client.open(name, new TextDecoder().decode(bytes));
		const { text } = client.texts.get(name)!;
		for (const method of IN_TEXT) await client.in(`textDocument/${method}`, name);
		for (let i = 0; i < 3; i++) {
			const position = text.position(random.below(text.length + 1));
			for (const method of AT_PLACE) {
				const context = { includeDeclaration: true };
				await client.in(`textDocument/${method}`, name, { position, context }).catch((error: Error) => {
					// only a rename may have nothing to do
					expect(error.message).toMatch(/only (?:prims|names)|nothing is called/);
				});
			}
		}
		await client.close(name);
	}

	for (const group of allGroups({ seed: 11, quick: true })) {
		const { format } = group.make(0);
		if (format === 'usdz' || format === 'usdc') continue;
		it(`survives ${group.name}`, async () => {
			const random = new Random('lsp', group.name);
			const step = Math.max(1, Math.floor(group.count / FEW));
			for (let index = 0; index < group.count; index += step) {
				const { bytes } = group.make(index);
				if (bytes.byteLength > 300_000) continue;
				await askAll(`case.${format === 'mjcf' ? 'xml' : format}`, bytes, random);
			}
			expect(client.logs.filter((line) => line.includes('internal error'))).toEqual([]);
		});
	}

	it('is in the state of a fresh one after a thousand random edits', async () => {
		const files = { 'robot.usda': ROBOT, 'arm.usda': ARM };
		const random = new Random('edits');
		const edited = await TestClient.start(files);
		for (const name of Object.keys(files)) await edited.open(name);
		for (let i = 0; i < 1000; i++) {
			const name = random.pick(Object.keys(files));
			const { length } = edited.texts.get(name)!.text;
			const at = boundary(edited, name, random.below(length + 1));
			const end = random.oneIn(3) ? boundary(edited, name, Math.min(length, at + random.below(12))) : at;
			await edited.replace(name, Math.min(at, end), Math.max(at, end), random.pick(PIECES));
			if (i % 100 === 0) await edited.pull(name);
		}
		const texts = Object.fromEntries(Object.keys(files).map((name) => [name, edited.text(name)]));
		const fresh = await TestClient.start(texts);
		for (const name of Object.keys(files)) {
			await fresh.open(name);
			const key = (found: Awaited<ReturnType<TestClient['diagnostics']>>): string[] =>
				found.map((one) => JSON.stringify(one)).sort();
			expect(key(await edited.diagnostics(name))).toEqual(key(await fresh.diagnostics(name)));
			const tokens = async (one: TestClient): Promise<number[]> =>
				(await one.in<SemanticTokens>('textDocument/semanticTokens/full', name)).data;
			expect(await tokens(edited)).toEqual(await tokens(fresh));
			for (const method of ['documentSymbol', 'foldingRange', 'codeLens']) {
				expect(await edited.in(`textDocument/${method}`, name)).toEqual(await fresh.in(`textDocument/${method}`, name));
			}
		}
		await Promise.all([edited.stop(), fresh.stop()]);
	});
});

/** The start of the character at a byte. */
function boundary(client: TestClient, name: string, offset: number): number {
	const { text } = client.texts.get(name)!;
	return text.offset(text.position(offset));
}

const PIECES = [
	'',
	'',
	'"',
	'{',
	'}',
	'(',
	')',
	'<',
	'>',
	'@',
	'\n',
	' ',
	'x',
	'😀',
	'ü',
	'\r\n',
	'def Xform "n"\n{\n}\n',
	'double x = 1\n',
	'# c\n',
	'</Robot/arm>',
	'@./arm.usda@',
	'/*',
	'*/',
	'"""',
];

const ARM =
	'#usda 1.0\n(\n    defaultPrim = "Arm"\n)\n\ndef Xform "Arm"\n{\n    def Cube "link"\n    {\n        double size = 1\n    }\n}\n';
const ROBOT =
	'#usda 1.0\n(\n    defaultPrim = "Robot"\n    metersPerUnit = 1\n)\n\ndef Xform "Robot"\n{\n    def "arm" (\n        references = @./arm.usda@</Arm>\n    )\n    {\n    }\n\n    rel body = </Robot/arm/link>\n}\n';
