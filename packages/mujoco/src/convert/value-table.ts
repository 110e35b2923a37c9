import type { MjcfInput } from '@manyworlds/formats';
import { type Model, ModelFlags, type MujocoAttribute } from '@manyworlds/model';
import { MUJOCO_ATTRIBUTES } from '@manyworlds/model/internal';
import type { WorldOption } from '../solver-options.ts';
import type { Conversion } from './conversion.ts';
import { geomSolref } from './geom-solref.ts';

/** What a value belongs to: an object of MuJoCo, by what of the model it stands for. */
export type ValueKind =
	| 'option'
	| 'body'
	| 'joint'
	| 'dof'
	| 'geom'
	| 'site'
	| 'equality'
	| 'mimic'
	| 'tendon'
	| 'pair'
	| 'actuator'
	| 'target';

/** What values are read from. */
export type ValueSource = Pick<Conversion, 'model' | 'attributes' | 'resolved' | 'options' | 'zeroMargins'>;

/** Writes the numbers of one entity of the model into `out`; tells whether it has any. */
export type ValueReader = (index: number, out: Float64Array) => boolean;

/** One value: where it is in a model, in MJCF and in `mjModel`. */
export interface ValueRow {
	readonly kind: ValueKind;
	/** Arrays of the model, or attributes such as `mujoco:gravcomp`, that it comes from; the one that is it first. */
	readonly sources: readonly string[];
	/** Attribute of MJCF, of the element of the kind unless it is named before a dot. */
	readonly attribute: string;
	/** Array of `mjModel`; `opt.<name>` in `mjOption`. */
	readonly field: string;
	/** Numbers of each entity. */
	readonly width: number;
	/** What of the model an edit has to name, one of `ModelFlags`. */
	readonly flag: number;
	/** Whether it may differ between worlds; whole numbers, and what is only drawn, may not. */
	readonly isPerWorld: boolean;
	/** How it is read where it is copied, undefined where nothing is there to read. Without it, code of its own writes it. */
	readonly reader?: (source: ValueSource) => ValueReader | undefined;
	/** Whether MJCF gets it from code of its own, although the field is copied. */
	readonly isAttributeCoded?: boolean;
	/** Whether a zero is left out of MJCF. */
	readonly omitsZero?: boolean;
	/** Whether only joints of one axis have it. */
	readonly isScalar?: boolean;
}

/** The flag that covers the copied values of a kind. */
const KIND_FLAGS: Readonly<Record<ValueKind, number>> = {
	option: ModelFlags.MODEL_PROPERTIES,
	body: ModelFlags.BODY_INERTIAL_PROPERTIES,
	joint: ModelFlags.JOINT_DOF_PROPERTIES,
	dof: ModelFlags.JOINT_DOF_PROPERTIES,
	geom: ModelFlags.SHAPE_PROPERTIES,
	site: ModelFlags.SHAPE_PROPERTIES,
	equality: ModelFlags.CONSTRAINT_PROPERTIES,
	mimic: ModelFlags.CONSTRAINT_PROPERTIES,
	tendon: ModelFlags.TENDON_PROPERTIES,
	pair: ModelFlags.SHAPE_PROPERTIES,
	actuator: ModelFlags.ACTUATOR_PROPERTIES,
	target: ModelFlags.JOINT_DOF_PROPERTIES,
};

/** Kinds by what the names of their arrays begin with. */
const FIELD_KINDS: Readonly<Record<string, ValueKind>> = {
	body: 'body',
	jnt: 'joint',
	dof: 'dof',
	geom: 'geom',
	eq: 'equality',
	tendon: 'tendon',
	pair: 'pair',
	actuator: 'actuator',
};

/** What the copy of an attribute of the namespace has otherwise than the others. */
const SPECIAL: Readonly<Record<string, Partial<ValueRow>>> = {
	gravcomp: { omitsZero: true },
	dof_passive_stiffness: { reader: unlessResolved(readAttribute('dof_passive_stiffness', 1)) },
	pair_margin: {
		// margins that are not forwarded are 0 in MJCF, and stay as they are
		isAttributeCoded: true,
		reader: (source) =>
			source.zeroMargins && source.options.useMujocoContacts ? undefined : readAttribute('pair_margin', 1)(source),
	},
	// only a slider-crank has one in MJCF
	actuator_cranklength: { isAttributeCoded: true },
	// ranges that were not authored stay as the compiler leaves them
	actuator_ctrlrange: { reader: readPresent('actuator_ctrlrange', 'actuator_has_ctrlrange') },
	actuator_forcerange: { reader: readPresent('actuator_forcerange', 'actuator_has_forcerange') },
	actuator_actrange: { reader: readPresent('actuator_actrange', 'actuator_has_actrange') },
};

