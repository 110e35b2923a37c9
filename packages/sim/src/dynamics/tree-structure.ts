import { BodyFlags, type Model, WORLD } from '@manyworlds/model';

/**
 * The trees of a model as the solver sees them: articulations, and single joints that hang on the world outside of one. The
 * degrees of freedom of a tree have positions in postorder, children before parents, so that the subtree of a degree of
 * freedom is a run of positions that ends with it. Made once for a model.
 */
export class TreeStructure {
	readonly model: Model;
	/** First entry of each tree in `joints`, then the total; shape (trees + 1). */
	readonly jointStart: Int32Array;
	/** Joints of the trees, parents before children. */
	readonly joints: Int32Array;
	/** World of each tree, -1 for global. */
	readonly world: Int32Array;
	/** First position of each tree, then the total; shape (trees + 1). */
	readonly dofStart: Int32Array;
	/** Degree of freedom at each position. */
	readonly dofAt: Int32Array;
	/** Position of each degree of freedom, -1 for those of no tree. */
	readonly positionOf: Int32Array;
	/** First position of the subtree of each position. */
	readonly subtree: Int32Array;
	/** Position of the next degree of freedom towards the root, -1 at the root. */
	readonly above: Int32Array;
	/** First entry of each position's row in the mass matrices, row after row; shape (positions + 1). */
	readonly entry: Int32Array;
	/** `entry` less `subtree`: the entry of row p and column c is at `base[p] + c`. */
	readonly base: Int32Array;
	/** Body that each position moves. */
	readonly bodyAt: Int32Array;
	/** Tree of each body, -1 for bodies that no joint moves. */
	readonly treeOf: Int32Array;
	/** Position nearest to each body on its way to the root, -1 for bodies that cannot move. */
	readonly leafOf: Int32Array;
	/** Joint of a tree that moves each body, -1 for none. */
	readonly moverOf: Int32Array;
	/** 1 for positions of kinematic bodies, whose velocities are given. */
	readonly isGiven: Uint8Array;
	/** Joints that close loops, ascending. */
	readonly loopJoints: Int32Array;
	/** Trees of each world in order: `worldTrees[worldStart[w]]` on; behind the worlds come the global ones. */
	readonly worldTrees: Int32Array;
	readonly worldStart: Int32Array;

	constructor(model: Model) {
		this.model = model;
		const moverOf = new Int32Array(model.bodyCount).fill(-1);
		const trees: number[][] = [];
		for (let a = 0; a < model.articulationCount; a++) {
			const joints: number[] = [];
			for (let j = model.articulationStart[a]!; j < model.articulationEnd[a]!; j++) joints.push(j);
			for (const joint of joints) moverOf[model.jointChild[joint]!] = joint;
			trees.push(joints);
		}
		const loops: number[] = [];
		for (let joint = 0; joint < model.jointCount; joint++) {
			if (model.jointArticulation[joint]! >= 0) continue;
			const child = model.jointChild[joint]!;
			if (moverOf[child] === -1 && model.jointParent[joint] === WORLD) {
				moverOf[child] = joint;
				trees.push([joint]);
			} else loops.push(joint);
		}
		this.moverOf = moverOf;
		this.loopJoints = Int32Array.from(loops);
		this.jointStart = starts(trees.map((joints) => joints.length));
		this.joints = Int32Array.from(trees.flat());
		this.world = Int32Array.from(trees, (joints) => (joints.length > 0 ? model.jointWorld[joints[0]!]! : WORLD));

		const orders = trees.map((joints) => postorder(model, joints, moverOf));
		this.dofStart = starts(orders.map((order) => order.length));
		this.dofAt = Int32Array.from(orders.flatMap((order) => order.map(([dof]) => dof)));
		this.bodyAt = Int32Array.from(orders.flatMap((order) => order.map(([, joint]) => model.jointChild[joint]!)));
		this.positionOf = new Int32Array(model.jointDofCount).fill(-1);
		this.dofAt.forEach((dof, position) => {
			this.positionOf[dof] = position;
		});
		this.treeOf = new Int32Array(model.bodyCount).fill(-1);
		trees.forEach((joints, tree) => {
			for (const joint of joints) this.treeOf[model.jointChild[joint]!] = tree;
		});
		this.leafOf = Int32Array.from({ length: model.bodyCount }, (_, body) => this.#leaf(body));
		this.above = Int32Array.from(this.dofAt, (dof, position) => this.#above(dof, this.bodyAt[position]!));
		this.subtree = new Int32Array(this.dofAt.length);
		this.entry = new Int32Array(this.dofAt.length + 1);
		for (let p = 0; p < this.subtree.length; p++) this.subtree[p] = p;
		for (let p = 0; p < this.subtree.length; p++) {
			const up = this.above[p]!;
			if (up >= 0) this.subtree[up] = Math.min(this.subtree[up]!, this.subtree[p]!);
			this.entry[p + 1] = this.entry[p]! + p - this.subtree[p]! + 1;
		}
		this.base = this.subtree.map((first, p) => this.entry[p]! - first);
		this.isGiven = Uint8Array.from(this.bodyAt, (body) =>
			(model.bodyFlags[body]! & BodyFlags.KINEMATIC) !== 0 ? 1 : 0,
		);
		[this.worldTrees, this.worldStart] = byWorld(this.world, Math.max(1, model.worldCount));
	}

	get treeCount(): number {
		return this.world.length;
	}

	/** Last degree of freedom on the way from the root to a body. */
	#leaf(body: number): number {
		const { model } = this;
		for (let b = body; b !== WORLD; ) {
			const joint = this.moverOf[b]!;
			if (joint < 0) return -1;
			const end = model.jointQdStart[joint + 1]!;
			if (end > model.jointQdStart[joint]!) return this.positionOf[end - 1]!;
			b = model.jointParent[joint]!;
		}
		return -1;
	}

	#above(dof: number, body: number): number {
		const joint = this.moverOf[body]!;
		if (dof > this.model.jointQdStart[joint]!) return this.positionOf[dof - 1]!;
		const parent = this.model.jointParent[joint]!;
		return parent === WORLD ? -1 : this.leafOf[parent]!;
	}
}

function starts(sizes: readonly number[]): Int32Array {
	const out = new Int32Array(sizes.length + 1);
	sizes.forEach((size, i) => {
		out[i + 1] = out[i]! + size;
	});
	return out;
}

/** Degrees of freedom of a tree with their joints: depth first from the root, turned around. */
function postorder(model: Model, joints: readonly number[], moverOf: Int32Array): [dof: number, joint: number][] {
	const children = new Map<number, number[]>();
	const roots: number[] = [];
	for (const joint of joints) {
		const parent = model.jointParent[joint]!;
		const above = parent === WORLD ? -1 : moverOf[parent]!;
		if (above < 0) roots.push(joint);
		else children.set(above, [...(children.get(above) ?? []), joint]);
	}
	const out: [number, number][] = [];
	const stack = roots.reverse();
	for (let joint = stack.pop(); joint !== undefined; joint = stack.pop()) {
		for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) out.push([dof, joint]);
		stack.push(...(children.get(joint) ?? []));
	}
	return out.reverse();
}

function byWorld(world: Int32Array, worlds: number): [trees: Int32Array, start: Int32Array] {
	const groups: number[][] = Array.from({ length: worlds + 1 }, () => []);
	// without worlds everything is global and makes one world
	world.forEach((w, tree) => {
		groups[w < 0 ? (worlds === 1 ? 0 : worlds) : w]!.push(tree);
	});
	return [Int32Array.from(groups.flat()), starts(groups.map((group) => group.length))];
}
