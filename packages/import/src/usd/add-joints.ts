import { quatConjugate, quatDot, quatMultiply, quatRotate } from '@manyworlds/core/internal';
import type { AttributeAssignments, JointAxisConfig, JointOptions } from '@manyworlds/model';
import { WORLD } from '@manyworlds/model';
import type { AttributeValue } from '@manyworlds/model/internal';
import type { PhysicsAxisJoint, PhysicsD6Joint, PhysicsDof, PhysicsJoint, Prim } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';
import { hasAttribute, readCustomValues } from './custom-values.ts';
import { type DofCredit, type DofValues, resolveDamping, resolveDof } from './joint-values.ts';
import { composePoses, makePose, type Pose } from './poses.ts';

/** The bodies of a joint, parent first, with its frames in them. */
export interface JointEnds {
	readonly parent: number;
	readonly child: number;
	readonly parentPose: Pose;
	readonly childPose: Pose;
	/** Whether the child is `physics:body0`. */
	readonly isSwapped: boolean;
}

/** Finds the bodies of a joint in a map; where only one is in it, the other is the world. Undefined when none is. */
export function resolveEnds(joint: PhysicsJoint, bodies: ReadonlyMap<string, number>): JointEnds | undefined {
	const parent = bodies.get(joint.body0.toString()) ?? WORLD;
	const child = bodies.get(joint.body1.toString()) ?? WORLD;
	const pose0 = makePose(joint.localPose0Position, joint.localPose0Orientation);
	const pose1 = makePose(joint.localPose1Position, joint.localPose1Orientation);
	if (child >= 0) return { parent, child, parentPose: pose0, childPose: pose1, isSwapped: false };
	if (parent < 0) return undefined;
	return { parent: WORLD, child: parent, parentPose: pose1, childPose: pose0, isSwapped: true };
}

/** How a joint is added. */
export interface AddJointOptions {
	/** Goes before the frame in the parent. */
	readonly incoming?: Pose | undefined;
	/** Whether parent and child change places: the child is then moved from the other side. */
	readonly isReversed?: boolean;
}

/** Adds one joint with everything that its prim says. Undefined when it is not to be loaded or has no bodies. */
export function addUsdJoint(
	ctx: ImportContext,
	joint: PhysicsJoint,
	options: AddJointOptions = {},
): number | undefined {
	if (!joint.jointEnabled && ctx.options.onlyLoadEnabledJoints) return undefined;
	const prim = ctx.stage.prim(joint.primPath)!;
	ctx.resolvers.collect(prim);
	const ends = resolveEnds(joint, ctx.bodies);
	if (ends === undefined) {
		ctx.tell(
			'IMP020',
			prim,
			'neither physics:body0 nor physics:body1 leads to an imported body, expected at least one',
		);
		return undefined;
	}
	const path = joint.primPath.toString();
	const common = commonOptions(joint, ends, options, path);
	const attributes = readCustomValues(ctx, prim, JOINT_FREQUENCIES);
	const index = addByKind(ctx, joint, prim, common, attributes, options.isReversed === true);
	ctx.joints.set(path, index);
	ctx.mark(path, 'joint');
	const start = ctx.builder.column('jointQdStart')[index]!;
	if (joint.kind === 'RevoluteJoint' || joint.kind === 'PrismaticJoint') {
		const why = 'it is the axis in the joint frame';
		ctx.giveOrigin('joint_axis', start, prim, 'physics:axis', why, 'no axis is authored');
	}
	return index;
}

/** Frequencies of custom attributes that a joint prim gives values for. */
export const JOINT_FREQUENCIES: readonly string[] = ['joint', 'jointDof', 'jointCoord'];

function commonOptions(joint: PhysicsJoint, ends: JointEnds, options: AddJointOptions, path: string): JointOptions {
	const { incoming, isReversed = false } = options;
	const parentPose = incoming === undefined ? ends.parentPose : composePoses(incoming, ends.parentPose);
	return {
		parent: isReversed ? ends.child : ends.parent,
		child: isReversed ? ends.parent : ends.child,
		parentXform: isReversed ? ends.childPose : parentPose,
		childXform: isReversed ? parentPose : ends.childPose,
		label: path,
		collisionFilterParent: ends.parent !== WORLD && !joint.collisionEnabled,
		enabled: joint.jointEnabled,
	};
}