/** Copies of arrays of the model. */
const MODEL_ROWS: readonly ValueRow[] = [
	copied('option', 'gravity', 'opt.gravity', ['gravity'], {
		width: 3,
		reader:
			({ model }) =>
			(world, out) => {
				out.set(model.gravityOf(world));
				return true;
			},
	}),
	copied('dof', 'frictionloss', 'dof_frictionloss', ['jointFriction']),
	copied('dof', 'damping', 'dof_damping', ['jointDamping'], { reader: unlessResolved(readColumns(['jointDamping'])) }),
	copied('joint', 'range', 'jnt_range', ['jointLimitLower', 'jointLimitUpper'], { isScalar: true }),
	copied('joint', 'actuatorfrcrange', 'jnt_actfrcrange', ['-jointEffortLimit', 'jointEffortLimit'], { isScalar: true }),
	copied('geom', 'friction', 'geom_friction', [
		'shapeMaterialMu',
		'shapeMaterialMuTorsional',
		'shapeMaterialMuRolling',
	]),
	copied(
		'geom',
		'solref',
		'geom_solref',
		['mujoco:solref', 'mujoco:solref_mode', 'shapeMaterialKe', 'shapeMaterialKd'],
		{
			width: 2,
			reader: (source) => (shape, out) => {
				out.set(geomSolref(source, shape));
				return true;
			},
		},
	),
	copied('geom', 'margin', 'geom_margin', ['shapeMargin'], {
		isAttributeCoded: true,
		reader: (source) =>
			source.zeroMargins && source.options.useMujocoContacts ? undefined : readColumns(['shapeMargin'])(source),
	}),
	copied('geom', 'gap', 'geom_gap', ['shapeGap'], {
		reader: (source) => {
			if (source.options.newtonCompat || source.options.forwardGap) return readColumns(['shapeGap'])(source);
			return (_, out) => {
				out[0] = 0;
				return true;
			};
		},
	}),
];

/** What needs more than a copy: frames, principal axes, sizes, and what depends on values that MuJoCo derives. */
const CODED_ROWS: readonly ValueRow[] = [
	coded('body', 'pos', 'body_pos', 3, ['jointXP', 'jointXC'], ModelFlags.JOINT_PROPERTIES),
	coded('body', 'quat', 'body_quat', 4, ['jointXP', 'jointXC'], ModelFlags.JOINT_PROPERTIES),
	coded('body', 'inertial.pos', 'body_ipos', 3, ['bodyCom']),
	coded('body', 'inertial.mass', 'body_mass', 1, ['bodyMass']),
	coded('body', 'inertial.diaginertia', 'body_inertia', 3, ['bodyInertia']),
	coded('body', 'inertial.fullinertia', 'body_iquat', 4, ['bodyInertia']),
	coded('joint', 'pos', 'jnt_pos', 3, ['jointXC'], ModelFlags.JOINT_PROPERTIES),
	coded('joint', 'axis', 'jnt_axis', 3, ['jointAxis', 'jointXC'], ModelFlags.JOINT_PROPERTIES),
	coded('joint', 'solreflimit', 'jnt_solref', 2, ['mujoco:solreflimit', 'jointLimitKe', 'jointLimitKd']),
	coded('joint', 'ref', 'qpos0', 1, ['mujoco:dof_ref']),
	coded('joint', 'springref', 'qpos_spring', 1, ['mujoco:dof_springref']),
	coded('dof', 'armature', 'dof_armature', 1, ['jointArmature', 'bodyFlags']),
	coded('geom', 'pos', 'geom_pos', 3, ['shapeTransform']),
	coded('geom', 'quat', 'geom_quat', 4, ['shapeTransform']),
	coded('geom', 'size', 'geom_size', 3, ['shapeScale']),
	coded('site', 'pos', 'site_pos', 3, ['shapeTransform']),
	coded('site', 'quat', 'site_quat', 4, ['shapeTransform']),
	{ ...coded('site', 'size', 'site_size', 3, ['shapeScale']), isPerWorld: false },
	coded('equality', 'anchor', 'eq_data', 3, ['equalityConstraintAnchor']),
	coded('equality', 'relpose', 'eq_data', 7, ['equalityConstraintRelpose']),
	coded('equality', 'torquescale', 'eq_data', 1, ['equalityConstraintTorquescale']),
	coded('equality', 'polycoef', 'eq_data', 5, ['equalityConstraintPolycoef']),
	coded('mimic', 'polycoef', 'eq_data', 2, ['constraintMimicCoef0', 'constraintMimicCoef1']),
	coded('target', 'gainprm', 'actuator_gainprm', 1, ['jointTargetKe', 'jointTargetKd']),
	coded('target', 'biasprm', 'actuator_biasprm', 3, ['jointTargetKe', 'jointTargetKd']),
];

/**
 * Every value that goes from a model to MJCF and to a compiled model: the conversion and the values of worlds follow it.
 * Attributes of the namespace name their array where they are declared, in the package `model`.
 */
export const VALUE_TABLE: readonly ValueRow[] = [
	...MODEL_ROWS,
	...MUJOCO_ATTRIBUTES.flatMap((attribute) =>
		attribute.mjModel === undefined ? [] : [attributeRow(attribute, attribute.mjModel)],
	),
	...CODED_ROWS,
];

