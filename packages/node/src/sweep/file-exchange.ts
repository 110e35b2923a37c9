import {
	closeSync,
	futimesSync,
	linkSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	type Backend,
	type Batch,
	decodeBatch,
	type Exchange,
	encodeBatch,
	type Lease,
	type QueueStats,
	type ResultStore,
	type SweepHeader,
} from '@manyworlds/sweep/internal';
import { commitFile, replaceFile, uniqueName } from './commit-file.ts';
import { listFolder, ResultFolder } from './result-folder.ts';

/** Options of a {@link FileExchange}. */
export interface FileExchangeOptions {
	/** How long a lease lasts without a sign of life [s]. */
	readonly leaseTime?: number;
	/** Batches in the queue at most. */
	readonly capacity?: number;
}

/** Values of {@link FileExchangeOptions} that are used when absent. */
export const FILE_EXCHANGE_DEFAULTS: Required<FileExchangeOptions> = { leaseTime: 30, capacity: 64 };

/** How often an idle worker looks for batches [ms]. */
const LOOK_INTERVAL = 100;

/**
 * Coordinator and workers that share a folder and nothing else. A batch is a file; who links its lease file has it, and keeps it by
 * touching it. Ages are told by the clock of the file system: that of a file which was just touched.
 */
export class FileExchange implements Exchange, Backend {
	readonly backend: Backend = this;
	readonly results: ResultStore;
	readonly #folder: string;
	readonly #settings: Required<FileExchangeOptions>;
	#header: SweepHeader | undefined;
	#runCount = Number.MAX_SAFE_INTEGER;
	#collected = new Set<string>();
	#redelivered = 0;
	#refused = 0;

	constructor(folder: string, options: FileExchangeOptions = {}) {
		this.#folder = folder;
		this.#settings = { ...FILE_EXCHANGE_DEFAULTS, ...options };
		const store = new ResultFolder(join(folder, 'results'), 'x', [], true);
		this.results = {
			missing: (keys) => store.missing(keys),
			mark: (key, worker) => store.mark(key, worker),
			flush: () => store.flush(),
			commit: (outcomes) => {
				store.prepare();
				return store.commit(outcomes);
			},
		};
	}

