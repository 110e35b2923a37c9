import { readFileSync } from 'node:fs';
import type { Ledger } from '@manyworlds/import';
import { Layer, SpecType, Stage } from '@manyworlds/usd';
import { isUsualPrim, traverse } from '@manyworlds/usd/internal';
import { DiskStore } from '../../src/disk-store.ts';
import type { Outcome, SuiteContext } from '../../src/suite.ts';
import { builderOf } from './builder-settings.ts';
import { pathOf, runStep, type StepOutcome } from './call-importer.ts';
import type { ImportCase } from './import-case.ts';

/**
 * Whether the ledger of the last import accounts for every attribute that the asset authors. They are counted a second
 * time: in the text of XML files, and in the one layer of a stage where there is no other.
 */
export function checkLedger(it: ImportCase, context: SuiteContext): Outcome {
	if (it.expected.error !== null) return { excluded: 'the import has to fail' };
	const builder = builderOf(it.builder);
	let outcome: StepOutcome | undefined;
	for (const step of it.steps) outcome = runStep(builder, step, it.folder, context);
	if (outcome?.result === undefined) return `the import failed: ${outcome?.error}`;
	const ledger = outcome.result.ledger as Ledger;
	const { total, used, converted, kept, ignored } = ledger.totals();
	if (used + converted + kept + ignored !== total)
		return `${used} + ${converted} + ${kept} + ${ignored} attributes are not ${total}`;
	const entries = ledger.entries();
	if (entries.length !== total) return `there are ${entries.length} entries, expected ${total}`;
	const silent = entries.find((entry) => entry.class === 'ignored' && !entry.reason);
	if (silent !== undefined) return `${silent.path}@${silent.name} is ignored without a reason`;
	const path = pathOf(it.steps.at(-1)!, it.folder, context);
	// the main file is the first, and has no name when it is given as text
	const [, ...included] = (outcome.result.files as readonly string[] | undefined) ?? [];
	const files = [path, ...included];
	const isStage = it.expected.call === 'add_usd';
	const counted = isStage ? countLayer(path, rootOf(it)) : files.reduce((sum, file) => sum + countXml(file), 0);
	if (counted === undefined) return { excluded: 'the stage has several layers or instances' };
	return counted === total ? undefined : `${total} attributes are accounted for, the asset has ${counted}`;
}

/** The prim below which the last import reads. */
function rootOf(it: ImportCase): string {
	const root = it.steps.at(-1)!.options.root_path;
	return typeof root === 'string' ? root : '/';
}

/** Attributes of the elements of an XML file. */
function countXml(file: string): number {
	const text = readFileSync(file, 'utf8')
		.replace(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>/g, '')
		.replace(/<!DOCTYPE[^>[]*(?:\[[\s\S]*?\]\s*)?>/g, '');
	let count = 0;
	for (const [tag] of text.matchAll(/<[A-Za-z_](?:[^<>"']|"[^"]*"|'[^']*')*>/g)) {
		count += [...tag.matchAll(/\s[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*')/g)].length;
	}
	return count;
}

/** Attributes that the only layer of a stage authors on prims that count; undefined where other layers or copies play a part. */
function countLayer(file: string, root: string): number | undefined {
	const store = new DiskStore();
	const layer = store.layer(file);
	if (!(layer instanceof Layer)) return undefined;
	const stage = Stage.open(layer, { store });
	const prims = new Set<string>();
	for (const prim of traverse(stage.pseudoRoot, { instanceProxies: true, predicate: isUsualPrim })) {
		const specs = prim.specs();
		if (specs.length !== 1 || specs[0]!.layer !== layer || specs[0]!.path.toString() !== prim.path.toString())
			return undefined;
		const path = prim.path.toString();
		if (path === root || path.startsWith(root === '/' ? '/' : `${root}/`)) prims.add(path);
	}
	let count = 0;
	for (const path of layer.data.paths()) {
		if (layer.data.specType(path) === SpecType.attribute && prims.has(path.primPath.toString())) count++;
	}
	return count;
}
