import {
	quatConjugate,
	quatMultiply,
	quatRotate,
	transformPoint,
	transformPointInverse,
} from '@manyworlds/core/internal';
import { type AttributeAssignments, WORLD } from '@manyworlds/model';
import { MUJOCO_ATTRIBUTES } from '@manyworlds/model/internal';
import type { PhysicsJoint, Prim } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';
import { readCustomValues } from './custom-values.ts';
import { hasApi } from './joint-values.ts';
import { readMimic } from './mimic.ts';
import { asBool, asNumber, attributeValue, authoredValue } from './plain-value.ts';
import { composePoses, inversePose, makePose } from './poses.ts';

/** Kinds of objects that MuJoCo's constraints are between. */
const MujocoObject = { BODY: 1, JOINT: 3 } as const;
/** What a constraint was also imported as. */
const TargetKind = { NONE: 0, JOINT: 1, MIMIC: 2 } as const;

/** Joints that MuJoCo takes as constraints between bodies; they are no part of the joint graph. */
export function bodyEqualities(ctx: ImportContext): ReadonlySet<string> {
	const found = new Set<string>();
	for (const [path, joint] of ctx.jointsByPath) {
		const prim = ctx.stage.prim(joint.primPath)!;
		if (hasApi(prim, 'MjcEqualityConnectAPI') || hasApi(prim, 'MjcEqualityWeldAPI')) found.add(path);
	}
	return found;
}

/** Adds MuJoCo's equality constraints, and loop joints and mimic constraints that stand for them elsewhere. */
export function addEqualities(ctx: ImportContext): void {
	for (const [path, joint] of ctx.jointsByPath) {
		const prim = ctx.stage.prim(joint.primPath)!;
		const isConnect = hasApi(prim, 'MjcEqualityConnectAPI');
		const isWeld = hasApi(prim, 'MjcEqualityWeldAPI');
		const isJoint = hasApi(prim, 'MjcEqualityJointAPI');
		if (!isConnect && !isWeld && !isJoint) continue;
		if (ctx.isIgnored(path) || (ctx.options.onlyLoadEnabledJoints && !joint.jointEnabled)) continue;
		declareEqualityAttributes(ctx);
		const attributes = readCustomValues(ctx, prim, ['equalityConstraint']);
		if (isConnect || isWeld) {
			ctx.resolvers.collect(prim);
			addBodyEquality(ctx, joint, prim, isConnect ? 'connect' : 'weld', attributes);
		} else {
			addJointEquality(ctx, joint, prim, attributes);
		}
	}
}

/** Attributes of constraints that need no `mujoco` namespace to be registered. */
function declareEqualityAttributes(ctx: ImportContext): void {
	for (const attribute of MUJOCO_ATTRIBUTES) {
		if (attribute.frequency !== 'equalityConstraint' || attribute.storedIn !== undefined) continue;
		ctx.builder.defineAttribute(attribute);
	}
}

interface EqualityEnd {
	readonly body: number;
	/** Place of a site in the body; undefined where the target is the body or the world itself. */
	readonly site: ArrayLike<number> | undefined;
}

function addBodyEquality(
	ctx: ImportContext,
	joint: PhysicsJoint,
	prim: Prim,
	type: 'connect' | 'weld',
	attributes: AttributeAssignments,
): void {
	const path = prim.path.toString();
	const ends = equalityEnds(ctx, prim, type);
	if (ends === undefined) return;
	const [end0, end1] = ends;
	const isConnect = type === 'connect';
	const side = isConnect ? end0 : end1;
	const local = isConnect ? joint.localPose0Position : joint.localPose1Position;
	const anchor = Float64Array.from(side.site ?? local);
	const common = { body1: end0.body, body2: end1.body, anchor, label: path, enabled: joint.jointEnabled };
	const weld = isConnect ? {} : weldSettings(ctx, joint, prim);
	let target = targetAttributes(TargetKind.NONE, -1, MujocoObject.BODY);
	if (ctx.options.convertMjcEqualityConstraints) {
		const loop = addLoopJoint(ctx, type, common);
		if (loop === undefined) {
			ctx.tell('IMP062', prim, 'the constraint is between the world and itself, so it holds nothing');
			return;
		}
		ctx.joints.set(path, loop);
		target = targetAttributes(TargetKind.JOINT, loop, MujocoObject.BODY);
	}
	ctx.builder.addEqualityConstraint({ type, ...common, ...weld, attributes: { ...attributes, ...target } });
	ctx.mark(path, 'joint');
}

function targetAttributes(kind: number, target: number, object: number): AttributeAssignments {
	return {
		'mujoco:equality_constraint_target_kind': kind,
		'mujoco:equality_constraint_target': target,
		'mujoco:equality_constraint_objtype': object,
	};
}

/** Pose of body 1 in body 0 and the weight of rotation. */
function weldSettings(
	ctx: ImportContext,
	joint: PhysicsJoint,
	prim: Prim,
): { relpose: Float64Array; torquescale: number } {
	const pose0 = makePose(joint.localPose0Position, joint.localPose0Orientation);
	const pose1 = makePose(joint.localPose1Position, joint.localPose1Orientation);
	const relpose = new Float64Array(7);
	quatConjugate(relpose, pose1, 3, 3);
	quatMultiply(relpose, pose0, relpose, 3, 3, 3);
	const turned = quatRotate(new Float64Array(3), relpose, pose1, 0, 3, 0);
	for (let i = 0; i < 3; i++) relpose[i] = pose0[i]! - turned[i]!;
	const torquescale = asNumber(attributeValue(prim, 'mjc:torqueScale')) ?? 1;
	ctx.ledger.use(prim.path.toString(), 'mjc:torqueScale', { target: 'equality_constraint_torquescale' });
	return { relpose, torquescale };
}

