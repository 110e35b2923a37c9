import { quote, type Report } from '@manyworlds/core';
import type { UrdfJoint, UrdfLink, UrdfRobot } from '@manyworlds/formats';
import { createDiagnostic } from '../diagnostics.ts';

/** A root link with everything that hangs on it. */
export interface UrdfTree {
	readonly root: UrdfLink;
	/** Parents before children. */
	readonly joints: readonly UrdfJoint[];
	/** The root, then the child of each joint. */
	readonly links: readonly UrdfLink[];
}

/**
 * The trees of a robot, one unless the file is wrong; the one with the root that comes first by name is the first.
 * Joints that would give a link a second parent or close a circle are reported and left out.
 */
export function urdfTrees(robot: UrdfRobot, order: 'dfs' | 'bfs' | 'file', report: Report): UrdfTree[] {
	const links = new Map(robot.links.map((link) => [link.name, link]));
	const outgoing = new Map<string, UrdfJoint[]>();
	const incoming = new Map<string, UrdfJoint>();
	for (const joint of robot.joints) {
		const first = incoming.get(joint.child);
		if (first !== undefined) {
			const message = `joints ${quote(first.name)} and ${quote(joint.name)} both move link ${quote(joint.child)}, expected one; the second is left out`;
			report.add(createDiagnostic('URDF006', message, joint.element.location));
			continue;
		}
		incoming.set(joint.child, joint);
		const list = outgoing.get(joint.parent);
		if (list === undefined) outgoing.set(joint.parent, [joint]);
		else list.push(joint);
	}
	const reached = new Set<string>();
	const trees: UrdfTree[] = [];
	const addTree = (root: UrdfLink): void => {
		trees.push(treeOf(root, links, outgoing, reached, order === 'file' ? 'dfs' : order));
	};
	const isHeld = (link: UrdfLink): boolean => incoming.has(link.name);
	// roots with joints first: a link of its own is no robot while there is another one
	const roots = robot.links.filter((link) => !isHeld(link));
	const branching = roots.filter((link) => outgoing.has(link.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
	for (const root of branching) addTree(root);
	for (const root of roots) if (!outgoing.has(root.name)) addTree(root);
	for (const link of robot.links) {
		if (reached.has(link.name)) continue;
		// whatever was not reached lies on a circle or hangs on one: the circle is cut before this link
		const cut = incoming.get(link.name)!;
		const message = `link ${quote(link.name)} hangs on itself through joint ${quote(cut.name)}, expected a tree; the joint is left out`;
		report.add(createDiagnostic('URDF006', message, cut.element.location));
		// its joint leads to what is reached from here on, so that no tree takes it
		addTree(link);
	}
	return order === 'file' ? trees.map((tree) => inFileOrder(tree, robot, report)) : trees;
}

function treeOf(
	root: UrdfLink,
	links: ReadonlyMap<string, UrdfLink>,
	outgoing: ReadonlyMap<string, readonly UrdfJoint[]>,
	reached: Set<string>,
	order: 'dfs' | 'bfs',
): UrdfTree {
	const joints: UrdfJoint[] = [];
	const found: UrdfLink[] = [root];
	reached.add(root.name);
	const open: UrdfJoint[] = [];
	const push = (name: string): void => {
		const next = outgoing.get(name) ?? [];
		// a stack gives the joints of a link in reverse
		if (order === 'dfs') for (let i = next.length - 1; i >= 0; i--) open.push(next[i]!);
		else open.push(...next);
	};
	push(root.name);
	for (let at = 0; order === 'dfs' ? open.length > 0 : at < open.length; at++) {
		const joint = order === 'dfs' ? open.pop()! : open[at]!;
		if (reached.has(joint.child)) continue;
		reached.add(joint.child);
		joints.push(joint);
		found.push(links.get(joint.child)!);
		push(joint.child);
	}
	return { root, joints, links: found };
}

/** The joints of a tree as the file lists them, when parents come first there. */
function inFileOrder(tree: UrdfTree, robot: UrdfRobot, report: Report): UrdfTree {
	const members = new Set(tree.joints);
	const joints = robot.joints.filter((joint) => members.has(joint));
	const placed = new Set([tree.root.name]);
	for (const joint of joints) {
		if (!placed.has(joint.parent)) {
			const message = `joint ${quote(joint.name)} comes before the one that moves its parent ${quote(joint.parent)}; depth-first order is taken instead of that of the file`;
			report.add(createDiagnostic('URDF006', message, { ...joint.element.location, severity: 'warning' }));
			return tree;
		}
		placed.add(joint.child);
	}
	const links = new Map(tree.links.map((link) => [link.name, link]));
	return { root: tree.root, joints, links: [tree.root, ...joints.map((joint) => links.get(joint.child)!)] };
}
