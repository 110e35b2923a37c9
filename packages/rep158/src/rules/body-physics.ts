import { quote } from '@manyworlds/core';
import type { Layer, Path, Prim } from '@manyworlds/usd';
import { isTransformAnimated, xformOps } from '@manyworlds/usd/internal';
import { readBool, readNumber, readTuple } from '../asset/read-values.ts';
import type { CheckContext } from '../context/check-context.ts';
import type { JointInfo } from '../context/joint-graph.ts';
import { NO_CONTENTS } from '../context/link-contents.ts';
import { shown } from '../context/shown.ts';
import type { Reporter } from '../reporter.ts';
import { jointFrame } from './joint-frames.ts';
import { frameFaults } from './joint-physics.ts';
import { isSixNumberInertia } from './vendor-opinions.ts';

const RIGID_BODY = 'PhysicsRigidBodyAPI';

/** REP 1.3: dynamic bodies have a mass. */
export function checkMass(context: CheckContext, report: Reporter): void {
	for (const body of context.lists.bodies) {
		if (!isDynamic(body) || isDummy(context, body) || isFixedToWorldWithoutMass(context, body)) continue;
		const attribute = body.attribute('physics:mass');
		const mass = attribute.hasAuthoredValue ? readNumber(body, 'physics:mass') : undefined;
		if (mass === undefined) {
			const has = body.hasSchema('PhysicsMassAPI') ? 'authors no physics:mass' : 'has no PhysicsMassAPI';
			const place = context.atRemoval(body, ['physics:mass', 'PhysicsMassAPI'], context.atSchema(body, RIGID_BODY));
			report.add(place, `the dynamic body ${quote(body.name)} ${has}, expected a mass above 0 kg`);
		} else if (!(mass > 0 && Number.isFinite(mass))) {
			report.add(context.at(attribute), `physics:mass is ${shown(mass)} kg, expected a mass above 0 kg`);
		} else if (!body.hasSchema('PhysicsMassAPI')) {
			report.add(
				context.atRemoval(body, ['PhysicsMassAPI'], context.at(attribute)),
				'physics:mass is authored without PhysicsMassAPI, expected the schema to be applied',
			);
		}
	}
}

/** REP 1.3: what never moves is a collider without a rigid body. */
export function checkStaticProps(context: CheckContext, report: Reporter): void {
	const jointed = new Set<Path>();
	for (const { body0, body1 } of context.graph.joints) {
		for (const { body } of [body0, body1]) if (body !== undefined) jointed.add(body.path);
	}
	for (const body of context.lists.bodies) {
		const place = context.atSchema(body, RIGID_BODY);
		if (isFixedToWorldWithoutMass(context, body)) {
			const message = `the body ${quote(body.name)} is fixed to the world without a mass, expected a collider without ${RIGID_BODY}`;
			report.add(place, message);
			continue;
		}
		const isKinematic = readBool(body, 'physics:kinematicEnabled') === true;
		if (!isKinematic || jointed.has(body.path) || isAnimated(body)) continue;
		// somebody may move it at run time: only a guess
		const message = `the kinematic body ${quote(body.name)} is never animated, expected a collider without ${RIGID_BODY} if it never moves`;
		report.add(place, message, { severity: 'warning' });
	}
}

/** A body that a fixed joint holds in the world, with an authored mass of 0. */
function isFixedToWorldWithoutMass(context: CheckContext, body: Prim): boolean {
	const attribute = body.attribute('physics:mass');
	if (!attribute.hasAuthoredValue || readNumber(body, 'physics:mass') !== 0) return false;
	const joints = context.graph.joints.filter(({ body0, body1 }) => {
		return body0.body?.path === body.path || body1.body?.path === body.path;
	});
	return joints.length > 0 && joints.every((joint) => joint.prim.isA('PhysicsFixedJoint') && isAnchor(joint));
}

/** Whether one side of a joint is the world. */
function isAnchor({ body0, body1 }: JointInfo): boolean {
	return (body0.body === undefined) !== (body1.body === undefined);
}

