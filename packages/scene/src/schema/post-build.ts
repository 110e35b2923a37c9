import * as z from 'zod';
import { nameOf } from '../python-text.ts';
import {
	bodyRef,
	JOINT_POSITION_FIELDS,
	jointPositionOf,
	jointRef,
	type SceneBodyRef,
	type SceneJointPosition,
	type SceneJointRef,
} from './joint.ts';
import {
	byKind,
	dispatch,
	type Fail,
	found,
	leaf,
	type Mapping,
	mapping,
	maybe,
	number,
	numberFrom,
	optional,
	positive,
	text,
	toWhole,
	whole,
} from './leaf.ts';
import { type SceneShape, shapeWith } from './shape.ts';

/** Entries of an array: one, or a range. @public */
export interface SceneEntries {
	/** One entry; negative ones count from the end. */
	readonly index?: number | undefined;
	/** All entries when absent. */
	readonly range?: SceneRange | undefined;
}

/**
 * A range of entries. `between` is half-open, negative bounds count from the end, and `end` left out is the end.
 * `unknown` is what the schema does not know, as written. @public
 */
export type SceneRange =
	| { readonly kind: 'all' }
	| { readonly kind: 'head' | 'tail' | 'from'; readonly count: number }
	| { readonly kind: 'between'; readonly start: number; readonly end: number | undefined }
	| { readonly kind: 'unknown'; readonly written: unknown };

/** Joints by name; the first kind that is given decides. @public */
export interface SceneJointSelector {
	readonly joint?: SceneJointRef | undefined;
	readonly joints?: readonly SceneJointRef[] | undefined;
	readonly label_prefix?: string | undefined;
	readonly match?: string | undefined;
}

/** An edit after assets and inline objects are added. @public */
export type SceneOperation =
	| { readonly op: 'add_shape'; readonly body: SceneBodyRef; readonly shape: SceneShape }
	| {
			readonly op: 'set_array';
			readonly array: string;
			readonly entries: SceneEntries;
			readonly value?: number | undefined;
			readonly values?: readonly number[] | undefined;
			readonly from_array?: string | undefined;
			readonly from_range?: SceneEntries | undefined;
	  }
	| {
			readonly op: 'copy_array';
			readonly src: string;
			readonly dst: string;
			readonly src_range: SceneEntries;
			readonly dst_range: SceneEntries;
	  }
	| { readonly op: 'scale_sphere_shapes'; readonly factor: number }
	| { readonly op: 'approximate_meshes'; readonly method: string }
	| { readonly op: 'set_attr'; readonly name: string; readonly value: unknown }
	| {
			readonly op: 'set_joint_targets';
			readonly joints: SceneJointSelector | undefined;
			readonly entries: SceneEntries;
			/** 0 none, 1 position, 2 velocity, 3 position and velocity, 4 effort. */
			readonly mode: number;
			readonly ke: number;
			readonly kd: number;
	  }
	| ({ readonly op: 'set_joint_q' } & SceneJointPosition)
	| {
			readonly op: 'copy_joint_q_to_joint_targets';
			readonly joints: SceneJointSelector | undefined;
			readonly written: unknown;
	  }
	| {
			readonly op: 'set_joint_armature';
			readonly joints: SceneJointSelector | undefined;
			readonly entries: SceneEntries;
			readonly value: number;
	  }
	/** An operation that the schema does not know. */
	| { readonly op: 'unknown'; readonly name: string };

/** Names of target modes in the order of their numbers. */
const MODES = ['none', 'position', 'velocity', 'position_velocity', 'effort'];

const anyNumber = number('A number or an expression.');

const RANGE: z.ZodType<SceneRange> = leaf(toRange, {
	anyOf: [
		{ type: 'string', pattern: '^(all|head:\\d+|tail:\\d+|from:-?\\d+)$' },
		{ type: 'array', minItems: 2, maxItems: 2, items: { type: ['integer', 'null', 'string'] } },
	],
	description: 'all, head:N, tail:N, from:N, or [start, end]; end null is the end.',
});

const ENTRY_FIELDS = {
	index: optional(whole('One entry; negative ones count from the end.')),
	range: optional(RANGE),
};

const ENTRIES: z.ZodType<SceneEntries> = mapping(ENTRY_FIELDS);

const JOINT_FIELDS = {
	joint: optional(jointRef),
	joint_label: optional(jointRef),
	joints: maybe(z.array(jointRef)),
	joint_labels: maybe(z.array(jointRef)),
	label_prefix: optional(text('Every joint whose label starts with this.')),
	match: optional(text('Every joint whose label holds this.')),
};

const OP = { op: text('Name of the operation.') };
const entriesOf = ({ index, range }: SceneEntries): SceneEntries => ({ index, range });

type Selected = { readonly [K in keyof typeof JOINT_FIELDS]?: z.output<(typeof JOINT_FIELDS)[K]> };

function jointsOf(value: Selected): SceneJointSelector | undefined {
	const { joint = value.joint_label, joints = value.joint_labels, label_prefix, match } = value;
	const isGiven = [joint, joints, label_prefix, match].some((part) => part !== undefined);
	return isGiven ? { joint, joints, label_prefix, match } : undefined;
}

const MODE: z.ZodType<number> = leaf(
	(value, fail) => {
		const named = typeof value === 'string' ? MODES.indexOf(value.toLowerCase()) : value;
		if (typeof named === 'number' && Number.isInteger(named) && named >= 0 && named < MODES.length) return named;
		return fail('SCN009', `is ${found(value)}, expected ${MODES.join(', ')} or their numbers 0 to 4`);
	},
	{
		anyOf: [
			{ type: 'string', examples: MODES },
			{ type: 'integer', minimum: 0, maximum: 4 },
		],
		description: 'Target mode.',
	},
);

