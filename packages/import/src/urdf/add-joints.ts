import { quote } from '@manyworlds/core';
import { vec3Cross, vec3Normalize, type XmlElement } from '@manyworlds/core/internal';
import type { UrdfJoint } from '@manyworlds/formats';
import { type JointAxisConfig, type JointOptions, JointTargetMode } from '@manyworlds/model';
import type { Provenance } from '../ledger.ts';
import { tellPose, unauthored } from './add-shapes.ts';
import type { UrdfContext } from './urdf-context.ts';
import type { ModelRow } from './urdf-ledger.ts';
import { transformOf } from './urdf-pose.ts';

/** Adds joints between links that exist as bodies; gives the joint of each by name, in order. */
export function addJoints(
	context: UrdfContext,
	joints: readonly UrdfJoint[],
	bodies: ReadonlyMap<string, number>,
): Map<string, number> {
	const { ledger, options } = context;
	const added = new Map<string, number>();
	for (const joint of joints) {
		for (const name of ['name', 'type']) ledger.use(joint.element, name);
		for (const end of ['parent', 'child']) ledger.use(joint.element.child(end), 'link');
		const index = addJoint(context, joint, {
			parent: bodies.get(joint.parent)!,
			child: bodies.get(joint.child)!,
			parentXform: transformOf(joint.origin, options.scale),
			label: context.label(joint.name),
			attributes: context.attributes(joint.element, 'joint'),
		});
		tellPose(context, 'joint_X_p', 'joint', index, joint.origin.element);
		added.set(joint.name, index);
	}
	return added;
}

function addJoint(context: UrdfContext, joint: UrdfJoint, shared: JointOptions): number {
	const { builder } = context;
	switch (joint.type) {
		case 'revolute':
		case 'continuous': {
			const index = builder.addJointRevolute({ ...shared, ...axisOf(context, joint, 1) });
			tellAxis(context, joint, index, 1);
			return index;
		}
		case 'prismatic': {
			const index = builder.addJointPrismatic({ ...shared, ...axisOf(context, joint, context.options.scale) });
			tellAxis(context, joint, index, 1);
			return index;
		}
		case 'planar':
			return addPlanar(context, joint, shared);
		default: {
			for (const element of [joint.axisElement, joint.limit?.element, joint.dynamics?.element]) {
				if (element !== undefined) context.ledger.ignoreAll(element, `a ${joint.type} joint has no axis`);
			}
			return joint.type === 'floating' ? builder.addJointFree(shared) : builder.addJointFixed(shared);
		}
	}
}

/** Settings of the axis of a joint; lengths are multiplied by `scale`. */
function axisOf(context: UrdfContext, joint: UrdfJoint, scale: number): Partial<JointAxisConfig> {
	const { builder, options } = context;
	const { defaultJointConfig } = builder;
	const { limit, dynamics } = joint;
	const hasRange = hasLimits(joint, context);
	const lower = hasRange ? limit?.lower : undefined;
	const upper = hasRange ? limit?.upper : undefined;
	if (lower !== undefined && upper !== undefined && lower > upper) {
		const message = `joint ${quote(joint.name)} has the lower limit ${lower} above the upper one, ${upper}`;
		context.add('URDF011', message, limit!.element);
	}
	// Newton scales its own defaults too
	const factor = (value: number | undefined): number => (value !== undefined || options.newtonCompat ? scale : 1);
	const velocity = limit?.velocity;
	return {
		axis: joint.axis,
		limitLower: (lower ?? defaultJointConfig.limitLower) * factor(lower),
		limitUpper: (upper ?? defaultJointConfig.limitUpper) * factor(upper),
		effortLimit: limit?.effort ?? defaultJointConfig.effortLimit,
		velocityLimit: velocity === undefined ? defaultJointConfig.velocityLimit : velocity * scale,
		targetKd: dynamics?.damping ?? defaultJointConfig.targetKd,
		friction: dynamics?.friction ?? defaultJointConfig.friction,
		actuatorMode: targetMode(context),
	};
}

/** URDF says nothing about gains, so joints follow positions as soon as they get some. */
function targetMode({ options }: UrdfContext): JointTargetMode {
	return options.forcePositionVelocityActuation ? JointTargetMode.POSITION_VELOCITY : JointTargetMode.POSITION;
}

/** A continuous joint turns without end, whatever its `limit` says; Newton reads it all the same. */
function hasLimits(joint: UrdfJoint, { options }: UrdfContext): boolean {
	return joint.type !== 'continuous' || options.newtonCompat;
}

