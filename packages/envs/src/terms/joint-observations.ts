import { JointType } from '@manyworlds/model';
import type { EnvWorlds } from '../env-worlds.ts';
import type { ObservationTerm } from './observation-term.ts';

/** Which joints a term is about. @public */
export interface JointChoice {
	/** Names; all joints with one coordinate unless given. */
	readonly joints?: readonly string[];
}

/** Options of {@link jointPositions}. @public */
export interface JointPositionOptions extends JointChoice {
	/** Whether coordinates are counted from the start of the environment; false unless given. */
	readonly fromStart?: boolean;
}

/** Coordinates of joints [rad, m]. @public */
export function jointPositions(options: JointPositionOptions = {}): ObservationTerm {
	return {
		bind(worlds) {
			const joints = options.joints ?? worlds.scalarJointNames;
			const { coordinate } = worlds.scalarRows(joints);
			const { jointQ } = worlds.state;
			const { jointQ: startQ } = worlds.start;
			const share = options.fromStart === true ? 1 : 0;
			return {
				fields: joints.map((name) => ({ name: `position of ${name}`, unit: unitOf(worlds, name) })),
				read(world, out, at) {
					for (let i = 0; i < joints.length; i++) {
						const row = coordinate[world * joints.length + i]!;
						out[at + i] = jointQ[row]! - share * startQ[row]!;
					}
				},
			};
		},
	};
}

/** Velocities of joints [rad/s, m/s]. @public */
export function jointVelocities(options: JointChoice = {}): ObservationTerm {
	return {
		bind(worlds) {
			const joints = options.joints ?? worlds.scalarJointNames;
			const { dof } = worlds.scalarRows(joints);
			const { jointQd } = worlds.state;
			return {
				fields: joints.map((name) => ({ name: `velocity of ${name}`, unit: `${unitOf(worlds, name)}/s` })),
				read(world, out, at) {
					for (let i = 0; i < joints.length; i++) out[at + i] = jointQd[dof[world * joints.length + i]!]!;
				},
			};
		},
	};
}

/** The actions that were taken last. @public */
export function lastActions(): ObservationTerm {
	return {
		bind(worlds) {
			const count = worlds.actionCount;
			return {
				fields: Array.from({ length: count }, (_, i) => ({ name: `last action ${i}`, unit: '1' })),
				read(world, out, at) {
					for (let i = 0; i < count; i++) out[at + i] = worlds.lastActions[world * count + i]!;
				},
			};
		},
	};
}

/** Unit of the coordinate of a joint. */
export function unitOf(worlds: EnvWorlds, joint: string): string {
	return worlds.model.jointType[worlds.joint(joint, 0)] === JointType.PRISMATIC ? 'm' : 'rad';
}
