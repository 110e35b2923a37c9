import type { Dictionary } from './value.ts';

/** How a segment between two knots runs. */
export type SplineInterpolation = 'none' | 'held' | 'linear' | 'curve';

/** How the curve goes on before the first and after the last knot. */
export type ExtrapolationMode = 'none' | 'held' | 'linear' | 'sloped' | 'loop repeat' | 'loop reset' | 'loop oscillate';

/** How a spline goes on before its first or after its last knot. */
export interface Extrapolation {
	readonly mode: ExtrapolationMode;
	/** Slope of mode `sloped`. */
	readonly slope?: number;
	/** Where the looped part ends, for the loop modes that give it (text 1.3, crate 0.15). */
	readonly loopBoundary?: number;
}

/** The part of a spline that is repeated inside its own range. */
export interface SplineLoop {
	readonly protoStart: number;
	readonly protoEnd: number;
	readonly preLoopCount: number;
	readonly postLoopCount: number;
	readonly valueOffset: number;
}

/** How the tangent of a knot is found. */
export type TangentAlgorithm = 'none' | 'custom' | 'autoEase';

/** How a spline leaves or reaches a knot. */
export interface SplineTangent {
	readonly width: number;
	readonly slope: number;
	readonly algorithm: TangentAlgorithm;
}

/** A knot of a spline: times in time codes, values in the unit of the attribute. */
export interface SplineKnot {
	readonly time: number;
	readonly value: number;
	/** Value just before the knot, for a knot with two values. */
	readonly preValue?: number;
	/** The segment that follows. */
	readonly interpolation: SplineInterpolation;
	readonly pre: SplineTangent;
	readonly post: SplineTangent;
	readonly customData: Dictionary;
}

/** A value over time as a curve. Kept and written; evaluation belongs to the stage. */
export interface Spline {
	readonly valueType: 'half' | 'float' | 'double' | 'timecode' | 'duration';
	readonly curve: 'bezier' | 'hermite';
	readonly timeValued: boolean;
	readonly pre: Extrapolation;
	readonly post: Extrapolation;
	readonly loop?: SplineLoop;
	readonly knots: readonly SplineKnot[];
}