/** Two translations in the plane whose normal is the axis. */
function addPlanar(context: UrdfContext, joint: UrdfJoint, shared: JointOptions): number {
	const { axis: _, effortLimit, velocityLimit, ...common } = axisOf(context, joint, context.options.scale);
	// Newton leaves the bounds of planar joints at their defaults
	const bounds = context.options.newtonCompat
		? {}
		: {
				...(joint.limit?.effort === undefined ? {} : { effortLimit: effortLimit! }),
				...(joint.limit?.velocity === undefined ? {} : { velocityLimit: velocityLimit! }),
			};
	const normal = Float64Array.from(joint.axis);
	vec3Normalize(normal, normal);
	const helper = Math.abs(normal[1]!) > 1 - 1e-5 ? [1, 0, 0] : [0, 1, 0];
	const u = new Float64Array(3);
	const v = new Float64Array(3);
	vec3Cross(u, Float64Array.from(helper), normal);
	vec3Normalize(u, u);
	vec3Cross(v, normal, u);
	const axes = [u, v].map((axis) => ({ ...common, ...bounds, axis }));
	const index = context.builder.addJointD6({ ...shared, linearAxes: axes });
	tellAxis(context, joint, index, 2);
	return index;
}

const LIMITS = [
	['joint_limit_lower', 'lower'],
	['joint_limit_upper', 'upper'],
	['joint_effort_limit', 'effort'],
	['joint_velocity_limit', 'velocity'],
] as const;

const BUILDER_DEFAULT: Provenance = {
	source: 'builder default',
	why: 'the file gives none: defaultJointConfig of the builder',
};
const NO_ATTRIBUTE: Provenance = { source: 'builder default', why: 'URDF has no attribute for it' };
const FOLLOWS_POSITIONS: Provenance = {
	source: 'importer default',
	why: 'URDF says nothing about gains: joints follow positions',
};

/** Tells the ledger what gave the settings of each axis. */
function tellAxis(context: UrdfContext, joint: UrdfJoint, index: number, dofs: number): void {
	const { ledger, options } = context;
	const conversion =
		joint.type === 'revolute' || joint.type === 'continuous' || options.scale === 1
			? {}
			: { conversion: { from: 'm', to: `${options.scale} m` } };
	for (let dof = 0; dof < dofs; dof++) {
		const row = (array: string): ModelRow => ({ array, entity: 'dof', index, dof });
		const give = (array: string, element: XmlElement | undefined, name: string, value: unknown, more = {}): void =>
			ledger.give(row(array), element, name, {
				why: `joint ${quote(joint.name)} gives it`,
				absent: BUILDER_DEFAULT,
				isRead: value !== undefined,
				...more,
			});
		const isTurned =
			joint.type === 'planar' ? { conversion: { from: 'normal of the plane', to: 'two axes in it' } } : {};
		ledger.give(row('joint_axis'), joint.axisElement, 'xyz', {
			why: `joint ${quote(joint.name)} gives it`,
			absent: unauthored('1 0 0'),
			...isTurned,
		});
		for (const [array, name] of LIMITS) {
			const isRange = name === 'lower' || name === 'upper';
			const isUsed = isRange ? hasLimits(joint, context) : joint.type !== 'planar' || !options.newtonCompat;
			if (isUsed) give(array, joint.limit?.element, name, joint.limit?.[name], name === 'effort' ? {} : conversion);
			else {
				ledger.ignore(
					joint.limit?.element,
					name,
					isRange ? 'a continuous joint has no limits' : 'Newton does not read it',
				);
				ledger.computed(row(array), BUILDER_DEFAULT);
			}
		}
		const meaning = { conversion: { from: 'damping', to: 'velocity gain of the drive' } };
		give('joint_target_kd', joint.dynamics?.element, 'damping', joint.dynamics?.damping, meaning);
		give('joint_friction', joint.dynamics?.element, 'friction', joint.dynamics?.friction);
		for (const array of ['joint_target_ke', 'joint_armature']) {
			ledger.computed(row(array), NO_ATTRIBUTE);
		}
		ledger.computed(row('joint_target_mode'), FOLLOWS_POSITIONS);
	}
}

/** Adds the `mimic` of joints. */
export function addMimics(
	context: UrdfContext,
	joints: readonly UrdfJoint[],
	added: ReadonlyMap<string, number>,
): void {
	const { builder, ledger } = context;
	for (const { mimic, name } of joints) {
		if (mimic === undefined) continue;
		const follower = added.get(name)!;
		const leader = added.get(mimic.joint);
		if (leader === undefined || leader === follower) {
			const found = leader === undefined ? 'no joint of the robot' : 'the joint itself';
			context.add('URDF010', `joint ${quote(name)} follows ${quote(mimic.joint)}, which is ${found}`, mimic.element);
			ledger.ignoreAll(mimic.element, `${quote(mimic.joint)} is ${found}`);
			continue;
		}
		const index = builder.addConstraintMimic({
			joint0: follower,
			joint1: leader,
			coef0: mimic.offset,
			coef1: mimic.multiplier,
			label: context.label(`mimic_${name}`),
		});
		const row = (array: string): ModelRow => ({ array, entity: 'mimic', index });
		ledger.use(mimic.element, 'joint');
		ledger.give(row('constraint_mimic_coef0'), mimic.element, 'offset', {
			why: '<mimic> gives it',
			absent: unauthored('0'),
		});
		ledger.give(row('constraint_mimic_coef1'), mimic.element, 'multiplier', {
			why: '<mimic> gives it',
			absent: unauthored('1'),
		});
	}
}
