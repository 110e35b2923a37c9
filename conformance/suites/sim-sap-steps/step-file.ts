import { readJson } from '../../src/files.ts';
import { isObject } from '../../src/json.ts';
import { checkKeys, list } from '../sim-sap-problems/problem-file.ts';

type Matrix = readonly (readonly number[])[];

/** The convex problem of one world and step. */
export interface StepProblem {
	readonly A: Matrix;
	/** Three rows for each contact. */
	readonly J: readonly Matrix[];
	readonly dt: number;
	readonly beta: number;
	readonly sigma: number;
	readonly k: readonly number[];
	readonly tau: readonly number[];
	readonly mu: readonly number[];
	readonly phi0: readonly number[];
	readonly w: readonly number[];
	readonly v_star: readonly number[];
	readonly participating: readonly number[];
	readonly pd_active: readonly number[];
	readonly pd_a: readonly number[];
	readonly pd_gain: readonly number[];
	readonly pd_kp_eff: readonly number[];
	readonly pd_kd_eff: readonly number[];
	readonly pd_limit: readonly (number | string)[];
	readonly lower_active: readonly number[];
	readonly lower_r: readonly number[];
	readonly lower_vhat: readonly number[];
	readonly upper_active: readonly number[];
	readonly upper_r: readonly number[];
	readonly upper_vhat: readonly number[];
}

/** One world of a step: its problem, what SAP Warp found, and the exact minimiser. */
export interface StepWorld {
	readonly problem: StepProblem;
	readonly solution: {
		readonly active: boolean;
		readonly v: readonly number[];
		readonly cost: number;
		readonly Rn?: readonly number[];
		readonly Rt?: readonly number[];
		readonly gamma?: Matrix;
		readonly vc?: Matrix;
		readonly grad?: readonly number[];
		readonly mode?: readonly number[];
	};
	readonly check: {
		readonly cost: number;
		readonly grad_norm: number;
		readonly impulse_norm: number;
		readonly momentum_norm: number;
		readonly relative_residual: number;
		readonly minimiser: {
			readonly v: readonly number[];
			readonly gamma: Matrix;
			readonly cost: number;
			readonly relative_residual: number;
			readonly max_abs_dv: number;
		};
	};
}

/** A world with a name that says step, arithmetic and index. */
export interface NamedWorld {
	readonly name: string;
	readonly world: StepWorld;
	/** Whether the step ran on a 64-bit state. */
	readonly isDouble: boolean;
}

/** Whether a parsed file is one of steps. */
export function isStepFile(json: unknown): boolean {
	return isObject(json) && 'probes' in json && 'preset' in json;
}

/** Every world of every probe of a file. Unknown and missing fields are errors. */
export function readStepFile(path: string): { readonly preset: string; readonly worlds: readonly NamedWorld[] } {
	const file = checkKeys(readJson(path), 'the file', 'joint_qd_override? line_search preset probes scene solver');
	const worlds: NamedWorld[] = [];
	for (const entry of list(file['probes'], 'probes')) {
		const probe = checkKeys(entry, 'a probe', 'after before contacts control dt f64? guess guess_active step worlds');
		list(probe['worlds'], 'worlds').forEach((world, i) => {
			worlds.push({ name: `step ${String(probe['step'])} world ${i}`, world: checkWorld(world), isDouble: false });
		});
		if (probe['f64'] === undefined) continue;
		const double = checkKeys(
			probe['f64'],
			'f64',
			'body_q_fk joint_q_after joint_qd_sap_after joint_qd_sap_before worlds',
		);
		list(double['worlds'], 'worlds').forEach((world, i) => {
			worlds.push({ name: `step ${String(probe['step'])} f64 world ${i}`, world: checkWorld(world), isDouble: true });
		});
	}
	return { preset: String(file['preset']), worlds };
}

function checkWorld(value: unknown): StepWorld {
	const world = checkKeys(value, 'a world', 'check problem solution');
	checkKeys(
		world['problem'],
		'a problem',
		'A J R_WC beta body0 body1 dt k lower_active lower_r lower_vhat mu participating pd_a pd_active pd_gain pd_kd_eff pd_kp_eff pd_limit phi0 point sigma tau tau_generalised upper_active upper_r upper_vhat v0 v_star w witness0 witness1',
	);
	checkKeys(
		world['solution'],
		'a solution',
		'Rn? Rt? active alpha converged cost cost_reached gamma? grad? iterations line_search_evaluations mode? optimality_reached v vc?',
	);
	const check = checkKeys(
		world['check'],
		'a check',
		'cost gamma_difference_to_own_formula? grad_norm impulse_norm minimiser momentum_norm relative_residual',
	);
	checkKeys(check['minimiser'], 'a minimiser', 'cost gamma max_abs_dv relative_residual v');
	return world as unknown as StepWorld;
}