/** A ball or fixed joint that holds what the constraint holds; undefined when no body takes part. */
function addLoopJoint(
	ctx: ImportContext,
	type: 'connect' | 'weld',
	{
		body1,
		body2,
		anchor,
		label,
		enabled,
	}: { body1: number; body2: number; anchor: Float64Array; label: string; enabled: boolean },
): number | undefined {
	const { builder } = ctx;
	if (body1 === WORLD && body2 === WORLD) return undefined;
	const [parent, child] = body2 === WORLD ? [WORLD, body1] : [body1, body2];
	const poses = builder.column('bodyQ');
	const world = body1 === WORLD ? anchor : transformPoint(new Float64Array(3), poses, anchor, 0, 7 * body1);
	const inBody = (body: number): Float64Array =>
		body === WORLD ? world : transformPointInverse(new Float64Array(3), poses, world, 0, 7 * body);
	const options = {
		parent,
		child,
		parentXform: { p: inBody(parent) },
		childXform: { p: inBody(child) },
		label,
		enabled,
	};
	return type === 'connect' ? builder.addJointBall(options) : builder.addJointFixed(options);
}

function equalityEnds(ctx: ImportContext, prim: Prim, type: string): readonly [EqualityEnd, EqualityEnd] | undefined {
	const targets = ['physics:body0', 'physics:body1'].map(
		(name) => prim.relationship(name).targets()[0]?.toString() ?? '',
	);
	if (targets.every((target) => target === '')) {
		ctx.tell('IMP062', prim, `the ${type} constraint names neither physics:body0 nor physics:body1`);
		return undefined;
	}
	const ends = targets.map((target) => equalityEnd(ctx, target));
	const [end0, end1] = ends;
	if (end0 !== undefined && end1 !== undefined) return [end0, end1];
	const lost = targets.filter((_, i) => ends[i] === undefined).map((target) => `<${target}>`);
	ctx.tell('IMP062', prim, `the ${type} constraint is left out: ${lost.join(' and ')} belongs to no imported body`);
	return undefined;
}

/** The body that a target belongs to. Nothing, the root and a default prim that is no body are the world. */
function equalityEnd(ctx: ImportContext, target: string): EqualityEnd | undefined {
	const isDefaultPrim = ctx.stage.defaultPrim?.path.toString() === target && !ctx.bodies.has(target);
	if (target === '' || target === '/' || isDefaultPrim) return { body: WORLD, site: undefined };
	const prim = ctx.stage.prim(target);
	for (let at = prim; at !== undefined; at = at.parent) {
		const body = ctx.bodies.get(at.path.toString());
		if (body === undefined) continue;
		if (at.path === prim!.path) return { body, site: undefined };
		const pose = composePoses(inversePose(ctx.factored(at).pose), ctx.factored(prim!).pose);
		return { body, site: pose.subarray(0, 3) };
	}
	return undefined;
}

function addJointEquality(ctx: ImportContext, joint: PhysicsJoint, prim: Prim, attributes: AttributeAssignments): void {
	const path = prim.path.toString();
	const follower = ctx.joints.get(path);
	const { leader: leaderPath, coef0, coef1 } = readMimic(ctx, prim);
	const leader = leaderPath === undefined ? undefined : ctx.joints.get(leaderPath);
	if (follower === undefined || leader === undefined) {
		const what =
			follower === undefined
				? 'the joint itself is not imported'
				: leaderPath === undefined
					? 'newton:mimicJoint names no joint'
					: `it follows <${leaderPath}>, which is not imported`;
		ctx.tell('IMP062', prim, `the joint constraint is left out: ${what}`);
		return;
	}
	const rest = ['mjc:coef2', 'mjc:coef3', 'mjc:coef4'].map((name) => asNumber(authoredValue(prim, name)) ?? 0);
	const polycoef = [coef0, coef1, ...rest];
	const enabled = joint.jointEnabled && asBool(authoredValue(prim, 'newton:mimicEnabled')) !== false;
	let target = targetAttributes(TargetKind.NONE, -1, MujocoObject.JOINT);
	if (ctx.options.convertMjcEqualityConstraints) {
		if (rest.some((factor) => factor !== 0)) {
			ctx.tell(
				'IMP063',
				prim,
				`the coefficients ${rest.join(', ')} of higher powers count for MuJoCo only; the mimic constraint has the first two`,
				'mjc:coef2',
			);
		}
		const mimic = ctx.builder.addConstraintMimic({
			joint0: follower,
			joint1: leader,
			coef0,
			coef1,
			label: path,
			enabled,
		});
		target = targetAttributes(TargetKind.MIMIC, mimic, MujocoObject.JOINT);
	}
	ctx.builder.addEqualityConstraint({
		type: 'joint',
		joint1: follower,
		joint2: leader,
		polycoef,
		label: path,
		enabled,
		attributes: { ...attributes, ...target },
	});
	const isRevolute = joint.kind === 'RevoluteJoint';
	const target0 = 'equality_constraint_polycoef';
	if (isRevolute) ctx.ledger.convert(path, 'newton:mimicCoef0', { target: target0, from: 'degrees', to: 'radians' });
	else ctx.ledger.use(path, 'newton:mimicCoef0', { target: target0 });
	for (const name of [
		'newton:mimicCoef1',
		'newton:mimicEnabled',
		'mjc:coef0',
		'mjc:coef1',
		'mjc:coef2',
		'mjc:coef3',
		'mjc:coef4',
	]) {
		ctx.ledger.use(path, name, { target: target0 });
	}
}
