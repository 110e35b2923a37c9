import { type Contacts, type State, WORLD } from '@manyworlds/model';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import type { DofDrives, DriveSource } from './dof-drives.ts';
import type { LinearActuators } from './linear-actuators.ts';
import type { Loop } from './loops.ts';
import { RestingForces } from './resting-forces.ts';

/** When trees fall asleep. */
export interface SleepOptions {
	/** Time [s] for which all that touch each other must have been slow. */
	readonly sleepTime: number;
	/** Speed [m/s, rad/s] of every degree of freedom below which a tree is slow. */
	readonly sleepSpeed: number;
}

/** What a step starts from. */
type Start = Pick<State, 'jointQ' | 'jointQd' | 'bodyF'>;

/**
 * Trees at rest, which take no part in steps until something happens to them. Trees that touch each other fall asleep together, when
 * all have been slow for a while, and wake together: when something awake touches one of them, when its state or the forces on it
 * are not those with which it fell asleep, or when gravity changes. Trees with drives, actuators, tendons or loops never
 * sleep (as in MuJoCo), nor do those whose motion is given.
 */
export class TreeSleep {
	/** 1 for trees that sleep. */
	readonly isAsleep: Uint8Array;
	readonly #structure: TreeStructure;
	readonly #options: SleepOptions;
	/** 1 for trees that may sleep. */
	readonly #maySleep: Uint8Array;
	/** 1 for trees whose motion is given. */
	readonly #isGiven: Uint8Array;
	/** Time [s] for which each tree has been slow. */
	readonly #slowTime: Float64Array;
	/** Which of the trees that sleep fell asleep together: the first of them. */
	readonly #together: Int32Array;
	/** The first of the trees that touch each other, found by following this up. */
	readonly #first: Int32Array;
	/** By first tree: 1 when one of those that touch it is awake, or not yet slow for long enough. What sleeps has 0 between steps. */
	readonly #isBusy: Uint8Array;
	/** Coordinates after the last step, and the forces of those that sleep when they fell asleep. */
	readonly #jointQ: Float64Array;
	readonly #jointF: Float64Array;
	readonly #jointAct: Float64Array;
	readonly #bodyF: Float64Array;
	/** Gravity of each group in its last step [m/s²]. */
	readonly #gravity: Float64Array;
	readonly #forces: readonly RestingForces[];
	readonly #drives: DofDrives;
	readonly #loops: readonly Loop[];
	/** By the first of those that sleep together: 1 when they are to wake. */
	readonly #wakes: Uint8Array;
	/** Whether trees of the group that is stepped woke or fell asleep since its forces were kept. */
	#hasChanged = false;

	constructor(
		structure: TreeStructure,
		drives: DofDrives,
		actuators: LinearActuators,
		loops: readonly Loop[],
		options: SleepOptions,
	) {
		const { model, treeCount } = structure;
		const groups = structure.worldStart.length - 1;
		this.#structure = structure;
		this.#options = options;
		this.isAsleep = new Uint8Array(treeCount);
		this.#maySleep = new Uint8Array(treeCount);
		this.#isGiven = new Uint8Array(treeCount);
		this.#slowTime = new Float64Array(treeCount);
		this.#together = new Int32Array(treeCount);
		this.#first = new Int32Array(treeCount);
		this.#isBusy = new Uint8Array(treeCount);
		this.#wakes = new Uint8Array(treeCount);
		this.#jointQ = Float64Array.from(model.jointQ);
		this.#jointF = new Float64Array(model.jointDofCount);
		this.#jointAct = new Float64Array(model.jointDofCount);
		this.#bodyF = new Float64Array(6 * model.bodyCount);
		this.#gravity = new Float64Array(3 * groups);
		this.#forces = Array.from({ length: groups }, () => new RestingForces());
		this.#drives = drives;
		this.#loops = loops;
		this.refresh(actuators);
	}

