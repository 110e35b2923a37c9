import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { SimulationWishes } from '../control/robot-mover.ts';
import type { SolverChoice } from '../simulation/simulation-session.ts';
import { timelinePanel } from './timeline-panel.ts';

/** Most worlds that a page can ask for, and runs of a sweep that are shown unless something else is asked for. */
const MOST_WORLDS = 4096;
const SWEEP_WORLDS = 16;

/** Starts, plays and looks back at simulations. */
export function simulatePanel(app: App): TemplateResult {
	const { player, asset } = app;
	const robot = asset?.robot;
	if (robot === undefined) return html`<p class="empty">${asset?.refusal ?? 'There is nothing here that moves.'}</p>`;
	const start = (event: SubmitEvent): void => {
		event.preventDefault();
		const form = new FormData(event.target as HTMLFormElement);
		const solver = form.get('solver') as SolverChoice;
		void app.mover.simulate(solver, worldsOf(form), wishesOf(form)).then(() => player.play());
	};
	const gravity = robot.gravity.reduce((most, part) => (Math.abs(part) > Math.abs(most) ? part : most), 0);
	return html`
		<form class="settings" @submit=${start}>
			<label>Solver <select name="solver"><option value="sap">SAP</option><option value="mujoco">MuJoCo</option><option value="both">both, beside each other</option></select></label>
			<label>Worlds <input name="worlds" type="number" min="1" max=${MOST_WORLDS} value="1" /></label>
			${
				robot.keyframes.length === 0
					? nothing
					: html`<label>Keyframe
							<select name="keyframe"><option value="">none</option>${robot.keyframes.map((name) => html`<option>${name}</option>`)}</select>
						</label>`
			}
			<details class="more">
				<summary>Time step, gravity, ground</summary>
				<div class="settings">
					<label>Time step [ms] <input name="dt" type="number" min="0.01" max="100" step="any" placeholder=${Number((1000 * robot.dt).toPrecision(6))} /></label>
					<label>Gravity [m/s²] <input name="gravity" type="number" step="any" placeholder=${Number(gravity.toPrecision(6))} /></label>
					${
						asset?.format === 'scene'
							? nothing
							: html`<label>Ground <select name="ground"><option value="">as usual</option><option value="none">none</option></select></label>`
					}
				</div>
			</details>
			<button class="main">${player.isStarted ? 'Start again' : 'Start'}</button>
		</form>
		${player.problem === undefined ? nothing : html`<p class="problem-line" role="alert">${player.problem}</p>`}
		${player.isStarted ? timelinePanel(app) : nothing} ${sources(app)}
	`;
}

/** What else can move the robot: a recording, a robot that tells of itself, or the runs of a sweep. */
function sources(app: App): TemplateResult {
	const chosen =
		(take: (name: string, bytes: Uint8Array) => Promise<void>) =>
		async (event: Event): Promise<void> => {
			const input = event.target as HTMLInputElement;
			const file = input.files?.[0];
			if (file !== undefined) await take(file.name, new Uint8Array(await file.arrayBuffer()));
			input.value = '';
		};
	const connect = (event: SubmitEvent): void => {
		event.preventDefault();
		void app.mover.connect(String(new FormData(event.target as HTMLFormElement).get('address')));
	};
	const { mover, player } = app;
	return html`<details class="sources" ?open=${mover.isConnected}>
		<summary>Recordings, sweeps and live robots</summary>
		<div class="row-of-buttons">
			<label class="button">Open recording<input class="unseen" type="file" accept=".csv,.mcap" @change=${chosen((name, bytes) => mover.openRecording(name, bytes))} /></label>
			${player.frames.length > 1 ? html`<label class="button">Compare with recording<input id="compare" class="unseen" type="file" accept=".csv,.mcap" @change=${chosen((name, bytes) => mover.compareWith(name, bytes))} /></label>` : nothing}
			<label class="button">Preview sweep<input id="sweep" class="unseen" type="file" accept=".yaml,.yml,.json" @change=${chosen((name, bytes) => mover.previewSweep(name, bytes, SWEEP_WORLDS))} /></label>
		</div>
		<form @submit=${connect}>
			<label>Foxglove server <input name="address" type="url" value="ws://127.0.0.1:8765" required /></label>
			${mover.isConnected ? html`<button type="button" @click=${() => mover.disconnect()}>Disconnect</button>` : html`<button>Connect</button>`}
		</form>
		<p class="note">CSV of <code>manyworlds run --record</code>, MCAP of <code>manyworlds record</code>, plans of <code>manyworlds sweep</code>, or <code>manyworlds serve --foxglove</code>.</p>
	</details>`;
}

function worldsOf(form: FormData): number {
	return Math.max(1, Math.min(MOST_WORLDS, Math.round(Number(form.get('worlds')))));
}

/** What the fields of a form wish; nothing of fields that are empty. */
function wishesOf(form: FormData): SimulationWishes {
	const text = (name: string): string => String(form.get(name) ?? '').trim();
	const number = (name: string): number | undefined => {
		const value = Number(text(name));
		return text(name) === '' || !Number.isFinite(value) ? undefined : value;
	};
	const [milliseconds, gravity] = [number('dt'), number('gravity')];
	return {
		...(text('keyframe') !== '' && { keyframe: text('keyframe') }),
		...(milliseconds !== undefined && milliseconds > 0 && { dt: milliseconds / 1000 }),
		...(gravity !== undefined && { gravity }),
		...(text('ground') === 'none' && { ground: false }),
	};
}
