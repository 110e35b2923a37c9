import { mat3FromQuat, mat3RotateTensor } from '@manyworlds/core/internal';
import type { Prim } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';
import { hasApi } from './joint-values.ts';
import { asNumber, asNumbers, attributeValue } from './plain-value.ts';

/** Mass properties that a prim states; undefined where the value is missing, unusable or the schema's word for "not given". */
export interface StatedMass {
	readonly hasApi: boolean;
	readonly mass: number | undefined;
	readonly density: number | undefined;
	/** Principal moments. */
	readonly diagonalInertia: readonly number[] | undefined;
	/** Axes of those moments, x y z w. */
	readonly principalAxes: readonly number[] | undefined;
	/** In the space of the prim, not scaled. */
	readonly centerOfMass: readonly number[] | undefined;
}

const NOTHING: StatedMass = {
	hasApi: false,
	mass: undefined,
	density: undefined,
	diagonalInertia: undefined,
	principalAxes: undefined,
	centerOfMass: undefined,
};

/** Whether a mass may be stated on a prim: Newton's own schema of masses is about the same attributes. */
export function hasMassApi(ctx: ImportContext, prim: Prim): boolean {
	return prim.hasSchema('PhysicsMassAPI') || (!ctx.options.newtonCompat && hasApi(prim, 'NewtonMassAPI'));
}

/** Reads MassAPI of a prim; values that no mass can have are reported once and count as not given. */
export function statedMass(ctx: ImportContext, prim: Prim): StatedMass {
	if (!hasMassApi(ctx, prim)) return NOTHING;
	const inertia = asNumbers(attributeValue(prim, 'physics:diagonalInertia'), 3);
	const axes = asNumbers(attributeValue(prim, 'physics:principalAxes'), 4);
	const com = asNumbers(attributeValue(prim, 'physics:centerOfMass'), 3);
	return {
		hasApi: true,
		mass: positiveNumber(ctx, prim, 'physics:mass'),
		density: positiveNumber(ctx, prim, 'physics:density'),
		diagonalInertia: usableInertia(ctx, prim, inertia),
		principalAxes: axes?.some((part) => part !== 0) === true && axes.every(Number.isFinite) ? axes : undefined,
		centerOfMass: com?.every(Number.isFinite) === true ? com : undefined,
	};
}

function positiveNumber(ctx: ImportContext, prim: Prim, name: string): number | undefined {
	const value = asNumber(attributeValue(prim, name));
	if (value !== undefined && Number.isFinite(value) && value > 0) return value;
	if (value !== undefined && value !== 0) {
		ctx.tell('IMP040', prim, `${name} is ${value}, expected a finite number above 0; it counts as not given`, name);
	}
	return undefined;
}

/** A tensor from principal moments and their axes; without axes along those of the frame. */
export function inertiaTensor(diagonal: readonly number[], axes: readonly number[] | undefined): Float64Array {
	const tensor = Float64Array.of(diagonal[0]!, 0, 0, 0, diagonal[1]!, 0, 0, 0, diagonal[2]!);
	if (axes === undefined) return tensor;
	const norm = Math.hypot(...axes);
	const rotation = mat3FromQuat(
		new Float64Array(9),
		Float64Array.from(axes, (part) => part / norm),
	);
	return mat3RotateTensor(new Float64Array(9), tensor, rotation);
}

function usableInertia(ctx: ImportContext, prim: Prim, inertia: number[] | undefined): number[] | undefined {
	if (inertia === undefined || inertia.every((moment) => moment === 0)) return undefined;
	if (inertia.every((moment) => Number.isFinite(moment) && moment >= 0)) return inertia;
	ctx.tell(
		'IMP040',
		prim,
		`physics:diagonalInertia is (${inertia.join(', ')}), expected finite numbers, 0 or more; it counts as not given`,
		'physics:diagonalInertia',
	);
	return undefined;
}
