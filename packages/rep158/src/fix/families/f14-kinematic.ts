import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { isTransformAnimated } from '@manyworlds/usd/internal';
import { bodyOf, isBody, isJoint, readBool } from '../../asset/read-values.ts';
import { JointGraph } from '../../context/joint-graph.ts';
import { allPrims, eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { schemaSite, setAttribute } from '../engine/sites.ts';

const RULE = 'R1.3.13';

/** F14: bodies that follow time samples are kinematic. A body that joints move cannot be: it is refused. */
export const KINEMATIC_BODIES: Fixer = {
	family: 'F14',
	title: 'animated bodies that are kinematic',
	rules: [RULE],
	safety: 'unsafe',
	changes: ['bodies'],
	apply(session) {
		if (!session.wants(RULE)) return;
		const isMoved = (prim: Prim): boolean =>
			isBody(prim) && isTransformAnimated(prim) && readBool(prim, 'physics:kinematicEnabled') !== true;
		eachPrim(session, isMoved, (prim) => makeKinematic(session, prim));
	},
};

function makeKinematic(session: FixSession, prim: Prim): void {
	const graph = new JointGraph(allPrims(session.stage).filter(isJoint), bodyOf);
	const holding = graph.joints.find(({ body1, isEnabled }) => isEnabled && body1.body?.path === prim.path);
	if (holding !== undefined) {
		const message = `the body is animated, but the joint <${holding.prim.path}> moves it; remove one of them`;
		session.refuse(RULE, message, { prim });
		return;
	}
	const value = makeValue(T.bool, true) as Value;
	const site = schemaSite(session, prim, 'PhysicsRigidBodyAPI');
	setAttribute(session, RULE, prim, 'physics:kinematicEnabled', value, { typeName: 'bool', site });
}
