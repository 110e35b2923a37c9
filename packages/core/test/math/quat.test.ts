import {
	mat3Determinant,
	mat3FromQuat,
	mat3Multiply,
	mat3ToQuat,
	mat3Transform,
	quatBetween,
	quatConjugate,
	quatCopy,
	quatDot,
	quatFromAxisAngle,
	quatFromRotationVector,
	quatIdentity,
	quatInvert,
	quatMultiply,
	quatNormalize,
	quatRotate,
	quatRotateInverse,
	quatSlerp,
	quatToAxisAngle,
	quatToRotationVector,
	vec3Length,
} from '@manyworlds/core/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectClose, numbers, RUNS, unit, zeros } from './arbitraries.ts';

const identity = quatIdentity(zeros(4));

/** Unit quaternions that rotate alike: q and -q. */
function expectSameRotation(a: Float64Array, b: Float64Array, tolerance = 1e-12): void {
	expectClose(
		a,
		b.map((x) => x * (quatDot(a, b) < 0 ? -1 : 1)),
		tolerance,
	);
}

test('a quarter turn about z takes x to y', () => {
	const q = quatFromAxisAngle(zeros(4), Float64Array.of(0, 0, 1), Math.PI / 2);
	expectClose(quatRotate(zeros(3), q, Float64Array.of(1, 0, 0)), [0, 1, 0]);
	expectClose(quatRotateInverse(zeros(3), q, Float64Array.of(0, 1, 0)), [1, 0, 0]);
});

describe('algebra', () => {
	test('the product is associative and in place', () => {
		fc.assert(
			fc.property(numbers(4), numbers(4), numbers(4), (a, b, c) => {
				const left = quatMultiply(zeros(4), quatMultiply(zeros(4), a, b), c);
				const right = quatMultiply(zeros(4), a, quatMultiply(zeros(4), b, c));
				expectClose(left, right, 1e-11);
				const inPlace = a.slice();
				expect([...quatMultiply(inPlace, inPlace, b)]).toEqual([...quatMultiply(zeros(4), a, b)]);
			}),
			RUNS,
		);
	});

	test('the inverse undoes', () => {
		fc.assert(
			fc.property(unit(4), fc.double({ min: 0.1, max: 10, noNaN: true }), (u, length) => {
				const q = u.map((x) => x * length);
				expectClose(quatMultiply(zeros(4), q, quatInvert(zeros(4), q)), identity);
				expectClose(quatMultiply(zeros(4), u, quatConjugate(zeros(4), u)), identity);
				expect(quatNormalize(zeros(4), q)).toBeCloseTo(length, 10);
			}),
			RUNS,
		);
		expect([...quatInvert(zeros(4), zeros(4))].every((x) => x === 0)).toBe(true);
		expect(quatNormalize(quatCopy(zeros(4), identity), zeros(4))).toBe(0);
	});

	test('rotation keeps lengths and follows the product', () => {
		fc.assert(
			fc.property(unit(4), unit(4), numbers(3), (a, b, v) => {
				expect(vec3Length(quatRotate(zeros(3), a, v))).toBeCloseTo(vec3Length(v), 10);
				const twice = quatRotate(zeros(3), a, quatRotate(zeros(3), b, v));
				expectClose(quatRotate(zeros(3), quatMultiply(zeros(4), a, b), v), twice);
				expectClose(quatRotateInverse(zeros(3), a, quatRotate(zeros(3), a, v)), v);
			}),
			RUNS,
		);
	});
});

