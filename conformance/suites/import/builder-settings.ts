import { JointTargetMode, ModelBuilder, type ModelBuilderOptions, registerMujocoAttributes } from '@manyworlds/model';
import type { AttributeDeclaration } from '@manyworlds/model/internal';
import type { Json, JsonObject } from '../../src/json.ts';
import { fields } from '../../src/newton/expected-model.ts';
import { camelCase, frequencyOf, typeOf } from '../../src/newton/names.ts';

const KEYS = [
	'balance_inertia',
	'bound_inertia',
	'bound_mass',
	'custom_attributes',
	'custom_frequencies',
	'default_joint_cfg',
	'default_shape_cfg',
	'default_tet_density',
	'default_tet_k_lambda',
	'default_tet_k_mu',
	'gravity',
	'num_rigid_contacts_per_world',
	'register',
	'rigid_gap',
	'up_axis',
];

const SHAPE_KEYS = [
	'collision_filter_parent',
	'collision_group',
	'density',
	'gap',
	'has_particle_collision',
	'has_shape_collision',
	'is_hydroelastic',
	'is_site',
	'is_solid',
	'is_visible',
	'ka',
	'kd',
	'ke',
	'kf',
	'kh',
	'margin',
	'mu',
	'mu_rolling',
	'mu_torsional',
	'restitution',
];

/** Fields of an axis of a joint in the format. */
export const AXIS_KEYS: readonly string[] = [
	'actuator_mode',
	'armature',
	'axis',
	'damping',
	'effort_limit',
	'friction',
	'limit_kd',
	'limit_ke',
	'limit_lower',
	'limit_upper',
	'target_kd',
	'target_ke',
	'target_pos',
	'target_vel',
	'velocity_limit',
];

/** A builder with the settings of a case; a setting that is not known is an error. */
export function builderOf(json: JsonObject): ModelBuilder {
	const settings = fields(json, 'builder', KEYS, KEYS);
	const options: Record<string, unknown> = {};
	if (settings.up_axis !== undefined) options.upAxis = (settings.up_axis as string).toLowerCase();
	if (settings.gravity !== undefined && settings.gravity !== null) options.gravity = numbers(settings.gravity);
	for (const name of ['balance_inertia', 'bound_inertia', 'bound_mass', 'rigid_gap']) {
		if (settings[name] !== undefined && settings[name] !== null) options[camelCase(name)] = real(settings[name]!);
	}
	if (settings.num_rigid_contacts_per_world !== undefined)
		options.rigidContactsPerWorld = settings.num_rigid_contacts_per_world;
	if (settings.default_shape_cfg !== undefined)
		options.defaultShapeConfig = renamed(settings.default_shape_cfg, 'default_shape_cfg', SHAPE_KEYS);
	if (settings.default_joint_cfg !== undefined) options.defaultJointConfig = axisConfig(settings.default_joint_cfg);
	const builder = new ModelBuilder(options as ModelBuilderOptions);
	for (const name of (settings.register ?? []) as readonly string[]) {
		if (name !== 'mujoco') throw new TypeError(`attributes of '${name}' cannot be declared`);
		registerMujocoAttributes(builder);
	}
	for (const entry of (settings.custom_frequencies ?? []) as readonly Json[]) {
		const { name, namespace } = fields(entry, 'custom frequency', ['name', 'namespace']);
		builder.defineFrequency({ name: name as string, namespace: namespace as string });
	}
	for (const entry of (settings.custom_attributes ?? []) as readonly Json[])
		builder.defineAttribute(declaration(entry));
	return builder;
}

/** Settings of an axis under our names. */
export function axisConfig(json: Json): Record<string, unknown> {
	const config = renamed(json, 'axis', AXIS_KEYS);
	const mode = config.actuatorMode;
	if (typeof mode === 'string') config.actuatorMode = JointTargetMode[mode as keyof typeof JointTargetMode];
	return config;
}

/** A JSON value, with the texts nan, inf and -inf as numbers. */
export function real(value: Json): Json {
	if (value === 'nan') return Number.NaN;
	if (value === 'inf') return Number.POSITIVE_INFINITY;
	return value === '-inf' ? Number.NEGATIVE_INFINITY : value;
}

function renamed(json: Json, where: string, keys: readonly string[]): Record<string, unknown> {
	const entries = Object.entries(fields(json, where, keys, keys)).filter(([, value]) => value !== null);
	return Object.fromEntries(entries.map(([key, value]) => [camelCase(key), real(value)]));
}

function numbers(json: Json): number[] {
	return (json as readonly Json[]).map((value) => Number(real(value)));
}

function declaration(json: Json): AttributeDeclaration {
	const names = ['usd_attribute_name', 'mjcf_attribute_name', 'urdf_attribute_name'];
	const keys = ['assignment', 'default', 'frequency', 'name', 'namespace', 'references', 'type', ...names];
	const entry = fields(json, 'custom attribute', keys, keys);
	const { assignment } = entry;
	const own = names.flatMap((name) => {
		const value = entry[name];
		return typeof value === 'string' ? [[`${name.split('_')[0]}Name`, value]] : [];
	});
	const owner = assignment === undefined ? {} : { owner: assignment === 'contact' ? 'contacts' : assignment };
	const given = ['default', 'name', 'namespace', 'references'].flatMap((key) => {
		const value = entry[key];
		return value === undefined || value === null ? [] : [[key, Array.isArray(value) ? value.map(real) : real(value)]];
	});
	return {
		...Object.fromEntries([...given, ...own]),
		...owner,
		type: typeOf(entry.type as string),
		frequency: frequencyOf(entry.frequency as string),
	} as unknown as AttributeDeclaration;
}
