import type { ConversionBody, ConversionJoint, ConversionModel } from './conversion-model.ts';
import { compose, identityPose } from './pose.ts';

/** Mass [kg] and inertia [kg m²] of links that stand between. */
export const LEAST_MASS = 1e-6;
export const LEAST_INERTIA = 1e-9;

/**
 * The same robot where joints with several ways to move are chains of joints with one each, over small links at the place of
 * the joint. Bodies and joints keep their indices; what stands between comes behind them, and a compound joint becomes the last
 * of its chain.
 */
export function splitCompounds(model: ConversionModel): ConversionModel {
	if (model.joints.every(({ kind }) => kind !== 'compound')) return model;
	const bodies: ConversionBody[] = [...model.bodies];
	const joints: ConversionJoint[] = [...model.joints];
	for (const [index, joint] of model.joints.entries()) {
		if (joint.kind !== 'compound') continue;
		let { parent, parentFrame } = joint;
		const base = parent < 0 ? parentFrame : compose(model.bodies[parent]!.pose, parentFrame);
		const last = joint.freedoms.length - 1;
		for (let k = 0; k < last; k++) {
			const freedom = joint.freedoms[k]!;
			const child = bodies.length;
			bodies.push({
				name: `${joint.name}_link_${k}`,
				inertia: {
					mass: LEAST_MASS,
					center: [0, 0, 0],
					tensor: [LEAST_INERTIA, LEAST_INERTIA, LEAST_INERTIA, 0, 0, 0],
				},
				pose: base,
				from: joint.from,
			});
			joints.push({
				...joint,
				name: freedom.name ?? `${joint.name}_${k}`,
				kind: freedom.motion === 'turn' ? 'revolute' : 'prismatic',
				parent,
				child,
				parentFrame,
				childFrame: identityPose(),
				freedoms: [freedom],
			});
			parent = child;
			parentFrame = identityPose();
		}
		const freedom = joint.freedoms[last]!;
		joints[index] = {
			...joint,
			name: freedom.name ?? `${joint.name}_${last}`,
			kind: freedom.motion === 'turn' ? 'revolute' : 'prismatic',
			parent,
			parentFrame,
			freedoms: [freedom],
		};
	}
	return { ...model, bodies, joints };
}
