import type { CodeHelp } from '@manyworlds/core/internal';
import type { REP_1_1_CODES } from '../rep-1-1.ts';

/** What to do about the codes of REP 0158 sections 1.1 and 1.2: units, axes, layers, arcs, asset management. */
export const REP_1_1_HELP: Readonly<Record<keyof typeof REP_1_1_CODES, CodeHelp>> = {
	'R1.1.1': {
		title: 'Length unit is not authored as metres',
		help: 'The root layer must say `metersPerUnit = 1`: simulators may assume metres, and a layer that says nothing means centimetres to USD.',
	},
	'R1.1.2': {
		title: 'Mass unit is not authored as kilograms',
		help: 'The root layer must say `kilogramsPerUnit = 1`, so that masses are kilograms whatever a tool assumes.',
	},
	'R1.1.3': {
		title: 'Time unit is not authored as seconds',
		help: 'The root layer must say `timeCodesPerSecond = 1`, so that one time code is one second; without it USD takes 24, or `framesPerSecond`.',
	},
	'R1.1.4': {
		title: 'Units are not baked',
		help: 'Every layer of the asset must have the same metrics, and nothing may convert units while the stage is composed: no `unitsResolve` operations, no scale of a power of ten, an inch or a foot where an arc comes in. USD itself never converts units between layers.',
	},
	'R1.1.5': {
		title: 'Up axis is not authored as Z',
		help: 'The stage must say `upAxis = "Z"`: ROS is Z-up, and USD without a word is Y-up.',
	},
	'R1.1.6': {
		title: 'Transform of a kinematic prim mirrors',
		help: 'Assets are right-handed: X forward, Y left, Z up. A local matrix with a negative determinant on a link turns that round, and no ROS transform can express it.',
	},
	'R1.1.7': {
		title: 'Rigid body is not placed by translate and orient',
		help: 'A link has exactly one `xformOp:translate` and one `xformOp:orient`, in this order, without suffixes or inverse operations, as a ROS transform has.',
	},
	'R1.1.8': {
		title: 'Baked matrix on a prim',
		help: '`xformOp:transform` hides scale and has to be taken apart at run time; a final asset has none, on any prim.',
	},
	'R1.1.9': {
		title: 'Euler angles in a distributed asset',
		help: 'Rotations are quaternions (`xformOp:orient`). Euler operations are for sources: check those with the profile `source`.',
	},
	'R1.1.10': {
		title: 'Rigid body is scaled',
		help: 'A link keeps the identity scale, its own and that of the prims above it: scale moves joint frames and centres of mass, and engines disagree about the rest. Scale belongs on the geometry below.',
	},
	'R1.1.11': {
		title: 'Scale on a prim that is no leaf geometry',
		help: 'Scale is for single visual or collision shapes. On an Xform above a link or above several shapes it changes all of them, and what else is placed there.',
	},
	'R1.1.12': {
		title: 'Asset is turned at its root',
		help: 'Geometry is not aligned by a rotation of the default prim: points are Z-up as stored. Simulators replace the transform of the root when they place the asset.',
	},
	'R1.1.13': {
		title: 'Geometry is turned by 90 degrees about X',
		help: 'A quarter turn about X on the root of geometry tells of a Y-up source. Points and normals should be stored Z-up.',
	},
	'R1.1.14': {
		title: 'Origin is not at the bottom centre',
		help: 'An asset that stands on the ground should have its origin in the middle of its bounding box, at the lowest point, so that dropping it into a scene puts it on the floor.',
	},
	'R1.1.15': {
		title: 'Mobile base does not follow REP 105',
		help: 'A mobile base should have a frame `base_link`, and `base_footprint` if present should lie on the ground below it.',
	},
	'R1.1.16': {
		title: 'Transform on a joint',
		help: 'Joint prims are not transformable: `xformOp` attributes on them do nothing. Where a joint is, its `physics:localPos0` and `physics:localRot0` say.',
	},
	'R1.2.0.1': {
		title: 'Asset is not self-contained',
		help: 'An asset has one root prim, and everything it refers to, its materials and the targets of its relationships, lies below it. What points outside is lost when the asset is referenced.',
	},
	'R1.2.1.1': {
		title: 'Asset is one monolithic layer',
		help: 'Geometry, materials, physics and ROS interfaces should be in layers of their own, composed by references, payloads or sublayers, so that each can be replaced or left out.',
	},
	'R1.2.1.2': {
		title: 'Layer mixes geometry with simulation schemas',
		help: 'A layer with mesh arrays must not also hold physics, ROS or vendor opinions: tools that know only geometry meet unknown schemas, and a change of a mass rewrites megabytes.',
	},
	'R1.2.1.3': {
		title: 'Layer with schemas or relationships is binary',
		help: 'Layers that apply schemas or hold relationships and connections are text, so that they can be read and reviewed. Crate files are for arrays.',
	},
	'R1.2.1.4': {
		title: 'Heavy layer is text',
		help: 'Large arrays belong into a crate file (`.usdc`): as text they load slowly and cannot be mapped into memory.',
	},
	'R1.2.1.5': {
		title: 'Geometry layer holds other things',
		help: 'The geometry layer has topology, points and primvars only.',
	},
	'R1.2.1.6': {
		title: 'Material layer holds other things',
		help: 'The material layer has materials, shaders, node graphs and bindings only.',
	},
	'R1.2.1.7': {
		title: 'Shared geometry is not assembled in an instances layer',
		help: 'Where parts repeat, a layer of instances that puts geometry and materials together by reference is recommended.',
	},
	'R1.2.1.8': {
		title: 'Base layer holds physics or interfaces',
		help: 'The base layer has the hierarchy of transforms and the arcs to geometry: no physics, no ROS schemas, no execution graphs.',
	},
	'R1.2.1.9': {
		title: 'Physics outside of the physics layer',
		help: 'All opinions of UsdPhysics are in the physics layer, so that one file describes the physics.',
	},
	'R1.2.1.10': {
		title: 'ROS schemas outside of the ROS layer',
		help: 'All opinions of `Ros*API` schemas are in the ROS layer.',
	},
	'R1.2.1.11': {
		title: 'Entry layer is not light',
		help: 'The layer that users open is an interface: it holds no large arrays and pulls the features in by arcs or sublayers.',
	},
	'R1.2.1.12': {
		title: 'Simulator content outside of its own layer',
		help: 'Execution graphs and other content for one simulator stay in a layer of that simulator, such as `isaac.usda`.',
	},
	'R1.2.2.1': {
		title: 'Root prim has no kind component',
		help: 'The default prim of an asset that is used as one piece has `kind = "component"`.',
	},
	'R1.2.2.2': {
		title: 'Aggregate has no kind assembly or group',
		help: 'An asset that contains component models has `kind = "assembly"` or `"group"` on its root prim.',
	},
	'R1.2.2.3': {
		title: 'Prim inside a component is not a subcomponent',
		help: 'Inside a component only `subcomponent` is used; a nested component ends the model hierarchy.',
	},
	'R1.2.2.4': {
		title: 'Model hierarchy is broken',
		help: 'The parent of every component, assembly and group is itself a group or an assembly, and kinds are registered ones; otherwise traversal by model misses the prim.',
	},
	'R1.2.3.1': {
		title: 'Local opinions are allowed',
		help: 'Overrides and properties may be authored locally on the asset.',
	},
	'R1.2.3.2': {
		title: 'Class arc leads outside of the asset',
		help: 'Inherits and specializes on prims with physics or ROS schemas should find their class in the layers of the asset: elsewhere they silently bring nothing.',
	},
	'R1.2.3.3': {
		title: 'Class pattern within the asset is recommended',
		help: 'A class in the same asset that instances inherit is the recommended way to override all of them at once.',
	},
	'R1.2.3.4': {
		title: 'Variants and references are allowed',
		help: 'Variant sets and references may be used for assembly and reuse.',
	},
	'R1.2.3.5': {
		title: 'Heavy data without a payload',
		help: 'Large arrays are reached through a payload, so that the kinematic tree can be opened without them.',
	},
	'R1.2.3.6': {
		title: 'Links, joints or interfaces inside a payload',
		help: 'Rigid bodies, joints and `Ros*API` prims must be there without loading payloads: parsers walk the light tree first.',
	},
	'R1.2.3.7': {
		title: 'Payload holds more than geometry and materials',
		help: 'What a payload brings should be geometry and materials alone.',
	},
	'R1.2.4.1': {
		title: 'Variant set has no usable selection',
		help: 'Every variant set has an authored selection that names one of its variants, so that the asset opens complete without anybody choosing.',
	},
	'R1.2.4.2': {
		title: 'Default state is incomplete',
		help: 'With the authored selections the asset must be complete: arcs resolve, joints find their bodies, links have something to show and to collide with.',
	},
	'R1.2.4.3': {
		title: 'Only active interfaces are evaluated',
		help: 'Tools evaluate the interfaces of the resolved state: what is inactive or not selected does not count.',
	},
	'R1.2.5.1': {
		title: 'No usable defaultPrim',
		help: 'The root layer names its default prim: without one, a reference to the file brings nothing.',
	},
	'R1.2.5.2': {
		title: 'Asset has no identifier',
		help: 'The default prim says what the asset is: `assetInfo` has a non-empty `identifier`.',
	},
	'R1.2.5.3': {
		title: 'Asset has no version',
		help: 'The default prim says which version of the asset it is: `assetInfo` has a non-empty string `version`.',
	},
	'R1.2.5.4': {
		title: 'No provenance in assetInfo',
		help: 'Where the asset comes from, such as the package and file of a URDF, should be in the dictionary `ros` of `assetInfo`.',
	},
	'R1.2.5.5': {
		title: 'Path is not relative',
		help: 'Files of the asset are named by anchored relative paths (`./`, `../`). A bare path is searched for, with results that depend on the machine.',
	},
	'R1.2.5.6': {
		title: "Dependency outside of the asset's folder",
		help: 'All files of an asset should lie in its folder: a path that leaves it breaks when the folder is copied.',
	},
	'R1.2.5.7': {
		title: 'Other package without package://',
		help: 'Files of another ROS package are named by `package://PACKAGE/path`.',
	},
	'R1.2.5.8': {
		title: 'Absolute path or proprietary scheme',
		help: 'Absolute paths and addresses such as `omniverse://` exist on one machine or in one company.',
	},
	'R1.2.5.9': {
		title: 'Package addresses are resolved',
		help: 'Tools resolve `package://` addresses; `manyworlds` takes `--package`, AMENT_PREFIX_PATH and ROS_PACKAGE_PATH.',
	},
	'R1.2.5.10': {
		title: 'Attribute loads an asset',
		help: "A custom attribute with the path of a scene or prefab composes behind USD's back: no other tool sees what it brings.",
	},
	'R1.2.5.11': {
		title: 'Composition by other means than arcs',
		help: 'Assets are composed by references, payloads and sublayers only.',
	},
	'R1.2.5.12': {
		title: 'File format plugins conform',
		help: 'A plugin that reads other formats as USD must give stages that follow these rules.',
	},
	'R1.2.6.1': {
		title: 'Instanced physics or interfaces',
		help: 'Instancing is for geometry. A prototype with rigid bodies, joints or ROS interfaces cannot be simulated, because what is below an instance is shared and cannot be overridden.',
	},
	'R1.2.6.2': {
		title: 'Several copies of an environment',
		help: 'An asset has one canonical environment; simulators multiply it at run time.',
	},
	'R1.2.6.3': {
		title: 'Grid of physical clones',
		help: 'Many equal articulated siblings in a regular grid are the work of a simulator, not of a file.',
	},
};
