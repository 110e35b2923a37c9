import { ListOp, makeValue, type Path, type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { bodyOf, hasSchema, isBody, isJoint } from '../../asset/read-values.ts';
import { isTreeJoint, JointGraph, type JointInfo } from '../../context/joint-graph.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { addsItem, applySchema, editSchemas, schemaSite, withoutItem } from '../engine/sites.ts';

const ROOT = 'PhysicsArticulationRootAPI';

/** F13: one articulation root for each tree of bodies, at its base. */
export const ROOTS: Fixer = {
	family: 'F13',
	title: 'one articulation root for each tree',
	rules: ['R1.3.4', 'R1.3.5', 'R1.3.6'],
	safety: 'safe',
	changes: ['articulations'],
	apply(session) {
		session.forEachSelection((stage) => {
			const prims = [...stage.traverse()];
			const graph = new JointGraph(prims.filter(isJoint), bodyOf);
			for (const tree of findTrees(prims, graph)) fixTree(session, graph, tree);
			for (const { path } of prims) pruneByDeletion(session, session.stage.prim(path));
		});
	},
};

/** A list that replaces weaker ones to be rid of a root deletes it instead, which leaves other schemas alone. */
function pruneByDeletion(session: FixSession, prim: Prim | undefined): void {
	if (prim === undefined || hasSchema(prim, ROOT)) return;
	const specs = prim.specs();
	const ops = specs.map(({ layer, path }) => dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp));
	const weaker = ops.findIndex((op) => op !== undefined && addsItem(op, ROOT));
	const at = ops.findIndex((op, i) => i < weaker && op?.isExplicit === true);
	if (weaker <= 0 || at < 0 || !session.isEditable(specs[at]!.layer)) return;
	const below = ops
		.slice(at + 1)
		.reverse()
		.reduce<readonly string[]>((list, op) => op?.apply(list) ?? list, []);
	const kept = ops[at]!.explicitItems;
	const next = ListOp.edits({
		prependedItems: kept.filter((item) => !below.includes(item)),
		deletedItems: below.filter((item) => !kept.includes(item)),
	});
	editSchemas(session, 'R1.3.6', specs[at]!, () => next);
}

/** Bodies that hang together, and the roots that are about them. */
interface Tree {
	readonly bodies: readonly Prim[];
	readonly roots: readonly Prim[];
	readonly joints: readonly JointInfo[];
}

function findTrees(prims: readonly Prim[], graph: JointGraph): Tree[] {
	const trees = new Map<Path, { bodies: Prim[]; roots: Prim[]; joints: JointInfo[] }>();
	for (const prim of prims) {
		if (!isBody(prim)) continue;
		const key = graph.componentOf(prim);
		const tree = trees.get(key);
		if (tree === undefined) trees.set(key, { bodies: [prim], roots: [], joints: [] });
		else tree.bodies.push(prim);
	}
	for (const joint of graph.joints) {
		if (isTreeJoint(joint)) trees.get(graph.componentOf(joint.body0.body!))?.joints.push(joint);
	}
	const jointAt = new Map(graph.joints.map((joint) => [joint.prim.path, joint]));
	for (const root of prims) {
		if (!hasSchema(root, ROOT)) continue;
		const joint = jointAt.get(root.path);
		const body = joint === undefined ? bodyOf(root) : (joint.body1.body ?? joint.body0.body);
		const below = body === undefined ? prims.filter((prim) => isBody(prim) && prim.path.hasPrefix(root.path)) : [body];
		for (const key of new Set(below.map((prim) => graph.componentOf(prim)))) trees.get(key)?.roots.push(root);
	}
	return [...trees.values()];
}

function fixTree(session: FixSession, graph: JointGraph, { bodies, roots, joints }: Tree): void {
	if (roots.length === 0) {
		if (joints.length === 0) return;
		const base = baseOf(graph, bodies, joints);
		const prim = session.stage.prim(base.path)!;
		applySchema(session, 'R1.3.5', prim, ROOT, schemaSite(session, prim, 'PhysicsRigidBodyAPI'));
		return;
	}
	if (roots.length === 1) return;
	const base = baseOf(graph, bodies, joints);
	const kept =
		roots.find((root) => root.path === base.path) ?? roots.find((root) => base.path.hasPrefix(root.path)) ?? roots[0]!;
	for (const root of roots) if (root.path !== kept.path) removeRoot(session, session.stage.prim(root.path)!);
}

/** The body that a tree stands on: anchored to the world, else led to by no joint, else the first. */
function baseOf(graph: JointGraph, bodies: readonly Prim[], joints: readonly JointInfo[]): Prim {
	const own = new Set(bodies.map(({ path }) => path));
	for (const { body0, body1, isEnabled } of graph.joints) {
		const body = body1.body ?? body0.body;
		const isAnchor = (body0.body === undefined) !== (body1.body === undefined);
		if (isEnabled && isAnchor && body !== undefined && own.has(body.path)) return body;
	}
	const children = new Set(joints.map(({ body1 }) => body1.body!.path));
	return bodies.find(({ path }) => !children.has(path)) ?? bodies[0]!;
}

/** Takes a root away: from the layers of this asset, and by a deletion where it comes from another one. */
function removeRoot(session: FixSession, prim: Prim): void {
	const own = new Set(prim.stage.layerStack());
	let isReferenced = false;
	for (const site of prim.specs()) {
		const op = dataOf(site.layer.field(site.path, 'apiSchemas'), T.tokenListOp);
		if (op === undefined || !addsItem(op, ROOT)) continue;
		if (own.has(site.layer) && session.isEditable(site.layer)) {
			editSchemas(session, 'R1.3.4', site, (items) => withoutItem(items!, ROOT));
		} else isReferenced = true;
	}
	if (!isReferenced) return;
	session.edit('R1.3.6', session.rootLayer, (layer) => {
		if (!layer.has(prim.path)) layer.createPrim(prim.path);
		const op = dataOf(layer.field(prim.path, 'apiSchemas'), T.tokenListOp);
		if (op?.deletedItems.includes(ROOT) === true) return;
		const base = op === undefined || op.isExplicit ? {} : op;
		const next = ListOp.edits({ ...base, deletedItems: [...(op?.deletedItems ?? []), ROOT] });
		layer.setField(prim.path, 'apiSchemas', makeValue(T.tokenListOp, next) as Value);
	});
}
