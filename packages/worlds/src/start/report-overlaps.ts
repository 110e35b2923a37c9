import type { Report } from '@manyworlds/core';
import type { Model } from '@manyworlds/model';
import { createDiagnostic } from '../diagnostics.ts';
import { worldRows } from '../world-rows.ts';
import { millimetres } from './lift-from-ground.ts';
import type { Overlap } from './overlap.ts';

/** One finding for each pair of shapes: how deep it is, and in which worlds. */
export function reportOverlaps(model: Model, overlaps: readonly Overlap[], report: Report): void {
	const pairs = new Map<string, Overlap[]>();
	for (const one of overlaps) {
		const key = `${placeIn(model, one.world, one.shape0)} ${placeIn(model, one.world, one.shape1)}`;
		const known = pairs.get(key);
		if (known === undefined) pairs.set(key, [one]);
		else known.push(one);
	}
	const deepest = (group: readonly Overlap[]): Overlap => group.reduce((a, b) => (b.depth > a.depth ? b : a));
	for (const group of [...pairs.values()].sort((a, b) => deepest(b).depth - deepest(a).depth)) {
		const { world, shape0, shape1, depth } = deepest(group);
		const others = group.length > 1 ? ` and ${group.length - 1} other${group.length > 2 ? 's' : ''}` : '';
		const message = `${nameOf(model, shape0)} and ${nameOf(model, shape1)} overlap by ${millimetres(depth)} at the start, in world ${world}${others}`;
		report.add(
			createDiagnostic('WLD004', message, { data: { world, worlds: group.length, depth, shapes: [shape0, shape1] } }),
		);
	}
}

/** Number of a shape within its world, so that the same pair of all worlds is one; global shapes are what they are. */
function placeIn(model: Model, world: number, shape: number): string {
	const { start, end } = worldRows(model, 'shape', world);
	return shape >= start && shape < end ? `${shape - start}` : `global ${shape}`;
}

function nameOf(model: Model, shape: number): string {
	const body = model.shapeBody[shape]!;
	const label = `'${model.shapeLabels[shape] || shape}'`;
	return body < 0 || model.bodyLabels[body] === model.shapeLabels[shape]
		? label
		: `${label} of '${model.bodyLabels[body]}'`;
}
