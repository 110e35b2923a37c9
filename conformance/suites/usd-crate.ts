import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compareDumps, parseLayerDump } from '../src/compare-dumps.ts';
import { readBytes, readJson } from '../src/files.ts';
import { isObject } from '../src/json.ts';
import { dumpLayer, type LayerDump } from '../src/layer-dump.ts';
import { goldenOf, type LayerFile, listLayers, stem } from '../src/layer-files.ts';
import { crateThroughText } from '../src/round-trips.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../src/suite.ts';
import { loadClean, toCrate } from '../src/usd-io.ts';

/** Crates of every value type, coding and writable version, with dumps by OpenUSD. */
export const usdCrate: Suite = {
	name: 'usd/crate',
	description: 'VERSION/CASE.usdc with CASE.json.gz (layer dumps of the oracle) and index.json with the versions',
	defaultDir: 'oracle/golden/usd/crate',
	groups: [
		group('read', 'every spec and field of a crate against its dump; exact, stored order', checkRead),
		group('written', 'written again as crate, against the dump; the version is no higher than needed', checkWritten),
		group('written-as-found', 'written again with the version of the file, against the dump', checkWrittenAsFound),
		group('through-text', 'crate to text to crate: the same specs', checkThroughText),
		{
			name: 'index',
			description: 'entries of index.json against the files: crate version and size in bytes',
			tolerance: 'exact',
			timeLimit: 10,
			*cases(context: SuiteContext): Generator<Case> {
				const index = readIndex(context.dir);
				for (const entry of index) {
					yield { name: `${entry.asked}/${entry.case}`, run: () => checkIndexEntry(entry, context.dir) };
				}
			},
		},
	],
};

function group(name: string, description: string, check: (file: LayerFile, dir: string) => Outcome): Group {
	return {
		name,
		description,
		tolerance: 'exact',
		timeLimit: 10,
		*cases(context: SuiteContext): Generator<Case> {
			for (const file of listLayers(context.dir)) {
				if (file.kind === 'crate') yield { name: file.name, run: () => check(file, context.dir) };
			}
		},
	};
}

function checkRead(file: LayerFile): Outcome {
	return differences(dumpLayer(loadClean(readBytes(file.path), file.path)), golden(file));
}

function checkWritten(file: LayerFile, dir: string): Outcome {
	const written = toCrate(loadClean(readBytes(file.path), file.path));
	const problem = differences(dumpLayer(loadClean(written, `${file.path} (written)`)), golden(file));
	if (problem !== undefined) return problem;
	// what OpenUSD gives when asked for its default version is what the content needs
	const entry = readIndex(dir).find((one) => one.asked === DEFAULT_VERSION && one.case === stem(file.path));
	const version = versionOf(written);
	if (entry === undefined || version === entry.version) return undefined;
	return `written as ${version}, expected ${entry.version}`;
}

function checkWrittenAsFound(file: LayerFile): Outcome {
	const bytes = readBytes(file.path);
	const written = toCrate(loadClean(bytes, file.path), versionOf(bytes));
	if (versionOf(written) !== versionOf(bytes)) return `written as ${versionOf(written)}, expected ${versionOf(bytes)}`;
	return differences(dumpLayer(loadClean(written, `${file.path} (written)`)), golden(file));
}

function checkThroughText(file: LayerFile): Outcome {
	return crateThroughText(loadClean(readBytes(file.path), file.path), file.path);
}

function checkIndexEntry(entry: IndexEntry, dir: string): Outcome {
	const path = join(dir, entry.asked, `${entry.case}.usdc`);
	if (!existsSync(path)) return `there is no file ${entry.asked}/${entry.case}.usdc`;
	const bytes = readBytes(path);
	if (versionOf(bytes) !== entry.version) return `crate version ${versionOf(bytes)}, expected ${entry.version}`;
	return bytes.length === entry.bytes ? undefined : `${bytes.length} bytes, expected ${entry.bytes}`;
}

function golden(file: LayerFile): LayerDump {
	const path = goldenOf(file.path);
	if (path === undefined) throw new Error(`no dump beside ${basename(dirname(file.path))}/${basename(file.path)}`);
	return parseLayerDump(readJson(path));
}

function differences(actual: LayerDump, expected: LayerDump): Outcome {
	const lines = compareDumps(actual, expected);
	return lines.length === 0 ? undefined : lines.join('; ');
}

interface IndexEntry {
	readonly asked: string;
	readonly case: string;
	readonly version: string;
	readonly bytes: number;
}

const DEFAULT_VERSION = '0.8.0';
const INDEX_KEYS = ['asked', 'bytes', 'case', 'version'];

function readIndex(dir: string): readonly IndexEntry[] {
	const path = join(dir, 'index.json');
	if (!existsSync(path)) return [];
	const json = readJson(path);
	if (!Array.isArray(json)) throw new TypeError(`${path} is not a list`);
	for (const entry of json) {
		const keys = isObject(entry) ? Object.keys(entry).sort().join() : '';
		if (keys !== INDEX_KEYS.join())
			throw new TypeError(`${path}: an entry has the keys '${keys}', expected '${INDEX_KEYS.join()}'`);
	}
	return json as IndexEntry[];
}

/** Bytes 8 to 10 of the bootstrap. */
function versionOf(crate: Uint8Array): string {
	return `${crate[8]}.${crate[9]}.${crate[10]}`;
}
