import { UsageRangeError } from '@manyworlds/core';

/** Mass, centre of mass and inertia of a body in one frame. Units: kg, m, kg·m² when lengths are metres. @public */
export interface MassProperties {
	readonly mass: number;
	/** Centre of mass, three coordinates. */
	readonly com: Float64Array;
	/** Inertia about the centre of mass along the axes of the frame: 3 × 3, symmetric, row after row. */
	readonly inertia: Float64Array;
}

/** Nothing: no mass at the origin. @public */
export function zeroMass(): MassProperties {
	return { mass: 0, com: new Float64Array(3), inertia: new Float64Array(9) };
}

/**
 * The body made of several: masses add up, tensors are moved to the common centre (parallel axes) and added.
 * Without mass the centre is that of the first part.
 * @public
 */
export function combineMasses(parts: readonly MassProperties[]): MassProperties {
	let mass = 0;
	const com = new Float64Array(3);
	for (const part of parts) {
		mass += part.mass;
		for (let k = 0; k < 3; k++) com[k] = com[k]! + part.mass * part.com[k]!;
	}
	for (let k = 0; k < 3; k++) com[k] = mass === 0 ? (parts[0]?.com[k] ?? 0) : com[k]! / mass;
	const inertia = new Float64Array(9);
	for (const part of parts) {
		const moved = inertiaAbout(part, com);
		for (let i = 0; i < 9; i++) inertia[i] = inertia[i]! + moved[i]!;
	}
	return { mass, com, inertia };
}

/** Inertia about another point, along the same axes. @public */
export function inertiaAbout(properties: MassProperties, point: ArrayLike<number>): Float64Array {
	const { mass, com, inertia } = properties;
	const d = [com[0]! - point[0]!, com[1]! - point[1]!, com[2]! - point[2]!] as const;
	const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
	const out = Float64Array.from(inertia);
	for (let i = 0; i < 3; i++) {
		for (let j = 0; j < 3; j++) out[i * 3 + j] = out[i * 3 + j]! + mass * ((i === j ? square : 0) - d[i]! * d[j]!);
	}
	return out;
}

/**
 * The body turned by a quaternion x y z w and then moved: a shape seen from the frame that places it.
 * The quaternion is normalised.
 * @public
 */
export function placeMass(
	properties: MassProperties,
	translation: ArrayLike<number>,
	rotation: ArrayLike<number> = [0, 0, 0, 1],
): MassProperties {
	const norm = Math.hypot(rotation[0]!, rotation[1]!, rotation[2]!, rotation[3]!);
	if (!(norm > 0)) throw new UsageRangeError(`the rotation has the norm ${norm}, expected a quaternion`);
	const [x, y, z, w] = [rotation[0]! / norm, rotation[1]! / norm, rotation[2]! / norm, rotation[3]! / norm];
	// rows are the images of the axes
	const r = [
		1 - 2 * (y * y + z * z),
		2 * (x * y + z * w),
		2 * (x * z - y * w),
		2 * (x * y - z * w),
		1 - 2 * (x * x + z * z),
		2 * (y * z + x * w),
		2 * (x * z + y * w),
		2 * (y * z - x * w),
		1 - 2 * (x * x + y * y),
	];
	const com = new Float64Array(3);
	for (let k = 0; k < 3; k++) {
		const c = properties.com;
		com[k] = c[0]! * r[k]! + c[1]! * r[3 + k]! + c[2]! * r[6 + k]! + translation[k]!;
	}
	return { mass: properties.mass, com, inertia: congruence(properties.inertia, r) };
}

/**
 * The body after its material was stretched by a linear map (3 × 3, points as rows on the left; mirroring and unequal
 * factors allowed), with the density kept. Exact for every shape, as second moments stretch with the map.
 */
export function stretchMass(properties: MassProperties, matrix: ArrayLike<number>): MassProperties {
	if (matrix.length !== 9) throw new UsageRangeError(`the matrix has ${matrix.length} numbers, expected 9`);
	const m = matrix;
	const determinant = Math.abs(
		m[0]! * (m[4]! * m[8]! - m[5]! * m[7]!) -
			m[1]! * (m[3]! * m[8]! - m[5]! * m[6]!) +
			m[2]! * (m[3]! * m[7]! - m[4]! * m[6]!),
	);
	const com = new Float64Array(3);
	for (let k = 0; k < 3; k++) {
		const c = properties.com;
		com[k] = c[0]! * m[k]! + c[1]! * m[3 + k]! + c[2]! * m[6 + k]!;
	}
	const moments = congruence(toSecondMoments(properties.inertia), m);
	for (let i = 0; i < 9; i++) moments[i] = moments[i]! * determinant;
	return { mass: properties.mass * determinant, com, inertia: fromSecondMoments(moments) };
}

/** The body stretched along the axes, with the density kept. @public */
export function scaleMass(properties: MassProperties, x: number, y: number = x, z: number = x): MassProperties {
	return stretchMass(properties, [x, 0, 0, 0, y, 0, 0, 0, z]);
}

/** The same body of another density: mass and inertia multiplied. @public */
export function multiplyDensity(properties: MassProperties, factor: number): MassProperties {
	return {
		mass: properties.mass * factor,
		com: properties.com.slice(),
		inertia: properties.inertia.map((value) => value * factor),
	};
}

/** Second moments `∫ xᵢ xⱼ dm` of an inertia about the same point. */
function toSecondMoments(inertia: Float64Array): Float64Array {
	const half = (inertia[0]! + inertia[4]! + inertia[8]!) / 2;
	return inertia.map((value, i) => (i % 4 === 0 ? half - value : -value));
}

/** Inertia of second moments about the same point: `tr(S) 1 - S`. */
export function fromSecondMoments(moments: Float64Array): Float64Array {
	const trace = moments[0]! + moments[4]! + moments[8]!;
	const inertia = moments.map((value, i) => (i % 4 === 0 ? trace - value : -value));
	// minus zero is of no use to anybody
	return inertia.map((value) => value + 0);
}

/** `mᵀ · a · m` for a symmetric `a`, exactly symmetric. */
function congruence(a: Float64Array, m: ArrayLike<number>): Float64Array {
	const out = new Float64Array(9);
	for (let i = 0; i < 3; i++) {
		for (let j = i; j < 3; j++) {
			let sum = 0;
			for (let p = 0; p < 3; p++) for (let q = 0; q < 3; q++) sum += m[p * 3 + i]! * a[p * 3 + q]! * m[q * 3 + j]!;
			out[i * 3 + j] = sum;
			out[j * 3 + i] = sum;
		}
	}
	return out;
}
