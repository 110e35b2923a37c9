import { makeValue, type Prim, T, type Value } from '@manyworlds/usd';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { setPrimField } from '../engine/sites.ts';

const MODELS: ReadonlySet<string> = new Set(['component', 'assembly', 'group']);

/** F10: kinds of the model hierarchy (REP 1.2.2): the root is a component, or an assembly of components. */
export const KIND: Fixer = {
	family: 'F10',
	title: 'kinds of the model hierarchy',
	rules: ['R1.2.2.1', 'R1.2.2.2', 'R1.2.2.3', 'R1.2.2.4'],
	safety: 'safe',
	apply(session) {
		const root = session.stage.defaultPrim;
		if (root === undefined) return;
		if (holdsComponents(root)) {
			if (root.kind !== 'assembly' && root.kind !== 'group') setKind(session, 'R1.2.2.2', root, 'assembly');
			const again = session.stage.defaultPrim;
			if (again !== undefined) joinHierarchy(session, again);
			return;
		}
		// an assembly may get its components later
		if (root.kind !== 'component' && root.kind !== 'assembly' && root.kind !== 'group') {
			setKind(session, 'R1.2.2.1', root, 'component');
		}
		if (session.stage.defaultPrim!.kind !== 'component') return;
		for (const prim of descendants(session.stage.defaultPrim!)) {
			if (prim.kind === undefined || prim.kind === '' || prim.kind === 'subcomponent') continue;
			setKind(session, MODELS.has(prim.kind) ? 'R1.2.2.3' : 'R1.2.2.4', prim, 'subcomponent');
		}
	},
};

/** Whether a prim is put together from assets of their own: components that come by a reference or payload. */
function holdsComponents(root: Prim): boolean {
	for (const prim of descendants(root)) {
		if (prim.kind !== 'component' && prim.kind !== 'assembly') continue;
		if (prim.specs().some(({ node }) => node.layerStack !== prim.stage.prim(root.path)?.specs()[0]?.node.layerStack)) {
			return true;
		}
	}
	return false;
}

/** Makes every prim above a component a group, and components inside components subcomponents. */
function joinHierarchy(session: FixSession, root: Prim): void {
	const changes: { prim: Prim; kind: string; rule: 'R1.2.2.3' | 'R1.2.2.4' }[] = [];
	const visit: { prim: Prim; isInComponent: boolean }[] = root
		.children()
		.map((prim) => ({ prim, isInComponent: false }));
	for (let next = visit.pop(); next !== undefined; next = visit.pop()) {
		const { prim, isInComponent } = next;
		const isModel = prim.kind !== undefined && MODELS.has(prim.kind);
		if (isInComponent && isModel) changes.push({ prim, kind: 'subcomponent', rule: 'R1.2.2.3' });
		else if (!isInComponent && !isModel && hasModelBelow(prim)) changes.push({ prim, kind: 'group', rule: 'R1.2.2.4' });
		const inside = isInComponent || prim.kind === 'component';
		for (const child of prim.children()) visit.push({ prim: child, isInComponent: inside });
	}
	changes.sort((a, b) => (a.prim.path.toString() < b.prim.path.toString() ? -1 : 1));
	for (const { prim, kind, rule } of changes) setKind(session, rule, session.stage.prim(prim.path)!, kind);
}

function hasModelBelow(root: Prim): boolean {
	for (const prim of descendants(root)) if (prim.kind === 'component' || prim.kind === 'assembly') return true;
	return false;
}

function setKind(
	session: FixSession,
	rule: 'R1.2.2.1' | 'R1.2.2.2' | 'R1.2.2.3' | 'R1.2.2.4',
	prim: Prim,
	kind: string,
): void {
	setPrimField(session, rule, prim, 'kind', makeValue(T.token, kind) as Value);
}

/** The prims below one that a scene means, instances as wholes. */
export function* descendants(root: Prim): Generator<Prim> {
	const stack = root.isInstance ? [] : root.children().reverse();
	for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
		if (!prim.isActive || !prim.isDefined || prim.isAbstract) continue;
		yield prim;
		if (!prim.isInstance) stack.push(...prim.children().reverse());
	}
}
