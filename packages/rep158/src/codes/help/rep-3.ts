import type { CodeHelp } from '@manyworlds/core/internal';
import type { REP_3_CODES } from '../rep-3.ts';

/** What to do about the codes of REP 0158 section 3: the export profile. */
export const REP_3_HELP: Readonly<Record<keyof typeof REP_3_CODES, CodeHelp>> = {
	'R3.0.1': {
		title: 'Asset stays in the exportable subset',
		help: 'An asset that follows section 3 can be written as glTF, and its kinematics as URDF, without losing what matters.',
	},
	'R3.1.1': {
		title: 'Visual material without UsdPreviewSurface',
		help: 'The surface of a material is a UsdPreviewSurface: every exporter knows it.',
	},
	'R3.1.2': {
		title: 'OpenPBR may be read',
		help: 'Converters may understand OpenPBR beside UsdPreviewSurface.',
	},
	'R3.1.3': {
		title: 'Proprietary shader on the universal terminal',
		help: 'MDL, OSL and MaterialX shaders have terminals of their own; `outputs:surface` is for UsdPreviewSurface.',
	},
	'R3.1.4': {
		title: 'Material differs between purposes',
		help: 'One material should serve all visual purposes: exporters keep one.',
	},
	'R3.1.5': {
		title: 'Proprietary shaders on their own terminals',
		help: 'Further shaders may hang on terminals such as `outputs:mdl:surface`.',
	},
	'R3.1.6': {
		title: 'UDIM textures',
		help: 'Tiled textures have no counterpart in glTF.',
	},
	'R3.1.7': {
		title: 'Texture coordinates outside of the unit square',
		help: 'Texture coordinates lie between 0 and 1 unless the texture repeats.',
	},
	'R3.1.8': {
		title: 'Faces with several materials are no subsets',
		help: 'A mesh with several materials splits its faces into disjoint subsets of the family `materialBind` that cover it.',
	},
	'R3.1.9': {
		title: 'Texture is used beyond its edge',
		help: 'Coordinates outside of 0 to 1 need `wrapS` and `wrapT` to repeat or mirror.',
	},
	'R3.2.1': {
		title: 'Texture is no 8-bit PNG or JPEG',
		help: 'Textures are PNG or JPEG with 8 bits for each channel, by content and not by name.',
	},
	'R3.2.2': {
		title: 'Data texture is no PNG',
		help: 'Normals, roughness, metalness, occlusion and displacement are PNG: JPEG damages them.',
	},
	'R3.2.3': {
		title: 'Colour texture with alpha is JPEG',
		help: 'Colour textures may be JPEG where no alpha is used.',
	},
	'R3.2.4': {
		title: 'KTX2 texture',
		help: 'KTX2 is for delivery, not for USD.',
	},
	'R3.2.5': {
		title: 'EXR, TIFF or HDR as a surface texture',
		help: 'Surface textures have 8 bits; these formats are for other purposes.',
	},
	'R3.2.6': {
		title: 'Environment texture is no HDR',
		help: '`.hdr` files are for dome lights, and dome lights use them.',
	},
	'R3.3.1': {
		title: 'Shader that cannot be exported',
		help: 'Shading networks use UsdPreviewSurface, UsdUVTexture, UsdPrimvarReader and UsdTransform2d only; others are baked.',
	},
	'R3.3.2': {
		title: 'Image without UsdUVTexture',
		help: 'Images are read by UsdUVTexture.',
	},
	'R3.3.3': {
		title: 'Baked colours are not per vertex',
		help: 'Colours baked into a mesh should be interpolated as `vertex`.',
	},
	'R3.4.1': {
		title: 'Collider mesh is not triangulated',
		help: 'Meshes that collide are made of triangles.',
	},
	'R3.4.2': {
		title: 'Exporters triangulate',
		help: 'Visual meshes may have polygons; exporters turn them into triangles.',
	},
	'R3.4.3': {
		title: 'Mesh is left-handed',
		help: 'Meshes have `orientation = "rightHanded"`, the default.',
	},
	'R3.4.4': {
		title: 'Double-sided mesh hides wrong winding',
		help: '`doubleSided` must not hide faces that are wound the wrong way.',
	},
	'R3.4.5': {
		title: 'Collider mesh is not watertight',
		help: 'Collider meshes are closed, two faces meet at every edge, and all faces look outwards.',
	},
	'R3.4.6': {
		title: 'Collider mesh intersects itself',
		help: 'Faces of a collider mesh do not pass through each other.',
	},
	'R3.5.1': {
		title: 'Repeated geometry is not instanced',
		help: 'Equal meshes are stored once and instanced.',
	},
	'R3.5.2': {
		title: 'More than leaf geometry is instanced',
		help: 'An instance holds geometry only: no bodies, joints or interfaces.',
	},
	'R3.5.3': {
		title: 'Instanceable prim without an arc',
		help: '`instanceable` does something only where a reference, payload or class brings the content.',
	},
	'R3.5.4': {
		title: 'Instances share a mesh',
		help: 'Exporters write one mesh for all instances.',
	},
	'R3.5.5': {
		title: 'Point instancers use GPU instancing',
		help: 'Exporters write point instancers with EXT_mesh_gpu_instancing.',
	},
	'R3.6.1': {
		title: 'Light is no core UsdLux type',
		help: 'Lights are of the types that OpenUSD has.',
	},
	'R3.6.2': {
		title: 'Light without a punctual counterpart',
		help: 'Distant lights, sphere lights and sphere lights with shaping can be exported.',
	},
	'R3.6.3': {
		title: 'Lights become punctual lights',
		help: 'Exporters write lights with KHR_lights_punctual.',
	},
	'R3.6.4': {
		title: 'Area light',
		help: 'Rect, cylinder, disk, geometry and portal lights have no counterpart in glTF.',
	},
	'R3.6.5': {
		title: 'Indicator is not emissive',
		help: 'Indicator lamps are shown by the emissive colour of their material.',
	},
	'R3.6.6': {
		title: 'Scene is lit by emissive geometry',
		help: 'Emissive materials do not illuminate in real-time engines: a scene has lights.',
	},
	'R3.6.7': {
		title: 'Lamp without a light',
		help: 'An emissive part that illuminates has a light beside it, below the same Xform.',
	},
	'R3.7.1': {
		title: 'One variant selection is exported',
		help: 'Exporters write the resolved state.',
	},
	'R3.7.2': {
		title: 'Exports are nested trees',
		help: 'Composition is flattened into a nested tree, not into world space.',
	},
	'R3.7.3': {
		title: 'Material variants are baked',
		help: 'KHR_materials_variants holds one material for each state.',
	},
	'R3.7.4': {
		title: 'Structural variants fall back',
		help: 'Variants that change more than materials export the default.',
	},
	'R3.8.1': {
		title: 'Kinematics come first',
		help: 'Exporters keep kinematics, inertia and colliders, and expand instances.',
	},
	'R3.8.2': {
		title: 'ROS interfaces become plugins or extensions',
		help: 'Exporters write interfaces where the target has a place for them.',
	},
	'R3.8.3': {
		title: 'USD metadata is discarded',
		help: 'Exporters leave out what only USD knows.',
	},
	'R3.8.4': {
		title: 'Further metadata at extension points',
		help: 'Exporters write further data only where the target format allows it.',
	},
};
