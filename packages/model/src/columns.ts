/** What rows of a column belong to. @public */
export type Entity =
	| 'particle'
	| 'spring'
	| 'triangle'
	| 'edge'
	| 'tetrahedron'
	| 'body'
	| 'shape'
	| 'joint'
	| 'jointDof'
	| 'jointCoord'
	| 'jointConstraint'
	| 'articulation'
	| 'equalityConstraint'
	| 'constraintMimic'
	| 'filterPair';

/** Entities in the order in which merged builders append them. @public */
export const ENTITIES: readonly Entity[] = [
	'particle',
	'spring',
	'triangle',
	'edge',
	'tetrahedron',
	'body',
	'shape',
	'joint',
	'jointDof',
	'jointCoord',
	'jointConstraint',
	'articulation',
	'equalityConstraint',
	'constraintMimic',
	'filterPair',
];

/** One array that a builder fills row by row and a model holds. @public */
export interface ColumnSpec {
	/** Newton's name of the array; empty for what only the builder needs. */
	readonly newton: string;
	readonly entity: Entity;
	readonly type: 'float' | 'int' | 'bool';
	/** Numbers per row. */
	readonly width: number;
	/** The entity whose index the values are; negative values refer to none. Merging shifts the others. */
	readonly refers?: Entity;
}

const float = (newton: string, entity: Entity, width = 1): ColumnSpec => ({ newton, entity, type: 'float', width });
const int = (newton: string, entity: Entity, width = 1): ColumnSpec => ({ newton, entity, type: 'int', width });
const bool = (newton: string, entity: Entity): ColumnSpec => ({ newton, entity, type: 'bool', width: 1 });
const index = (newton: string, entity: Entity, refers: Entity, width = 1): ColumnSpec => ({
	newton,
	entity,
	type: 'int',
	width,
	refers,
});

/**
 * Every authored array. This table is the only place that knows how a column is merged: what is not here cannot be
 * forgotten by `addBuilder`, `replicate`, `collapseFixedJoints` or `finalize`. @public
 */
