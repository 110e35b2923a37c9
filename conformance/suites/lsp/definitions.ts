import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PathKind } from '@manyworlds/usd';
import type { LocationLink } from 'vscode-languageserver-protocol';
import { UsdaOutline } from '../../../packages/lsp/src/outline/usda-outline.ts';
import { pathsIn } from '../../../packages/lsp/src/usda/layer-text.ts';
import { TestClient } from '../../../packages/lsp/test/support/test-client.ts';
import { LspOracle } from '../../src/lsp-oracle.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';

/** Largest file that is opened as text [bytes]. */
const LARGEST_TEXT = 2_000_000;
/** Prims of one stage that are asked for, spread evenly. */
const MOST_PRIMS = 60;

/** Where paths lead: through references, payloads, variants, instances and relocates. */
export const lspDefinitions: Suite = {
	name: 'lsp/definitions',
	description: 'OpenUSD files of any kind; definitions of the language server against composed stages',
	defaultDir: 'assets',
	groups: [
		group('authored', 'every path that text layers write leads to a spec of what composition targets', checkAuthored),
		group(
			'composed',
			'the path of every prim leads to all of its specs, strongest first, and to nothing else',
			checkComposed,
		),
	],
};

function group(name: string, description: string, run: (file: string) => Promise<Outcome>): Group {
	return {
		name,
		description,
		tolerance: 'exact',
		timeLimit: 120,
		*cases({ dir }: SuiteContext): Generator<Case> {
			const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) =>
				/\.usd[acz]?$/i.test(file),
			);
			for (const file of files.sort()) {
				const path = join(dir, file);
				if (statSync(path).isFile()) yield { name: file, run: () => run(path) };
			}
		},
	};
}

async function checkAuthored(file: string): Promise<Outcome> {
	const oracle = new LspOracle(file);
	const targets = oracle.targets();
	const folder = dirname(file);
	const client = await TestClient.start({}, { disk: folder, isIdle: true });
	const wrong: string[] = [];
	let count = 0;
	try {
		for (const { identifier } of oracle.stage.usedLayers()) {
			if (!identifier.startsWith(`${folder}/`) || identifier.endsWith(']')) continue;
			const name = identifier.slice(folder.length + 1);
			const bytes = client.bytes(name);
			const isText = bytes !== undefined && new TextDecoder().decode(bytes.subarray(0, 5)) === '#usda';
			if (!isText || bytes.length > LARGEST_TEXT) continue;
			await client.open(name);
			// the layer is looked at as part of this stage, whatever other stages it is part of
			await client.connection.sendRequest('workspace/executeCommand', {
				command: 'manyworlds.chooseStage',
				arguments: [client.uri(name), client.uri(basename(file))],
			});
			const { text } = client.texts.get(name)!;
			for (const { subject } of pathsIn(new UsdaOutline(bytes))) {
				const { node } = subject;
				if (node.kind !== 'property' || node.path?.kind !== PathKind.property) continue;
				const expected = targets.get(`${identifier}\n${node.path}`);
				const right = new Set([...(expected ?? [])].flatMap((path) => [...oracle.specs(path)]));
				// opinions that are not on the stage, and targets that nothing is at, have no right answer
				if (right.size === 0) continue;
				count++;
				const links = await definitionAt(client, name, text.position(subject.end));
				const found = links.map((link) => oracle.landing(link));
				if (found.length === 0 || !found.every((key) => right.has(key))) {
					wrong.push(
						`${name}: <${subject.path}> in ${node.path} leads to ${found.slice(0, 2).join(' and ') || 'nothing'}`,
					);
				}
			}
			await client.close(name);
		}
	} finally {
		await client.stop();
		oracle.stage.close();
	}
	if (count === 0 && wrong.length === 0) return { excluded: 'no layer of it is text with paths' };
	return wrong.length === 0 ? undefined : `${wrong.length} of ${count} paths: ${wrong.slice(0, 3).join('; ')}`;
}

async function checkComposed(file: string): Promise<Outcome> {
	const oracle = new LspOracle(file);
	const prims = [...oracle.prims()].filter(({ path }) => !path.toString().startsWith('/__Prototype'));
	const step = Math.max(1, Math.ceil(prims.length / MOST_PRIMS));
	const paths = prims.filter((_, i) => i % step === 0).map(({ path }) => path);
	if (paths.length === 0) return { excluded: 'the stage has no prims' };
	const lines = paths.map((path, i) => `    rel to${i} = <${path}>`);
	const query = `#usda 1.0\n(\n    subLayers = [@./${basename(file)}@]\n)\n\nover "Asks__"\n{\n${lines.join('\n')}\n}\n`;
	const client = await TestClient.start({}, { disk: dirname(file), hasFolder: false, isIdle: true });
	const wrong: string[] = [];
	try {
		await client.open('asks__.usda', query);
		const { text } = client.texts.get('asks__.usda')!;
		for (const [i, path] of paths.entries()) {
			const start = client.find('asks__.usda', `rel to${i} = <`) + `rel to${i} = <`.length;
			const end = start + new TextEncoder().encode(path.toString()).length;
			const found = (await definitionAt(client, 'asks__.usda', text.position(end))).map((link) => oracle.landing(link));
			const right = [...oracle.specs(path)];
			if (found.join('\n\n') !== right.join('\n\n')) {
				wrong.push(`<${path}> leads to ${found.join(' and ') || 'nothing'}, expected ${right.join(' and ')}`);
			}
		}
	} finally {
		await client.stop();
		oracle.stage.close();
	}
	return wrong.length === 0 ? undefined : `${wrong.length} of ${paths.length}: ${wrong.slice(0, 2).join('; ')}`;
}

function definitionAt(client: TestClient, name: string, position: object): Promise<LocationLink[]> {
	return client.in('textDocument/definition', name, { position });
}
