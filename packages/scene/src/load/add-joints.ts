import type { JointAxisConfig, JointOptions, JointTargetMode } from '@manyworlds/model';
import { nearestName } from '../nearest-name.ts';
import type { ScenePath } from '../scene-document.ts';
import type { SceneArticulation, SceneJoint, SceneJointAxis } from '../schema/joint.ts';
import type { LoadContext } from './load-context.ts';

/** Adds the inline joints. */
export function addJoints(context: LoadContext, joints: readonly SceneJoint[]): void {
	const { jointIds } = context;
	joints.forEach((joint, i) => {
		const path: ScenePath = ['joints', i];
		if (jointIds.has(joint.id)) {
			context.add('SCN023', [...path, 'id'], `is '${joint.id}', which another joint has too`);
			return;
		}
		jointIds.set(joint.id, addJoint(context, joint, path));
	});
}

function addJoint(context: LoadContext, joint: SceneJoint, path: ScenePath): number | undefined {
	const { builder } = context;
	if (!['fixed', 'free', 'revolute', 'prismatic'].includes(joint.type)) {
		const place = joint.type === '' ? path : [...path, 'type'];
		const more = '; fixed, free, revolute and prismatic are supported';
		context.addUnsupported(`joint type=${joint.type === '' ? '<missing>' : joint.type}`, place, 'SCN030', more);
		return undefined;
	}
	const parent = context.body(joint.parent, [...path, 'parent']);
	const child = context.body(joint.child, [...path, 'child']);
	if (parent === undefined || child === undefined) return undefined;
	if (child === -1)
		return context.add('SCN024', [...path, 'child'], 'is the world, expected a body that the joint moves');
	const shared: JointOptions = {
		parent,
		child,
		label: joint.label ?? joint.id,
		// what moves against the world meets its shapes: the ground is one of them
		...(joint.collision_filter_parent === false ? { collisionFilterParent: false } : {}),
		...(joint.parent_xform === undefined ? {} : { parentXform: joint.parent_xform }),
		...(joint.child_xform === undefined ? {} : { childXform: joint.child_xform }),
	};
	if (joint.type === 'fixed') return context.try(path, () => builder.addJointFixed(shared));
	if (joint.type === 'free') return context.try(path, () => builder.addJointFree(shared));
	const axis = { ...builder.defaultJointConfig, ...axisConfig(joint) };
	if (axis.limitLower > axis.limitUpper) {
		const at = joint.limit_lower === undefined ? 'limit_upper' : 'limit_lower';
		const message = `leads to the limits ${axis.limitLower} to ${axis.limitUpper}, expected the lower one below the upper one`;
		return context.add('SCN008', [...path, at], message);
	}
	const options = { ...shared, ...axis };
	return context.try(path, () =>
		joint.type === 'revolute' ? builder.addJointRevolute(options) : builder.addJointPrismatic(options),
	);
}

const FIELDS: readonly (readonly [keyof SceneJointAxis, keyof JointAxisConfig])[] = [
	['axis', 'axis'],
	['target_pos', 'targetPos'],
	['target_vel', 'targetVel'],
	['target_ke', 'targetKe'],
	['target_kd', 'targetKd'],
	['limit_lower', 'limitLower'],
	['limit_upper', 'limitUpper'],
	['limit_ke', 'limitKe'],
	['limit_kd', 'limitKd'],
	['armature', 'armature'],
	['effort_limit', 'effortLimit'],
	['velocity_limit', 'velocityLimit'],
	['friction', 'friction'],
	['actuator_mode', 'actuatorMode'],
];

/** The settings of an axis that a scene gives, by their names in the model. */
export function axisConfig(
	given: SceneJointAxis,
): Partial<JointAxisConfig> & { readonly actuatorMode?: JointTargetMode } {
	const out: Record<string, unknown> = {};
	for (const [key, name] of FIELDS) if (given[key] !== undefined) out[name] = given[key];
	return out;
}

/** Adds the articulations of inline joints, and warns of inline joints in none. */
export function addArticulations(
	context: LoadContext,
	articulations: readonly SceneArticulation[],
	joints: readonly SceneJoint[],
): void {
	const { builder, jointIds } = context;
	const found: { readonly members: number[]; readonly label: { label?: string }; readonly path: ScenePath }[] = [];
	articulations.forEach((articulation, i) => {
		const path: ScenePath = ['articulations', i];
		const members: number[] = [];
		articulation.joints.forEach((id, k) => {
			const joint = jointIds.get(id);
			if (joint !== undefined) members.push(joint);
			else missingMember(context, id, [...path, 'joints', k]);
		});
		if (members.length < articulation.joints.length) return;
		members.sort((a, b) => a - b);
		found.push({ members, label: articulation.id === undefined ? {} : { label: articulation.id }, path });
	});
	// joints have the order of `joints`, and articulations that of their first joints, whatever the order of the lists
	found.sort((a, b) => (a.members[0] ?? -1) - (b.members[0] ?? -1));
	for (const { members, label, path } of found) context.try(path, () => builder.addArticulation(members, label));
	const owners = builder.column('jointArticulation');
	joints.forEach(({ id }, i) => {
		const joint = jointIds.get(id);
		if (joint === undefined || owners[joint]! >= 0) return;
		context.add('SCN062', ['joints', i, 'id'], `is '${id}', which no articulation lists`);
	});
}

function missingMember(context: LoadContext, id: string, path: ScenePath): void {
	const { jointIds } = context;
	if (jointIds.has(id)) {
		// an error has said why, unless the joint is an unsupported feature that is left out
		if (!context.report.hasErrors) context.add('SCN021', path, `is '${id}', a joint that could not be added`);
		return;
	}
	const similar = nearestName(id, jointIds.keys());
	const hint = similar === undefined ? '' : `; did you mean '${similar}'?`;
	context.add('SCN021', path, `is '${id}', which no inline joint has as its id${hint}`);
}
