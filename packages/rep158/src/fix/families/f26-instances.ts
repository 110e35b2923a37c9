import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { hasSchema, isJoint } from '../../asset/read-values.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { setPrimField } from '../engine/sites.ts';

/** F26: nothing that moves or talks is instanced; what has nothing to share is no instance (F38). */
export const INSTANCES: Fixer = {
	family: 'F26',
	title: 'no instances of bodies, joints and interfaces',
	rules: ['R1.2.6.1', 'R3.5.2', 'R2.1.1.13'],
	safety: 'unsafe',
	apply(session) {
		eachPrim(
			session,
			(prim) => prim.isInstance,
			(prim) => {
				const content = prim.prototype;
				if (content === undefined || !holdsPhysics(prim, content)) return;
				const rule = hasRos(prim) ? 'R2.1.1.13' : 'R1.2.6.1';
				setPrimField(session, rule, prim, 'instanceable', makeValue(T.bool, false) as Value);
			},
		);
		eachPrim(
			session,
			(prim) => prim.isA('PointInstancer'),
			(prim) => refuseInstancer(session, prim),
		);
	},
};

/** F38, the part that changes nothing: an instanceable prim without an arc shares nothing. */
export const LONE_INSTANCES: Fixer = {
	family: 'F38',
	title: 'instanceable only where something is shared',
	rules: ['R3.5.3'],
	safety: 'safe',
	apply(session) {
		eachPrim(
			session,
			(prim) => prim.isInstanceable && !prim.isInstance,
			(prim) => {
				for (const { layer, path } of prim.specs()) {
					if (layer.field(path, 'instanceable')?.data !== true || !session.isEditable(layer)) continue;
					session.edit('R3.5.3', layer, () => layer.eraseField(path, 'instanceable'));
				}
			},
		);
	},
};

function holdsPhysics(instance: Prim, prototype: Prim): boolean {
	if (isMoving(instance) || hasRos(instance)) return true;
	const stack = [...prototype.children()];
	for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
		if (isMoving(prim) || hasRos(prim)) return true;
		stack.push(...(prim.prototype?.children() ?? prim.children()));
	}
	return false;
}

function isMoving(prim: Prim): boolean {
	return isJoint(prim) || hasSchema(prim, 'PhysicsRigidBodyAPI') || hasSchema(prim, 'PhysicsArticulationRootAPI');
}

function hasRos(prim: Prim): boolean {
	return (prim.authoredSchemas ?? []).some((schema) => /^Ros[A-Z]/.test(schema));
}

function refuseInstancer(session: FixSession, prim: Prim): void {
	for (const path of prim.relationship('prototypes').targets()) {
		const prototype = prim.stage.prim(path);
		if (prototype === undefined || !holdsPhysics(prototype, prototype)) continue;
		session.refuse('R1.2.6.1', `its prototype <${path}> holds bodies or interfaces, which points cannot instance`, {
			prim,
		});
	}
}
