import type { PlanParameter, SamplerSpec } from '../sample/parameter.ts';

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
