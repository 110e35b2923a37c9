import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { WORLD_QUANTITIES, type WorldQuantity } from '../simulation/world-quantity-names.ts';
import { COLOR_SCALE, rangeOf } from '../view/world-colors.ts';

/** Many worlds: how far they are apart, what colours say, which one is shown alone, and what tells runs of a sweep apart. */
export function worldsPanel(app: App): TemplateResult {
	const { player, mover } = app;
	const color = (event: Event): void => {
		const { value } = event.target as HTMLSelectElement;
		void player.setQuantity(value === '' ? undefined : (value as WorldQuantity));
	};
	const isolate = (event: Event): void => {
		const { value } = event.target as HTMLInputElement;
		const world = Number(value);
		mover.showOnly(value === '' || !(world >= 0 && world < player.worlds) ? undefined : Math.floor(world));
	};
	return html`
		<label class="timeline">Distance between worlds
			<input type="range" min="0" max="3" step="0.1" .value=${String(mover.spread)} @input=${(event: Event) => mover.setSpread(Number((event.target as HTMLInputElement).value))} />
		</label>
		<div class="settings">
			<label>Colour by
				<select @change=${color}>
					<option value="" ?selected=${player.quantity === undefined}>nothing</option>
					${(Object.keys(WORLD_QUANTITIES) as WorldQuantity[]).map((name) => html`<option value=${name} ?selected=${player.quantity === name}>${WORLD_QUANTITIES[name]}</option>`)}
				</select>
			</label>
			<label>Only world <input type="number" min="0" max=${player.worlds - 1} .value=${mover.only === undefined ? '' : String(mover.only)} placeholder="all" @change=${isolate} /></label>
		</div>
		${player.frame?.worldNumbers === undefined ? nothing : legend(player.frame.worldNumbers, player.quantity)}
		${player.sweep === undefined ? nothing : sweepTable(app, player.sweep)}
	`;
}

/** What the colours mean, in numbers too. */
function legend(numbers: Float32Array, quantity: WorldQuantity | undefined): TemplateResult {
	const [low, high] = rangeOf(numbers);
	const stops = COLOR_SCALE.map((color) => `rgb(${color.map((part) => Math.round(255 * part)).join(' ')})`);
	const named = (value: number): string => `${Number(value.toPrecision(4))} (world ${numbers.indexOf(value)})`;
	return html`<figure class="legend" aria-label=${quantity === undefined ? 'Colours' : WORLD_QUANTITIES[quantity]}>
		<div class="scale" style=${`background:linear-gradient(to right, ${stops.join(', ')})`}></div>
		<figcaption><span>${named(low)}</span><span>${named(high)}</span></figcaption>
	</figure>`;
}

/** Values of the parameters of each run; a click shows its world alone. */
function sweepTable(app: App, { parameters, values }: NonNullable<App['player']['sweep']>): TemplateResult {
	const { mover } = app;
	const shown = (value: string | number | boolean): string =>
		typeof value === 'number' ? String(Number(value.toPrecision(5))) : String(value);
	return html`<div class="wide" tabindex="0" role="group" aria-label="Runs of the sweep">
		<table>
			<thead><tr><th scope="col">World</th>${parameters.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
			<tbody>
				${values.map(
					(row, world) =>
						html`<tr class=${mover.only === world ? 'selected' : nothing}>
							<th scope="row"><button aria-pressed=${mover.only === world} @click=${() => mover.showOnly(mover.only === world ? undefined : world)}>${world}</button></th>
							${row.map((value) => html`<td>${shown(value)}</td>`)}
						</tr>`,
				)}
			</tbody>
		</table>
	</div>`;
}