export const COLUMNS: Readonly<Record<ColumnName, ColumnSpec>> = {
	particleQ: float('particle_q', 'particle', 3),
	particleQd: float('particle_qd', 'particle', 3),
	particleMass: float('particle_mass', 'particle'),
	particleRadius: float('particle_radius', 'particle'),
	particleFlags: int('particle_flags', 'particle'),
	particleWorld: int('particle_world', 'particle'),

	springIndices: index('spring_indices', 'spring', 'particle', 2),
	springRestLength: float('spring_rest_length', 'spring'),
	springStiffness: float('spring_stiffness', 'spring'),
	springDamping: float('spring_damping', 'spring'),
	springControl: float('spring_control', 'spring'),

	triIndices: index('tri_indices', 'triangle', 'particle', 3),
	triPoses: float('tri_poses', 'triangle', 4),
	triActivations: float('tri_activations', 'triangle'),
	triMaterials: float('tri_materials', 'triangle', 5),
	triAreas: float('tri_areas', 'triangle'),

	edgeIndices: index('edge_indices', 'edge', 'particle', 4),
	edgeRestAngle: float('edge_rest_angle', 'edge'),
	edgeRestLength: float('edge_rest_length', 'edge'),
	edgeBendingProperties: float('edge_bending_properties', 'edge', 2),

	tetIndices: index('tet_indices', 'tetrahedron', 'particle', 4),
	tetPoses: float('tet_poses', 'tetrahedron', 9),
	tetActivations: float('tet_activations', 'tetrahedron'),
	tetMaterials: float('tet_materials', 'tetrahedron', 3),

	bodyQ: float('body_q', 'body', 7),
	bodyQd: float('body_qd', 'body', 6),
	bodyCom: float('body_com', 'body', 3),
	bodyMass: float('body_mass', 'body'),
	bodyInertia: float('body_inertia', 'body', 9),
	bodyFlags: int('body_flags', 'body'),
	bodyLockInertia: bool('', 'body'),
	bodyWorld: int('body_world', 'body'),

	shapeTransform: float('shape_transform', 'shape', 7),
	shapeBody: index('shape_body', 'shape', 'body'),
	shapeFlags: int('shape_flags', 'shape'),
	shapeType: int('shape_type', 'shape'),
	shapeScale: float('shape_scale', 'shape', 3),
	shapeIsSolid: bool('shape_is_solid', 'shape'),
	shapeMargin: float('shape_margin', 'shape'),
	shapeGap: float('shape_gap', 'shape'),
	shapeMaterialKe: float('shape_material_ke', 'shape'),
	shapeMaterialKd: float('shape_material_kd', 'shape'),
	shapeMaterialKf: float('shape_material_kf', 'shape'),
	shapeMaterialKa: float('shape_material_ka', 'shape'),
	shapeMaterialMu: float('shape_material_mu', 'shape'),
	shapeMaterialRestitution: float('shape_material_restitution', 'shape'),
	shapeMaterialMuTorsional: float('shape_material_mu_torsional', 'shape'),
	shapeMaterialMuRolling: float('shape_material_mu_rolling', 'shape'),
	shapeMaterialKh: float('shape_material_kh', 'shape'),
	shapeColor: float('shape_color', 'shape', 3),
	shapeOpacity: float('shape_opacity', 'shape'),
	shapeCollisionGroup: int('shape_collision_group', 'shape'),
	shapeFilterParent: bool('', 'shape'),
	shapeWorld: int('shape_world', 'shape'),

	jointType: int('joint_type', 'joint'),
	jointParent: index('joint_parent', 'joint', 'body'),
	jointChild: index('joint_child', 'joint', 'body'),
	jointXP: float('joint_X_p', 'joint', 7),
	jointXC: float('joint_X_c', 'joint', 7),
	jointDofDim: int('joint_dof_dim', 'joint', 2),
	jointEnabled: bool('joint_enabled', 'joint'),
	jointFilterParent: bool('', 'joint'),
	jointArticulation: index('joint_articulation', 'joint', 'articulation'),
	jointQStart: index('joint_q_start', 'joint', 'jointCoord'),
	jointQdStart: index('joint_qd_start', 'joint', 'jointDof'),
	jointConstraintStart: index('', 'joint', 'jointConstraint'),
	jointWorld: int('joint_world', 'joint'),

	jointQ: float('joint_q', 'jointCoord'),
	jointTargetQ: float('joint_target_q', 'jointCoord'),

	jointQd: float('joint_qd', 'jointDof'),
	jointF: float('joint_f', 'jointDof'),
	jointAct: float('joint_act', 'jointDof'),
	jointTargetQd: float('joint_target_qd', 'jointDof'),
	jointAxis: float('joint_axis', 'jointDof', 3),
	jointArmature: float('joint_armature', 'jointDof'),
	jointTargetMode: int('joint_target_mode', 'jointDof'),
	jointTargetKe: float('joint_target_ke', 'jointDof'),
	jointTargetKd: float('joint_target_kd', 'jointDof'),
	jointDamping: float('joint_damping', 'jointDof'),
	jointLimitLower: float('joint_limit_lower', 'jointDof'),
	jointLimitUpper: float('joint_limit_upper', 'jointDof'),
	jointLimitKe: float('joint_limit_ke', 'jointDof'),
	jointLimitKd: float('joint_limit_kd', 'jointDof'),
	jointEffortLimit: float('joint_effort_limit', 'jointDof'),
	jointVelocityLimit: float('joint_velocity_limit', 'jointDof'),
	jointFriction: float('joint_friction', 'jointDof'),

	articulationStart: index('articulation_start', 'articulation', 'joint'),
	articulationEnd: index('articulation_end', 'articulation', 'joint'),
	articulationWorld: int('articulation_world', 'articulation'),

	equalityConstraintType: int('equality_constraint_type', 'equalityConstraint'),
	equalityConstraintBody1: index('equality_constraint_body1', 'equalityConstraint', 'body'),
	equalityConstraintBody2: index('equality_constraint_body2', 'equalityConstraint', 'body'),
	equalityConstraintAnchor: float('equality_constraint_anchor', 'equalityConstraint', 3),
	equalityConstraintTorquescale: float('equality_constraint_torquescale', 'equalityConstraint'),
	equalityConstraintRelpose: float('equality_constraint_relpose', 'equalityConstraint', 7),
	equalityConstraintJoint1: index('equality_constraint_joint1', 'equalityConstraint', 'joint'),
	equalityConstraintJoint2: index('equality_constraint_joint2', 'equalityConstraint', 'joint'),
	equalityConstraintPolycoef: float('equality_constraint_polycoef', 'equalityConstraint', 5),
	equalityConstraintEnabled: bool('equality_constraint_enabled', 'equalityConstraint'),
	equalityConstraintWorld: int('equality_constraint_world', 'equalityConstraint'),

	constraintMimicJoint0: index('constraint_mimic_joint0', 'constraintMimic', 'joint'),
	constraintMimicJoint1: index('constraint_mimic_joint1', 'constraintMimic', 'joint'),
	constraintMimicCoef0: float('constraint_mimic_coef0', 'constraintMimic'),
	constraintMimicCoef1: float('constraint_mimic_coef1', 'constraintMimic'),
	constraintMimicEnabled: bool('constraint_mimic_enabled', 'constraintMimic'),
	constraintMimicWorld: int('constraint_mimic_world', 'constraintMimic'),

	filterPair: index('', 'filterPair', 'shape', 2),
};

