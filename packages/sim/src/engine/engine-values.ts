import { JointTargetMode, type Model } from '@manyworlds/model';
import { PLACING_CONSTANTS, TreePlan } from '@manyworlds/model/internal';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import { BOUNDS, type DofDrives, FORCE, RATE, TARGET } from '../sap/dof-drives.ts';
import { type KernelMemory, VECTOR } from '../wasm/kernel-memory.ts';
import type { EnginePlan } from './engine-plan.ts';

/** Constants of a joint, of a body and of a degree of freedom; see the kernels. */
const JOINT_CONSTANTS = 38;
const BODY_CONSTANTS = 7;
const DOF_CONSTANTS = 20;
/** Constants of a degree of freedom that are masks. */
const HAS_DRIVE = 2;
const IS_STIFF = 12;

/**
 * Values of the model that do not change in a step, for each group of worlds: of joints, bodies and degrees of freedom. Groups with
 * the same values share them, so that thousands of equal worlds need no more memory, and no more of the cache, than two.
 */
export class EngineValues {
	readonly #memory: KernelMemory;
	readonly #plan: EnginePlan;
	readonly #structure: TreeStructure;
	readonly #drives: DofDrives;
	/** Where those of each group are. */
	readonly #address: Int32Array;
	/** Room for the values of a group, as much as was ever needed. */
	readonly #blocks: number[] = [];
	/** Vectors of the values of a group. */
	readonly #size: number;

	constructor(memory: KernelMemory, plan: EnginePlan, structure: TreeStructure, drives: DofDrives) {
		this.#memory = memory;
		this.#plan = plan;
		this.#structure = structure;
		this.#drives = drives;
		const { jointCount, dofCount } = plan;
		this.#size = (JOINT_CONSTANTS + BODY_CONSTANTS) * jointCount + DOF_CONSTANTS * dofCount;
		this.#address = new Int32Array(Math.ceil(plan.worlds.length / memory.lanes));
		this.refresh();
	}

	/** Addresses of the values of a group: of its joints, bodies and degrees of freedom. */
	joints(group: number): number {
		return this.#address[group]!;
	}

	bodies(group: number): number {
		return this.#address[group]! + VECTOR * JOINT_CONSTANTS * this.#plan.jointCount;
	}

	dofs(group: number): number {
		return this.#address[group]! + VECTOR * (JOINT_CONSTANTS + BODY_CONSTANTS) * this.#plan.jointCount;
	}

	/** Takes the values over from the model. */
	refresh(): void {
		/** Blocks in use by a hash of what is in them. */
		const known = new Map<number, number[]>();
		let used = 0;
		for (let group = 0; group < this.#address.length; group++) {
			if (used === this.#blocks.length) this.#blocks.push(this.#memory.array(this.#size));
			const block = this.#blocks[used]!;
			this.#write(block, group);
			const hash = this.#hash(block);
			const alike = known.get(hash);
			const twin = alike?.find((other) => this.#isSame(other, block));
			this.#address[group] = twin ?? block;
			if (twin !== undefined) continue;
			used++;
			if (alike === undefined) known.set(hash, [block]);
			else alike.push(block);
		}
	}

	/**
	 * Whether worlds need the velocities of free motion in every step: when a tree may have no rows, so that it moves by them alone, or
	 * when the mass of a body is not that of matter, which shows when the mass matrix is factored.
	 */
	needFreeMotion(): boolean {
		const { model } = this.#structure;
		const { worlds, body, dof, treeCount, treePlace, isGiven } = this.#plan;
		for (const world of worlds) {
			for (let tree = 0; tree < treeCount; tree++) {
				let hasRow = false;
				for (let p = treePlace[tree]!; p < treePlace[tree + 1]!; p++) {
					const own = world.dof + dof[p]!;
					if (isGiven[p] === 0 && (this.#drives.has(own) || model.jointFriction[own]! > 0)) hasRow = true;
				}
				if (!hasRow) return true;
			}
			for (const own of body) if (!isOfMatter(model, world.body + own)) return true;
		}
		return false;
	}

	#write(block: number, group: number): void {
		const { model } = this.#structure;
		const last = this.#plan.worlds.length - 1;
		const { lanes } = this.#memory;
		for (let lane = 0; lane < lanes; lane++) {
			// a lane without a world repeats the one before it
			const world = Math.min(lanes * group + lane, last);
			this.#writeJoints(model, block, lane, world);
			this.#writeBodies(model, block, lane, world);
			this.#writeDofs(model, block, lane, world);
		}
	}

	/** FNV-1a over the words of a block. */
	#hash(block: number): number {
		const { integers } = this.#memory;
		const start = block / 4;
		const end = start + (VECTOR / 4) * this.#size;
		let hash = 0x811c9dc5;
		for (let i = start; i < end; i++) hash = Math.imul(hash ^ integers[i]!, 0x01000193);
		return hash;
	}

	#isSame(a: number, b: number): boolean {
		const { integers } = this.#memory;
		const count = (VECTOR / 4) * this.#size;
		for (let i = 0; i < count; i++) if (integers[a / 4 + i] !== integers[b / 4 + i]) return false;
		return true;
	}

	#writeJoints(model: Model, address: number, lane: number, world: number): void {
		const { numbers, lanes } = this.#memory;
		const { joint: first, treeCount, treeJoint } = this.#plan;
		const shift = this.#firstJoint(world) - first[0]!;
		for (let tree = 0; tree < treeCount; tree++) {
			const own = first.subarray(treeJoint[tree]!, treeJoint[tree + 1]!).map((joint) => joint + shift);
			const plan = new TreePlan(model, own);
			for (const [i, joint] of own.entries()) {
				const to = this.#memory.place(address) + lanes * JOINT_CONSTANTS * (treeJoint[tree]! + i) + lane;
				for (let k = 0; k < PLACING_CONSTANTS; k++) {
					numbers[to + lanes * k] = plan.constants[PLACING_CONSTANTS * i + k]!;
				}
				const dofs = model.jointQdStart[joint + 1]! - model.jointQdStart[joint]!;
				for (let k = 0; k < 3 * dofs; k++) {
					numbers[to + lanes * (PLACING_CONSTANTS + k)] = model.jointAxis[3 * model.jointQdStart[joint]! + k]!;
				}
			}
		}
	}

