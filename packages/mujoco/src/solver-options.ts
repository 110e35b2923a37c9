import type { Model } from '@manyworlds/model';
import { MujocoAttributes } from './convert/mujoco-attributes.ts';
import { MujocoError } from './mujoco-error.ts';

/** Constraint solvers of MuJoCo that a model can use. @public */
export type MujocoConstraintSolver = 'cg' | 'newton';
/** Integrators of MuJoCo. @public */
export type MujocoIntegrator = 'euler' | 'rk4' | 'implicit' | 'implicitfast';
/** Friction cones. @public */
export type MujocoCone = 'pyramidal' | 'elliptic';
/** Forms of the constraint Jacobian. @public */
export type MujocoJacobian = 'dense' | 'sparse' | 'auto';

/**
 * Options of the engine. Each is taken from here, else from the model's attribute of the `mujoco` namespace (which may
 * differ between worlds), else from {@link MUJOCO_ENGINE_DEFAULTS}. They are read once. @public
 */
export interface MujocoEngineOptions {
	readonly solver?: MujocoConstraintSolver;
	readonly integrator?: MujocoIntegrator;
	readonly cone?: MujocoCone;
	readonly jacobian?: MujocoJacobian;
	/** Most iterations of the constraint solver. */
	readonly iterations?: number;
	/** Most iterations of its line search. */
	readonly lsIterations?: number;
	readonly ccdIterations?: number;
	readonly sdfIterations?: number;
	readonly sdfInitpoints?: number;
	/** Ratio of frictional to normal constraint impedance. */
	readonly impratio?: number;
	readonly tolerance?: number;
	readonly lsTolerance?: number;
	readonly ccdTolerance?: number;
	readonly sleepTolerance?: number;
	/** Density of the medium [kg/m³]. */
	readonly density?: number;
	/** Viscosity of the medium [Pa·s]. */
	readonly viscosity?: number;
	/** Wind [m/s]. */
	readonly wind?: ArrayLike<number>;
	/** Magnetic flux. */
	readonly magnetic?: ArrayLike<number>;
}

/** Options of the conversion. @public */
export interface ConvertOptions extends MujocoEngineOptions {
	/** Whether up to four contacts per pair of convex shapes are found; off by default, unlike in MuJoCo. */
	readonly enableMulticcd?: boolean;
	/** Whether resting trees sleep; the model's `mujoco:enable_sleeping` unless given. */
	readonly enableSleeping?: boolean;
	readonly disableContacts?: boolean;
	readonly disableSensors?: boolean;
	/** Whether MuJoCo finds the contacts; otherwise `step` is given them. */
	readonly useMujocoContacts?: boolean;
	/** Whether sites are converted; those that tendons and actuators need always are. */
	readonly includeSites?: boolean;
	/** Whether shapes that only show something are left out. */
	readonly skipVisualOnlyGeoms?: boolean;
	/** Bodies of the first world whose inertia may be changed later without compiling again. */
	readonly generalBodies?: readonly number[];
	/** Memory of each `mjData` for contacts and constraints [bytes]; estimated unless given. */
	readonly arenaBytes?: number;
	/** Whether contact gaps of shapes are forwarded; without it they are 0. */
	readonly forwardGap?: boolean;
	/**
	 * Newton 1.6.1's behaviour where it differs from the documents: contact gaps are forwarded instead of 0, and
	 * margins are zeroed when the model has a box.
	 */
	readonly newtonCompat?: boolean;
}

/** Values of {@link ConvertOptions} that are used when absent. @public */
export const CONVERT_DEFAULTS = {
	enableMulticcd: false,
	disableContacts: false,
	disableSensors: false,
	useMujocoContacts: true,
	includeSites: true,
	skipVisualOnlyGeoms: true,
	generalBodies: [] as readonly number[],
	forwardGap: false,
	newtonCompat: false,
} as const;

/** What {@link ConvertOptions} become with the defaults filled in. */
export type ConvertSettings = ConvertOptions & Required<Pick<ConvertOptions, keyof typeof CONVERT_DEFAULTS>>;

