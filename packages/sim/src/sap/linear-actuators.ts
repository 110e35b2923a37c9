import { JointType, type Model } from '@manyworlds/model';
import { DofDrives } from './dof-drives.ts';
import { massDiagonal } from './mass-diagonal.ts';
import { MujocoRows } from './mujoco-rows.ts';

/** A length that is linear in coordinates: `rest + Σ moment · q`. Its rate and its force act with the same moments. */
export interface LinearLength {
	readonly world: number;
	readonly dofs: Int32Array;
	readonly coordinates: Int32Array;
	readonly moments: Float64Array;
	readonly rest: number;
}

/** How the activation of an actuator follows its control. */
export const ActivationKind = { NONE: 0, INTEGRATOR: 1, FILTER: 2, FILTER_EXACT: 3 } as const;

/**
 * An actuator of the `mujoco` namespace whose force is linear in length, rate and control:
 * `(g0 + g1 L + g2 L') u + b0 + b1 L + b2 L'`, within a range.
 */
export interface LinearActuator extends LinearLength {
	readonly row: number;
	/** g0, g1, g2. */
	readonly gain: Float64Array;
	/** b0, b1, b2. */
	readonly bias: Float64Array;
	readonly control: Float64Array;
	readonly force: Float64Array;
	/** An {@link ActivationKind}, with its time constant [s] and range. */
	readonly activation: number;
	readonly timeConstant: number;
	readonly activationRange: Float64Array;
}

/** An actuator that pushes a site of a body along a direction of the site, in proportion to its control. */
export interface SiteActuator {
	readonly world: number;
	readonly row: number;
	readonly body: number;
	readonly site: number;
	/** Force, then torque, in the axes of the site, for a force of 1. */
	readonly gear: Float64Array;
	readonly gain: number;
	readonly bias: number;
	readonly control: Float64Array;
	readonly force: Float64Array;
}

/** A spring, a damper, dry friction and limits on a length: of a joint, or of a tendon along joints. */
export interface PassiveLength extends LinearLength {
	readonly stiffness: number;
	readonly damping: number;
	/** Lengths between which the spring is slack. */
	readonly slack: Float64Array;
	readonly friction: number;
	readonly limits: Float64Array;
}

/** Actuators and passive lengths of a model that the solver simulates, and what it leaves out. */
export interface LinearActuators {
	readonly linear: readonly LinearActuator[];
	readonly sites: readonly SiteActuator[];
	readonly passive: readonly PassiveLength[];
	/** Labels of what is left out, by what it is. */
	readonly left: ReadonlyMap<string, readonly string[]>;
	/** Labels of actuators that push away from where they are, which no implicit drive can. */
	readonly explicit: readonly string[];
}

const TRANSMISSION = { JOINT: 0, JOINT_IN_PARENT: 1, TENDON: 2, SITE: 3, BODY: 4, SLIDERCRANK: 5 } as const;
const GAIN = { FIXED: 0, AFFINE: 1 } as const;
const BIAS = { NONE: 0, AFFINE: 1 } as const;

/** Reads the actuators, springs and tendons of the `mujoco` namespace. */
export function readActuators(model: Model): LinearActuators {
	return new Reader(model).read();
}

class Reader {
	readonly #model: Model;
	readonly #rows: MujocoRows;
	readonly #drives: DofDrives;
	readonly #left = new Map<string, string[]>();
	readonly #explicit: string[] = [];
	#diagonal: Float64Array | undefined;

	constructor(model: Model) {
		this.#model = model;
		this.#rows = new MujocoRows(model);
		this.#drives = new DofDrives(model);
	}

