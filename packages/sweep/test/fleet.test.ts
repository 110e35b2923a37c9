import { normalQuantile, PhiloxStream } from '@manyworlds/core/internal';
import { describe, expect, test } from 'vitest';
import type { Lease } from '../src/backend/backend.ts';
import { batchOf } from '../src/backend/batches.ts';
import { MemoryBackend } from '../src/backend/memory-backend.ts';

/** A clock that jumps from event to event. */
class Clock {
	time = 0;
	#count = 0;
	readonly #events: { readonly at: number; readonly order: number; readonly call: () => void }[] = [];

	later(call: () => void, delay: number): void {
		const event = { at: this.time + delay, order: this.#count++, call };
		let [low, high] = [0, this.#events.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			const other = this.#events[middle]!;
			if (other.at < event.at || (other.at === event.at && other.order < event.order)) low = middle + 1;
			else high = middle;
		}
		this.#events.splice(low, 0, event);
	}

	sleep(delay: number): Promise<void> {
		return new Promise((resolve) => this.later(resolve, delay));
	}

	async run(isOver: () => boolean): Promise<void> {
		while (!isOver()) {
			// promises that are ready come first
			for (let i = 0; i < 4; i++) await Promise.resolve();
			const event = this.#events.shift();
			if (event === undefined) {
				await new Promise((resolve) => setImmediate(resolve));
				if (this.#events.length === 0) return;
				continue;
			}
			this.time = event.at;
			event.call();
		}
	}
}

describe('a queue with many workers that crash', () => {
	test('a thousand of them lose nothing and are nearly as quick as without', async () => {
		const workers = 1000;
		const total = 40_000;
		const clock = new Clock();
		const backend = new MemoryBackend({
			capacity: 4 * workers,
			leaseTime: 30_000,
			now: () => clock.time,
			later: (call, delay) => clock.later(call, delay),
		});
		const draw = new PhiloxStream(11, 'fleet');
		let drawn = 0;
		const uniform = (): number => draw.uniform(drawn++);
		/** Lognormal with a median of 20 s. */
		const work = Array.from({ length: total }, () => 20_000 * Math.exp(0.3 * normalQuantile(uniform())));
		const done = new Map<number, number>();
		let crashes = 0;
		let deepest = 0;
		let submitted = 0;
		let finished = 0;
		const isOver = (): boolean => done.size === total;
		const feed = async (): Promise<void> => {
			for (let i = 0; i < total; ) {
				if (await backend.submit(batchOf('fleet', [i]))) {
					i++;
					submitted++;
				} else await clock.sleep(500);
				const { pending, leased } = await backend.stats();
				deepest = Math.max(deepest, pending + leased);
			}
		};
		const worker = async (): Promise<void> => {
			// once in ten minutes, exponentially
			let crash = clock.time - 600_000 * Math.log(uniform());
			while (!isOver()) {
				const lease: Lease | undefined = await backend.lease(5000);
				if (lease === undefined) continue;
				const [index] = lease.batch.indices;
				const until = clock.time + work[index!]!;
				while (clock.time < until && clock.time < crash) {
					await clock.sleep(Math.min(10_000, until - clock.time, crash - clock.time));
					if (clock.time < crash) await lease.extend();
				}
				if (clock.time >= crash) {
					// the machine is gone for a while and its lease runs out by itself
					crashes++;
					await clock.sleep(5000);
					crash = clock.time - 600_000 * Math.log(uniform());
					continue;
				}
				done.set(index!, (done.get(index!) ?? 0) + 1);
				finished = clock.time;
				await lease.ack();
			}
		};
		const all = [feed(), ...Array.from({ length: workers }, worker)];
		await clock.run(isOver);
		void all;
		const ideal = work.reduce((sum, time) => sum + time, 0) / workers;
		expect(submitted).toBe(total);
		expect(done.size).toBe(total);
		expect(crashes).toBeGreaterThan(50);
		// nobody does twice what was not lost
		expect([...done.values()].filter((times) => times > 1).length).toBe(0);
		expect((await backend.stats()).redelivered).toBeLessThanOrEqual(crashes);
		expect(deepest).toBeLessThanOrEqual(4 * workers);
		expect(finished / ideal).toBeLessThan(1.15);
	}, 60_000);

	test('a lease that runs out goes to somebody else, and the first one still may finish', async () => {
		let time = 0;
		const backend = new MemoryBackend({ capacity: 1, leaseTime: 1000, now: () => time, later: (call) => call() });
		await backend.submit(batchOf('s', [1]));
		expect(await backend.submit(batchOf('s', [2]))).toBe(false);
		expect(await backend.submit(batchOf('s', [1]))).toBe(true);
		const first = (await backend.lease(0))!;
		expect(await backend.lease(0)).toBeUndefined();
		time = 900;
		await first.extend();
		time = 1500;
		expect(await backend.lease(0)).toBeUndefined();
		time = 2000;
		const second = (await backend.lease(0))!;
		expect(second.attempt).toBe(2);
		// the first has no say about the lease any more
		await first.nak(0);
		expect(await backend.lease(0)).toBeUndefined();
		await second.nak(0);
		const third = (await backend.lease(0))!;
		expect(third.attempt).toBe(3);
		// given back for later
		await third.nak(2);
		expect(await backend.lease(0)).toBeUndefined();
		time += 1999;
		expect(await backend.lease(0)).toBeUndefined();
		time += 1;
		const fourth = (await backend.lease(0))!;
		expect(fourth.attempt).toBe(4);
		await fourth.ack();
		expect(await backend.stats()).toEqual({ pending: 0, leased: 0, redelivered: 3, refused: 0 });
	});
});
