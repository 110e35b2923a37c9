import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
	agree,
	type CommitKind,
	decodeResult,
	encodeResult,
	type ResultStore,
	type RunOutcome,
	type RunResult,
	type RunTiming,
} from '@manyworlds/sweep/internal';
import { commitFile, commitFiles, syncFolders } from './commit-file.ts';

/**
 * Results of a sweep in a folder: `runs/ab/KEY.OUTPUTS.json`, `series/ab/KEY.OUTPUTS.parquet`, `timing/WORKER.jsonl`. Any number of processes
 * may commit to it at once.
 */
export class ResultFolder implements ResultStore {
	readonly path: string;
	/** Metrics that the plan wants of each run, by what they are. */
	readonly #wanted: readonly string[];
	readonly #outputs: string;
	/** Whether the folder has results of other outputs, which may hold what the plan wants. */
	readonly #hasOthers: boolean;
	/** Folders with names that may not last yet. */
	readonly #fresh = new Set<string>();
	/** Folders that are there. */
	readonly #made = new Set<string>();

	/** `outputs` tells the metrics and series of the plan from others; `wanted` are the metrics. */
	constructor(path: string, outputs: string, wanted: readonly string[], wantsSeries: boolean) {
		this.path = path;
		this.#outputs = outputs;
		this.#wanted = wanted;
		// series are not looked for in results of other outputs
		this.#hasOthers = !wantsSeries && this.#findOthers();
	}

	/** Makes the folders; throws what the operating system says. */
	prepare(): void {
		for (const folder of ['runs', 'tmp']) mkdirSync(join(this.path, folder), { recursive: true });
	}

	missing(keys: readonly string[]): Promise<string[]> {
		return Promise.resolve(keys.filter((key) => !this.hasNow(key)));
	}

