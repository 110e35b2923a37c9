import type { Quantity } from './quantities.ts';
import type { QuantityGroup } from './quantity-groups.ts';
import type { Recording } from './recording.ts';
import type { PlotPanel } from './svg-plot.ts';

const TITLES: Readonly<Record<QuantityGroup, string>> = {
	energy: 'energy',
	kinetic: 'kinetic energy',
	potential: 'potential energy',
	contacts: 'contacts',
	height: 'height of floating bases',
	position: 'joint coordinates',
	velocity: 'joint velocities',
	body: 'positions of bodies',
	iterations: 'Newton steps',
	residual: 'relative residual',
};

/** Names of a panel at most: those that move most. */
const MOST_NAMES = 8;

/** What a solver, by name, came to. @public */
export interface RecordedRun {
	readonly solver: string;
	readonly recording: Recording;
}

/**
 * One panel for each kind of quantity and unit, with the lines of all solvers; those of the second are dashed. Rotations have a
 * panel of their own. @public
 */
export function plotPanels(results: readonly RecordedRun[]): PlotPanel[] {
	const first = results[0]!.recording;
	const kinds = new Map<string, number[]>();
	for (const [i, { group, unit }] of first.quantities.entries()) {
		const kind = `${group} ${unit}`;
		kinds.set(kind, [...(kinds.get(kind) ?? []), i]);
	}
	return [...kinds.values()].map((all) => {
		const quantity = first.quantities[all[0]!]!;
		const indices = all
			.toSorted((a, b) => spread(first.column(b)) - spread(first.column(a)) || a - b)
			.slice(0, MOST_NAMES)
			.sort((a, b) => a - b);
		const cut = indices.length < all.length ? `, the ${indices.length} of ${all.length} that move most` : '';
		const lines = results.flatMap(({ recording }, k) =>
			indices.map((i) => ({
				label: first.columns[i]!,
				values: recording.column(i),
				isDashed: k > 0,
			})),
		);
		return { title: `${titleOf(quantity)}${cut}`, unit: quantity.unit, lines };
	});
}

function titleOf({ group, unit }: Quantity): string {
	return group === 'position' && unit === '' ? 'rotations of joints (quaternions)' : TITLES[group];
}

function spread(values: readonly number[]): number {
	let low = Number.POSITIVE_INFINITY;
	let high = Number.NEGATIVE_INFINITY;
	for (const value of values) {
		low = Math.min(low, value);
		high = Math.max(high, value);
	}
	return high - low;
}