const BY_KIND: ReadonlyMap<ValueKind, readonly ValueRow[]> = new Map(
	(Object.keys(KIND_FLAGS) as ValueKind[]).map((kind) => [
		kind,
		VALUE_TABLE.filter((row) => row.kind === kind && row.reader !== undefined),
	]),
);

/** The copied values of a kind. */
export function copiedRows(kind: ValueKind): readonly ValueRow[] {
	return BY_KIND.get(kind) ?? [];
}

/** Attributes of MJCF that are copies of what the model has for one entity of a kind; index of a world for options. */
export function copiedAttributes(source: ValueSource, kind: ValueKind, index: number): Record<string, MjcfInput> {
	const attributes: Record<string, MjcfInput> = {};
	for (const { attribute, width, reader, isAttributeCoded, omitsZero } of copiedRows(kind)) {
		if (isAttributeCoded) continue;
		const out = new Float64Array(width);
		if (reader!(source)?.(index, out) !== true || (omitsZero && out.every((number) => number === 0))) continue;
		attributes[attribute] = out;
	}
	return attributes;
}

function copied(
	kind: ValueKind,
	attribute: string,
	field: string,
	sources: readonly string[],
	own: Partial<ValueRow> = {},
): ValueRow {
	const columns = sources as readonly ColumnTerm[];
	return {
		kind,
		attribute,
		field,
		sources: [...new Set(sources.map((name) => name.replace('-', '')))],
		width: sources.length,
		flag: KIND_FLAGS[kind],
		isPerWorld: true,
		reader: readColumns(columns),
		...own,
	};
}

function coded(
	kind: ValueKind,
	attribute: string,
	field: string,
	width: number,
	sources: readonly string[],
	flag: number = KIND_FLAGS[kind],
): ValueRow {
	return { kind, attribute, field, width, sources, flag, isPerWorld: true };
}

function attributeRow({ name, key, mjcfName, type, default: usual }: MujocoAttribute, field: string): ValueRow {
	const isOption = field.startsWith('opt.');
	const kind = isOption ? 'option' : FIELD_KINDS[field.slice(0, field.indexOf('_'))]!;
	const width = Array.isArray(usual) ? usual.length : 1;
	return {
		kind,
		sources: [key],
		attribute: mjcfName,
		field,
		width,
		flag: KIND_FLAGS[kind],
		isPerWorld: type !== 'i32',
		reader: isOption ? readOption(name, width) : readAttribute(name, width),
		...SPECIAL[name],
	};
}

/** A column of numbers of a model, or its opposite. */
type ColumnTerm = NumberColumn | `-${NumberColumn}`;
type NumberColumn = { [K in keyof Model]: Model[K] extends Float64Array ? K : never }[keyof Model] & string;

function readColumns(terms: readonly ColumnTerm[]): (source: ValueSource) => ValueReader {
	const signs = terms.map((term) => (term.startsWith('-') ? -1 : 1));
	const names = terms.map((term) => term.replace('-', '') as NumberColumn);
	return ({ model }) => {
		const columns = names.map((name) => model[name]);
		return (index, out) => {
			for (let i = 0; i < columns.length; i++) out[i] = signs[i]! * columns[i]![index]!;
			return true;
		};
	};
}

function readAttribute(name: string, width: number): (source: ValueSource) => ValueReader | undefined {
	return ({ attributes }) => {
		const values = attributes.numbers(name);
		if (values === undefined) return undefined;
		return (index, out) => {
			if ((index + 1) * width > values.length) return false;
			for (let i = 0; i < width; i++) out[i] = Number(values[index * width + i]);
			return true;
		};
	};
}

function readPresent(name: string, presence: string): (source: ValueSource) => ValueReader | undefined {
	return (source) => {
		const read = readAttribute(name, 2)(source);
		const isThere = source.attributes.numbers(presence);
		if (read === undefined || isThere === undefined) return undefined;
		return (index, out) => Number(isThere[index]) !== 0 && read(index, out);
	};
}

/** MuJoCo finds stiffness and damping itself where a joint has them as a time constant and a ratio. */
function unlessResolved(
	make: (source: ValueSource) => ValueReader | undefined,
): (source: ValueSource) => ValueReader | undefined {
	return (source) => {
		const read = make(source);
		const written = source.attributes.texts('joint_mjcf');
		if (read === undefined || written === undefined) return read;
		return (dof, out) => !(written[dof] ?? '').includes('springdamper') && read(dof, out);
	};
}

/** Options of the solver come before those of the model. */
function readOption(name: string, width: number): (source: ValueSource) => ValueReader {
	const option = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as WorldOption;
	return ({ resolved }) => {
		const values = resolved.worlds[option];
		return (world, out) => {
			out.set(values.subarray(width * world, width * world + width));
			return true;
		};
	};
}
