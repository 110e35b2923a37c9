import { transformInvert, transformMultiply } from '@manyworlds/core';
import { ArticulatedDynamics, type IndexRange, type Model, type State } from '@manyworlds/model';
import { isFreeJoint } from '../convert/free-joint.ts';
import type { CompiledModel } from '../engine/compiled-model.ts';
import { inWorld } from '../engine/model-maps.ts';

/** Poses and velocities of bodies from joint coordinates, those of roots outside of articulations included. */
export class BodyPoses {
	readonly #compiled: CompiledModel;
	readonly #model: Model;
	readonly #dynamics: ArticulatedDynamics;
	readonly #worlds: IndexRange;
	/** Articulations of the worlds, those of no world included. */
	readonly #articulations: readonly number[];
	/** Free joints of the template that belong to no articulation. */
	readonly #looseRoots: readonly number[];
	readonly #pose: Float64Array = new Float64Array(7);
	readonly #inverse: Float64Array = new Float64Array(7);

	constructor(compiled: CompiledModel, worlds: IndexRange) {
		this.#compiled = compiled;
		const { model, plan } = compiled.conversion;
		this.#model = model;
		this.#dynamics = new ArticulatedDynamics(model);
		this.#worlds = worlds;
		this.#articulations = Array.from(model.articulationWorld, (_, i) => i).filter((i) => {
			const world = Math.max(model.articulationWorld[i]!, 0);
			return world >= worlds.start && world < worlds.end;
		});
		this.#looseRoots = plan.tree.filter((joint) => model.jointArticulation[joint]! < 0);
	}

	/** Writes the bodies of all worlds, or of those of `worlds`. */
	update(stateIn: State, stateOut: State, worlds?: ArrayLike<number | boolean>): void {
		const model = this.#model;
		const articulations =
			worlds === undefined
				? this.#articulations
				: this.#articulations.filter((i) => worlds[Math.max(model.articulationWorld[i]!, 0)]);
		this.#dynamics.forwardKinematics(stateOut, { articulations });
		for (let world = this.#worlds.start; world < this.#worlds.end; world++) {
			if (worlds !== undefined && !worlds[world]) continue;
			for (const root of this.#looseRoots)
				this.#placeLooseRoot(inWorld(this.#compiled.conversion, 'joint', root, world), stateIn, stateOut);
		}
	}

	#placeLooseRoot(joint: number, stateIn: State, stateOut: State): void {
		const model = this.#model;
		const body = model.jointChild[joint]!;
		if (!isFreeJoint(model.jointType[joint]!)) {
			if (stateIn !== stateOut) stateOut.bodyQ.set(stateIn.bodyQ.subarray(7 * body, 7 * body + 7), 7 * body);
			return;
		}
		transformInvert(this.#inverse, model.jointXC, 0, 7 * joint);
		transformMultiply(this.#pose, model.jointXP, stateOut.jointQ, 0, 7 * joint, model.jointQStart[joint]!);
		transformMultiply(stateOut.bodyQ, this.#pose, this.#inverse, 7 * body);
		const dof = model.jointQdStart[joint]!;
		stateOut.bodyQd.set(stateOut.jointQd.subarray(dof, dof + 6), 6 * body);
	}
}
