import {
	base32,
	type CommitKind,
	compareResults,
	decodeResult,
	encodeResults,
	hashOf,
	nameOfResults,
	type ResultStore,
	type RunOutcome,
	splitResults,
} from '@manyworlds/sweep/internal';
import { uniqueName } from './commit-file.ts';
import { parseS3Url, S3Client, type S3Place, S3Refusal } from './s3-client.ts';

/** Objects that are asked for at once. */
const MOST_AT_ONCE = 16;

/**
 * Results of a sweep in a bucket: `PREFIX/runs/NAME.jsonl` with those of a batch, `PREFIX/series/KEY.parquet`. An object is only
 * ever created, so that of two workers with the same batch one is first, and whoever tries again after a lost answer finds what it
 * wrote. Any number of workers may commit at once.
 */
export class S3Results implements ResultStore {
	readonly #client: S3Client;
	readonly #collected = new Set<string>();

	/** Opens `s3://BUCKET/PREFIX`. Rejects with an {@link S3Refusal} for a store that cannot be used, or that lets a second writer win. */
	static async open(url: string, env: Readonly<Record<string, string | undefined>>): Promise<S3Results> {
		const results = new S3Results(parseS3Url(url, env));
		await results.#probe();
		return results;
	}

	constructor(place: S3Place) {
		this.#client = new S3Client(place);
	}

	/** Finds out whether the store keeps the first of two objects of one name. */
	async #probe(): Promise<void> {
		const name = `probe-${uniqueName()}`;
		const bytes = new TextEncoder().encode('manyworlds');
		try {
			await this.#client.create(name, bytes);
			if (await this.#client.create(name, bytes))
				throw new S3Refusal(
					`the store at ${this.#client.place.endpoint} replaces objects although it is asked not to (If-None-Match: *); several workers would lose results there`,
				);
		} finally {
			await this.#client.remove(name).catch(() => undefined);
		}
	}

	async missing(keys: readonly string[], attempt: number): Promise<readonly string[]> {
		const has = (some: readonly string[]): Promise<boolean> => this.#client.has(runsFile(nameOfResults(some)));
		if (await has(keys)) return [];
		// runs are only committed one by one when a batch killed workers before
		if (attempt === 1 || keys.length === 1) return keys;
		const found = await inTurn(keys, (key) => has([key]));
		return keys.filter((_, i) => !found[i]);
	}

	async commit(outcomes: readonly RunOutcome[]): Promise<CommitKind[]> {
		const kinds: CommitKind[] = [];
		for (const { name, bytes, outcomes: own } of encodeResults(outcomes)) {
			// the results are what counts, so they come last
			await inTurn(own, async ({ result, series }) => {
				if (series !== undefined) await this.#client.create(seriesFile(result.key), series);
			});
			if (await this.#client.create(runsFile(name), bytes)) {
				kinds.push(...own.map((): CommitKind => 'new'));
				continue;
			}
			const known = await this.#client.read(runsFile(name));
			const compared = compareResults(own, known ?? new Uint8Array());
			// whoever collects finds both
			if (compared.includes('different'))
				await this.#client.create(runsFile(`${name}-${base32(hashOf(new TextDecoder().decode(bytes)), 8)}`), bytes);
			kinds.push(...compared);
		}
		return kinds;
	}

	flush(): Promise<void> {
		// the service answers when it has it
		return Promise.resolve();
	}

	async mark(key: string, worker: string): Promise<readonly string[]> {
		await this.#client.create(`attempts/${key}/${uniqueName()} ${worker}`, new Uint8Array([1]));
		return (await this.#client.list(`attempts/${key}`)).map((name) => name.slice(name.indexOf(' ') + 1));
	}

	/** Gives results that were not given before to a visitor. */
	async collect(visit: (result: Uint8Array, series: Uint8Array | undefined) => void): Promise<number> {
		const fresh = (await this.#client.list('runs')).filter((name) => !this.#collected.has(name));
		let count = 0;
		for (let first = 0; first < fresh.length; first += MOST_AT_ONCE) {
			const names = fresh.slice(first, first + MOST_AT_ONCE);
			const objects = await inTurn(names, (name) => this.#client.read(`runs/${name}`));
			for (const [i, bytes] of objects.entries()) {
				for (const line of splitResults(bytes ?? new Uint8Array())) {
					const result = decodeResult(line);
					if (result === undefined) continue;
					visit(line, result.series === true ? await this.#client.read(seriesFile(result.key)) : undefined);
					count++;
				}
				this.#collected.add(names[i]!);
			}
		}
		return count;
	}
}

function runsFile(name: string): string {
	return `runs/${name}.jsonl`;
}

function seriesFile(key: string): string {
	return `series/${key}.parquet`;
}

/** Does something with each of many things, a few at a time; results stand in their order. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
	const results: R[] = new Array<R>(items.length);
	let next = 0;
	await Promise.all(
		Array.from({ length: Math.min(MOST_AT_ONCE, items.length) }, async () => {
			for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i]!);
		}),
	);
	return results;
}
