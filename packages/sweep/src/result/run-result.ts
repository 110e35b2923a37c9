import type { Diagnostic } from '@manyworlds/core';
import { hexOfDouble } from '../runs/run-key.ts';

/** What became of a run. @public */
export type RunStatus = 'ok' | 'diverged' | 'refused' | 'timeout' | 'crashed';

/** Statuses, the good one first. */
export const RUN_STATUSES: readonly RunStatus[] = ['ok', 'diverged', 'refused', 'timeout', 'crashed'];

/** The result of a run: the same bytes wherever it is computed, except where time or a crash ended it. @public */
export interface RunResult {
	readonly version: 1;
	readonly key: string;
	readonly status: RunStatus;
	/** Why a run failed, in a sentence; the codes of findings for one that was refused. */
	readonly reason?: string;
	/** Steps that were taken, up to the first bad one. */
	readonly steps: number;
	/** Hash of the state at the end. */
	readonly state: string;
	/** Metrics by what they are: `last(energy)`. */
	readonly metrics: Readonly<Record<string, number>>;
	/** Whether there is a series beside it. */
	readonly series?: true;
	/** Of `task: check`: counts by severity and by code. */
	readonly counts?: Readonly<Record<string, number>>;
	readonly codes?: Readonly<Record<string, number>>;
	/** Of `task: check`: what was found, in order. */
	readonly findings?: readonly Diagnostic[];
}

/** What a run came to. */
export interface RunOutcome {
	readonly result: RunResult;
	/** Bytes of its Parquet file. */
	readonly series?: Uint8Array;
}

/** How long a run took, and where: no part of its result. @public */
export interface RunTiming {
	readonly key: string;
	readonly seconds: number;
	readonly worker: string;
	/** When it was committed [ms since 1970]. */
	readonly at: number;
}

/** A result as the bytes of its file. Numbers that JSON does not have are written as their bits. */
export function encodeResult(result: RunResult): Uint8Array {
	const keys = (record: Readonly<Record<string, number>>): Record<string, number | string> =>
		Object.fromEntries(
			Object.entries(record)
				.sort(([a], [b]) => (a < b ? -1 : 1))
				.map(([name, value]) => [
					name,
					Number.isFinite(value) && !Object.is(value, -0) ? value : `#${hexOfDouble(value)}`,
				]),
		);
	const { metrics, counts, codes, findings, ...rest } = result;
	const text = JSON.stringify({
		...rest,
		metrics: keys(metrics),
		...(counts && { counts: keys(counts) }),
		...(codes && { codes: keys(codes) }),
		...(findings && { findings }),
	});
	return new TextEncoder().encode(`${text}\n`);
}

/** Reads the bytes of {@link encodeResult}; undefined for anything else. */
export function decodeResult(bytes: Uint8Array): RunResult | undefined {
	try {
		const data = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Record<string, unknown>;
		const { version, key, status, reason, steps, state, series } = data;
		const metrics = readNumbers(data['metrics']);
		const isSound =
			version === 1 &&
			// it names a file
			typeof key === 'string' &&
			/^[A-Za-z0-9_-]{1,80}$/.test(key) &&
			RUN_STATUSES.includes(status as RunStatus) &&
			typeof steps === 'number' &&
			typeof state === 'string' &&
			metrics !== undefined;
		if (!isSound) return undefined;
		const counts = data['counts'] === undefined ? undefined : readNumbers(data['counts']);
		const codes = data['codes'] === undefined ? undefined : readNumbers(data['codes']);
		return {
			version: 1,
			key,
			status: status as RunStatus,
			...(typeof reason === 'string' && { reason }),
			steps,
			state,
			metrics,
			...(series === true && { series: true }),
			...(counts && { counts }),
			...(codes && { codes }),
			...(Array.isArray(data['findings']) && { findings: data['findings'] as Diagnostic[] }),
		};
	} catch {
		return undefined;
	}
}

function readNumbers(value: unknown): Record<string, number> | undefined {
	if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
	const out: Record<string, number> = {};
	for (const [name, one] of Object.entries(value)) {
		const number = typeof one === 'string' && /^#[0-9a-f]{16}$/.test(one) ? doubleOfHex(one.slice(1)) : one;
		if (typeof number !== 'number') return undefined;
		out[name] = number;
	}
	return out;
}

function doubleOfHex(hex: string): number {
	const view = new DataView(new ArrayBuffer(8));
	view.setUint32(0, Number.parseInt(hex.slice(0, 8), 16));
	view.setUint32(4, Number.parseInt(hex.slice(8), 16));
	return view.getFloat64(0);
}

/** Whether two results of a run agree; what time or a crash ended says nothing about the other. */
export function agree(a: RunResult, b: RunResult): boolean {
	const isDecided = ({ status }: RunResult): boolean => status !== 'timeout' && status !== 'crashed';
	if (!isDecided(a) || !isDecided(b)) return true;
	if (a.status !== b.status || a.steps !== b.steps || a.state !== b.state) return false;
	return Object.keys(a.metrics).every(
		(name) => b.metrics[name] === undefined || Object.is(a.metrics[name], b.metrics[name]),
	);
}
