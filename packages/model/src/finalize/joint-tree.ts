import type { Report } from '@manyworlds/core';
import type { BuilderCore } from '../builder/builder-core.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { describe } from '../model-error.ts';

/** For each joint the joint that moves its parent body, -1 for none. Joints of articulations go before those that close loops. */
export function jointAncestors(
	parents: Int32Array,
	children: Int32Array,
	articulations: Int32Array,
	bodyCount: number,
): Int32Array {
	const moving = new Int32Array(bodyCount).fill(-1);
	for (let joint = children.length - 1; joint >= 0; joint--) {
		if (articulations[joint]! < 0) moving[children[joint]!] = joint;
	}
	for (let joint = children.length - 1; joint >= 0; joint--) {
		if (articulations[joint]! >= 0) moving[children[joint]!] = joint;
	}
	return parents.map((parent) => (parent < 0 ? -1 : moving[parent]!));
}

/**
 * Order of joints depth first from parent to child: roots and siblings keep the order in which they are given. Joints on
 * a cycle are left out, so a result shorter than the input tells of one.
 */
export function depthFirstOrder(joints: readonly number[], parents: Int32Array, children: Int32Array): number[] {
	const moved = new Set<number>();
	for (const joint of joints) moved.add(children[joint]!);
	const byParent = new Map<number, number[]>();
	const roots: number[] = [];
	for (const joint of joints) {
		const parent = parents[joint]!;
		if (parent < 0 || !moved.has(parent)) {
			roots.push(joint);
			continue;
		}
		const list = byParent.get(parent);
		if (list === undefined) byParent.set(parent, [joint]);
		else list.push(joint);
	}
	const order: number[] = [];
	const stack = roots.reverse();
	for (let joint = stack.pop(); joint !== undefined; joint = stack.pop()) {
		order.push(joint);
		const child = children[joint]!;
		const below = byParent.get(child);
		if (below === undefined) continue;
		// a second joint to the same body finds its subtree listed already
		byParent.delete(child);
		for (let i = below.length - 1; i >= 0; i--) stack.push(below[i]!);
	}
	return order;
}

/** An articulation whose joints are out of order. */
export interface MisorderedArticulation {
	readonly articulation: number;
	readonly expected: readonly number[];
}

/** Articulations whose joints do not go depth first from parent to child. */
export function misorderedArticulations(core: BuilderCore): MisorderedArticulation[] {
	const { tables } = core;
	const parents = tables.column('jointParent');
	const children = tables.column('jointChild');
	const found: MisorderedArticulation[] = [];
	tables.column('articulationStart').forEach((start, articulation) => {
		const end = tables.column('articulationEnd')[articulation]!;
		const joints = Array.from({ length: end - start }, (_, i) => start + i);
		const expected = depthFirstOrder(joints, parents, children);
		if (joints.some((joint, i) => joint !== expected[i])) found.push({ articulation, expected });
	});
	return found;
}

/** Reports articulations out of order; gives whether there was none. */
export function reportJointOrdering(core: BuilderCore, report: Report): boolean {
	const found = misorderedArticulations(core);
	for (const { articulation, expected } of found) {
		const label = core.label('articulation', articulation);
		report.add(
			createDiagnostic(
				'MODEL034',
				`joints of ${describe('articulation', articulation, label)} are not in depth-first order, expected ${expected.join(', ')}`,
				{ prim: label, data: { articulation, expected } },
			),
		);
	}
	return found.length === 0;
}

/** The first joint that an earlier joint of its articulation hangs on; -1 when parents always come first. */
export function firstLateParent(core: BuilderCore): number {
	const { tables } = core;
	const parents = tables.column('jointParent');
	const children = tables.column('jointChild');
	const starts = tables.column('articulationStart');
	const ends = tables.column('articulationEnd');
	const movedBy = new Int32Array(tables.counts.body).fill(-1);
	for (let i = 0; i < starts.length; i++) {
		for (let joint = ends[i]! - 1; joint >= starts[i]!; joint--) movedBy[children[joint]!] = joint;
		for (let joint = starts[i]!; joint < ends[i]!; joint++) {
			const parent = parents[joint]!;
			if (parent >= 0 && movedBy[parent]! > joint) return movedBy[parent]!;
		}
		for (let joint = starts[i]!; joint < ends[i]!; joint++) movedBy[children[joint]!] = -1;
	}
	return -1;
}
