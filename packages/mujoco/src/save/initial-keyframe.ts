import type { Conversion } from '../convert/conversion.ts';
import { CoordinateSync } from '../engine/coordinate-sync.ts';
import { JointSlots } from '../engine/joint-slots.ts';

/**
 * Adds a keyframe `initial` with the coordinates, velocities and controls that the model starts with, where they are not
 * the reference that MuJoCo starts from. Bodies and so coordinates are in the order of the tree.
 */
export function addInitialKeyframe(conversion: Conversion): void {
	const { model, plan, template, attributes } = conversion;
	const position = new Map(Array.from(template.joints, (joint, i) => [joint, i]));
	const qposStart = new Int32Array(template.joints.length).fill(-1);
	const qvelStart = new Int32Array(template.joints.length).fill(-1);
	let [nq, nv] = [0, 0];
	for (const joint of plan.tree) {
		qposStart[position.get(joint)!] = nq;
		qvelStart[position.get(joint)!] = nv;
		nq += model.jointQStart[joint + 1]! - model.jointQStart[joint]!;
		nv += model.jointQdStart[joint + 1]! - model.jointQdStart[joint]!;
	}
	const [qpos, qvel] = [new Float64Array(nq), new Float64Array(nv)];
	const world = Math.max(template.world, 0);
	const coordinates = new CoordinateSync(conversion, new JointSlots(conversion, { qposStart, qvelStart }));
	coordinates.push(world, model, qpos, qvel);
	const reference = new Float64Array(nq);
	const rest = { jointQ: Float64Array.from(model.jointQ), jointQd: new Float64Array(model.jointDofCount) };
	for (const joint of plan.tree) {
		const start = model.jointQStart[joint]!;
		const count = model.jointQStart[joint + 1]! - start;
		if (count === 4) rest.jointQ.set([0, 0, 0, 1], start);
		else if (count < 7) rest.jointQ.fill(0, start, start + count);
	}
	coordinates.push(world, rest, reference, new Float64Array(nv));
	// a free body starts where it is
	const isMoved = qpos.some((value, i) => value !== reference[i]);
	const controls = conversion.actuators.map(({ source, index, coordinate, axis }) => {
		if (source === 1) return attributes.number('ctrl', index) ?? 0;
		if (axis >= 0) return 0;
		return index >= 0 ? model.jointTargetQ[coordinate]! : model.jointTargetQd[-(index + 2)]!;
	});
	const isDriven = controls.some((value) => value !== 0);
	if (!isMoved && !isDriven && qvel.every((value) => value === 0)) return;
	conversion.sections.root.add('keyframe').add('key', {
		name: 'initial',
		qpos,
		qvel: qvel.some((value) => value !== 0) ? qvel : undefined,
		ctrl: isDriven ? controls : undefined,
	});
}
