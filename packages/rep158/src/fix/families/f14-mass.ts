import { makeValue, type Prim, T, type Value, XformCache } from '@manyworlds/usd';
import { boundMaterial, dataOf } from '@manyworlds/usd/internal';
import { authoredNumber, bodyOf, hasSchema, isBody, isCollider, readBool } from '../../asset/read-values.ts';
import { allPrims, eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { applySchema, schemaSite, setAttribute } from '../engine/sites.ts';
import { colliderVolume } from './f14/shape-mass.ts';

const RULE = 'R1.3.10';

/** F14: dynamic bodies with a mass: what their colliders weigh at a density that somebody gave. */
export const MASSES: Fixer = {
	family: 'F14',
	title: 'masses of dynamic bodies',
	rules: [RULE],
	safety: 'safe',
	changes: ['mass'],
	apply(session) {
		const isDynamic = (prim: Prim): boolean => isBody(prim) && readBool(prim, 'physics:kinematicEnabled') !== true;
		eachPrim(session, isDynamic, (prim) => fixMass(session, prim));
	},
};

function fixMass(session: FixSession, prim: Prim): void {
	const mass = authoredNumber(prim, 'physics:mass');
	const site = schemaSite(session, prim, 'PhysicsRigidBodyAPI');
	if (mass !== undefined && mass > 0) {
		if (!hasSchema(prim, 'PhysicsMassAPI')) applySchema(session, RULE, prim, 'PhysicsMassAPI', site);
		return;
	}
	const colliders = allPrims(prim.stage).filter((other) => isCollider(other) && bodyOf(other)?.path === prim.path);
	// a frame without substance is the business of F16
	if (colliders.length === 0) return;
	const weighed = weigh(session, prim, colliders);
	if (typeof weighed === 'string') {
		session.ask(RULE, 'density NUMBER', weighed, { prim });
		return;
	}
	applySchema(session, RULE, prim, 'PhysicsMassAPI', site);
	const value = makeValue(T.float, Math.fround(weighed)) as Value;
	setAttribute(session, RULE, session.stage.prim(prim.path)!, 'physics:mass', value, { typeName: 'float', site });
}

/** Mass of a body in units of the stage; a reason when it cannot be told. */
function weigh(session: FixSession, body: Prim, colliders: readonly Prim[]): number | string {
	const { stage } = body;
	const metres = dataOf(stage.metadata('metersPerUnit'), T.double) ?? 0.01;
	const kilograms = dataOf(stage.metadata('kilogramsPerUnit'), T.double) ?? 1;
	const given = session.parameters.density;
	const transforms = new XformCache();
	let total = 0;
	for (const collider of colliders) {
		const own = authoredNumber(collider, 'physics:mass');
		if (own !== undefined && own > 0) {
			total += own;
			continue;
		}
		const material = boundMaterial(collider, 'physics')?.material;
		const density =
			positive(authoredNumber(collider, 'physics:density')) ??
			positive(authoredNumber(body, 'physics:density')) ??
			(material === undefined ? undefined : positive(authoredNumber(material, 'physics:density'))) ??
			(given === undefined ? undefined : (given * metres ** 3) / kilograms);
		if (density === undefined) return `the body has no mass, and no density is known for <${collider.path}>`;
		const volume = colliderVolume(collider, transforms.worldTransform(collider));
		if (volume === undefined) return `the body has no mass, and <${collider.path}> encloses no volume`;
		total += density * volume;
	}
	return total > 0 ? total : 'the body has no mass, and neither have its colliders';
}

function positive(value: number | undefined): number | undefined {
	return value !== undefined && value > 0 ? value : undefined;
}
