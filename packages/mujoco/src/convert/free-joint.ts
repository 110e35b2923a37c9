import { JointType } from '@manyworlds/model';

/** Whether a joint is a free joint in MuJoCo: a distance joint is one too, because MuJoCo has no such constraint. */
export function isFreeJoint(type: number): boolean {
	return type === JointType.FREE || type === JointType.DISTANCE;
}
