import { Report } from '@manyworlds/core';
import { mat4Determinant } from '@manyworlds/core/internal';
import { BBoxCache, type Prim } from '@manyworlds/usd';
import { factorMatrix } from '@manyworlds/usd/internal';
import { numberOf, readText } from '../asset/read-values.ts';
import type { CheckContext } from '../context/check-context.ts';
import type { JointInfo } from '../context/joint-graph.ts';
import { shown } from '../context/shown.ts';
import type { Reporter } from '../reporter.ts';
import { jointFrame } from './joint-frames.ts';
import { kinematicPrims } from './transform-stacks.ts';

/** REP 1.1.6: links do not mirror, and wheels roll forward along X. */
export function checkHandedness(context: CheckContext, report: Reporter): void {
	for (const prim of kinematicPrims(context)) {
		const order = context.xformOrder(prim);
		if (order.length === 0) continue;
		const determinant = mat4Determinant(context.transforms.localTransform(prim).matrix);
		if (!(determinant < 0)) continue;
		const name = order.find((at) => /^xformOp:(?:scale|transform)/.test(at)) ?? 'xformOpOrder';
		const message = `the transform mirrors (its determinant is ${shown(determinant)}), expected a right-handed frame`;
		report.add(context.at(prim.attribute(name)), message);
	}
	checkForward(context, report);
}

/** Wheels of a vehicle that drives along X turn about Y. */
function checkForward(context: CheckContext, report: Reporter): void {
	const wheels = wheelJoints(context);
	if (wheels.length < 2) return;
	const sideways = wheels.every(({ prim, body1 }) => {
		const axis = jointAxis(context, prim, body1.body!);
		return axis !== undefined && Math.abs(axis[0]!) > 0.95;
	});
	if (!sideways) return;
	const [first] = wheels as [JointInfo];
	const message = `the wheels (${wheels.length} joints) turn about X, so that the asset drives along Y, expected X forward`;
	report.add(context.at(first.prim), message, { severity: 'warning', key: 'forward' });
}

/** REP 1.1.14: what stands on the ground has its origin at the middle of its bottom. */
export function checkPivot(context: CheckContext, report: Reporter): void {
	const root = context.assetRoot;
	if (root === undefined || root.kind !== 'component' || !isGroundAsset(context)) return;
	const boxes = new BBoxCache({ purposes: ['default'], report: new Report({ cap: 0 }) });
	const { min, max } = boxes.untransformedBound(root).aligned();
	const size = Math.max(...[0, 1, 2].map((i) => max[i]! - min[i]!));
	if (!(size > 0) || !Number.isFinite(size)) return;
	const tolerance = context.thresholds.pivot * size;
	const middle = [0, 1].map((i) => (min[i]! + max[i]!) / 2);
	const faults: string[] = [];
	if (Math.abs(min[2]!) > tolerance) faults.push(`its lowest point is at z = ${shown(min[2]!)}`);
	if (Math.hypot(middle[0]!, middle[1]!) > tolerance) {
		faults.push(`its middle is at x = ${shown(middle[0]!)}, y = ${shown(middle[1]!)}`);
	}
	if (faults.length === 0) return;
	report.add(context.at(root), `the origin is not at the bottom centre: ${faults.join(' and ')}, expected 0`);
}

/** Neither articulated nor a sensor: something to be put on a floor. */
function isGroundAsset({ lists }: CheckContext): boolean {
	const { joints, articulationRoots, cameras, lights, ros, gprims } = lists;
	const parts = [joints, articulationRoots, cameras, lights, ros];
	return gprims.length > 0 && parts.every((list) => list.length === 0);
}

/** REP 1.1.15: mobile bases have the frames of REP 105. */
export function checkBase(context: CheckContext, report: Reporter): void {
	const root = context.assetRoot;
	if (root === undefined) return;
	const wheels = wheelJoints(context);
	const isAnchored = context.graph.joints.some(({ prim, body0, body1 }) => {
		return prim.isA('PhysicsFixedJoint') && (body0.body === undefined) !== (body1.body === undefined);
	});
	if (wheels.length < 2 || isAnchored) return;
	const frames = new Map<string, Prim>();
	for (const prim of context.lists.all) {
		const id = prim.hasSchema('RosFrameAPI') ? readText(prim, 'ros:frame:id') : undefined;
		const name = id === undefined || id === '' ? prim.name : id;
		if (BASE_FRAMES.has(name) && !frames.has(name)) frames.set(name, prim);
	}
	const base = frames.get('base_link');
	if (base === undefined) {
		report.add(context.at(root), `the mobile base has ${wheels.length} wheels and no frame 'base_link' (REP 105)`);
		return;
	}
	const footprint = frames.get('base_footprint');
	if (footprint === undefined) return;
	const height = relativeHeight(context, footprint, root);
	const metres = numberOf(context.stage.metadata('metersPerUnit')) ?? 0.01;
	if (Math.abs(height * metres) <= 1e-3 && height <= relativeHeight(context, base, root) + 1e-6) return;
	const message = `'base_footprint' is at z = ${shown(height)}, expected 0, on the ground below 'base_link' (REP 105)`;
	report.add(context.at(footprint), message);
}

const BASE_FRAMES: ReadonlySet<string> = new Set(['base_link', 'base_footprint']);

function relativeHeight(context: CheckContext, prim: Prim, root: Prim): number {
	return context.transforms.relativeTransform(prim, root)[14]!;
}

/** Joints that turn bodies that are named wheels. */
function wheelJoints(context: CheckContext): JointInfo[] {
	return context.graph.joints.filter(({ prim, body1, isEnabled }) => {
		return isEnabled && prim.isA('PhysicsRevoluteJoint') && body1.body !== undefined && /wheel/i.test(body1.body.name);
	});
}

/** The axis of a joint in the space of the default prim, of unit length. */
function jointAxis(context: CheckContext, joint: Prim, body: Prim): Float64Array | undefined {
	const root = context.assetRoot;
	const frame = jointFrame(context, joint, body, 1);
	if (root === undefined || frame === undefined) return undefined;
	const axis = 'XYZ'.indexOf(readText(joint, 'physics:axis') ?? 'X');
	const { rotationMatrix } = factorMatrix(context.transforms.worldTransform(root));
	const world = frame.matrix.subarray(axis * 4, axis * 4 + 3);
	const result = new Float64Array(3);
	for (let i = 0; i < 3; i++) {
		for (let k = 0; k < 3; k++) result[i] = result[i]! + world[k]! * rotationMatrix[i * 4 + k]!;
	}
	return result;
}
