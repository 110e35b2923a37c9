import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readBytes } from '../src/files.ts';
import { listLayers, stem } from '../src/layer-files.ts';
import { plugInfoOf, registryOf } from '../src/plug-info.ts';
import { firstError, loadLayer, packMembers, toCrate, toText } from '../src/usd-io.ts';
import { type Comparison, compareAll, type OracleOptions } from './equal-driver.ts';
import { compareFixedAssets } from './rep158-assets.ts';
import { compareAllViews } from './views.ts';

const USAGE = `usage: npm run oracle -- usd/layers [--dir DIR] [--assets DIR] [--filter TEXT] [--json]
       npm run oracle -- usd/views [--assets DIR] [--filter TEXT] [--out DIR] [--json]
       npm run oracle -- rep158/assets [--assets DIR] [--filter TEXT] [--json]
usd/layers writes every readable layer of the conformance folder and of the assets as usda, usdc and usdz and asks OpenUSD whether they equal the original.
usd/views compares transforms, bounds, materials, primvars and physics of the assets with OpenUSD; --out keeps its answers for the suite usd/views.
rep158/assets checks the assets, fixes them, asks OpenUSD whether their physics stayed, and prints findings by rule and by asset as Markdown; its Python also needs numpy and scipy.
Needs a Python with usd-core: MANYWORLDS_USD_PYTHON, or ~/usd-oracle/bin/python.
`;

const shared = resolve(dirname(fileURLToPath(import.meta.url)), '../../../shared');
const FORMATS = ['usda', 'usdc', 'usdz'] as const;

/** One layer that we wrote, and where its original is. */
interface Job {
	readonly name: string;
	readonly format: (typeof FORMATS)[number];
	readonly pair: Comparison;
	/** The same layer in another format of ours, for originals that OpenUSD refuses. */
	readonly sibling: string;
}