function addByKind(
	ctx: ImportContext,
	joint: PhysicsJoint,
	prim: Prim,
	common: JointOptions,
	attributes: Record<string, AttributeAssignments[string]>,
	isReversed: boolean,
): number {
	const { builder } = ctx;
	switch (joint.kind) {
		case 'RevoluteJoint':
		case 'PrismaticJoint': {
			const isAngular = joint.kind === 'RevoluteJoint';
			const values = resolveDof(ctx, singleDof(joint, prim, false));
			addLimitModes(ctx, attributes, [values]);
			const axis = isReversed ? negated(axisVector(joint.axis)) : axisVector(joint.axis);
			const settings = { ...common, ...values.config, axis, attributes };
			const index = isAngular ? builder.addJointRevolute(settings) : builder.addJointPrismatic(settings);
			settleState(ctx, index, [values]);
			tellAboutDrive(ctx, prim, joint.drive.enabled && joint.drive.acceleration, isAngular ? 'angular' : 'linear');
			return index;
		}
		case 'SphericalJoint': {
			const credits: DofCredit[] = [];
			const defaults = ctx.units.axisConfig(builder.defaultJointConfig, true);
			const damping = resolveDamping(ctx, prim, true, credits) ?? defaults.damping;
			const { armature, friction } = defaults;
			const index = builder.addJointBall({ ...common, damping, armature, friction, attributes });
			const start = builder.column('jointQdStart')[index]!;
			for (let i = 0; i < 3; i++)
				for (const [resolved, array, how] of credits) ctx.credit(resolved, array, start + i, how);
			if (joint.limit.enabled) {
				const { angle0, angle1 } = joint.limit;
				ctx.tell(
					'IMP026',
					prim,
					`the cone limits ${angle0}° and ${angle1}° are not imported: a ball joint has no limits`,
					'physics:coneAngle0Limit',
				);
			}
			return index;
		}
		case 'DistanceJoint':
			return builder.addJointDistance({
				...common,
				attributes,
				minDistance: joint.minEnabled ? joint.minDistance : -1,
				maxDistance: joint.maxEnabled ? joint.maxDistance : -1,
			});
		case 'D6Joint':
			return addD6(ctx, joint, prim, common, attributes, isReversed);
		default:
			return builder.addJointFixed({ ...common, attributes });
	}
}

/** Where a degree of freedom of a joint with one axis is read from. */
export function singleDof(joint: PhysicsAxisJoint, prim: Prim, isCompound: boolean): Parameters<typeof resolveDof>[1] {
	const isAngular = joint.kind === 'RevoluteJoint';
	const axis = isAngular ? 'angular' : 'linear';
	return { prim, isAngular, axis, limit: joint.limit, drive: joint.drive, isCompound, isD6: false };
}

const D6_DOFS: readonly (readonly [dof: PhysicsDof, axis: 'X' | 'Y' | 'Z', isAngular: boolean])[] = [
	['transX', 'X', false],
	['transY', 'Y', false],
	['transZ', 'Z', false],
	['rotX', 'X', true],
	['rotY', 'Y', true],
	['rotZ', 'Z', true],
];

function addD6(
	ctx: ImportContext,
	joint: PhysicsD6Joint,
	prim: Prim,
	common: JointOptions,
	attributes: Record<string, AttributeAssignments[string]>,
	isReversed: boolean,
): number {
	const linear: (readonly [DofValues, Float64Array])[] = [];
	const angular: (readonly [DofValues, Float64Array])[] = [];
	for (const [dof, axis, isAngular] of D6_DOFS) {
		const limit = joint.limits.get(dof);
		// an axis without a limit is free; one whose lower limit is not below the upper one is locked
		if (limit === undefined && ctx.has('d6-lock')) continue;
		if (limit?.enabled === true && !(limit.lower < limit.upper)) continue;
		const drive = joint.drives.get(dof);
		const values = resolveDof(ctx, { prim, isAngular, axis: dof, limit, drive, isCompound: true, isD6: true });
		const vector = axisVector(axis);
		(isAngular ? angular : linear).push([values, isReversed ? negated(vector) : vector]);
		tellAboutDrive(ctx, prim, drive?.acceleration === true, dof);
	}
	if (joint.limits.has('distance') || joint.drives.has('distance')) {
		ctx.tell('IMP026', prim, 'the limit or drive of the distance of a D6 joint is not imported');
	}
	if (isReversed) angular.reverse();
	const values = [...linear, ...angular].map(([item]) => item);
	addLimitModes(ctx, attributes, values);
	const toAxis = ([{ config }, axis]: readonly [DofValues, Float64Array]): JointAxisConfig => ({ ...config, axis });
	const index = ctx.builder.addJointD6({
		...common,
		attributes,
		linearAxes: linear.map(toAxis),
		angularAxes: angular.map(toAxis),
	});
	settleState(ctx, index, values);
	return index;
}

