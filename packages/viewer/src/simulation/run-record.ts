import { chooseQuantities, Recording, Sample } from '@manyworlds/worlds';
import { DEFAULT_QUANTITIES } from '@manyworlds/worlds/internal';
import type { Simulation } from 'manyworlds';

/** Rows of a table at most: longer runs have every n-th step, as those of the command. */
const MOST_ROWS = 2000;
/** Steps that are kept; of longer runs every second one is forgotten, again and again. */
const MOST_STEPS = 40_000;

/** What `manyworlds run --record` writes of the first world of a run, whenever somebody asks for it. */
export class RunRecord {
	readonly #simulation: Simulation;
	readonly #recording: Recording;
	readonly #steps: number[] = [];

	constructor(simulation: Simulation) {
		this.#simulation = simulation;
		this.#recording = new Recording(chooseQuantities(simulation.model, 0, DEFAULT_QUANTITIES));
		this.add(0);
	}

	/** Keeps the state after so many steps. */
	add(step: number): void {
		const { model, state, statistics, dt } = this.#simulation;
		this.#recording.add(step * dt, new Sample(model, state, 0, step === 0 ? undefined : statistics));
		this.#steps.push(step);
		if (this.#steps.length > MOST_STEPS) this.#thin();
	}

	/** Comma-separated values; `solver` is what made the steps. */
	csv(solver: string): string {
		const last = this.#steps.at(-1)!;
		const every = Math.max(1, Math.ceil(last / MOST_ROWS));
		const chosen = new Recording(this.#recording.quantities);
		for (const [i, step] of this.#steps.entries()) {
			if (step % every !== 0 && step !== last) continue;
			chosen.times.push(this.#recording.times[i]!);
			chosen.rows.push(this.#recording.rows[i]!);
		}
		return chosen.toCsv(solver);
	}

	#thin(): void {
		const { times, rows } = this.#recording;
		let kept = 0;
		for (let i = 0; i < this.#steps.length; i += 2) {
			[this.#steps[kept], times[kept], rows[kept]] = [this.#steps[i]!, times[i]!, rows[i]!];
			kept++;
		}
		for (const list of [this.#steps, times, rows]) list.length = kept;
	}
}
