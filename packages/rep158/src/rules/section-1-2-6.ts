import { quote } from '@manyworlds/core';
import { dataOf, type Prim, T } from '@manyworlds/usd';
import type { CheckContext } from '../context/check-context.ts';
import { applied } from '../context/find-place.ts';
import type { Reporter } from '../reporter.ts';
import type { Rule } from '../rule.ts';

/** REP 1.2.6: parallel simulation and instancing. */
export const SECTION_1_2_6: readonly Rule[] = [
	{
		id: 'R1.2.6.1',
		section: '1.2.6',
		level: 'must not',
		check: 'static',
		fix: { family: 'F26', safety: 'unsafe' },
		visit: checkInstances,
	},
	{ id: 'R1.2.6.2', section: '1.2.6', level: 'must', check: 'heuristic', visit: checkEnvironments },
	{ id: 'R1.2.6.3', section: '1.2.6', level: 'must not', check: 'heuristic', visit: checkGrids },
];

function checkInstances(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		if (prim.isInstance && !prim.isInstanceProxy) {
			const found = context.subtree(prim).find((at) => physicsOf(at) !== undefined);
			if (found === undefined) continue;
			const where = found.path === prim.path ? 'is' : `has ${quote(found.name)} below it,`;
			const message = `the instance ${where} ${physicsOf(found)}, expected geometry only`;
			report.add(context.atField(prim, 'instanceable'), message);
		} else if (prim.isA('PointInstancer')) checkPrototypes(context, report, prim);
	}
}

function checkPrototypes(context: CheckContext, report: Reporter, instancer: Prim): void {
	const relationship = instancer.relationship('prototypes');
	for (const target of relationship.forwardedTargets()) {
		const prototype = context.stage.prim(target);
		if (prototype === undefined) continue;
		const found = [prototype, ...below(prototype)].find((at) => physicsOf(at) !== undefined);
		if (found === undefined) continue;
		const message = `the prototype <${target}> has ${quote(found.name)}, ${physicsOf(found)}, expected geometry only`;
		report.add(context.atField(relationship, 'targetPaths', target.toString()), message, {
			key: target.toString(),
			data: { publicCheck: '1.2.11' },
		});
	}
}

function* below(prim: Prim): Generator<Prim> {
	const pending = prim.children().reverse();
	for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
		yield at;
		pending.push(...at.children().reverse());
	}
}

function physicsOf(prim: Prim): string | undefined {
	if (prim.hasSchema('PhysicsRigidBodyAPI')) return 'a rigid body';
	if (prim.isA('PhysicsJoint')) return 'a joint';
	return prim.hasSchema('PhysicsArticulationRootAPI') ? 'an articulation root' : undefined;
}

const ENVIRONMENT = /^(.*env(?:ironment)?s?)_?\d+$/i;

/** Numbered copies of an environment that hold bodies. */
function checkEnvironments(context: CheckContext, report: Reporter): void {
	for (const siblings of siblingGroups(context, (prim) => ENVIRONMENT.exec(prim.name)?.[1]?.toLowerCase())) {
		const [, second] = siblings;
		const hasBodies = siblings.every((prim) => context.subtree(prim).some((at) => physicsOf(at) !== undefined));
		if (second === undefined || !hasBodies || isRegularGrid(context, siblings)) continue;
		const message = `${quote(second.name)} is one of ${siblings.length} copies of an environment, expected a single one`;
		report.add(context.at(second), message);
	}
}

/** Equal articulated siblings that stand in rows. */
function checkGrids(context: CheckContext, report: Reporter): void {
	for (const siblings of siblingGroups(context, referenceKey)) {
		const [first] = siblings as [Prim];
		if (siblings.length < context.thresholds.cloneCount || !isRegularGrid(context, siblings)) continue;
		if (!context.subtree(first).some((at) => at.isA('PhysicsJoint'))) continue;
		const message = `${siblings.length} articulated siblings with the same reference stand in a regular grid, expected one: simulators replicate at run time`;
		report.add(context.atField(first, 'references'), message);
	}
}

/** Siblings with the same key, two or more of them, in the order of the stage. */
function siblingGroups(context: CheckContext, keyOf: (prim: Prim) => string | undefined): Prim[][] {
	const groups = new Map<string, Prim[]>();
	for (const prim of context.lists.all) {
		const key = keyOf(prim);
		if (key === undefined) continue;
		const name = `${prim.path.parent}\n${key}`;
		const found = groups.get(name);
		if (found === undefined) groups.set(name, [prim]);
		else found.push(prim);
	}
	return [...groups.values()].filter((group) => group.length > 1);
}

function referenceKey(prim: Prim): string | undefined {
	for (const { layer, path } of prim.specs()) {
		const op = dataOf(layer.data.field(path, 'references'), T.referenceListOp);
		const [first] = op === undefined ? [] : applied(op);
		if (first !== undefined) return `${layer.identifier}\n${first.assetPath}\n${first.primPath}`;
	}
	return undefined;
}

/** Whether prims stand at places that are evenly spaced in x and in y, and not all in one. */
function isRegularGrid(context: CheckContext, prims: readonly Prim[]): boolean {
	if (prims.length < context.thresholds.cloneCount) return false;
	const places = prims.map((prim) => context.transforms.localTransform(prim).matrix.subarray(12, 15));
	const columns = [0, 1].map((axis) => spacing(places.map((place) => place[axis]!)));
	return columns.every(({ isEven }) => isEven) && columns.some(({ count }) => count > 1);
}

function spacing(values: readonly number[]): { readonly isEven: boolean; readonly count: number } {
	const sorted = [...values].sort((a, b) => a - b);
	const size = Math.max(sorted.at(-1)! - sorted[0]!, 1e-9);
	const steps = sorted.filter((value, i) => i === 0 || value - sorted[i - 1]! > 1e-4 * size);
	const step = steps.length > 1 ? (steps.at(-1)! - steps[0]!) / (steps.length - 1) : 0;
	const isEven = steps.every((value, i) => Math.abs(value - steps[0]! - i * step) <= 1e-3 * size);
	return { isEven, count: steps.length };
}
