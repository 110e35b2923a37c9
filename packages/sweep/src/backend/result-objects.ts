import { agree, decodeResult, encodeResult, type RunOutcome } from '../result/run-result.ts';
import { base32, hashOf } from '../runs/run-key.ts';
import type { CommitKind } from './backend.ts';

/** Longest object: servers take messages of a megabyte unless they are told otherwise [bytes]. */
const MOST_BYTES = 512 * 1024;

/** The name under which the results of some runs are kept together: the same wherever they are computed. */
export function nameOfResults(keys: readonly string[]): string {
	return base32(hashOf(keys.join(' ')), 32);
}

/** Results of a batch as objects, seldom more than one: a line for each. */
export function encodeResults(
	outcomes: readonly RunOutcome[],
): { readonly name: string; readonly bytes: Uint8Array; readonly outcomes: readonly RunOutcome[] }[] {
	const objects: { readonly lines: Uint8Array[]; readonly outcomes: RunOutcome[]; size: number }[] = [];
	for (const outcome of outcomes) {
		const line = encodeResult(outcome.result);
		let last = objects.at(-1);
		if (last === undefined || last.size + line.length > MOST_BYTES) {
			last = { lines: [], outcomes: [], size: 0 };
			objects.push(last);
		}
		last.lines.push(line);
		last.outcomes.push(outcome);
		last.size += line.length;
	}
	return objects.map(({ lines, outcomes: own, size }) => {
		const bytes = new Uint8Array(size);
		let at = 0;
		for (const line of lines) {
			bytes.set(line, at);
			at += line.length;
		}
		return { name: nameOfResults(own.map(({ result }) => result.key)), bytes, outcomes: own };
	});
}

/** The results of an object, each as the bytes of its file. */
export function splitResults(bytes: Uint8Array): Uint8Array[] {
	const lines: Uint8Array[] = [];
	for (let first = 0; first < bytes.length; ) {
		const end = bytes.indexOf(10, first);
		const next = end < 0 ? bytes.length : end + 1;
		lines.push(bytes.subarray(first, next));
		first = next;
	}
	return lines;
}

/** What results are beside those of an object that was there. */
export function compareResults(outcomes: readonly RunOutcome[], known: Uint8Array): CommitKind[] {
	const results = new Map(
		splitResults(known).flatMap((line) => {
			const result = decodeResult(line);
			return result === undefined ? [] : [[result.key, result] as const];
		}),
	);
	return outcomes.map(({ result }) => {
		const old = results.get(result.key);
		return old !== undefined && agree(old, result) ? 'same' : 'different';
	});
}
