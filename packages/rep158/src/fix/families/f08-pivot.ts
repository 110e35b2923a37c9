import { BBoxCache, makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import { isEmptyBox, isXformable, xformOps } from '@manyworlds/usd/internal';
import { hasSchema, isJoint, numbersOf } from '../../asset/read-values.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { Proposals } from '../engine/proposals.ts';
import { orderOf, xformSite } from '../frames/xform-stack.ts';

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
		if (xformOps(prim).resetsXformStack) {
			session.refuse(RULE, 'it does not follow the default prim (!resetXformStack!) and would stay behind', { prim });
			return;
		}
		const reason = proposeShift(session, proposals, prim, offset);
		if (reason === undefined) continue;
		session.refuse(RULE, reason, { prim });
		return;
	}
	proposals.commit();
	session.shift = { prim: root.path, offset };
	const shown = offset.map((x) => Number(x.toPrecision(6))).join(', ');
	session.note(RULE, `everything moved by (${shown}); moving it back undoes that`, { prim: root });
}

const TRANSLATE = 'xformOp:translate';

/** Moves a prim by its outermost translation, at all times; one that has none there gets one. Gives a reason when it cannot. */
function proposeShift(
	session: FixSession,
	proposals: Proposals,
	prim: Prim,
	offset: readonly [number, number, number],
): string | undefined {
	const order = orderOf(prim);
	const site = xformSite(session, prim);
	const shifted = (value: ArrayLike<number> | undefined): Value => {
		const moved = Float64Array.from(offset, (x, k) => x + (value?.[k] ?? 0));
		return makeValue(T.double3, moved) as Value;
	};
	if (order[0] !== TRANSLATE) {
		if (order.includes(TRANSLATE) || order.includes(`!invert!${TRANSLATE}`)) {
			return 'its translation is not the first operation; apply F2 first';
		}
		const value = makeValue(T.token.array, [TRANSLATE, ...order]) as Value;
		proposals.set(prim, 'xformOpOrder', { rule: RULE, typeName: 'token[]', variability: 'uniform', value }, site);
		proposals.set(prim, TRANSLATE, { rule: RULE, typeName: 'double3', value: shifted(undefined) }, site);
		return undefined;
	}
	const attribute = prim.attribute(TRANSLATE);
	if (attribute.resolveInfo().source === 'valueClips') return 'its translation has its values in clips';
	const samples = attribute.timeSamples().map((time) => [time, shifted(numbersOf(attribute.get(time)))] as const);
	const value = shifted(numbersOf(attribute.get()));
	proposals.set(
		prim,
		TRANSLATE,
		{ rule: RULE, typeName: 'double3', value, ...(samples.length > 0 && { samples }) },
		site,
	);
	return undefined;
}
