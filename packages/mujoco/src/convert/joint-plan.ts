import type { Report } from '@manyworlds/core';
import { JointType, type Model, WORLD } from '@manyworlds/model';
import { createDiagnostic } from '../diagnostics.ts';
import { MujocoError } from '../mujoco-error.ts';
import type { ConvertSettings } from '../solver-options.ts';
import { FoldedBodies, foldBodies } from './folded-bodies.ts';
import type { MujocoAttributes } from './mujoco-attributes.ts';
import { subjectOf } from './subject.ts';
import { listLabels, type TemplateWorld } from './template-world.ts';

/** How the joints of the template world become a tree and constraints. */
export interface JointPlan {
	/** Fixed joints to the world outside articulations: their bodies do not move. */
	readonly staticRoots: readonly number[];
	/** Joints that carry a body each, parents first; articulated ones depth first, then other roots. */
	readonly tree: readonly number[];
	/** Joints that close loops. */
	readonly loops: readonly number[];
	/** Bodies whose joints are held by the body that they carry. */
	readonly folded: FoldedBodies;
}

/** Kind of thing that an imported equality stands beside in the model (`mujoco:equality_constraint_target_kind`). */
export const EqualityTargetKind = { NONE: 0, JOINT: 1, MIMIC: 2 } as const;

/** Sorts joints into tree, roots and loops. Throws when a body has no way to the world. */
export function planJoints(
	model: Model,
	template: TemplateWorld,
	attributes: MujocoAttributes,
	options: Pick<ConvertSettings, 'newtonCompat'>,
	report: Report,
): JointPlan {
	const articulated: number[] = [];
	const unassigned: number[] = [];
	for (const joint of template.joints) {
		(model.jointArticulation[joint]! >= 0 ? articulated : unassigned).push(joint);
	}
	const owned = new Set<number>();
	for (const joint of articulated) {
		owned.add(model.jointChild[joint]!);
		if (model.jointParent[joint]! >= 0) owned.add(model.jointParent[joint]!);
	}
	const projections = projectedJoints(template, attributes);
	const staticRoots: number[] = [];
	const dynamicRoots: number[] = [];
	const loops: number[] = [];
	const rootBodies = new Set<number>();
	for (const joint of unassigned) {
		const child = model.jointChild[joint]!;
		const isRoot =
			model.jointParent[joint] === WORLD && !owned.has(child) && !rootBodies.has(child) && !projections.has(joint);
		if (!isRoot) {
			loops.push(joint);
			continue;
		}
		rootBodies.add(child);
		(model.jointType[joint] === JointType.FIXED ? staticRoots : dynamicRoots).push(joint);
	}
	const lost = template.bodies.filter((body) => !owned.has(body) && !rootBodies.has(body));
	if (lost.length > 0) {
		throw new MujocoError(
			'MJC001',
			`${lost.length} bodies are outside articulations and have no joint to the world: ${listLabels(lost, model.bodyLabels)}`,
			subjectOf(model, 'body', lost[0]!),
		);
	}
	const roots = [...staticRoots, ...dynamicRoots].sort((a, b) => a - b);
	if (roots.length > 0) {
		report.add(
			createDiagnostic(
				'MJC010',
				`${roots.length} joints outside articulations are taken as roots: ${listLabels(roots, model.jointLabels)}`,
			),
		);
	}
	const order = depthFirst(model, articulated);
	if (order.some((joint, i) => joint !== articulated[i])) {
		report.add(
			createDiagnostic('MJC011', 'the joints of the model are not in depth-first order; MuJoCo orders them so'),
		);
	}
	const tree = [...order, ...dynamicRoots];
	const folded = options.newtonCompat
		? new FoldedBodies(model, new Map(), new Map())
		: foldBodies(model, template, attributes, tree, loops);
	return { staticRoots, tree, loops, folded };
}

/** Loop joints that are only the shadow of an equality row: the row is converted, the joint is not. */
function projectedJoints(template: TemplateWorld, attributes: MujocoAttributes): ReadonlySet<number> {
	const joints = new Set<number>();
	for (const row of template.equalities) {
		const target = attributes.number('equality_constraint_target', row) ?? -1;
		if (attributes.number('equality_constraint_target_kind', row) === EqualityTargetKind.JOINT && target >= 0) {
			joints.add(target);
		}
	}
	return joints;
}

/** Joints depth first from the world and from bodies that no joint leads to; siblings keep their order. */
function depthFirst(model: Model, joints: readonly number[]): number[] {
	const leaving = new Map<number, number[]>();
	const entered = new Map<number, number>();
	for (const joint of joints) {
		const parent = model.jointParent[joint]!;
		const child = model.jointChild[joint]!;
		if (entered.has(child)) {
			throw new MujocoError(
				'MJC001',
				`two joints of articulations lead to body '${model.bodyLabels[child]}'`,
				subjectOf(model, 'body', child),
			);
		}
		entered.set(child, joint);
		const siblings = leaving.get(parent);
		if (siblings === undefined) leaving.set(parent, [joint]);
		else siblings.push(joint);
	}
	const roots = [...leaving.keys()].filter((body) => !entered.has(body)).sort((a, b) => b - a);
	const order: number[] = [];
	const stack = roots.flatMap((root) => [...leaving.get(root)!].reverse());
	for (let joint = stack.pop(); joint !== undefined; joint = stack.pop()) {
		order.push(joint);
		const next = leaving.get(model.jointChild[joint]!);
		if (next !== undefined) for (let i = next.length - 1; i >= 0; i--) stack.push(next[i]!);
	}
	if (order.length < joints.length) {
		throw new MujocoError('MJC001', 'the joints of an articulation form a cycle that no root leads to');
	}
	return order;
}
