import { UsageRangeError, UsageTypeError } from '@manyworlds/core';
import { SAP_NEWTON_DEFAULTS, type SapNewtonOptions } from './sap-newton.ts';

/** Sets of modes that belong together. @public */
export type ContactPreset = 'approx32' | 'approx64' | 'drake';

/** Arithmetic of a part of the solver: 64 bits, or rounded to 32. @public */
export type Precision = 'fp32' | 'fp64';

/** Modes that a preset settles and that can be overridden one by one. @public */
export interface SapModes {
	/** Where the mass that a contact feels comes from: the inertia of the two bodies, or the diagonal of the mass matrix. */
	readonly contactWeightMode: 'body_inertia' | 'diag_delassus';
	/** Where a contact acts: at a point of its own on each surface, or at one point between them, by stiffness. */
	readonly contactPointMode: 'witness_point' | 'contact_midpoint';
	/** Positions move with the mean of old and new velocity, or with the new one. */
	readonly positionIntegration: 'midpoint' | 'sap_euler';
	/** Whether contact points are placed by poses of 64 bits. */
	readonly useF64BoundaryPose: boolean;
	readonly freeMotionSolvePrecision: Precision;
	/**
	 * Arithmetic of the Newton factor. Residuals, costs and impulses have 64 bits, unless all modes ask for 32: then the engine
	 * computes the whole step in them.
	 */
	readonly contactLinearSolvePrecision: Precision;
	readonly sapContactWeightPrecision: Precision;
}

/** Options of `SolverSap`. @public */
export interface SolverSapOptions extends Partial<SapModes>, Partial<Omit<SapNewtonOptions, 'singleFactor'>> {
	readonly contactPresetVariant?: ContactPreset;
	/** Friction for contacts without a shape; left out, the smallest positive friction of a shape, or 0.1. */
	readonly fallbackMu?: number;
	/** Stiffness [N/m] in place of one that is not positive and finite. */
	readonly fallbackStiffness?: number;
	/** Near-rigid parameter of contacts: none is stiffer than a spring of this period, in steps. */
	readonly contactBeta?: number;
	/** Regularisation of friction. */
	readonly contactSigma?: number;
	/** Relaxation time [s] of shapes that give none; left out, the first that a shape gives, or 0. */
	readonly contactTauD?: number;
	/** Time [s] in which loops and couplings that stand open close; at 0 they do so in one step, as in Drake. */
	readonly loopTau?: number;
	/** Where the search for the velocities begins: at those of the step before, or at those of free motion. */
	readonly initialGuess?: 'previous_velocity' | 'free_motion';
	/** Whether speeds of joints are kept below `jointVelocityLimit`. */
	readonly enforceVelocityLimits?: boolean;
	/**
	 * What friction goes with: the normal impulse of the same step, in SAP's cone, on which sliding bodies ride `μ (dt + τ)` times
	 * their speed above the ground; or the one that belongs to the depth at the start of the step (Castro, Han and Masterjohn
	 * 2023), without that but a step late.
	 */
	readonly frictionModel?: 'cone' | 'lagged';
	/**
	 * How bodies on floating and ball joints turn: by the implicit midpoint rule, which keeps their energy, or with the
	 * gyroscopic torque at the start of the step, as Drake and SAP Warp have it, which adds energy in every step.
	 */
	readonly gyroscopicTerms?: 'implicit' | 'explicit';
	/**
	 * Time [s] after which bodies that touch each other and have all been slower than `sleepSpeed` fall asleep: they take no part in
	 * steps until something touches or moves them. At 0, the default, nothing sleeps. Robots with drives never do. For worlds of
	 * many bodies; the engine for worlds side by side is not used.
	 */
	readonly sleepTime?: number;
	/** Speed [m/s, rad/s] of every degree of freedom below which a body may fall asleep. */
	readonly sleepSpeed?: number;
	/**
	 * What steps the worlds: `wasm` the engine, two worlds at once or four in 32 bits, where it takes the model wholly, and otherwise the reference;
	 * `reference` the solver in TypeScript. Both agree to rounding. `SolverSap.engine` says which one it is.
	 */
	readonly engine?: SapEngineChoice;
}

