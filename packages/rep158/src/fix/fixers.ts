import { SCHEMAS } from './f01-schemas.ts';
import { EULER, TRANSFORMS } from './f02-transforms.ts';
import { VENDORS_APART } from './f04-vendors.ts';
import { LEAF_AXES, LEAF_UNITS } from './f05-leaf-points.ts';
import { MASS_UNIT, UNITS } from './f05-units.ts';
import { AXES } from './f06-axes.ts';
import { TIME } from './f07-time.ts';
import { PIVOT } from './f08-pivot.ts';
import { ASSET_INFO } from './f09-asset-info.ts';
import { KIND } from './f10-kind.ts';
import { LIMITS } from './f11-limits.ts';
import { LOOPS } from './f12-loops.ts';
import { ROOTS } from './f13-roots.ts';
import { MASSES } from './f14-mass.ts';
import { ANCHORS } from './f15-anchors.ts';
import { FRAME_SCHEMAS, FRAMES } from './f16-frames.ts';
import { INERTIA } from './f17-inertia.ts';
import { APPROXIMATIONS, COLLIDERS } from './f18-colliders.ts';
import { FIDELITY } from './f18-fidelity.ts';
import { MATERIAL_NUMBERS, MATERIALS } from './f19-materials.ts';
import { PATHS } from './f21-paths.ts';
import { ENCODING } from './f22-encoding.ts';
import { FUNCTIONS } from './f23-functions.ts';
import { SPLIT } from './f23-split.ts';
import { PAYLOADS } from './f24-payloads.ts';
import { VARIANTS } from './f25-variants.ts';
import { INSTANCES, LONE_INSTANCES } from './f26-instances.ts';
import { HIERARCHY } from './f27-hierarchy.ts';
import { SCOPES } from './f27-scopes.ts';
import { NAMES, PARENT_FRAMES } from './f28-names.ts';
import { INTERFACES } from './f29-interfaces.ts';
import { OPTICAL } from './f30-optical.ts';
import { DISPLAY_NAMES, JOINT_NAMES, UNIQUE_NAMES } from './f31-joint-names.ts';
import { BAKED_NODES, MATERIAL_SURFACES } from './f32-materials.ts';
import { TILES } from './f33-tiles.ts';
import { TEXTURES } from './f34-textures.ts';
import { COLLIDER_MESHES } from './f36-collider-meshes.ts';
import { WINDING } from './f37-winding.ts';
import { SHARED_MESHES } from './f38-shared-meshes.ts';
import { ROS_TYPES, ROS_VALUES } from './f39-types.ts';
import type { Fixer } from './fixer.ts';

/** Every family of fixes, in the order in which they are applied: what others rest on first. */
export const FIXERS: readonly Fixer[] = [
	PATHS,
	VARIANTS,
	LONE_INSTANCES,
	INSTANCES,
	TIME,
	FRAMES,
	FRAME_SCHEMAS,
	INERTIA,
	EULER,
	TRANSFORMS,
	MASS_UNIT,
	UNITS,
	AXES,
	LEAF_UNITS,
	LEAF_AXES,
	ASSET_INFO,
	KIND,
	PIVOT,
	SCHEMAS,
	LIMITS,
	LOOPS,
	ROOTS,
	ANCHORS,
	MASSES,
	COLLIDERS,
	APPROXIMATIONS,
	COLLIDER_MESHES,
	WINDING,
	MATERIALS,
	MATERIAL_NUMBERS,
	MATERIAL_SURFACES,
	BAKED_NODES,
	TILES,
	TEXTURES,
	ROS_TYPES,
	ROS_VALUES,
	PARENT_FRAMES,
	OPTICAL,
	INTERFACES,
	NAMES,
	JOINT_NAMES,
	DISPLAY_NAMES,
	HIERARCHY,
	UNIQUE_NAMES,
	SCOPES,
	FIDELITY,
	VENDORS_APART,
	FUNCTIONS,
	SPLIT,
	PAYLOADS,
	SHARED_MESHES,
	ENCODING,
];
