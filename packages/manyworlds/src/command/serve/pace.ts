import type { SimulationControl } from '@manyworlds/ros';

/** Most steps that are made up for at once; what is left is let go, and time runs slower than the clock. */
const MOST_CATCH_UP = 5;

/** Options of {@link pace}. */
export interface PaceOptions {
	/** Time step [s]. */
	readonly dt: number;
	/** Simulated seconds per second; infinite: as fast as it goes; 0: only on request. */
	readonly rate: () => number;
	/** Simulated time after which it ends [s]; left out, never. */
	readonly duration?: number;
	/** Ends it. */
	readonly signal: AbortSignal;
	/** Milliseconds of a clock that only moves forward. */
	readonly now: () => number;
	/** Steps that were taken since the start or the last reset. */
	readonly stepCount: () => number;
}

/** Takes steps in time with the clock until it is told to end. Sockets are served between steps. */
export async function pace(control: SimulationControl, options: PaceOptions): Promise<void> {
	const { dt, duration, signal, now, stepCount } = options;
	const most = duration === undefined ? Number.POSITIVE_INFINITY : Math.round(duration / dt);
	let last = now();
	let owed = 0;
	while (!signal.aborted && stepCount() < most) {
		const rate = options.rate();
		if (control.isPaused || rate === 0) {
			await rest(5);
			last = now();
			owed = 0;
			continue;
		}
		if (rate === Number.POSITIVE_INFINITY) {
			await control.step(1);
			await rest(0);
			continue;
		}
		const at = now();
		owed += (((at - last) / 1000) * rate) / dt;
		last = at;
		let taken = 0;
		while (owed >= 1 && taken < MOST_CATCH_UP && !signal.aborted && stepCount() < most) {
			await control.step(1);
			owed--;
			taken++;
		}
		if (taken === MOST_CATCH_UP) owed = Math.min(owed, MOST_CATCH_UP);
		await rest(owed >= 1 ? 0 : 1);
	}
}

async function rest(milliseconds: number): Promise<void> {
	await new Promise<void>((resolve) => {
		if (milliseconds === 0) setImmediate(resolve);
		else setTimeout(resolve, milliseconds);
	});
}