/** REP 1.3: fixed bases are anchored by a fixed joint whose body0 is the world (C16). */
export function checkAnchors(context: CheckContext, report: Reporter): void {
	for (const joint of context.graph.joints) {
		const { prim, body0, body1 } = joint;
		if (!prim.isA('PhysicsFixedJoint') || !joint.isEnabled || !isAnchor(joint)) continue;
		if (body1.body === undefined) {
			const name =
				body1.targets.length === 0
					? 'physics:body1 is empty'
					: `physics:body1 leads to <${body1.targets[0]}>, which is no body`;
			const message = `${name}, so that the joint anchors ${quote(body0.body!.name)} the wrong way round, expected physics:body0 empty and the base in physics:body1`;
			report.add(context.at(prim), message);
			continue;
		}
		if (body0.targets.length > 0) {
			const message = `physics:body0 leads to <${body0.targets[0]}>, which is no body: the base follows that prim when the asset is placed; the REP writes it empty`;
			const place = context.atField(prim.relationship('physics:body0'), 'targetPaths', body0.targets[0]!.toString());
			report.add(place, message, { severity: 'info' });
			continue;
		}
		checkWorldAnchor(context, report, joint);
	}
}

/** An anchor in the world stays where it is when the asset is placed elsewhere. */
function checkWorldAnchor(context: CheckContext, report: Reporter, { prim, body1 }: JointInfo): void {
	const world = jointFrame(context, prim, undefined, 0);
	const base = jointFrame(context, prim, body1.target, 1);
	if (world === undefined || base === undefined) return;
	const faults = frameFaults(context, prim, world, base);
	if (faults.length === 0) return;
	const at = (position: Float64Array): string => `(${[...position].map(shown).join(', ')})`;
	const message = `the joint anchors at ${at(world.position)} in the world, and the base is at ${at(base.position)}: ${faults.join(' and ')} apart, expected both to agree where the asset is placed`;
	report.add(context.at(prim), message, { severity: 'warning', key: 'placed' });
}

/** REP 1.3: bodies that are animated are kinematic. */
export function checkKinematic(context: CheckContext, report: Reporter): void {
	for (const body of context.lists.bodies) {
		if (!isTransformAnimated(body) || readBool(body, 'physics:kinematicEnabled') === true) continue;
		const op = xformOps(body).ops.find(({ attribute }) => attribute.mightBeTimeVarying)!;
		const message = `${quote(op.attributeName)} of the body has time samples, expected physics:kinematicEnabled = true`;
		const place = context.atField(op.attribute, 'timeSamples');
		report.add(context.atRemoval(body, ['physics:kinematicEnabled'], place), message);
	}
}

/** REP 1.3: frames without substance are no rigid bodies. */
export function checkDummyFrames(context: CheckContext, report: Reporter): void {
	for (const body of context.lists.bodies) {
		const isOptical = /_optical(?:_frame)?$/.test(body.name);
		if (!isOptical && !isDummy(context, body)) continue;
		const why = isDummy(context, body) ? 'has no mass, collider or visual' : 'is an optical frame by its name';
		const message = `the rigid body ${quote(body.name)} ${why}, expected a frame without ${RIGID_BODY}`;
		report.add(context.atSchema(body, RIGID_BODY), message, isDummy(context, body) ? {} : { severity: 'warning' });
	}
}

/** REP 1.3: frames that are no bodies carry RosFrameAPI. */
export function checkFrameSchemas(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		if (!isNamedFrame(prim) || prim.hasSchema('RosFrameAPI')) continue;
		report.add(
			context.atRemoval(prim, ['RosFrameAPI'], context.at(prim)),
			`the frame ${quote(prim.name)} has no RosFrameAPI, expected it so that TF has the frame`,
		);
	}
}

const FRAME_NAME = /(?:_frame|_tcp|^tcp|^tool0|^base_footprint)$/;

/** Whether a prim is a frame by its name, and nothing else: whatever is below it has no shape and does not move by itself. */
export function isNamedFrame(prim: Prim): boolean {
	if (prim.typeName !== 'Xform' || !FRAME_NAME.test(prim.name)) return false;
	const stack = [prim];
	for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
		if (at.isA('Gprim') || at.isA('PointInstancer') || at.isA('PhysicsJoint') || at.hasSchema(RIGID_BODY)) return false;
		stack.push(...at.children());
	}
	return true;
}

