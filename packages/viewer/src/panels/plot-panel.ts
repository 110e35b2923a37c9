import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { download } from '../files/download.ts';
import { linePlot } from './line-plot.ts';
import { type PlotQuantity, plotQuantities, SELECTED_PLOT } from './plot-quantities.ts';

/** Quantities over time, as many as a person asks for, and their numbers as a table. */
export function plotPanel(app: App): TemplateResult | typeof nothing {
	const { player, look } = app;
	if (player.frames.length < 2) return nothing;
	const known = plotQuantities(app).filter(({ measure }) => measure(player.frames[0]!) !== undefined);
	const chosen = look.plots.flatMap((id) => known.find((quantity) => quantity.id === id) ?? []);
	// two robots are shown to see how far they are apart
	const apart = known.find(({ id }) => id === 'difference');
	const drawn = apart === undefined || chosen.includes(apart) ? chosen : [...chosen, apart];
	const groups = [...new Set(known.map(({ group }) => group))];
	const add = (event: Event): void => {
		const select = event.target as HTMLSelectElement;
		if (select.value !== '') look.setPlots([...look.plots.filter((id) => id !== select.value), select.value]);
		select.value = '';
	};
	return html`
		${drawn.map((quantity) => plotOf(app, quantity))}
		<div class="row-of-buttons">
			<select aria-label="Add a plot" @change=${add}>
				<option value="">Add a plot</option>
				${groups.map(
					(group) =>
						html`<optgroup label=${group}>
							${known.filter((quantity) => quantity.group === group).map(({ id, title }) => html`<option value=${id}>${id === SELECTED_PLOT ? 'What is selected' : title}</option>`)}
						</optgroup>`,
				)}
			</select>
			${player.source === undefined ? html`<button title="As manyworlds run --record writes it" @click=${() => void app.mover.downloadRun()}>Run as CSV</button>` : nothing}
			<button @click=${() => downloadPlots(app, drawn)}>Plots as CSV</button>
		</div>
	`;
}

function plotOf(app: App, { id, title, measure }: PlotQuantity): TemplateResult {
	const { player, look } = app;
	const { frames, shown } = player;
	const first = frames[0]!.time;
	return html`<div class="plotted">
		${linePlot({
			title,
			times: frames.map(({ time }) => time),
			lines: [frames.map((frame) => measure(frame) ?? Number.NaN)],
			now: frames[shown]?.time ?? first,
		})}
		${look.plots.includes(id) ? html`<button class="quiet" aria-label=${`Remove ${title}`} @click=${() => look.setPlots(look.plots.filter((own) => own !== id))}>✕</button>` : nothing}
	</div>`;
}

function downloadPlots(app: App, quantities: readonly PlotQuantity[]): void {
	const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
	const lines = [['time [s]', ...quantities.map(({ title }) => quoted(title))].join(',')];
	for (const frame of app.player.frames) {
		lines.push([frame.time, ...quantities.map(({ measure }) => measure(frame) ?? '')].join(','));
	}
	download(`${app.opener.stem}-plots.csv`, new Map([['', new TextEncoder().encode(`${lines.join('\n')}\n`)]]));
}
