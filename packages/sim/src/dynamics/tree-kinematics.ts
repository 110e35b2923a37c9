import { TreePlacement, WORLD } from '@manyworlds/model';
import type { TreeStructure } from './tree-structure.ts';

/**
 * Where the bodies of trees are, how their degrees of freedom move them, and how fast they move. Velocities inside the solver
 * are twists: angular velocity, then velocity of the point at the tree's origin.
 */
export class TreeKinematics extends TreePlacement {
	readonly structure: TreeStructure;
	/** Pose of each body; shape (bodies, 7). */
	readonly bodyQ: Float64Array;
	/** Twist of each body; shape (bodies, 6). */
	readonly velocity: Float64Array;

	/** Coordinates that trees were last placed for, and which were. */
	readonly #placedQ: Float64Array;
	readonly #isPlaced: Uint8Array;

	constructor(structure: TreeStructure) {
		const { model } = structure;
		const trees = Array.from({ length: structure.treeCount }, (_, tree) =>
			structure.joints.subarray(structure.jointStart[tree]!, structure.jointStart[tree + 1]!),
		);
		super(model, trees, { withMotion: true });
		this.structure = structure;
		this.bodyQ = Float64Array.from(model.bodyQ);
		this.velocity = new Float64Array(6 * model.bodyCount);
		this.#placedQ = new Float64Array(model.jointCoordCount);
		this.#isPlaced = new Uint8Array(structure.treeCount);
		this.placeComs(this.bodyQ);
	}

	/** Forgets what was placed and takes the joint frames of the model again. */
	invalidate(): void {
		this.#isPlaced.fill(0);
		this.refresh();
	}

	/**
	 * Places a tree, or does nothing when it was placed for the same coordinates last: the state that a step gives is the one
	 * that the next step takes.
	 */
	placeAnew(tree: number, jointQ: Float64Array): void {
		if (this.#isPlaced[tree] === 1 && this.#isSame(tree, jointQ)) return;
		this.placeTree(tree, jointQ);
	}

	/** Places the bodies and twists of a tree. */
	placeTree(tree: number, jointQ: Float64Array): void {
		const { structure } = this;
		const { jointQStart } = structure.model;
		const { joints } = structure;
		const placedQ = this.#placedQ;
		const end = structure.jointStart[tree + 1]!;
		for (let i = structure.jointStart[tree]!; i < end; i++) {
			const qEnd = jointQStart[joints[i]! + 1]!;
			for (let q = jointQStart[joints[i]!]!; q < qEnd; q++) placedQ[q] = jointQ[q]!;
		}
		this.#isPlaced[tree] = 1;
		this.place(tree, jointQ, undefined, this);
	}

	#isSame(tree: number, jointQ: Float64Array): boolean {
		const { structure } = this;
		const { jointQStart } = structure.model;
		const placedQ = this.#placedQ;
		for (let i = structure.jointStart[tree]!; i < structure.jointStart[tree + 1]!; i++) {
			const joint = structure.joints[i]!;
			for (let q = jointQStart[joint]!; q < jointQStart[joint + 1]!; q++) if (jointQ[q] !== placedQ[q]) return false;
		}
		return true;
	}

	/** Twists of the bodies of a tree for velocities by degree of freedom; the tree must be placed. */
	move(tree: number, v: Float64Array): void {
		const { structure, velocity, twist } = this;
		const { jointChild, jointParent, jointQdStart } = structure.model;
		const { joints } = structure;
		const end = structure.jointStart[tree + 1]!;
		for (let i = structure.jointStart[tree]!; i < end; i++) {
			const joint = joints[i]!;
			const parent = jointParent[joint]!;
			let wx = 0;
			let wy = 0;
			let wz = 0;
			let ux = 0;
			let uy = 0;
			let uz = 0;
			if (parent !== WORLD) {
				const from = 6 * parent;
				wx = velocity[from]!;
				wy = velocity[from + 1]!;
				wz = velocity[from + 2]!;
				ux = velocity[from + 3]!;
				uy = velocity[from + 4]!;
				uz = velocity[from + 5]!;
			}
			const dofEnd = jointQdStart[joint + 1]!;
			for (let dof = jointQdStart[joint]!; dof < dofEnd; dof++) {
				const rate = v[dof]!;
				const at = 6 * dof;
				wx += twist[at]! * rate;
				wy += twist[at + 1]! * rate;
				wz += twist[at + 2]! * rate;
				ux += twist[at + 3]! * rate;
				uy += twist[at + 4]! * rate;
				uz += twist[at + 5]! * rate;
			}
			const out = 6 * jointChild[joint]!;
			velocity[out] = wx;
			velocity[out + 1] = wy;
			velocity[out + 2] = wz;
			velocity[out + 3] = ux;
			velocity[out + 4] = uy;
			velocity[out + 5] = uz;
		}
	}
}
