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

/** Where the joint coordinates of the template world are in MuJoCo, as columns that a step runs through. */
export class JointSlots {
	/** Coordinates that are one number each: their coordinate, degree of freedom, position and velocity. */
	readonly coordinate: Int32Array;
	readonly dof: Int32Array;
	readonly qpos: Int32Array;
	readonly qvel: Int32Array;
	readonly turning: readonly TurningJoint[];
	/** Joints that MuJoCo does not move: those that close loops. */
	readonly unmoved: readonly number[];
	/** 1 for degrees of freedom of the model that belong to kinematic bodies, in all worlds. */
	readonly isHeld: Uint8Array;
	readonly #conversion: Conversion;

	constructor(conversion: Conversion, maps: ModelMaps) {
		this.#conversion = conversion;
		const { model, template } = conversion;
		const scalars: { coordinate: number; dof: number; qpos: number; qvel: number }[] = [];
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
				for (let k = 0; k < model.jointQdStart[joint + 1]! - dof; k++)
					scalars.push({ coordinate: coordinate + k, dof: dof + k, qpos: qpos + k, qvel: qvel + k });
			}
		}
		this.coordinate = Int32Array.from(scalars, ({ coordinate }) => coordinate);
		this.dof = Int32Array.from(scalars, ({ dof }) => dof);
		this.qpos = Int32Array.from(scalars, ({ qpos }) => qpos);
		this.qvel = Int32Array.from(scalars, ({ qvel }) => qvel);
		this.turning = turning;
		this.unmoved = unmoved;
		this.isHeld = new Uint8Array(model.jointDofCount);
		this.refresh();
	}

	/** Reads again which bodies are kinematic. */
	refresh(): void {
		const { model } = this.#conversion;
		for (let joint = 0; joint < model.jointCount; joint++) {
			const isHeld = (model.bodyFlags[model.jointChild[joint]!]! & BodyFlags.KINEMATIC) !== 0;
			this.isHeld.fill(isHeld ? 1 : 0, model.jointQdStart[joint]!, model.jointQdStart[joint + 1]!);
		}
	}
}
