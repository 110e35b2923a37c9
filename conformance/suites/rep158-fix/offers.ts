import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Diagnostic } from '@manyworlds/core';
import { checkAsset } from '@manyworlds/rep158';
import { type FixOffer, type FixParameters, fixCommand, offerFixes } from '@manyworlds/rep158/internal';
import { caseName, readBytes, walkFiles } from '../../src/files.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { FIX_OPTIONS } from './fix-options.ts';
import { type AssetFiles, fixFiles, openFiles } from './fixed-asset.ts';

/** What findings say about the command that removes them, taken at its word. */
export const rep158Offers: Suite = {
	name: 'rep158/offers',
	description: 'findings say which command removes them, and it does',
	defaultDir: resolve(import.meta.dirname, '../../data/rep158'),
	groups: [
		makeGroup('rules', 'assets that break a rule', ruleAssets),
		makeGroup('robots', 'robots of converters below usd-converted of the assets', robotAssets),
	],
};

interface OfferedAsset {
	readonly name: string;
	readonly dir: string;
	readonly entry: string;
}

function makeGroup(
	name: string,
	description: string,
	assets: (context: SuiteContext) => Iterable<OfferedAsset>,
): Group {
	return {
		name,
		description,
		tolerance: 'a finding is gone when its rule says nothing about its prim any more',
		timeLimit: 240,
		*cases(context: SuiteContext): Iterable<Case> {
			for (const asset of assets(context)) yield { name: asset.name, run: () => runAsset(asset) };
		},
	};
}

function* ruleAssets({ dir }: SuiteContext): Iterable<OfferedAsset> {
	for (const rule of folders(dir)) {
		for (const folder of folders(join(dir, rule))) {
			const name = `${rule}/${folder}`;
			if (folder.startsWith('bad')) yield { name, dir: join(dir, name), entry: 'asset.usda' };
		}
	}
}

function* robotAssets({ assetsDir }: SuiteContext): Iterable<OfferedAsset> {
	const dir = join(assetsDir, 'usd-converted');
	for (const name of existsSync(dir) ? folders(dir) : []) {
		const entry = readdirSync(join(dir, name)).find((file) => file.endsWith('.usda'));
		if (entry !== undefined) yield { name, dir: join(dir, name), entry };
	}
}

function runAsset({ dir, entry }: OfferedAsset): Outcome {
	const files: AssetFiles = new Map(
		Array.from(walkFiles(dir), (path) => [caseName(dir, path), readBytes(path)] as const).filter(
			([name]) => name !== 'expected.json',
		),
	);
	const found = findAll(files, entry);
	const offers = offersOf(files, entry, found);
	const byCommand = new Map<string, { offer: FixOffer; findings: Diagnostic[] }>();
	for (const [finding, offer] of offers) {
		const command = fixCommand(offer);
		const known = byCommand.get(command);
		if (known === undefined) byCommand.set(command, { offer, findings: [finding] });
		else known.findings.push(finding);
	}
	for (const [command, { offer, findings }] of byCommand) {
		const parameters = offer.option === undefined ? {} : answers(found);
		const fixed = fixFiles(files, entry, { unsafe: offer.safety === 'unsafe', parameters });
		const after = findAll(fixed.files, entry);
		const rename = (path: string): string => {
			for (const [from, to] of fixed.moved) if (path.startsWith(from)) return to + path.slice(from.length);
			return path;
		};
		for (const { code, prim } of findings) {
			const paths: readonly (string | undefined)[] = prim === undefined ? [undefined] : [prim, rename(prim)];
			const left = after.find((one) => one.code === code && paths.includes(one.prim));
			if (left !== undefined) return `${code} at ${prim ?? 'the layer'} is still there after ${command}`;
		}
		if (command !== 'manyworlds fix') continue;
		const again = [...offersOf(fixed.files, entry, after)].find(([, next]) => fixCommand(next) === command);
		if (again !== undefined) return `after ${command}, ${again[0].code} at ${again[0].prim} is said to be fixed by it`;
	}
	return undefined;
}

function findAll(files: AssetFiles, entry: string): Diagnostic[] {
	const { layer, store } = openFiles(files, entry);
	return checkAsset(layer, store).report.toArray();
}

function offersOf(files: AssetFiles, entry: string, found: readonly Diagnostic[]): Map<Diagnostic, FixOffer> {
	return offerFixes(found, (changed) => {
		const { store } = openFiles(files, entry);
		const all = new Map(files);
		for (const { identifier, bytes } of changed) all.set(store.name(identifier), bytes);
		const opened = openFiles(all, entry);
		return { root: opened.layer, store: opened.store };
	});
}

/** What somebody would say who knows the asset: the usual answers, and limits and names for every prim that something is found about. */
function answers(found: readonly Diagnostic[]): FixParameters {
	const paths = [...new Set(found.flatMap(({ prim }) => (prim === undefined ? [] : [prim.split('.')[0]!])))];
	return {
		...FIX_OPTIONS.parameters,
		limits: Object.fromEntries(paths.map((path) => [path, [-1, 1] as const])),
		jointNames: Object.fromEntries(paths.map((path, i) => [path, `joint_${i}`])),
	};
}

function folders(dir: string): string[] {
	return readdirSync(dir)
		.filter((name) => statSync(join(dir, name)).isDirectory())
		.sort();
}
