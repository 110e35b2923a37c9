import { mat4Invert, mat4Multiply } from '@manyworlds/core/internal';
import { makeValue, type Prim, T, type Value, XformCache } from '@manyworlds/usd';
import { freeChild } from '@manyworlds/usd/internal';
import { bodyOf, isBody, isJoint, readNumbers } from '../../asset/read-values.ts';
import { JointGraph, type JointInfo } from '../../context/joint-graph.ts';
import { isNamedFrame } from '../../rules/body-physics.ts';
import { allPrims, eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import {
	applyMatrix,
	multiply3,
	quaternionOf,
	rotationOf,
	STRETCH_TOLERANCE,
	splitMatrix,
	stretchKind,
	transpose3,
} from '../engine/linear.ts';
import { Proposals } from '../engine/proposals.ts';
import { propertySite, removeProperty, removeSchema, setAttribute, setPrimField, setTargets } from '../engine/sites.ts';
import { stackTimes } from '../frames/stack-samples.ts';
import { proposeStack, rigidParts } from '../frames/xform-stack.ts';
import { applyRosSchema, setRosAttribute } from '../layers/ros-layer.ts';
import { movePrims } from '../prims/move-prims.ts';

const RULE = 'R1.3.14';

/** F16: bodies without mass, collider or shape are frames: their fixed joint goes, joints that began there begin at the parent. */
export const FRAMES: Fixer = {
	family: 'F16',
	title: 'frames instead of bodies without substance',
	rules: ['R1.3.14'],
	safety: 'unsafe',
	changes: ['bodies', 'joints', 'mass', 'articulations', 'limits'],
	apply(session) {
		for (const { path } of allPrims(session.stage).filter(isDummy)) {
			const prim = session.stage.prim(path);
			if (prim !== undefined) toFrame(session, prim);
		}
	},
};

/** F16, the part that changes no physics: frames by their names get the schema, schemas on Scopes get an Xform. */
export const FRAME_SCHEMAS: Fixer = {
	family: 'F16',
	title: 'frames that say what they are',
	rules: ['R1.3.15', 'R2.7.5'],
	safety: 'unsafe',
	apply(session) {
		const lacksSchema = (prim: Prim): boolean => isNamedFrame(prim) && !prim.hasSchema('RosFrameAPI');
		eachPrim(session, lacksSchema, (prim) => {
			applyRosSchema(session, 'R1.3.15', prim, 'RosFrameAPI');
			const id = makeValue(T.string, prim.name) as Value;
			const again = session.stage.prim(prim.path)!;
			setRosAttribute(session, 'R1.3.15', again, 'ros:frame:id', id, { typeName: 'string', variability: 'uniform' });
		});
		eachPrim(
			session,
			(prim) => prim.hasSchema('RosFrameAPI'),
			(prim) => {
				if (prim.typeName === 'Scope' || prim.typeName === '') {
					setPrimField(session, 'R2.7.5', prim, 'typeName', makeValue(T.token, 'Xform') as Value);
				} else if (isBody(prim)) dropFrame(session, prim);
			},
		);
	},
};

/** Links are frames by themselves. */
function dropFrame(session: FixSession, prim: Prim): void {
	for (const name of prim.authoredPropertyNames()) {
		if (name.startsWith('ros:frame:')) removeProperty(session, 'R2.7.5', session.stage.prim(prim.path)!, name);
	}
	removeSchema(session, 'R2.7.5', session.stage.prim(prim.path)!, 'RosFrameAPI');
	session.note('R2.7.5', 'the link is a frame without RosFrameAPI, under its own name', { prim });
}

function isDummy(prim: Prim): boolean {
	if (!isBody(prim)) return false;
	const hasMass = ['physics:mass', 'physics:density', 'physics:diagonalInertia', 'newton:inertia'].some(
		(name) => prim.attribute(name).hasAuthoredValue,
	);
	if (hasMass) return false;
	const stack = [prim];
	for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
		if (at.isA('Gprim') || at.isA('PointInstancer')) return false;
		for (const child of at.children()) if (!isBody(child)) stack.push(child);
	}
	return true;
}

