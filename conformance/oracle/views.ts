import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compareViews } from '../src/compare-views.ts';
import { isObject, type Json, type JsonObject } from '../src/json.ts';
import { listLayers } from '../src/layer-files.ts';
import { viewsOf } from '../suites/usd-views.ts';

/** Times at which transforms are compared, besides the default time. */
const TIMES: readonly number[] = [1.5];

/** How `npm run oracle -- usd/views` runs. */
export interface ViewsOptions {
	readonly python: string;
	/** Folder with the files. */
	readonly assets: string;
	/** Text that paths must contain. */
	readonly filter: string | undefined;
	/** Folder that gets OpenUSD's answers, for the suite `usd/views`. */
	readonly out: string | undefined;
	readonly json: boolean;
}

/** Asks OpenUSD about every stage of a folder and compares our views with its answers. Gives the exit code. */
export async function compareAllViews(options: ViewsOptions): Promise<number> {
	const { filter, out } = options;
	const assets = resolve(options.assets);
	const files = listLayers(assets)
		.map(({ path }) => path)
		.filter((path) => filter === undefined || path.includes(filter));
	const totals: Record<string, { same: number; different: number }> = {};
	const failures: string[] = [];
	const refused: string[] = [];
	const index: JsonObject[] = [];
	let stages = 0;
	for await (const [file, answer] of ask(options.python, files)) {
		const asset = relative(assets, file);
		if (typeof answer['error'] === 'string') {
			refused.push(`${asset}: ${answer['error'].trim().split('\n')[0]}`);
			continue;
		}
		stages++;
		const { counts, lines } = compareViews(viewsOf(file, TIMES), answer);
		for (const line of lines) failures.push(`${asset}: ${line}`);
		for (const [aspect, { same, different }] of Object.entries(counts)) {
			const total = totals[aspect] ?? { same: 0, different: 0 };
			totals[aspect] = { same: total.same + same, different: total.different + different };
		}
		if (out !== undefined) index.push(save(resolve(out), asset, answer));
		if (stages % 25 === 0) process.stderr.write(`${stages} of ${files.length}\n`);
	}
	if (out !== undefined) writeFileSync(join(resolve(out), 'index.json'), `${JSON.stringify(index, undefined, '\t')}\n`);
	if (options.json) process.stdout.write(`${JSON.stringify({ stages, totals, failures, refused })}\n`);
	else print(stages, totals, failures, refused);
	return failures.length > 0 ? 1 : 0;
}

function save(out: string, asset: string, answer: JsonObject): JsonObject {
	const name = `${asset.replaceAll('/', '__')}.json`;
	mkdirSync(out, { recursive: true });
	writeFileSync(join(out, name), `${JSON.stringify(answer)}\n`);
	return { asset, answer: name };
}

/** Runs usd_views.py over some files; one answer each, in their order. */
async function* ask(python: string, files: readonly string[]): AsyncGenerator<[string, JsonObject]> {
	const script = join(dirname(fileURLToPath(import.meta.url)), 'usd_views.py');
	const child = spawn(python, ['-W', 'ignore', script, TIMES.join(',')], { stdio: ['pipe', 'pipe', 'ignore'] });
	child.stdin.end(files.map((file) => `${file}\n`).join(''));
	let count = 0;
	for await (const line of createInterface({ input: child.stdout })) {
		if (!line.startsWith('[')) continue;
		const [file, answer] = JSON.parse(line) as [string, Json];
		if (file !== files[count] || !isObject(answer)) throw new TypeError(`usd_views.py answered about ${file}`);
		count++;
		yield [file, answer];
	}
	if (count < files.length) throw new Error(`usd_views.py ended at ${files[count]}`);
}

function print(
	stages: number,
	totals: Readonly<Record<string, { readonly same: number; readonly different: number }>>,
	failures: readonly string[],
	refused: readonly string[],
): void {
	const lines = [
		...failures.map((line) => `DIFFERENT ${line}`),
		...refused.map((line) => `REFUSED by OpenUSD ${line}`),
	];
	for (const aspect of Object.keys(totals).sort()) {
		const { same, different } = totals[aspect]!;
		lines.push(`${aspect}: ${same} same, ${different} different`);
	}
	lines.push(`${stages} stages, ${failures.length} differences shown, ${refused.length} refused by OpenUSD`);
	process.stdout.write(`${lines.join('\n')}\n`);
}
