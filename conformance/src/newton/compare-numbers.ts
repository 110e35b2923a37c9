import { BodyFlags, GeoType, JointTargetMode, JointType, ShapeFlags } from '@manyworlds/model';
import type { ExpectedArray } from './expected-model.ts';

/** Relative and absolute tolerance of an array. */
export interface Tolerance {
	readonly relative: number;
	readonly absolute: number;
	/** Numbers that the largest of each group is the measure for: 9 for tensors. */
	readonly group?: number;
}

/** The reference computes in single precision. */
export const POSE: Tolerance = { relative: 1e-5, absolute: 1e-6 };
const TOLERANCES: Readonly<Record<string, Tolerance>> = {
	body_inertia: { relative: 1e-4, absolute: 1e-12, group: 9 },
	body_inv_inertia: { relative: 1e-3, absolute: 1e-12, group: 9 },
	body_inv_mass: { relative: 1e-5, absolute: 0 },
	// a turn of the up axis leaves rounding in the two other components
	gravity: { relative: 1e-5, absolute: 1e-6, group: 3 },
};

/** The tolerance of an array by Newton's name. */
export function toleranceOf(array: string): Tolerance {
	return TOLERANCES[array] ?? POSE;
}

const ENUMS: Readonly<Record<string, Readonly<Record<string, number>>>> = { GeoType, JointTargetMode, JointType };
const FLAGS: Readonly<Record<string, Readonly<Record<string, number>>>> = { BodyFlags, ShapeFlags };

/** The numbers of an array of a dump: names of enumerations and flags become the numbers they stand for. */
export function expectedNumbers(array: ExpectedArray): number[] {
	if (array.enum !== undefined) return array.data.map((name) => memberOf(ENUMS, array.enum!, name as string));
	if (array.flags !== undefined) {
		return array.data.map((names) =>
			(names as string)
				.split('|')
				.reduce((bits, name) => (name === '' ? bits : bits | memberOf(FLAGS, array.flags!, name)), 0),
		);
	}
	return array.data.map((value) => (typeof value === 'string' ? SPECIAL[value]! : Number(value)));
}

const SPECIAL: Readonly<Record<string, number>> = {
	nan: Number.NaN,
	inf: Number.POSITIVE_INFINITY,
	'-inf': Number.NEGATIVE_INFINITY,
};

function memberOf(
	tables: Readonly<Record<string, Readonly<Record<string, number>>>>,
	table: string,
	name: string,
): number {
	const value = tables[table]?.[name];
	if (value === undefined) throw new TypeError(`unknown ${table} '${name}'`);
	return value;
}

/** The first difference between numbers, `undefined` when they agree; `tolerance` undefined means exactly. */
export function numberDifference(
	where: string,
	actual: ArrayLike<number>,
	expected: ArrayLike<number>,
	tolerance: Tolerance | undefined,
): string | undefined {
	if (actual.length !== expected.length) return `${where} has ${actual.length} numbers, expected ${expected.length}`;
	const group = tolerance?.group ?? 1;
	for (let start = 0; start < actual.length; start += group) {
		let largest = 0;
		for (let i = start; i < start + group; i++)
			if (Number.isFinite(expected[i])) largest = Math.max(largest, Math.abs(expected[i]!));
		const allowed = tolerance === undefined ? 0 : tolerance.absolute + tolerance.relative * largest;
		for (let i = start; i < start + group; i++) {
			const [a, e] = [actual[i]!, expected[i]!];
			if (a === e || (Number.isNaN(a) && Number.isNaN(e)) || Math.abs(a - e) <= allowed) continue;
			return `${where}[${i}] is ${a}, expected ${e} within ${allowed}`;
		}
	}
	return undefined;
}

/** Arrays of poses, position and quaternion. */
const POSES: ReadonlySet<string> = new Set(['body_q', 'joint_X_p', 'joint_X_c', 'shape_transform', 'fk.body_q']);

/** Single precision, with a few roundings: positions are as exact as the largest of the three allows. */
const ROUNDING = 5e-7;

/**
 * Expected poses with the sign of each quaternion that ours has, as both stand for the same rotation, and without roundings
 * of positions far from the origin.
 */
export function comparablePoses(
	name: string,
	actual: ArrayLike<number>,
	expected: ArrayLike<number>,
): ArrayLike<number> {
	if (!POSES.has(name) || actual.length !== expected.length) return expected;
	const out = Array.from(expected);
	for (let row = 0; row + 6 < out.length; row += 7) {
		let dot = 0;
		for (let i = row + 3; i < row + 7; i++) dot += actual[i]! * out[i]!;
		if (dot < 0) for (let i = row + 3; i < row + 7; i++) out[i] = -out[i]!;
		const far = Math.max(Math.abs(out[row]!), Math.abs(out[row + 1]!), Math.abs(out[row + 2]!));
		for (let i = row; i < row + 3; i++) if (Math.abs(actual[i]! - out[i]!) <= ROUNDING * far) out[i] = actual[i]!;
	}
	return out;
}

/** Pairs in a flat list in the order of their first, then of their second number. */
export function sortedPairs(flat: readonly number[]): number[] {
	const pairs = Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!] as const);
	return pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]).flat();
}
