import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type AssetTrial, fixTrial, listTrials } from '../suites/rep158-fix/asset-trials.ts';
import { type AssetFiles, countFindings, type FixedAsset } from '../suites/rep158-fix/fixed-asset.ts';

/** How `npm run oracle -- rep158/assets` runs. */
export interface RepAssetsOptions {
	/** A Python with usd-core, numpy and scipy. */
	readonly python: string;
	/** Folder with `rep_physics_dump.py`. */
	readonly scripts: string;
	/** Folder with the assets. */
	readonly assets: string;
	/** Text that paths must contain. */
	readonly filter: string | undefined;
	readonly json: boolean;
}

/** What became of one asset. */
interface AssetRow {
	readonly name: string;
	/** Numbers of findings: as it is, after safe fixes, after all fixes. */
	readonly findings: readonly [number, number, number];
	/** Numbers of edits of safe fixes and of all. */
	readonly edits: readonly [number, number];
	/** What OpenUSD says about the two. */
	readonly verdicts: readonly [string, string];
}

const TOLERANCE = 1e-6;

/** Checks and fixes every asset of a folder, asks OpenUSD whether physics stayed, and prints two tables in Markdown. Gives the exit code. */
export async function compareFixedAssets(options: RepAssetsOptions): Promise<number> {
	const rules = new Map<string, [number, number, number]>();
	const rows: AssetRow[] = [];
	const failures: string[] = [];
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-fixed-'));
	const judge = new Judge(options);
	try {
		for (const trial of listTrials(resolve(options.assets))) {
			if (!trial.isAsset || (options.filter !== undefined && !trial.name.includes(options.filter))) continue;
			const row = await judgeAsset(trial, judge, join(folder, String(rows.length)), rules);
			rows.push(row);
			for (const verdict of row.verdicts) if (isDifferent(verdict)) failures.push(`${row.name}: ${verdict}`);
			process.stderr.write(
				`${rows.length} ${row.name}: ${row.findings.join(', ')} findings, ${row.verdicts.join(', ')}\n`,
			);
		}
	} finally {
		judge.close();
		rmSync(folder, { recursive: true, force: true });
	}
	if (options.json)
		process.stdout.write(`${JSON.stringify({ rules: Object.fromEntries(rules), assets: rows, failures })}\n`);
	else process.stdout.write(`${ruleTable(rules)}\n${assetTable(rows)}`);
	return failures.length > 0 ? 1 : 0;
}

async function judgeAsset(
	trial: AssetTrial,
	judge: Judge,
	folder: string,
	rules: Map<string, [number, number, number]>,
): Promise<AssetRow> {
	const safe = fixTrial(trial, false);
	const all = fixTrial(trial, true);
	const totals: [number, number, number] = [0, 0, 0];
	[trial.files, safe.files, all.files].forEach((files, column) => {
		for (const [rule, count] of countFindings(files, trial.entry)) {
			const row = rules.get(rule) ?? [0, 0, 0];
			row[column] = row[column]! + count;
			rules.set(rule, row);
			totals[column] = totals[column]! + count;
		}
	});
	const before = write(join(folder, 'before'), trial.files, trial.entry);
	const verdict = async (fixed: FixedAsset, name: string, unsafe: boolean): Promise<string> => {
		if (fixed.plan.items.length === 0) return 'nothing to do';
		// an asset that stands elsewhere is compared where it stood
		const still = fixed.plan.items.some(({ family }) => family === PIVOT) ? fixTrial(trial, unsafe, PIVOT) : fixed;
		const after = write(join(folder, name), still.files, trial.entry);
		return describe(await judge.compare(before, after, still.moved), still);
	};
	return {
		name: trial.name,
		findings: totals,
		edits: [safe.plan.items.length, all.plan.items.length],
		verdicts: [await verdict(safe, 'safe', false), await verdict(all, 'all', true)],
	};
}

const PIVOT = 'F8';

/** What families change in the answers of OpenUSD, as they say. */
const ANNOUNCED: Readonly<Record<string, RegExp>> = {
	// OpenUSD's answers know no equalities of MuJoCo
	F1: /\.mimic: only after$/,
	F12: /\.excluded: False -> True$/,
	F13: /\.articulationRoot: /,
	// a joint whose sides are exchanged
	F15: /^\.joints\.[^:]*\.(?:body|anchor|axis)[01]/,
	F16: /: only before$/,
	F18: /\.approximation: only after$/,
	F19: /\.material(?:\.\w+)?: (?:None ->|only after)/,
	F31: /\.name: /,
};

/** Differences that no family has announced, or that there are none. */
function describe(differences: readonly string[] | { readonly error: string }, { plan }: FixedAsset): string {
	if ('error' in differences) return `OpenUSD: ${differences.error}`;
	const families = [...new Set(plan.items.map(({ family }) => family))];
	const left = differences.filter((line) => !families.some((family) => ANNOUNCED[family]?.test(line)));
	if (left.length > 0) return `${left.length} differences: ${left[0]}`;
	const said = families.filter((family) => differences.some((line) => ANNOUNCED[family]?.test(line)));
	return said.length === 0
		? SAME
		: `${SAME} but for ${said.sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))).join(', ')}`;
}

const SAME = 'same physics';

function isDifferent(verdict: string): boolean {
	return verdict !== 'nothing to do' && !verdict.startsWith(SAME);
}

function write(folder: string, files: AssetFiles, entry: string): string {
	for (const [name, bytes] of files) {
		const path = join(folder, name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, bytes);
	}
	return join(folder, entry);
}

/** A Python process that compares pairs of assets. */
class Judge {
	readonly #python: ReturnType<typeof spawn>;
	readonly #answers: AsyncIterator<string>;

	constructor({ python, scripts }: RepAssetsOptions) {
		const script = fileURLToPath(new URL('rep158_compare.py', import.meta.url));
		this.#python = spawn(python, [script, scripts, String(TOLERANCE)], { stdio: ['pipe', 'pipe', 'ignore'] });
		this.#answers = createInterface({ input: this.#python.stdout! })[Symbol.asyncIterator]();
	}

	async compare(
		before: string,
		after: string,
		moved: ReadonlyMap<string, string>,
	): Promise<readonly string[] | { readonly error: string }> {
		this.#python.stdin!.write(`${JSON.stringify({ before, after, moved: Object.fromEntries(moved) })}\n`);
		const { value, done } = await this.#answers.next();
		if (done === true) throw new Error('the Python process ended');
		return JSON.parse(value) as string[] | { error: string };
	}

	close(): void {
		this.#python.stdin!.end();
	}
}

function ruleTable(rules: ReadonlyMap<string, readonly [number, number, number]>): string {
	const ids = [...rules.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
	const lines = ids.map((id) => `| ${id} | ${rules.get(id)!.join(' | ')} |`);
	const sums = [0, 1, 2].map((column) => ids.reduce((sum, id) => sum + rules.get(id)![column]!, 0));
	return [
		'| rule | before | safe fixes | all fixes |',
		'| --- | --: | --: | --: |',
		...lines,
		`| all | ${sums.join(' | ')} |`,
		'',
	].join('\n');
}

function assetTable(rows: readonly AssetRow[]): string {
	const lines = rows.map(
		({ name, findings, edits, verdicts }) =>
			`| ${name} | ${findings.join(' | ')} | ${edits.join(' | ')} | ${verdicts.join(' | ')} |`,
	);
	return [
		'| asset | findings | safe fixes | all fixes | safe edits | all edits | OpenUSD, safe | OpenUSD, all |',
		'| --- | --: | --: | --: | --: | --: | --- | --- |',
		...lines,
		'',
	].join('\n');
}
