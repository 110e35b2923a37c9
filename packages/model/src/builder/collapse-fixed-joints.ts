import {
	quatRotate,
	quatRotateInverse,
	transformInvert,
	transformMultiply,
	transformPoint,
} from '@manyworlds/core/internal';
import { createDiagnostic } from '../diagnostics.ts';
import { EqualityType, JointType, WORLD } from '../enums.ts';
import { describe } from '../model-error.ts';
import { rotateInertia } from '../rotate-inertia.ts';
import { addBodyMass } from './add-shape.ts';
import type { BuilderCore } from './builder-core.ts';
import { renumber } from './renumber.ts';

/** What became of the bodies and joints; all keys are the indices before. @public */
export interface CollapseResult {
	/** New index of each body that stays; -1, the world, stays -1. */
	readonly bodyRemap: ReadonlyMap<number, number>;
	readonly jointRemap: ReadonlyMap<number, number>;
	readonly articulationRemap: ReadonlyMap<number, number>;
	/** For each merged body the body (old index, or -1) that it became a part of. */
	readonly bodyMergedParent: ReadonlyMap<number, number>;
	/** For each merged body its pose in that body, position and quaternion. */
	readonly bodyMergedTransform: ReadonlyMap<number, Float64Array>;
}

/**
 * Merges every body that a fixed joint holds into the nearest ancestor that stays: shapes move over, masses and inertias
 * add about the common centre of mass, other joints and constraints are anchored anew, and custom attributes follow
 * their entities. Joints named in `keep` (by label or index) stay. A body of an equality constraint, or one that another
 * joint moves as well, is not merged into the world.
 */
export function collapseFixedJoints(core: BuilderCore, keep: ReadonlySet<string | number>): CollapseResult {
	const { tables } = core;
	const plan = planMerges(core, keep);
	const heavier = new Set<number>();
	for (const body of plan.order) {
		const ancestor = plan.parent.get(body)!;
		mergeBody(core, body, ancestor, plan.transform.get(body)!);
		if (ancestor !== WORLD && tables.get('bodyMass', ancestor) > 0) heavier.add(ancestor);
	}
	const keptJoints = anchorJoints(core, plan);
	refreshFreeVelocities(core, keptJoints, heavier);
	anchorEqualities(core, plan, new Set(keptJoints));

	const keptBodies: number[] = [];
	for (let body = 0; body < tables.counts.body; body++) if (!plan.parent.has(body)) keptBodies.push(body);
	const bodyMap = new Int32Array(tables.counts.body).fill(WORLD);
	keptBodies.forEach((body, i) => {
		bodyMap[body] = i;
	});
	for (const [body, parent] of plan.parent) bodyMap[body] = parent === WORLD ? WORLD : bodyMap[parent]!;
	const articulationMap = renumber(core, { body: keptBodies, joint: keptJoints, bodyMap });
	return {
		bodyRemap: new Map([[WORLD, WORLD], ...keptBodies.map((body, i) => [body, i] as const)]),
		jointRemap: new Map(keptJoints.map((joint, i) => [joint, i] as const)),
		articulationRemap: new Map([...articulationMap.entries()].filter(([, index]) => index >= 0)),
		bodyMergedParent: plan.parent,
		bodyMergedTransform: plan.transform,
	};
}

interface MergePlan {
	/** Kept ancestor of each merged body. */
	readonly parent: Map<number, number>;
	/** Pose of each merged body in that ancestor. */
	readonly transform: Map<number, Float64Array>;
	/** Fixed joints that vanish. */
	readonly joints: Set<number>;
	/** Merged bodies, ancestors first. */
	readonly order: number[];
}

/** Walks the joints depth first from the world, then from bodies that hang on nothing, and decides what merges. */
function planMerges(core: BuilderCore, keep: ReadonlySet<string | number>): MergePlan {
	const { tables } = core;
	const plan: MergePlan = { parent: new Map(), transform: new Map(), joints: new Set(), order: [] };
	const constrained = new Set<number>([
		...tables.column('equalityConstraintBody1'),
		...tables.column('equalityConstraintBody2'),
	]);
	const visited = new Uint8Array(tables.counts.body);
	const walk = (root: number): void => {
		const stack = [childrenInOrder(core, root)];
		const bodies = [root];
		while (stack.length > 0) {
			const child = stack[stack.length - 1]!.next();
			if (child.done) {
				stack.pop();
				bodies.pop();
				continue;
			}
			if (visited[child.value] === 1) continue;
			visited[child.value] = 1;
			visit(core, plan, keep, constrained, bodies[bodies.length - 1]!, child.value);
			stack.push(childrenInOrder(core, child.value));
			bodies.push(child.value);
		}
	};
	walk(WORLD);
	for (let body = 0; body < tables.counts.body; body++) {
		if (visited[body] === 1 || core.parentsOf(body).length > 0) continue;
		visited[body] = 1;
		walk(body);
	}
	return plan;
}

