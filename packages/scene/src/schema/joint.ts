import * as z from 'zod';
import {
	bound,
	flag,
	found,
	greatest,
	leaf,
	mapping,
	maybe,
	number,
	numberFrom,
	optional,
	type Triple,
	text,
	toWhole,
	whole,
} from './leaf.ts';
import { axis, type SceneTransform, transform } from './transform.ts';

/** Settings of a degree of freedom; metres and newtons, or radians and newton metres. @public */
export interface SceneJointAxis {
	/** Unit vector in the joint frame. */
	readonly axis?: Triple | undefined;
	readonly target_pos?: number | undefined;
	readonly target_vel?: number | undefined;
	readonly target_ke?: number | undefined;
	readonly target_kd?: number | undefined;
	readonly limit_lower?: number | undefined;
	readonly limit_upper?: number | undefined;
	readonly limit_ke?: number | undefined;
	readonly limit_kd?: number | undefined;
	readonly armature?: number | undefined;
	readonly effort_limit?: number | undefined;
	readonly velocity_limit?: number | undefined;
	readonly friction?: number | undefined;
	/** 0 none, 1 position, 2 velocity, 3 position and velocity, 4 effort. */
	readonly actuator_mode?: number | undefined;
}

/** A body: the id of an inline body, its number in the order of loading, or -1 for the world. @public */
export type SceneBodyRef = string | number;

/** An inline joint. @public */
export interface SceneJoint extends SceneJointAxis {
	readonly id: string;
	/** In small letters; '' when absent. */
	readonly type: string;
	readonly parent: SceneBodyRef;
	readonly child: SceneBodyRef;
	readonly parent_xform?: SceneTransform | undefined;
	readonly child_xform?: SceneTransform | undefined;
	readonly label?: string | undefined;
	readonly collision_filter_parent?: boolean | undefined;
}

/** An articulation of inline joints. @public */
export interface SceneArticulation {
	readonly id?: string | undefined;
	readonly joints: readonly string[];
}

/** One initial coordinate. @public */
export interface SceneJointPosition {
	/** Entry of `joint_q`; negative ones count from the end. */
	readonly index?: number | undefined;
	readonly joint?: SceneJointRef | undefined;
	/** Entry among those of the joint. */
	readonly offset: number;
	readonly value: number;
}

/** A joint: its label, the end of it behind a `/`, or its number. @public */
export type SceneJointRef = string | number;

const AXIS = {
	axis: axis('Direction in the joint frame: [x, y, z], x, y, z, or 0, 1, 2.'),
	target_pos: number('Drive target [m or rad].'),
	target_vel: number('Drive target [m/s or rad/s].'),
	target_ke: numberFrom(0, 'Drive stiffness [N/m or N·m/rad].'),
	target_kd: numberFrom(0, 'Drive damping [N·s/m or N·m·s/rad].'),
	limit_lower: bound('Lower limit [m or rad].'),
	limit_upper: bound('Upper limit [m or rad].'),
	limit_ke: numberFrom(0, 'Stiffness of the limits [N/m or N·m/rad].'),
	limit_kd: numberFrom(0, 'Damping of the limits [N·s/m or N·m·s/rad].'),
	armature: numberFrom(0, 'Inertia added to the degree of freedom [kg or kg·m²].'),
	effort_limit: greatest('Greatest drive force [N or N·m].'),
	velocity_limit: greatest('Greatest speed [m/s or rad/s].'),
	friction: numberFrom(0, 'Dry friction [N or N·m].'),
	actuator_mode: leaf(
		(value, fail) => {
			const mode = toWhole(value, fail);
			if (mode === undefined || (mode >= 0 && mode <= 4)) return mode;
			return fail('SCN009', `is ${mode}, expected 0 none, 1 position, 2 velocity, 3 position and velocity or 4 effort`);
		},
		{
			type: 'integer',
			minimum: 0,
			maximum: 4,
			description: '0 none, 1 position, 2 velocity, 3 position and velocity, 4 effort.',
		},
	),
};

