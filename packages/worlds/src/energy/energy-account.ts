import type { Model, State } from '@manyworlds/model';
import type { IndexRange } from '@manyworlds/model/internal';
import { worldRows } from '../world-rows.ts';
import { addEnergy } from './energy.ts';

/** How exactly the energy of a world must be accounted for. */
const ENERGY_TOLERANCE: {
	/** Part of the energy that was turned over. */
	readonly relative: number;
	/** Weight of the bodies times this height [m]: contacts at rest hold so much. */
	readonly height: number;
} = { relative: 0.01, height: 1e-3 };

/** What a contact holds for longer than some fifty steps it does not give back at once: part that is left after a step. */
const STORE_DECAY = 0.98;

/** Where the accounts of worlds are kept; one entry for each world, all in joules. */
export interface EnergyBooks {
	/** Work of drives, actuators, springs and applied forces so far. */
	readonly work: Float64Array;
	/** Most energy that came from nothing so far, beyond what accuracy explains; 0 when none did. */
	readonly energyGain: Float64Array;
	/** Step, counted from 0, in which energy first came from nothing; -1 for none. */
	readonly energyGainStep: Float64Array;
}

/**
 * Keeps account of the energy of worlds. Drives and applied forces bring energy in; contacts, limits, friction and damping
 * take it, and give back at most what they took a moment ago, as in a bounce. Energy that neither explains came from nothing:
 * an overlap that was torn apart, a step that was too long, a fault of a solver.
 */
export class EnergyAccount {
	readonly #model: Model;
	readonly #range: IndexRange;
	readonly #books: EnergyBooks;
	readonly #bodies: readonly IndexRange[];
	readonly #dofs: readonly IndexRange[];
	readonly #gravity: readonly Float64Array[];
	/** Energy at the last step, what of it no work explains, and what contacts took lately and may give back. */
	readonly #energy: Float64Array;
	readonly #gain: Float64Array;
	readonly #store: Float64Array;
	/** Greatest kinetic energy, and greatest distance of the potential energy from that at the start. */
	readonly #kineticMost: Float64Array;
	readonly #potentialMost: Float64Array;
	readonly #potentialStart: Float64Array;
	/** Sum of the magnitudes of work. */
	readonly #effort: Float64Array;
	/** What contacts at rest may hold. */
	readonly #floor: Float64Array;
	readonly #out = new Float64Array(2);

	constructor(model: Model, books: EnergyBooks, range: IndexRange = { start: 0, end: model.worldCount }) {
		this.#model = model;
		this.#books = books;
		this.#range = range;
		const count = range.end - range.start;
		const worlds = Array.from({ length: count }, (_, i) => range.start + i);
		this.#bodies = worlds.map((world) => worldRows(model, 'body', world));
		this.#dofs = worlds.map((world) => worldRows(model, 'jointDof', world));
		this.#gravity = worlds.map((world) => Float64Array.from(model.gravityOf(world)));
		const numbers = (): Float64Array => new Float64Array(count);
		this.#energy = numbers();
		this.#gain = numbers();
		this.#store = numbers();
		this.#kineticMost = numbers();
		this.#potentialMost = numbers();
		this.#potentialStart = numbers();
		this.#effort = numbers();
		this.#floor = numbers();
	}

	/** Begins anew, from a state. */
	open(world: number, state: State): void {
		const i = world - this.#range.start;
		this.#measure(i, state);
		const [kinetic, potential] = [this.#out[0]!, this.#out[1]!];
		this.#energy[i] = kinetic + potential;
		this.#gain[i] = 0;
		this.#store[i] = 0;
		this.#kineticMost[i] = kinetic;
		this.#potentialMost[i] = 0;
		this.#potentialStart[i] = potential;
		this.#effort[i] = 0;
		const { start, end } = this.#bodies[i]!;
		let mass = 0;
		for (let body = start; body < end; body++) mass += this.#model.bodyMass[body]!;
		const g = this.#gravity[i]!;
		this.#floor[i] = ENERGY_TOLERANCE.height * mass * Math.hypot(g[0]!, g[1]!, g[2]!);
		this.#books.work[world] = 0;
		this.#books.energyGain[world] = 0;
		this.#books.energyGainStep[world] = -1;
	}

	/** Goes on from a state that somebody else changed: what the change brought or took is none of the account's business. */
	resume(world: number, state: State): void {
		const i = world - this.#range.start;
		this.#measure(i, state);
		this.#energy[i] = this.#out[0]! + this.#out[1]!;
	}

	/** Enters a step that led to `state`, and the work that was done in it. */
	enter(world: number, state: State, work: number, step: number): void {
		const i = world - this.#range.start;
		this.#measure(i, state);
		const [kinetic, potential] = [this.#out[0]!, this.#out[1]!];
		const energy = kinetic + potential;
		this.#books.work[world]! += work;
		this.#effort[i]! += Math.abs(work);
		const change = energy - this.#energy[i]! - work;
		this.#energy[i] = energy;
		this.#kineticMost[i] = Math.max(this.#kineticMost[i]!, kinetic);
		this.#potentialMost[i] = Math.max(this.#potentialMost[i]!, Math.abs(potential - this.#potentialStart[i]!));
		const returned = Math.min(Math.max(change, 0), this.#store[i]!);
		const gain = Math.max(0, this.#gain[i]! + change - returned);
		this.#gain[i] = gain;
		this.#store[i] = STORE_DECAY * (this.#store[i]! - returned + Math.max(-change, 0));
		if (gain <= this.#books.energyGain[world]! || gain <= this.#allowed(i, gain)) return;
		this.#books.energyGain[world] = gain;
		if (this.#books.energyGainStep[world]! < 0) this.#books.energyGainStep[world] = step;
	}

	/** Energy [J] that inexact integration and contacts at rest explain; what came from nothing is no turnover. */
	#allowed(i: number, gain: number): number {
		const moved = Math.max(this.#kineticMost[i]! - gain, this.#potentialMost[i]!, this.#effort[i]!);
		return ENERGY_TOLERANCE.relative * moved + this.#floor[i]!;
	}

	#measure(i: number, state: State): void {
		const out = this.#out;
		const { start, end } = this.#bodies[i]!;
		out.fill(0);
		addEnergy(out, this.#model, state, start, end, this.#gravity[i]!);
		// rotors turn too
		const { jointArmature } = this.#model;
		const dofs = this.#dofs[i]!;
		for (let dof = dofs.start; dof < dofs.end; dof++)
			out[0] = out[0]! + 0.5 * jointArmature[dof]! * state.jointQd[dof]! ** 2;
	}
}
