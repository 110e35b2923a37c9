import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { FreedomRow, JointRow } from '../asset/asset-types.ts';

const DEGREES = 180 / Math.PI;

/** A slider for each way in which a joint moves. */
export function jointsPanel(app: App): TemplateResult {
	const joints = (app.asset?.robot?.joints ?? []).filter(({ freedoms }) => freedoms.length > 0);
	if (joints.length === 0) return html`<p class="empty">No joint moves here.</p>`;
	return html`
		<div class="row-of-buttons">
			<button @click=${() => app.poser.go('start')}>Start</button>
			<button @click=${() => app.poser.go('zero')}>Zero</button>
			<button @click=${() => app.poser.go('random')}>Random</button>
			<span class="gap"></span>
			<label><input type="checkbox" .checked=${app.look.isDegrees} @change=${() => app.look.setDegrees(!app.look.isDegrees)} /> degrees</label>
		</div>
		${poses(app)}
		<ul class="joints">
			${joints.flatMap((joint) => joint.freedoms.map((freedom, way) => slider(app, joint, freedom, way)))}
		</ul>
	`;
}

/** Poses with names: those of files, and those that a person kept, which the address of the page has. */
function poses(app: App): TemplateResult {
	const { saved } = app.poser;
	const keep = (event: SubmitEvent): void => {
		event.preventDefault();
		const form = event.target as HTMLFormElement;
		const name = String(new FormData(form).get('name') ?? '').trim();
		if (name === '') return;
		app.poser.save(name);
		form.reset();
	};
	return html`<div class="poses" role="group" aria-label="Poses">
		${(app.asset?.poses ?? []).map((name) => html`<button @click=${() => void app.poser.goTo(name)}>${name}</button>`)}
		${[...saved.keys()].map(
			(name) =>
				html`<span class="pair"><button @click=${() => void app.poser.goTo(name)}>${name}</button><button aria-label=${`Forget ${name}`} @click=${() => app.poser.forget(name)}>✕</button></span>`,
		)}
		<form @submit=${keep}><input name="name" aria-label="Name of the pose" placeholder="Name" size="8" /><button>Keep</button></form>
	</div>
	<p class="note">Shift and drag a link in the picture to move it; by keyboard Shift and arrows, or Page Up and Down.</p>`;
}

function slider(app: App, joint: JointRow, freedom: FreedomRow, way: number): TemplateResult {
	const isTurn = freedom.motion === 'turn';
	const scale = isTurn ? (app.look.isDegrees ? DEGREES : 1) : app.look.isDegrees ? 1000 : 1;
	const unit = isTurn ? (app.look.isDegrees ? '°' : 'rad') : app.look.isDegrees ? 'mm' : 'm';
	const value = app.coordinates[freedom.coordinate] ?? 0;
	const reach = isTurn ? Math.PI : 1;
	const lower = Number.isFinite(freedom.lower) ? freedom.lower : -reach;
	const upper = Number.isFinite(freedom.upper) ? freedom.upper : reach;
	const name = joint.freedoms.length > 1 ? `${joint.name} ${way + 1}` : joint.name;
	const digits = scale >= 10 ? 1 : 3;
	const set = (event: Event): void => {
		const typed = Number((event.target as HTMLInputElement).value) / scale;
		if (Number.isFinite(typed)) app.mover.setCoordinate(freedom.coordinate, typed);
	};
	const range = `${(lower * scale).toFixed(digits)} to ${(upper * scale).toFixed(digits)} ${unit}`;
	return html`<li class=${app.selection.link === joint.child ? 'joint selected' : 'joint'}>
		<button class="quiet name" title=${`${joint.label}: ${range}`} @click=${() => app.selection.select(joint.child)}>${name}</button>
		<input
			type="range"
			aria-label=${name}
			aria-valuetext=${`${(value * scale).toFixed(digits)} ${unit}`}
			min=${lower * scale}
			max=${upper * scale}
			step="any"
			.value=${String(value * scale)}
			?disabled=${freedom.isFollower}
			@input=${set}
			@keydown=${(event: KeyboardEvent) => nudge(event, app, freedom, lower, upper, value)}
		/>
		<input
			type="number"
			aria-label=${`${name} in ${unit}`}
			step="any"
			.value=${(value * scale).toFixed(digits)}
			?disabled=${freedom.isFollower}
			@change=${set}
		/>
		<span class="unit">${unit}</span>
		${readout(app, freedom)}
		${freedom.isFollower ? html`<span class="note">follows</span>` : nothing}
	</li>`;
}

/** How fast a freedom moves and how hard its drive works, while something tells. */
function readout(app: App, { motion, dof, isDriven }: FreedomRow): TemplateResult | typeof nothing {
	const { velocities, efforts } = app.player.frame ?? {};
	if (velocities === undefined || efforts === undefined) return nothing;
	const isTurn = motion === 'turn';
	const scale = isTurn ? (app.look.isDegrees ? DEGREES : 1) : app.look.isDegrees ? 1000 : 1;
	const unit = isTurn ? (app.look.isDegrees ? '°/s' : 'rad/s') : app.look.isDegrees ? 'mm/s' : 'm/s';
	const speed = `${(velocities[dof]! * scale).toFixed(scale >= 10 ? 1 : 3)} ${unit}`;
	return html`<span class="readout note">${speed}${isDriven ? `, ${efforts[dof]!.toFixed(2)} ${isTurn ? 'N·m' : 'N'}` : nothing}</span>`;
}

/** Arrow keys go a hundredth of the way, pages a tenth: a slider without steps has none of its own. */
function nudge(
	event: KeyboardEvent,
	app: App,
	{ coordinate }: FreedomRow,
	lower: number,
	upper: number,
	value: number,
): void {
	const share = { ArrowRight: 0.01, ArrowUp: 0.01, ArrowLeft: -0.01, ArrowDown: -0.01, PageUp: 0.1, PageDown: -0.1 }[
		event.key
	];
	if (share === undefined) return;
	event.preventDefault();
	app.mover.setCoordinate(coordinate, Math.min(Math.max(value + share * (upper - lower), lower), upper));
}