/** Joints below one prim in the order of its children; others as they are. */
function inWrittenOrder(ctx: ImportContext, group: readonly PhysicsAxisJoint[]): readonly PhysicsAxisJoint[] {
	const holder = group[0]!.primPath.parent;
	if (holder === null || group.some(({ primPath }) => primPath.parent !== holder)) return group;
	const children = ctx.stage.prim(holder)?.children() ?? [];
	const placeOf = new Map(children.map(({ path }, i) => [path, i]));
	return [...group].sort((a, b) => (placeOf.get(a.primPath) ?? 0) - (placeOf.get(b.primPath) ?? 0));
}

/** Adds joints between the same two bodies as one with all their axes. Undefined when none is to be loaded. */
export function addMergedJoints(
	ctx: ImportContext,
	group: readonly PhysicsAxisJoint[],
	options: AddJointOptions,
): number | undefined {
	// axes act in the order in which their joints are written; Newton takes that of their names
	const ordered = ctx.options.newtonCompat ? group : inWrittenOrder(ctx, group);
	const loaded = ordered.filter(({ jointEnabled }) => jointEnabled || !ctx.options.onlyLoadEnabledJoints);
	const first = loaded[0];
	if (first === undefined) return undefined;
	const ends = resolveEnds(first, ctx.bodies);
	const firstPrim = ctx.stage.prim(first.primPath)!;
	if (ends === undefined) {
		ctx.tell(
			'IMP020',
			firstPrim,
			'neither physics:body0 nor physics:body1 leads to an imported body, expected at least one',
		);
		return undefined;
	}
	const linear: MergedAxis[] = [];
	const angular: MergedAxis[] = [];
	for (const joint of loaded) {
		const prim = ctx.stage.prim(joint.primPath)!;
		ctx.resolvers.collect(prim);
		const own = resolveEnds(joint, ctx.bodies)!;
		tellAboutAnchor(ctx, prim, first, ends, own);
		const values = resolveDof(ctx, singleDof(joint, prim, true));
		const attributes = readCustomValues(ctx, prim, ['jointDof', 'jointCoord']);
		addLimitModes(ctx, attributes, [values]);
		const axis = axisInFrame(axisVector(joint.axis), own.parentPose, ends.parentPose);
		const path = joint.primPath.toString();
		const merged = { path, values, attributes, axis: options.isReversed === true ? negated(axis) : axis };
		(joint.kind === 'RevoluteJoint' ? angular : linear).push(merged);
	}
	if (options.isReversed === true) angular.reverse();
	const axes = [...linear, ...angular];
	const path = first.primPath.toString();
	const common = commonOptions(first, ends, options, path);
	const attributes: Record<string, AttributeAssignments[string]> = readCustomValues(ctx, firstPrim, ['joint']);
	axes.forEach((axis, i) => {
		for (const [key, value] of Object.entries(axis.attributes)) addIndexed(attributes, key, i, value);
	});
	if (hasAttribute(ctx, 'mujoco:joint_dof_label')) {
		attributes['mujoco:joint_dof_label'] = new Map(axes.map((axis, i) => [i, axis.path]));
	}
	const toAxis = ({ values, axis }: MergedAxis): JointAxisConfig => ({ ...values.config, axis });
	const index = ctx.builder.addJointD6({
		...common,
		collisionFilterParent: ends.parent !== WORLD && loaded.some(({ collisionEnabled }) => !collisionEnabled),
		linearAxes: linear.map(toAxis),
		angularAxes: angular.map(toAxis),
		attributes,
	});
	for (const joint of ordered) {
		ctx.joints.set(joint.primPath.toString(), index);
		ctx.mark(joint.primPath.toString(), 'joint');
	}
	for (const [i, axis] of axes.entries()) ctx.mergedDofs.set(axis.path, i);
	settleState(
		ctx,
		index,
		axes.map(({ values }) => values),
	);
	return index;
}

interface MergedAxis {
	readonly path: string;
	readonly values: DofValues;
	readonly attributes: Readonly<Record<string, AttributeAssignments[string]>>;
	readonly axis: Float64Array;
}

/** Puts a value of one axis among those of all axes of a joint. */
function addIndexed(
	attributes: Record<string, AttributeAssignments[string]>,
	key: string,
	index: number,
	value: AttributeAssignments[string],
): void {
	const known = attributes[key];
	const one = value instanceof Map ? [...value.values()][0] : (value as AttributeValue);
	const values = known instanceof Map ? known : new Map<number, AttributeValue>();
	if (one !== undefined) (values as Map<number, AttributeValue>).set(index, one);
	attributes[key] = values;
}

