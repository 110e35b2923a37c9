import type { Path } from '@manyworlds/usd';
import { freeChild } from '@manyworlds/usd/internal';
import { bodyOf, isJoint } from '../../asset/read-values.ts';
import { isTreeJoint, JointGraph } from '../../context/joint-graph.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { movePrims } from '../prims/move-prims.ts';

/** F27: joints below their parent links, beside their child links, with every path following. */
export const HIERARCHY: Fixer = {
	family: 'F27',
	title: 'joints below their parent links',
	rules: ['R1.3.1'],
	safety: 'unsafe',
	apply(session) {
		if (session.wants('R1.3.1')) placeJoints(session);
	},
};

function placeJoints(session: FixSession): void {
	const graph = new JointGraph([...session.stage.traverse()].filter(isJoint), bodyOf);
	const wishes = graph.joints.filter(isTreeJoint).flatMap(({ prim, body0, body1 }) => {
		const parent = body0.body!;
		const child = body1.body!;
		// a joint belongs beside its child link, which lies below the parent in nested robots alone
		if (!child.path.hasPrefix(parent.path)) {
			const message = `its child link <${child.path}> is not below its parent link <${parent.path}>; links are not moved`;
			session.refuse('R1.3.1', message, { prim });
			return [];
		}
		return prim.path.parent === parent.path ? [] : [{ from: prim.path, parent: parent.path }];
	});
	const taken = new Set<Path>();
	// below an over that nothing defines a joint would be no joint any more
	const isThere = ({ from, parent }: (typeof wishes)[number]): boolean => {
		if (session.stage.prim(parent)?.isDefined === true) return true;
		session.refuse('R1.3.1', `the joint cannot move below <${parent}>: nothing defines that`, { prim: from });
		return false;
	};
	const moves = wishes
		.filter(isThere)
		.map(({ from, parent }) => ({ from, to: freeChild(session.stage, parent, from.name, taken) }));
	const places = new Map(moves.map(({ from, to }) => [from, to]));
	for (const [from, reason] of movePrims(session, 'R1.3.1', moves))
		session.refuse('R1.3.1', `the joint cannot move to <${places.get(from)!}>: ${reason}`, { prim: from });
}
