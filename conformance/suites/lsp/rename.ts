import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Report } from '@manyworlds/core';
import { entryFiles, VariantSelections } from '@manyworlds/rep158';
import { formatValue, isAssetFailure, Layer, MemoryStore, type Path, Stage, selectVariant } from '@manyworlds/usd';
import { isAnyPrim } from '@manyworlds/usd/internal';
import type { Position, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { TestClient } from '../../../packages/lsp/test/support/test-client.ts';
import { DiskStore } from '../../src/disk-store.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';

const NEW_NAME = 'renamed__';

/** Renames every prim of a robot, one at a time. */
export const lspRename: Suite = {
	name: 'lsp/rename',
	description: 'folders of robots of text layers; each prim renamed by the language server',
	defaultDir: resolve(import.meta.dirname, '../../../examples'),
	groups: [
		{
			name: 'prims',
			description: 'the stage is the same but for the name in every variant, and renaming back gives the same bytes',
			tolerance: 'exact',
			timeLimit: 120,
			*cases({ dir }: SuiteContext): Generator<Case> {
				const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.usda'));
				const entries = entryFiles(
					files.sort().map((file) => join(dir, file)),
					new DiskStore({ brokenLayers: 'use' }),
				);
				for (const file of entries) yield { name: relative(dir, file), run: () => checkRobot(file) };
			},
		},
	],
};

/** A prim of a stage in some variant selection, as text. */
interface ShownPrim {
	readonly path: string;
	readonly facts: readonly string[];
	/** Paths that it leads to. */
	readonly targets: readonly string[];
}

async function checkRobot(file: string): Promise<Outcome> {
	const store = new DiskStore({ brokenLayers: 'use' });
	const root = store.layer(file);
	if (root === undefined || isAssetFailure(root)) return { excluded: 'it is no layer' };
	const stage = Stage.open(root, { store, report: new Report({ cap: 0 }) });
	const folder = dirname(file);
	const layers = stage.usedLayers().map(({ identifier }) => identifier);
	if (layers.some((one) => !one.startsWith(`${folder}/`))) return { excluded: 'its layers are in several folders' };
	const before = show(layers, (name) => store.bytes(name) as Uint8Array, file);
	const wrong: string[] = [];
	let count = 0;
	const client = await TestClient.start({}, { disk: folder, isIdle: true });
	try {
		for (const prim of stage.traverse({ predicate: isAnyPrim })) {
			const site = prim
				.specs()
				.find(({ layer, path }) => path.name === prim.name && store.text(layer.identifier) !== undefined);
			const start = site?.layer.data.specSource(site.path)?.nameStart ?? -1;
			if (site === undefined || start < 0) continue;
			count++;
			const problem = await checkPrim(client, site.layer, start + 1, prim.path, { file, layers, before, store });
			if (problem !== undefined) wrong.push(`<${prim.path}>: ${problem}`);
		}
	} finally {
		await client.stop();
		stage.close();
	}
	if (count === 0) return { excluded: 'it has no prims' };
	return wrong.length === 0 ? undefined : `${wrong.length} of ${count}: ${wrong.slice(0, 3).join('; ')}`;
}

interface Robot {
	readonly file: string;
	readonly layers: readonly string[];
	readonly before: readonly (readonly ShownPrim[])[];
	readonly store: DiskStore;
}

async function checkPrim(
	client: TestClient,
	layer: Layer,
	offset: number,
	path: Path,
	robot: Robot,
): Promise<string | undefined> {
	const folder = dirname(robot.file);
	const name = layer.identifier.slice(folder.length + 1);
	client.files.clear();
	await client.open(name);
	await client.connection.sendRequest('workspace/executeCommand', {
		command: 'manyworlds.chooseStage',
		arguments: [client.uri(name), client.uri(basename(robot.file))],
	});
	const position = client.texts.get(name)!.text.position(offset);
	const edit: WorkspaceEdit = await client.in('textDocument/rename', name, { position, newName: NEW_NAME });
	const changed = client.applied(edit);
	const bytes = (identifier: string): Uint8Array => {
		const text = changed.get(identifier.slice(folder.length + 1));
		return text === undefined ? (robot.store.bytes(identifier) as Uint8Array) : new TextEncoder().encode(text);
	};
	const after = show(robot.layers, bytes, robot.file);
	const problem = difference(robot.before, after, path);
	await client.close(name);
	if (problem !== undefined) return problem;
	// back again: the same bytes
	for (const [one, text] of changed) client.files.set(`${folder}/${one}`, new TextEncoder().encode(text));
	await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
		changes: [...changed.keys()].map((one) => ({ uri: client.uri(one), type: 2 })),
	});
	await client.open(name);
	const back: WorkspaceEdit = await client.in('textDocument/rename', name, {
		position: placeOfName(client, name),
		newName: path.name,
	});
	const undone = client.applied(back);
	await client.close(name);
	client.files.clear();
	await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
		changes: [...changed.keys()].map((one) => ({ uri: client.uri(one), type: 2 })),
	});
	for (const one of changed.keys()) {
		const original = new TextDecoder().decode(robot.store.bytes(`${folder}/${one}`) as Uint8Array);
		if (undone.get(one) !== original) return `renaming back gives another ${one}`;
	}
	return undefined;
}

