import { UsageRangeError } from '@manyworlds/core';
import { quatFromRotationVector, quatMultiply } from '@manyworlds/core/internal';
import { JointType } from '@manyworlds/model';
import { worldRows } from '@manyworlds/worlds/internal';
import type { EnvWorlds } from '../env-worlds.ts';
import type { JointChoice } from './joint-observations.ts';
import type { RandomTerm, Span } from './random-term.ts';

/** Options of {@link randomJoints}. @public */
export interface RandomJointOptions extends JointChoice {
	/** What is added to coordinates [rad, m]. */
	readonly position?: Span;
	/** What is added to velocities [rad/s, m/s]. */
	readonly velocity?: Span;
}

const NOTHING: Span = [0, 0];

/** Joints start beside their usual place, each by its own amount, within their limits. @public */
export function randomJoints({ joints, position = NOTHING, velocity = NOTHING }: RandomJointOptions): RandomTerm {
	return {
		name: 'joints',
		bind(worlds) {
			const names = joints ?? worlds.scalarJointNames;
			const { coordinate, dof } = worlds.scalarRows(names);
			const { jointQ, jointQd } = worlds.state;
			const { jointLimitLower, jointLimitUpper } = worlds.model;
			return {
				modelFlags: 0,
				draw(world, draws) {
					for (let i = 0; i < names.length; i++) {
						const q = coordinate[world * names.length + i]!;
						const d = dof[world * names.length + i]!;
						const moved = jointQ[q]! + draws.uniform(position[0], position[1]);
						jointQ[q] = Math.min(jointLimitUpper[d]!, Math.max(jointLimitLower[d]!, moved));
						jointQd[d] = jointQd[d]! + draws.uniform(velocity[0], velocity[1]);
					}
				},
			};
		},
	};
}

/** Options of {@link randomBase}. @public */
export interface RandomBaseOptions {
	/** What is added to the position, by axis of the world [m]. */
	readonly position?: readonly [Span, Span, Span];
	/** Heading that is added, about the upward axis [rad]. */
	readonly yaw?: Span;
	/** What is added to the velocity of the centre of mass, by axis of the world [m/s]. */
	readonly velocity?: readonly [Span, Span, Span];
}

/** Floating bodies start beside their usual place: all bodies of a world that float, each by its own amount. @public */
export function randomBase(options: RandomBaseOptions): RandomTerm {
	const still: readonly [Span, Span, Span] = [NOTHING, NOTHING, NOTHING];
	const { position = still, yaw = NOTHING, velocity = still } = options;
	return {
		name: 'base',
		bind(worlds) {
			const bases = floatingJoints(worlds);
			const { jointQ, jointQd } = worlds.state;
			const { jointQStart, jointQdStart, upAxis } = worlds.model;
			const up = 'xyz'.indexOf(upAxis);
			const turn = new Float64Array(3);
			const rotation = new Float64Array(4);
			return {
				modelFlags: 0,
				draw(world, draws) {
					for (const joint of bases[world]!) {
						const q = jointQStart[joint]!;
						const d = jointQdStart[joint]!;
						turn.fill(0);
						turn[up] = draws.uniform(yaw[0], yaw[1]);
						quatFromRotationVector(rotation, turn);
						quatMultiply(jointQ, rotation, jointQ, q + 3, 0, q + 3);
						for (let k = 0; k < 3; k++) {
							jointQ[q + k] = jointQ[q + k]! + draws.uniform(position[k]![0], position[k]![1]);
							jointQd[d + k] = jointQd[d + k]! + draws.uniform(velocity[k]![0], velocity[k]![1]);
						}
					}
				},
			};
		},
	};
}

/** Options of {@link pushes}. @public */
export interface PushOptions {
	/** Body that is pushed. */
	readonly body: string;
	/** Force by axis of the world [N]. */
	readonly force: readonly [Span, Span, Span];
	/** Time from one push to the next, and how long each lasts [s]. */
	readonly every: number;
	readonly duration: number;
}

/** Pushes at the centre of mass of a body, at fixed times of an episode with random forces. @public */
export function pushes({ body, force, every, duration }: PushOptions): RandomTerm {
	if (!(every > 0 && duration > 0 && duration <= every))
		throw new UsageRangeError(`pushes of ${duration} s every ${every} s, expected a duration of at most that time`);
	return {
		name: `pushes of ${body}`,
		bind(worlds) {
			const rows = worlds.bodyRows([body]);
			const { bodyF } = worlds.state;
			return {
				modelFlags: 0,
				act(world, draws) {
					const seconds = worlds.secondsOf(world);
					const push = Math.floor(seconds / every + 1e-9);
					// the first begins after the first wait
					const isPushed = push > 0 && seconds - push * every < duration - 1e-9;
					draws.begin(worlds.seed, worlds.stream[world]!, worlds.episode[world]!, push);
					const at = 6 * rows[world]!;
					for (let k = 0; k < 3; k++) {
						const own = draws.uniform(force[k]![0], force[k]![1]);
						bodyF[at + k] = isPushed ? own : 0;
					}
				},
			};
		},
	};
}

/** Floating joints of each world. */
function floatingJoints(worlds: EnvWorlds): readonly (readonly number[])[] {
	const { model } = worlds;
	return Array.from({ length: worlds.worldCount }, (_, world) => {
		const { start, end } = worldRows(model, 'joint', world);
		const found: number[] = [];
		for (let joint = start; joint < end; joint++) if (model.jointType[joint] === JointType.FREE) found.push(joint);
		if (found.length === 0) throw new UsageRangeError(`nothing floats in world ${world}, so no base can be moved`);
		return found;
	});
}
