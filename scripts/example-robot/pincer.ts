import { chamferedBox, type Mesh, merge } from './mesh-shapes.ts';
import type { Link, RobotDescription } from './robot-description.ts';

const meshes: Readonly<Record<string, Mesh>> = {
	palm: chamferedBox([0.045, 0.1, 0.04], 0.006),
	finger: merge(
		[chamferedBox([0.022, 0.022, 0.03], 0.003), [0.011, 0.011, 0]],
		[chamferedBox([0.05, 0.012, 0.024], 0.003), [0.045, 0.006, 0]],
	),
};

/** Both fingers are the same part; the right one is turned about X, so that opening is positive for both. */
function finger(side: 'left' | 'right'): Link {
	return {
		name: `${side}_finger_link`,
		note: side === 'left' ? 'driven finger' : 'the same part, turned half around X; follows the left one',
		at: [0.045, side === 'left' ? 0.001 : -0.001, 0],
		...(side === 'right' && { rotation: [0, 1, 0, 0] as const }),
		joint: {
			name: `${side}_finger_joint`,
			type: 'prismatic',
			axis: 'Y',
			limits: [0, 0.035],
			drive: { stiffness: 2000, damping: 60, maxForce: 40 },
			...(side === 'right' && { mimic: 'palm_link/left_finger_joint' }),
		},
		mass: 0.06,
		inertia: { solid: { kind: 'box', size: [0.07, 0.014, 0.026] }, at: [0.033, 0.008, 0] },
		surface: 'pad',
		visuals: [{ name: 'finger', mesh: 'finger', material: 'graphite' }],
		colliders: [
			{ name: 'base', solid: { kind: 'box', size: [0.022, 0.022, 0.03] }, at: [0.011, 0.011, 0] },
			{ name: 'pad', solid: { kind: 'box', size: [0.05, 0.012, 0.024] }, at: [0.045, 0.006, 0] },
		],
	};
}

/** A parallel gripper that mounts on a flange. */
export const pincer: RobotDescription = {
	name: 'pincer',
	meshes,
	root: {
		name: 'palm_link',
		note: 'its back face lies in the origin',
		at: [0, 0, 0],
		mass: 0.4,
		inertia: { solid: { kind: 'box', size: [0.045, 0.1, 0.04] }, at: [0.0225, 0, 0] },
		surface: 'shell',
		visuals: [{ name: 'palm', mesh: 'palm', material: 'orange', at: [0.0225, 0, 0] }],
		colliders: [{ name: 'palm', solid: { kind: 'box', size: [0.045, 0.1, 0.04] }, at: [0.0225, 0, 0] }],
		children: [finger('left'), finger('right')],
	},
	looks: [
		{ name: 'orange', color: [0.9, 0.35, 0.05], roughness: 0.45, metallic: 0 },
		{ name: 'graphite', color: [0.09, 0.1, 0.11], roughness: 0.6, metallic: 0.2 },
	],
	surfaces: [
		{ name: 'pad', staticFriction: 1.1, dynamicFriction: 1, restitution: 0 },
		{ name: 'shell', staticFriction: 0.4, dynamicFriction: 0.3, restitution: 0.1 },
	],
};