/** Where the renamed prim is written in a layer. */
function placeOfName(client: TestClient, name: string): Position {
	const [statement] = new RegExp(`(?:def|over|class)\\s+(?:\\w+\\s+)?"${NEW_NAME}"`).exec(client.text(name))!;
	const end = client.find(name, statement) + new TextEncoder().encode(statement).length;
	return client.texts.get(name)!.text.position(end - 2);
}

/** All prims in each variant at least once. */
function show(layers: readonly string[], bytes: (identifier: string) => Uint8Array, root: string): ShownPrim[][] {
	const store = new MemoryStore(new Map(layers.map((one) => [one, bytes(one)])), { folder: '/' });
	const layer = store.layer(root) as Layer;
	const selections = new VariantSelections({ cover: 'variants' });
	const shown: ShownPrim[][] = [];
	while (selections.pending > 0) {
		const selection = selections.next((choices) => {
			const sessionLayer = choices.length === 0 ? undefined : Layer.create('selection.usda');
			for (const { prim, set, variant } of choices) {
				sessionLayer!.createPrim(prim);
				selectVariant(sessionLayer!, prim, set, variant);
			}
			return Stage.open(layer, { store, sessionLayer, report: new Report({ cap: 0 }) });
		})!;
		selections.addNeighbours(selection);
		shown.push(showStage(selection.stage));
		selection.stage.close();
	}
	return shown;
}

function showStage(stage: Stage): ShownPrim[] {
	const shown: ShownPrim[] = [];
	for (const prim of stage.traverse({ predicate: isAnyPrim, instanceProxies: true })) {
		const facts = [prim.specifier, prim.typeName, String(prim.isActive), prim.kind ?? '', ...prim.appliedSchemas];
		const targets: string[] = [];
		for (const property of prim.authoredProperties()) {
			const isRelationship = 'targets' in property;
			const paths = isRelationship
				? prim.relationship(property.name).targets()
				: prim.attribute(property.name).connections();
			targets.push(...paths.map((path) => path.toString()));
			const value = isRelationship ? undefined : prim.attribute(property.name).get();
			facts.push(`${property.name} ${value === undefined ? '' : formatValue(value)}`);
		}
		shown.push({ path: prim.path.toString(), facts, targets });
	}
	return shown;
}

/** What differs beside the name, in a sentence. */
function difference(
	before: readonly (readonly ShownPrim[])[],
	after: readonly (readonly ShownPrim[])[],
	path: Path,
): string | undefined {
	if (before.length !== after.length) return `${after.length} selections, expected ${before.length}`;
	let isRenamed = false;
	for (const [i, prims] of before.entries()) {
		const now = after[i]!;
		if (now.length !== prims.length) return `${now.length} prims, expected ${prims.length}`;
		const moved = new Map(prims.map((prim, k) => [prim.path, now[k]!.path]));
		const follow = (target: string): string => {
			for (let at = target; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('/'), at.lastIndexOf('.')))) {
				const to = moved.get(at);
				if (to !== undefined) return to + target.slice(at.length);
			}
			return target;
		};
		for (const [k, prim] of prims.entries()) {
			const other = now[k]!;
			if (prim.path !== other.path && other.path.replaceAll(NEW_NAME, path.name) !== prim.path)
				return `<${prim.path}> became <${other.path}>`;
			if (prim.facts.join('\n') !== other.facts.join('\n')) return `<${prim.path}> has other values`;
			const expected = prim.targets.map(follow);
			if (expected.join('\n') !== other.targets.join('\n'))
				return `targets of <${prim.path}> are ${other.targets.join(' ')}, expected ${expected.join(' ')}`;
			if (prim.path === path.toString() && other.path.endsWith(`/${NEW_NAME}`)) isRenamed = true;
		}
	}
	return isRenamed ? undefined : 'nothing was renamed';
}