/** Bodies that joints hang on a body, in index order, each once. */
function childrenInOrder(core: BuilderCore, body: number): IterableIterator<number> {
	const children = [...new Set(core.childrenOf(body).map((neighbour) => neighbour.body))];
	return children.sort((a, b) => a - b).values();
}

function visit(
	core: BuilderCore,
	plan: MergePlan,
	keep: ReadonlySet<string | number>,
	constrained: ReadonlySet<number>,
	parent: number,
	child: number,
): void {
	const { tables } = core;
	const joint = core.childrenOf(parent).find((neighbour) => neighbour.body === child)!.joint;
	if (tables.get('jointType', joint) !== JointType.FIXED) return;
	const label = core.label('joint', joint);
	if (keep.has(joint) || keep.has(label)) {
		if (!(tables.get('bodyMass', child) > 0)) warnOfKept(core, joint, child);
		return;
	}
	const ancestor = plan.parent.get(parent) ?? parent;
	if (ancestor === WORLD && (constrained.has(child) || isMovedOtherwise(core, parent, child))) return;
	// child in parent: X_p * inverse(X_c)
	const pose = transformInvert(new Float64Array(7), tables.column('jointXC'), 0, 7 * joint);
	transformMultiply(pose, tables.column('jointXP'), pose, 0, 7 * joint, 0);
	const outer = plan.transform.get(parent);
	if (outer !== undefined) transformMultiply(pose, outer, pose);
	plan.parent.set(child, ancestor);
	plan.transform.set(child, pose);
	plan.joints.add(joint);
	plan.order.push(child);
}

/** The world cannot be the child of a joint, so a body that a further joint moves stays. */
function isMovedOtherwise(core: BuilderCore, parent: number, child: number): boolean {
	return core
		.parentsOf(child)
		.some(({ body, joint }) => body !== parent || core.tables.get('jointType', joint) !== JointType.FIXED);
}

function warnOfKept(core: BuilderCore, joint: number, child: number): void {
	const label = core.label('joint', joint);
	core.report.add(
		createDiagnostic(
			'MODEL033',
			`${describe('joint', joint, label)} is kept and moves ${describe('body', child, core.label('body', child))}, which has no mass`,
			{ prim: label, data: { joint, body: child } },
		),
	);
}

function mergeBody(core: BuilderCore, body: number, ancestor: number, pose: Float64Array): void {
	const { tables } = core;
	const shapes = tables.column('shapeTransform');
	for (const shape of core.shapesOf(body)) transformMultiply(shapes, pose, shapes, 7 * shape, 0, 7 * shape);
	if (ancestor === WORLD) return;
	const before = tables.column('bodyCom').slice(3 * ancestor, 3 * ancestor + 3);
	const com = transformPoint(new Float64Array(3), pose, tables.column('bodyCom'), 0, 0, 3 * body);
	const inertia = rotateInertia(tables.column('bodyInertia').slice(9 * body, 9 * body + 9), pose);
	addBodyMass(core, ancestor, tables.get('bodyMass', body), com, inertia);
	// the velocity is that of the centre of mass, which moved: v' = v + w x (R d)
	const after = tables.column('bodyCom').subarray(3 * ancestor, 3 * ancestor + 3);
	const shift = before.map((value, i) => after[i]! - value);
	quatRotate(shift, tables.column('bodyQ'), shift, 0, 7 * ancestor + 3, 0);
	addCross(tables.column('bodyQd'), 6 * ancestor, shift);
}

/** Moves the frames of joints whose bodies merged; gives the joints that stay, in order. */
function anchorJoints(core: BuilderCore, plan: MergePlan): number[] {
	const { tables } = core;
	const parents = tables.column('jointParent');
	const children = tables.column('jointChild');
	const kept: number[] = [];
	for (let joint = 0; joint < parents.length; joint++) {
		if (plan.joints.has(joint)) continue;
		const parent = plan.parent.get(parents[joint]!);
		const child = plan.parent.get(children[joint]!);
		// a joint within one merged body holds what is rigid already
		if ((parent ?? parents[joint]) === (child ?? children[joint])) continue;
		kept.push(joint);
		if (parent !== undefined) {
			const frames = tables.column('jointXP');
			transformMultiply(frames, plan.transform.get(parents[joint]!)!, frames, 7 * joint, 0, 7 * joint);
			parents[joint] = parent;
		}
		if (child !== undefined) {
			const frames = tables.column('jointXC');
			transformMultiply(frames, plan.transform.get(children[joint]!)!, frames, 7 * joint, 0, 7 * joint);
			children[joint] = child;
		}
	}
	return kept;
}