	read(): LinearActuators {
		const linear: LinearActuator[] = [];
		const sites: SiteActuator[] = [];
		const rows = this.#rows;
		for (let row = 0; row < rows.count('actuator'); row++) {
			// targets of joints are drives of their own
			if (rows.number('ctrl_source', row, 1) === 0) continue;
			const type = rows.number('actuator_trntype', row);
			if (type === TRANSMISSION.SITE) this.#site(row, sites);
			else this.#linear(row, type, linear);
		}
		const passive = [...this.#springs(), ...this.#tendons()];
		return { linear, sites, passive, left: this.#left, explicit: this.#explicit };
	}

	#leave(what: string, label: string): undefined {
		const known = this.#left.get(what);
		if (known === undefined) this.#left.set(what, [label]);
		else known.push(label);
		return undefined;
	}

	#labelOf(row: number): string {
		return this.#rows.text('actuator_label', row) || `actuator ${row}`;
	}

	#linear(row: number, type: number, out: LinearActuator[]): void {
		const rows = this.#rows;
		const label = this.#labelOf(row);
		if (this.#isNonlinear(row, label)) return;
		const length = this.#lengthOf(row, type, label);
		if (length === undefined) return;
		const prm = (name: 'gain' | 'bias', i: number): number => rows.number(`actuator_${name}prm`, row, 0, 10, i);
		const isAffine = rows.number('actuator_gaintype', row) === GAIN.AFFINE;
		const hasBias = rows.number('actuator_biastype', row) === BIAS.AFFINE;
		const gain = [
			rows.number('actuator_gainprm', row, 1, 10, 0),
			isAffine ? prm('gain', 1) : 0,
			isAffine ? prm('gain', 2) : 0,
		];
		const bias = hasBias ? [prm('bias', 0), prm('bias', 1), prm('bias', 2)] : [0, 0, 0];
		// a positive third number beside a spring is a ratio of damping, which MuJoCo resolves in the same way
		if (hasBias && !isAffine && bias[2]! > 0 && gain[0] === -bias[1]!) {
			bias[2] = -2 * bias[2]! * Math.sqrt(gain[0]! * this.#reflectedMass(length));
		}
		if (bias[1]! > 0 || bias[2]! > 0) this.#explicit.push(label);
		out.push({
			...length,
			row,
			gain: Float64Array.from(gain),
			bias: Float64Array.from(bias),
			control: Float64Array.from(rows.range('ctrl', row)),
			force: this.#forceRange(row, type, length),
			activation: rows.number('actuator_dyntype', row),
			timeConstant: rows.number('actuator_dynprm', row, 1, 10, 0),
			activationRange: Float64Array.from(rows.range('act', row)),
		});
	}

	/** Whether the force, or what drives it, is of a kind that is not linear; says so. */
	#isNonlinear(row: number, label: string): boolean {
		const rows = this.#rows;
		const dynamics = rows.number('actuator_dyntype', row);
		const isMuscle =
			dynamics > ActivationKind.FILTER_EXACT ||
			rows.number('actuator_gaintype', row) > GAIN.AFFINE ||
			rows.number('actuator_biastype', row) > BIAS.AFFINE;
		if (isMuscle) this.#leave('actuators that are no linear functions (muscles, functions of the user)', label);
		else if (dynamics !== ActivationKind.NONE && !this.#model.attributesOf('state').has(ACTIVATION)) {
			this.#leave('actuators with an activation that the state does not hold', label);
			return true;
		}
		return isMuscle;
	}