/** Engine options when neither the caller nor the model says otherwise: MuJoCo's own, except for the integrator. @public */
export const MUJOCO_ENGINE_DEFAULTS: Required<MujocoEngineOptions> = {
	solver: 'newton',
	integrator: 'implicitfast',
	cone: 'pyramidal',
	jacobian: 'auto',
	iterations: 100,
	lsIterations: 50,
	ccdIterations: 35,
	sdfIterations: 10,
	sdfInitpoints: 40,
	impratio: 1,
	tolerance: 1e-8,
	lsTolerance: 0.01,
	ccdTolerance: 1e-6,
	sleepTolerance: 1e-3,
	density: 0,
	viscosity: 0,
	wind: [0, 0, 0],
	magnetic: [0, -0.5, 0],
};

/** MuJoCo's numbers of the named options, as `mujoco:solver` and the like hold them. */
export const OPTION_NAMES = {
	solver: { cg: 1, newton: 2 },
	integrator: { euler: 0, rk4: 1, implicit: 2, implicitfast: 3 },
	cone: { pyramidal: 0, elliptic: 1 },
	jacobian: { dense: 0, sparse: 1, auto: 2 },
} as const;

type NamedOption = keyof typeof OPTION_NAMES;

/** Whole-number options with the name of their attribute. */
const COUNT_OPTIONS = {
	iterations: 'iterations',
	lsIterations: 'ls_iterations',
	ccdIterations: 'ccd_iterations',
	sdfIterations: 'sdf_iterations',
	sdfInitpoints: 'sdf_initpoints',
} as const;

/** Options that may differ between worlds, with their attribute and width. */
const WORLD_OPTIONS = {
	impratio: { attribute: 'impratio', width: 1 },
	tolerance: { attribute: 'tolerance', width: 1 },
	lsTolerance: { attribute: 'ls_tolerance', width: 1 },
	ccdTolerance: { attribute: 'ccd_tolerance', width: 1 },
	sleepTolerance: { attribute: 'sleep_tolerance', width: 1 },
	density: { attribute: 'density', width: 1 },
	viscosity: { attribute: 'viscosity', width: 1 },
	wind: { attribute: 'wind', width: 3 },
	magnetic: { attribute: 'magnetic', width: 3 },
} as const;

/** Names of the options that may differ between worlds. */
export type WorldOption = keyof typeof WORLD_OPTIONS;

/** The options of a model, resolved. */
export interface ResolvedOptions {
	readonly solver: MujocoConstraintSolver;
	readonly integrator: MujocoIntegrator;
	readonly cone: MujocoCone;
	readonly jacobian: MujocoJacobian;
	readonly counts: Readonly<Record<keyof typeof COUNT_OPTIONS, number>>;
	/** A row for each world. */
	readonly worlds: Readonly<Record<WorldOption, Float64Array>>;
	readonly autolimits: boolean;
	readonly enableSleeping: boolean;
}

/** Least memory with which MuJoCo can derive the constants of a small model [bytes]. */
const LEAST_ARENA = 1 << 14;

/** Largest 32-bit number. */
const LARGEST_COUNT = 2 ** 31 - 1;

