import type * as z from 'zod';
import {
	byKind,
	type Fail,
	flag,
	found,
	leaf,
	mapping,
	maybe,
	number,
	numberFrom,
	numbersJson,
	optional,
	orList,
	positive,
	type Triple,
	text,
	toNumber,
	toNumbers,
	whole,
} from './leaf.ts';
import { type SceneTransform, transform } from './transform.ts';

/** Material of contact: what `shape` and `physics` blocks and direct aliases give. SI units. @public */
export interface SceneMaterial {
	/** Outward offset of the surface [m]. */
	readonly margin?: number | undefined;
	/** Distance at which candidates are found [m]. */
	readonly gap?: number | undefined;
	readonly mu?: number | undefined;
	/** Stiffness [N/m]. */
	readonly ke?: number | undefined;
	/** Dissipation time [s]. */
	readonly tau?: number | undefined;
}

/** Settings of a shape: `builder.defaults.shape`, `cfg` and `ground.cfg`. @public */
export interface SceneShapeConfig extends SceneMaterial {
	/** [kg/m³]. */
	readonly density?: number | undefined;
	readonly kd?: number | undefined;
	readonly kf?: number | undefined;
	readonly ka?: number | undefined;
	readonly restitution?: number | undefined;
	readonly mu_torsional?: number | undefined;
	readonly mu_rolling?: number | undefined;
	readonly is_solid?: boolean | undefined;
	readonly collision_group?: number | undefined;
	readonly collision_filter_parent?: boolean | undefined;
	readonly has_shape_collision?: boolean | undefined;
	readonly has_particle_collision?: boolean | undefined;
	readonly is_visible?: boolean | undefined;
	readonly is_site?: boolean | undefined;
	readonly is_hydroelastic?: boolean | undefined;
	readonly kh?: number | undefined;
	/** Bits of `shape_flags`, in place of the five flags. */
	readonly flags?: number | undefined;
	readonly sdf_narrow_band_range?: readonly [number, number] | undefined;
	readonly sdf_target_voxel_size?: number | undefined;
	readonly sdf_max_resolution?: number | undefined;
	readonly sdf_texture_format?: string | undefined;
}

/** Names under which a setting may be given, the canonical one first. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
	margin: ['contact_margin', 'shape_margin'],
	gap: ['shape_gap'],
	mu: ['shape_mu'],
	ke: ['shape_ke'],
	tau: ['shape_tau', 'relaxation_time'],
	kd: ['shape_kd'],
	kf: ['shape_kf'],
	ka: ['shape_ka', 'contact_ka', 'shape_material_ka'],
};

const MATERIAL = {
	margin: maybe(number('Outward offset of the effective surface [m].')),
	gap: maybe(numberFrom(0, 'Distance at which contact candidates are found [m]; builder.rigid_gap when absent.')),
	mu: maybe(numberFrom(0, 'Coulomb friction coefficient.')),
	ke: maybe(numberFrom(0, 'Contact stiffness [N/m].')),
	tau: maybe(numberFrom(0, 'Contact dissipation time scale [s].')),
};

const CONFIG = {
	...MATERIAL,
	density: maybe(numberFrom(0, 'Density for mass and inertia [kg/m³].')),
	kd: maybe(number('Contact damping [N·s/m]; SAP does not use it.')),
	kf: maybe(number('Friction gain [N·s/m]; SAP does not use it.')),
	ka: maybe(number('Adhesion distance [m]; SAP does not use it.')),
	restitution: maybe(numberFrom(0, 'Restitution; stored, SAP does not use it.')),
	mu_torsional: maybe(numberFrom(0, 'Torsional friction [m]; stored, SAP does not use it.')),
	mu_rolling: maybe(numberFrom(0, 'Rolling friction [m]; stored, SAP does not use it.')),
	is_solid: maybe(flag('Whether the shape is filled or a shell as thick as its margin.')),
	collision_group: maybe(whole('0 collides with nothing, positive groups with themselves and negative ones.')),
	collision_filter_parent: maybe(flag('Whether joints filter contacts of this shape with the other body.')),
	has_shape_collision: maybe(flag('Whether the shape meets other shapes.')),
	has_particle_collision: maybe(flag('Whether the shape meets particles.')),
	is_visible: maybe(flag('Visibility.')),
	is_site: maybe(flag('A mark without contact and mass.')),
	is_hydroelastic: maybe(flag('Marks the shape for hydroelastic contact.')),
	kh: maybe(number('Hydroelastic stiffness [N/m³].')),
	flags: maybe(
		whole(
			'Bits of shape_flags in place of the single flags: 1 visible, 2 shapes, 4 particles, 8 site, 16 hydroelastic.',
			0,
		),
	),
	sdf_narrow_band_range: maybe(
		leaf((value, fail) => toNumbers(value, 2, fail, 'two numbers') as [number, number] | undefined, {
			...numbersJson(2),
			description: 'Stored; signed distance fields are not used.',
		}),
	),
	sdf_target_voxel_size: maybe(number('Stored; signed distance fields are not used.')),
	sdf_max_resolution: maybe(whole('Stored; signed distance fields are not used.')),
	sdf_texture_format: maybe(text('Stored; signed distance fields are not used.')),
};

type Fields = Readonly<Record<string, z.ZodType>>;

/** Fields with their aliases beside them. */
function withAliases<F extends Fields>(fields: F): F {
	const all: Record<string, z.ZodType> = { ...(fields as Fields) };
	for (const [name, aliases] of Object.entries(ALIASES)) {
		const field = fields[name];
		if (field !== undefined) for (const alias of aliases) all[alias] = field;
	}
	return all as F;
}

