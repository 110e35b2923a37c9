/** A line of a plot. @public */
export interface PlotLine {
	readonly label: string;
	readonly values: readonly number[];
	/** Drawn dashed. */
	readonly isDashed?: boolean;
}

/** A panel of a plot: lines over the same times. @public */
export interface PlotPanel {
	readonly title: string;
	/** Unit of the values, such as `m`. */
	readonly unit: string;
	readonly lines: readonly PlotLine[];
}

const WIDTH = 860;
const PANEL_HEIGHT = 220;
const LEFT = 70;
const RIGHT = 190;
const TOP = 34;
const BOTTOM = 34;
const COLOURS = ['#1b6ca8', '#c8553d', '#2e8b57', '#8a5a9e', '#b8860b', '#3f7f93', '#a33b63', '#5b6b2f'];

/** Panels of lines over time, one below the other, as SVG text. The same numbers give the same text. @public */
export function plotSvg(title: string, times: readonly number[], panels: readonly PlotPanel[]): string {
	const height = TOP + panels.length * PANEL_HEIGHT;
	const parts = [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
		`<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
		`<text x="${LEFT}" y="22" font-size="15" fill="#222222">${escapeText(title)}</text>`,
	];
	for (const [i, panel] of panels.entries()) parts.push(...drawPanel(panel, times, TOP + i * PANEL_HEIGHT));
	parts.push('</svg>');
	return `${parts.join('\n')}\n`;
}

function drawPanel(panel: PlotPanel, times: readonly number[], top: number): string[] {
	const finite = panel.lines.flatMap((line) => line.values.filter(Number.isFinite));
	let low = finite.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
	let high = finite.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
	if (!(low <= high)) [low, high] = [0, 1];
	if (high - low < 1e-12) [low, high] = [low - 0.5, high + 0.5];
	const end = times.at(-1) ?? 1;
	const plotHeight = PANEL_HEIGHT - TOP - BOTTOM + 12;
	const plotWidth = WIDTH - LEFT - RIGHT;
	const x = (time: number): string => (LEFT + (plotWidth * time) / (end || 1)).toFixed(1);
	const y = (value: number): string => (top + TOP - 6 + plotHeight * (1 - (value - low) / (high - low))).toFixed(1);
	const parts = [
		`<text x="${LEFT}" y="${top + 16}" fill="#444444">${escapeText(panel.title)} [${escapeText(panel.unit)}]</text>`,
	];
	for (let tick = 0; tick <= 4; tick++) {
		const value = low + ((high - low) * tick) / 4;
		parts.push(`<line x1="${LEFT}" x2="${LEFT + plotWidth}" y1="${y(value)}" y2="${y(value)}" stroke="#e4e4e4"/>`);
		parts.push(
			`<text x="${LEFT - 6}" y="${y(value)}" text-anchor="end" dominant-baseline="middle" fill="#666666">${label(value)}</text>`,
		);
		const time = (end * tick) / 4;
		parts.push(
			`<text x="${x(time)}" y="${top + TOP + plotHeight + 10}" text-anchor="middle" fill="#666666">${label(time)} s</text>`,
		);
	}
	for (const [i, line] of panel.lines.entries()) {
		const colour = COLOURS[i % COLOURS.length]!;
		const points = line.values
			.map((value, k) => (Number.isFinite(value) ? `${x(times[k]!)},${y(value)}` : ''))
			.filter((point) => point !== '');
		const dashes = line.isDashed === true ? ' stroke-dasharray="6 4"' : '';
		parts.push(`<polyline fill="none" stroke="${colour}" stroke-width="1.6"${dashes} points="${points.join(' ')}"/>`);
		const row = top + TOP + 4 + 17 * i;
		parts.push(
			`<line x1="${WIDTH - RIGHT + 14}" x2="${WIDTH - RIGHT + 38}" y1="${row}" y2="${row}" stroke="${colour}" stroke-width="2"${dashes}/>`,
		);
		parts.push(
			`<text x="${WIDTH - RIGHT + 44}" y="${row}" dominant-baseline="middle" fill="#333333">${escapeText(shorten(line.label))}</text>`,
		);
	}
	return parts;
}

/** Four digits, without an exponent for ordinary numbers. */
function label(value: number): string {
	return String(Number(value.toPrecision(4)));
}

function shorten(text: string): string {
	return text.length <= 22 ? text : `…${text.slice(-21)}`;
}

function escapeText(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
