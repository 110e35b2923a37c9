import { type Model, WORLD } from '@manyworlds/model';
import type { SapRun } from './sap-run.ts';

/** Floating-point operations and memory of a world-step, estimated. */
export interface SapWork {
	readonly flops: number;
	/** Bytes of the arrays that a world-step reads or writes, each counted once. */
	readonly bytes: number;
}

/** Operations of the code for each thing, counted by hand; loops over entries and columns are counted below. */
const PER_BODY = 160 + 110 + 130 + 24 + 20;
const PER_DOF = 75;
const PER_ROW = 30;
const PER_SHAPE = 110;
const PER_PAIR = 8;
const PER_CONTACT = 420;
const PER_CONTACT_EVALUATION = 40;
const PER_ROW_EVALUATION = 10;

/** Estimates the work of a world-step from the shape of the trees and from what the last run counted. */
export function estimateWork(run: SapRun): SapWork {
	const { model, worldSteps } = run;
	const worlds = Math.max(1, model.worldCount);
	const depths = dofDepths(model);
	const dofs = depths.length / worlds;
	let entries = 0;
	let factor = 0;
	for (const depth of depths) {
		entries += depth / worlds;
		// sap.md 8.1
		factor += ((depth - 1) * (depth + 1)) / worlds;
	}
	const bodies = model.bodyCount / worlds;
	const shapes = model.shapeCount / worlds;
	const pairs = model.shapeContactPairs.length / 2 / worlds;
	let rows = 0;
	for (const mode of model.jointTargetMode) if (mode !== 0) rows += 1 / worlds;
	const iterations = run.iterations / worldSteps;
	const evaluations = run.evaluations / worldSteps;
	const contacts = run.contactCount / worldSteps;
	const columns = meanColumns(run, depths);
	const setUp = PER_BODY * bodies + PER_DOF * dofs + 11 * entries + factor + 12 * entries;
	const collision = PER_SHAPE * shapes + PER_PAIR * pairs + contacts * (PER_CONTACT + 45 * columns);
	const hessian = contacts * (15 * columns + 3 * columns * (columns + 1));
	const iteration = factor + 8 * entries + hessian + contacts * (45 + 12 * columns) + PER_ROW * rows + 12 * dofs;
	const search = contacts * PER_CONTACT_EVALUATION + PER_ROW_EVALUATION * rows;
	const flops = setUp + collision + iterations * iteration + evaluations * search;
	const numbers = 105 * bodies + 30 * dofs + 4 * entries + 8 * rows + 40 * shapes + contacts * (60 + 4 * columns);
	return { flops, bytes: 8 * numbers + 8 * pairs };
}

/** How many degrees of freedom lie between each and the root, itself included. */
function dofDepths(model: Model): Int32Array {
	const depths = new Int32Array(model.jointDofCount);
	const below = new Int32Array(model.bodyCount);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const parent = model.jointParent[joint]!;
		let depth = parent === WORLD ? 0 : below[parent]!;
		for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) depths[dof] = ++depth;
		below[model.jointChild[joint]!] = depth;
	}
	return depths;
}

/** Degrees of freedom that a contact depends on, in the mean over the contacts at the end of the run. */
function meanColumns(run: SapRun, depths: Int32Array): number {
	const { contacts, model } = run;
	if (contacts.rigidCount === 0) return 0;
	const deepest = new Int32Array(model.bodyCount);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const end = model.jointQdStart[joint + 1]!;
		const parent = model.jointParent[joint]!;
		const isFixed = end === model.jointQdStart[joint];
		deepest[model.jointChild[joint]!] = isFixed ? (parent === WORLD ? 0 : deepest[parent]!) : depths[end - 1]!;
	}
	let sum = 0;
	for (let row = 0; row < contacts.rigidCount; row++) {
		for (const shape of [contacts.rigidShape0[row]!, contacts.rigidShape1[row]!]) {
			const body = model.shapeBody[shape]!;
			if (body !== WORLD) sum += deepest[body]!;
		}
	}
	return sum / contacts.rigidCount;
}
