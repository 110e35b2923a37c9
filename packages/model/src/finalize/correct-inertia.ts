import type { Report } from '@manyworlds/core';
import { eigenSymmetric3, mat3Invert } from '@manyworlds/core/internal';
import { createDiagnostic } from '../diagnostics.ts';
import { describe } from '../model-error.ts';

/** Smallest principal inertia relative to the largest, and at all [kg·m²]. */
const RELATIVE_FLOOR = 1e-6;
const ABSOLUTE_FLOOR = 1e-10;
/** What a corrected inertia is lifted by beyond need [kg·m²]; at most this part of the largest principal inertia. */
const LIFT = 1e-6;
const RELATIVE_LIFT = 1e-6;
/** Asymmetry up to this is rounding and not reported. */
const SYMMETRY_RELATIVE = 1e-5;
const SYMMETRY_ABSOLUTE = 1e-8;
/** Rounding of single precision: how far the triangle inequality may be missed. */
const TRIANGLE_RELATIVE = 2 ** -23;

/** How masses and inertias are corrected. */
export interface InertiaBounds {
	readonly boundMass: number | undefined;
	readonly boundInertia: number | undefined;
	readonly balanceInertia: boolean;
	/** Bounds of Newton 1.6.1, which are made for bodies of a gram and more: small ones get inertias of a larger body. */
	readonly newtonCompat: boolean;
}

/** Reasons for a correction, in the order in which they are looked for. */
type Reason =
	| 'not finite'
	| 'negative mass'
	| 'mass below the bound'
	| 'inertia without mass'
	| 'not symmetric'
	| 'not positive'
	| 'inertia below the bound'
	| 'triangle inequality';

/**
 * Makes masses and inertias physical, in place, and reports each body that was changed. A tensor that needs no correction
 * keeps its bits.
 */
export function correctInertias(
	masses: Float64Array,
	inertias: Float64Array,
	labels: readonly string[],
	bounds: InertiaBounds,
	report: Report,
): void {
	const tensor = new Float64Array(9);
	const reasons: Reason[] = [];
	for (let body = 0; body < masses.length; body++) {
		for (let i = 0; i < 9; i++) tensor[i] = inertias[9 * body + i]!;
		reasons.length = 0;
		const mass = correctBody(masses[body]!, tensor, bounds, reasons);
		if (reasons.length === 0) continue;
		const isUnbalanced = reasons.length === 1 && reasons[0] === 'triangle inequality' && !bounds.balanceInertia;
		if (!isUnbalanced) {
			masses[body] = mass;
			inertias.set(tensor, 9 * body);
		}
		if (report.isFull('warning')) {
			report.count('warning');
			continue;
		}
		const name = describe('body', body, labels[body]);
		const what = isUnbalanced
			? 'has an inertia against the triangle inequality, which was left'
			: `was corrected: ${reasons.join(', ')}`;
		report.add(
			createDiagnostic('MODEL032', `${name} ${what}`, {
				prim: labels[body] ?? '',
				data: { body, reasons: [...reasons], corrected: !isUnbalanced },
			}),
		);
	}
}

/** Inverse masses and inertias, zero for bodies without. */
export function invertInertias(
	masses: Float64Array,
	inertias: Float64Array,
	inverseMasses: Float64Array,
	inverses: Float64Array,
): void {
	for (let body = 0; body < masses.length; body++) {
		const mass = masses[body]!;
		if (!(mass > 0)) continue;
		inverseMasses[body] = 1 / mass;
		if (mat3Invert(inverses, inertias, 9 * body, 9 * body) === 0) inverses.fill(0, 9 * body, 9 * body + 9);
	}
}

const values = new Float64Array(3);
const vectors = new Float64Array(9);

function correctBody(given: number, tensor: Float64Array, bounds: InertiaBounds, reasons: Reason[]): number {
	if (!Number.isFinite(given) || !isFiniteTensor(tensor)) {
		reasons.push('not finite');
		tensor.fill(0);
		return 0;
	}
	let mass = given;
	if (mass < 0) {
		reasons.push('negative mass');
		mass = 0;
	} else if (mass > 0 && bounds.boundMass !== undefined && mass < bounds.boundMass) {
		reasons.push('mass below the bound');
		mass = bounds.boundMass;
	}
	if (mass === 0) {
		if (tensor.some((value) => value !== 0)) {
			reasons.push('inertia without mass');
			tensor.fill(0);
		}
		return mass;
	}
	if (symmetrise(tensor)) reasons.push('not symmetric');
	eigenSymmetric3(values, vectors, tensor);
	// a body without any inertia has no size of its own to go by
	const isSized = values[2]! > 0 && !bounds.newtonCompat;
	const least = isSized ? 0 : ABSOLUTE_FLOOR;
	const beyond = isSized ? Math.min(LIFT, RELATIVE_LIFT * values[2]!) : LIFT;
	const floor = Math.max(RELATIVE_FLOOR * values[2]!, least);
	if (values[0]! < floor) {
		reasons.push('not positive');
		lift(tensor, floor - values[0]! + beyond);
	}
	if (bounds.boundInertia !== undefined && values[0]! < bounds.boundInertia) {
		reasons.push('inertia below the bound');
		lift(tensor, bounds.boundInertia - values[0]!);
	}
	const [a, b, c] = [values[0]!, values[1]!, values[2]!];
	if (a + b < c - Math.max(TRIANGLE_RELATIVE * c, least)) {
		reasons.push('triangle inequality');
		if (bounds.balanceInertia) lift(tensor, c - a - b + beyond);
	}
	return mass;
}

function isFiniteTensor(tensor: Float64Array): boolean {
	for (let i = 0; i < 9; i++) if (!Number.isFinite(tensor[i]!)) return false;
	return true;
}

/** Adds to all principal inertias. */
function lift(tensor: Float64Array, amount: number): void {
	for (let i = 0; i < 3; i++) {
		tensor[4 * i] = tensor[4 * i]! + amount;
		values[i] = values[i]! + amount;
	}
}

/** Takes the mean of opposite entries; tells whether they differed by more than rounding. */
function symmetrise(tensor: Float64Array): boolean {
	let isAsymmetric = false;
	for (const [i, j] of OPPOSITE) {
		const mean = (tensor[i]! + tensor[j]!) / 2;
		if (Math.abs(tensor[i]! - mean) > SYMMETRY_ABSOLUTE + SYMMETRY_RELATIVE * Math.abs(mean)) isAsymmetric = true;
		tensor[i] = mean;
		tensor[j] = mean;
	}
	return isAsymmetric;
}

const OPPOSITE: readonly (readonly [number, number])[] = [
	[1, 3],
	[2, 6],
	[5, 7],
];
