import { JointType, type Model } from '@manyworlds/model';

/** One coordinate or velocity of a joint. */
export interface JointNumber {
	/** What is behind the name of the joint: `.x`; empty for joints with one number. */
	readonly suffix: string;
	/** Empty for the numbers of a quaternion. */
	readonly unit: string;
}

const METRES = { position: 'm', velocity: 'm/s' } as const;
const RADIANS = { position: 'rad', velocity: 'rad/s' } as const;

/** Names and units of the coordinates or velocities of a joint, in their order. */
export function jointNumbersOf(model: Model, joint: number, kind: 'position' | 'velocity'): JointNumber[] {
	const [metres, radians] = [METRES[kind], RADIANS[kind]];
	const named = (names: readonly string[], unit: string): JointNumber[] =>
		names.map((name) => ({ suffix: `.${name}`, unit }));
	const turning = kind === 'position' ? named(['qx', 'qy', 'qz', 'qw'], '') : named(['wx', 'wy', 'wz'], radians);
	switch (model.jointType[joint]) {
		case JointType.PRISMATIC:
			return [{ suffix: '', unit: metres }];
		case JointType.REVOLUTE:
			return [{ suffix: '', unit: radians }];
		case JointType.BALL:
			return turning;
		case JointType.FREE:
		case JointType.DISTANCE:
			return [...named(kind === 'position' ? ['x', 'y', 'z'] : ['vx', 'vy', 'vz'], metres), ...turning];
		case JointType.D6: {
			const [linear, angular] = [model.jointDofDim[2 * joint]!, model.jointDofDim[2 * joint + 1]!];
			const isOne = linear + angular === 1;
			return Array.from({ length: linear + angular }, (_, i) => ({
				suffix: isOne ? '' : `[${i}]`,
				unit: i < linear ? metres : radians,
			}));
		}
		default:
			return [];
	}
}