async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			dir: { type: 'string', default: join(shared, 'conformance') },
			assets: { type: 'string', default: join(shared, 'assets') },
			filter: { type: 'string' },
			out: { type: 'string' },
			json: { type: 'boolean', default: false },
		},
	});
	const [what] = positionals;
	if (positionals.length !== 1 || what === undefined || !['usd/layers', 'usd/views', 'rep158/assets'].includes(what)) {
		process.stderr.write(USAGE);
		return 2;
	}
	const scripts = join(shared, what === 'rep158/assets' ? 'oracle/rep158' : 'oracle/usd');
	const python = findPython(
		what === 'rep158/assets' ? 'import numpy, scipy; from pxr import Sdf' : 'from pxr import Sdf',
	);
	if (python === undefined || !existsSync(scripts)) {
		process.stderr.write(
			`oracle: skipped, there is no ${python === undefined ? 'Python with what it needs' : scripts}\n`,
		);
		return 0;
	}
	if (what === 'usd/views') {
		const { assets, filter, out, json } = values;
		return compareAllViews({ python, assets, filter, out, json });
	}
	if (what === 'rep158/assets') {
		const { assets, filter, json } = values;
		return compareFixedAssets({ python, scripts, assets, filter, json });
	}
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-written-'));
	try {
		const written = writeAll([resolve(values.dir), resolve(values.assets)], folder, values.filter);
		return await judge(written, { python, scripts, plugins: written.plugins }, values.json);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** A Python that runs a program. */
function findPython(program: string): string | undefined {
	const candidates = [process.env['MANYWORLDS_USD_PYTHON'], join(homedir(), 'usd-oracle/bin/python')];
	return candidates.find((path) => {
		if (path === undefined || !existsSync(path)) return false;
		try {
			execFileSync(path, ['-c', program], { stdio: 'ignore' });
			return true;
		} catch {
			return false;
		}
	});
}

interface Written {
	readonly jobs: readonly Job[];
	readonly plugins: readonly string[];
	readonly unreadable: number;
	/** Layers that our crate writer refuses, each with its reason. */
	readonly unwritable: readonly string[];
}

function writeAll(dirs: readonly string[], folder: string, filter: string | undefined): Written {
	const jobs: Job[] = [];
	const unwritable: string[] = [];
	const plugins = new Set<string>();
	let unreadable = 0;
	for (const dir of dirs) {
		for (const file of listLayers(dir)) {
			if (file.kind === 'package' || (filter !== undefined && !file.path.includes(filter))) continue;
			const plugin = plugInfoOf(dirname(file.path));
			if (plugin !== undefined && isResourcePlugin(plugin)) plugins.add(dirname(plugin));
			const bytes = readBytes(file.path);
			const { data, report } = loadLayer(bytes, file.path, registryOf(dirname(file.path)));
			if (firstError(report) !== undefined) {
				unreadable++;
				continue;
			}
			const target = join(folder, String(jobs.length));
			mkdirSync(target, { recursive: true });
			const name = stem(file.path);
			const theirs = originalOf(file.path, bytes, target);
			const text = join(target, `${name}.usda`);
			writeFileSync(text, toText(data));
			const crate = join(target, `${name}.usdc`);
			const member = `${join(target, `${name}.usdz`)}[${name}.usdc]`;
			try {
				const written = toCrate(data);
				writeFileSync(crate, written);
				writeFileSync(join(target, `${name}.usdz`), packMembers([{ name: `${name}.usdc`, bytes: written }]));
				jobs.push({ name: file.path, format: 'usdc', pair: { ours: crate, theirs }, sibling: member });
				jobs.push({ name: file.path, format: 'usdz', pair: { ours: member, theirs }, sibling: crate });
			} catch (error) {
				unwritable.push(`${file.path}: ${String(error)}`);
			}
			jobs.push({ name: file.path, format: 'usda', pair: { ours: text, theirs }, sibling: crate });
		}
	}
	return { jobs, plugins: [...plugins], unreadable, unwritable };
}

/** Whether a plugin only registers metadata, so that any OpenUSD can load it. */
function isResourcePlugin(path: string): boolean {
	const text = readFileSync(path, 'utf8');
	return !text.includes('@PLUG_INFO') && !text.includes('"Types"');
}

/** OpenUSD 26.11 no longer opens `.sdf` files and their header: such an input is copied with today's name and header. */
function originalOf(path: string, bytes: Uint8Array, target: string): string {
	if (!path.endsWith('.sdf')) return path;
	const text = Buffer.from(bytes).toString('latin1');
	const copy = join(target, `original-${stem(path)}.usda`);
	writeFileSync(copy, Buffer.from(text.replace(/^#sdf [0-9.]+/, '#usda 1.0'), 'latin1'));
	return copy;
}

interface Count {
	total: number;
	equal: number;
	different: number;
	/** Texts that are what OpenUSD writes for the original, and hold less than it, or nothing, when OpenUSD reads them. */
	lostInText: number;
	/** The original is refused by OpenUSD, and what we wrote equals what we wrote in another format. */
	originalRefused: number;
	/** The original is refused by OpenUSD, and so is our text, which keeps the same deprecated statements. */
	bothRefused: number;
	/** What OpenUSD cannot write as crate and read back either. */
	unsupported: number;
	/** Texts that are byte for byte what OpenUSD writes for the original. */
	sameText: number;
}

async function judge(written: Written, options: OracleOptions, json: boolean): Promise<number> {
	const { jobs } = written;
	const counts: Record<string, Count> = {};
	const failures: string[] = [];
	const notes: string[] = written.unwritable.map((line) => `not written as crate: ${line}`);
	const again: Job[] = [];
	const count = (job: Job): Count => (counts[job.format] ??= newCount());
	const fail = (job: Job, lines: readonly string[]): void => {
		count(job).different++;
		failures.push(`${job.format} of ${job.name}: ${lines.join(' | ')}`);
	};

	let index = 0;
	for await (const verdict of compareAll(
		jobs.map((job) => job.pair),
		options,
	)) {
		const job = jobs[index++]!;
		count(job).total++;
		if (verdict.textDifference === '') count(job).sameText++;
		else if (verdict.textDifference !== undefined) notes.push(`text of ${job.name}: ${verdict.textDifference}`);
		if (verdict.equal) count(job).equal++;
		else if (verdict.textDifference === '') count(job).lostInText++;
		else if (verdict.unsupported !== undefined) {
			count(job).unsupported++;
			notes.push(`${job.format} of ${job.name}: OpenUSD cannot do it either: ${verdict.unsupported}`);
		} else if (verdict.refused === 'theirs') again.push(job);
		else fail(job, verdict.lines);
		if (index % 500 === 0) process.stderr.write(`${index} of ${jobs.length}\n`);
	}
	index = 0;
	const siblings = again.map((job) => ({ ours: job.pair.ours, theirs: job.sibling }));
	for await (const verdict of compareAll(siblings, options)) {
		const job = again[index++]!;
		if (verdict.equal) count(job).originalRefused++;
		else if (verdict.refused === 'ours' && job.format === 'usda') count(job).bothRefused++;
		else fail(job, verdict.lines);
	}

	if (json)
		process.stdout.write(`${JSON.stringify({ unreadable: written.unreadable, formats: counts, failures, notes })}\n`);
	else printSummary(counts, failures, notes, written.unreadable);
	return failures.length > 0 ? 1 : 0;
}

function newCount(): Count {
	return {
		total: 0,
		equal: 0,
		different: 0,
		lostInText: 0,
		originalRefused: 0,
		bothRefused: 0,
		unsupported: 0,
		sameText: 0,
	};
}

function printSummary(
	counts: Readonly<Record<string, Count>>,
	failures: readonly string[],
	notes: readonly string[],
	unreadable: number,
): void {
	const lines = [...failures.map((line) => `DIFFERENT ${line}`), ...notes.map((line) => `NOTE ${line}`)];
	for (const format of FORMATS) {
		const one = counts[format] ?? newCount();
		lines.push(
			`${format}: ${one.total} layers, ${one.equal} equal, ${one.different} different, ` +
				`${one.lostInText} equal up to what OpenUSD's own text loses, ` +
				`${one.originalRefused} with an original that OpenUSD refuses but equal in our other format, ` +
				`${one.bothRefused} refused like their original, ${one.unsupported} that OpenUSD cannot write either`,
		);
	}
	lines.push(`usda: ${counts['usda']?.sameText ?? 0} texts are byte for byte those of OpenUSD`);
	lines.push(`${unreadable} inputs read with an error and were not written`);
	process.stdout.write(`${lines.join('\n')}\n`);
}

process.exitCode = await main();
