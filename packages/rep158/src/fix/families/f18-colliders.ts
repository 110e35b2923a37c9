import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { computePurpose, dataOf } from '@manyworlds/usd/internal';
import { bodyOf, hasSchema, isCollider } from '../../asset/read-values.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { applySchema, definingSite, propertySite, schemaSite, setAttribute } from '../engine/sites.ts';

/** F18: colliders are guides, and meshes among them say how they collide. */
export const COLLIDERS: Fixer = {
	family: 'F18',
	title: 'colliders as guides, with their approximation',
	rules: ['R1.3.1.1', 'R1.3.1.2'],
	safety: 'safe',
	apply(session) {
		const { approximation } = session.parameters;
		eachPrim(
			session,
			(prim) => isCollider(prim) && prim.isA('Gprim'),
			(prim) => {
				fixPurpose(session, prim);
				if (approximation !== undefined && prim.isA('Mesh')) fixApproximation(session, prim, approximation);
			},
		);
	},
};

/** F18, with what schemas say: a mesh collides as it is. */
export const APPROXIMATIONS: Fixer = {
	family: 'F18',
	title: 'mesh colliders that say how they collide',
	rules: ['R1.3.1.2'],
	safety: 'unsafe',
	apply(session) {
		eachPrim(
			session,
			(prim) => isCollider(prim) && prim.isA('Mesh'),
			(prim) => fixApproximation(session, prim, 'none'),
		);
	},
};

/** A shape that is also the only thing to see of its link stays visible. */
function fixPurpose(session: FixSession, prim: Prim): void {
	if (computePurpose(prim) === 'guide') return;
	const owner = bodyOf(prim) ?? prim.parent;
	if (owner === undefined || !hasOtherVisual(owner, prim)) {
		session.refuse('R1.3.1.1', 'the collider is all there is to see of its link; add a shape to show first', { prim });
		return;
	}
	const value = makeValue(T.token, 'guide') as Value;
	const site = propertySite(session, prim, 'purpose') ?? definingSite(session, prim);
	setAttribute(session, 'R1.3.1.1', prim, 'purpose', value, { typeName: 'token', variability: 'uniform', site });
}

/** Whether a link shows a shape that is no collider. */
function hasOtherVisual(owner: Prim, collider: Prim): boolean {
	const stack = owner.isPseudoRoot ? [] : [owner];
	for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
		if (prim.isA('Gprim') && prim.path !== collider.path && !isCollider(prim) && computePurpose(prim) !== 'guide')
			return true;
		for (const child of prim.children())
			if (child.isActive && bodyOf(child)?.path === bodyOf(owner)?.path) stack.push(child);
	}
	return false;
}

/** Without a word a mesh collides as it is, which is `none`; another approximation changes what it collides with. */
function fixApproximation(session: FixSession, prim: Prim, wish: string): void {
	const attribute = prim.attribute('physics:approximation');
	const hasApi = hasSchema(prim, 'PhysicsMeshCollisionAPI');
	if (hasApi && attribute.hasAuthoredValue) return;
	const site = schemaSite(session, prim, 'PhysicsCollisionAPI');
	const chosen = attribute.hasAuthoredValue ? dataOf(attribute.get(), T.token) : wish;
	applySchema(session, 'R1.3.1.2', prim, 'PhysicsMeshCollisionAPI', site);
	const value = makeValue(T.token, chosen ?? wish) as Value;
	setAttribute(session, 'R1.3.1.2', session.stage.prim(prim.path)!, 'physics:approximation', value, {
		typeName: 'token',
		variability: 'uniform',
		site,
	});
}
