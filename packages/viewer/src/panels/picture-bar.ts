import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { OVERLAYS, type OverlayName } from '../view/overlay-view.ts';
import type { SectionAxis, SideName } from '../view/scene-view.ts';

const SIDE_NAMES: readonly (readonly [SideName, string])[] = [
	['aslant', 'Aslant'],
	['front', 'Front'],
	['left', 'Left'],
	['top', 'Top'],
];

/** Buttons in the picture: from where one looks at it, and how. */
export function pictureBar(app: App): TemplateResult {
	const { tools } = app;
	const cut = (event: Event): void => {
		const axis = (event.target as HTMLSelectElement).value;
		tools.setSection(axis === '' ? undefined : (axis as SectionAxis));
	};
	return html`<div class="picture-bar" role="toolbar" aria-label="Picture">
		${SIDE_NAMES.map(([side, title]) => html`<button @click=${() => app.lookFrom(side)}>${title}</button>`)}
		<button class="toggle" aria-pressed=${tools.isWireframe} @click=${() => tools.setWireframe(!tools.isWireframe)}>Edges</button>
		<select aria-label="Cut" @change=${cut}>
			<option value="" ?selected=${tools.section === undefined}>No cut</option>
			${(['x', 'y', 'z'] as const).map((axis) => html`<option value=${axis} ?selected=${tools.section === axis}>Cut ${axis}</option>`)}
		</select>
		${
			tools.section === undefined
				? nothing
				: html`<input type="range" aria-label="Place of the cut" min="0" max="1" step="0.01" .value=${String(tools.share)} @input=${(event: Event) => tools.setSection(tools.section, Number((event.target as HTMLInputElement).value))} />`
		}
		<button class="toggle" aria-pressed=${tools.isMeasuring} @click=${() => tools.setMeasuring(!tools.isMeasuring)}>Measure</button>
		${tools.isMeasuring ? html`<span class="measured" role="status">${tools.measured}</span>` : nothing}
	</div>`;
}

/** Buttons for what is drawn over the robot. */
export function overlayBar(app: App): TemplateResult {
	return html`<div class="picture-bar" role="group" aria-label="Overlays">
		${(Object.keys(OVERLAYS) as OverlayName[]).map(
			(name) =>
				html`<button class="toggle" aria-pressed=${app.overlays.has(name)} @click=${() => app.toggleOverlay(name)}>${OVERLAYS[name]}</button>`,
		)}
	</div>`;
}
