import type { Model, State } from '@manyworlds/model';
import type { WorldFailure } from './stepper.ts';
import { worldRows } from './world-rows.ts';

/** Speed that no robot has [m/s, rad/s]: a world beyond it has diverged, though its numbers are still finite. */
export const MOST_SPEED = 1e6;

/** Finds worlds that diverge, puts them back to their last good state and keeps them there. */
export class WorldGuard {
	/** 1 for each world that goes on. */
	readonly running: Uint8Array;
	readonly failures: WorldFailure[] = [];
	readonly #model: Model;
	#step = 0;

	constructor(model: Model) {
		this.#model = model;
		this.running = new Uint8Array(Math.max(1, model.worldCount)).fill(1);
	}

	/** Looks at the states before and after a step. `isBroken` says whether the solver gave up on a world. */
	check(before: State, after: State, isBroken: (world: number) => boolean): void {
		this.#step++;
		for (let world = 0; world < this.running.length; world++) {
			if (this.running[world] === 0) continue;
			const reason = isBroken(world)
				? 'the velocities that the solver found are not finite'
				: this.#reason(world, after);
			if (reason === undefined) continue;
			this.running[world] = 0;
			this.failures.push({ world, step: this.#step, reason });
			this.#hold(world, before, after);
		}
	}

	#reason(world: number, state: State): string | undefined {
		const model = this.#model;
		const { start, end } = worldRows(model, 'jointDof', world);
		for (let dof = start; dof < end; dof++) {
			const speed = state.jointQd[dof]!;
			if (Math.abs(speed) <= MOST_SPEED) continue;
			const joint = jointOf(model, dof);
			return `joint '${model.jointLabels[joint]}' moves at ${speed.toPrecision(3)} m/s or rad/s`;
		}
		return undefined;
	}

	/** From here on a masked solver touches neither state, so both must have the world as it was. */
	#hold(world: number, from: State, to: State): void {
		const ranges = [
			['jointCoord', 'jointQ', 1],
			['jointDof', 'jointQd', 1],
			['body', 'bodyQ', 7],
			['body', 'bodyQd', 6],
		] as const;
		for (const [entity, name, size] of ranges) {
			const { start, end } = worldRows(this.#model, entity, world);
			to[name].set(from[name].subarray(size * start, size * end), size * start);
		}
	}
}

function jointOf(model: Model, dof: number): number {
	let joint = 0;
	while (model.jointQdStart[joint + 1]! <= dof) joint++;
	return joint;
}
