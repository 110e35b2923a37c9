import { mat3FromQuat } from '@manyworlds/core/internal';
import { describe, expect, it } from 'vitest';
import { shearOf } from '../../src/usd/shear.ts';

/** A matrix of USD from three rows and a place. */
const matrix = (rows: readonly (readonly number[])[], place: readonly number[]): Float64Array =>
	Float64Array.from([...rows.flatMap((row) => [...row, 0]), ...place, 1]);

describe('the shear of a matrix', () => {
	it('is nothing where the axes are square to each other, whatever their lengths', () => {
		const square = [
			[0, 2, 0],
			[-3, 0, 0],
			[0, 0, -5],
		];
		expect(shearOf(matrix(square, [1, 2, 3]))).toBeUndefined();
		// each two axes count; a millionth of their lengths is rounding
		for (const [i, j] of [
			[0, 1],
			[0, 2],
			[1, 2],
		] as const) {
			const turned = (share: number): readonly (readonly number[])[] =>
				square.map((row, at) =>
					at === i
						? row.map((x, k) => x + (share * square[j]![k]! * Math.hypot(...row)) / Math.hypot(...square[j]!))
						: row,
				);
			expect(shearOf(matrix(turned(0.5e-6), [0, 0, 0]))).toBeUndefined();
			expect(shearOf(matrix(turned(1.5e-6), [0, 0, 0]))).toBeDefined();
		}
	});

	it('is a stretch along any directions and then a pose, which together are the matrix', () => {
		let state = 11;
		const next = (): number => {
			state = (Math.imul(state, 1103515245) + 12345) >>> 0;
			return (state >>> 8) / 2 ** 23 - 1;
		};
		let mirrored = 0;
		for (let round = 0; round < 60; round++) {
			const rows = [0, 1, 2].map(() => [next(), next(), next()]);
			const place = [next(), next(), next()];
			const { pose, stretch } = shearOf(matrix(rows, place))!;
			const [a, b, c] = rows as [number[], number[], number[]];
			const volume =
				a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) -
				a[1]! * (b[0]! * c[2]! - b[2]! * c[0]!) +
				a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
			if (volume < 0) mirrored++;
			const turn = mat3FromQuat(new Float64Array(9), pose.subarray(3));
			for (let i = 0; i < 3; i++) {
				expect(pose[i]).toBe(place[i]);
				for (let k = 0; k < 3; k++) {
					let sum = 0;
					for (let j = 0; j < 3; j++) sum += stretch[3 * i + j]! * turn[3 * j + k]!;
					expect(sum).toBeCloseTo(rows[i]![k]!, 9);
					expect(stretch[3 * i + k]).toBeCloseTo(stretch[3 * k + i]!, 9);
				}
			}
			// a turn never mirrors, so the stretch does
			const trace = stretch[0]! + stretch[4]! + stretch[8]!;
			expect(Math.sign(trace)).toBe(Math.sign(volume));
			expect(Math.hypot(...pose.subarray(3))).toBeCloseTo(1, 12);
		}
		expect(mirrored).toBeGreaterThan(20);
	});
});