/** Columns of floating-point numbers. */
type FloatName =
	| 'particleQ'
	| 'particleQd'
	| 'particleMass'
	| 'particleRadius'
	| 'springRestLength'
	| 'springStiffness'
	| 'springDamping'
	| 'springControl'
	| 'triPoses'
	| 'triActivations'
	| 'triMaterials'
	| 'triAreas'
	| 'edgeRestAngle'
	| 'edgeRestLength'
	| 'edgeBendingProperties'
	| 'tetPoses'
	| 'tetActivations'
	| 'tetMaterials'
	| 'bodyQ'
	| 'bodyQd'
	| 'bodyCom'
	| 'bodyMass'
	| 'bodyInertia'
	| 'shapeTransform'
	| 'shapeScale'
	| 'shapeMargin'
	| 'shapeGap'
	| 'shapeMaterialKe'
	| 'shapeMaterialKd'
	| 'shapeMaterialKf'
	| 'shapeMaterialKa'
	| 'shapeMaterialMu'
	| 'shapeMaterialRestitution'
	| 'shapeMaterialMuTorsional'
	| 'shapeMaterialMuRolling'
	| 'shapeMaterialKh'
	| 'shapeColor'
	| 'shapeOpacity'
	| 'jointXP'
	| 'jointXC'
	| 'jointQ'
	| 'jointTargetQ'
	| 'jointQd'
	| 'jointF'
	| 'jointAct'
	| 'jointTargetQd'
	| 'jointAxis'
	| 'jointArmature'
	| 'jointTargetKe'
	| 'jointTargetKd'
	| 'jointDamping'
	| 'jointLimitLower'
	| 'jointLimitUpper'
	| 'jointLimitKe'
	| 'jointLimitKd'
	| 'jointEffortLimit'
	| 'jointVelocityLimit'
	| 'jointFriction'
	| 'equalityConstraintAnchor'
	| 'equalityConstraintTorquescale'
	| 'equalityConstraintRelpose'
	| 'equalityConstraintPolycoef'
	| 'constraintMimicCoef0'
	| 'constraintMimicCoef1';

/** Columns of 32-bit integers. */
type IntName =
	| 'particleFlags'
	| 'particleWorld'
	| 'springIndices'
	| 'triIndices'
	| 'edgeIndices'
	| 'tetIndices'
	| 'bodyFlags'
	| 'bodyWorld'
	| 'shapeBody'
	| 'shapeFlags'
	| 'shapeType'
	| 'shapeCollisionGroup'
	| 'shapeWorld'
	| 'jointType'
	| 'jointParent'
	| 'jointChild'
	| 'jointDofDim'
	| 'jointArticulation'
	| 'jointQStart'
	| 'jointQdStart'
	| 'jointConstraintStart'
	| 'jointWorld'
	| 'jointTargetMode'
	| 'articulationStart'
	| 'articulationEnd'
	| 'articulationWorld'
	| 'equalityConstraintType'
	| 'equalityConstraintBody1'
	| 'equalityConstraintBody2'
	| 'equalityConstraintJoint1'
	| 'equalityConstraintJoint2'
	| 'equalityConstraintWorld'
	| 'constraintMimicJoint0'
	| 'constraintMimicJoint1'
	| 'constraintMimicWorld'
	| 'filterPair';

/** Columns of flags, one byte each. */
type BoolName =
	| 'bodyLockInertia'
	| 'shapeIsSolid'
	| 'shapeFilterParent'
	| 'jointEnabled'
	| 'jointFilterParent'
	| 'equalityConstraintEnabled'
	| 'constraintMimicEnabled';

/** Names of all columns. @public */
export type ColumnName = FloatName | IntName | BoolName;

/** The typed array behind a column. @public */
export type ColumnArray<N extends ColumnName> = N extends FloatName
	? Float64Array
	: N extends IntName
		? Int32Array
		: Uint8Array;

/** All column names, in table order. @public */
export const COLUMN_NAMES: readonly ColumnName[] = Object.keys(COLUMNS) as ColumnName[];

/** The columns of each entity. @public */
export const COLUMNS_OF: Readonly<Record<Entity, readonly ColumnName[]>> = columnsByEntity();

/** Entities that stand in worlds, with the column that says in which. @public */
export const WORLD_COLUMNS: readonly { readonly entity: Entity; readonly column: ColumnName }[] = [
	{ entity: 'particle', column: 'particleWorld' },
	{ entity: 'body', column: 'bodyWorld' },
	{ entity: 'shape', column: 'shapeWorld' },
	{ entity: 'joint', column: 'jointWorld' },
	{ entity: 'articulation', column: 'articulationWorld' },
	{ entity: 'equalityConstraint', column: 'equalityConstraintWorld' },
	{ entity: 'constraintMimic', column: 'constraintMimicWorld' },
];

function columnsByEntity(): Record<Entity, ColumnName[]> {
	const table = Object.fromEntries(ENTITIES.map((entity) => [entity, [] as ColumnName[]])) as Record<
		Entity,
		ColumnName[]
	>;
	for (const name of Object.keys(COLUMNS) as ColumnName[]) table[COLUMNS[name].entity].push(name);
	return table;
}
