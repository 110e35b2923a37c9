import { halfToNumber, numberToHalf } from '@manyworlds/core/internal';
import { makeValue, type Value } from '../sdf/value.ts';
import type { ValueType } from '../sdf/value-type.ts';

/** How values between two samples are made. */
export type Interpolation = 'linear' | 'held';

/** Whether values of a type can be interpolated; the others keep the earlier sample (AOUSD 12.5). */
function isInterpolated(type: ValueType): boolean {
	switch (type.component) {
		case 'half':
		case 'float':
		case 'double':
			return true;
		default:
			return false;
	}
}

/**
 * The value a fraction `u` of the way from `a` to `b`, rounded as OpenUSD does; `a` itself when the two cannot be mixed: types that
 * do not interpolate, blocks, arrays of different lengths.
 */
export function interpolate(a: Value, b: Value, u: number): Value {
	const { type } = a;
	if (type !== b.type || !isInterpolated(type)) return a;
	// the samples themselves at both ends, also beside one that is not finite
	if (u === 0) return a;
	if (type.isArray) {
		const x = a.data as Components;
		const y = b.data as Components;
		if (x.length !== y.length) return a;
		return u === 1 ? b : makeValue(type, mixArray(type, x, y, u));
	}
	if (u === 1) return b;
	if (type.width === 1) return makeValue(type, mixScalar(type, a.data as number, b.data as number, u));
	return makeValue(type, mixArray(type, a.data as Components, b.data as Components, u));
}

type Components = Uint16Array | Float32Array | Float64Array;

function mixScalar(type: ValueType, a: number, b: number, u: number): number {
	const mixed = (1 - u) * a + u * b;
	if (type.component === 'half') return halfToNumber(numberToHalf(mixed));
	return type.component === 'float' ? Math.fround(mixed) : mixed;
}

function mixArray(type: ValueType, a: Components, b: Components, u: number): Components {
	if (type.shape === 'quaternion') return mixQuaternions(type, a, b, u);
	const out = new (a.constructor as new (length: number) => Components)(a.length);
	const v = 1 - u;
	if (type.component === 'double') {
		for (let i = 0; i < out.length; i++) out[i] = v * a[i]! + u * b[i]!;
	} else if (type.component === 'half') {
		if (type.width === 1) {
			for (let i = 0; i < out.length; i++) out[i] = numberToHalf(v * halfToNumber(a[i]!) + u * halfToNumber(b[i]!));
		} else {
			for (let i = 0; i < out.length; i++) {
				const x = halfToNumber(numberToHalf(v * halfToNumber(a[i]!)));
				const y = halfToNumber(numberToHalf(u * halfToNumber(b[i]!)));
				out[i] = numberToHalf(x + y);
			}
		}
	} else if (type.width === 1) {
		for (let i = 0; i < out.length; i++) out[i] = v * a[i]! + u * b[i]!;
	} else {
		// each product of a vector is rounded to its component before the sum is
		for (let i = 0; i < out.length; i++) out[i] = Math.fround(v * a[i]!) + Math.fround(u * b[i]!);
	}
	return out;
}

function mixQuaternions(type: ValueType, a: Components, b: Components, u: number): Components {
	const isHalf = type.component === 'half';
	const round = ROUNDING[type.component as keyof typeof ROUNDING];
	const out = new (a.constructor as new (length: number) => Components)(a.length);
	const x = new Float64Array(4);
	const y = new Float64Array(4);
	for (let at = 0; at < a.length; at += 4) {
		for (let i = 0; i < 4; i++) {
			x[i] = isHalf ? halfToNumber(a[at + i]!) : a[at + i]!;
			y[i] = isHalf ? halfToNumber(b[at + i]!) : b[at + i]!;
		}
		slerp(x, y, u, round);
		for (let i = 0; i < 4; i++) out[at + i] = isHalf ? numberToHalf(x[i]!) : x[i]!;
	}
	return out;
}

interface Rounding {
	/** To a component of the quaternion. */
	readonly component: (value: number) => number;
	/** To the type in which products and sums of components are held. */
	readonly term: (value: number) => number;
}

const same = (value: number): number => value;
const ROUNDING: Readonly<Record<'half' | 'float' | 'double', Rounding>> = {
	half: { component: (value) => halfToNumber(numberToHalf(Math.fround(value))), term: Math.fround },
	float: { component: Math.fround, term: Math.fround },
	double: { component: same, term: same },
};

/** Angles whose cosine is nearer to 1 than this are mixed along a straight line. */
const TINY = 1e-5;

/** Turns `a` into the quaternion a fraction `u` of the shorter arc to `b`. Rounds where OpenUSD does, to give the same digits. */
function slerp(a: Float64Array, b: Float64Array, u: number, { component, term }: Rounding): void {
	let imaginary = 0;
	for (let i = 0; i < 3; i++) imaginary = term(imaginary + term(a[i]! * b[i]!));
	let cosine = term(component(imaginary) + term(a[3]! * b[3]!));
	const isFlipped = cosine < 0;
	if (isFlipped) cosine = -cosine;
	let first = 1 - u;
	let second = u;
	if (1 - cosine > TINY) {
		const angle = component(Math.acos(cosine));
		const sine = component(Math.sin(angle));
		first = Math.sin((1 - u) * angle) / sine;
		second = Math.sin(u * angle) / sine;
	}
	if (isFlipped) second = -second;
	const x = component(first);
	const y = component(second);
	for (let i = 0; i < 4; i++) a[i] = component(component(x * a[i]!) + component(y * b[i]!));
}