/** What steps worlds. @public */
export type SapEngineChoice = 'wasm' | 'reference';

/**
 * What each preset means.
 * @example
 * ```ts
 * const solver = new SolverSap(model, { ...SAP_PRESETS.drake });
 * ```
 * @public
 */
export const SAP_PRESETS: Readonly<Record<ContactPreset, SapModes>> = {
	approx32: {
		contactWeightMode: 'body_inertia',
		contactPointMode: 'witness_point',
		positionIntegration: 'midpoint',
		useF64BoundaryPose: false,
		freeMotionSolvePrecision: 'fp32',
		contactLinearSolvePrecision: 'fp32',
		sapContactWeightPrecision: 'fp32',
	},
	approx64: {
		contactWeightMode: 'body_inertia',
		contactPointMode: 'witness_point',
		positionIntegration: 'midpoint',
		useF64BoundaryPose: true,
		freeMotionSolvePrecision: 'fp64',
		contactLinearSolvePrecision: 'fp64',
		sapContactWeightPrecision: 'fp64',
	},
	drake: {
		contactWeightMode: 'diag_delassus',
		contactPointMode: 'contact_midpoint',
		positionIntegration: 'sap_euler',
		useF64BoundaryPose: true,
		freeMotionSolvePrecision: 'fp64',
		contactLinearSolvePrecision: 'fp64',
		sapContactWeightPrecision: 'fp64',
	},
};

/**
 * Options for robots that come without a scene, which would say them. Loops that the file leaves open close in the time that
 * MuJoCo takes by default. @public
 */
export const SAP_ROBOT_OPTIONS: SolverSapOptions = { contactPresetVariant: 'drake', loopTau: 0.02 };

/** Values of {@link SolverSapOptions} that are used when absent. @public */
export const SOLVER_SAP_DEFAULTS: {
	readonly contactPresetVariant: ContactPreset;
	readonly fallbackStiffness: number;
	readonly contactBeta: number;
	readonly contactSigma: number;
	readonly loopTau: number;
	readonly initialGuess: 'previous_velocity' | 'free_motion';
	readonly enforceVelocityLimits: boolean;
	readonly frictionModel: 'cone' | 'lagged';
	readonly gyroscopicTerms: 'implicit' | 'explicit';
	readonly sleepTime: number;
	readonly sleepSpeed: number;
	readonly engine: SapEngineChoice;
} = {
	contactPresetVariant: 'drake',
	fallbackStiffness: 1e10,
	contactBeta: 1,
	contactSigma: 1e-3,
	loopTau: 0,
	initialGuess: 'previous_velocity',
	enforceVelocityLimits: false,
	frictionModel: 'cone',
	gyroscopicTerms: 'implicit',
	sleepTime: 0,
	sleepSpeed: 0.03,
	engine: 'wasm',
};

/** Options of the solver with the defaults filled in. @public */
export interface SapSettings extends SapModes {
	readonly contactPresetVariant: ContactPreset;
	readonly fallbackMu: number | undefined;
	readonly fallbackStiffness: number;
	readonly contactBeta: number;
	readonly contactSigma: number;
	readonly contactTauD: number | undefined;
	readonly loopTau: number;
	readonly initialGuess: 'previous_velocity' | 'free_motion';
	readonly enforceVelocityLimits: boolean;
	readonly frictionModel: 'cone' | 'lagged';
	readonly gyroscopicTerms: 'implicit' | 'explicit';
	readonly sleepTime: number;
	readonly sleepSpeed: number;
	readonly engine: SapEngineChoice;
	readonly newton: SapNewtonOptions;
}