describe('matrices', () => {
	test('act as the quaternion and multiply in reverse', () => {
		fc.assert(
			fc.property(unit(4), unit(4), numbers(3), (a, b, v) => {
				const ma = mat3FromQuat(zeros(9), a);
				const mb = mat3FromQuat(zeros(9), b);
				expectClose(mat3Transform(zeros(3), v, ma), quatRotate(zeros(3), a, v));
				expect(mat3Determinant(ma)).toBeCloseTo(1, 12);
				const product = mat3FromQuat(zeros(9), quatMultiply(zeros(4), a, b));
				expectClose(product, mat3Multiply(zeros(9), mb, ma));
			}),
			RUNS,
		);
	});

	test('give the quaternion back, half turns too', () => {
		const halfTurns = fc.constantFrom([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0.6, 0.8, 0, 0], [0, 0.6, -0.8, 0]);
		fc.assert(
			fc.property(
				fc.oneof(
					unit(4),
					halfTurns.map((q) => Float64Array.from(q)),
				),
				(q) => {
					const back = mat3ToQuat(zeros(4), mat3FromQuat(zeros(9), q));
					expectSameRotation(back, q);
					expect(back[3]).toBeGreaterThanOrEqual(0);
				},
			),
			RUNS,
		);
	});
});

describe('axes and angles', () => {
	test('come back, with the angle at most a half turn', () => {
		fc.assert(
			fc.property(unit(3), fc.double({ min: 1e-6, max: Math.PI - 1e-6, noNaN: true }), (axis, angle) => {
				const q = quatFromAxisAngle(zeros(4), axis, angle);
				const found = zeros(3);
				expect(quatToAxisAngle(found, q)).toBeCloseTo(angle, 9);
				expectClose(found, axis, 1e-9);
				const negated = q.map((x) => -x);
				expect(quatToAxisAngle(found, negated)).toBeCloseTo(angle, 9);
			}),
			RUNS,
		);
		const axis = zeros(3);
		expect(quatToAxisAngle(axis, identity)).toBe(0);
		expect([...axis]).toEqual([1, 0, 0]);
	});

	test('rotation vectors are logarithms, however small', () => {
		fc.assert(
			fc.property(unit(3), fc.constantFrom(0, 1e-150, 1e-12, 1e-8, 1e-4, 1, 3), (axis, angle) => {
				const v = axis.map((x) => x * angle);
				const q = quatFromRotationVector(zeros(4), v);
				expect(quatDot(q, q)).toBeCloseTo(1, 12);
				const back = quatToRotationVector(zeros(3), q);
				for (let i = 0; i < 3; i++) expect(Math.abs(back[i]! - v[i]!)).toBeLessThanOrEqual(1e-12 * angle);
			}),
			RUNS,
		);
	});

	test('the rotation between two directions takes one to the other, opposite ones too', () => {
		fc.assert(
			fc.property(unit(3), unit(3), fc.boolean(), (from, other, isOpposite) => {
				const to = isOpposite ? from.map((x) => -x) : other;
				const q = quatBetween(zeros(4), from, to);
				expectClose(quatRotate(zeros(3), q, from), to, 1e-9);
			}),
			RUNS,
		);
	});
});

describe('slerp', () => {
	test('has exact ends and unit length between', () => {
		fc.assert(
			fc.property(unit(4), unit(4), fc.double({ min: 0, max: 1, noNaN: true }), (a, b, t) => {
				expect([...quatSlerp(zeros(4), a, b, 0)].every((x, i) => x === a[i])).toBe(true);
				expectSameRotation(quatSlerp(zeros(4), a, b, 1), b, 0);
				const q = quatSlerp(zeros(4), a, b, t);
				expect(quatDot(q, q)).toBeCloseTo(1, 9);
			}),
			RUNS,
		);
	});

	test('turns at constant speed the short way', () => {
		fc.assert(
			fc.property(
				unit(3),
				fc.double({ min: 1e-9, max: 3, noNaN: true }),
				fc.double({ min: 0, max: 1, noNaN: true }),
				(axis, angle, t) => {
					const b = quatFromAxisAngle(zeros(4), axis, angle).map((x) => -x);
					const expected = quatFromAxisAngle(zeros(4), axis, angle * t);
					expectSameRotation(quatSlerp(zeros(4), identity, b, t), expected, 1e-11);
				},
			),
			RUNS,
		);
	});
});
