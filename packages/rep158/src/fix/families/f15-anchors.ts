import { makeValue, type Prim, T, type Value, XformCache } from '@manyworlds/usd';
import { bodyOf, readNumbers } from '../../asset/read-values.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { applyMatrix, multiply3, quaternionOf, rotationOf, splitMatrix } from '../engine/linear.ts';
import { propertySite, schemaSite, setAttribute, setTargets } from '../engine/sites.ts';

const RULE = 'R1.3.12';

/**
 * F15: a fixed base is anchored by a fixed joint from the world to it. Anchors the wrong way round are turned; one that leads to a
 * prim of the asset, so that it moves with the asset, is kept unless the literal form of the REP is asked for (C16).
 */
export const ANCHORS: Fixer = {
	family: 'F15',
	title: 'fixed bases anchored from the world',
	rules: [RULE],
	safety: 'safe',
	changes: ['joints'],
	apply(session) {
		eachPrim(
			session,
			(prim) => prim.isA('PhysicsFixedJoint'),
			(prim) => fixAnchor(session, prim),
		);
	},
};

function fixAnchor(session: FixSession, prim: Prim): void {
	const target = (index: number): Prim | undefined => {
		const [path] = prim.relationship(`physics:body${index}`).targets();
		return path === undefined ? undefined : prim.stage.prim(path);
	};
	const [first, second] = [target(0), target(1)];
	const [body0, body1] = [bodyOf(first), bodyOf(second)];
	if (body0 !== undefined && body1 === undefined) {
		turnAround(session, prim, first, second);
		return;
	}
	if (body1 !== undefined && first === undefined) checkPlace(session, prim, second!);
	if (body1 === undefined || body0 !== undefined || first === undefined || session.parameters.anchor !== 'rep') return;
	const world = new XformCache().worldTransform(first);
	const split = splitMatrix(world);
	if (split === undefined) {
		session.refuse(RULE, `<${first.path}> has a transform that flattens space`, { prim });
		return;
	}
	const position = readNumbers(prim, 'physics:localPos0') ?? [0, 0, 0];
	const rotation = rotationOf(readNumbers(prim, 'physics:localRot0') ?? [0, 0, 0, 1]);
	setTargets(session, RULE, prim, 'physics:body0', []);
	setFrame(session, prim, 0, applyMatrix(position, world), quaternionOf(multiply3(rotation, split.rotation)));
}

/** An anchor in the world does not follow an asset that is placed elsewhere. */
function checkPlace(session: FixSession, prim: Prim, base: Prim): void {
	const world = readNumbers(prim, 'physics:localPos0') ?? Float64Array.of(0, 0, 0);
	const local = readNumbers(prim, 'physics:localPos1') ?? Float64Array.of(0, 0, 0);
	const there = applyMatrix(local, new XformCache().worldTransform(base));
	if (Math.hypot(there[0]! - world[0]!, there[1]! - world[1]!, there[2]! - world[2]!) < 1e-4) return;
	const message = 'the anchor is in the world and the base elsewhere; let physics:body0 lead to a prim of the asset';
	session.refuse(RULE, message, { prim });
}

/** Exchanges the sides of a joint with their frames. */
function turnAround(session: FixSession, prim: Prim, first: Prim | undefined, second: Prim | undefined): void {
	const frames = [0, 1].map((index) => ({
		position: readNumbers(prim, `physics:localPos${index}`) ?? Float64Array.of(0, 0, 0),
		rotation: readNumbers(prim, `physics:localRot${index}`) ?? Float64Array.of(0, 0, 0, 1),
	}));
	const site = propertySite(session, prim, 'physics:body0');
	setTargets(session, RULE, prim, 'physics:body0', second === undefined ? [] : [second.path], { site });
	setTargets(session, RULE, session.stage.prim(prim.path)!, 'physics:body1', [first!.path], { site });
	for (const index of [0, 1] as const) {
		const { position, rotation } = frames[1 - index]!;
		setFrame(session, session.stage.prim(prim.path)!, index, position, rotation);
	}
}

function setFrame(
	session: FixSession,
	prim: Prim,
	index: number,
	position: Float64Array,
	rotation: Float64Array,
): void {
	const site = schemaSite(session, prim, 'Physics') ?? propertySite(session, prim, 'physics:body1');
	const point = makeValue(T.float3, Float32Array.from(position)) as Value;
	setAttribute(session, RULE, prim, `physics:localPos${index}`, point, { typeName: 'point3f', site });
	const turn = makeValue(T.quatf, Float32Array.from(rotation)) as Value;
	setAttribute(session, RULE, session.stage.prim(prim.path)!, `physics:localRot${index}`, turn, {
		typeName: 'quatf',
		site,
	});
}
