import type { ConversionJoint, ConversionModel } from './conversion-model.ts';
import { compose, identityPose, inverse, motionOf } from './pose.ts';

/** Where bodies stand in the world when every joint is at zero. */
export function zeroPoses(model: ConversionModel): Float64Array[] {
	return placeBodies(model, ({ parentFrame, childFrame }) => compose(parentFrame, inverse(childFrame)));
}

/** Where bodies stand in the world at the start, as their joints say; joints without coordinates leave them where they were put. */
export function startPoses(model: ConversionModel): Float64Array[] {
	const { bodies } = model;
	return placeBodies(model, ({ kind, parent, child, parentFrame, childFrame, freedoms }) => {
		if (kind === 'spherical' || kind === 'floating' || kind === 'planar') {
			const own = bodies[child]!.pose;
			return parent < 0 ? own : compose(inverse(bodies[parent]!.pose), own);
		}
		const motion = freedoms.reduce((pose, freedom) => compose(pose, motionOf(freedom, freedom.start)), identityPose());
		return compose(compose(parentFrame, motion), inverse(childFrame));
	});
}

/** Poses in the world by those that joints give children in the frames of their parents. */
function placeBodies(
	{ bodies, joints }: ConversionModel,
	localOf: (joint: ConversionJoint) => Float64Array,
): Float64Array[] {
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
			const local = localOf(joint);
			poses[at] = joint.parent < 0 ? local : compose(poses[joint.parent]!, local);
		}
	}
	return poses as Float64Array[];
}