/** Settles options: the preset first, then what is given. Throws for values that make no sense. */
export function resolveSapOptions(options: SolverSapOptions): SapSettings {
	const preset = options.contactPresetVariant ?? SOLVER_SAP_DEFAULTS.contactPresetVariant;
	const modes = SAP_PRESETS[preset];
	if (modes === undefined) {
		throw new UsageTypeError(`contactPresetVariant is '${preset}', expected approx32, approx64 or drake`);
	}
	const pick = <K extends keyof SapModes>(key: K): SapModes[K] =>
		(options[key] as SapModes[K] | undefined) ?? modes[key];
	const chosen: SapModes = {
		contactWeightMode: pick('contactWeightMode'),
		contactPointMode: pick('contactPointMode'),
		positionIntegration: pick('positionIntegration'),
		useF64BoundaryPose: pick('useF64BoundaryPose'),
		freeMotionSolvePrecision: pick('freeMotionSolvePrecision'),
		contactLinearSolvePrecision: pick('contactLinearSolvePrecision'),
		sapContactWeightPrecision: pick('sapContactWeightPrecision'),
	};
	checkChoice('contactWeightMode', chosen.contactWeightMode, ['body_inertia', 'diag_delassus']);
	checkChoice('contactPointMode', chosen.contactPointMode, ['witness_point', 'contact_midpoint']);
	checkChoice('positionIntegration', chosen.positionIntegration, ['midpoint', 'sap_euler']);
	for (const key of ['freeMotionSolvePrecision', 'contactLinearSolvePrecision', 'sapContactWeightPrecision'] as const) {
		checkChoice(key, chosen[key], ['fp32', 'fp64']);
	}
	const newton: Record<string, unknown> = { ...SAP_NEWTON_DEFAULTS };
	for (const key of Object.keys(SAP_NEWTON_DEFAULTS)) {
		const value = (options as Readonly<Record<string, unknown>>)[key];
		if (value !== undefined) newton[key] = value;
	}
	newton['singleFactor'] = chosen.contactLinearSolvePrecision === 'fp32';
	checkChoice('lineSearchVariant', String(newton['lineSearchVariant']), [
		'exact_root',
		'armijo_decay',
		'monotone_decay',
	]);
	checkChoice('frictionDirection', String(newton['frictionDirection']), ['foreseen', 'slip']);
	const rho = newton['rho'] as number;
	if (!(rho > 0 && rho < 1)) throw new UsageRangeError(`rho is ${rho}, expected a number between 0 and 1`);
	const {
		fallbackStiffness,
		contactBeta,
		contactSigma,
		loopTau,
		initialGuess,
		frictionModel,
		gyroscopicTerms,
		sleepTime,
		sleepSpeed,
		engine,
	} = {
		...SOLVER_SAP_DEFAULTS,
		...defined(options),
	};
	checkChoice('initialGuess', initialGuess, ['previous_velocity', 'free_motion']);
	checkChoice('frictionModel', frictionModel, ['cone', 'lagged']);
	checkChoice('gyroscopicTerms', gyroscopicTerms, ['implicit', 'explicit']);
	checkChoice('engine', engine, ['wasm', 'reference']);
	for (const [name, value] of Object.entries({
		fallbackStiffness,
		contactBeta,
		contactSigma,
		loopTau,
		sleepTime,
		sleepSpeed,
	})) {
		if (!(value >= 0)) throw new UsageRangeError(`${name} is ${value}, expected a number of 0 or more`);
	}
	return {
		...chosen,
		contactPresetVariant: preset,
		fallbackMu: options.fallbackMu,
		fallbackStiffness,
		contactBeta,
		contactSigma,
		contactTauD: options.contactTauD,
		loopTau,
		initialGuess,
		enforceVelocityLimits: options.enforceVelocityLimits ?? SOLVER_SAP_DEFAULTS.enforceVelocityLimits,
		frictionModel,
		gyroscopicTerms,
		sleepTime,
		sleepSpeed,
		engine,
		newton: newton as unknown as SapNewtonOptions,
	};
}

function checkChoice(name: string, value: string, choices: readonly string[]): void {
	if (!choices.includes(value)) throw new UsageTypeError(`${name} is '${value}', expected ${choices.join(' or ')}`);
}

function defined<T extends object>(options: T): Partial<T> {
	return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