/** Puts canonical names in place of aliases, and refuses two names for one setting. */
function canonical<T extends object>(value: T, context: z.RefinementCtx): T {
	const out = { ...value } as Record<string, unknown>;
	for (const [name, aliases] of Object.entries(ALIASES)) {
		for (const alias of aliases) {
			const given = out[alias];
			delete out[alias];
			if (given === undefined) continue;
			if (out[name] !== undefined) {
				const message = `sets '${name}', which is given by another name beside it`;
				context.addIssue({ code: 'custom', message, path: [alias], params: { scene: { code: 'SCN003' } } });
			}
			out[name] = given;
		}
	}
	return out as T;
}

/** Fields of {@link SceneMaterial} with their aliases, to stand beside others. */
const MATERIAL_FIELDS = withAliases(MATERIAL);

const MATERIAL_BLOCK: z.ZodType<SceneMaterial> = mapping(MATERIAL_FIELDS).transform(canonical);

/** Settings of a shape. */
export const shapeConfig: z.ZodType<SceneShapeConfig> = mapping(withAliases(CONFIG)).transform(canonical);

/** Keys by which bodies, shapes and assets override the material: blocks and direct aliases. */
export const MATERIAL_KEYS: Fields = {
	physics: maybe(MATERIAL_BLOCK),
	shape: maybe(MATERIAL_BLOCK),
	...MATERIAL_FIELDS,
};

/** The material that {@link MATERIAL_KEYS} of a mapping give: `physics`, then `shape`, then direct aliases win. */
export function materialOf(value: Readonly<Record<string, unknown>>, context: z.RefinementCtx): SceneMaterial {
	const given = canonical(value, context) as SceneMaterial & {
		readonly physics?: SceneMaterial;
		readonly shape?: SceneMaterial;
	};
	const direct = Object.fromEntries(Object.keys(MATERIAL).map((name) => [name, given[name as keyof SceneMaterial]]));
	return { ...defined(given.physics ?? {}), ...defined(given.shape ?? {}), ...defined(direct) };
}

/** The entries of an object that have a value. */
export function defined<T extends object>(value: T): Partial<T> {
	return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Partial<T>;
}

