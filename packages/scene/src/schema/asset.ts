import * as z from 'zod';
import { nameOf } from '../python-text.ts';
import {
	byKind,
	flag,
	found,
	isMapping,
	leaf,
	type Mapping,
	mapping,
	maybe,
	number,
	numberFrom,
	type Triple,
	text,
	whole,
} from './leaf.ts';
import {
	defined,
	MATERIAL_KEYS,
	materialOf,
	type SceneMaterial,
	type SceneShapeConfig,
	shapeConfig,
	toFactor,
} from './shape.ts';
import { type SceneTransform, transform } from './transform.ts';

/** An imported asset. @public */
export interface SceneAsset {
	/** The position in the list when absent. */
	readonly id?: string | number | undefined;
	/** `usd`, `urdf`, `mjcf`, or what the file says instead, in small letters; '' when absent. */
	readonly type: string;
	/** As written: a path or URDF text, or a mapping with `path` or `git`. The loader looks into it. */
	readonly source: unknown;
	readonly xform?: SceneTransform | undefined;
	/** Material for all shapes of the asset. */
	readonly material: SceneMaterial;
	/** Further settings for shapes of the asset; its material wins over `material`. */
	readonly cfg?: SceneShapeConfig | undefined;
	readonly options: SceneAssetOptions;
	/** Settings that are recognised but have no meaning here, as written. */
	readonly gaps: Readonly<Record<string, unknown>>;
}

/** Options of the importers; which of them exist depends on the format. @public */
export interface SceneAssetOptions {
	readonly enable_self_collisions?: boolean;
	readonly hide_collision_shapes?: boolean;
	readonly force_show_colliders?: boolean;
	readonly floating?: boolean;
	readonly mesh_maxhullvert?: number;
	readonly load_visual_shapes?: boolean;
	readonly parse_visuals_as_colliders?: boolean;
	readonly ignore_inertial_definitions?: boolean;
	/** `dfs`, `bfs`, or null for the order of the file. */
	readonly joint_ordering?: unknown;
	/** USD and MJCF; unsupported for URDF. */
	readonly collapse_fixed_joints?: boolean;
	readonly bodies_follow_joint_ordering?: boolean;
	readonly scale?: number;
	readonly mesh_scale?: Triple;
	readonly armature_scale?: number;
	readonly only_load_enabled_rigid_bodies?: boolean;
	readonly only_load_enabled_joints?: boolean;
	readonly ignore_paths?: readonly string[];
	readonly apply_up_axis_from_stage?: boolean;
	readonly root_path?: string;
	readonly skip_mesh_approximation?: boolean;
	readonly load_sites?: boolean;
	readonly force_position_velocity_actuation?: boolean;
	readonly joint_drive_gains_scaling?: number;
	readonly parse_visuals?: boolean;
	readonly parse_meshes?: boolean;
	readonly parse_sites?: boolean;
	readonly no_class_as_colliders?: boolean;
	readonly visual_classes?: readonly string[];
	readonly collider_classes?: readonly string[];
	readonly ignore_names?: readonly string[];
	readonly ignore_classes?: readonly string[];
	/** As written: folders from elsewhere under the folder of an MJCF file. */
	readonly external_assets?: readonly unknown[];
}

const anything = (description: string): z.ZodType<unknown> =>
	z
		.unknown()
		.transform((value) => value)
		.meta({ description });

/** A regular expression or a list of them. */
const patterns = (description: string): z.ZodType<readonly string[]> =>
	leaf(
		(value, fail) => {
			const list: readonly unknown[] = Array.isArray(value) ? value : [value];
			for (const item of list) {
				if (typeof item !== 'string') return fail('SCN006', `has ${found(item)}, expected regular expressions`);
				try {
					new RegExp(item);
				} catch {
					return fail('SCN009', `has ${found(item)}, which is no regular expression`);
				}
			}
			return list as readonly string[];
		},
		{ type: ['array', 'string'], items: { type: 'string' }, description },
	);

const OPTIONS = {
	enable_self_collisions: flag('Whether shapes of the asset may collide with one another.'),
	hide_collision_shapes: flag('Hides colliders; they collide all the same.'),
	force_show_colliders: flag('Shows colliders although there are visuals.'),
	floating: flag('Whether the base is free.'),
	mesh_maxhullvert: whole('Most vertices of convex hulls.', 4),
	load_visual_shapes: flag('Whether visual geometry is imported.'),
	parse_visuals_as_colliders: flag('Whether visual geometry collides.'),
	ignore_inertial_definitions: flag('Takes mass and inertia from the shapes.'),
	collapse_fixed_joints: flag('Merges bodies that fixed joints hold together; unsupported for URDF.'),
	joint_ordering: anything('dfs, bfs, or null for the order of the file.'),
	bodies_follow_joint_ordering: flag('Whether bodies have the order of joints.'),
	scale: number('Factor for lengths.'),
	mesh_scale: leaf(toFactor, { type: ['number', 'array'], description: 'Further factor for meshes.' }),
	armature_scale: numberFrom(0, 'Factor for armatures.'),
	only_load_enabled_rigid_bodies: flag('Leaves disabled bodies out.'),
	only_load_enabled_joints: flag('Leaves disabled joints out.'),
	ignore_paths: patterns('Regular expressions for prim paths to leave out.'),
	apply_up_axis_from_stage: flag('Takes the up axis of the stage.'),
	root_path: text('The subtree to import.'),
	skip_mesh_approximation: flag('Keeps mesh colliders as meshes.'),
	load_sites: flag('Whether sites are imported.'),
	force_position_velocity_actuation: flag('Drives with both gains follow position and velocity.'),
	joint_drive_gains_scaling: number('Factor for gains of angular drives.'),
	parse_visuals: flag('Whether visual geoms are imported.'),
	parse_meshes: flag('Whether mesh geoms are imported.'),
	parse_sites: flag('Whether sites are imported.'),
	no_class_as_colliders: flag('Whether geoms without a class collide.'),
	visual_classes: patterns('Classes of visual geoms, as regular expressions.'),
	collider_classes: patterns('Classes of colliders, as regular expressions.'),
	ignore_names: patterns('Names of geoms and sites to leave out, as regular expressions.'),
	ignore_classes: patterns('Classes to leave out, as regular expressions.'),
	external_assets: z.array(anything('Folder from elsewhere: target, and source, git or path.')),
} satisfies Record<keyof SceneAssetOptions, z.ZodType>;

