import type { Path } from '@manyworlds/usd';
import { isTreeJoint, JointGraph } from '../context/joint-graph.ts';
import type { FixSession } from './fix-session.ts';
import type { Fixer } from './fixer.ts';
import { movePrim } from './move-prim.ts';
import { bodyOf, isJoint } from './read-values.ts';

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
		// a joint belongs beside its child link, which only lies below the parent in nested robots
		const isPlaced = prim.path.parent === parent.path || body1.body!.path.parent !== parent.path;
		return isPlaced ? [] : [{ from: prim.path, parent: parent.path }];
	});
	for (const { from, parent } of wishes) {
		const to = freeName(session, parent, from.name);
		const reason = movePrim(session, 'R1.3.1', from, to);
		if (reason !== undefined) session.refuse('R1.3.1', `the joint cannot move to <${to}>: ${reason}`, { prim: from });
	}
}

function freeName(session: FixSession, parent: Path, wish: string): Path {
	let path = parent.appendChild(wish);
	for (let i = 2; session.stage.prim(path) !== undefined; i++) path = parent.appendChild(`${wish}_${i}`);
	return path;
}
