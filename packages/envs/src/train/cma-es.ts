import { UsageRangeError } from '@manyworlds/core';
import { exponential, naturalLog } from '@manyworlds/core/internal';
import { RandomDraws } from '../random-draws.ts';

/** Options of {@link CmaEs}. @public */
export interface CmaEsOptions {
	/** Where the search begins. */
	readonly mean: ArrayLike<number>;
	/** Deviation of the first candidates. */
	readonly deviation: number;
	/** Candidates of a generation; 4 + 3 ln n unless given. */
	readonly population?: number;
	/** Seed of the candidates; 0 unless given. */
	readonly seed?: number;
}

/**
 * Evolution strategy with a covariance matrix that adapts, of which only the diagonal is kept, so that thousands of parameters are
 * no burden (Ros and Hansen 2008, sep-CMA-ES; constants of Hansen 2016). It looks for the greatest score.
 *
 * ```ts
 * const search = new CmaEs({ mean: new Float64Array(10), deviation: 0.5 });
 * for (let i = 0; i < 100; i++) search.tell(search.ask().map(scoreOf));
 * search.mean; // the best guess
 * ```
 * @public
 */
export class CmaEs {
	readonly size: number;
	readonly population: number;
	/** The best guess so far. */
	readonly mean: Float64Array;
	generation = 0;
	readonly #candidates: readonly Float64Array[];
	readonly #steps: readonly Float64Array[];
	readonly #weights: Float64Array;
	readonly #effective: number;
	readonly #draws: RandomDraws;
	readonly #seed: number;
	/** Diagonal of the covariance matrix, and the paths of the mean. */
	readonly #variance: Float64Array;
	readonly #path: Float64Array;
	readonly #scaledPath: Float64Array;
	#deviation: number;

	constructor({ mean, deviation, population, seed = 0 }: CmaEsOptions) {
		this.size = mean.length;
		if (this.size === 0) throw new UsageRangeError('the mean has no entries, expected one for each parameter');
		if (!(deviation > 0)) throw new UsageRangeError(`the deviation is ${deviation}, expected a positive number`);
		this.population = population ?? 4 + Math.floor(3 * naturalLog(this.size));
		if (!Number.isInteger(this.population) || this.population < 4)
			throw new UsageRangeError(`the population is ${this.population}, expected a whole number of 4 or more`);
		this.mean = Float64Array.from(mean);
		this.#deviation = deviation;
		this.#seed = seed;
		this.#draws = new RandomDraws(seed, 'candidates');
		const vectors = (): Float64Array[] => Array.from({ length: this.population }, () => new Float64Array(this.size));
		this.#candidates = vectors();
		this.#steps = vectors();
		const parents = Math.floor(this.population / 2);
		const raw = Float64Array.from(
			{ length: parents },
			(_, i) => naturalLog((this.population + 1) / 2) - naturalLog(i + 1),
		);
		const sum = raw.reduce((total, weight) => total + weight, 0);
		this.#weights = raw.map((weight) => weight / sum);
		this.#effective = 1 / this.#weights.reduce((total, weight) => total + weight * weight, 0);
		this.#variance = new Float64Array(this.size).fill(1);
		this.#path = new Float64Array(this.size);
		this.#scaledPath = new Float64Array(this.size);
	}

	/** Deviation of the next candidates, over all parameters. */
	get deviation(): number {
		return this.#deviation;
	}

	/** Candidates of the next generation; the arrays are used again. */
	ask(): readonly Float64Array[] {
		for (const [i, candidate] of this.#candidates.entries()) {
			const step = this.#steps[i]!;
			this.#draws.begin(this.#seed, i, this.generation);
			for (let k = 0; k < this.size; k++) {
				step[k] = this.#draws.normal(0, Math.sqrt(this.#variance[k]!));
				candidate[k] = this.mean[k]! + this.#deviation * step[k]!;
			}
		}
		return this.#candidates;
	}

	/** Takes the scores of the candidates of the last `ask`, in their order; what is no number counts as the worst. */
	tell(scores: ArrayLike<number>): void {
		if (scores.length !== this.population)
			throw new UsageRangeError(`${scores.length} scores, expected one for each of ${this.population} candidates`);
		const n = this.size;
		const effective = this.#effective;
		const worth = (i: number): number => (Number.isNaN(scores[i]!) ? Number.NEGATIVE_INFINITY : scores[i]!);
		const order = Array.from(this.#candidates.keys()).sort((a, b) => compare(worth(b), worth(a)) || a - b);
		const move = new Float64Array(n);
		for (const [rank, weight] of this.#weights.entries()) {
			const step = this.#steps[order[rank]!]!;
			for (let k = 0; k < n; k++) move[k] = move[k]! + weight * step[k]!;
		}
		const pathRate = (effective + 2) / (n + effective + 5);
		const damping = 1 + 2 * Math.max(0, Math.sqrt((effective - 1) / (n + 1)) - 1) + pathRate;
		const expected = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
		let squared = 0;
		for (let k = 0; k < n; k++) {
			this.mean[k] = this.mean[k]! + this.#deviation * move[k]!;
			const own = (1 - pathRate) * this.#path[k]!;
			this.#path[k] =
				own + (Math.sqrt(pathRate * (2 - pathRate) * effective) * move[k]!) / Math.sqrt(this.#variance[k]!);
			squared += this.#path[k]! ** 2;
		}
		const length = Math.sqrt(squared);
		const age = 1 - (1 - pathRate) ** (2 * (this.generation + 1));
		const isShort = length / Math.sqrt(age) / expected < 1.4 + 2 / (n + 1);
		this.#adapt(move, order, isShort);
		this.#deviation *= exponential((pathRate / damping) * (length / expected - 1));
		this.generation++;
	}

	/** Moves the variances towards the steps that were good. */
	#adapt(move: Float64Array, order: readonly number[], isShort: boolean): void {
		const n = this.size;
		const effective = this.#effective;
		const rate = (4 + effective / n) / (n + 4 + (2 * effective) / n);
		// the diagonal alone has n unknowns, so it may be learned faster by (n + 2) / 3
		const faster = (n + 2) / 3;
		const one = Math.min(1, (faster * 2) / ((n + 1.3) ** 2 + effective));
		const many = Math.min(1 - one, (faster * 2 * (effective - 2 + 1 / effective)) / ((n + 2) ** 2 + effective));
		for (let k = 0; k < n; k++) {
			this.#scaledPath[k] =
				(1 - rate) * this.#scaledPath[k]! + (isShort ? Math.sqrt(rate * (2 - rate) * effective) * move[k]! : 0);
			let spread = 0;
			for (const [rank, weight] of this.#weights.entries()) spread += weight * this.#steps[order[rank]!]![k]! ** 2;
			const lost = isShort ? 0 : one * rate * (2 - rate);
			this.#variance[k] =
				(1 - one - many + lost) * this.#variance[k]! + one * this.#scaledPath[k]! ** 2 + many * spread;
		}
	}
}

function compare(a: number, b: number): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