/** Geometry of an inline shape; lengths in metres. @public */
export type SceneGeometry =
	| { readonly type: 'box'; readonly hx: number; readonly hy: number; readonly hz: number }
	| { readonly type: 'sphere'; readonly radius: number }
	| { readonly type: 'capsule' | 'cylinder' | 'cone'; readonly radius: number; readonly half_height: number }
	| { readonly type: 'ellipsoid'; readonly a: number; readonly b: number; readonly c: number }
	| SceneMeshGeometry;

/** A mesh file as the geometry of an inline shape. @public */
export interface SceneMeshGeometry {
	readonly type: 'mesh';
	/** Relative to the scene file. */
	readonly path: string;
	readonly scale: Triple;
	/** Which coordinate of the file becomes x, y, z. */
	readonly axis_order?: Triple | undefined;
	/** Which corner of a triangle of the file comes first, second, third. */
	readonly face_order?: Triple | undefined;
	/** Whether mass fills the mesh. */
	readonly is_solid: boolean;
}

/** An inline shape. @public */
export interface SceneShape {
	readonly geometry: SceneGeometry;
	readonly transform?: SceneTransform | undefined;
	readonly label?: string | undefined;
	/** Red, green, blue from 0 to 1. */
	readonly color?: Triple | undefined;
	/** Material given beside the geometry. */
	readonly material: SceneMaterial;
	/** Wins over the material. */
	readonly cfg?: SceneShapeConfig | undefined;
}

const SHAPE_FIELDS = {
	type: optional(text('box (default), sphere, capsule, cylinder, cone, ellipsoid or mesh.')),
	transform: maybe(transform('Pose in the body, or in the world.')),
	label: maybe(text('Label of the shape.')),
	color: maybe(
		leaf(toColor, {
			type: 'array',
			items: { type: 'number' },
			description: 'Red, green, blue from 0 to 1, or to 255.',
		}),
	),
	cfg: maybe(shapeConfig),
	...MATERIAL_KEYS,
};

const size = (fallback: number, description: string): z.ZodType<number> =>
	optional(positive(`${description}, ${fallback} when absent [m].`)).transform((value) => value ?? fallback);

const ROUND = { radius: size(1, 'Radius'), half_height: size(0.5, 'Half of the length along z') };

const order = (description: string): z.ZodType<Triple | undefined> =>
	maybe(leaf(toOrder, { ...numbersJson(3), description }));

const factor = (description: string): z.ZodType<Triple | undefined> =>
	maybe(leaf(toFactor, { anyOf: [{ type: ['number', 'string'] }, numbersJson(3)], description }));

const SIZES = {
	box: {
		hx: size(0.5, 'Half extent along x'),
		hy: size(0.5, 'Half extent along y'),
		hz: size(0.5, 'Half extent along z'),
	},
	sphere: { radius: size(1, 'Radius') },
	capsule: ROUND,
	cylinder: ROUND,
	cone: ROUND,
	ellipsoid: { a: size(1, 'Radius along x'), b: size(0.75, 'Radius along y'), c: size(0.5, 'Radius along z') },
	mesh: {
		path: text(
			'Mesh file (OBJ, STL, DAE, glTF), or a URDF whose first mesh is taken; relative to the scene file.',
			true,
		),
		mesh_scale: factor('Factor, or one for each axis.'),
		scale: factor('The same as mesh_scale.'),
		axis_order: order('Which coordinate of the file becomes x, y, z: a permutation of 0, 1, 2.'),
		face_order: order('Which corner of a triangle comes first, second, third: a permutation of 0, 1, 2.'),
		is_solid: optional(flag('Whether mass fills the mesh, true when absent.')),
	},
};

/** Types of inline shapes. */
export const SHAPE_TYPES = Object.keys(SIZES) as readonly (keyof typeof SIZES)[] as readonly string[];