	/** Whether the plan needs no work on a run. */
	hasNow(key: string): boolean {
		if (existsSync(this.#file('runs', key, 'json'))) return true;
		return this.#hasOthers && this.#joined(key) !== undefined;
	}

	/** The result of a run, put together of several where they have what the plan wants. */
	read(key: string): RunResult | undefined {
		try {
			const result = decodeResult(readFileSync(this.#file('runs', key, 'json')));
			if (result !== undefined) return result;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		}
		return this.#hasOthers ? this.#joined(key) : undefined;
	}

	/** The series of a run; undefined when there is none. */
	seriesFile(key: string): string | undefined {
		const file = this.#file('series', key, 'parquet');
		return existsSync(file) ? file : undefined;
	}

	async commit(outcomes: readonly RunOutcome[]): Promise<CommitKind[]> {
		const put = (files: readonly { readonly path: string; readonly bytes: Uint8Array }[]) => {
			for (const { path } of files) this.#make(dirname(path));
			return commitFiles(files, join(this.path, 'tmp'), this.#note);
		};
		// the results are what counts, so they come last
		await put(
			outcomes.flatMap(({ result, series }) =>
				series === undefined ? [] : [{ path: this.#file('series', result.key, 'parquet'), bytes: series }],
			),
		);
		const known = await put(
			outcomes.map(({ result }) => ({
				path: this.#file('runs', result.key, 'json'),
				bytes: encodeResult(result),
			})),
		);
		return outcomes.map(({ result, series }, i) => this.#kind(result, series, known[i]));
	}

	commitNow(result: RunResult, series?: Uint8Array): CommitKind {
		const temporary = join(this.path, 'tmp');
		if (series !== undefined) commitFile(this.#file('series', result.key, 'parquet'), series, temporary, this.#note);
		const old = commitFile(this.#file('runs', result.key, 'json'), encodeResult(result), temporary, this.#note);
		return this.#kind(result, series, old);
	}

	readonly #note = (folder: string): void => {
		this.#fresh.add(folder);
	};

	#make(folder: string): void {
		if (this.#made.has(folder)) return;
		mkdirSync(folder, { recursive: true });
		this.#made.add(folder);
	}

	/** What a result is beside the one that was there, if there was one. */
	#kind(result: RunResult, series: Uint8Array | undefined, old: Uint8Array | undefined): CommitKind {
		if (old === undefined) return 'new';
		const path = this.#file('runs', result.key, 'json');
		const known = decodeResult(old);
		if (known === undefined) {
			// half a file of a machine that lost its power
			rmSync(path, { force: true });
			return this.commitNow(result, series);
		}
		if (agree(known, result)) return 'same';
		const bytes = encodeResult(result);
		commitFile(`${path}.conflict-${bytes.length}-${result.state || 'none'}`, bytes, join(this.path, 'tmp'));
		return 'different';
	}

	/** Makes what was committed last through a loss of power; a process that is killed loses nothing anyway. */
	async flush(): Promise<void> {
		const fresh = [...this.#fresh];
		this.#fresh.clear();
		await syncFolders(fresh);
	}

	mark(key: string, worker: string): Promise<readonly string[]> {
		const file = join(this.path, 'attempts', key);
		mkdirSync(join(this.path, 'attempts'), { recursive: true });
		appendFileSync(file, `${worker}\n`);
		return Promise.resolve(
			readFileSync(file, 'utf8')
				.split('\n')
				.filter((line) => line !== ''),
		);
	}

	/** Removes a result, so that its run is computed again. */
	remove(key: string): void {
		for (const [kind, extension] of [
			['runs', 'json'],
			['series', 'parquet'],
		] as const)
			rmSync(this.#file(kind, key, extension), { force: true });
	}

	/** Notes how long a run took; losing it loses nothing. */
	addTiming(timing: RunTiming): void {
		const folder = join(this.path, 'timing');
		mkdirSync(folder, { recursive: true });
		appendFileSync(join(folder, `${timing.worker.replaceAll(/[^\w.-]/g, '_')}.jsonl`), `${JSON.stringify(timing)}\n`);
	}

	/** How long runs took, the last time of each. */
	timings(): Map<string, RunTiming> {
		const found = new Map<string, RunTiming>();
		for (const name of listFolder(join(this.path, 'timing'))) {
			for (const line of readFileSync(join(this.path, 'timing', name), 'utf8').split('\n')) {
				try {
					const timing = JSON.parse(line) as RunTiming;
					const known = found.get(timing.key);
					if (typeof timing.key === 'string' && !(known !== undefined && known.at >= timing.at))
						found.set(timing.key, timing);
				} catch {
					// the last line of a process that was killed
				}
			}
		}
		return found;
	}

	/** Results that disagree with one that was there. */
	conflicts(): string[] {
		const runs = join(this.path, 'runs');
		return listFolder(runs).flatMap((shard) =>
			listFolder(join(runs, shard)).filter((name) => name.includes('.conflict-')),
		);
	}

	#file(kind: 'runs' | 'series', key: string, extension: string): string {
		return join(this.path, kind, key.slice(0, 2), `${key}.${this.#outputs}.${extension}`);
	}

	#findOthers(): boolean {
		const runs = join(this.path, 'runs');
		const own = `.${this.#outputs}.json`;
		return listFolder(runs).some((shard) =>
			listFolder(join(runs, shard)).some((name) => name.endsWith('.json') && !name.endsWith(own)),
		);
	}

	/** What results of other outputs have of a run; undefined unless that is all the plan wants. */
	#joined(key: string): RunResult | undefined {
		const folder = join(this.path, 'runs', key.slice(0, 2));
		let joined: RunResult | undefined;
		for (const name of listFolder(folder)) {
			if (!name.startsWith(`${key}.`) || !name.endsWith('.json')) continue;
			const result = decodeResult(readFileSync(join(folder, name)));
			if (result === undefined || (joined !== undefined && !agree(joined, result))) continue;
			const { series: _, ...rest } = result;
			joined = { ...rest, metrics: { ...joined?.metrics, ...result.metrics } };
		}
		if (joined === undefined) return undefined;
		const { metrics, status } = joined;
		return status !== 'ok' || this.#wanted.every((name) => metrics[name] !== undefined) ? joined : undefined;
	}
}

/** Names in a folder, sorted; none where there is no folder. */
export function listFolder(folder: string): string[] {
	try {
		return readdirSync(folder).sort();
	} catch {
		return [];
	}
}
