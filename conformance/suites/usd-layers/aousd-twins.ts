import { dirname, join } from 'node:path';
import { compareDumps } from '../../src/compare-dumps.ts';
import { readBytes } from '../../src/files.ts';
import { isObject, type Json } from '../../src/json.ts';
import { dumpLayer, type LayerDump } from '../../src/layer-dump.ts';
import { type LayerFile, listLayers, stem } from '../../src/layer-files.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';
import { loadClean } from '../../src/usd-io.ts';

/** Text and crate files that hold the same layer. */
export const aousdTwins: Group = {
	name: 'aousd/twins',
	description:
		'a crate equals the text layer of the same name in its folder or in a folder `usda` of it, spec for spec',
	tolerance: 'exact; CR LF inside strings counts as LF, since the published crates were made from texts with CR LF',
	timeLimit: 10,
	*cases(context: SuiteContext): Generator<Case> {
		const crates = new Map<string, LayerFile>();
		for (const layer of listLayers(context.dir)) {
			if (layer.kind === 'crate') crates.set(join(dirname(layer.path), stem(layer.path)), layer);
		}
		for (const text of listLayers(context.dir)) {
			if (text.kind !== 'text') continue;
			for (const crate of twinsOf(text, crates)) {
				yield { name: `${text.name} = ${crate.name}`, run: () => compareTwins(text.path, crate.path) };
			}
		}
	},
};

function twinsOf(text: LayerFile, crates: ReadonlyMap<string, LayerFile>): LayerFile[] {
	const folder = dirname(text.path);
	const places = [folder, `${folder}/`.replace(/\/usda\/(?!.*\/usda\/)/, '/')];
	const keys = new Set(places.map((place) => join(place, stem(text.path))));
	return [...keys].flatMap((key) => crates.get(key) ?? []);
}

function compareTwins(text: string, crate: string): Outcome {
	const bytes = readBytes(text);
	// one of the published texts has a stray character in front of its header; OpenUSD does not take it for a layer
	if (!/^#(usda|sdf) /.test(Buffer.from(bytes.subarray(0, 6)).toString('latin1'))) {
		return { excluded: 'the text does not begin like a layer' };
	}
	const ours = normalise(dumpLayer(loadClean(bytes, text)));
	const theirs = normalise(dumpLayer(loadClean(readBytes(crate), crate)));
	const lines = compareDumps(ours, theirs);
	return lines.length === 0 ? undefined : `text against crate: ${lines.join('; ')}`;
}

function normalise(dump: LayerDump): LayerDump {
	return unifyNewlines(dump as unknown as Json) as unknown as LayerDump;
}

function unifyNewlines(json: Json): Json {
	if (typeof json === 'string') return json.replaceAll('\r\n', '\n');
	if (Array.isArray(json)) return json.map(unifyNewlines);
	if (!isObject(json)) return json;
	return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, unifyNewlines(value)]));
}