/** Resolves the options of a model by priority. Throws {@link MujocoError} on values that MuJoCo does not know. */
export function resolveOptions(model: Model, options: ConvertOptions): ResolvedOptions {
	const attributes = new MujocoAttributes(model);
	const named = <K extends NamedOption>(name: K): keyof (typeof OPTION_NAMES)[K] & string => {
		const names = OPTION_NAMES[name] as Readonly<Record<string, number>>;
		const given = options[name];
		const number = attributes.number(name, 0);
		const value = given ?? Object.keys(names).find((key) => names[key] === number) ?? MUJOCO_ENGINE_DEFAULTS[name];
		if (!Object.hasOwn(names, value) || (given === undefined && number !== undefined && names[value] !== number)) {
			throw new MujocoError(
				'MJC003',
				`${name} is ${JSON.stringify(given ?? number)}, expected one of ${Object.keys(names).join(', ')}`,
			);
		}
		return value as keyof (typeof OPTION_NAMES)[K] & string;
	};
	const counts = Object.fromEntries(
		Object.entries(COUNT_OPTIONS).map(([name, attribute]) => {
			const key = name as keyof typeof COUNT_OPTIONS;
			const value = options[key] ?? attributes.number(attribute, 0) ?? MUJOCO_ENGINE_DEFAULTS[key];
			if (!Number.isInteger(value) || value < 0 || value > LARGEST_COUNT) {
				throw new MujocoError('MJC003', `${name} is ${value}, expected a whole number from 0 to ${LARGEST_COUNT}`);
			}
			return [name, value];
		}),
	) as Record<keyof typeof COUNT_OPTIONS, number>;
	const worlds = Object.fromEntries(
		Object.keys(WORLD_OPTIONS).map((name) => [
			name,
			resolveWorldOption(model, attributes, options, name as WorldOption),
		]),
	) as Record<WorldOption, Float64Array>;
	const { arenaBytes } = options;
	if (
		arenaBytes !== undefined &&
		!(Number.isInteger(arenaBytes) && arenaBytes >= LEAST_ARENA && arenaBytes <= LARGEST_COUNT)
	) {
		throw new MujocoError(
			'MJC003',
			`arenaBytes is ${arenaBytes}, expected a whole number from ${LEAST_ARENA} to ${LARGEST_COUNT}`,
		);
	}
	const enableSleeping = options.enableSleeping ?? (attributes.number('enable_sleeping', 0) ?? 0) !== 0;
	const resolved: ResolvedOptions = {
		solver: named('solver'),
		integrator: named('integrator'),
		cone: named('cone'),
		jacobian: named('jacobian'),
		counts,
		worlds,
		autolimits: (attributes.number('autolimits', 0) ?? 1) !== 0,
		enableSleeping,
	};
	if (enableSleeping) checkSleeping(resolved, options);
	return resolved;
}

function resolveWorldOption(
	model: Model,
	attributes: MujocoAttributes,
	options: ConvertOptions,
	name: WorldOption,
): Float64Array {
	const { attribute, width } = WORLD_OPTIONS[name];
	const fallback = MUJOCO_ENGINE_DEFAULTS[name];
	const values = new Float64Array(model.worldCount * width);
	for (let world = 0; world < model.worldCount; world++) {
		const given = options[name];
		const row =
			given === undefined ? attributes.row(attribute, world, width) : typeof given === 'number' ? [given] : given;
		const chosen = row ?? (typeof fallback === 'number' ? [fallback] : fallback);
		if (chosen.length !== width) {
			throw new MujocoError('MJC003', `${name} has ${chosen.length} numbers, expected ${width}`);
		}
		for (let i = 0; i < width; i++) {
			if (typeof chosen[i] !== 'number' || !Number.isFinite(chosen[i])) {
				throw new MujocoError('MJC003', `${name} of world ${world} is ${chosen[i]}, expected a finite number`);
			}
			values[world * width + i] = chosen[i]!;
		}
		const value = values[world * width]!;
		// a ratio that is not positive would make the engine divide by zero
		if (name === 'impratio' && !(value > 0)) values[world] = MUJOCO_ENGINE_DEFAULTS.impratio;
		if (name === 'sleepTolerance' && !(Number.isFinite(value) && value >= 0)) {
			throw new MujocoError(
				'MJC003',
				`sleepTolerance of world ${world} is ${value}, expected a finite number of 0 or more`,
			);
		}
	}
	return values;
}

function checkSleeping(resolved: ResolvedOptions, options: ConvertOptions): void {
	const refuse = (found: string, expected: string): never => {
		throw new MujocoError('MJC003', `enableSleeping does not go with ${found}, expected ${expected}`);
	};
	if (resolved.solver !== 'newton') refuse(`solver '${resolved.solver}'`, "'newton'");
	if (resolved.integrator === 'rk4') refuse("integrator 'rk4'", 'another one');
	if (!(options.useMujocoContacts ?? CONVERT_DEFAULTS.useMujocoContacts)) {
		refuse('contacts of another pipeline', 'useMujocoContacts, so that contacts can wake bodies');
	}
}
