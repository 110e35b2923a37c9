import type { Prim, Stage } from '@manyworlds/usd';
import { traverse, xformOps } from '@manyworlds/usd/internal';

/** Attributes besides transforms that show something else over time. */
const SHOWN: readonly string[] = ['visibility', 'points', 'positions', 'orientations', 'scales'];

/** What of a prim changes over time. */
export interface PrimMotion {
	readonly prim: Prim;
	/** Whether its transform does. */
	readonly isMoving: boolean;
	/** Other attributes that do. */
	readonly others: readonly string[];
}

/** What of a prim changes over time: its place, shape or visibility; undefined for nothing. */
export function motionOf(prim: Prim): PrimMotion | undefined {
	const isMoving = prim.isA('Xformable') && xformOps(prim).ops.some(({ attribute }) => attribute.mightBeTimeVarying);
	const others = prim.isA('Imageable') ? SHOWN.filter((name) => prim.attribute(name).mightBeTimeVarying) : [];
	return isMoving || others.length > 0 ? { prim, isMoving, others } : undefined;
}

/** Prims of a stage that change over time, with what does. */
export function motionsOf(stage: Stage): PrimMotion[] {
	const found: PrimMotion[] = [];
	for (const prim of traverse(stage.pseudoRoot)) {
		const motion = motionOf(prim);
		if (motion !== undefined) found.push(motion);
	}
	return found;
}