	/** First joint of the trees of a world. */
	#firstJoint(world: number): number {
		const { worlds, body } = this.#plan;
		return this.#structure.moverOf[worlds[world]!.body + body[0]!]!;
	}

	#writeBodies(model: Model, address: number, lane: number, world: number): void {
		const { numbers, lanes } = this.#memory;
		const { jointCount, body: bodies, worlds } = this.#plan;
		const start = this.#memory.place(address) + lanes * JOINT_CONSTANTS * jointCount + lane;
		for (let slot = 0; slot < jointCount; slot++) {
			const body = worlds[world]!.body + bodies[slot]!;
			const to = start + lanes * BODY_CONSTANTS * slot;
			const inertia = 9 * body;
			numbers[to] = model.bodyMass[body]!;
			for (const [k, entry] of [0, 1, 2, 4, 5, 8].entries()) {
				numbers[to + lanes * (1 + k)] = model.bodyInertia[inertia + entry]!;
			}
		}
	}

	#writeDofs(model: Model, address: number, lane: number, world: number): void {
		const { numbers, lanes } = this.#memory;
		const { jointCount, dofCount, dof: dofs, worlds } = this.#plan;
		const drives = this.#drives;
		const start = this.#memory.place(address) + lanes * (JOINT_CONSTANTS + BODY_CONSTANTS) * jointCount + lane;
		for (let p = 0; p < dofCount; p++) {
			const dof = worlds[world]!.dof + dofs[p]!;
			const isStiff = drives.coordinate[dof]! >= 0 && model.jointTargetMode[dof] !== JointTargetMode.VELOCITY;
			const effort = model.jointEffortLimit[dof]!;
			const bounds = drives.bounds.subarray(BOUNDS * dof, BOUNDS * (dof + 1));
			const values = [
				model.jointArmature[dof]!,
				model.jointDamping[dof]!,
				0,
				isStiff ? model.jointTargetKe[dof]! : 0,
				drives.dampingOf(dof),
				effort > 0 ? effort : Number.POSITIVE_INFINITY,
				bounds[TARGET]!,
				bounds[TARGET + 1]!,
				bounds[RATE]!,
				bounds[RATE + 1]!,
				bounds[FORCE]!,
				bounds[FORCE + 1]!,
				0,
				model.jointLimitKe[dof]!,
				relaxationOf(model, dof),
				model.jointLimitLower[dof]!,
				model.jointLimitUpper[dof]!,
				drives.reference[dof]!,
				model.jointFriction[dof]!,
				model.jointVelocityLimit[dof]!,
			];
			const to = start + lanes * DOF_CONSTANTS * p;
			for (const [k, value] of values.entries()) numbers[to + lanes * k] = value;
			this.#memory.setMask(to + lanes * HAS_DRIVE, drives.has(dof));
			this.#memory.setMask(to + lanes * IS_STIFF, isStiff);
		}
	}
}

/** Relaxation time of the limits of a degree of freedom [s]. */
function relaxationOf({ jointLimitKe, jointLimitKd }: Model, dof: number): number {
	const ke = jointLimitKe[dof]!;
	return ke > 0 ? Math.max(0, jointLimitKd[dof]! / ke) : 0;
}

/** Whether mass and inertia of a body are those of matter: no motion of it has negative energy. */
function isOfMatter({ bodyMass, bodyInertia }: Model, body: number): boolean {
	const [xx, xy, xz, , yy, yz, , , zz] = bodyInertia.subarray(9 * body, 9 * body + 9) as unknown as number[];
	const minor = xx! * yy! - xy! * xy!;
	const determinant = zz! * minor - xx! * yz! * yz! - yy! * xz! * xz! + 2 * xy! * yz! * xz!;
	const size = xx! + yy! + zz!;
	// a rod has no inertia about its axis
	const slack = -1e-12 * size;
	return (
		bodyMass[body]! >= 0 &&
		xx! >= slack &&
		yy! >= slack &&
		zz! >= slack &&
		minor >= slack * size &&
		xx! * zz! - xz! * xz! >= slack * size &&
		yy! * zz! - yz! * yz! >= slack * size &&
		determinant >= slack * size * size
	);
}
