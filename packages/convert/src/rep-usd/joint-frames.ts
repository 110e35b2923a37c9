import { arcTangent2, cosine, quatBetween, sine } from '@manyworlds/core/internal';
import type { ConversionJoint, JointFreedom } from '../model/conversion-model.ts';
import { compose, identityPose, turned } from '../model/pose.ts';

/** Axes as UsdPhysics names them. */
export type AxisToken = 'X' | 'Y' | 'Z';

/** Degrees of freedom as UsdPhysics names them. */
export type DofToken = 'transX' | 'transY' | 'transZ' | 'rotX' | 'rotY' | 'rotZ';

export const DOFS: readonly DofToken[] = ['transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ'];

/** How the frame of a joint is turned, at both of its ends, so that one of its axes is the axis of a freedom. */
export interface AxisFrame {
	readonly token: AxisToken;
	readonly turn: Float64Array;
}

/** The axis of a freedom: one of the frame where it is one, turned over where it points the other way, else x is turned to it. */
export function axisFrame([x, y, z]: readonly [number, number, number]): AxisFrame {
	const along = ([...AXES.keys()] as AxisToken[]).find((token) => {
		const [a, b, c] = AXES.get(token)!;
		return Math.abs(Math.abs(x * a + y * b + z * c) - 1) < 1e-12;
	});
	if (along === undefined) {
		const turn = identityPose();
		quatBetween(turn, Float64Array.of(1, 0, 0), Float64Array.of(x, y, z), 3);
		return { token: 'X', turn };
	}
	const [a, b, c] = AXES.get(along)!;
	const isForward = x * a + y * b + z * c > 0;
	// half a turn about another axis
	const over = along === 'X' ? [0, 0, 1, 0] : [1, 0, 0, 0];
	return { token: along, turn: isForward ? identityPose() : Float64Array.of(0, 0, 0, ...over) };
}

const AXES: ReadonlyMap<AxisToken, readonly [number, number, number]> = new Map([
	['X', [1, 0, 0]],
	['Y', [0, 1, 0]],
	['Z', [0, 0, 1]],
]);

/** Freedoms of a joint with several, by the degree of freedom of UsdPhysics that each one is. */
export interface CompoundFrame {
	readonly turn: Float64Array;
	readonly freedoms: ReadonlyMap<DofToken, JointFreedom>;
}

/**
 * A joint with several freedoms as one of UsdPhysics, which moves along X, Y, Z and then turns about X, Y, Z: its turns come last,
 * in that order, and all axes are those of one right-handed frame. Undefined when it is none of these.
 */
export function compoundFrame({ kind, freedoms }: ConversionJoint): CompoundFrame | undefined {
	if (kind === 'planar') return planarFrame(freedoms[0]);
	const firstTurn = freedoms.findIndex(({ motion }) => motion === 'turn');
	const turns = firstTurn < 0 ? [] : freedoms.slice(firstTurn);
	const slides = firstTurn < 0 ? freedoms : freedoms.slice(0, firstTurn);
	if (turns.length > 3 || slides.length > 3 || turns.some(({ motion }) => motion === 'slide')) return undefined;
	const [first = slides[0]!, second] = turns.length > 0 ? turns : slides;
	const x = first.axis;
	const y = second === undefined ? anyAcross(x) : second.axis;
	if (Math.abs(dot(x, y)) > 1e-9) return undefined;
	const axes = [x, y, cross(x, y)] as const;
	const found = new Map<DofToken, JointFreedom>();
	for (const [k, freedom] of turns.entries()) {
		if (dot(freedom.axis, axes[k]!) < 1 - 1e-9) return undefined;
		found.set(DOFS[3 + k]!, freedom);
	}
	for (const freedom of slides) {
		const k = axes.findIndex((axis) => dot(freedom.axis, axis) > 1 - 1e-9);
		if (k < 0 || found.has(DOFS[k]!)) return undefined;
		found.set(DOFS[k]!, freedom);
	}
	return { turn: turnTo(axes), freedoms: found };
}

/** Moves in the plane across an axis and turns about it. */
function planarFrame(freedom: JointFreedom | undefined): CompoundFrame | undefined {
	if (freedom === undefined) return undefined;
	const z = freedom.axis;
	const x = anyAcross(z);
	const free: JointFreedom = {
		motion: 'slide',
		axis: x,
		lower: Number.NEGATIVE_INFINITY,
		upper: Number.POSITIVE_INFINITY,
		start: 0,
	};
	return {
		turn: turnTo([x, cross(z, x), z]),
		freedoms: new Map([
			['transX', free],
			['transY', free],
			['rotZ', freedom],
		]),
	};
}

/** The rotation that takes x, y, z to three axes of a right-handed frame. */
function turnTo([x, y]: readonly (readonly [number, number, number])[]): Float64Array {
	const toX = identityPose();
	quatBetween(toX, Float64Array.of(1, 0, 0), Float64Array.from(x!), 3);
	// about x, as far as y is from where that took it
	const angle = arcTangent2(dot(y!, turned(toX, [0, 0, 1])), dot(y!, turned(toX, [0, 1, 0])));
	return compose(toX, Float64Array.of(0, 0, 0, sine(angle / 2), 0, 0, cosine(angle / 2)));
}

function anyAcross([x, y, z]: readonly [number, number, number]): [number, number, number] {
	const other: [number, number, number] = Math.abs(x) < 0.9 ? [1, 0, 0] : [0, 1, 0];
	const [a, b, c] = cross([x, y, z], other);
	const length = Math.hypot(a, b, c);
	return [a / length, b / length, c / length];
}

function cross(a: readonly number[], b: readonly number[]): [number, number, number] {
	return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

function dot(a: readonly number[], b: readonly number[]): number {
	return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
