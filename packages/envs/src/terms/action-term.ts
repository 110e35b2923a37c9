import { UsageRangeError } from '@manyworlds/core';
import { type Control, JointTargetMode } from '@manyworlds/model';
import type { EnvField } from '../env-field.ts';
import type { EnvWorlds } from '../env-worlds.ts';
import { type JointChoice, unitOf } from './joint-observations.ts';

/** A part of an action. @public */
export interface ActionTerm {
	bind(worlds: EnvWorlds): BoundAction;
}

/** An {@link ActionTerm} with its worlds. @public */
export interface BoundAction {
	/** The numbers that it takes, in their order. */
	readonly fields: readonly EnvField[];
	/** Puts the numbers of a world, from `actions[at]` on, into the control. */
	apply(world: number, actions: Float64Array, at: number): void;
	/** Whether `apply` is called before every step of the simulation, as it looks at the state; once for an action otherwise. */
	readonly isEverySubstep?: boolean;
}

/** Options of action terms. @public */
export interface JointActionOptions extends JointChoice {
	/** What an action of 1 stands for [rad, m, rad/s, m/s, N·m, N]; 1 unless given. */
	readonly scale?: number;
	/** Least and greatest action; -1 and 1 unless given. */
	readonly bounds?: readonly [number, number];
}

/** Targets of drives: where the environment starts, plus `scale` times the action. Joints need gains of position. @public */
export function jointTargets(options: JointActionOptions = {}): ActionTerm {
	return {
		bind(worlds) {
			const joints = options.joints ?? worlds.scalarJointNames;
			const { coordinate, dof } = worlds.scalarRows(joints);
			for (const [i, name] of joints.entries()) {
				const { jointTargetMode, jointTargetKe } = worlds.model;
				const isDriven =
					jointTargetMode[dof[i]!] !== JointTargetMode.NONE &&
					jointTargetMode[dof[i]!] !== JointTargetMode.VELOCITY &&
					jointTargetKe[dof[i]!]! > 0;
				if (!isDriven) throw new UsageRangeError(`joint '${name}' has no drive of position, so a target does nothing`);
			}
			const { jointTargetQ } = worlds.control;
			const { jointQ: startQ } = worlds.start;
			const scale = options.scale ?? 1;
			return {
				fields: fieldsOf(
					joints,
					options,
					(name) => `target of ${name}`,
					(name) => scaled(scale, unitOf(worlds, name)),
				),
				apply(world, actions, at) {
					for (let i = 0; i < joints.length; i++) {
						const row = coordinate[world * joints.length + i]!;
						jointTargetQ[row] = startQ[row]! + scale * actions[at + i]!;
					}
				},
			};
		},
	};
}

/** Target velocities of drives: `scale` times the action. @public */
export function jointTargetVelocities(options: JointActionOptions = {}): ActionTerm {
	return scaledDofs(
		options,
		'target velocity',
		(unit) => `${unit}/s`,
		({ jointTargetQd }) => jointTargetQd,
	);
}

/** Efforts of joints: `scale` times the action. @public */
export function jointEfforts(options: JointActionOptions = {}): ActionTerm {
	return scaledDofs(
		options,
		'effort',
		(unit) => (unit === 'm' ? 'N' : 'N·m'),
		({ jointF }) => jointF,
	);
}

/** Actions times `scale`, written to an array of the control that has an entry for each degree of freedom. */
function scaledDofs(
	options: JointActionOptions,
	kind: string,
	unitFor: (coordinate: string) => string,
	arrayOf: (control: Control) => Float64Array,
): ActionTerm {
	return {
		bind(worlds) {
			const joints = options.joints ?? worlds.scalarJointNames;
			const { dof } = worlds.scalarRows(joints);
			const target = arrayOf(worlds.control);
			const scale = options.scale ?? 1;
			const unit = (name: string): string => scaled(scale, unitFor(unitOf(worlds, name)));
			return {
				fields: fieldsOf(joints, options, (name) => `${kind} of ${name}`, unit),
				apply(world, actions, at) {
					for (let i = 0; i < joints.length; i++) target[dof[world * joints.length + i]!] = scale * actions[at + i]!;
				},
			};
		},
	};
}

/** Gains of {@link jointPd}. @public */
export interface JointPdOptions extends JointActionOptions {
	/** [N·m/rad, N/m] */
	readonly stiffness: number;
	/** [N·m·s/rad, N·s/m] */
	readonly damping: number;
	/** Greatest effort [N·m, N]; infinite unless given. */
	readonly most?: number;
}

/**
 * Efforts of a controller of position and rate, computed anew before every step of the simulation, as on a robot whose joints know
 * torques only. The target is where the environment starts plus `scale` times the action. @public
 */
export function jointPd(options: JointPdOptions): ActionTerm {
	return {
		bind(worlds) {
			const joints = options.joints ?? worlds.scalarJointNames;
			const { coordinate, dof } = worlds.scalarRows(joints);
			const { jointF } = worlds.control;
			const { jointQ, jointQd } = worlds.state;
			const { jointQ: startQ } = worlds.start;
			const { scale = 1, stiffness, damping, most = Number.POSITIVE_INFINITY } = options;
			return {
				fields: fieldsOf(
					joints,
					options,
					(name) => `target of ${name}`,
					(name) => scaled(scale, unitOf(worlds, name)),
				),
				isEverySubstep: true,
				apply(world, actions, at) {
					for (let i = 0; i < joints.length; i++) {
						const q = coordinate[world * joints.length + i]!;
						const d = dof[world * joints.length + i]!;
						const error = startQ[q]! + scale * actions[at + i]! - jointQ[q]!;
						const effort = stiffness * error - damping * jointQd[d]!;
						jointF[d] = Math.min(most, Math.max(-most, effort));
					}
				},
			};
		},
	};
}

function fieldsOf(
	joints: readonly string[],
	{ bounds = [-1, 1] }: JointActionOptions,
	nameOf: (joint: string) => string,
	unit: (joint: string) => string,
): EnvField[] {
	return joints.map((joint) => ({ name: nameOf(joint), unit: unit(joint), lower: bounds[0], upper: bounds[1] }));
}

/** What an action of 1 stands for. */
function scaled(scale: number, unit: string): string {
	return scale === 1 ? unit : `${scale} ${unit}`;
}
