import { MESH_COLLIDERS, type MeshColliders } from '@manyworlds/import';
import type { ContactDefaultsName } from '@manyworlds/model';
import { CONTACT_DEFAULTS_NAMES } from '@manyworlds/model/internal';
import * as z from 'zod';
import { asset, type SceneAsset } from './asset.ts';
import {
	articulation,
	joint,
	jointAxis,
	jointPosition,
	type SceneArticulation,
	type SceneJoint,
	type SceneJointAxis,
	type SceneJointPosition,
} from './joint.ts';
import {
	choice,
	dispatch,
	flag,
	found,
	isMapping,
	jsonOf,
	leaf,
	mapping,
	maybe,
	number,
	numberFrom,
	optional,
	positive,
	type Triple,
	text,
	toWhole,
	vector,
	whole,
} from './leaf.ts';
import { operation, type SceneOperation } from './post-build.ts';
import {
	MATERIAL_KEYS,
	materialOf,
	type SceneMaterial,
	type SceneShape,
	type SceneShapeConfig,
	shapeConfig,
	shapeWith,
} from './shape.ts';
import { type SceneSolver, solver } from './solver.ts';
import { type SceneTransform, transform } from './transform.ts';

/** The version of the scene schema that this package reads. @public */
export const SCENE_SCHEMA_VERSION = 1;

/** A scene as its file says it: expressions evaluated, aliases resolved, defaults not filled in. SI units. @public */
export interface Scene {
	readonly schema_version: 1;
	readonly name?: string | undefined;
	readonly simulation: SceneSimulation;
	readonly control?: SceneControl | undefined;
	readonly builder: SceneBuilder;
	readonly ground: SceneGround;
	readonly assets: readonly SceneAsset[];
	readonly bodies: readonly SceneBody[];
	readonly joints: readonly SceneJoint[];
	readonly articulations: readonly SceneArticulation[];
	readonly initial_joint_q: readonly SceneJointPosition[];
	readonly post_build: readonly SceneOperation[];
	readonly replicate: SceneReplication;
}

/** Timing, worlds, contact capacity and solver. @public */
export interface SceneSimulation {
	/** Time step [s]. */
	readonly dt?: number | undefined;
	readonly num_worlds?: number | undefined;
	/** Contacts per world. */
	readonly max_rigid_contact?: number | undefined;
	readonly solver?: SceneSolver | undefined;
}

/** A file with targets to play back. @public */
export interface SceneControl {
	/** Relative to the scene file. */
	readonly source: string;
	readonly loop?: boolean | undefined;
}

/** Defaults for what is built. @public */
export interface SceneBuilder {
	/** [m]. */
	readonly rigid_gap?: number | undefined;
	/** Contact of shapes that say nothing about it, by name: ours, SAP Warp has no such key. */
	readonly contact_defaults?: ContactDefaultsName | undefined;
	readonly mesh_colliders?: MeshColliders | undefined;
	/** Along z [m/s²]; negative is down. */
	readonly gravity?: number | undefined;
	/** Added to the diagonal of body inertias [kg·m²]. */
	readonly default_body_armature?: number | undefined;
	/** Whether the attributes of the namespace `mujoco` are declared, so that importers fill them. */
	readonly register_mujoco_custom_attributes?: boolean | undefined;
	readonly joint?: SceneJointAxis | undefined;
	readonly shape?: SceneShapeConfig | undefined;
}

/** The ground plane. @public */
export interface SceneGround {
	readonly enabled: boolean;
	/** Whether floating robots that start inside of the ground are lifted until they touch it; not a key of SAP Warp. */
	readonly lift?: boolean | undefined;
	/** [m]. */
	readonly height?: number | undefined;
	readonly label?: string | undefined;
	readonly cfg?: SceneShapeConfig | undefined;
}

/** An inline body. @public */
export interface SceneBody {
	readonly id: string;
	readonly label?: string | undefined;
	readonly transform?: SceneTransform | undefined;
	/** [kg]; shapes add to it. */
	readonly mass?: number | undefined;
	readonly shapes: readonly SceneShape[];
	/** Material for the shapes of the body. */
	readonly material: SceneMaterial;
}

/** Copies of the authored world. @public */
export interface SceneReplication {
	readonly num_worlds?: number | undefined;
	/** Distance between worlds along each axis [m]. */
	readonly spacing?: Triple | undefined;
}

const version: z.ZodType<1> = leaf(
	(value, fail) => {
		const settled = toWhole(value, fail);
		if (settled === undefined || settled === SCENE_SCHEMA_VERSION) return settled;
		return fail('SCN004', `is ${settled}, expected ${SCENE_SCHEMA_VERSION}`);
	},
	{ const: SCENE_SCHEMA_VERSION, description: 'Version of the schema.' },
);

