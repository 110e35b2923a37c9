import type { AttributeDeclaration, AttributeFrequency } from '../attribute-types.ts';
import type { ColumnName } from '../columns.ts';
import type { ModelBuilder } from '../model-builder.ts';
import {
	MUJOCO_ATTRIBUTE_ROWS,
	type MujocoAttributeRow,
	type MujocoMjcfRule,
	type MujocoTokenRule,
	type MujocoUsdRule,
} from './mujoco-attribute-rows.ts';

/** An attribute of the `mujoco` namespace with what importers need to fill it. @public */
export interface MujocoAttribute extends AttributeDeclaration {
	readonly namespace: 'mujoco';
	/** `mujoco:<name>`. */
	readonly key: `mujoco:${string}`;
	readonly mjcfName: string;
	readonly mjcfRule?: MujocoMjcfRule;
	/** Array of `mjModel` that holds the values as they are; `opt.<name>` for a number of `mjOption`. */
	readonly mjModel?: string;
	/** Name of the USD attribute, or `*` when the rule decides for every prim. */
	readonly usdName: string;
	readonly usdRule?: MujocoUsdRule;
	/** Attribute, relationship or prefix that the rule reads. */
	readonly usdSource?: string;
	/** The builder's own column, or its labels, that holds the values: equality constraints are entities here. */
	readonly storedIn?: ColumnName | 'label';
}

/**
 * All attributes of the `mujoco` namespace. Rows of Newton's frequency `mujoco:equality_constraint` belong to the entity
 * `equalityConstraint` here.
 */
export const MUJOCO_ATTRIBUTES: readonly MujocoAttribute[] = Object.entries(MUJOCO_ATTRIBUTE_ROWS).flatMap(
	([frequency, rows]) => (rows ?? []).map((row) => describe(frequency as AttributeFrequency, row)),
);

/** Frequencies of the namespace, each with rows of its own. */
const MUJOCO_FREQUENCIES: readonly string[] = ['pair', 'actuator', 'tendon', 'tendon_joint', 'tendon_wrap'];

/** Declares the `mujoco` attributes and frequencies on a builder; doing so again changes nothing. @public */
export function registerMujocoAttributes(builder: ModelBuilder): void {
	for (const name of MUJOCO_FREQUENCIES) builder.defineFrequency({ namespace: 'mujoco', name });
	for (const attribute of MUJOCO_ATTRIBUTES) {
		if (attribute.storedIn === undefined) builder.defineAttribute(attribute);
	}
}

/** The attribute `mujoco:<name>`. */
export function mujocoAttribute(name: string): MujocoAttribute | undefined {
	return BY_NAME.get(name);
}

/** Numbers of the tokens of MJCF and USD, in lower case. */
export const MUJOCO_TOKENS: Readonly<Record<MujocoTokenRule, Readonly<Record<string, number>>>> = {
	integrator: { euler: 0, rk4: 1, implicit: 2, implicitfast: 3 },
	solver: { cg: 1, newton: 2 },
	cone: { pyramidal: 0, elliptic: 1 },
	jacobian: { dense: 0, sparse: 1, auto: 2 },
	sleep: { auto: 0, never: 3, allowed: 4, init: 5 },
	enable: { disable: 0, enable: 1, false: 0, true: 1 },
	bool: { false: 0, true: 1 },
	tristate: { false: 0, true: 1, auto: 2 },
	// Newton's own order, not that of mjtTrn
	trntype: { joint: 0, jointinparent: 1, tendon: 2, site: 3, body: 4, slidercrank: 5 },
	dyntype: { none: 0, integrator: 1, filter: 2, filterexact: 3, muscle: 4, user: 7 },
	gaintype: { fixed: 0, affine: 1, muscle: 2, user: 6 },
	biastype: { none: 0, affine: 1, muscle: 2, user: 5 },
};

/**
 * The number of a token: a name in any case, also as `mjtCone.mjCONE_ELLIPTIC`, or a number that is in the table.
 * Undefined for anything else.
 */
export function parseMujocoToken(rule: MujocoTokenRule, value: string | number | boolean): number | undefined {
	const tokens = MUJOCO_TOKENS[rule];
	const text = String(value).trim().toLowerCase();
	const member = text.slice(text.lastIndexOf('.') + 1);
	for (const name of [text, member, member.slice(member.lastIndexOf('_') + 1)]) {
		if (Object.hasOwn(tokens, name)) return tokens[name];
	}
	const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
	return Object.values(tokens).includes(number) ? number : undefined;
}

const BY_NAME: ReadonlyMap<string, MujocoAttribute> = new Map(MUJOCO_ATTRIBUTES.map((item) => [item.name, item]));

function describe(
	frequency: AttributeFrequency,
	[name, type, defaultValue, traits = {}]: MujocoAttributeRow,
): MujocoAttribute {
	const { mjcf, usd, ...rest } = traits;
	return {
		...rest,
		name,
		namespace: 'mujoco',
		key: `mujoco:${name}`,
		type,
		frequency,
		default: defaultValue,
		mjcfName: mjcf ?? name,
		usdName: usd ?? `newton:mujoco:${name}`,
	};
}
