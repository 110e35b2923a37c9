import { MOST_SET_BITS, type NumberSet } from './message-builder.ts';
import type { ReceivedFragments } from './read-message.ts';

/** Samples of one writer that are put together at a time, and the largest of them [bytes]. */
const MOST_SAMPLES = 8;
const MOST_SAMPLE_SIZE = 64 << 20;

interface Assembly {
	readonly bytes: Uint8Array<ArrayBuffer>;
	readonly size: number;
	/** 1 for fragments that are here. */
	readonly here: Uint8Array;
	count: number;
}

/** Puts the fragments of samples together. */
export class FragmentStore {
	readonly #samples = new Map<number, Assembly>();

	/** Takes fragments; gives the sample when it is whole. */
	add({ sequence, first, count, size, total, payload }: ReceivedFragments): Uint8Array<ArrayBuffer> | undefined {
		if (total > MOST_SAMPLE_SIZE) return undefined;
		let sample = this.#samples.get(sequence);
		if (sample === undefined) {
			sample = { bytes: new Uint8Array(total), size, here: new Uint8Array(Math.ceil(total / size)), count: 0 };
			this.#samples.set(sequence, sample);
			// the oldest gives way
			for (const old of this.#samples.keys()) {
				if (this.#samples.size <= MOST_SAMPLES) break;
				this.#samples.delete(old);
			}
		}
		if (sample.bytes.length !== total || sample.size !== size) return undefined;
		for (let i = 0; i < count; i++) {
			const index = first - 1 + i;
			const start = index * size;
			const length = Math.min(size, total - start);
			if (index >= sample.here.length || sample.here[index] === 1 || payload.length < i * size + length) continue;
			sample.bytes.set(payload.subarray(i * size, i * size + length), start);
			sample.here[index] = 1;
			sample.count++;
		}
		if (sample.count < sample.here.length) return undefined;
		this.#samples.delete(sequence);
		return sample.bytes;
	}

	has(sequence: number): boolean {
		return this.#samples.has(sequence);
	}

	sequences(): number[] {
		return [...this.#samples.keys()];
	}

	dropBelow(sequence: number): void {
		for (const own of this.#samples.keys()) if (own < sequence) this.#samples.delete(own);
	}

	/** Fragments of a sample that are missing, as many as one request can name. */
	missing(sequence: number): NumberSet | undefined {
		const sample = this.#samples.get(sequence);
		if (sample === undefined) return undefined;
		const first = sample.here.indexOf(0);
		const count = Math.min(MOST_SET_BITS, sample.here.length - first);
		return { base: first + 1, count, has: (i) => sample.here[first + i] === 0 };
	}
}
