import { mat4Invert } from '@manyworlds/core/internal';
import { makeValue, type Prim, T, type Value, XformCache } from '@manyworlds/usd';
import { bodyOf, isBody, isJoint, readNumbers } from '../../asset/read-values.ts';
import { JointGraph, type JointInfo } from '../../context/joint-graph.ts';
import { allPrims, eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { applyMatrix, multiply3, quaternionOf, rotationOf, splitMatrix, transpose3 } from '../engine/linear.ts';
import { propertySite, removeProperty, removeSchema, setAttribute, setPrimField, setTargets } from '../engine/sites.ts';
import { applyRosSchema, setRosAttribute } from '../layers/ros-layer.ts';

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
		eachPrim(session, isNamedFrame, (prim) => {
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

const FRAME_NAME = /(?:_frame|_tcp|^tcp|^tool0|^base_footprint)$/;

function isNamedFrame(prim: Prim): boolean {
	if (prim.typeName !== 'Xform' || !FRAME_NAME.test(prim.name) || prim.children().length > 0) return false;
	return !prim.hasSchema('RosFrameAPI') && !prim.hasSchema('PhysicsRigidBodyAPI');
}

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
	if (hold === undefined || parent === undefined || holding.length > 1 || !prim.path.hasPrefix(parent.path)) {
		const reason = hold === undefined ? 'no fixed joint holds it' : 'it does not lie below the body that holds it';
		session.refuse(RULE, `the body has no substance, but ${reason}`, { prim });
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

/** Whether a joint connects a body with another one: the world holds no frames. */
function isHeldBy({ body0, body1 }: JointInfo, prim: Prim): boolean {
	const other = body0.body?.path === prim.path ? body1.body : body0.body;
	return other !== undefined && prim.path.hasPrefix(other.path);
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