const AXIS_FIELDS = Object.fromEntries(
	Object.entries(AXIS).map(([name, field]) => [name, maybe(field as z.ZodType)]),
) as {
	readonly [K in keyof typeof AXIS]: z.ZodType<z.output<(typeof AXIS)[K]> | undefined>;
};

/** Settings of degrees of freedom in `builder.defaults.joint`. */
export const jointAxis: z.ZodType<SceneJointAxis> = mapping(AXIS_FIELDS);

/** A reference to a body; nothing and `world` are the world. */
export function bodyRef(description: string): z.ZodType<SceneBodyRef> {
	return leaf(
		(value, fail): SceneBodyRef | undefined => {
			if (value === null || value === 'world' || value === -1) return -1;
			if (typeof value === 'string') return value;
			if (typeof value !== 'number')
				return fail('SCN006', `is ${found(value)}, expected the id of a body, its number or world`);
			return toWhole(value, fail);
		},
		{ type: ['string', 'integer', 'null'], description },
	);
}

/** A reference to a joint. */
export const jointRef: z.ZodType<SceneJointRef> = leaf(
	(value, fail) => {
		if (typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))) return value;
		return fail('SCN006', `is ${found(value)}, expected the label of a joint`);
	},
	{ type: ['string', 'integer'], description: 'Label of a joint, the end of it behind a /, or its number.' },
);

/** An inline joint. */
export const joint: z.ZodType<SceneJoint> = mapping({
	id: text('Identifier for articulations and edits.', true),
	type: optional(text('fixed, free, revolute or prismatic.')),
	parent: optional(bodyRef('Body that carries the joint; the world when absent.')),
	child: bodyRef('Body that the joint moves.'),
	parent_xform: maybe(transform('Joint frame in the parent.')),
	child_xform: maybe(transform('Joint frame in the child.')),
	label: maybe(text('Label of the joint; the id when absent.')),
	collision_filter_parent: optional(flag('Whether shapes of the two bodies never collide; true when absent.')),
	...AXIS_FIELDS,
}).transform((value) => ({ ...value, type: value.type?.toLowerCase() ?? '', parent: value.parent ?? -1 }));

/** An articulation. */
export const articulation: z.ZodType<SceneArticulation> = mapping({
	id: maybe(text('Label of the articulation.')),
	joints: maybe(z.array(text('Id of an inline joint.'))),
}).transform((value) => ({ ...value, joints: value.joints ?? [] }));

/** Keys of an entry of `initial_joint_q`, also of the operation `set_joint_q`. */
export const JOINT_POSITION_FIELDS: {
	readonly [K in 'index' | 'joint' | 'joint_label' | 'offset' | 'value']: z.ZodType;
} = {
	index: optional(whole('Entry of joint_q; negative ones count from the end.')),
	joint: optional(jointRef),
	joint_label: optional(jointRef),
	offset: optional(whole('Entry among the coordinates of the joint, 0 when absent.')),
	value: number('Coordinate [m, rad or part of a quaternion].'),
};

/** What the keys of {@link JOINT_POSITION_FIELDS} say. */
export function jointPositionOf(value: Readonly<Record<string, unknown>>): SceneJointPosition {
	return {
		index: value['index'] as number | undefined,
		joint: (value['joint'] ?? value['joint_label']) as SceneJointRef | undefined,
		offset: (value['offset'] as number | undefined) ?? 0,
		value: value['value'] as number,
	};
}

/** An entry of `initial_joint_q`. */
export const jointPosition: z.ZodType<SceneJointPosition> = mapping(JOINT_POSITION_FIELDS).transform(
	(value, context) => {
		const settled = jointPositionOf(value);
		if (settled.index === undefined && settled.joint === undefined) {
			const message = 'has neither index nor joint, expected one of them';
			context.addIssue({ code: 'custom', message, params: { scene: { code: 'SCN010' } } });
		}
		return settled;
	},
);
