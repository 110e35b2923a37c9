import { JointTargetMode, JointType, type Model, type State } from '@manyworlds/model';
import type { Plant } from './controller.ts';

/** Gains of a drive: stiffness [N/m, N·m/rad], damping [N·s/m, N·m·s/rad]. */
export interface Gains {
	readonly stiffness: number;
	readonly damping: number;
}

/** Natural frequency of drives that are chosen where the file gives none [rad/s]. */
const CHOSEN_FREQUENCY = 100;
/** How far [rad, m] and how fast [rad/s, m/s] off friction may hold such a joint. */
const FRICTION_OFFSET = 1e-3;
const FRICTION_SPEED = 1e-2;

/** How a joint is driven. */
export type DriveMode = 'position' | 'velocity' | 'effort';

/** A change of gains that the solver has to be told of. */
export interface GainChange extends Gains {
	readonly joint: number;
	readonly mode: JointTargetMode;
}

/**
 * Sets joints up for being driven by position, velocity or effort. Gains are those of the file; where it gives none, the joint gets a
 * critically damped drive for the inertia that it moves.
 */
export class DriveModes {
	readonly #plant: Plant;
	readonly #own = new Map<number, Gains & { readonly targetMode: JointTargetMode }>();
	readonly #modes = new Map<number, DriveMode>();
	readonly #chosen = new Map<number, Gains>();
	/** Changes of gains since they were last taken. */
	#changes: GainChange[] = [];

	constructor(plant: Plant) {
		this.#plant = plant;
	}

	/** Gains that were chosen because the file gives none, by joint. */
	get chosen(): ReadonlyMap<number, Gains> {
		return this.#chosen;
	}

	/** Changes of gains that the model needs; they are handed out once. */
	takeChanges(): readonly GainChange[] {
		const changes = this.#changes;
		this.#changes = [];
		return changes;
	}

	/** Sets a joint up; what it was driven by before ends. */
	use(joint: number, mode: DriveMode): void {
		if (this.#modes.get(joint) === mode) return;
		this.#modes.set(joint, mode);
		const { model, control, state } = this.#plant;
		const dof = model.jointQdStart[joint]!;
		const coordinate = model.jointQStart[joint]!;
		if (!this.#own.has(joint)) {
			const targetMode = model.jointTargetMode[dof]! as JointTargetMode;
			this.#own.set(joint, { stiffness: model.jointTargetKe[dof]!, damping: model.jointTargetKd[dof]!, targetMode });
		}
		control.jointF[dof] = 0;
		control.jointTargetQ[coordinate] = state.jointQ[coordinate]!;
		control.jointTargetQd[dof] = 0;
		this.#changes.push({ joint, ...this.#gains(joint, mode) });
	}

	/** Gives all joints the gains of the file back. */
	reset(): void {
		for (const [joint, { stiffness, damping, targetMode }] of this.#own) {
			if (this.#modes.has(joint)) this.#changes.push({ joint, stiffness, damping, mode: targetMode });
		}
		this.#modes.clear();
	}

	/** Whether a joint that is driven by velocity has a stiff drive, whose target has to move along. */
	isStiff(joint: number): boolean {
		return this.#gains(joint, 'velocity').stiffness > 0;
	}

	#gains(joint: number, mode: DriveMode): Gains & { readonly mode: JointTargetMode } {
		const own = this.#own.get(joint)!;
		if (mode === 'effort') return { stiffness: 0, damping: 0, mode: JointTargetMode.EFFORT };
		if (mode === 'position') {
			const gains = own.stiffness > 0 ? own : this.#choose(joint);
			return { stiffness: gains.stiffness, damping: gains.damping, mode: JointTargetMode.POSITION };
		}
		// a drive that was made for velocities stays as it is
		if (own.stiffness > 0) return { stiffness: own.stiffness, damping: own.damping, mode: JointTargetMode.POSITION };
		if (own.damping > 0 && own.targetMode === JointTargetMode.VELOCITY)
			return { stiffness: 0, damping: own.damping, mode: JointTargetMode.VELOCITY };
		return { stiffness: 0, damping: this.#choose(joint).damping, mode: JointTargetMode.VELOCITY };
	}

	#choose(joint: number): Gains {
		let gains = this.#chosen.get(joint);
		if (gains === undefined) {
			const { model, state } = this.#plant;
			const inertia = movedInertia(model, state, joint);
			const friction = model.jointFriction[model.jointQdStart[joint]!]!;
			const stiffness = Math.max(inertia * CHOSEN_FREQUENCY ** 2, friction / FRICTION_OFFSET);
			gains = { stiffness, damping: Math.max(2 * Math.sqrt(stiffness * inertia), friction / FRICTION_SPEED) };
			this.#chosen.set(joint, gains);
		}
		return gains;
	}
}

/** The mass [kg] or moment of inertia [kg·m²] that a joint with one coordinate moves: all bodies beyond it. */
export function movedInertia(model: Model, state: State, joint: number): number {
	const beyond = new Set([model.jointChild[joint]!]);
	for (let grown = true; grown; ) {
		grown = false;
		for (let other = 0; other < model.jointType.length; other++) {
			const child = model.jointChild[other]!;
			if (other === joint || !beyond.has(model.jointParent[other]!) || beyond.has(child)) continue;
			beyond.add(child);
			grown = true;
		}
	}
	let mass = 0;
	for (const body of beyond) mass += model.bodyMass[body]!;
	const dof = model.jointQdStart[joint]!;
	if (model.jointType[joint] === JointType.PRISMATIC) return mass + model.jointArmature[dof]!;
	const { origin, axis } = jointAxisInWorld(model, state, joint);
	let inertia = model.jointArmature[dof]!;
	for (const body of beyond) {
		const centre = rotated(state.bodyQ, 7 * body + 3, model.bodyCom.subarray(3 * body, 3 * body + 3));
		const arm = centre.map((part, i) => part + state.bodyQ[7 * body + i]! - origin[i]!);
		const along = arm.reduce((sum, part, i) => sum + part * axis[i]!, 0);
		const distance2 = arm.reduce((sum, part) => sum + part * part, 0) - along * along;
		// the trace bounds the moment about any axis through the centre; half of it is exact for a sphere to a third
		const at = 9 * body;
		const spin = (model.bodyInertia[at]! + model.bodyInertia[at + 4]! + model.bodyInertia[at + 8]!) / 2;
		inertia += model.bodyMass[body]! * Math.max(0, distance2) + spin;
	}
	return inertia;
}

function jointAxisInWorld(model: Model, state: State, joint: number): { origin: number[]; axis: number[] } {
	const child = model.jointChild[joint]!;
	const frame = model.jointXC.subarray(7 * joint, 7 * joint + 7);
	const anchor = rotated(state.bodyQ, 7 * child + 3, frame.subarray(0, 3));
	const origin = anchor.map((part, i) => part + state.bodyQ[7 * child + i]!);
	const dof = model.jointQdStart[joint]!;
	const local = rotated(frame, 3, model.jointAxis.subarray(3 * dof, 3 * dof + 3));
	return { origin, axis: rotated(state.bodyQ, 7 * child + 3, local) };
}

function rotated(q: Float64Array, at: number, v: ArrayLike<number>): number[] {
	const [x, y, z, w] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!];
	const [a, b, c] = [v[0]!, v[1]!, v[2]!];
	const tx = 2 * (y * c - z * b);
	const ty = 2 * (z * a - x * c);
	const tz = 2 * (x * b - y * a);
	return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}
