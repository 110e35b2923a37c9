import { BodyFlags, JointType } from '@manyworlds/model';
import type { Conversion } from '../convert/conversion.ts';
import { isFreeJoint } from '../convert/free-joint.ts';
import type { ModelMaps } from './model-maps.ts';

/** A joint of the template world that turns freely, and where its positions and velocities start in MuJoCo. */
export interface TurningJoint {
	readonly joint: number;
	readonly isFree: boolean;
	readonly dof: number;
	readonly qpos: number;
	readonly qvel: number;
}

/** Coordinates of the template world that are one number each and follow each other in the model and in MuJoCo. */
export interface ScalarRun {
	/** First coordinate and degree of freedom of the model. */
	readonly coordinate: number;
	readonly dof: number;
	/** First position and velocity in MuJoCo. */
	readonly qpos: number;
	readonly qvel: number;
	readonly count: number;
}

/** Where the joint coordinates of the template world are in MuJoCo. */
export class JointSlots {
	readonly runs: readonly ScalarRun[];
	readonly turning: readonly TurningJoint[];
	/** Joints that MuJoCo does not move: those that close loops. */
	readonly unmoved: readonly number[];
	/** 1 for degrees of freedom of the model that belong to kinematic bodies, in all worlds. */
	readonly isHeld: Uint8Array;
	/** Whether there is a kinematic body at all. */
	hasHeld = false;
	readonly #conversion: Conversion;

	constructor(conversion: Conversion, maps: Pick<ModelMaps, 'qposStart' | 'qvelStart'>) {
		this.#conversion = conversion;
		const { model, template } = conversion;
		const runs: ScalarRun[] = [];
		const turning: TurningJoint[] = [];
		const unmoved: number[] = [];
		for (const [i, joint] of template.joints.entries()) {
			const qpos = maps.qposStart[i]!;
			const qvel = maps.qvelStart[i]!;
			const dof = model.jointQdStart[joint]!;
			const type = model.jointType[joint]!;
			if (qpos < 0) unmoved.push(joint);
			else if (isFreeJoint(type) || type === JointType.BALL) {
				turning.push({ joint, isFree: isFreeJoint(type), dof, qpos, qvel });
			} else {
				const coordinate = model.jointQStart[joint]!;
				const count = model.jointQdStart[joint + 1]! - dof;
				append(runs, { coordinate, dof, qpos, qvel, count });
			}
		}
		this.runs = runs;
		this.turning = turning;
		this.unmoved = unmoved;
		this.isHeld = new Uint8Array(model.jointDofCount);
		this.refresh();
	}

	/** Reads again which bodies are kinematic. */
	refresh(): void {
		const { model } = this.#conversion;
		this.hasHeld = model.bodyFlags.some((flags) => (flags & BodyFlags.KINEMATIC) !== 0);
		for (let joint = 0; joint < model.jointCount; joint++) {
			const isHeld = (model.bodyFlags[model.jointChild[joint]!]! & BodyFlags.KINEMATIC) !== 0;
			this.isHeld.fill(isHeld ? 1 : 0, model.jointQdStart[joint]!, model.jointQdStart[joint + 1]!);
		}
	}
}

/** Adds a run, as the continuation of the last one if it is that. */
function append(runs: ScalarRun[], own: ScalarRun): void {
	const last = runs.at(-1);
	const isNext =
		last !== undefined &&
		last.coordinate + last.count === own.coordinate &&
		last.dof + last.count === own.dof &&
		last.qpos + last.count === own.qpos &&
		last.qvel + last.count === own.qvel;
	if (isNext) runs[runs.length - 1] = { ...last, count: last.count + own.count };
	else if (own.count > 0) runs.push(own);
}
