import { JointType, type Model, WORLD } from '@manyworlds/model';
import { isFloating, PlacingKind, TreePlan } from '@manyworlds/model/internal';
import { worldRows } from '@manyworlds/worlds/internal';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import type { SapSettings } from '../sap/sap-options.ts';
import type { NumberBytes } from '../wasm/kernel-memory.ts';

/** Trees of a world up to which all of them stand in the problem in a fixed order; more are solved by blocks of bodies. */
const MOST_TREES = 8;

/** Where the parts of a world stand in the arrays of the model. */
export interface WorldOffsets {
	readonly coordinate: number;
	readonly dof: number;
	readonly body: number;
}

/**
 * The structure that all worlds of a model share, numbered within a world: joints of its trees one after the other, parents
 * first, and degrees of freedom in postorder. Joint i moves body i.
 */
export interface EnginePlan {
	readonly jointCount: number;
	readonly dofCount: number;
	readonly coordinateCount: number;
	readonly treeCount: number;
	readonly worlds: readonly WorldOffsets[];
	/** Whether the problem of each world is solved by blocks of bodies. */
	readonly isByBlocks: boolean;
	/** By joint. */
	readonly kind: Int32Array;
	readonly parent: Int32Array;
	readonly tree: Int32Array;
	readonly coordinate: Int32Array;
	readonly place: Int32Array;
	readonly linear: Int32Array;
	readonly angular: Int32Array;
	readonly style: Int32Array;
	/** Body that each joint moves, counted from the first of its world. */
	readonly body: Int32Array;
	/** Joint in the model of the first world, for what differs between worlds by an offset. */
	readonly joint: Int32Array;
	/** By place. */
	readonly subtree: Int32Array;
	readonly above: Int32Array;
	readonly base: Int32Array;
	readonly jointAt: Int32Array;
	readonly dofTree: Int32Array;
	readonly isGiven: Int32Array;
	/** Degree of freedom at each place, counted from the first of its world. */
	readonly dof: Int32Array;
	readonly entryCount: number;
	/** By tree, then the total. */
	readonly treeJoint: Int32Array;
	readonly treePlace: Int32Array;
}

/** The plan of a model, or why the engine cannot take it. `hasBlocks` tells whether problems can be solved by blocks of bodies. */
export function planEngine(structure: TreeStructure, options: SapSettings, hasBlocks: boolean): EnginePlan | string {
	const reason = whyNot(structure, options);
	if (reason !== undefined) return reason;
	const { model } = structure;
	const worlds = Math.max(1, model.worldCount);
	const plan = planWorld(structure, 0);
	const isByBlocks = plan.treeCount > MOST_TREES;
	if (isByBlocks && !hasBlocks) return `a world has ${plan.treeCount} trees, the engine takes ${MOST_TREES}`;
	if (plan.dofCount === 0) return 'nothing can move';
	const offsets = Array.from({ length: worlds }, (_, world) => offsetsOf(model, world));
	for (let world = 1; world < worlds; world++) {
		if (!isAlike(structure, world, offsets[0]!, offsets[world]!)) return `worlds 0 and ${world} have different joints`;
	}
	return { ...plan, worlds: offsets, isByBlocks };
}

function offsetsOf(model: Model, world: number): WorldOffsets {
	return {
		coordinate: worldRows(model, 'jointCoord', world).start,
		dof: worldRows(model, 'jointDof', world).start,
		body: worldRows(model, 'body', world).start,
	};
}

function whyNot(structure: TreeStructure, options: SapSettings): string | undefined {
	const { model } = structure;
	const worlds = Math.max(1, model.worldCount);
	if (options.newton.lineSearchVariant !== 'exact_root') return `line search ${options.newton.lineSearchVariant}`;
	if (options.frictionModel !== 'cone') return `friction model ${options.frictionModel}`;
	if (options.sleepTime > 0) return 'bodies may fall asleep';
	if (numberBytes(options) === undefined) return 'numbers of 32 bits in parts of the step';
	if (structure.worldStart[worlds + 1]! > structure.worldStart[worlds]!) return 'bodies that belong to no world move';
	for (let i = 0; i < structure.joints.length; i++) {
		const joint = structure.joints[i]!;
		const parent = model.jointParent[joint]!;
		const tree = structure.treeOf[model.jointChild[joint]!]!;
		if (parent !== WORLD && structure.treeOf[parent] !== tree) return `joint ${joint} hangs on a body of another tree`;
		if (isFloating(model.jointType[joint]!) && !hasPlainAxes(model, joint)) {
			return `floating joint ${joint} has axes of its own`;
		}
	}
	return undefined;
}

/** Bytes of the numbers that a step is computed with; undefined where its parts differ. */
export function numberBytes(options: SapSettings): NumberBytes | undefined {
	const { useF64BoundaryPose, newton, freeMotionSolvePrecision, sapContactWeightPrecision } = options;
	const isSingle = [
		!useF64BoundaryPose,
		newton.singleFactor,
		freeMotionSolvePrecision === 'fp32',
		sapContactWeightPrecision === 'fp32',
	];
	if (isSingle.every((single) => single)) return 4;
	return isSingle.includes(true) ? undefined : 8;
}

function hasPlainAxes(model: Model, joint: number): boolean {
	const start = 3 * model.jointQdStart[joint]!;
	for (let d = 0; d < 18; d++)
		if (model.jointAxis[start + d] !== (d % 9 === 0 || d % 9 === 4 || d % 9 === 8 ? 1 : 0)) return false;
	return true;
}

