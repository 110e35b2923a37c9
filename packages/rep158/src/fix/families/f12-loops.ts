import { makeValue, type Path, type Prim, T, type Value } from '@manyworlds/usd';
import { bodyOf, hasSchema, isJoint } from '../../asset/read-values.ts';
import { isTreeJoint, JointGraph, type JointInfo } from '../../context/joint-graph.ts';
import { isTreeKind, treeRank } from '../../context/tree-rank.ts';
import type { Fixer } from '../engine/fixer.ts';
import { setAttribute } from '../engine/sites.ts';

/** F12: of joints that close loops one is a constraint: the one that belongs least into the tree. */
export const LOOPS: Fixer = {
	family: 'F12',
	title: 'joints that close loops excluded from the tree',
	rules: ['R1.3.7', 'R1.3.8'],
	safety: 'safe',
	changes: ['joints'],
	apply(session) {
		session.forEachSelection((stage) => {
			for (const prim of [...stage.traverse()].filter(isJoint)) {
				const [a, b] = [0, 1].map((i) => prim.relationship(`physics:body${i}`).targets()[0]);
				if (a !== undefined && a === b) session.refuse('R1.3.7', 'the joint connects a body with itself', { prim });
			}
			const closing = closingJoints([...stage.traverse()]);
			for (const { prim, twin } of closing) {
				if (twin !== undefined && isTreeKind(prim)) {
					const message = `<${twin.path}> connects the same bodies; whether both joints are one with the freedoms of both is not told`;
					session.refuse('R1.3.7', message, { prim });
					continue;
				}
				const value = makeValue(T.bool, true) as Value;
				const at = session.stage.prim(prim.path)!;
				if (setAttribute(session, 'R1.3.8', at, 'physics:excludeFromArticulation', value, { typeName: 'bool' })) {
					session.note('R1.3.8', 'the joint closes a loop and is a constraint now', { prim });
				}
			}
		});
	},
};

/** Joints outside the spanning tree, each with the joint of the tree that connects the same bodies. */
function closingJoints(prims: readonly Prim[]): { readonly prim: Prim; readonly twin: Prim | undefined }[] {
	const pairOf = ({ body0, body1 }: JointInfo): string =>
		[body0, body1]
			.map(({ body }) => `${body?.path}`)
			.sort()
			.join();
	const closing = loopJoints(prims);
	const closers = new Set(closing.map(({ prim }) => prim.path));
	const tree = new Map<string, Prim>();
	for (const joint of new JointGraph(prims.filter(isJoint), bodyOf).joints) {
		if (isTreeJoint(joint) && !closers.has(joint.prim.path)) tree.set(pairOf(joint), joint.prim);
	}
	return closing.map((joint) => ({ prim: joint.prim, twin: tree.get(pairOf(joint)) }));
}

/**
 * Joints outside the spanning tree. The tree takes joints by how much they belong into it, and of equal ones those that come first
 * when the robot is walked breadth first from its root, anchors first.
 */
export function loopJoints(prims: readonly Prim[]): JointInfo[] {
	const graph = new JointGraph(prims.filter(isJoint), bodyOf);
	const joints = graph.joints.filter(isTreeJoint);
	const byBody = new Map<Path, JointInfo[]>();
	for (const joint of joints) {
		for (const { body } of [joint.body0, joint.body1]) {
			const list = byBody.get(body!.path);
			if (list === undefined) byBody.set(body!.path, [joint]);
			else list.push(joint);
		}
	}
	const walk = new Set<JointInfo>();
	const reached = new Set<Path>();
	for (const start of startBodies(prims, graph, byBody)) {
		const queue = reached.has(start) ? [] : [start];
		reached.add(start);
		for (let at = 0; at < queue.length; at++) {
			for (const joint of byBody.get(queue[at]!) ?? []) {
				walk.add(joint);
				for (const { body } of [joint.body0, joint.body1]) {
					if (reached.has(body!.path)) continue;
					reached.add(body!.path);
					queue.push(body!.path);
				}
			}
		}
	}
	const ranked = Array.from(walk, (joint) => ({ joint, rank: treeRank(joint.prim) })).sort((a, b) => a.rank - b.rank);
	const parent = new Map<Path, Path>();
	const find = (path: Path): Path => {
		let root = path;
		for (let next = parent.get(root); next !== undefined; next = parent.get(root)) root = next;
		return root;
	};
	const closing = new Set<JointInfo>();
	for (const { joint } of ranked) {
		const [a, b] = [find(joint.body0.body!.path), find(joint.body1.body!.path)];
		if (a === b) closing.add(joint);
		else parent.set(b, a);
	}
	return joints.filter((joint) => closing.has(joint));
}

/** Bodies to begin at: those anchored to the world, then articulation roots, then those that no joint leads to, then all. */
function startBodies(
	prims: readonly Prim[],
	graph: JointGraph,
	byBody: ReadonlyMap<Path, readonly JointInfo[]>,
): Path[] {
	const starts: Path[] = [];
	for (const { body0, body1, isEnabled } of graph.joints) {
		if (!isEnabled || (body0.body === undefined) === (body1.body === undefined)) continue;
		starts.push((body0.body ?? body1.body)!.path);
	}
	for (const prim of prims) {
		if (!hasSchema(prim, 'PhysicsArticulationRootAPI')) continue;
		const body = bodyOf(prim);
		if (body !== undefined) starts.push(body.path);
	}
	const children = new Set([...byBody.values()].flat().map(({ body1 }) => body1.body!.path));
	return [...starts, ...[...byBody.keys()].filter((path) => !children.has(path)), ...byBody.keys()];
}