/** An axis of one joint frame as seen in another frame of the same body. */
function axisInFrame(axis: Float64Array, own: Pose, frame: Pose): Float64Array {
	if (Math.abs(quatDot(own, frame, 3, 3)) > 1 - 1e-6) return axis;
	const turn = new Float64Array(4);
	quatConjugate(turn, frame, 0, 3);
	quatMultiply(turn, turn, own, 0, 0, 3);
	return quatRotate(new Float64Array(3), turn, axis);
}

function tellAboutAnchor(ctx: ImportContext, prim: Prim, first: PhysicsJoint, ends: JointEnds, own: JointEnds): void {
	const isNear = (a: Pose, b: Pose): boolean =>
		[0, 1, 2].every((i) => Math.abs(a[i]! - b[i]!) <= 1e-6 + 1e-5 * Math.abs(b[i]!));
	if (isNear(ends.parentPose, own.parentPose) && isNear(ends.childPose, own.childPose)) return;
	ctx.tell(
		'IMP024',
		prim,
		`the joint is merged with <${first.primPath}> although its anchor lies elsewhere; that of the other joint is used`,
		'physics:localPos0',
	);
}

/** Says how limit gains are meant, where the `mujoco` attributes for it are declared. */
function addLimitModes(
	ctx: ImportContext,
	attributes: Record<string, AttributeAssignments[string]>,
	values: readonly DofValues[],
): void {
	if (!ctx.resolvers.resolvers.some(({ name }) => name === 'mjc')) return;
	if (hasAttribute(ctx, 'mujoco:solreflimit_mode')) {
		attributes['mujoco:solreflimit_mode'] = new Map(values.map(({ solrefMode }, i) => [i, solrefMode]));
	}
	if (hasAttribute(ctx, 'mujoco:solreflimit_gain_baseline')) {
		attributes['mujoco:solreflimit_gain_baseline'] = new Map(
			values.map(({ config }, i) => [i, [config.limitKe, config.limitKd]]),
		);
	}
}

/** Writes initial coordinates and velocities, and says where every number came from. */
function settleState(ctx: ImportContext, joint: number, values: readonly DofValues[]): void {
	const { builder } = ctx;
	const coord = builder.column('jointQStart')[joint]!;
	const dof = builder.column('jointQdStart')[joint]!;
	const q = builder.column('jointQ');
	const qd = builder.column('jointQd');
	const targets = builder.column('jointTargetQ');
	values.forEach((own, i) => {
		const { initialPosition, initialVelocity, credits, origins } = own;
		if (!ctx.options.newtonCompat && isTargetOutside(own)) {
			targets[coord + i] = own.config.targetPos;
			tellAboutTarget(ctx, own);
		}
		if (initialPosition !== undefined) q[coord + i] = initialPosition;
		if (initialVelocity !== undefined) qd[dof + i] = initialVelocity;
		for (const [resolved, array, conversion] of credits) {
			ctx.credit(resolved, array, (array === 'joint_q' ? coord : dof) + i, conversion);
		}
		for (const [array, provenance] of origins) {
			ctx.give(array, (array === 'joint_target_q' ? coord : dof) + i, provenance);
		}
	});
}

/** Whether a drive pulls to a place that the limits forbid; the builder would take their middle instead. */
function isTargetOutside({ config, source }: DofValues): boolean {
	const { targetPos, limitLower, limitUpper, targetKe } = config;
	if (source.drive?.enabled !== true || targetKe === 0) return false;
	return targetPos < limitLower || targetPos > limitUpper;
}

function tellAboutTarget(ctx: ImportContext, { config, source }: DofValues): void {
	const { prim, axis, isAngular } = source;
	const shown = (value: number): string => `${Number((isAngular ? (180 / Math.PI) * value : value).toPrecision(6))}`;
	const unit = isAngular ? ' degrees' : '';
	ctx.tell(
		'IMP028',
		prim,
		`the drive of ${axis} has the target ${shown(config.targetPos)}${unit}, which is outside of the limits ${shown(config.limitLower)} to ${shown(config.limitUpper)}${unit}; it is kept`,
		`drive:${axis}:physics:targetPosition`,
	);
}

function tellAboutDrive(ctx: ImportContext, prim: Prim, isAcceleration: boolean, axis: string): void {
	if (!isAcceleration) return;
	ctx.tell(
		'IMP026',
		prim,
		`the drive of ${axis} gives accelerations; its gains are imported as those of a force`,
		`drive:${axis}:physics:type`,
	);
}

function axisVector(axis: 'X' | 'Y' | 'Z'): Float64Array {
	const vector = new Float64Array(3);
	vector['XYZ'.indexOf(axis)] = 1;
	return vector;
}

function negated(vector: Float64Array): Float64Array {
	return vector.map((part) => (part === 0 ? 0 : -part));
}
