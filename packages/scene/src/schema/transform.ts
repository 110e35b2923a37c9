import { quatFromAxisAngle } from '@manyworlds/core/internal';
import * as z from 'zod';
import { nameOf } from '../python-text.ts';
import {
	dispatch,
	type Fail,
	found,
	isMapping,
	jsonOf,
	leaf,
	mapping,
	number,
	numbersJson,
	optional,
	type Triple,
	toNumbers,
	vector,
} from './leaf.ts';

/** Position [m] and unit quaternion x y z w. @public */
export type SceneTransform = readonly [number, number, number, number, number, number, number];

type Quaternion = readonly [number, number, number, number];

/** Quaternions may be written with few digits, not with another length. */
const QUATERNION_TOLERANCE = 0.01;

/** `identity`, or a mapping with `p` and `q`. */
export function transform(description: string): z.ZodType<SceneTransform> {
	return dispatch(
		(value, fail) => {
			if (value === 'identity') return z.unknown().transform(() => IDENTITY);
			if (isMapping(value)) return FRAME;
			return fail('SCN006', `is ${found(value)}, expected identity or a mapping with p and q`);
		},
		{ anyOf: [{ const: 'identity' }, jsonOf(FRAME)], description },
	);
}

const IDENTITY: SceneTransform = [0, 0, 0, 0, 0, 0, 1];

/** A direction: three numbers, `x`, `y`, `z` (also as `axis.x`), or 0, 1, 2. Gives a unit vector. */
export function axis(description: string): z.ZodType<Triple> {
	return leaf(toAxis, {
		anyOf: [numbersJson(3), { type: 'string', examples: ['x', 'y', 'z'] }, { type: 'integer', minimum: 0, maximum: 2 }],
		description,
	});
}

const AXIS_ANGLE = mapping({
	axis_angle: mapping({
		axis: leaf(toDirection, { ...numbersJson(3), description: 'Direction of any length but zero.' }),
		angle: number('Angle [rad].'),
	}),
});

const FOUR_NUMBERS = leaf(toQuaternion, { ...numbersJson(4), description: 'Unit quaternion [x, y, z, w].' });

const QUATERNION: z.ZodType<Quaternion> = dispatch(
	(value, fail) => {
		if (value === null || value === 'identity') return z.unknown().transform((): Quaternion => [0, 0, 0, 1]);
		if (Array.isArray(value)) return FOUR_NUMBERS;
		if (isMapping(value)) return AXIS_ANGLE.transform(({ axis_angle }) => turn(axis_angle.axis, axis_angle.angle));
		return fail('SCN006', `is ${found(value)}, expected identity, [x, y, z, w] or a mapping with axis_angle`);
	},
	{ anyOf: [{ const: 'identity' }, { type: 'null' }, jsonOf(FOUR_NUMBERS), jsonOf(AXIS_ANGLE)] },
);

const FRAME: z.ZodType<SceneTransform> = mapping({
	p: optional(vector('Position [m].')),
	q: optional(QUATERNION),
}).transform(({ p = [0, 0, 0], q = [0, 0, 0, 1] }): SceneTransform => [...p, ...q]);

function turn(direction: Triple, angle: number): Quaternion {
	const out = quatFromAxisAngle(new Float64Array(4), Float64Array.from(direction), angle);
	return Array.from(out) as unknown as Quaternion;
}

function toQuaternion(value: unknown, fail: Fail): Quaternion | undefined {
	const q = toNumbers(value, 4, fail, 'four numbers [x, y, z, w]');
	if (q === undefined) return undefined;
	const length = Math.hypot(...q);
	if (Math.abs(length - 1) > QUATERNION_TOLERANCE) {
		return fail('SCN013', `has the length ${length}, expected a quaternion [x, y, z, w] of length 1`);
	}
	return q.map((part) => part / length) as unknown as Quaternion;
}

function toDirection(value: unknown, fail: Fail): Triple | undefined {
	const numbers = toNumbers(value, 3, fail, 'three numbers [x, y, z]');
	if (numbers === undefined) return undefined;
	const length = Math.hypot(...numbers);
	if (!(length > 0)) return fail('SCN013', 'has the length 0, expected a direction');
	return numbers.map((part) => part / length) as unknown as Triple;
}

function toAxis(value: unknown, fail: Fail): Triple | undefined {
	if (Array.isArray(value)) return toDirection(value, fail);
	const token = nameOf(value).replace(/^axis\./, '');
	const at = /^[xyz012]$/.test(token) ? 'xyz012'.indexOf(token) % 3 : -1;
	if (at < 0) return fail('SCN013', `is ${found(value)}, expected [x, y, z], one of x, y, z, or 0, 1, 2`);
	return [at === 0 ? 1 : 0, at === 1 ? 1 : 0, at === 2 ? 1 : 0];
}