/**
 * Velocities of free joints whose child gained mass, anew from the velocities of the bodies: that of the child's centre of
 * mass relative to the parent, in the axes of the parent's frame.
 */
function refreshFreeVelocities(core: BuilderCore, joints: readonly number[], heavier: ReadonlySet<number>): void {
	const { tables } = core;
	const velocities = tables.column('bodyQd');
	const poses = tables.column('bodyQ');
	for (const joint of joints) {
		const type = tables.get('jointType', joint);
		const child = tables.get('jointChild', joint);
		if ((type !== JointType.FREE && type !== JointType.DISTANCE) || !heavier.has(child)) continue;
		const parent = tables.get('jointParent', joint);
		const frame = tables.column('jointXP').slice(7 * joint, 7 * joint + 7);
		const qd = velocities.slice(6 * child, 6 * child + 6);
		if (parent !== WORLD) {
			transformMultiply(frame, poses, frame, 0, 7 * parent, 0);
			const arm = centre(core, child);
			const from = centre(core, parent);
			const carried = velocities.slice(6 * parent, 6 * parent + 6);
			addCross(
				carried,
				0,
				arm.map((value, i) => value - from[i]!),
			);
			for (let i = 0; i < 6; i++) qd[i] = qd[i]! - carried[i]!;
		}
		quatRotateInverse(qd, frame, qd, 0, 3, 0);
		quatRotateInverse(qd, frame, qd, 3, 3, 3);
		tables.column('jointQd').set(qd, tables.get('jointQdStart', joint));
	}
}

/** Centre of mass of a body in the world. */
function centre(core: BuilderCore, body: number): Float64Array {
	return transformPoint(
		new Float64Array(3),
		core.tables.column('bodyQ'),
		core.tables.column('bodyCom'),
		0,
		7 * body,
		3 * body,
	);
}

/** Adds w x d to the linear part of a velocity. */
function addCross(values: Float64Array, at: number, d: Float64Array): void {
	const [x, y, z] = [values[at + 3]!, values[at + 4]!, values[at + 5]!];
	values[at] = values[at]! + y * d[2]! - z * d[1]!;
	values[at + 1] = values[at + 1]! + z * d[0]! - x * d[2]!;
	values[at + 2] = values[at + 2]! + x * d[1]! - y * d[0]!;
}

/** Moves anchors and relative poses of merged bodies; switches off what refers to a joint that vanishes. */
function anchorEqualities(core: BuilderCore, plan: MergePlan, joints: ReadonlySet<number>): void {
	const { tables } = core;
	const anchors = tables.column('equalityConstraintAnchor');
	const poses = tables.column('equalityConstraintRelpose');
	for (let row = 0; row < tables.counts.equalityConstraint; row++) {
		const type = tables.get('equalityConstraintType', row);
		const first = plan.transform.get(tables.get('equalityConstraintBody1', row));
		const second = plan.transform.get(tables.get('equalityConstraintBody2', row));
		if (first !== undefined && type === EqualityType.CONNECT)
			transformPoint(anchors, first, anchors, 3 * row, 0, 3 * row);
		if (first !== undefined && type === EqualityType.WELD) transformMultiply(poses, first, poses, 7 * row, 0, 7 * row);
		if (second !== undefined && type === EqualityType.WELD) {
			transformPoint(anchors, second, anchors, 3 * row, 0, 3 * row);
			const inverse = transformInvert(new Float64Array(7), second);
			transformMultiply(poses, poses, inverse, 7 * row, 7 * row, 0);
		}
		const isHeld = [tables.get('equalityConstraintJoint1', row), tables.get('equalityConstraintJoint2', row)].every(
			(joint) => joint < 0 || joints.has(joint),
		);
		if (!isHeld) tables.set('equalityConstraintEnabled', row, 0);
	}
	for (let row = 0; row < tables.counts.constraintMimic; row++) {
		const isHeld =
			joints.has(tables.get('constraintMimicJoint0', row)) && joints.has(tables.get('constraintMimicJoint1', row));
		if (!isHeld) tables.set('constraintMimicEnabled', row, 0);
	}
}
