import { UsageRangeError } from '@manyworlds/core';
import {
	type AttributeAssignments,
	type CollapseResult,
	JOINT_AXIS_DEFAULTS,
	type JointAxisConfig,
	JointType,
	type ModelBuilder,
	type TransformInput,
	WORLD,
} from '@manyworlds/model';

/** A joint that holds the root of an import, other than a free or a fixed one. @public */
export interface BaseJoint {
	readonly type: 'revolute' | 'prismatic' | 'ball' | 'fixed' | 'free' | 'd6';
	/** Axes with Newton's defaults for what they leave out: one for a prismatic joint, up to three for a d6. */
	readonly linearAxes?: readonly Partial<JointAxisConfig>[];
	/** Likewise: one for a revolute joint, up to three for a d6. */
	readonly angularAxes?: readonly Partial<JointAxisConfig>[];
	readonly label?: string;
	readonly collisionFilterParent?: boolean;
	readonly enabled?: boolean;
}

/** How an import is held. @public */
export interface RootOptions {
	/** True for a free joint to the world, false for a fixed joint. Excludes `baseJoint`. */
	readonly floating?: boolean;
	/** The joint in full. Excludes `floating`. */
	readonly baseJoint?: BaseJoint;
	/** Body of the builder that the import hangs on; -1 is the world. It must be in the articulation that was made last. */
	readonly parentBody?: number;
}

const OWN_KEYS = ['child', 'childXform', 'parent', 'parentXform'];

/** Throws for options that contradict each other or the builder, before anything is added. */
export function checkRootOptions(builder: ModelBuilder, options: RootOptions): void {
	const { floating, baseJoint, parentBody = WORLD } = options;
	if (floating !== undefined && baseJoint !== undefined) {
		throw new UsageRangeError(`floating is ${floating} and baseJoint is given, expected at most one of them`);
	}
	if (floating === true && parentBody !== WORLD) {
		throw new UsageRangeError(`floating is true and parentBody is ${parentBody}, expected the world: -1`);
	}
	const taken = OWN_KEYS.find((key) => baseJoint !== undefined && key in baseJoint);
	if (taken !== undefined) {
		throw new UsageRangeError(`baseJoint has '${taken}', which comes from xform, parentBody and the imported root`);
	}
	if (!Number.isInteger(parentBody) || parentBody < WORLD || parentBody >= builder.bodyCount) {
		throw new UsageRangeError(`parentBody is ${parentBody}, expected -1 to ${builder.bodyCount - 1}`);
	}
	if (parentBody === WORLD) return;
	const articulation = builder.edits.articulationOf(parentBody);
	const label = builder.labels('body')[parentBody];
	if (articulation < 0) {
		throw new UsageRangeError(`body '${label}' is in no articulation, expected parentBody to be in one`);
	}
	if (articulation !== builder.articulationCount - 1) {
		throw new UsageRangeError(
			`body '${label}' is in articulation ${articulation}, expected parentBody to be in the last one: ${builder.articulationCount - 1}`,
		);
	}
}

/** The root of an import and the frames of the joint that holds it. */
export interface RootJoint {
	readonly child: number;
	readonly label: string;
	readonly parentXform: TransformInput;
	readonly childXform?: TransformInput;
}

/** Adds the joint that holds a root: `baseJoint`, a free joint when `isFloating`, else a fixed joint. Gives its index. */
export function addRootJoint(
	builder: ModelBuilder,
	root: RootJoint,
	options: Pick<RootOptions, 'baseJoint' | 'parentBody'>,
	isFloating: boolean,
): number {
	const { baseJoint } = options;
	const parent = options.parentBody ?? WORLD;
	if (baseJoint === undefined) {
		// a free joint starts from the pose of its body and has no frame of its own
		if (isFloating) return builder.addJointFree({ child: root.child, label: root.label });
		return builder.addJointFixed({ ...root, parent });
	}
	const { type, linearAxes = [], angularAxes = [], ...rest } = baseJoint;
	const joint = { ...root, parent, ...rest };
	switch (type) {
		case 'revolute':
			return builder.addJointRevolute({ ...joint, ...JOINT_AXIS_DEFAULTS, ...angularAxes[0] });
		case 'prismatic':
			return builder.addJointPrismatic({ ...joint, ...JOINT_AXIS_DEFAULTS, ...linearAxes[0] });
		case 'ball':
			return builder.addJointBall(joint);
		case 'free':
			return builder.addJointFree(joint);
		case 'd6':
			return builder.addJointD6({ ...joint, linearAxes, angularAxes });
		default:
			return builder.addJointFixed(joint);
	}
}

/** Makes imported joints one articulation, or part of that of the body they hang on. */
export function joinArticulation(
	builder: ModelBuilder,
	joints: readonly number[],
	options: { readonly parentBody?: number; readonly label: string; readonly attributes?: AttributeAssignments },
): void {
	const { parentBody = WORLD, label, attributes } = options;
	if (joints.length === 0) return;
	if (parentBody !== WORLD) {
		builder.edits.extendArticulation(builder.edits.articulationOf(parentBody), joints);
		return;
	}
	builder.addArticulation(joints, { label, ...(attributes === undefined ? {} : { attributes }) });
}

/** Merges the chains of fixed joints that begin at a massless body under a free joint of the import. */
export function collapseMasslessRoots(builder: ModelBuilder, joints: readonly number[]): CollapseResult | undefined {
	const types = builder.column('jointType');
	const parents = builder.column('jointParent');
	const children = builder.column('jointChild');
	const masses = builder.column('bodyMass');
	const massless = new Set<number>();
	for (const joint of joints) {
		const isRoot = types[joint] === JointType.FREE && parents[joint] === WORLD;
		if (isRoot && masses[children[joint]!] === 0) massless.add(children[joint]!);
	}
	const collapsed = new Set<number>();
	// joints may come before those that lead to them
	for (let before = -1; before !== collapsed.size; ) {
		before = collapsed.size;
		for (const joint of joints) {
			if (types[joint] !== JointType.FIXED || !massless.has(parents[joint]!)) continue;
			collapsed.add(joint);
			if (masses[children[joint]!] === 0) massless.add(children[joint]!);
		}
	}
	if (collapsed.size === 0) return undefined;
	const jointsToKeep = Array.from(types, (_, joint) => joint).filter((joint) => !collapsed.has(joint));
	return builder.collapseFixedJoints({ jointsToKeep });
}