/** REP 1.3: the inertia of a body is possible. */
export function checkInertia(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		if (!prim.hasSchema('PhysicsMassAPI')) continue;
		checkDiagonal(context, report, prim);
		checkAxes(context, report, prim);
	}
}

function checkDiagonal(context: CheckContext, report: Reporter, prim: Prim): void {
	const attribute = prim.attribute('physics:diagonalInertia');
	const diagonal = attribute.hasAuthoredValue ? readTuple(prim, 'physics:diagonalInertia', 3) : undefined;
	// zero means that it follows from the colliders
	if (diagonal === undefined || diagonal.every((value) => value === 0)) return;
	const text = `(${[...diagonal].map(shown).join(', ')}) kg m2`;
	const [small, middle, large] = [...diagonal].sort((a, b) => a - b) as [number, number, number];
	if (!(small > 0) || !Number.isFinite(large)) {
		report.add(context.at(attribute), `physics:diagonalInertia is ${text}, expected positive numbers`);
	} else if (large > (small + middle) * (1 + INERTIA_TOLERANCE)) {
		const message = `physics:diagonalInertia is ${text}: ${shown(large)} is more than the sum of the other two, which no mass distribution has`;
		report.add(context.at(attribute), message);
	}
}

/** Relative error of sums that single precision explains. */
const INERTIA_TOLERANCE = 1e-5;

function checkAxes(context: CheckContext, report: Reporter, prim: Prim): void {
	const attribute = prim.attribute('physics:principalAxes');
	const axes = attribute.hasAuthoredValue ? readTuple(prim, 'physics:principalAxes', 4) : undefined;
	if (axes === undefined || axes.every((value) => value === 0)) return;
	const length = Math.hypot(...axes);
	if (Math.abs(length - 1) <= 1e-3) return;
	report.add(
		context.at(attribute),
		`physics:principalAxes has the length ${shown(length)}, expected a unit quaternion`,
	);
}

/** REP 1.3: no inertia as six numbers. */
export function checkSixNumbers(context: CheckContext, report: Reporter): void {
	const suspects = new Map<Layer, Map<Path, Path[]>>();
	for (const layer of context.layers) {
		for (const { path } of context.census(layer).arrays) {
			if (!isSixNumberInertia(path.name)) continue;
			const prims = suspects.get(layer) ?? new Map<Path, Path[]>();
			prims.set(path.parent!, [...(prims.get(path.parent!) ?? []), path]);
			suspects.set(layer, prims);
		}
	}
	if (suspects.size === 0) return;
	for (const prim of context.lists.all) {
		for (const { layer, path, node } of prim.specs()) {
			for (const property of suspects.get(layer)?.get(path) ?? []) {
				const attribute = prim.attribute(property.name);
				const value = attribute.get()?.data;
				if (!ArrayBuffer.isView(value) || (value as Float64Array).length !== 6) continue;
				const message = `${quote(property.name)} has six numbers, expected physics:diagonalInertia and physics:principalAxes`;
				report.add({ layer, path: property, shown: attribute.path, node }, message);
			}
		}
	}
}

function isDynamic(body: Prim): boolean {
	return (
		(readBool(body, 'physics:rigidBodyEnabled') ?? true) &&
		(readBool(body, 'physics:kinematicEnabled') ?? false) === false
	);
}

/** Whether a body has neither mass nor anything to collide with or to show. */
function isDummy(context: CheckContext, body: Prim): boolean {
	const { colliders, visuals } = context.links.get(body.path) ?? NO_CONTENTS;
	if (colliders.length > 0 || visuals.length > 0) return false;
	return !['physics:mass', 'physics:density', 'physics:diagonalInertia', 'newton:inertia'].some(
		(name) => body.attribute(name).hasAuthoredValue,
	);
}

function isAnimated(body: Prim): boolean {
	for (let at: Prim | undefined = body; at !== undefined && !at.isPseudoRoot; at = at.parent) {
		if (isTransformAnimated(at)) return true;
	}
	return false;
}
