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

/** Ways in which a metric makes one number of a quantity over time. @public */
export type MetricKind =
	| 'last'
	| 'first'
	| 'min'
	| 'max'
	| 'mean'
	| 'rms'
	| 'max_abs'
	| 'integral'
	| 'any'
	| 'all'
	| 'first_time';

/** One number of a run. @public */
export interface PlanMetric {
	readonly name: string;
	readonly kind: MetricKind;
	readonly expression: string;
}

/** How a run is simulated. @public */
export interface PlanSimulation {
	/** [s] */
	readonly duration: number;
	/** Targets that are played back, relative to the plan. */
	readonly control?: string;
	/** Worlds of a run, which differ by their noise; a metric is their mean, or whether any or all of them did. */
	readonly worldsPerRun: number;
	readonly solver: string;
	/** [s]; that of the asset unless given. */
	readonly dt?: number;
	readonly ground: boolean;
	readonly floating?: boolean;
	readonly keyframe?: string;
	/** Height of floating bases [m]. */
	readonly height?: number;
	readonly resolvers: readonly ('newton' | 'physx' | 'mjc')[];
	/** Standard deviations of what is added to the coordinates [m, rad] and velocities [m/s, rad/s] of scalar joints at the start. */
	readonly noise: { readonly jointQ: number; readonly jointQd: number };
	/** Time between two looks of metrics [s]; every step unless given. */
	readonly sample?: number;
}

/** What is kept of a run. @public */
export interface PlanOutputs {
	readonly metrics: readonly PlanMetric[];
	readonly series?: { readonly every: number; readonly quantities: readonly string[] };
	/** Name of the metric that must not be zero for the series of a run to be kept; all are kept unless given. */
	readonly keepSeriesWhen?: string;
}

/** Settings of `task: check`. @public */
export interface PlanCheck {
	readonly profile?: string;
	readonly select?: readonly string[];
	readonly ignore?: readonly string[];
}

/** A plan with its defaults filled in. @public */
export interface SweepPlan {
	readonly name: string;
	readonly task: 'simulate' | 'check';
	/** The robot or scene, relative to the plan; empty for `task: check`. */
	readonly asset: string;
	readonly isScene: boolean;
	/** Files, folders and globs of `task: check`. */
	readonly assets: readonly string[];
	readonly seed: number;
	readonly sampler: SamplerSpec;
	readonly repeats: number;
	readonly parameters: readonly PlanParameter[];
	readonly constraints: readonly string[];
	readonly simulate: PlanSimulation;
	readonly outputs: PlanOutputs;
	readonly check: PlanCheck;
	readonly stop: {
		/** Failed runs at which the sweep ends: a number, or a share of all runs below 1. */
		readonly maxFailures: number;
		/** [s] */
		readonly timePerRun: number;
	};
}
