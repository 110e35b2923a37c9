import type { ConversionModel } from './conversion-model.ts';
import { compose, inverse } from './pose.ts';

/** Where bodies stand in the world when every joint is at zero. */
export function zeroPoses({ bodies, joints }: ConversionModel): Float64Array[] {
	const poses: (Float64Array | undefined)[] = new Array(bodies.length).fill(undefined);
	const jointOf = new Map(joints.map((joint) => [joint.child, joint]));
	const chain: number[] = [];
	for (let body = 0; body < bodies.length; body++) {
		// up to a body that is placed, then down again
		for (let at = body; at >= 0 && poses[at] === undefined; at = jointOf.get(at)?.parent ?? -1) chain.push(at);
		for (let at = chain.pop(); at !== undefined; at = chain.pop()) {
			const joint = jointOf.get(at);
			if (joint === undefined) {
				poses[at] = bodies[at]!.pose;
				continue;
			}
			const local = compose(joint.parentFrame, inverse(joint.childFrame));
			poses[at] = joint.parent < 0 ? local : compose(poses[joint.parent]!, local);
		}
	}
	return poses as Float64Array[];
}
