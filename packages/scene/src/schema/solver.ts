import type { SolverSapOptions } from '@manyworlds/sim';
import type * as z from 'zod';
import { choice, flag, found, leaf, mapping, maybe, numberFrom, orList, positive, toNumber, whole } from './leaf.ts';

/** `simulation.solver`: options of `SolverSap` by the names of this program, and settings that change nothing here. @public */
export interface SceneSolver {
	readonly options: SolverSapOptions;
	/** Keys that are understood and have no effect, each with the reason. */
	readonly inert: Readonly<Record<string, string>>;
}

const precision = (description: string): z.ZodType<'fp32' | 'fp64'> =>
	choice(['fp32', 'fp64', 'f32', 'f64'], description).transform((name) => (name.endsWith('32') ? 'fp32' : 'fp64'));

const ratio = leaf<number>(
	(value, fail) => {
		const settled = toNumber(value, fail);
		if (settled === undefined || (settled > 0 && settled < 1)) return settled;
		return fail('SCN008', `is ${settled}, expected a number between 0 and 1`);
	},
	{ type: ['number', 'string'], description: 'Factor of the line search, between 0 and 1.' },
);

const PRESETS = ['approx32', 'approx64', 'drake'] as const;

/** approx_32 and approx-32 mean approx32. */
const preset = leaf<(typeof PRESETS)[number]>(
	(value, fail) => {
		const name = typeof value === 'string' ? value.toLowerCase().replace(/[-_]/g, '') : undefined;
		return PRESETS.find((known) => known === name) ?? fail('SCN009', `is ${found(value)}, expected ${orList(PRESETS)}`);
	},
	{ type: 'string', examples: [...PRESETS], description: 'Preset of modes.' },
);

/** Options with an effect: key of the scene, option of `SolverSap`, schema. */
const OPTIONS: readonly (readonly [string, keyof SolverSapOptions, z.ZodType])[] = [
	['contact_preset_variant', 'contactPresetVariant', preset],
	[
		'line_search_variant',
		'lineSearchVariant',
		choice(['monotone_decay', 'armijo_decay', 'exact_root'], 'Line search.'),
	],
	['fallback_mu', 'fallbackMu', numberFrom(0, 'Friction for contacts without a shape.')],
	['fallback_stiffness', 'fallbackStiffness', positive('Stiffness in place of one that is not positive [N/m].')],
	['contact_beta', 'contactBeta', numberFrom(0, 'Near-rigid parameter.')],
	['contact_sigma', 'contactSigma', numberFrom(0, 'Regularisation of friction.')],
	['contact_tau_d', 'contactTauD', numberFrom(0, 'Dissipation time of shapes that give none [s].')],
	['sleep_time', 'sleepTime', numberFrom(0, 'Time after which slow bodies that touch fall asleep [s]; 0 for never.')],
	['sleep_speed', 'sleepSpeed', numberFrom(0, 'Speed below which a body may fall asleep [m/s, rad/s].')],
	['diag_shift', 'diagShift', numberFrom(0, 'Added to the diagonal of the Hessian.')],
	['max_iterations', 'maxIterations', whole('Most Newton iterations.', 1)],
	['optimality_abs_tol', 'optimalityAbsTol', numberFrom(0, 'Absolute tolerance of the gradient.')],
	['optimality_rel_tol', 'optimalityRelTol', numberFrom(0, 'Relative tolerance of the gradient.')],
	['cost_abs_tol', 'costAbsTol', numberFrom(0, 'Absolute tolerance of the cost.')],
	['cost_rel_tol', 'costRelTol', numberFrom(0, 'Relative tolerance of the cost.')],
	['line_search_max_iterations', 'lineSearchMaxIterations', whole('Most steps of a line search.', 1)],
	['armijo_c', 'armijoC', numberFrom(0, 'Sufficient decrease.')],
	['rho', 'rho', ratio],
	['line_search_relative_slop', 'lineSearchRelativeSlop', numberFrom(0, 'Slop of the line search.')],
	['contact_weight_mode', 'contactWeightMode', choice(['body_inertia', 'diag_delassus'], 'Weight of contacts.')],
	['contact_point_mode', 'contactPointMode', choice(['witness_point', 'contact_midpoint'], 'Where contacts act.')],
	['position_integration', 'positionIntegration', choice(['midpoint', 'sap_euler'], 'Integration of positions.')],
	[
		'friction_model',
		'frictionModel',
		choice(
			['cone', 'lagged'],
			'What friction goes with (an extension of SAP Warp): the normal impulse, or the depth before.',
		),
	],
	[
		'friction_direction',
		'frictionDirection',
		choice(
			['foreseen', 'slip'],
			'Direction of friction in Newton steps (an extension of SAP Warp): its own, or that of the slip as in SAP Warp.',
		),
	],
	[
		'gyroscopic_terms',
		'gyroscopicTerms',
		choice(['implicit', 'explicit'], 'How single bodies turn (an extension of SAP Warp); explicit as in SAP Warp.'),
	],
	['loop_tau', 'loopTau', numberFrom(0, 'Time in which open loops close [s] (an extension of SAP Warp).')],
	['use_f64_boundary_pose', 'useF64BoundaryPose', flag('Whether contact points are placed by poses of 64 bits.')],
	['free_motion_solve_precision', 'freeMotionSolvePrecision', precision('fp32 or fp64.')],
	['contact_linear_solve_precision', 'contactLinearSolvePrecision', precision('fp32 or fp64.')],
	['sap_contact_weight_precision', 'sapContactWeightPrecision', precision('fp32 or fp64.')],
];

/** Options without an effect: why. */
const INERT: Readonly<Record<string, readonly [schema: z.ZodType, why: string]>> = {
	block_size: [
		whole('Block size of a dense factorisation.', 1),
		'the factorisation here follows the tree and has no blocks',
	],
	contact_solve_precision: [precision('fp32 or fp64.'), 'costs, gradients and impulses always have 64 bits here'],
	capture_contact_jacobian_snapshots: [
		flag('Keeps contact Jacobians.'),
		'the problem of a step can always be asked for',
	],
	collect_iteration_stats: [flag('Counts iterations.'), 'iterations are always counted'],
	check_line_search_errors: [flag('Checks line searches.'), 'line searches are always checked'],
	graph_conditional: [
		leaf((value, fail) => (value === true ? true : fail('SCN009', `is ${found(value)}, expected true`)), {
			const: true,
			description: 'CUDA graphs.',
		}),
		'there are no CUDA graphs here',
	],
	max_rigid_contact: [whole('Contacts per world.', 0), 'simulation.max_rigid_contact sets the capacity'],
};

const FIELDS: Readonly<Record<string, z.ZodType>> = Object.fromEntries([
	...OPTIONS.map(([key, , schema]) => [key, maybe(schema)] as const),
	...Object.entries(INERT).map(([key, [schema]]) => [key, maybe(schema)] as const),
]);

/** Keys of `simulation.solver`. */
export const SOLVER_KEYS: readonly string[] = Object.keys(FIELDS);

/** The solver block. Its keys are arguments of the solver, so that an unknown one is an error. */
export const solver: z.ZodType<SceneSolver> = mapping(FIELDS).transform((given): SceneSolver => {
	const options: Record<string, unknown> = {};
	for (const [key, option] of OPTIONS) if (given[key] !== undefined) options[option] = given[key];
	const inert: Record<string, string> = {};
	for (const [key, [, why]] of Object.entries(INERT)) if (given[key] !== undefined) inert[key] = why;
	return { options: options as SolverSapOptions, inert };
});
