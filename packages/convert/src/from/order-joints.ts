import type { ConversionJoint } from '../model/conversion-model.ts';

/** Joints of trees and joints that close loops. */
export interface OrderedJoints {
	/** Depth first, parents before children, in the order of the source below each body. */
	readonly joints: ConversionJoint[];
	readonly loops: ConversionJoint[];
	/** Bodies in the order in which the trees meet them. */
	readonly bodies: number[];
}

/**
 * Sorts joints into trees: every body has one joint that holds it, the first in the order of the source that reaches it from the
 * roots. Joints that join bodies which hang together already close loops.
 *
 * @param isRoot Whether a body starts a tree although a joint leads to it.
 */
export function orderJoints(
	bodyCount: number,
	joints: readonly ConversionJoint[],
	loops: readonly ConversionJoint[] = [],
): OrderedJoints {
	const below = new Map<number, ConversionJoint[]>();
	const isHeld = new Uint8Array(bodyCount);
	for (const joint of joints) {
		const siblings = below.get(joint.parent);
		if (siblings === undefined) below.set(joint.parent, [joint]);
		else siblings.push(joint);
		isHeld[joint.child] = 1;
	}
	const ordered: ConversionJoint[] = [];
	const order: number[] = [];
	const isPlaced = new Uint8Array(bodyCount);
	const closing = [...loops];
	const grow = (root: number): void => {
		const open = [...(below.get(root) ?? [])].reverse();
		for (let joint = open.pop(); joint !== undefined; joint = open.pop()) {
			if (isPlaced[joint.child]) {
				closing.push(joint);
				continue;
			}
			isPlaced[joint.child] = 1;
			order.push(joint.child);
			ordered.push(joint);
			const next = below.get(joint.child) ?? [];
			for (let i = next.length - 1; i >= 0; i--) open.push(next[i]!);
		}
	};
	grow(-1);
	const start = (body: number): void => {
		if (isPlaced[body]) return;
		isPlaced[body] = 1;
		order.push(body);
		grow(body);
	};
	for (let body = 0; body < bodyCount; body++) if (!isHeld[body]) start(body);
	// what is left goes round in circles
	for (let body = 0; body < bodyCount; body++) start(body);
	return { joints: ordered, loops: closing, bodies: order };
}
