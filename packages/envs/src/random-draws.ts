import { normalQuantile, PhiloxStream } from '@manyworlds/core/internal';

/**
 * Numbers for one purpose in one episode of one world. They depend on seed, purpose, world and episode only, so a world draws the same
 * alone or among others, whatever happened before. @public
 */
export class RandomDraws {
	readonly #name: string;
	#stream: PhiloxStream;
	#seed: number;
	#world = 0;
	#episode = 0;
	#drawn = 0;

	constructor(seed: number, name: string) {
		this.#seed = seed;
		this.#name = name;
		this.#stream = new PhiloxStream(seed, name);
	}

	/** Begins the numbers of an episode of a world, or of one of its steps. */
	begin(seed: number, world: number, episode: number, step = 0): void {
		if (seed !== this.#seed) {
			this.#seed = seed;
			this.#stream = new PhiloxStream(seed, this.#name);
		}
		this.#world = world;
		this.#episode = episode;
		this.#drawn = step * DRAWS_PER_STEP;
	}

	/** A number between two others, all equally likely. */
	uniform(lower: number, upper: number): number {
		return lower + (upper - lower) * this.#next();
	}

	/** A number with a normal distribution. */
	normal(mean: number, deviation: number): number {
		return mean + deviation * normalQuantile(this.#next());
	}

	/** A whole number from 0 to before `count`. */
	index(count: number): number {
		return Math.min(count - 1, Math.floor(count * this.#next()));
	}

	#next(): number {
		return this.#stream.uniform(this.#world * 2 ** 32 + this.#drawn++, this.#episode);
	}
}

/** Numbers that one step may draw for one purpose before it meets those of the next. */
const DRAWS_PER_STEP = 4096;
