import { computePurpose, makeValue, type Path, type Prim, T, type Value } from '@manyworlds/usd';
import { isTreeJoint, JointGraph } from '../context/joint-graph.ts';
import type { FixSession } from './fix-session.ts';
import type { Fixer } from './fixer.ts';
import { movePrim } from './move-prim.ts';
import { bodyOf, isBody, isCollider, isJoint } from './read-values.ts';
import { definingSite } from './sites.ts';

/** F27: joints below their parent links, shapes of links in `visual` and `collision`, with every path following. */
export const HIERARCHY: Fixer = {
	family: 'F27',
	title: 'joints and shapes where the REP has them',
	rules: ['R1.3.1', 'R1.3.2.1'],
	safety: 'unsafe',
	apply(session) {
		if (session.wants('R1.3.1')) placeJoints(session);
		if (session.wants('R1.3.2.1')) sortShapes(session);
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

/** Gathers the shapes of links that have no scopes for them. */
function sortShapes(session: FixSession): void {
	const links = [...session.stage.traverse()].filter(isBody).map(({ path }) => path);
	for (const path of links) {
		const link = session.stage.prim(path);
		if (link === undefined || link.isA('Gprim') || link.isInstance) continue;
		const shapes = link.children().filter((child) => child.isActive && isShape(child));
		for (const child of shapes) moveShape(session, path, child.path, isCollision(child) ? 'collision' : 'visual');
	}
}

/** A shape, or an instance of some, that is not a link and holds none. */
function isShape(prim: Prim): boolean {
	if (isBody(prim) || isJoint(prim)) return false;
	return prim.isA('Gprim') || (prim.isInstance && prim.isA('Xformable'));
}

function isCollision(prim: Prim): boolean {
	return isCollider(prim) || computePurpose(prim) === 'guide';
}

function moveShape(session: FixSession, link: Path, from: Path, scope: 'visual' | 'collision'): void {
	const target = link.appendChild(scope);
	const present = session.stage.prim(target);
	if (present === undefined) makeScope(session, session.stage.prim(link)!, scope);
	const to = freeName(session, target, from.name);
	const reason = movePrim(session, 'R1.3.2.1', from, to);
	if (reason !== undefined) session.refuse('R1.3.2.1', `the shape cannot move to <${to}>: ${reason}`, { prim: from });
}

function makeScope(session: FixSession, link: Prim, name: string): void {
	const site = definingSite(session, link);
	if (site === undefined) return;
	session.edit('R1.3.2.1', site.layer, (layer) => {
		const path = site.path.appendChild(name);
		layer.createPrim(path, { specifier: 'def', typeName: 'Scope' });
		if (name === 'collision') {
			const purpose = path.appendProperty('purpose');
			layer.createAttribute(purpose, 'token', { variability: 'uniform' });
			layer.setField(purpose, 'default', makeValue(T.token, 'guide') as Value);
		}
	});
}

function freeName(session: FixSession, parent: Path, wish: string): Path {
	let path = parent.appendChild(wish);
	for (let i = 2; session.stage.prim(path) !== undefined; i++) path = parent.appendChild(`${wish}_${i}`);
	return path;
}