/** More worlds or contacts than this are a slip of the pen, and would only use up memory. */
const MOST_WORLDS = 2 ** 20;
const MOST_CONTACTS = 2 ** 20;

const worlds = whole('Number of independent worlds.', 1, MOST_WORLDS);

const simulation: z.ZodType<SceneSimulation> = mapping({
	dt: optional(positive('Time step [s], 0.003 when absent.')),
	num_worlds: optional(worlds),
	max_rigid_contact: optional(whole('Contacts per world.', 0, MOST_CONTACTS)),
	solver: maybe(solver),
});

const control: z.ZodType<SceneControl> = mapping({
	source: text('JSON file with targets to play back, relative to the scene file.', true),
	loop: optional(flag('Whether playback starts again at the end.')),
});

const builder: z.ZodType<SceneBuilder> = mapping({
	rigid_gap: optional(numberFrom(0, 'Gap of shapes that give none [m]; that of contact_defaults when absent, 0.1.')),
	contact_defaults: optional(
		choice(
			CONTACT_DEFAULTS_NAMES,
			'Contact of shapes that say nothing about it (an extension of SAP Warp): newton when absent, or firm.',
		),
	),
	mesh_colliders: optional(
		choice(
			MESH_COLLIDERS,
			'What meshes of URDF and MJCF assets collide as (an extension of SAP Warp): hull when absent, or triangles.',
		),
	),
	gravity: optional(number('Gravity along z [m/s²], -9.81 when absent.')),
	default_body_armature: optional(numberFrom(0, 'Added to the diagonal of body inertias [kg·m²].')),
	register_mujoco_custom_attributes: optional(flag('Declares the attributes of the namespace mujoco.')),
	defaults: maybe(mapping({ joint: maybe(jointAxis), shape: maybe(shapeConfig) })),
}).transform(({ defaults, ...rest }) => ({ ...rest, joint: defaults?.joint, shape: defaults?.shape }));

const GROUND_BLOCK: z.ZodType<SceneGround> = mapping({
	enabled: optional(flag('Whether there is a ground plane, true when absent.')),
	lift: maybe(flag('Whether floating robots that start inside of the ground are lifted until they touch it.')),
	height: optional(number('Height [m].')),
	label: maybe(text('Label of the shape, ground_plane when absent.')),
	cfg: maybe(shapeConfig),
}).transform((value) => ({ ...value, enabled: value.enabled ?? true }));

const ground: z.ZodType<SceneGround> = dispatch(
	(value, fail) => {
		if (isMapping(value)) return GROUND_BLOCK;
		if (value === null || typeof value === 'boolean')
			return z.unknown().transform(() => ({ enabled: value !== false }));
		return fail('SCN006', `is ${found(value)}, expected true, false or a mapping`);
	},
	{ anyOf: [{ type: ['boolean', 'null'] }, jsonOf(GROUND_BLOCK)], description: 'World plane, there when absent.' },
);

const body: z.ZodType<SceneBody> = mapping({
	id: text('Identifier for joints and edits.', true),
	label: maybe(text('Label of the body; the id when absent.')),
	transform: maybe(transform('Initial pose.')),
	mass: optional(numberFrom(0, 'Mass [kg]; shapes add to it.')),
	shapes: maybe(z.array(shapeWith({}))),
	...MATERIAL_KEYS,
}).transform((value, context) => ({
	id: value.id,
	label: value.label,
	transform: value.transform,
	mass: value.mass,
	shapes: value.shapes ?? [],
	material: materialOf(value, context),
}));

const replicate: z.ZodType<SceneReplication> = mapping({
	num_worlds: optional(worlds),
	spacing: optional(vector('Distance between worlds along each axis [m], [2, 2, 0] when absent.')),
});

/** The whole file. */
export const scene: z.ZodType<Scene> = mapping({
	schema_version: optional(version),
	name: maybe(text('Name of the scene.')),
	simulation: maybe(simulation),
	control: maybe(control),
	builder: maybe(builder),
	ground: optional(ground),
	assets: maybe(z.array(asset)),
	bodies: maybe(z.array(body)),
	joints: maybe(z.array(joint)),
	articulations: maybe(z.array(articulation)),
	initial_joint_q: maybe(z.array(jointPosition)),
	post_build: maybe(z.array(operation)),
	replicate: maybe(replicate),
}).transform((value) => ({
	...value,
	schema_version: value.schema_version ?? SCENE_SCHEMA_VERSION,
	simulation: value.simulation ?? {},
	builder: value.builder ?? {},
	ground: value.ground ?? { enabled: true },
	assets: value.assets ?? [],
	bodies: value.bodies ?? [],
	joints: value.joints ?? [],
	articulations: value.articulations ?? [],
	initial_joint_q: value.initial_joint_q ?? [],
	post_build: value.post_build ?? [],
	replicate: value.replicate ?? {},
}));