/** What is recognised and refused. */
const GAPS = {
	base_joint: anything('Not supported.'),
	parent_body: anything('Not supported other than -1.'),
	override_root_xform: anything('Not supported.'),
	up_axis: anything('Assets are z-up.'),
	split_bimanual_root_articulation: anything('Not supported.'),
};

const SHARED = [
	'enable_self_collisions',
	'hide_collision_shapes',
	'force_show_colliders',
	'floating',
	'mesh_maxhullvert',
	'load_visual_shapes',
	'collapse_fixed_joints',
];

/** Options of each format. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
	urdf: [
		...SHARED,
		'scale',
		'mesh_scale',
		'parse_visuals_as_colliders',
		'ignore_inertial_definitions',
		'joint_ordering',
		'bodies_follow_joint_ordering',
		'split_bimanual_root_articulation',
	],
	usd: [
		...SHARED,
		'joint_ordering',
		'bodies_follow_joint_ordering',
		'only_load_enabled_rigid_bodies',
		'only_load_enabled_joints',
		'ignore_paths',
		'apply_up_axis_from_stage',
		'root_path',
		'skip_mesh_approximation',
		'load_sites',
		'force_position_velocity_actuation',
		'joint_drive_gains_scaling',
	],
	mjcf: [
		...SHARED,
		'scale',
		'armature_scale',
		'parse_visuals',
		'parse_visuals_as_colliders',
		'ignore_inertial_definitions',
		'parse_meshes',
		'parse_sites',
		'no_class_as_colliders',
		'visual_classes',
		'collider_classes',
		'ignore_names',
		'ignore_classes',
		'external_assets',
	],
};

const ASSET_FIELDS = {
	id: maybe(
		leaf(
			(value, fail) =>
				typeof value === 'string' || typeof value === 'number' ? value : fail('SCN006', 'is no text, expected text'),
			{ type: ['string', 'integer'], description: 'Name of the asset in messages.' },
		),
	),
	type: anything('usd, urdf or mjcf.').optional(),
	source: anything('A path, the text of a URDF or MJCF file, or a mapping with path or git.').optional(),
	xform: maybe(transform('Root transform.')),
	cfg: maybe(shapeConfig),
	...MATERIAL_KEYS,
};

const COMMON_GAPS = ['base_joint', 'parent_body', 'override_root_xform', 'up_axis'];

function schemaOf(names: readonly string[]): z.ZodType<SceneAsset> {
	const fields: Record<string, z.ZodType> = { ...ASSET_FIELDS };
	for (const name of [...names, ...COMMON_GAPS]) {
		fields[name] =
			name in GAPS
				? GAPS[name as keyof typeof GAPS].optional()
				: name === 'joint_ordering'
					? OPTIONS.joint_ordering.optional()
					: maybe(OPTIONS[name as keyof typeof OPTIONS] as z.ZodType);
	}
	return mapping(fields).transform((value, context): SceneAsset => {
		const given = value as Mapping;
		const pick = (known: object): Mapping =>
			defined(Object.fromEntries(Object.keys(known).map((name) => [name, given[name]])));
		const options = pick(OPTIONS) as SceneAssetOptions;
		const inner = isMapping(given['source']) ? given['source']['mesh_scale'] : undefined;
		const scale =
			inner === undefined || options.mesh_scale !== undefined ? undefined : OPTIONS.mesh_scale.safeParse(inner);
		for (const issue of scale?.error?.issues ?? []) {
			context.issues.push({ ...issue, path: ['source', 'mesh_scale'], input: inner } as never);
		}
		return {
			id: given['id'] as string | number | undefined,
			type: nameOf(given['type']),
			source: given['source'],
			xform: given['xform'] as SceneTransform | undefined,
			cfg: given['cfg'] as SceneShapeConfig | undefined,
			material: materialOf(given, context),
			options: scale?.data === undefined ? options : { ...options, mesh_scale: scale.data },
			gaps: pick(GAPS),
		};
	});
}

const SCHEMAS = new Map(Object.entries(FORMATS).map(([format, names]) => [format, schemaOf(names)]));

/** An asset of an unknown type: every option of any format may stand there, as nothing is imported. */
const OF_UNKNOWN_TYPE = schemaOf([...new Set(Object.values(FORMATS).flat())]);

/** An imported asset, told by its `type`. */
export const asset: z.ZodType<SceneAsset> = byKind(
	({ type }) => (typeof type === 'string' ? SCHEMAS.get(type.toLowerCase()) : undefined) ?? OF_UNKNOWN_TYPE,
	[...SCHEMAS.values()],
);
