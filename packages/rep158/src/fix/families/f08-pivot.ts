import { BBoxCache, isEmptyBox, isXformable, localTransform, type Prim } from '@manyworlds/usd';
import { hasSchema, isJoint } from '../../asset/read-values.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { Proposals } from '../engine/proposals.ts';
import { leafParts, proposeStack } from '../frames/xform-stack.ts';

const RULE = 'R1.1.14';

/** F8: props stand with the middle of their underside at the origin of the default prim. */
export const PIVOT: Fixer = {
	family: 'F8',
	title: 'props that stand on their origin',
	rules: [RULE],
	safety: 'unsafe',
	changes: ['geometry', 'colliders', 'mass', 'bodies'],
	apply(session) {
		const root = session.stage.defaultPrim;
		if (root === undefined || !session.wants(RULE) || root.kind !== 'component') return;
		const prims = [...session.stage.traverse()];
		if (prims.some((prim) => isJoint(prim) || hasSchema(prim, 'PhysicsArticulationRootAPI'))) return;
		const offset = offsetOf(root);
		if (offset === undefined || Math.hypot(...offset) < 1e-6) return;
		moveChildren(session, root, offset);
	},
};

/** From the middle of the underside of what is seen to the origin, in the space of the prim. */
function offsetOf(root: Prim): [number, number, number] | undefined {
	const box = new BBoxCache().untransformedBound(root).aligned();
	if (isEmptyBox(box)) return undefined;
	return [-(box.min[0]! + box.max[0]!) / 2, -(box.min[1]! + box.max[1]!) / 2, -box.min[2]!];
}

function moveChildren(session: FixSession, root: Prim, offset: readonly [number, number, number]): void {
	if (root.isA('Gprim')) {
		session.refuse(RULE, 'the default prim is a shape itself; put it below an Xform first', { prim: root });
		return;
	}
	const proposals = new Proposals(session);
	const stack = root.children();
	for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
		proposals.see(prim);
		if (!isXformable(prim)) {
			stack.push(...prim.children());
			continue;
		}
		const { matrix, resetsXformStack } = localTransform(prim);
		if (resetsXformStack) continue;
		const moved = matrix.slice();
		for (let k = 0; k < 3; k++) moved[12 + k] = moved[12 + k]! + offset[k]!;
		const parts = leafParts(moved);
		if (parts === undefined) session.refuse(RULE, 'its transform flattens space', { prim });
		else proposeStack(session, proposals, prim, RULE, parts);
	}
	proposals.commit();
	const shown = offset.map((x) => Number(x.toPrecision(6))).join(', ');
	session.note(RULE, `everything moved by (${shown}); moving it back undoes that`, { prim: root });
}
