import {
	inertiaAdd,
	inertiaApply,
	inertiaFromMass,
	inertiaToMass,
	inertiaTransform,
	mat3Diagonal,
	mat4TransformPoint,
	SPATIAL_INERTIA_SIZE,
	SPATIAL_SIZE,
	spatialCrossForce,
	spatialCrossMotion,
	spatialDot,
	spatialTransformForce,
	spatialTransformForceInverse,
	spatialTransformMotion,
	spatialTransformMotionInverse,
	TRANSFORM_SIZE,
	transformCopy,
	transformIdentity,
	transformInvert,
	transformMultiply,
	transformPoint,
	transformPointInverse,
	transformToMat4,
	transformVector,
	vec3Subtract,
} from '@manyworlds/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectClose, numbers, RUNS, rigid, zeros } from './arbitraries.ts';

const identity = transformIdentity(zeros(TRANSFORM_SIZE));

const inertia = fc
	.tuple(fc.double({ min: 0.1, max: 10, noNaN: true }), numbers(3), fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)))
	.map(([mass, com, [a, b, c]]) =>
		inertiaFromMass(zeros(10), mass, com, mat3Diagonal(zeros(9), 1 + b + c, 1 + a + c, 1 + a + b)),
	);

describe('transforms', () => {
	test('compose, invert and act on points', () => {
		fc.assert(
			fc.property(rigid, rigid, numbers(3), (a, b, p) => {
				const ab = transformMultiply(zeros(7), a, b);
				const steps = transformPoint(zeros(3), a, transformPoint(zeros(3), b, p));
				expectClose(transformPoint(zeros(3), ab, p), steps);
				expectClose(transformMultiply(zeros(7), a, transformInvert(zeros(7), a)), identity);
				expectClose(transformPointInverse(zeros(3), a, transformPoint(zeros(3), a, p)), p);
				expectClose(mat4TransformPoint(zeros(3), p, transformToMat4(zeros(16), a)), transformPoint(zeros(3), a, p));
				const direction = vec3Subtract(zeros(3), transformPoint(zeros(3), a, p), transformPoint(zeros(3), a, zeros(3)));
				expectClose(transformVector(zeros(3), a, p), direction, 1e-11);
			}),
			RUNS,
		);
	});

	test('may be computed in place', () => {
		fc.assert(
			fc.property(rigid, rigid, (a, b) => {
				const product = [...transformMultiply(zeros(7), a, b)];
				const left = transformCopy(zeros(7), a);
				expect([...transformMultiply(left, left, b)]).toEqual(product);
				const right = transformCopy(zeros(7), b);
				expect([...transformMultiply(right, a, right)]).toEqual(product);
				const inverse = a.slice();
				expect([...transformInvert(inverse, inverse)]).toEqual([...transformInvert(zeros(7), a)]);
			}),
			RUNS,
		);
	});
});

