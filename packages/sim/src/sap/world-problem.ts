import type { FreeMotion } from './free-motion.ts';
import { SapProblem } from './sap-problem.ts';
import { TreeOrder } from './tree-order.ts';

/**
 * The convex problem of one world: which trees take part, where their degrees of freedom stand in it, and the columns that the
 * motion of two bodies has. Used again for world after world.
 */
export class WorldProblem {
	readonly motion: FreeMotion;
	readonly problem: SapProblem = new SapProblem();
	readonly order: TreeOrder;
	/** Velocities of the problem: the guess, then the solution. */
	v: Float64Array = new Float64Array(16);

	/** Columns of two bodies, set by `collect`: degree of freedom in the problem (-1 when its velocity is given), in the model. */
	readonly column: Int32Array;
	readonly dof: Int32Array;
	/** Which body depends on it: 1 the first, 2 the second, 3 both. */
	readonly side: Uint8Array;
	columnCount = 0;
	/** The bodies that were collected last in this problem. */
	#isCollected = false;
	#collected0 = 0;
	#collected1 = 0;

	/** First position of each tree in the problem, less its first position in the structure; for trees that take part. */
	readonly #shift: Int32Array;
	/** Step in which each tree was last given a place. */
	readonly #isPlaced: Uint8Array;

	/** Whether the guess is free motion, not the velocity at the start. */
	readonly #fromFree: boolean;

	constructor(motion: FreeMotion, fromFree: boolean) {
		this.#fromFree = fromFree;
		const { structure } = motion;
		this.motion = motion;
		this.order = new TreeOrder(structure.treeCount);
		const most = structure.dofAt.length;
		this.column = new Int32Array(most);
		this.dof = new Int32Array(most);
		this.side = new Uint8Array(most);
		this.#shift = new Int32Array(structure.treeCount);
		this.#isPlaced = new Uint8Array(structure.treeCount);
	}

	/** Sets up mass matrix, free velocities and guess for the trees that take part, in the order that was found. */
	begin(): void {
		const { motion, problem, order } = this;
		const { structure } = motion;
		const { dofStart, dofAt, subtree, base } = structure;
		let size = 0;
		for (let i = 0; i < order.count; i++) {
			const tree = order.trees[i]!;
			this.#shift[tree] = size - dofStart[tree]!;
			this.#isPlaced[tree] = 1;
			size += dofStart[tree + 1]! - dofStart[tree]!;
		}
		problem.reset(size);
		if (size > this.v.length) this.v = new Float64Array(Math.max(size, 2 * this.v.length));
		// the mass matrix is read where it was computed
		const { mass, vStar } = problem;
		mass.view(motion.dynamics.mass, size);
		const { first: rowFirst, base: rowBase } = mass;
		const { vStar: free, v0, isFixed } = motion;
		const fromFree = this.#fromFree;
		const { v } = this;
		for (let i = 0; i < order.count; i++) {
			const tree = order.trees[i]!;
			const shift = this.#shift[tree]!;
			const end = dofStart[tree + 1]!;
			for (let p = dofStart[tree]!; p < end; p++) {
				const dof = dofAt[p]!;
				const at = p + shift;
				rowFirst[at] = subtree[p]! + shift;
				rowBase[at] = base[p]! - shift;
				vStar[at] = free[dof]!;
				v[at] = fromFree || isFixed[p] === 1 ? free[dof]! : v0[dof]!;
			}
		}
		this.#isCollected = false;
	}

	/** Forgets which trees take part. */
	end(): void {
		for (let i = 0; i < this.order.count; i++) this.#isPlaced[this.order.trees[i]!] = 0;
	}

	/** Place of a degree of freedom in the problem, -1 when its velocity is given. */
	placeOf(dof: number): number {
		const { structure } = this.motion.dynamics.kinematics;
		const p = structure.positionOf[dof]!;
		if (p < 0 || this.motion.isFixed[p] === 1) return -1;
		return p + this.#shift[structure.treeOf[structure.bodyAt[p]!]!]!;
	}

	/** What a position of a tree that takes part and its place in the problem differ by. */
	shiftOf(tree: number): number {
		return this.#shift[tree]!;
	}

	/** Whether a body moves with degrees of freedom of this problem. */
	isMoved(body: number): boolean {
		if (body < 0) return false;
		const tree = this.motion.structure.treeOf[body]!;
		return tree >= 0 && this.#isPlaced[tree] === 1;
	}

	/** Collects the degrees of freedom that move two bodies, in ascending order of their places. */
	collect(body0: number, body1: number): void {
		// contacts of one pair of bodies come in a row
		if (this.#isCollected && body0 === this.#collected0 && body1 === this.#collected1) return;
		this.#isCollected = true;
		this.#collected0 = body0;
		this.#collected1 = body1;
		const { structure } = this.motion.dynamics.kinematics;
		const { above, dofAt } = structure;
		const { isFixed } = this.motion;
		const { dof, column, side } = this;
		const isMoved0 = this.isMoved(body0);
		const isMoved1 = this.isMoved(body1);
		let p0 = isMoved0 ? structure.leafOf[body0]! : -1;
		let p1 = isMoved1 ? structure.leafOf[body1]! : -1;
		const shift0 = isMoved0 ? this.#shift[structure.treeOf[body0]!]! : 0;
		const shift1 = isMoved1 ? this.#shift[structure.treeOf[body1]!]! : 0;
		let at = 0;
		while (p0 >= 0 || p1 >= 0) {
			const c0 = p0 >= 0 ? p0 + shift0 : BEYOND;
			const c1 = p1 >= 0 ? p1 + shift1 : BEYOND;
			const p = c0 <= c1 ? p0 : p1;
			dof[at] = dofAt[p]!;
			column[at] = isFixed[p] === 1 ? -1 : Math.min(c0, c1);
			side[at] = c0 < c1 ? 1 : c1 < c0 ? 2 : 3;
			at++;
			if (c0 <= c1) p0 = above[p0]!;
			if (c1 <= c0) p1 = above[p1]!;
		}
		this.columnCount = at;
	}
}

/** A place that no degree of freedom has. */
const BEYOND = 0x3fffffff;
