import {
	mat4TransformPoint,
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
} from '@manyworlds/core/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectClose, numbers, RUNS, rigid, zeros } from './arbitraries.ts';

const identity = transformIdentity(zeros(TRANSFORM_SIZE));

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
