import { COLUMN_NAMES, COLUMNS } from '../columns.ts';
import type { ModelArrayName } from './model-arrays.ts';

/** How an array of a model is laid out. @public */
export interface ModelArraySpec {
	/** Newton's name; empty where Newton has none. */
	readonly newton: string;
	readonly type: 'float' | 'int' | 'bool';
	/** Numbers per row, as dimensions: `[]` for one, `[7]` for a transform, `[3, 3]` for a tensor. */
	readonly dims: readonly number[];
}

const spec = (newton: string, type: ModelArraySpec['type'], ...dims: number[]): ModelArraySpec => ({
	newton,
	type,
	dims,
});

/** Arrays that `finalize` computes. */
const DERIVED = {
	particleInvMass: spec('particle_inv_mass', 'float'),
	particleWorldStart: spec('particle_world_start', 'int'),
	bodyInvMass: spec('body_inv_mass', 'float'),
	bodyInvInertia: spec('body_inv_inertia', 'float', 3, 3),
	bodyWorldStart: spec('body_world_start', 'int'),
	shapeCollisionRadius: spec('shape_collision_radius', 'float'),
	shapeCollisionAabbLower: spec('shape_collision_aabb_lower', 'float', 3),
	shapeCollisionAabbUpper: spec('shape_collision_aabb_upper', 'float', 3),
	shapeContactPairs: spec('shape_contact_pairs', 'int', 2),
	shapeCollisionFilterPairs: spec('shape_collision_filter_pairs', 'int', 2),
	shapeWorldStart: spec('shape_world_start', 'int'),
	jointAncestor: spec('joint_ancestor', 'int'),
	jointConstraintStart: spec('', 'int'),
	jointWorldStart: spec('joint_world_start', 'int'),
	jointDofWorldStart: spec('joint_dof_world_start', 'int'),
	jointCoordWorldStart: spec('joint_coord_world_start', 'int'),
	jointConstraintWorldStart: spec('joint_constraint_world_start', 'int'),
	articulationWorldStart: spec('articulation_world_start', 'int'),
	equalityConstraintWorldStart: spec('equality_constraint_world_start', 'int'),
	constraintMimicWorldStart: spec('', 'int'),
	gravity: spec('gravity', 'float', 3),
} as const satisfies Partial<Record<ModelArrayName, ModelArraySpec>>;

/** Square matrices among the authored columns, which the column table knows only by their number of entries. */
const MATRICES: Readonly<Record<string, readonly number[]>> = {
	bodyInertia: [3, 3],
	triPoses: [2, 2],
	tetPoses: [3, 3],
};

/** Every array of a model. @public */
export const MODEL_ARRAYS: Readonly<Record<ModelArrayName, ModelArraySpec>> = allArrays();

/** Names of every array of a model, in a fixed order. @public */
export const MODEL_ARRAY_NAMES: readonly ModelArrayName[] = Object.keys(MODEL_ARRAYS) as ModelArrayName[];

const BY_NEWTON_NAME: ReadonlyMap<string, ModelArrayName> = new Map(
	MODEL_ARRAY_NAMES.filter((name) => MODEL_ARRAYS[name].newton !== '').map((name) => [MODEL_ARRAYS[name].newton, name]),
);

/** The array that Newton calls so, `undefined` for an unknown name. @public */
export function arrayOfNewtonName(newton: string): ModelArrayName | undefined {
	return BY_NEWTON_NAME.get(newton);
}

function allArrays(): Record<ModelArrayName, ModelArraySpec> {
	const table: Partial<Record<ModelArrayName, ModelArraySpec>> = {};
	for (const name of COLUMN_NAMES) {
		const { newton, type, width } = COLUMNS[name];
		if (newton === '') continue;
		table[name as ModelArrayName] = { newton, type, dims: MATRICES[name] ?? (width === 1 ? [] : [width]) };
	}
	return { ...table, ...DERIVED } as Record<ModelArrayName, ModelArraySpec>;
}
