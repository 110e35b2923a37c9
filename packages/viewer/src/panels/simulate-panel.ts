import { html, nothing, svg, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { SimulationPlayer } from '../simulation/simulation-player.ts';
import type { SimulationFrame, SolverChoice } from '../simulation/simulation-session.ts';

const SOLVER_NAMES: Readonly<Record<SolverChoice, string>> = { sap: 'SAP', mujoco: 'MuJoCo', both: 'SAP and MuJoCo' };

/** Size of the plot [px]. */
const WIDTH = 320;
const HEIGHT = 120;

/** Starts, plays and looks back at simulations. */
export function simulatePanel(app: App): TemplateResult {
	const { player, asset } = app;
	if (asset?.robot === undefined)
		return html`<p class="empty">${asset?.refusal ?? 'There is nothing here that moves.'}</p>`;
	const start = (event: SubmitEvent): void => {
		event.preventDefault();
		const form = new FormData(event.target as HTMLFormElement);
		const keyframe = form.get('keyframe');
		const worlds = Math.max(1, Math.min(4096, Math.round(Number(form.get('worlds')))));
		const wanted = typeof keyframe === 'string' && keyframe !== '' ? keyframe : undefined;
		void app.simulate(form.get('solver') as SolverChoice, worlds, wanted).then(() => player.play());
	};
	return html`
		<form class="settings" @submit=${start}>
			<label>Solver <select name="solver"><option value="sap">SAP</option><option value="mujoco">MuJoCo</option><option value="both">both, beside each other</option></select></label>
			<label>Worlds <input name="worlds" type="number" min="1" max="4096" value="1" /></label>
			${
				asset.robot.keyframes.length === 0
					? nothing
					: html`<label>Keyframe
							<select name="keyframe"><option value="">none</option>${asset.robot.keyframes.map((name) => html`<option>${name}</option>`)}</select>
						</label>`
			}
			<button class="main">${player.isStarted ? 'Start again' : 'Start'}</button>
		</form>
		${player.problem === undefined ? nothing : html`<p class="problem-line" role="alert">${player.problem}</p>`}
		${player.isStarted ? controls(app, player) : nothing} ${sources(app)}
	`;
}

/** What else can move the robot: a recording, or a robot that tells of itself. */
function sources(app: App): TemplateResult {
	const take = async (event: Event): Promise<void> => {
		const input = event.target as HTMLInputElement;
		const file = input.files?.[0];
		if (file !== undefined) await app.openRecording(file.name, new Uint8Array(await file.arrayBuffer()));
		input.value = '';
	};
	const connect = (event: SubmitEvent): void => {
		event.preventDefault();
		void app.connect(String(new FormData(event.target as HTMLFormElement).get('address')));
	};
	return html`<details class="sources" ?open=${app.isConnected}>
		<summary>Recordings and live robots</summary>
		<label class="button">Open recording<input class="unseen" type="file" accept=".csv,.mcap" @change=${(event: Event) => void take(event)} /></label>
		<form @submit=${connect}>
			<label>Foxglove server <input name="address" type="url" value="ws://127.0.0.1:8765" required /></label>
			${app.isConnected ? html`<button type="button" @click=${() => app.disconnect()}>Disconnect</button>` : html`<button>Connect</button>`}
		</form>
		<p class="note">CSV of <code>manyworlds run --record</code>, MCAP of <code>manyworlds record</code>, or <code>manyworlds serve --foxglove</code>.</p>
	</details>`;
}

function controls(app: App, player: SimulationPlayer): TemplateResult {
	const { frame, frames, shown, isPlaying } = player;
	return html`
		<div class="row-of-buttons">
			<button class="main" @click=${() => (isPlaying ? player.pause() : player.play())}>${isPlaying ? 'Pause' : 'Play'}</button>
			${player.source === undefined ? html`<button @click=${() => void player.step(1)}>Step</button> <button @click=${() => void player.reset()}>Reset</button>` : nothing}
			<button @click=${() => void app.stopSimulation()}>End</button>
			<label>Speed
				<select @change=${(event: Event) => player.setSpeed(Number((event.target as HTMLSelectElement).value))}>
					${[0.1, 0.25, 0.5, 1, 2].map((speed) => html`<option value=${speed} ?selected=${speed === player.speed}>${speed}×</option>`)}
				</select>
			</label>
		</div>
		${
			player.worlds > 1 && player.solver !== 'both'
				? html`<label class="timeline">Distance between worlds
						<input type="range" min="0" max="3" step="0.1" .value=${String(app.spread)} @input=${(event: Event) => app.setSpread(Number((event.target as HTMLInputElement).value))} />
					</label>`
				: nothing
		}
		<label class="timeline">
			Time ${(frame?.time ?? 0).toFixed(3)} s
			<input
				type="range"
				min="0"
				max=${Math.max(0, frames.length - 1)}
				.value=${String(shown)}
				aria-valuetext=${`${(frame?.time ?? 0).toFixed(3)} seconds`}
				@input=${(event: Event) => player.seek(Number((event.target as HTMLInputElement).value))}
			/>
		</label>
		${player.source === undefined ? simulationFacts(player) : html`<p class="note">${player.source}, ${frames.length} moments</p>`}
		${frame?.failures.map(({ world, reason }) => html`<p class="problem-line" role="alert">World ${world} stopped: ${reason}</p>`)}
		${plot(app, player)}
		${player.notes.length === 0 ? nothing : html`<details><summary>${player.notes.length === 1 ? 'One note' : `${player.notes.length} notes`}</summary><ul>${player.notes.map((note) => html`<li>${note}</li>`)}</ul></details>`}
	`;
}

function simulationFacts({ frame, solver, worlds, dt }: SimulationPlayer): TemplateResult {
	return html`
		<p class="note">Shift and drag a link in the picture to pull it.</p>
		<p class="note">
			${SOLVER_NAMES[solver]}, ${worlds} ${worlds === 1 ? 'world' : 'worlds'}, steps of
			${Number((dt * 1000).toPrecision(4))} ms, ${(frame?.contacts.length ?? 0) / 6} contacts in the first world${(frame?.pull ?? 0) > 0 ? html`, pulled with ${frame!.pull.toFixed(1)} N` : nothing}
		</p>
	`;
}

/** The selected joint over time; the height of the base without one. With two solvers also how far they are apart. */
function plot(app: App, player: SimulationPlayer): TemplateResult | typeof nothing {
	if (player.frames.length < 2) return nothing;
	const robot = app.asset?.robot;
	const joint = robot?.joints[robot.links[app.link]?.joint ?? -1];
	const freedom = joint?.freedoms[0];
	const title =
		freedom === undefined
			? 'Height of the first link [m]'
			: `${joint!.name} [${freedom.motion === 'turn' ? 'rad' : 'm'}]`;
	return html`
		${lineOf(player, title, ({ poses, coordinates }) => (freedom === undefined ? poses[2]! : coordinates[freedom.coordinate]!))}
		${
			player.solver === 'both'
				? lineOf(player, 'Largest distance between links of the solvers [m]', ({ difference }) => difference ?? 0)
				: nothing
		}
	`;
}

function lineOf(player: SimulationPlayer, title: string, measure: (frame: SimulationFrame) => number): TemplateResult {
	const { frames, shown } = player;
	const stride = Math.ceil(frames.length / WIDTH);
	const values = frames.filter((_, i) => i % stride === 0).map(measure);
	const [low, high] = [Math.min(...values), Math.max(...values)];
	const span = high - low || 1;
	const x = (i: number): number => (i / Math.max(1, values.length - 1)) * WIDTH;
	const y = (value: number): number => HEIGHT - 6 - ((value - low) / span) * (HEIGHT - 12);
	const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
	const now = (shown / (frames.length - 1)) * WIDTH;
	return html`<figure class="plot">
		<figcaption>${title}: ${low.toPrecision(4)} to ${high.toPrecision(4)}</figcaption>
		<svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${title}>
			${svg`<polyline points=${points} /><line x1=${now} x2=${now} y1="0" y2=${HEIGHT} />`}
		</svg>
	</figure>`;
}
