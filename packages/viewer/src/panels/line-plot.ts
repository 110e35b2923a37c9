import { html, nothing, svg, type TemplateResult } from 'lit';

/** Numbers over time. */
export interface LinePlot {
	readonly title: string;
	/** Ascending [s]. */
	readonly times: readonly number[];
	/** Values at the times, for each line. */
	readonly lines: readonly (readonly number[])[];
	/** Time that is marked. */
	readonly now?: number;
}

/** Size of a plot [px]. */
const WIDTH = 320;
const HEIGHT = 100;
/** Room above and below lines [px]. */
const ROOM = 6;

/** Lines over time, with their range in words. */
export function linePlot({ title, times, lines, now }: LinePlot): TemplateResult {
	const stride = Math.ceil(times.length / WIDTH);
	let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const line of lines) {
		for (const value of line) if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
	}
	const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
	const x = (time: number): number => ((time - first) / (last - first || 1)) * WIDTH;
	const y = (value: number): number => HEIGHT - ROOM - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * ROOM);
	const points = (line: readonly number[]): string =>
		line
			.flatMap((value, i) =>
				(i % stride === 0 || i === line.length - 1) && Number.isFinite(value)
					? [`${x(times[i]!).toFixed(1)},${y(value).toFixed(1)}`]
					: [],
			)
			.join(' ');
	const at = now === undefined ? undefined : nearest(times, now);
	const values = at === undefined ? '' : lines.map((line) => Number(line[at]?.toPrecision(4))).join(', ');
	return html`<figure class="plot">
		<figcaption>${title}: ${Number(low.toPrecision(4))} to ${Number(high.toPrecision(4))}${at === undefined ? nothing : `, now ${values}`}</figcaption>
		<svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${title}>
			${lines.map((line, i) => svg`<polyline class=${`line-${i % 4}`} points=${points(line)} />`)}
			${now === undefined ? nothing : svg`<line x1=${x(now)} x2=${x(now)} y1="0" y2=${HEIGHT} />`}
		</svg>
	</figure>`;
}

/** Place of the last time that is not later. */
function nearest(times: readonly number[], now: number): number {
	let at = 0;
	while (at + 1 < times.length && times[at + 1]! <= now) at++;
	return at;
}
