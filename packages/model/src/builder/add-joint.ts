import { quatMultiply, transformInvert, transformMultiply } from '@manyworlds/core/internal';
import { createDiagnostic } from '../diagnostics.ts';
import { BodyFlags, enumName, JointType, WORLD } from '../enums.ts';
import { type TransformInput, toTransform } from '../geometry-inputs.ts';
import { type JointAxisConfig, type JointAxisSettings, resolveAxisConfig } from '../joint-axis-config.ts';
import { describe, ModelError } from '../model-error.ts';
import type { AttributeAssignments, JointRanges } from './attribute-set.ts';
import type { BuilderCore } from './builder-core.ts';

/** What all joints have in common. @public */
export interface JointOptions {
	/** Body that carries the joint, -1 for the world. */
	readonly parent?: number;
	/** Body that the joint moves. */
	readonly child: number;
	/** Joint frame in the parent and in the child. */
	readonly parentXform?: TransformInput;
	readonly childXform?: TransformInput;
	readonly label?: string;
	/** Whether shapes of the two bodies never collide. Undefined: yes, except for a moving joint to the world. */
	readonly collisionFilterParent?: boolean;
	readonly enabled?: boolean;
	readonly attributes?: AttributeAssignments;
}

/** Numbers of coordinates, degrees of freedom and constraints of a joint with `axes` axes. */
export function jointSizes(type: JointType, axes: number): { coords: number; dofs: number; constraints: number } {
	switch (type) {
		case JointType.BALL:
			return { coords: 4, dofs: 3, constraints: 3 };
		case JointType.FREE:
		case JointType.DISTANCE:
			return { coords: 7, dofs: 6, constraints: 0 };
		case JointType.FIXED:
			return { coords: 0, dofs: 0, constraints: 6 };
		default:
			return { coords: axes, dofs: axes, constraints: 6 - axes };
	}
}

/** Adds a joint of any type with its linear and angular axes. */
export function addJoint(
	core: BuilderCore,
	type: JointType,
	options: JointOptions,
	linearAxes: readonly JointAxisConfig[],
	angularAxes: readonly JointAxisConfig[],
): number {
	const { tables } = core;
	const { child } = options;
	const parent = options.parent ?? WORLD;
	checkBodies(core, parent, child);
	const parentXform = toTransform(options.parentXform, 'parentXform');
	const childXform = toTransform(options.childXform, 'childXform');
	const linear = linearAxes.map(resolveAxisConfig);
	const angular = angularAxes.map(resolveAxisConfig);
	const sizes = jointSizes(type, linear.length + angular.length);
	const { counts } = tables;
	const ranges: JointRanges = {
		joint: counts.joint,
		jointDof: [counts.jointDof, sizes.dofs],
		jointCoord: [counts.jointCoord, sizes.coords],
		jointConstraint: [counts.jointConstraint, sizes.constraints],
	};
	core.attributes.checkJoint(ranges, options.attributes);
	warnOfParallelJoint(core, type, parent, child);

	const filterParent = options.collisionFilterParent ?? (parent !== WORLD || type === JointType.FIXED);
	const joint = tables.addRows('joint');
	tables.set('jointType', joint, type);
	tables.set('jointParent', joint, parent);
	tables.set('jointChild', joint, child);
	tables.set('jointXP', joint, ...parentXform);
	tables.set('jointXC', joint, ...childXform);
	tables.set('jointDofDim', joint, linear.length, angular.length);
	tables.set('jointEnabled', joint, (options.enabled ?? true) ? 1 : 0);
	tables.set('jointFilterParent', joint, filterParent ? 1 : 0);
	tables.set('jointArticulation', joint, -1);
	tables.set('jointWorld', joint, core.currentWorld);
	tables.set('jointQStart', joint, tables.addRows('jointCoord', sizes.coords));
	tables.set('jointQdStart', joint, tables.addRows('jointDof', sizes.dofs));
	tables.set('jointConstraintStart', joint, tables.addRows('jointConstraint', sizes.constraints));
	tables.labels.joint.push(options.label || `joint_${joint + 1}`);
	[...linear, ...angular].forEach((axis, i) => {
		writeAxis(core, ranges.jointDof[0] + i, axis);
	});
	writeCoordinates(core, type, ranges.jointCoord[0], linear, angular);
	if (filterParent) filterBodies(core, parent, child);
	core.attributes.assignJoint(ranges, options.attributes);
	return joint;
}

/** Sets the coordinates of a free joint so that forward kinematics gives the child's pose. */
export function placeFreeJoint(core: BuilderCore, joint: number): void {
	const { tables } = core;
	const parent = tables.get('jointParent', joint);
	const child = tables.get('jointChild', joint);
	const poses = tables.column('bodyQ');
	const q = tables.column('jointQ');
	const anchor = tables.column('jointXP').slice(7 * joint, 7 * joint + 7);
	if (parent !== WORLD) transformMultiply(anchor, poses, anchor, 0, 7 * parent, 0);
	transformInvert(anchor, anchor);
	transformMultiply(anchor, anchor, poses, 0, 0, 7 * child);
	transformMultiply(anchor, anchor, tables.column('jointXC'), 0, 0, 7 * joint);
	q.set(anchor, tables.get('jointQStart', joint));
}

function checkBodies(core: BuilderCore, parent: number, child: number): void {
	checkBody(core, 'parent', parent, WORLD);
	checkBody(core, 'child', child, 0);
	if (parent === child) {
		throw new ModelError(
			'MODEL005',
			`${describe('body', child, core.label('body', child))} is both parent and child of the joint`,
			{
				kind: 'body',
				index: child,
				label: core.label('body', child),
			},
		);
	}
}

