import type { Prim } from '@manyworlds/usd';

/**
 * How much a joint belongs into the tree of its articulation, the least number first: joints that are driven, fixed ones, others, and last those
 * of kinds that trees do not hold, such as distances. Where joints close a loop, the last of them is the constraint.
 */
export function treeRank(joint: Prim): number {
	if (!TREE_JOINTS.includes(joint.typeName)) return 3;
	if (isDriven(joint)) return 0;
	return joint.typeName === 'PhysicsFixedJoint' ? 1 : 2;
}

/** Whether the tree of an articulation can have a joint of this kind. */
export function isTreeKind(joint: Prim): boolean {
	return treeRank(joint) < 3;
}

const TREE_JOINTS: readonly string[] = [
	'PhysicsFixedJoint',
	'PhysicsRevoluteJoint',
	'PhysicsPrismaticJoint',
	'PhysicsSphericalJoint',
	'PhysicsJoint',
];

/** Whether something moves a joint: a drive of its own, another joint that it follows. */
function isDriven(joint: Prim): boolean {
	return [...joint.appliedSchemas, ...(joint.authoredSchemas ?? [])].some(
		(schema) => schema.startsWith('PhysicsDriveAPI:') || /Mimic[A-Za-z]*API/.test(schema),
	);
}
