/** Why something of a robot is not in another format as it was. @public */
export type LossCode = keyof typeof LOSSES;

/** What each loss means. @public */
export const LOSSES = {
	'joint-disabled': 'a joint that is switched off',
	'joint-locked': 'a joint whose limits leave no way is held fast',
	loop: 'a joint that closes a loop, which the format cannot hold',
	'joint-kind': 'a kind of joint that the format does not have',
	'one-sided-limit': 'a limit on one side only, which the format cannot say',
	'velocity-limit': 'a speed limit, which the format does not have',
	armature: 'the inertia of a motor, which the format does not have',
	friction: 'friction of a joint or surface, which the format does not have',
	restitution: 'how a surface bounces, which the format does not have',
	drive: 'stiffness and damping of a drive, which the format does not have',
	'mimic-nonlinear': 'a joint that follows another other than in proportion',
	filter: 'a pair that does not collide, which the format cannot say',
	approximation: 'what stands for a mesh that collides, which the format cannot say',
	'concave-hull': 'a hollow mesh that collides as its hull',
	'shape-tessellated': 'a shape that becomes a mesh',
	'scale-baked': 'a scale that goes into the shape',
	'name-changed': 'a name that the format does not allow',
	'frame-inserted': 'a link between, as the frame of a link must lie on its joint',
	'mass-derived': 'a mass that comes from the volume',
	'mass-invented': 'a mass for a link without one',
	'inertia-unphysical': 'an inertia that no solid has',
	'texture-missing': 'an image that is not there',
	surroundings: 'a shape or frame of the world, which is no part of the robot',
	keyframe: 'where a joint starts, which the format cannot say',
} as const;