const gain = (description: string): z.ZodType<number> =>
	optional(numberFrom(0, description)).transform((value) => value ?? 0);

const SET_ARRAY = mapping({
	...OP,
	...ENTRY_FIELDS,
	array: optional(text('Name of a builder array.')),
	value: optional(anyNumber),
	values: optional(z.array(anyNumber)),
	from_array: optional(text('Array to copy from.')),
	from_range: optional(ENTRIES),
}).transform((given, context): SceneOperation => {
	const { array = '', value, values, from_array, from_range } = given;
	if (value === undefined && values === undefined && from_array === undefined) {
		const message = 'has neither value nor values nor from_array, expected one of them';
		context.addIssue({ code: 'custom', message, params: { scene: { code: 'SCN010' } } });
	}
	return { op: 'set_array', array, entries: entriesOf(given), value, values, from_array, from_range };
});

const COPY_ARRAY = mapping({
	...OP,
	...ENTRY_FIELDS,
	src: optional(text('Array to copy from.')),
	dst: optional(text('Array to copy to.')),
	src_range: optional(ENTRIES),
	dst_range: optional(ENTRIES),
}).transform((given): SceneOperation => {
	const { src = '', dst = '', src_range = entriesOf(given), dst_range = entriesOf(given) } = given;
	return { op: 'copy_array', src, dst, src_range, dst_range };
});

const OPERATIONS: Readonly<Record<string, z.ZodType<SceneOperation>>> = {
	add_shape: shapeWith({ ...OP, body: optional(bodyRef('Inline body, or world (default).')) }).transform(
		({ op: _, body, ...shape }): SceneOperation => ({
			op: 'add_shape',
			body: (body as SceneBodyRef | undefined) ?? -1,
			shape,
		}),
	),
	set_array: SET_ARRAY,
	copy_array: COPY_ARRAY,
	scale_sphere_shapes: mapping({
		...OP,
		factor: optional(positive('Factor for the radius of every sphere, 1 when absent.')),
	}).transform(({ factor = 1 }): SceneOperation => ({ op: 'scale_sphere_shapes', factor })),
	approximate_meshes: mapping({ ...OP, method: optional(text('bounding_box.')) }).transform(
		({ method = 'convex_hull' }): SceneOperation => ({ op: 'approximate_meshes', method }),
	),
	set_attr: mapping({
		...OP,
		name: optional(text('gravity, rigid_gap or default_body_armature.')),
		value: dispatch<unknown>(() => z.unknown().transform((value) => value), { description: 'The value.' }),
	}).transform(({ name = '', value }): SceneOperation => ({ op: 'set_attr', name, value })),
	set_joint_targets: mapping({
		...OP,
		...ENTRY_FIELDS,
		...JOINT_FIELDS,
		mode: optional(MODE),
		ke: gain('Stiffness, 0 when absent.'),
		kd: gain('Damping, 0 when absent.'),
	}).transform(
		({ mode = 1, ke, kd, ...given }): SceneOperation => ({
			op: 'set_joint_targets',
			joints: jointsOf(given),
			entries: entriesOf(given),
			mode,
			ke,
			kd,
		}),
	),
	set_joint_q: mapping({ ...OP, ...JOINT_POSITION_FIELDS }).transform(
		(given): SceneOperation => ({ op: 'set_joint_q', ...jointPositionOf(given) }),
	),
	set_joint_armature: mapping({
		...OP,
		...ENTRY_FIELDS,
		...JOINT_FIELDS,
		value: numberFrom(0, 'Armature [kg or kg·m²].'),
	}).transform(
		({ value, ...given }): SceneOperation => ({
			op: 'set_joint_armature',
			joints: jointsOf(given),
			entries: entriesOf(given),
			value,
		}),
	),
};

/** The written mapping is part of the feature that is reported when it selects no joints. */
const copyTargets = (written: Mapping): z.ZodType<SceneOperation> =>
	COPY_TARGETS.transform(
		(given): SceneOperation => ({
			op: 'copy_joint_q_to_joint_targets',
			joints: jointsOf(given),
			written,
		}),
	);

const COPY_TARGETS = mapping({ ...OP, ...JOINT_FIELDS });

/** An operation of `post_build`, told by its `op`. */
export const operation: z.ZodType<SceneOperation> = byKind(
	(value): z.ZodType<SceneOperation> => {
		const name = nameOf(value['op']);
		if (name === 'copy_joint_q_to_joint_targets') return copyTargets(value);
		const known = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
		return known ?? z.unknown().transform((): SceneOperation => ({ op: 'unknown', name }));
	},
	[...Object.values(OPERATIONS), COPY_TARGETS],
);

function toRange(value: unknown, fail: Fail): SceneRange | undefined {
	if (value === 'all') return { kind: 'all' };
	if (typeof value === 'string') {
		const [, kind, rest] = /^(head|tail|from):(.*)$/.exec(value) ?? [];
		if (kind === undefined || rest === undefined) return { kind: 'unknown', written: value };
		const count = /^\s*[+-]?\d+\s*$/.test(rest) ? Number(rest) : undefined;
		if (count === undefined) return fail('SCN007', `is ${found(value)}, expected a whole number behind '${kind}:'`);
		if (count < 0 && kind !== 'from') return fail('SCN008', `is ${found(value)}, expected a count of 0 or more`);
		return { kind: kind as 'head' | 'tail' | 'from', count };
	}
	if (!Array.isArray(value) || value.length !== 2) return { kind: 'unknown', written: value };
	const start = toWhole(value[0], fail);
	const end = value[1] === null ? undefined : toWhole(value[1], fail);
	if (start === undefined || (value[1] !== null && end === undefined)) return undefined;
	return { kind: 'between', start, end };
}
