import type { Prim } from '@manyworlds/usd';
import { asNumber, authoredValue, type PlainValue } from '../plain-value.ts';
import type { SchemaAttribute, SchemaResolver } from './schema-resolver.ts';

const LIMIT_AXES = ['transX', 'transY', 'transZ', 'linear', 'angular', 'rotX', 'rotY', 'rotZ'] as const;
const STATE_AXES = ['angular', 'linear', 'transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ'] as const;

/** Attributes of the PhysX schemas. @public */
export const SCHEMA_RESOLVER_PHYSX: SchemaResolver = {
	name: 'physx',
	namespaces: [
		'physxScene',
		'physxRigidBody',
		'physxCollision',
		'physxConvexHullCollision',
		'physxConvexDecompositionCollision',
		'physxTriangleMeshCollision',
		'physxTriangleMeshSimplificationCollision',
		'physxSDFMeshCollision',
		'physxMaterial',
		'physxJoint',
		'physxLimit',
		'physxArticulation',
		// joint state and drives, as PhysX writes and reads them
		'state',
		'drive',
	],
	mapping: {
		scene: {
			max_solver_iterations: { name: 'physxScene:maxVelocityIterationCount', default: 255 },
			time_steps_per_second: { name: 'physxScene:timeStepsPerSecond', default: 60 },
			gravity_enabled: { name: 'physxRigidBody:disableGravity', default: false, transform: (value) => !value },
		},
		joint: {
			armature: { name: 'physxJoint:armature', default: 0 },
			velocity_limit: { name: 'physxJoint:maxJointVelocity' },
			...limits(),
			...jointState(),
		},
		shape: {
			max_hull_vertices: { name: 'physxConvexHullCollision:hullVertexLimit', default: 64 },
			margin: { name: 'physxCollision:restOffset', default: 0, transform: finiteOffset },
			gap: {
				name: 'physxCollision:contactOffset',
				default: Number.NEGATIVE_INFINITY,
				read: readGap,
				attributeNames: ['physxCollision:contactOffset', 'physxCollision:restOffset'],
			},
		},
		material: {
			ke: { name: 'physxMaterial:compliantContactStiffness' },
			kd: { name: 'physxMaterial:compliantContactDamping' },
		},
		body: {
			rigid_body_linear_damping: { name: 'physxRigidBody:linearDamping', default: 0 },
			rigid_body_angular_damping: { name: 'physxRigidBody:angularDamping', default: 0.05 },
		},
		articulation: {
			self_collision_enabled: { name: 'physxArticulation:enabledSelfCollisions', default: true },
		},
	},
};

/** Minus infinity is PhysX's word for its own default, which says nothing. */
function finiteOffset(value: PlainValue): PlainValue | undefined {
	return value === Number.NEGATIVE_INFINITY ? undefined : value;
}

/** Contacts begin at the contact offset and rest at the rest offset; the gap is what lies between. */
function readGap(prim: Prim): PlainValue | undefined {
	const contact = asNumber(authoredValue(prim, 'physxCollision:contactOffset'));
	const rest = asNumber(authoredValue(prim, 'physxCollision:restOffset'));
	if (contact === undefined || rest === undefined) return undefined;
	if (contact === Number.NEGATIVE_INFINITY || rest === Number.NEGATIVE_INFINITY) return undefined;
	return contact - rest;
}

function limits(): Record<string, SchemaAttribute> {
	const entries = LIMIT_AXES.flatMap((axis) => [
		[`limit_${axis}_ke`, { name: `physxLimit:${axis}:stiffness`, default: 0 }] as const,
		[`limit_${axis}_kd`, { name: `physxLimit:${axis}:damping`, default: 0 }] as const,
	]);
	return Object.fromEntries(entries);
}

function jointState(): Record<string, SchemaAttribute> {
	const entries = STATE_AXES.flatMap((axis) =>
		(['position', 'velocity'] as const).map((part): readonly [string, SchemaAttribute] => [
			`${axis}_${part}`,
			{ name: `state:${axis}:physics:${part}`, ...(axis.startsWith('trans') ? {} : { default: 0 }) },
		]),
	);
	return Object.fromEntries(entries);
}