	/** Takes over which trees never sleep, and wakes all. */
	refresh({ linear, passive, sites }: LinearActuators): void {
		this.#maySleep.fill(1);
		for (let group = 0; group < this.#forces.length; group++) this.wakeAll(group);
		const { positionOf, treeOf, bodyAt, dofAt, isGiven } = this.#structure;
		const ofBody = (body: number): void => {
			if (body >= 0 && treeOf[body]! >= 0) this.#maySleep[treeOf[body]!] = 0;
		};
		const ofDof = (dof: number): void => {
			if (dof >= 0 && positionOf[dof]! >= 0) ofBody(bodyAt[positionOf[dof]!]!);
		};
		for (const [position, dof] of dofAt.entries()) {
			if (this.#drives.has(dof)) ofDof(dof);
			if (isGiven[position] === 0) continue;
			ofDof(dof);
			this.#isGiven[treeOf[bodyAt[position]!]!] = 1;
		}
		for (const { dofs } of [...linear, ...passive]) for (const dof of dofs) ofDof(dof);
		for (const { body } of sites) ofBody(body);
		for (const { body0, body1, dof0, dof1 } of this.#loops) {
			ofBody(body0);
			ofBody(body1);
			ofDof(dof0);
			ofDof(dof1);
		}
	}

	/** Trees of a group that sleep. */
	count(group: number): number {
		const { worldStart, worldTrees } = this.#structure;
		let count = 0;
		for (let i = worldStart[group]!; i < worldStart[group + 1]!; i++) count += this.isAsleep[worldTrees[i]!]!;
		return count;
	}

	/** Wakes all trees of a group. */
	wakeAll(group: number): void {
		const { worldStart, worldTrees } = this.#structure;
		for (let i = worldStart[group]!; i < worldStart[group + 1]!; i++) {
			this.isAsleep[worldTrees[i]!] = 0;
			this.#slowTime[worldTrees[i]!] = 0;
		}
		this.#hasChanged = true;
	}

	/** Before the step of a group: wakes the trees that have a reason to. `rows` from `from` to `to` are its contacts. */
	wake(
		group: number,
		start: Start,
		{ jointF, jointAct }: DriveSource,
		gravity: Float64Array,
		contacts: Contacts | undefined,
		rows: Int32Array,
		from: number,
		to: number,
	): void {
		const { worldStart, worldTrees } = this.#structure;
		this.#hasChanged = false;
		if (this.#takeGravity(group, gravity)) this.wakeAll(group);
		const begin = worldStart[group]!;
		const end = worldStart[group + 1]!;
		for (let i = begin; i < end; i++) {
			const tree = worldTrees[i]!;
			this.#first[tree] = tree;
			if (this.isAsleep[tree] === 1 && this.#isPushed(tree, start, jointF, jointAct))
				this.#wakes[this.#together[tree]!] = 1;
			// what stood on a body that was put elsewhere falls
			if (this.#isGiven[tree] === 1 && this.#isMoved(tree, start.jointQ)) this.wakeAll(group);
		}
		this.#wakeMarked(begin, end);
		for (let i = from; i < to; i++) this.#join(contacts!, rows[i]!);
		for (let i = begin; i < end; i++) {
			const tree = worldTrees[i]!;
			if (this.isAsleep[tree] === 0 && this.#isGiven[tree] === 0) this.#isBusy[this.#firstOf(tree)] = 1;
		}
		for (let i = from; i < to; i++) this.#disturb(contacts!, rows[i]!, start.jointQd);
		for (let i = begin; i < end; i++) {
			const tree = worldTrees[i]!;
			if (this.isAsleep[tree] === 1 && this.#isBusy[this.#firstOf(tree)] === 1) this.#wakes[this.#together[tree]!] = 1;
		}
		this.#wakeMarked(begin, end);
	}

	/** Whether nothing in a contact is awake. */
	isResting(contacts: Contacts, row: number): boolean {
		const tree0 = this.#treeOf(contacts.rigidShape0[row]!);
		const tree1 = this.#treeOf(contacts.rigidShape1[row]!);
		const sleeps0 = tree0 >= 0 && this.isAsleep[tree0] === 1;
		const sleeps1 = tree1 >= 0 && this.isAsleep[tree1] === 1;
		return (sleeps0 || this.#isPassive(tree0)) && (sleeps1 || this.#isPassive(tree1)) && (sleeps0 || sleeps1);
	}

	/**
	 * After the step of a group: puts to sleep what has been slow for long enough, stops it, and writes the forces of contacts
	 * between those that sleep.
	 */
	settle(
		group: number,
		start: Start,
		{ jointF, jointAct }: DriveSource,
		out: State,
		contacts: Contacts | undefined,
		rows: Int32Array,
		from: number,
		to: number,
		dt: number,
	): void {
		const { worldStart, worldTrees } = this.#structure;
		const begin = worldStart[group]!;
		const end = worldStart[group + 1]!;
		const { sleepTime } = this.#options;
		const forces = contacts?.rigidForce === undefined ? undefined : this.#forces[group]!;
		forces?.begin();
		for (let i = from; i < to; i++) if (this.isResting(contacts!, rows[i]!)) forces?.write(contacts!, rows[i]!);
		for (let i = begin; i < end; i++) {
			const tree = worldTrees[i]!;
			this.#keepCoordinates(tree, out.jointQ);
			this.#isBusy[tree] = 0;
			if (this.isAsleep[tree] === 0) this.#slowTime[tree] = this.#isSlow(tree, out) ? this.#slowTime[tree]! + dt : 0;
		}
		for (let i = begin; i < end; i++) {
			const tree = worldTrees[i]!;
			if (this.#isGiven[tree] === 1 || this.isAsleep[tree] === 1) continue;
			if (this.#maySleep[tree] === 0 || this.#slowTime[tree]! < sleepTime) this.#isBusy[this.#firstOf(tree)] = 1;
		}
		for (let i = from; i < to; i++) this.#disturb(contacts!, rows[i]!, out.jointQd);
		for (let i = begin; i < end; i++) {
			const tree = worldTrees[i]!;
			if (this.#isGiven[tree] === 1 || this.isAsleep[tree] === 1 || this.#isBusy[this.#firstOf(tree)] === 1) continue;
			this.#fallAsleep(tree, start, jointF, jointAct, out);
		}
		if (forces === undefined || !this.#hasChanged) return;
		forces.clear();
		for (let i = from; i < to; i++) if (this.isResting(contacts!, rows[i]!)) forces.keep(contacts!, rows[i]!);
	}

	/** Whether what stands for a tree, -1 for what cannot move, follows no forces. */
	#isPassive(tree: number): boolean {
		return tree < 0 || this.#isGiven[tree] === 1;
	}

	#treeOf(shape: number): number {
		const body = shape < 0 ? WORLD : this.#structure.model.shapeBody[shape]!;
		return body < 0 || this.#structure.leafOf[body]! < 0 ? -1 : this.#structure.treeOf[body]!;
	}

	/** Takes the two trees of a contact for ones that touch; through bodies whose motion is given nothing hangs together. */
	#join(contacts: Contacts, row: number): void {
		const tree0 = this.#treeOf(contacts.rigidShape0[row]!);
		const tree1 = this.#treeOf(contacts.rigidShape1[row]!);
		if (tree0 < 0 || tree1 < 0 || this.#isGiven[tree0] === 1 || this.#isGiven[tree1] === 1) return;
		const first0 = this.#firstOf(tree0);
		const first1 = this.#firstOf(tree1);
		if (first0 < first1) this.#first[first1] = first0;
		else this.#first[first0] = first1;
	}

	#firstOf(tree: number): number {
		const first = this.#first;
		let at = tree;
		while (first[at] !== at) {
			// halves the way for those who come after
			first[at] = first[first[at]!]!;
			at = first[at]!;
		}
		return at;
	}

	/** Keeps what a moving body of given motion touches awake. */
	#disturb(contacts: Contacts, row: number, jointQd: Float64Array): void {
		const tree0 = this.#treeOf(contacts.rigidShape0[row]!);
		const tree1 = this.#treeOf(contacts.rigidShape1[row]!);
		if (tree0 < 0 || tree1 < 0 || this.#isGiven[tree0] === this.#isGiven[tree1]) return;
		const given = this.#isGiven[tree0] === 1 ? tree0 : tree1;
		if (!this.#isStill(given, jointQd)) this.#isBusy[this.#firstOf(given === tree0 ? tree1 : tree0)] = 1;
	}

	/** Wakes those that are marked, with all that fell asleep with them. */
	#wakeMarked(begin: number, end: number): void {
		const { worldTrees } = this.#structure;
		for (let i = begin; i < end; i++) {
			const tree = worldTrees[i]!;
			if (this.isAsleep[tree] === 0 || this.#wakes[this.#together[tree]!] === 0) continue;
			this.isAsleep[tree] = 0;
			this.#slowTime[tree] = 0;
			this.#hasChanged = true;
		}
		for (let i = begin; i < end; i++) this.#wakes[worldTrees[i]!] = 0;
	}

	/** Whether a tree is not as it fell asleep: elsewhere, in motion, or under other forces. */
	#isPushed(tree: number, { jointQ, jointQd, bodyF }: Start, jointF: Float64Array, jointAct: Float64Array): boolean {
		const { jointStart, joints, dofStart, dofAt, model } = this.#structure;
		if (this.#isMoved(tree, jointQ) || !this.#isStill(tree, jointQd)) return true;
		for (let p = dofStart[tree]!; p < dofStart[tree + 1]!; p++) {
			const dof = dofAt[p]!;
			if (jointF[dof] !== this.#jointF[dof] || jointAct[dof] !== this.#jointAct[dof]) return true;
		}
		for (let k = jointStart[tree]!; k < jointStart[tree + 1]!; k++) {
			const body = model.jointChild[joints[k]!]!;
			for (let i = 6 * body; i < 6 * body + 6; i++) if (bodyF[i] !== this.#bodyF[i]) return true;
		}
		return false;
	}

	/** Whether the coordinates of a tree are others than after its last step. */
	#isMoved(tree: number, jointQ: Float64Array): boolean {
		const { jointStart, joints, model } = this.#structure;
		for (let k = jointStart[tree]!; k < jointStart[tree + 1]!; k++) {
			const joint = joints[k]!;
			for (let q = model.jointQStart[joint]!; q < model.jointQStart[joint + 1]!; q++)
				if (jointQ[q] !== this.#jointQ[q]) return true;
		}
		return false;
	}

	#isStill(tree: number, jointQd: Float64Array): boolean {
		const { dofStart, dofAt } = this.#structure;
		for (let p = dofStart[tree]!; p < dofStart[tree + 1]!; p++) if (jointQd[dofAt[p]!] !== 0) return false;
		return true;
	}

	#isSlow(tree: number, { jointQd }: State): boolean {
		const { dofStart, dofAt } = this.#structure;
		const { sleepSpeed } = this.#options;
		for (let p = dofStart[tree]!; p < dofStart[tree + 1]!; p++)
			if (!(Math.abs(jointQd[dofAt[p]!]!) < sleepSpeed)) return false;
		return true;
	}

	#keepCoordinates(tree: number, jointQ: Float64Array): void {
		const { jointStart, joints, model } = this.#structure;
		for (let k = jointStart[tree]!; k < jointStart[tree + 1]!; k++) {
			const joint = joints[k]!;
			for (let q = model.jointQStart[joint]!; q < model.jointQStart[joint + 1]!; q++) this.#jointQ[q] = jointQ[q]!;
		}
	}

	#fallAsleep(tree: number, { bodyF }: Start, jointF: Float64Array, jointAct: Float64Array, out: State): void {
		const { jointStart, joints, dofStart, dofAt, model } = this.#structure;
		this.isAsleep[tree] = 1;
		this.#together[tree] = this.#firstOf(tree);
		this.#hasChanged = true;
		for (let p = dofStart[tree]!; p < dofStart[tree + 1]!; p++) {
			const dof = dofAt[p]!;
			out.jointQd[dof] = 0;
			this.#jointF[dof] = jointF[dof]!;
			this.#jointAct[dof] = jointAct[dof]!;
		}
		for (let k = jointStart[tree]!; k < jointStart[tree + 1]!; k++) {
			const body = model.jointChild[joints[k]!]!;
			for (let i = 6 * body; i < 6 * body + 6; i++) {
				out.bodyQd[i] = 0;
				this.#bodyF[i] = bodyF[i]!;
			}
		}
	}

	/** Takes the gravity of a group. Gives whether it is another than before. */
	#takeGravity(group: number, gravity: Float64Array): boolean {
		let isOther = false;
		for (let k = 0; k < 3; k++) {
			if (this.#gravity[3 * group + k] !== gravity[k]) isOther = true;
			this.#gravity[3 * group + k] = gravity[k]!;
		}
		return isOther;
	}
}