function checkBody(core: BuilderCore, role: string, body: number, lowest: number): void {
	const count = core.tables.counts.body;
	if (!Number.isInteger(body) || body < lowest || body >= count) {
		throw new ModelError('MODEL004', `${role} of the joint is body ${body}, expected ${lowest} to ${count - 1}`, {
			kind: 'body',
			index: body,
		});
	}
	if (body === WORLD) return;
	const world = core.tables.get('bodyWorld', body);
	if (world !== core.currentWorld) {
		const label = core.label('body', body);
		throw new ModelError(
			'MODEL006',
			`${role} of the joint is ${describe('body', body, label)} of world ${world}, the joint would be in world ${core.currentWorld}`,
			{ kind: 'body', index: body, label },
		);
	}
}

function warnOfParallelJoint(core: BuilderCore, type: JointType, parent: number, child: number): void {
	const between = [...core.parentsOf(child), ...core.childrenOf(child)].filter(({ body }) => body === parent);
	if (between.length === 0) return;
	const isFree =
		type === JointType.FREE || between.some(({ joint }) => core.tables.get('jointType', joint) === JointType.FREE);
	const consequence = isFree
		? 'a free joint beside another one contradicts it: use addLink() instead of addBody()'
		: 'two joints between the same bodies mean different things to different solvers';
	core.report.add(
		createDiagnostic(
			'MODEL030',
			`a ${enumName(JointType, type)} joint connects ${describe('body', child, core.label('body', child))} to body ${parent}, which joint ${between[0]!.joint} connects already; ${consequence}`,
			{ prim: core.label('body', child) },
		),
	);
}

function writeAxis(core: BuilderCore, dof: number, axis: JointAxisSettings): void {
	const { tables } = core;
	tables.set('jointAxis', dof, ...axis.axis);
	tables.set('jointTargetQd', dof, axis.targetVel);
	tables.set('jointTargetMode', dof, axis.mode);
	tables.set('jointTargetKe', dof, axis.targetKe);
	tables.set('jointTargetKd', dof, axis.targetKd);
	tables.set('jointDamping', dof, axis.damping);
	tables.set('jointLimitLower', dof, axis.limitLower);
	tables.set('jointLimitUpper', dof, axis.limitUpper);
	tables.set('jointLimitKe', dof, axis.limitKe);
	tables.set('jointLimitKd', dof, axis.limitKd);
	tables.set('jointArmature', dof, axis.armature);
	tables.set('jointEffortLimit', dof, axis.effortLimit);
	tables.set('jointVelocityLimit', dof, axis.velocityLimit);
	tables.set('jointFriction', dof, axis.friction);
}

/** Initial coordinates are zero and identity; targets come from the axes. */
function writeCoordinates(
	core: BuilderCore,
	type: JointType,
	start: number,
	linear: readonly JointAxisSettings[],
	angular: readonly JointAxisSettings[],
): void {
	const q = core.tables.column('jointQ');
	const target = core.tables.column('jointTargetQ');
	const hasQuaternion = type === JointType.BALL || type === JointType.FREE || type === JointType.DISTANCE;
	if (type === JointType.FIXED) return;
	linear.forEach((axis, i) => {
		target[start + i] = axis.targetPos;
	});
	if (!hasQuaternion) {
		angular.forEach((axis, i) => {
			target[start + linear.length + i] = axis.targetPos;
		});
		return;
	}
	const quaternion = start + (type === JointType.BALL ? 0 : 3);
	q[quaternion + 3] = 1;
	target.set(quatFromAxisAngles(angular), quaternion);
}

/** The three target angles compose as qX * qY * qZ, like the angular axes of a D6 joint. */
function quatFromAxisAngles(axes: readonly JointAxisSettings[]): Float64Array {
	const out = Float64Array.of(0, 0, 0, 1);
	const turn = new Float64Array(4);
	axes.forEach((axis, i) => {
		turn.fill(0);
		turn[i] = Math.sin(axis.targetPos / 2);
		turn[3] = Math.cos(axis.targetPos / 2);
		quatMultiply(out, out, turn);
	});
	return out;
}

function filterBodies(core: BuilderCore, parent: number, child: number): void {
	for (const a of core.shapesOf(child)) {
		if (!mayFilterParent(core, a)) continue;
		for (const b of core.shapesOf(parent)) {
			if (mayFilterParent(core, b)) addFilterPair(core, a, b);
		}
	}
}

/** Whether a joint filters contacts of this shape: it collides and leaves filtering on. */
export function mayFilterParent(core: BuilderCore, shape: number): boolean {
	return (core.tables.get('shapeFlags', shape) & 2) !== 0 && core.tables.get('shapeFilterParent', shape) === 1;
}

/** Records that two shapes never collide. */
export function addFilterPair(core: BuilderCore, a: number, b: number): void {
	core.tables.set('filterPair', core.tables.addRows('filterPair'), Math.min(a, b), Math.max(a, b));
}

/** A kinematic body may only be a root. */
export function checkKinematicRoot(core: BuilderCore, joint: number): void {
	const child = core.tables.get('jointChild', joint);
	if (core.tables.get('bodyFlags', child) !== BodyFlags.KINEMATIC || core.tables.get('jointParent', joint) === WORLD)
		return;
	const label = core.label('body', child);
	throw new ModelError(
		'MODEL007',
		`kinematic ${describe('body', child, label)} hangs on another body, expected the world as its parent`,
		{
			kind: 'body',
			index: child,
			label,
		},
	);
}
