import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { OVERLAYS, type OverlayName } from '../view/overlay-view.ts';
import type { SectionAxis, SideName } from '../view/scene-view.ts';
import { SURFACE_LOOKS, type SurfaceLook } from '../view/surface-looks.ts';

const SIDE_NAMES: Readonly<Record<SideName, string>> = {
	aslant: 'Aslant',
	front: 'Front',
	back: 'Back',
	left: 'Left',
	right: 'Right',
	top: 'Top',
	below: 'Below',
};

/** Buttons in the picture: from where one looks at it, and how. */
export function pictureBar(app: App): TemplateResult {
	const { tools } = app;
	const cut = (event: Event): void => {
		const axis = (event.target as HTMLSelectElement).value;
		tools.setSection(axis === '' ? undefined : (axis as SectionAxis));
	};
	const lookFrom = (event: Event): void => {
		const select = event.target as HTMLSelectElement;
		if (select.value !== '') app.lookFrom(select.value as SideName);
		select.value = '';
	};
	return html`<div class="picture-bar" role="toolbar" aria-label="Picture">
		<select aria-label="Look from" @change=${lookFrom}>
			<option value="">Look from</option>
			${(Object.keys(SIDE_NAMES) as SideName[]).map((side) => html`<option value=${side}>${SIDE_NAMES[side]}</option>`)}
		</select>
		<button class="toggle" title="Parallel rays: no perspective" aria-pressed=${tools.isParallel} @click=${() => tools.setParallel(!tools.isParallel)}>Parallel</button>
		<select aria-label="Surfaces" @change=${(event: Event) => tools.setLook((event.target as HTMLSelectElement).value as SurfaceLook)}>
			${(Object.keys(SURFACE_LOOKS) as SurfaceLook[]).map((look) => html`<option value=${look} ?selected=${tools.look === look}>${SURFACE_LOOKS[look]}</option>`)}
		</select>
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
				html`<button class="toggle" aria-pressed=${app.look.overlays.has(name)} @click=${() => app.look.toggleOverlay(name)}>${OVERLAYS[name]}</button>`,
		)}
	</div>`;
}
