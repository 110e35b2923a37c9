import { axisTicks } from './axis-ticks.ts';

/** A line of a plot. Lines of one label have one colour, and are listed once. @public */
export interface PlotLine {
	readonly label: string;
	readonly values: readonly number[];
	/** Drawn dashed. */
	readonly isDashed?: boolean;
}

/** A panel of a plot: lines over the same times. @public */
export interface PlotPanel {
	readonly title: string;
	/** Unit of the values, such as `m`; empty for counts and other plain numbers. */
	readonly unit: string;
	readonly lines: readonly PlotLine[];
}

/** Options of {@link plotSvg}. @public */
export interface PlotOptions {
	/** What full and what dashed lines stand for; left out, it is not said. */
	readonly styles?: readonly [full: string, dashed: string];
}

const PLOT_WIDTH = 600;
const PANEL_HEIGHT = 220;
const LEFT = 70;
const TOP = 34;
const BOTTOM = 34;
const LEGEND_ROW = 17;
/** Widest letters of the font of labels, on average, and the room of a line before its label [px]. */
const LETTER = 6.8;
const SAMPLE = 50;
const COLOURS = ['#1b6ca8', '#c8553d', '#2e8b57', '#8a5a9e', '#b8860b', '#3f7f93', '#a33b63', '#5b6b2f'];

/** Panels of lines over time, one below the other, as SVG text. The same numbers give the same text. @public */
export function plotSvg(
	title: string,
	times: readonly number[],
	panels: readonly PlotPanel[],
	options: PlotOptions = {},
): string {
	const labels = panels.flatMap(({ lines }) => lines.map(({ label }) => label));
	const right = SAMPLE + Math.ceil(LETTER * Math.max(12, ...labels.map(({ length }) => length)));
	const width = Math.max(LEFT + PLOT_WIDTH + right, LEFT + Math.ceil(9 * title.length) + 260);
	const height = TOP + panels.reduce((sum, panel) => sum + heightOf(panel), 0);
	const parts = [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
		`<rect width="${width}" height="${height}" fill="#ffffff"/>`,
		`<text x="${LEFT}" y="22" font-size="15" fill="#222222">${escapeText(title)}</text>`,
	];
	if (options.styles !== undefined) parts.push(...drawStyles(options.styles, width));
	let top = TOP;
	for (const panel of panels) {
		parts.push(...drawPanel(panel, times, top));
		top += heightOf(panel);
	}
	parts.push('</svg>');
	return `${parts.join('\n')}\n`;
}

/** Height of a panel: that of the plot, or of its labels. */
function heightOf({ lines }: PlotPanel): number {
	const labels = new Set(lines.map(({ label }) => label)).size;
	return Math.max(PANEL_HEIGHT, TOP + BOTTOM + LEGEND_ROW * labels);
}

function drawStyles([full, dashed]: readonly [string, string], width: number): string[] {
	return [full, dashed].flatMap((label, i) => {
		const x = width - 240 + 120 * i;
		return [
			`<line x1="${x}" x2="${x + 28}" y1="18" y2="18" stroke="#444444" stroke-width="2"${dashes(i > 0)}/>`,
			`<text x="${x + 34}" y="18" dominant-baseline="middle" fill="#333333">${escapeText(label)}</text>`,
		];
	});
}

function drawPanel(panel: PlotPanel, times: readonly number[], top: number): string[] {
	const finite = panel.lines.flatMap((line) => line.values.filter(Number.isFinite));
	let low = finite.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
	let high = finite.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
	if (!(low <= high)) [low, high] = [0, 1];
	if (high - low < 1e-9 * Math.max(1, Math.abs(high))) [low, high] = [low - 0.5, high + 0.5];
	const scale = axisTicks(low, high, 4);
	const end = times.at(-1) || 1;
	const plotHeight = PANEL_HEIGHT - TOP - BOTTOM + 12;
	const x = (time: number): string => (LEFT + (PLOT_WIDTH * time) / end).toFixed(1);
	const y = (value: number): string =>
		(top + TOP - 6 + plotHeight * (1 - (value - scale.low) / (scale.high - scale.low))).toFixed(1);
	const unit = panel.unit === '' ? '' : ` [${escapeText(panel.unit)}]`;
	const parts = [`<text x="${LEFT}" y="${top + 16}" fill="#444444">${escapeText(panel.title)}${unit}</text>`];
	for (const value of scale.values) {
		parts.push(`<line x1="${LEFT}" x2="${LEFT + PLOT_WIDTH}" y1="${y(value)}" y2="${y(value)}" stroke="#e4e4e4"/>`);
		parts.push(
			`<text x="${LEFT - 6}" y="${y(value)}" text-anchor="end" dominant-baseline="middle" fill="#666666">${value}</text>`,
		);
	}
	for (const time of axisTicks(0, end, 5).values) {
		if (time > end * (1 + 1e-9)) continue;
		parts.push(
			`<text x="${x(time)}" y="${top + TOP + plotHeight + 10}" text-anchor="middle" fill="#666666">${time} s</text>`,
		);
	}
	const labels = [...new Set(panel.lines.map(({ label }) => label))];
	for (const line of panel.lines) {
		const points = line.values
			.map((value, k) => (Number.isFinite(value) ? `${x(times[k]!)},${y(value)}` : ''))
			.filter((point) => point !== '');
		parts.push(
			`<polyline fill="none" stroke="${colourOf(labels, line)}" stroke-width="1.6"${dashes(line.isDashed)} points="${points.join(' ')}"/>`,
		);
	}
	for (const [i, label] of labels.entries()) {
		const row = top + TOP + 4 + LEGEND_ROW * i;
		const left = LEFT + PLOT_WIDTH + 14;
		const isDashed = panel.lines.every((line) => line.label !== label || line.isDashed === true);
		parts.push(
			`<line x1="${left}" x2="${left + 24}" y1="${row}" y2="${row}" stroke="${COLOURS[i % COLOURS.length]!}" stroke-width="2"${dashes(isDashed)}/>`,
		);
		parts.push(
			`<text x="${left + 30}" y="${row}" dominant-baseline="middle" fill="#333333">${escapeText(label)}</text>`,
		);
	}
	return parts;
}

function colourOf(labels: readonly string[], { label }: PlotLine): string {
	return COLOURS[labels.indexOf(label) % COLOURS.length]!;
}

function dashes(isDashed: boolean | undefined): string {
	return isDashed === true ? ' stroke-dasharray="6 4"' : '';
}

function escapeText(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
