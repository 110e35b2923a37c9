import { transformPoint } from '@manyworlds/core/internal';
import type { Model } from '../model/model.ts';
import { type PlacedBodies, TreePlacement } from './tree-placement.ts';
import { isFloating } from './tree-plan.ts';

/**
 * Walks the joints of an articulation from the root and works out where everything is and how each degree of freedom
 * moves it. Scratch memory is made once for a model and used again for each articulation.
 *
 * Each degree of freedom is a rotation about an axis through a pivot, or a translation along an axis, both in world axes.
 */
export class ArticulationSweep {
	readonly model: Model;
	/** World axis of each degree of freedom; shape (dofs of the model, 3). */
	readonly axis: Float64Array;
	/** Pivot of each rotation; shape (dofs of the model, 3). */
	readonly pivot: Float64Array;
	/** 1 for rotations, 0 for translations. */
	readonly turns: Uint8Array;
	/** Centre of mass of each body in the world; shape (bodies, 3). */
	readonly com: Float64Array;

	readonly #placement: TreePlacement;

	constructor(model: Model) {
		this.model = model;
		const dofs = model.jointDofCount;
		this.axis = new Float64Array(3 * dofs);
		this.pivot = new Float64Array(3 * dofs);
		this.turns = new Uint8Array(dofs);
		const trees = Array.from({ length: model.articulationCount }, (_, articulation) => {
			const [start, end] = this.jointRange(articulation);
			return Int32Array.from({ length: end - start }, (__, i) => start + i);
		});
		this.#placement = new TreePlacement(model, trees, { withMotion: true });
		this.com = this.#placement.com;
		for (let joint = 0; joint < model.jointCount; joint++) {
			const start = model.jointQdStart[joint]! + model.jointDofDim[2 * joint]!;
			this.turns.fill(1, start, start + model.jointDofDim[2 * joint + 1]!);
		}
	}

	/** First joint of an articulation and the one after its last tree joint. */
	jointRange(articulation: number): readonly [start: number, end: number] {
		return [this.model.articulationStart[articulation]!, this.model.articulationEnd[articulation]!];
	}

	/** First degree of freedom of an articulation and the one after its last. */
	dofRange(articulation: number): readonly [start: number, end: number] {
		const [start, end] = this.jointRange(articulation);
		return [this.model.jointQdStart[start]!, this.model.jointQdStart[end]!];
	}

	/** Takes joint frames, axes and centres of mass from the model again. */
	refresh(): void {
		this.#placement.refresh();
	}

	/**
	 * Computes body poses from coordinates into `state.bodyQ`, velocities into `state.bodyQd` where joint velocities are given,
	 * and the motion of every degree of freedom. Bodies that `skipBody` marks with 1 are read instead of written.
	 */
	place(
		articulation: number,
		jointQ: Float64Array,
		jointQd: Float64Array | undefined,
		state: PlacedBodies,
		skipBody?: Uint8Array,
	): void {
		this.#placement.place(articulation, jointQ, jointQd, state, skipBody);
		const [start, end] = this.jointRange(articulation);
		for (let joint = start; joint < end; joint++) this.#placeAxes(joint, state.bodyQ);
	}

	/**
	 * Axis and pivot of every degree of freedom of a joint. Rotations go through the child anchor; those of a floating joint through
	 * the centre of mass, which its linear part moves.
	 */
	#placeAxes(joint: number, bodyQ: Float64Array): void {
		const { model, axis, pivot, turns } = this;
		const { twist } = this.#placement;
		const child = model.jointChild[joint]!;
		const isFree = isFloating(model.jointType[joint]!);
		for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) {
			const from = 6 * dof + (turns[dof] === 1 ? 0 : 3);
			for (let i = 0; i < 3; i++) axis[3 * dof + i] = twist[from + i]!;
			if (turns[dof] === 0) continue;
			if (isFree) pivot.set(this.com.subarray(3 * child, 3 * child + 3), 3 * dof);
			else transformPoint(pivot, bodyQ, model.jointXC, 3 * dof, 7 * child, 7 * joint);
		}
	}
}
