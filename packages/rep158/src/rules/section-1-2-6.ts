import { quote } from '@manyworlds/core';
import { type Prim, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { applied } from '../context/find-place.ts';
import type { Reporter } from '../reporter.ts';
import type { Statement } from './statement.ts';

/** REP 1.2.6: parallel simulation and instancing. */
export const SECTION_1_2_6: readonly Statement[] = [
	{
		id: 'R1.2.6.1',
		section: '1.2.6',
		level: 'must not',
		check: 'static',
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
		if (second === undefined || !hasBodies || clonedSiblings(context, siblings) !== undefined) continue;
		const message = `${quote(second.name)} is one of ${siblings.length} copies of an environment, expected a single one`;
		report.add(context.at(second), message);
	}
}

/** Equal articulated siblings that stand in rows. */
function checkGrids(context: CheckContext, report: Reporter): void {
	for (const siblings of siblingGroups(context, referenceKey)) {
		const count = clonedSiblings(context, siblings);
		if (count === undefined) continue;
		const off = siblings.length - count;
		const rest = off === 0 ? '' : ` (${off} more ${off === 1 ? 'stands' : 'stand'} beside it)`;
		const message = `${count} articulated siblings with the same reference stand in a regular grid${rest}, expected one: simulators replicate at run time`;
		report.add(context.atField(siblings[0]!, 'references'), message);
	}
}

/** How many of some siblings are copies of one articulated asset in a regular grid; undefined when they are not. */
function clonedSiblings(context: CheckContext, siblings: readonly Prim[]): number | undefined {
	const [first] = siblings as [Prim];
	const key = referenceKey(first);
	if (key === undefined || siblings.some((prim) => referenceKey(prim) !== key)) return undefined;
	if (!context.subtree(first).some((at) => at.isA('PhysicsJoint'))) return undefined;
	return gridSize(context, siblings);
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

/** Share of siblings that may stand beside the grid of the others. */
const MOST_STRAY = 0.25;

/** How many prims stand at places of one regular grid in x and y; undefined when too few do. */
function gridSize(context: CheckContext, prims: readonly Prim[]): number | undefined {
	const places = prims.map((prim) => context.transforms.localTransform(prim).matrix.subarray(12, 15));
	const least = Math.max(context.thresholds.cloneCount, Math.ceil(prims.length * (1 - MOST_STRAY)));
	const lines = [0, 1].map((axis) => gridLines(places.map((place) => place[axis]!)));
	if (lines.every(({ count }) => count <= 1)) return undefined;
	const count = places.filter((_, i) => lines.every(({ isOn }) => isOn[i])).length;
	return count >= least ? count : undefined;
}

/** Which of some numbers lie on evenly spaced lines, most of them being there, and on how many lines. */
function gridLines(values: readonly number[]): { readonly isOn: readonly boolean[]; readonly count: number } {
	const size = Math.max(...values) - Math.min(...values);
	const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-3 * size;
	if (size <= 1e-9) return { isOn: values.map(() => true), count: 1 };
	const sorted = [...new Set(values)].sort((a, b) => a - b);
	let best: { isOn: boolean[]; count: number } = { isOn: values.map(() => false), count: 0 };
	for (const step of commonSteps(sorted, 1e-4 * size)) {
		for (const origin of spread(sorted, MOST_ORIGINS)) {
			const lines = values.map((value) => Math.round((value - origin) / step));
			const isOn = values.map((value, i) => {
				const offset = Math.abs(value - origin - lines[i]! * step);
				return offset <= Math.min(1e-3 * size, 0.05 * step);
			});
			const used = new Set(lines.filter((_, i) => isOn[i]));
			const isMore = isOn.filter(Boolean).length > best.isOn.filter(Boolean).length;
			// every line of a grid is used
			const isFull = used.size === Math.max(...used) - Math.min(...used) + 1;
			if (isMore && isFull) best = { isOn, count: used.size };
		}
	}
	// all but a few may stand on one line of the axis
	for (const value of spread(sorted, MOST_ORIGINS)) {
		const isOn = values.map((other) => near(other, value));
		if (isOn.filter(Boolean).length > best.isOn.filter(Boolean).length) best = { isOn, count: 1 };
	}
	return best;
}

/** Places of a grid that are tried, and distances between its lines: most siblings stand on the grid, so a few will do. */
const MOST_ORIGINS = 16;
const MOST_STEPS = 4;

/** The distances between neighbours that are met most often; those that differ by less than a tolerance are one. */
function commonSteps(sorted: readonly number[], tolerance: number): number[] {
	const steps: { step: number; count: number }[] = [];
	const all = sorted.slice(1).map((value, i) => value - sorted[i]!);
	for (const step of all.filter((at) => at > tolerance).sort((a, b) => a - b)) {
		const last = steps.at(-1);
		if (last !== undefined && step - last.step <= tolerance) last.count++;
		else steps.push({ step, count: 1 });
	}
	return steps
		.sort((a, b) => b.count - a.count)
		.slice(0, MOST_STEPS)
		.map(({ step }) => step);
}

/** A few of some values, evenly over all of them. */
function spread(values: readonly number[], most: number): number[] {
	if (values.length <= most) return [...values];
	return Array.from({ length: most }, (_, i) => values[Math.floor((i * values.length) / most)]!);
}