function toFrame(session: FixSession, prim: Prim): void {
	const graph = new JointGraph(allPrims(session.stage).filter(isJoint), bodyOf);
	const around = graph.joints.filter(
		({ body0, body1 }) => body0.body?.path === prim.path || body1.body?.path === prim.path,
	);
	const holding = around.filter((joint) => joint.prim.isA('PhysicsFixedJoint') && isHeldBy(joint, prim));
	const [hold] = holding;
	const parent = hold && (hold.body0.body?.path === prim.path ? hold.body1.body : hold.body0.body);
	if (hold === undefined || parent === undefined || holding.length > 1) {
		const reason = hold === undefined ? 'no fixed joint holds it' : 'several fixed joints hold it';
		session.refuse(RULE, `the body has no substance, but ${reason}`, { prim });
		return;
	}
	if (!prim.path.hasPrefix(parent.path)) {
		const moved = moveBelow(session, prim, parent);
		if (typeof moved !== 'string') toFrame(session, moved);
		else
			session.refuse(RULE, `the body has no substance, but it cannot move below the one that holds it: ${moved}`, {
				prim,
			});
		return;
	}
	for (const joint of around) if (joint !== hold) reattach(session, joint, prim, parent);
	for (const { layer, path } of hold.prim.specs()) {
		if (session.isEditable(layer)) session.edit(RULE, layer, () => layer.removeSpec(path));
	}
	const again = (): Prim => session.stage.prim(prim.path)!;
	for (const schema of ['PhysicsRigidBodyAPI', 'PhysicsMassAPI', 'PhysicsArticulationRootAPI']) {
		if (again().authoredSchemas?.includes(schema)) removeSchema(session, RULE, again(), schema);
	}
	for (const name of again().authoredPropertyNames()) {
		if (name.startsWith('physics:')) removeProperty(session, RULE, again(), name);
	}
	applyRosSchema(session, 'R1.3.15', again(), 'RosFrameAPI');
	const id = makeValue(T.string, prim.name) as Value;
	setRosAttribute(session, 'R1.3.15', again(), 'ros:frame:id', id, { typeName: 'string', variability: 'uniform' });
}

/** Whether a joint hangs a body on another one: as its child, or as its parent when it lies below it. The world holds no frames. */
function isHeldBy({ body0, body1 }: JointInfo, prim: Prim): boolean {
	if (body1.body?.path === prim.path) return body0.body !== undefined;
	return body1.body !== undefined && prim.path.hasPrefix(body1.body.path);
}

/** Moves a body of a flat robot below the one that holds it, where it is in the world. Gives the prim, or why it stays. */
function moveBelow(session: FixSession, prim: Prim, parent: Prim): Prim | string {
	if (parent.path.hasPrefix(prim.path)) return 'that lies below it';
	for (const one of [prim, parent]) {
		const times = stackTimes(one);
		if (typeof times === 'string' || times.length > 0) return `<${one.path}> is animated`;
	}
	const transforms = new XformCache();
	const inverse = new Float64Array(16);
	if (mat4Invert(inverse, transforms.worldTransform(parent)) === 0) return 'that has no size';
	const local = new Float64Array(16);
	mat4Multiply(local, transforms.worldTransform(prim), inverse);
	const rigid = rigidParts(local);
	if (rigid === undefined || stretchKind(rigid.split.stretch, STRETCH_TOLERANCE) !== 'identity') {
		return 'they are scaled otherwise';
	}
	const to = freeChild(session.stage, parent.path, prim.name, new Set());
	const kept = movePrims(session, RULE, [{ from: prim.path, to }]);
	const reason = kept.get(prim.path);
	if (reason !== undefined) return reason;
	const proposals = new Proposals(session);
	proposeStack(session, proposals, session.stage.prim(to)!, RULE, rigid.parts);
	proposals.commit();
	return session.stage.prim(to)!;
}

/** Lets a joint begin, or end, at the parent of a frame, where the frame is. */
function reattach(session: FixSession, joint: JointInfo, from: Prim, to: Prim): void {
	const transforms = new XformCache();
	for (const index of [0, 1] as const) {
		if ((index === 0 ? joint.body0 : joint.body1).body?.path !== from.path) continue;
		const prim = session.stage.prim(joint.prim.path)!;
		const old = transforms.worldTransform(session.stage.prim(from.path)!);
		const now = transforms.worldTransform(session.stage.prim(to.path)!);
		const inverse = new Float64Array(16);
		mat4Invert(inverse, now);
		const position = applyMatrix(readNumbers(prim, `physics:localPos${index}`) ?? [0, 0, 0], old);
		const rotation = rotationOf(readNumbers(prim, `physics:localRot${index}`) ?? [0, 0, 0, 1]);
		const a = splitMatrix(old)!.rotation;
		const b = splitMatrix(now)!.rotation;
		const turned = quaternionOf(multiply3(multiply3(rotation, a), transpose3(b)));
		const site = propertySite(session, prim, `physics:body${index}`);
		setTargets(session, RULE, prim, `physics:body${index}`, [to.path]);
		const point = makeValue(T.float3, Float32Array.from(applyMatrix(position, inverse))) as Value;
		setAttribute(session, RULE, session.stage.prim(prim.path)!, `physics:localPos${index}`, point, {
			typeName: 'point3f',
			site,
		});
		const turn = makeValue(T.quatf, Float32Array.from(turned)) as Value;
		setAttribute(session, RULE, session.stage.prim(prim.path)!, `physics:localRot${index}`, turn, {
			typeName: 'quatf',
			site,
		});
	}
}