describe('spatial vectors', () => {
	test('of a point that turns about a distant axis have its velocity', () => {
		// a wheel hub at x = 2 turning at 3 rad/s about z moves the origin at -6 m/s along y
		const pose = Float64Array.of(2, 0, 0, 0, 0, 0, 1);
		const motion = spatialTransformMotion(zeros(6), pose, Float64Array.of(0, 0, 0, 0, 0, 3));
		expectClose(motion, [0, -6, 0, 0, 0, 3]);
	});

	test('a force at a distance has a moment', () => {
		const pose = Float64Array.of(2, 0, 0, 0, 0, 0, 1);
		expectClose(spatialTransformForce(zeros(6), pose, Float64Array.of(0, 5, 0, 0, 0, 0)), [0, 5, 0, 0, 0, 10]);
	});

	test('power is the same in every frame, and inverses undo', () => {
		fc.assert(
			fc.property(rigid, numbers(SPATIAL_SIZE), numbers(SPATIAL_SIZE), (pose, motion, force) => {
				const outerMotion = spatialTransformMotion(zeros(6), pose, motion);
				const outerForce = spatialTransformForce(zeros(6), pose, force);
				const scale = 1 + Math.hypot(...outerMotion) * Math.hypot(...outerForce);
				expect(Math.abs(spatialDot(outerMotion, outerForce) - spatialDot(motion, force)) / scale).toBeLessThan(1e-12);
				expectClose(spatialTransformMotionInverse(outerMotion, pose, outerMotion), motion, 1e-11);
				expectClose(spatialTransformForceInverse(outerForce, pose, outerForce), force, 1e-11);
			}),
			RUNS,
		);
	});

	test('cross products keep power constant and move with the frame', () => {
		fc.assert(
			fc.property(rigid, numbers(6), numbers(6), numbers(6), (pose, v, m, f) => {
				const rate =
					spatialDot(spatialCrossMotion(zeros(6), v, m), f) + spatialDot(m, spatialCrossForce(zeros(6), v, f));
				expect(Math.abs(rate)).toBeLessThan(1e-9);
				const inside = spatialTransformMotion(zeros(6), pose, spatialCrossMotion(zeros(6), v, m));
				const [ov, om] = [v, m].map((x) => spatialTransformMotion(zeros(6), pose, x));
				const outside = spatialCrossMotion(zeros(6), ov!, om!);
				const scale = 1 + Math.hypot(...ov!) * Math.hypot(...om!);
				for (let i = 0; i < 6; i++) expect(Math.abs(inside[i]! - outside[i]!) / scale).toBeLessThan(1e-12);
				expect(spatialCrossMotion(zeros(6), v, v).every((x) => Math.abs(x) < 1e-12)).toBe(true);
			}),
			RUNS,
		);
	});
});

describe('spatial inertias', () => {
	test('give mass, centre and tensor back', () => {
		const com = zeros(3);
		const tensor = zeros(9);
		const given = Float64Array.of(3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5);
		const made = inertiaFromMass(zeros(10), 2, Float64Array.of(1, -2, 3), given);
		expect(inertiaToMass(com, tensor, made)).toBe(2);
		expectClose(com, [1, -2, 3]);
		expectClose(tensor, given, 1e-12);
		expect(inertiaToMass(com, tensor, zeros(SPATIAL_INERTIA_SIZE))).toBe(0);
		expect([...com]).toEqual([0, 0, 0]);
	});

	test('momentum and energy do not depend on the frame', () => {
		fc.assert(
			fc.property(rigid, inertia, numbers(6), (pose, body, motion) => {
				const outer = inertiaTransform(zeros(10), pose, body, zeros(18));
				const outerMotion = spatialTransformMotion(zeros(6), pose, motion);
				const momentum = inertiaApply(zeros(6), body, motion);
				const expected = spatialTransformForce(zeros(6), pose, momentum);
				const outerMomentum = inertiaApply(zeros(6), outer, outerMotion);
				const scale = 1 + Math.hypot(...outer) * Math.hypot(...outerMotion);
				for (let i = 0; i < 6; i++) expect(Math.abs(outerMomentum[i]! - expected[i]!) / scale).toBeLessThan(1e-12);
				expect(spatialDot(motion, momentum)).toBeGreaterThanOrEqual(-1e-9);
			}),
			RUNS,
		);
	});

	test('add as the momenta do, in place too', () => {
		fc.assert(
			fc.property(rigid, inertia, inertia, numbers(6), (pose, a, b, motion) => {
				const moved = b.slice();
				inertiaTransform(moved, pose, moved, zeros(18));
				expectClose(moved, inertiaTransform(zeros(10), pose, b, zeros(18)), 0);
				const sum = inertiaApply(zeros(6), inertiaAdd(zeros(10), a, moved), motion);
				const [pa, pb] = [a, moved].map((x) => inertiaApply(zeros(6), x, motion));
				expectClose(
					sum,
					Array.from(pa!, (x, i) => x + pb![i]!),
					1e-10,
				);
			}),
			RUNS,
		);
	});
});
