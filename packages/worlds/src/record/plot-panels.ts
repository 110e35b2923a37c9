import { QUANTITY_GROUPS, type QuantityGroup } from './quantity-groups.ts';
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

/** Lines of a panel at most: those that move most. */
const MOST_LINES = 8;

/** What a solver, by name, came to. @public */
export interface RecordedRun {
	readonly solver: string;
	readonly recording: Recording;
}

/** One panel for each kind of quantity, with the lines of all solvers; those of the second are dashed. @public */
export function plotPanels(results: readonly RecordedRun[]): PlotPanel[] {
	const first = results[0]!.recording;
	const groups = [...new Set(first.quantities.map(({ group }) => group))];
	const most = Math.max(1, Math.floor(MOST_LINES / results.length));
	return groups.map((group) => {
		const all = first.indicesOf(group);
		const indices = all
			.toSorted((a, b) => spread(first.column(b)) - spread(first.column(a)) || a - b)
			.slice(0, most)
			.sort((a, b) => a - b);
		const cut = indices.length < all.length ? `, the ${indices.length} of ${all.length} that move most` : '';
		const lines = results.flatMap(({ solver, recording }, k) =>
			indices.map((i) => ({
				label: results.length === 1 ? recording.columns[i]! : `${recording.columns[i]!} (${solver})`,
				values: recording.column(i),
				isDashed: k > 0,
			})),
		);
		return { title: `${TITLES[group]}${cut}`, unit: QUANTITY_GROUPS[group], lines };
	});
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