function planWorld(structure: TreeStructure, world: number): Omit<EnginePlan, 'worlds' | 'isByBlocks'> {
	const { model, jointStart, dofStart } = structure;
	const trees = Array.from(
		structure.worldTrees.subarray(structure.worldStart[world]!, structure.worldStart[world + 1]!),
	);
	const coordinates = worldRows(model, 'jointCoord', world);
	const dofs = worldRows(model, 'jointDof', world);
	const bodies = worldRows(model, 'body', world);
	const joints = trees.flatMap((tree) =>
		Array.from(structure.joints.subarray(jointStart[tree]!, jointStart[tree + 1]!)),
	);
	const treeJoint = starts(trees.map((tree) => jointStart[tree + 1]! - jointStart[tree]!));
	const treePlace = starts(trees.map((tree) => dofStart[tree + 1]! - dofStart[tree]!));
	/** Place in the world of a position of the structure. */
	const placeOf = new Map<number, number>();
	trees.forEach((tree, t) => {
		for (let p = dofStart[tree]!; p < dofStart[tree + 1]!; p++) placeOf.set(p, treePlace[t]! + p - dofStart[tree]!);
	});
	const positions = [...placeOf.keys()];
	const slotOf = new Map<number, number>(joints.map((joint, i) => [model.jointChild[joint]!, i]));
	const tree = joints.map((_, i) => treeJoint.findIndex((first, t) => i >= first && i < treeJoint[t + 1]!));
	const plans = trees.map(
		(own) => new TreePlan(model, structure.joints.subarray(jointStart[own]!, jointStart[own + 1]!)),
	);
	const kind = plans.flatMap((own) => Array.from(own.kind));
	const subtree = Int32Array.from(positions, (p) => placeOf.get(structure.subtree[p]!)!);
	const base = new Int32Array(positions.length);
	let entry = 0;
	for (const [p, first] of subtree.entries()) {
		base[p] = entry - first;
		entry += p - first + 1;
	}
	return {
		jointCount: joints.length,
		dofCount: positions.length,
		coordinateCount: coordinates.end - coordinates.start,
		treeCount: trees.length,
		kind: Int32Array.from(kind),
		parent: Int32Array.from(joints, (joint) => slotOf.get(model.jointParent[joint]!) ?? -1),
		tree: Int32Array.from(tree),
		coordinate: Int32Array.from(joints, (joint) => model.jointQStart[joint]! - coordinates.start),
		place: Int32Array.from(joints, (joint) => placeOf.get(structure.positionOf[model.jointQdStart[joint]!]!) ?? 0),
		linear: Int32Array.from(joints, (joint) => model.jointDofDim[2 * joint]!),
		angular: Int32Array.from(joints, (joint) => model.jointDofDim[2 * joint + 1]!),
		style: Int32Array.from(joints, (joint, i) => styleOf(model, joint, kind[i]!)),
		body: Int32Array.from(joints, (joint) => model.jointChild[joint]! - bodies.start),
		joint: Int32Array.from(joints),
		subtree,
		above: Int32Array.from(positions, (p) => placeOf.get(structure.above[p]!) ?? -1),
		base,
		jointAt: Int32Array.from(positions, (p) => slotOf.get(structure.bodyAt[p]!)!),
		dofTree: Int32Array.from(positions, (p) => trees.indexOf(structure.treeOf[structure.bodyAt[p]!]!)),
		isGiven: Int32Array.from(positions, (p) => structure.isGiven[p]!),
		dof: Int32Array.from(positions, (p) => structure.dofAt[p]! - dofs.start),
		entryCount: entry,
		treeJoint,
		treePlace,
	};
}

/** 1 for joints with a quaternion, 2 for joints of several axes that carry each other. */
function styleOf(model: Model, joint: number, kind: number): number {
	if (kind === PlacingKind.FLOATING) return 1;
	if (kind !== PlacingKind.GENERAL) return 0;
	return model.jointType[joint] === JointType.BALL ? 1 : 2;
}

/** Whether a world has the joints of the first in the same order, counted from where each begins. */
function isAlike(structure: TreeStructure, world: number, first: WorldOffsets, other: WorldOffsets): boolean {
	const { model, joints, jointStart, worldTrees, worldStart } = structure;
	const trees = worldStart[1]! - worldStart[0]!;
	if (worldStart[world + 1]! - worldStart[world]! !== trees) return false;
	const bodies = other.body - first.body;
	for (let t = 0; t < trees; t++) {
		const tree = worldTrees[worldStart[0]! + t]!;
		const twin = worldTrees[worldStart[world]! + t]!;
		const count = jointStart[tree + 1]! - jointStart[tree]!;
		if (jointStart[twin + 1]! - jointStart[twin]! !== count) return false;
		for (let i = 0; i < count; i++) {
			const a = joints[jointStart[tree]! + i]!;
			const b = joints[jointStart[twin]! + i]!;
			const parent = model.jointParent[a]!;
			const isSame =
				model.jointType[a] === model.jointType[b] &&
				model.jointChild[b] === model.jointChild[a]! + bodies &&
				model.jointParent[b] === (parent === WORLD ? WORLD : parent + bodies) &&
				model.jointQStart[b]! - other.coordinate === model.jointQStart[a]! - first.coordinate &&
				model.jointQdStart[b]! - other.dof === model.jointQdStart[a]! - first.dof &&
				model.jointDofDim[2 * a] === model.jointDofDim[2 * b] &&
				model.jointDofDim[2 * a + 1] === model.jointDofDim[2 * b + 1] &&
				model.bodyFlags[model.jointChild[a]!] === model.bodyFlags[model.jointChild[b]!];
			if (!isSame) return false;
		}
	}
	return true;
}

function starts(sizes: readonly number[]): Int32Array {
	const out = new Int32Array(sizes.length + 1);
	sizes.forEach((size, i) => {
		out[i + 1] = out[i]! + size;
	});
	return out;
}
