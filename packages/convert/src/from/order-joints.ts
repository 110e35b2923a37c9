import type { ConversionJoint } from '../model/conversion-model.ts';

/** Joints of trees and joints that close loops. */
export interface OrderedJoints {
	/** Depth first, parents before children, in the order of the source below each body. */
	readonly joints: ConversionJoint[];
	readonly loops: ConversionJoint[];
}

/**
 * Sorts joints into trees: every body hangs on the joint that reaches it from the roots by the fewest others, in the order of the
 * source where several do. What is left closes loops. A joint that leads towards the root is turned round.
 */
export function orderJoints(
	bodyCount: number,
	joints: readonly ConversionJoint[],
	loops: readonly ConversionJoint[] = [],
): OrderedJoints {
	const around = new Map<number, ConversionJoint[]>();
	const meet = (body: number, joint: ConversionJoint): void => {
		const known = around.get(body);
		if (known === undefined) around.set(body, [joint]);
		else known.push(joint);
	};
	const isHeld = new Uint8Array(bodyCount);
	for (const joint of joints) {
		meet(joint.parent, joint);
		meet(joint.child, joint);
		if (joint.child >= 0) isHeld[joint.child] = 1;
	}
	const isPlaced = new Uint8Array(bodyCount);
	const isUsed = new Set<ConversionJoint>();
	const closing = [...loops];
	const below = new Map<number, ConversionJoint[]>();
	const grow = (root: number): void => {
		const queue = [root];
		for (const body of queue) {
			const own: ConversionJoint[] = [];
			for (const joint of around.get(body) ?? []) {
				if (isUsed.has(joint)) continue;
				isUsed.add(joint);
				const other = joint.parent === body ? joint.child : joint.parent;
				if (other < 0 || isPlaced[other]) {
					closing.push(joint);
					continue;
				}
				isPlaced[other] = 1;
				own.push(joint.child === other ? joint : turnedRound(joint));
				queue.push(other);
			}
			below.set(body, own);
		}
	};
	const roots = [-1];
	grow(-1);
	const start = (body: number): void => {
		if (isPlaced[body]) return;
		isPlaced[body] = 1;
		roots.push(body);
		grow(body);
	};
	for (let body = 0; body < bodyCount; body++) if (!isHeld[body]) start(body);
	// what is left goes round in circles
	for (let body = 0; body < bodyCount; body++) start(body);
	return { joints: depthFirst(roots, below), loops: closing };
}

function depthFirst(
	roots: readonly number[],
	below: ReadonlyMap<number, readonly ConversionJoint[]>,
): ConversionJoint[] {
	const ordered: ConversionJoint[] = [];
	for (const root of roots) {
		const open = [...(below.get(root) ?? [])].reverse();
		for (let joint = open.pop(); joint !== undefined; joint = open.pop()) {
			ordered.push(joint);
			const next = below.get(joint.child) ?? [];
			for (let i = next.length - 1; i >= 0; i--) open.push(next[i]!);
		}
	}
	return ordered;
}

/** The same joint from its child to its parent: coordinates still say how the one that was the child moves against the other. */
function turnedRound(joint: ConversionJoint): ConversionJoint {
	return {
		...joint,
		parent: joint.child,
		child: joint.parent,
		parentFrame: joint.childFrame,
		childFrame: joint.parentFrame,
		// the inverse of several motions comes in the other order
		freedoms: joint.freedoms.toReversed().map((freedom) => ({
			...freedom,
			axis: [-freedom.axis[0], -freedom.axis[1], -freedom.axis[2]],
		})),
	};
}