	announce(header: SweepHeader, read: (path: string) => Uint8Array): Promise<void> {
		for (const kind of ['batches', 'leases', 'files', 'tmp']) mkdirSync(join(this.#folder, kind), { recursive: true });
		const old = this.#readHeader();
		if (old !== undefined && old.sweep !== header.sweep) {
			rmSync(join(this.#folder, 'batches'), { recursive: true, force: true });
			rmSync(join(this.#folder, 'results'), { recursive: true, force: true });
			mkdirSync(join(this.#folder, 'batches'), { recursive: true });
		}
		for (const { path, hash } of header.files)
			commitFile(join(this.#folder, 'files', hash), read(path), this.#temporary);
		replaceFile(join(this.#folder, 'header.json'), new TextEncoder().encode(JSON.stringify(header)), this.#temporary);
		this.#header = header;
		return Promise.resolve();
	}

	header(): Promise<SweepHeader | undefined> {
		this.#header = this.#readHeader();
		return Promise.resolve(this.#header);
	}

	get refused(): number {
		return this.#refused;
	}

	/** Says how many runs there are, for messages to be checked by. */
	setRunCount(count: number): void {
		this.#runCount = count;
	}

	file(hash: string): Promise<Uint8Array | undefined> {
		return Promise.resolve(/^[0-9a-f]{64}$/.test(hash) ? readOptional(join(this.#folder, 'files', hash)) : undefined);
	}

	collect(visit: (result: Uint8Array, series: Uint8Array | undefined) => void): Promise<number> {
		const runs = join(this.#folder, 'results/runs');
		let count = 0;
		for (const shard of listFolder(runs)) {
			for (const name of listFolder(join(runs, shard))) {
				if (!name.endsWith('.json') || this.#collected.has(name)) continue;
				const bytes = readOptional(join(runs, shard, name));
				if (bytes === undefined) continue;
				visit(bytes, readOptional(join(this.#folder, 'results/series', shard, name.replace(/json$/, 'parquet'))));
				this.#collected.add(name);
				count++;
			}
		}
		return Promise.resolve(count);
	}

	submit(batch: Batch): Promise<boolean> {
		const waiting = listFolder(join(this.#folder, 'batches'));
		if (waiting.includes(batch.id)) return Promise.resolve(true);
		if (waiting.length >= this.#settings.capacity) return Promise.resolve(false);
		commitFile(join(this.#folder, 'batches', batch.id), encodeBatch(batch, this.#header!), this.#temporary);
		return Promise.resolve(true);
	}

	async lease(wait: number): Promise<Lease | undefined> {
		const until = performance.now() + wait;
		for (;;) {
			for (const id of listFolder(join(this.#folder, 'batches'))) {
				const lease = this.#take(id);
				if (lease !== undefined) return lease;
			}
			if (performance.now() >= until) return undefined;
			await sleep(Math.min(LOOK_INTERVAL, wait));
		}
	}

	#take(id: string): Lease | undefined {
		if (!/^[a-z2-7]{24}$/.test(id) || this.#header === undefined) return undefined;
		const file = join(this.#folder, 'leases', id);
		const ours = join(this.#temporary, uniqueName());
		mkdirSync(this.#temporary, { recursive: true });
		writeFileSync(ours, '');
		let attempt = 1;
		try {
			const old = statSync(file, { throwIfNoEntry: false });
			if (old !== undefined) {
				// both times are those of the file system
				if (statSync(ours).mtimeMs - old.mtimeMs < 1000 * this.#settings.leaseTime) return undefined;
				attempt = Number(readOptional(file)?.length ?? 0) + 2;
				// only one of those who find it expired can rename it
				renameSync(file, `${ours}.expired`);
				rmSync(`${ours}.expired`, { force: true });
				this.#redelivered++;
			}
			// one letter for each time before
			writeFileSync(ours, 'x'.repeat(attempt - 1));
			linkSync(ours, file);
		} catch {
			return undefined;
		} finally {
			rmSync(ours, { force: true });
		}
		const bytes = readOptional(join(this.#folder, 'batches', id));
		const batch = bytes === undefined ? 'gone' : decodeBatch(bytes, this.#header, this.#runCount);
		if (typeof batch === 'string') {
			if (batch === 'malformed' || batch === 'foreign') {
				this.#refused++;
				rmSync(join(this.#folder, 'batches', id), { force: true });
			}
			if (batch !== 'version') rmSync(file, { force: true });
			return undefined;
		}
		return {
			batch,
			attempt,
			extend: () => {
				touch(file);
				return Promise.resolve();
			},
			ack: () => {
				rmSync(join(this.#folder, 'batches', id), { force: true });
				rmSync(file, { force: true });
				return Promise.resolve();
			},
			nak: (delay) => {
				const age = this.#settings.leaseTime - delay;
				const now = Date.now() / 1000 - age;
				try {
					utimesSync(file, now, now);
				} catch {
					// somebody else has it
				}
				return Promise.resolve();
			},
		};
	}

	stats(): Promise<QueueStats> {
		const leased = listFolder(join(this.#folder, 'leases')).length;
		const all = listFolder(join(this.#folder, 'batches')).length;
		return Promise.resolve({
			pending: Math.max(0, all - leased),
			leased,
			redelivered: this.#redelivered,
			refused: this.#refused,
		});
	}

	remove(): Promise<void> {
		for (const kind of ['header.json', 'batches', 'leases', 'files', 'results', 'tmp'])
			rmSync(join(this.#folder, kind), { recursive: true, force: true });
		return Promise.resolve();
	}

	close(): Promise<void> {
		return Promise.resolve();
	}

	get #temporary(): string {
		return join(this.#folder, 'tmp');
	}

	#readHeader(): SweepHeader | undefined {
		const bytes = readOptional(join(this.#folder, 'header.json'));
		return bytes === undefined ? undefined : parseHeader(bytes);
	}
}

/** Reads a header, which may come from anybody; undefined for anything else. */
export function parseHeader(bytes: Uint8Array): SweepHeader | undefined {
	try {
		const data = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as SweepHeader;
		const { version, sweep, tool, planFile, planText, entry, control, files } = data;
		const isSound =
			version === 1 &&
			[sweep, tool, planFile, planText, entry].every((text) => typeof text === 'string') &&
			(control === undefined || typeof control === 'string') &&
			Array.isArray(files) &&
			files.every(
				({ path, hash, size }) => isInside(path) && /^[0-9a-f]{64}$/.test(hash) && Number.isSafeInteger(size),
			) &&
			(entry === '' || isInside(entry)) &&
			(control === undefined || isInside(control));
		return isSound ? data : undefined;
	} catch {
		return undefined;
	}
}

/** Whether a path stays in the folder it is put into. */
function isInside(path: unknown): boolean {
	return (
		typeof path === 'string' &&
		path !== '' &&
		!path.startsWith('/') &&
		!/^[A-Za-z]:|\\|\0/.test(path) &&
		!path.split('/').includes('..')
	);
}

function readOptional(path: string): Uint8Array | undefined {
	try {
		return readFileSync(path);
	} catch {
		return undefined;
	}
}

/** Gives a file the present time of its file system. */
function touch(path: string): void {
	try {
		const descriptor = openSync(path, 'r+');
		const now = new Date();
		futimesSync(descriptor, now, now);
		closeSync(descriptor);
	} catch {
		// somebody else took it
	}
}