	#lengthOf(row: number, type: number, label: string): LinearLength | undefined {
		const rows = this.#rows;
		const target = rows.number('actuator_trnid', row, -1, 2, 0);
		const gear = rows.number('actuator_gear', row, 1, 6, 0);
		const world = rows.number('actuator_world', row, -1);
		if (type === TRANSMISSION.JOINT || type === TRANSMISSION.JOINT_IN_PARENT) {
			if (target < 0 || (this.#drives.coordinate[target] ?? -1) < 0) {
				return this.#leave('actuators of ball and free joints', label);
			}
			return this.#length(world, [[target, gear]]);
		}
		if (type === TRANSMISSION.TENDON) {
			const path = this.#tendonPath(target);
			if (path === undefined) return this.#leave('actuators of tendons that run over sites and shapes', label);
			return this.#length(
				world,
				path.map(([dof, coefficient]) => [dof, gear * coefficient]),
			);
		}
		return this.#leave(type === TRANSMISSION.BODY ? 'adhesion of actuators' : 'actuators of slider-cranks', label);
	}

	/** Degrees of freedom and coefficients of a fixed tendon; undefined for others. */
	#tendonPath(tendon: number): [dof: number, coefficient: number][] | undefined {
		const rows = this.#rows;
		if (tendon < 0 || rows.number('tendon_type', tendon) !== 0) return undefined;
		const start = rows.number('tendon_joint_adr', tendon);
		const path: [number, number][] = [];
		for (let entry = start; entry < start + rows.number('tendon_joint_num', tendon); entry++) {
			const joint = rows.number('tendon_joint', entry, -1);
			const type = this.#model.jointType[joint];
			if (type !== JointType.REVOLUTE && type !== JointType.PRISMATIC) return undefined;
			path.push([this.#model.jointQdStart[joint]!, rows.number('tendon_coef', entry)]);
		}
		return path.length === 0 ? undefined : path;
	}

	#length(world: number, path: readonly (readonly [dof: number, moment: number])[]): LinearLength {
		let rest = 0;
		for (const [dof, moment] of path) rest += moment * this.#rows.number('dof_ref', dof);
		return {
			world,
			dofs: Int32Array.from(path, ([dof]) => dof),
			coordinates: Int32Array.from(path, ([dof]) => this.#drives.coordinate[dof]!),
			moments: Float64Array.from(path, ([, moment]) => moment),
			rest,
		};
	}

	/** The range of the force of an actuator, within what its joint or tendon may take. */
	#forceRange(row: number, type: number, length: LinearLength): Float64Array {
		let [lower, upper] = this.#rows.range('force', row);
		const narrow = (low: number, high: number, factor: number): void => {
			if (factor === 0) return;
			const ends = [low / factor, high / factor];
			lower = Math.max(lower, Math.min(...ends));
			upper = Math.min(upper, Math.max(...ends));
		};
		if (type === TRANSMISSION.TENDON) {
			const tendon = this.#rows.number('actuator_trnid', row, -1, 2, 0);
			const range = [0, 1].map((i) => this.#rows.number('tendon_actuator_force_range', tendon, 0, 2, i));
			const limited = this.#rows.number('tendon_actuator_force_limited', tendon, 2);
			const isLimited = limited === 1 || (limited === 2 && range[0]! < range[1]!);
			if (isLimited) narrow(range[0]!, range[1]!, this.#rows.number('actuator_gear', row, 1, 6, 0));
		} else {
			const limit = this.#model.jointEffortLimit[length.dofs[0]!]!;
			if (limit > 0) narrow(-limit, limit, length.moments[0]!);
		}
		return Float64Array.of(lower, upper);
	}

	/** Mass that a length feels at the reference, each joint by itself: what MuJoCo takes a ratio of damping of. */
	#reflectedMass({ dofs, moments }: LinearLength): number {
		this.#diagonal ??= massDiagonal(this.#model);
		let mass = 0;
		for (const [i, dof] of dofs.entries()) {
			if (moments[i] !== 0) mass += this.#diagonal[dof]! / (moments[i]! * moments[i]!);
		}
		return mass;
	}

	#site(row: number, out: SiteActuator[]): void {
		const rows = this.#rows;
		const label = this.#labelOf(row);
		if (this.#isNonlinear(row, label)) return;
		const gains = [1, 2].some((i) => rows.number('actuator_gainprm', row, 0, 10, i) !== 0);
		const isAffine = rows.number('actuator_gaintype', row) === GAIN.AFFINE && gains;
		const hasBias = rows.number('actuator_biastype', row) === BIAS.AFFINE;
		const feels = hasBias && [1, 2].some((i) => rows.number('actuator_biasprm', row, 0, 10, i) !== 0);
		const site = rows.number('actuator_trnid', row, -1, 2, 0);
		const hasReference = rows.number('actuator_trnid', row, -1, 2, 1) >= 0;
		if (isAffine || feels || hasReference || rows.number('actuator_dyntype', row) !== 0) {
			this.#leave('actuators of sites that feel a length', label);
			return;
		}
		const body = this.#model.shapeBody[site];
		if (body === undefined || body < 0) return;
		out.push({
			world: rows.number('actuator_world', row, -1),
			row,
			body,
			site,
			gear: Float64Array.from({ length: 6 }, (_, i) => rows.number('actuator_gear', row, i === 0 ? 1 : 0, 6, i)),
			gain: rows.number('actuator_gainprm', row, 1, 10, 0),
			bias: hasBias ? rows.number('actuator_biasprm', row, 0, 10, 0) : 0,
			control: Float64Array.from(rows.range('ctrl', row)),
			force: Float64Array.from(rows.range('force', row)),
		});
	}

	/** Springs of joints. */
	#springs(): PassiveLength[] {
		const rows = this.#rows;
		const stiffness = rows.values('dof_passive_stiffness');
		if (stiffness === undefined) return [];
		const model = this.#model;
		const out: PassiveLength[] = [];
		for (let joint = 0; joint < model.jointCount; joint++) {
			for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) {
				const own = Number(stiffness[dof] ?? 0);
				if (!(own > 0)) continue;
				if (this.#drives.coordinate[dof]! < 0) {
					this.#leave('springs of ball and free joints', model.jointLabels[joint]!);
					break;
				}
				const rest = rows.number('dof_springref', dof);
				out.push({
					...this.#length(model.jointWorld[joint]!, [[dof, 1]]),
					stiffness: own,
					damping: 0,
					slack: Float64Array.of(rest, rest),
					friction: 0,
					limits: UNLIMITED,
				});
			}
		}
		return out;
	}

	/** Springs, dampers, friction and limits of tendons. */
	#tendons(): PassiveLength[] {
		const rows = this.#rows;
		const out: PassiveLength[] = [];
		for (let row = 0; row < rows.count('tendon'); row++) {
			const label = rows.text('tendon_label', row) || `tendon ${row}`;
			const stiffness = rows.number('tendon_stiffness', row);
			const damping = rows.number('tendon_damping', row);
			const friction = rows.number('tendon_frictionloss', row);
			const range = [0, 1].map((i) => rows.number('tendon_range', row, 0, 2, i)) as [number, number];
			const limited = rows.number('tendon_limited', row, 2);
			const isLimited = limited === 1 || (limited === 2 && range[0] < range[1]);
			if (rows.number('tendon_armature', row) > 0) this.#leave('armatures of tendons', label);
			if (!(stiffness > 0 || damping > 0 || friction > 0 || isLimited)) continue;
			const path = this.#tendonPath(row);
			if (path === undefined) {
				this.#leave('springs, friction and limits of tendons that run over sites and shapes', label);
				continue;
			}
			const length = this.#length(rows.number('tendon_world', row, -1), path);
			const ends = [0, 1].map((i) => rows.number('tendon_springlength', row, -1, 2, i)) as [number, number];
			// the length at the reference, unless it is given
			const slack = ends[0] === -1 ? [length.rest, length.rest] : [ends[0], Math.max(...ends)];
			out.push({
				...length,
				stiffness,
				damping,
				slack: Float64Array.from(slack),
				friction,
				limits: isLimited ? Float64Array.from(range) : UNLIMITED,
			});
		}
		return out;
	}
}

const UNLIMITED = Float64Array.of(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);

/** Attribute of states that holds the activations of actuators. */
export const ACTIVATION = 'mujoco:actuator_act';
