import type { Fixer } from './engine/fixer.ts';
import { SCHEMAS } from './families/f01-schemas.ts';
import { EULER, TRANSFORMS } from './families/f02-transforms.ts';
import { VENDORS_APART } from './families/f04-vendors.ts';
import { LEAF_AXES, LEAF_UNITS } from './families/f05-leaf-points.ts';
import { MASS_UNIT, UNITS } from './families/f05-units.ts';
import { AXES } from './families/f06-axes.ts';
import { TIME } from './families/f07-time.ts';
import { PIVOT } from './families/f08-pivot.ts';
import { ASSET_INFO } from './families/f09-asset-info.ts';
import { KIND } from './families/f10-kind.ts';
import { LIMITS } from './families/f11-limits.ts';
import { LOOPS } from './families/f12-loops.ts';
import { ROOTS } from './families/f13-roots.ts';
import { KINEMATIC_BODIES } from './families/f14-kinematic.ts';
import { MASSES } from './families/f14-mass.ts';
import { ANCHORS } from './families/f15-anchors.ts';
import { FRAME_SCHEMAS, FRAMES } from './families/f16-frames.ts';
import { INERTIA } from './families/f17-inertia.ts';
import { APPROXIMATIONS, COLLIDERS } from './families/f18-colliders.ts';
import { FIDELITY } from './families/f18-fidelity.ts';
import { MATERIAL_NUMBERS, MATERIALS } from './families/f19-materials.ts';
import { PATHS } from './families/f21-paths.ts';
import { ENCODING } from './families/f22-encoding.ts';
import { FUNCTIONS } from './families/f23-functions.ts';
import { SPLIT } from './families/f23-split.ts';
import { PAYLOADS } from './families/f24-payloads.ts';
import { VARIANTS } from './families/f25-variants.ts';
import { INSTANCES, LONE_INSTANCES } from './families/f26-instances.ts';
import { HIERARCHY } from './families/f27-hierarchy.ts';
import { SCOPES } from './families/f27-scopes.ts';
import { NAMES, PARENT_FRAMES } from './families/f28-names.ts';
import { INTERFACES } from './families/f29-interfaces.ts';
import { OPTICAL } from './families/f30-optical.ts';
import { DISPLAY_NAMES, JOINT_NAMES, UNIQUE_NAMES } from './families/f31-joint-names.ts';
import { BAKED_NODES, MATERIAL_SURFACES } from './families/f32-materials.ts';
import { TILES } from './families/f33-tiles.ts';
import { TEXTURES } from './families/f34-textures.ts';
import { COLLIDER_MESHES } from './families/f36-collider-meshes.ts';
import { WINDING } from './families/f37-winding.ts';
import { SHARED_MESHES } from './families/f38-shared-meshes.ts';
import { ROS_TYPES, ROS_VALUES } from './families/f39-types.ts';

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
	LEAF_AXES,
	ASSET_INFO,
	KIND,
	PIVOT,
	SCHEMAS,
	LIMITS,
	LOOPS,
	ROOTS,
	ANCHORS,
	KINEMATIC_BODIES,
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
	// what has an arc is known by now
	LEAF_UNITS,
	SHARED_MESHES,
	ENCODING,
];
