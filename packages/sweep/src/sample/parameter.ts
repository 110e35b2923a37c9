/** A value that a parameter takes: a number, or a name such as that of a variant or solver. @public */
export type ParameterValue = number | string | boolean;

/** How the values of a parameter are spread. Every kind is a function of one number from 0 to 1. @public */
export type Distribution =
	| { readonly kind: 'uniform' | 'log'; readonly low: number; readonly high: number; readonly steps?: number }
	| {
			readonly kind: 'normal';
			readonly mean: number;
			readonly sd: number;
			/** Ends beyond which nothing is drawn: the distribution is truncated there, not piled up. */
			readonly clip?: readonly [number, number];
	  }
	| { readonly kind: 'integer'; readonly low: number; readonly high: number }
	| { readonly kind: 'choice'; readonly values: readonly ParameterValue[]; readonly weights?: readonly number[] };

/** What a parameter changes. @public */
export type ParameterTarget =
	/** A property of a composed prim, or of the material that is bound to it. */
	| { readonly kind: 'property'; readonly of: 'prim' | 'material'; readonly prim: string; readonly property: string }
	| { readonly kind: 'variant'; readonly prim: string; readonly set: string }
	/** Rows of an array of the model by its Newton name. */
	| { readonly kind: 'model'; readonly array: string; readonly row: string }
	/** A field of a scene file. */
	| { readonly kind: 'scene'; readonly path: readonly (string | number)[] }
	/** `solver`, `dt`, `duration`, or an option of SAP as scene files name it. */
	| { readonly kind: 'option'; readonly name: string };

/** One parameter of a plan. @public */
export interface PlanParameter {
	readonly name: string;
	readonly target: ParameterTarget;
	/** What becomes of the value of the asset: replaced, multiplied, or added to. */
	readonly apply: 'set' | 'scale' | 'add';
	readonly distribution: Distribution;
}

/** How runs are chosen. @public */
export type SamplerSpec =
	| { readonly kind: 'grid'; readonly parameters?: readonly string[] }
	| { readonly kind: 'list'; readonly rows: readonly Readonly<Record<string, ParameterValue>>[] }
	| { readonly kind: 'random' | 'lhs'; readonly count: number; readonly parameters?: readonly string[] }
	| {
			readonly kind: 'sobol';
			readonly count: number;
			readonly scramble: 'none' | 'owen';
			readonly parameters?: readonly string[];
	  }
	| { readonly kind: 'product'; readonly of: readonly SamplerSpec[] };
