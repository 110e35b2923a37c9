import type { Prim } from '@manyworlds/usd';
import { authoredText } from '@manyworlds/usd/internal';

/** The attribute that gives a joint its ROS name (REP 0158 §2.10). */
export const JOINT_NAME = 'ros:joint:name';

/** What ROS calls a joint: the authored name, else the name of the prim. */
export function jointName(joint: Prim): string {
	const name = authoredText(joint, JOINT_NAME);
	return name === undefined || name === '' ? joint.name : name;
}