/** Schemas of the inline shapes by type, with further keys beside those of the shape. */
function shapeSchemas<E extends Fields>(extra: E): ReadonlyMap<string, z.ZodType<SceneShape & ExtraOf<E>>> {
	const names = Object.keys(extra);
	return new Map(
		Object.entries(SIZES).map(([type, sizes]) => {
			const fields: Fields = { ...SHAPE_FIELDS, ...sizes, ...extra };
			const schema = mapping(fields).transform((value, context): SceneShape & ExtraOf<E> => {
				const given = value as Readonly<Record<string, unknown>>;
				const own = Object.fromEntries(Object.keys(sizes).map((name) => [name, given[name]]));
				const { mesh_scale, scale, is_solid, ...rest } = own;
				if (mesh_scale !== undefined && scale !== undefined) {
					const message = "is given beside 'mesh_scale', which means the same";
					context.addIssue({ code: 'custom', message, path: ['scale'], params: { scene: { code: 'SCN003' } } });
				}
				const geometry =
					type === 'mesh'
						? { type, ...rest, scale: mesh_scale ?? scale ?? [1, 1, 1], is_solid: is_solid ?? true }
						: { type, ...own };
				return {
					...(Object.fromEntries(names.map((name) => [name, given[name]])) as ExtraOf<E>),
					geometry: geometry as unknown as SceneGeometry,
					transform: given['transform'] as SceneTransform | undefined,
					label: given['label'] as string | undefined,
					color: given['color'] as Triple | undefined,
					cfg: given['cfg'] as SceneShapeConfig | undefined,
					material: materialOf(given, context),
				};
			});
			return [type, schema];
		}),
	);
}

type ExtraOf<E extends Fields> = { readonly [K in keyof E]: z.output<E[K]> };

/** An inline shape, told by its `type`, with further keys beside its own. */
export function shapeWith<E extends Fields>(extra: E): z.ZodType<SceneShape & ExtraOf<E>> {
	const schemas = shapeSchemas(extra);
	return byKind(
		(value, fail) => {
			const type = value['type'] ?? 'box';
			const schema = typeof type === 'string' ? schemas.get(type.toLowerCase()) : undefined;
			return schema ?? fail('SCN009', `type is ${found(type)}, expected ${orList(SHAPE_TYPES)}`);
		},
		[...schemas.values()],
	);
}

function toColor(value: unknown, fail: Fail): Triple | undefined {
	if (!Array.isArray(value)) return fail('SCN006', `is ${found(value)}, expected red, green, blue`);
	// a fourth number is an opacity, which shapes of scenes do not have
	const numbers = toNumbers(value.length === 4 ? value.slice(0, 3) : value, 3, fail, 'red, green, blue');
	if (numbers === undefined) return undefined;
	const most = Math.max(...numbers);
	if (Math.min(...numbers) < 0 || most > 255) {
		return fail('SCN008', `has a part outside of 0 to 255, expected colours from 0 to 1 or from 0 to 255`);
	}
	return (most > 1 ? numbers.map((part) => part / 255) : numbers) as unknown as Triple;
}

function toOrder(value: unknown, fail: Fail): Triple | undefined {
	const numbers = toNumbers(value, 3, fail, 'a permutation of 0, 1, 2');
	if (numbers === undefined) return undefined;
	if (![0, 1, 2].every((wanted) => numbers.includes(wanted))) {
		return fail('SCN009', `is [${numbers.join(', ')}], expected a permutation of 0, 1, 2`);
	}
	return numbers as unknown as Triple;
}

/** One factor or three. */
export function toFactor(value: unknown, fail: Fail): Triple | undefined {
	const one = Array.isArray(value) ? undefined : toNumber(value, fail, 'a factor or three');
	const numbers = Array.isArray(value)
		? toNumbers(value, 3, fail, 'a factor or three')
		: one === undefined
			? undefined
			: [one, one, one];
	if (numbers === undefined) return undefined;
	return numbers.includes(0)
		? fail('SCN008', 'has a factor 0, expected another number')
		: (numbers as unknown as Triple);
}
