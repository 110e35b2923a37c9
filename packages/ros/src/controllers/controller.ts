import type { Control, Model, State } from '@manyworlds/model';

/** The simulation as controllers see it. */
export interface Plant {
	readonly model: Model;
	readonly state: State;
	/** Targets and forces of drives; the only thing that controllers write. */
	readonly control: Control;
	/** Time step [s]. */
	readonly dt: number;
	/** Forces [N] and torques [N·m] of contacts on bodies at their centres of mass; shape (bodies, 6). Empty when nobody knows. */
	readonly bodyContactForces?: Float64Array;
}

/** What moves joints, or tells of them. */
export interface Controller {
	/** Rows of the joints that it has got hold of: the last command wins. Empty for those that only tell. */
	readonly claims: readonly number[];
	/** Writes targets for the step that begins at a time [ns]. */
	beforeStep?(time: bigint): void;
	/** Looks at the state that the step came to, at a time [ns]. */
	afterStep?(time: bigint, step: number): void;
	/** Lets go of its joints: another controller has taken them over. */
	release?(): void;
	/** The simulation starts again. */
	reset?(): void;
	/** The model is another one; rows that it had before are where they were. */
	replant?(): void;
}

/** Whether something with a rate is due at a step: at the boundary nearest to each multiple of its period. */
export function isDue(step: number, rate: number, dt: number): boolean {
	if (!(rate > 0)) return false;
	const perStep = rate * dt;
	// more often than there are steps: at each
	if (perStep >= 1) return true;
	const nearest = Math.round(step * perStep);
	return Math.round(nearest / perStep) === step;
}
