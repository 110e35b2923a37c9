import { quatNormalize, quatRotate, transformMultiply, vec3Cross } from '@manyworlds/core/internal';
import { JointTargetMode } from '@manyworlds/model';
import type { Attributes } from './attributes.ts';
import type { MjcfContext, NamedJoint } from './context.ts';

/** A keyframe in the coordinates of the model. @public */
export interface MjcfKeyframe {
	readonly name: string;
	/** [s] */
	readonly time: number;
	/** Values of `joint_q` and `joint_qd` of the imported joints, by index; absent where the keyframe says nothing. */
	readonly jointQ: ReadonlyMap<number, number>;
	readonly jointQd: ReadonlyMap<number, number>;
	/** Controls in the order of the actuators. */
	readonly ctrl: readonly number[];
}

const SIZES = { free: [7, 6], ball: [4, 3], hinge: [1, 1], slide: [1, 1] } as const;

/** Reads the keyframes of a model. */
export function readKeyframes(context: MjcfContext): MjcfKeyframe[] {
	const frames: MjcfKeyframe[] = [];
	for (const section of context.document.sections('keyframe')) {
		for (const element of section.childrenNamed('key'))
			frames.push(readKeyframe(context, context.attributes(element), frames.length));
	}
	return frames;
}

function readKeyframe(context: MjcfContext, attributes: Attributes, index: number): MjcfKeyframe {
	const joints = context.jointOrder;
	const widths = joints.reduce<[number, number]>(
		([q, v], { type }) => [q + SIZES[type][0], v + SIZES[type][1]],
		[0, 0],
	);
	const read = (name: string, width: number): Float64Array | undefined => {
		const numbers = attributes.numbers(name);
		if (numbers === undefined || numbers.length === width) return numbers;
		attributes.fault('MJCF006', name, `expected ${width} numbers for the joints of the model`, 'warning');
		return undefined;
	};
	const qpos = read('qpos', widths[0]);
	const qvel = read('qvel', widths[1]);
	const jointQ = new Map<number, number>();
	const jointQd = new Map<number, number>();
	let q = 0;
	let v = 0;
	for (const joint of joints) {
		const [width, dofs] = SIZES[joint.type];
		const position = qpos?.subarray(q, q + width);
		if (position !== undefined) placeCoordinates(context, joint, position, jointQ);
		if (qvel !== undefined) placeVelocities(context, joint, qvel.subarray(v, v + dofs), position, jointQd);
		q += width;
		v += dofs;
	}
	attributes.ignore('act', 'activations are not part of the state here');
	attributes.ignore('mpos', 'mocap poses are those of the bodies');
	attributes.ignore('mquat', 'mocap poses are those of the bodies');
	return {
		name: attributes.text('name') ?? `${index}`,
		time: attributes.number('time', 0),
		jointQ,
		jointQd,
		ctrl: Array.from(attributes.numbers('ctrl') ?? []),
	};
}

function placeCoordinates(
	context: MjcfContext,
	joint: NamedJoint,
	values: Float64Array,
	out: Map<number, number>,
): void {
	if (joint.type === 'hinge' || joint.type === 'slide') {
		const refs = context.builder.attributeValues('mujoco:dof_ref') as Float64Array;
		out.set(joint.coordinate, values[0]! - (refs[joint.dof] ?? 0));
		return;
	}
	const at = joint.type === 'free' ? 3 : 0;
	const q = Float64Array.of(values[at + 1]!, values[at + 2]!, values[at + 3]!, values[at]!);
	quatNormalize(q, q);
	if (joint.type === 'ball') {
		q.forEach((value, i) => {
			out.set(joint.coordinate + i, value);
		});
		return;
	}
	const { scale } = context.options;
	const pose = Float64Array.of(values[0]! * scale, values[1]! * scale, values[2]! * scale, ...q);
	transformMultiply(pose, context.xform, pose);
	pose.forEach((value, i) => {
		out.set(joint.coordinate + i, value);
	});
}

/**
 * MuJoCo has the velocity of a free body at its origin, and angular velocities in body axes; the model has the velocity of
 * the centre of mass, and world axes.
 */
function placeVelocities(
	context: MjcfContext,
	joint: NamedJoint,
	values: Float64Array,
	position: Float64Array | undefined,
	out: Map<number, number>,
): void {
	if (joint.type === 'hinge' || joint.type === 'slide') {
		out.set(joint.dof, values[0]!);
		return;
	}
	const at = joint.type === 'free' ? 3 : 0;
	const turn = Float64Array.of(
		position?.[at + 1] ?? 0,
		position?.[at + 2] ?? 0,
		position?.[at + 3] ?? 0,
		position?.[at] ?? 1,
	);
	quatNormalize(turn, turn);
	const angular = quatRotate(new Float64Array(3), turn, values, 0, 0, at);
	const all = joint.type === 'ball' ? angular : new Float64Array(6);
	if (joint.type === 'free') {
		const { builder, options, xform } = context;
		const body = builder.column('jointChild')[joint.joint]!;
		const com = quatRotate(new Float64Array(3), turn, builder.column('bodyCom'), 0, 0, 3 * body);
		const linear = vec3Cross(new Float64Array(3), angular, com);
		for (let k = 0; k < 3; k++) linear[k] = linear[k]! + values[k]! * options.scale;
		quatRotate(all, xform, linear, 0, 3);
		quatRotate(all, xform, angular, 3, 3);
	}
	all.forEach((value, i) => {
		out.set(joint.dof + i, value);
	});
}

/** Makes a keyframe the initial state: coordinates, velocities, targets of driven joints, controls of the others. */
export function applyKeyframe(context: MjcfContext, frame: MjcfKeyframe): void {
	const { builder } = context;
	const q = builder.column('jointQ');
	for (const [index, value] of frame.jointQ) q[index] = value;
	const qd = builder.column('jointQd');
	for (const [index, value] of frame.jointQd) qd[index] = value;
	const first = context.firstActuator;
	const sources = builder.attributeValues('mujoco:ctrl_source') as Int32Array;
	const targets = builder.attributeValues('mujoco:actuator_trnid') as Int32Array;
	const kinds = builder.attributeValues('mujoco:ctrl_type') as Int32Array;
	const [targetQ, targetQd, modes] = [
		builder.column('jointTargetQ'),
		builder.column('jointTargetQd'),
		builder.column('jointTargetMode'),
	];
	const coordinates = new Map(context.jointOrder.map((joint) => [joint.dof, joint.coordinate]));
	for (const [i, value] of frame.ctrl.entries()) {
		const row = first + i;
		if (row >= sources.length) break;
		const dof = targets[2 * row]!;
		if (sources[row] !== 0) builder.setAttributeValue('mujoco:ctrl', row, value);
		else if (kinds[row] === 0 && coordinates.has(dof)) targetQ[coordinates.get(dof)!] = value;
		else if (modes[dof] !== JointTargetMode.NONE) targetQd[dof] = value;
	}
}
