import { type Path, type Prim, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { treeRank } from './tree-rank.ts';

/** One side of a joint. @public */
export interface JointEnd {
	/** What the relationship names, in order. */
	readonly targets: readonly Path[];
	/** The first target, if it exists. */
	readonly target: Prim | undefined;
	/** The rigid body that the target is or belongs to; undefined for the world. */
	readonly body: Prim | undefined;
}

/** A joint as its relationships describe it. @public */
export interface JointInfo {
	readonly prim: Prim;
	readonly body0: JointEnd;
	readonly body1: JointEnd;
	readonly isEnabled: boolean;
	/** Whether it is a constraint and no link of the tree. */
	readonly isExcluded: boolean;
}

/**
 * Bodies and what connects them. Components are bodies that hang together by joints that are enabled and not excluded; a joint to
 * the world connects nothing.
 * @public
 */
export class JointGraph {
	readonly joints: readonly JointInfo[];
	readonly #parent = new Map<Path, Path>();
	/** Joints whose bodies hang together without them, in the order of the stage: of each loop the one that belongs least into a tree. */
	readonly loops: readonly JointInfo[];

	constructor(jointPrims: readonly Prim[], bodyOf: (prim: Prim) => Prim | undefined) {
		this.joints = jointPrims.map((prim) => readJoint(prim, bodyOf));
		const loops = new Set<JointInfo>();
		const ranked = this.joints.filter(isTreeJoint).map((joint) => ({ joint, rank: treeRank(joint.prim) }));
		for (const { joint } of ranked.sort((a, b) => a.rank - b.rank)) {
			const a = this.#find(joint.body0.body!.path);
			const b = this.#find(joint.body1.body!.path);
			if (a === b) loops.add(joint);
			else this.#parent.set(b, a);
		}
		this.loops = this.joints.filter((joint) => loops.has(joint));
	}

	/** A path that all bodies of a component share and no other body has. */
	componentOf(body: Prim): Path {
		return this.#find(body.path);
	}

	/** Whether two bodies hang together. */
	areConnected(a: Prim, b: Prim): boolean {
		return this.componentOf(a) === this.componentOf(b);
	}

	#find(path: Path): Path {
		let root = path;
		for (let next = this.#parent.get(root); next !== undefined; next = this.#parent.get(root)) root = next;
		for (let at = path; at !== root; ) {
			const next = this.#parent.get(at)!;
			this.#parent.set(at, root);
			at = next;
		}
		return root;
	}
}

/** Whether a joint connects two bodies of the tree. @public */
export function isTreeJoint({ body0, body1, isEnabled, isExcluded }: JointInfo): boolean {
	return (
		isEnabled &&
		!isExcluded &&
		body0.body !== undefined &&
		body1.body !== undefined &&
		body0.body.path !== body1.body.path
	);
}

function readJoint(prim: Prim, bodyOf: (prim: Prim) => Prim | undefined): JointInfo {
	return {
		prim,
		body0: readEnd(prim, 'physics:body0', bodyOf),
		body1: readEnd(prim, 'physics:body1', bodyOf),
		isEnabled: dataOf(prim.attribute('physics:jointEnabled').get(), T.bool) ?? true,
		isExcluded: dataOf(prim.attribute('physics:excludeFromArticulation').get(), T.bool) ?? false,
	};
}

function readEnd(prim: Prim, name: string, bodyOf: (prim: Prim) => Prim | undefined): JointEnd {
	const targets = prim.relationship(name).targets();
	const target = targets[0] && prim.stage.prim(targets[0].primPath);
	return { targets, target, body: target && bodyOf(target) };
}
