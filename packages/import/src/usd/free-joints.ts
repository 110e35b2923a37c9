import { quatRotateInverse, transformMultiply, transformPoint, vec3Cross } from '@manyworlds/core/internal';
import { JointType, WORLD } from '@manyworlds/model';
import { rowOf } from '../row-of.ts';
import type { ImportContext } from './context.ts';

/** Gives free joints of imported bodies the velocities of those bodies, seen from the joint's frame in its parent. */
export function initializeFreeJoints(ctx: ImportContext): void {
	const { builder } = ctx;
	const imported = new Set(ctx.bodies.values());
	const types = builder.column('jointType');
	const parents = builder.column('jointParent');
	const children = builder.column('jointChild');
	const poses = builder.column('bodyQ');
	const velocities = builder.column('bodyQd');
	const coms = builder.column('bodyCom');
	const starts = builder.column('jointQdStart');
	const frames = builder.column('jointXP');
	const qd = builder.column('jointQd');
	for (let joint = 0; joint < types.length; joint++) {
		const child = children[joint]!;
		if (types[joint] !== JointType.FREE || !imported.has(child)) continue;
		const velocity = rowOf(velocities, 6, child);
		const frame = rowOf(frames, 7, joint);
		const parent = parents[joint]!;
		if (parent !== WORLD) {
			transformMultiply(frame, poses, frame, 0, 7 * parent, 0);
			const arm = transformPoint(new Float64Array(3), poses, coms, 0, 7 * child, 3 * child);
			const center = transformPoint(new Float64Array(3), poses, coms, 0, 7 * parent, 3 * parent);
			for (let i = 0; i < 3; i++) arm[i] = arm[i]! - center[i]!;
			const swing = vec3Cross(new Float64Array(3), velocities, arm, 0, 6 * parent + 3, 0);
			for (let i = 0; i < 3; i++) {
				velocity[i] = velocity[i]! - velocities[6 * parent + i]! - swing[i]!;
				velocity[3 + i] = velocity[3 + i]! - velocities[6 * parent + 3 + i]!;
			}
		}
		quatRotateInverse(qd, frame, velocity, starts[joint]!, 3, 0);
		quatRotateInverse(qd, frame, velocity, starts[joint]! + 3, 3, 3);
	}
}
