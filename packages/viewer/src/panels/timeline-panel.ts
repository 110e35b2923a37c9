import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { SimulationPlayer } from '../simulation/simulation-player.ts';
import type { SolverChoice } from '../simulation/simulation-session.ts';
import { plotPanel } from './plot-panel.ts';
import { worldsPanel } from './worlds-panel.ts';

const SOLVER_NAMES: Readonly<Record<SolverChoice, string>> = { sap: 'SAP', mujoco: 'MuJoCo', both: 'SAP and MuJoCo' };

/** What moves the robot: play, pause, step, speed, going back in time, loops, and what is measured meanwhile. */
export function timelinePanel(app: App): TemplateResult {
	const { player } = app;
	const { frame, frames, shown, isPlaying } = player;
	return html`
		<div class="row-of-buttons">
			<button class="main" @click=${() => (isPlaying ? player.pause() : player.play())}>${isPlaying ? 'Pause' : 'Play'}</button>
			${player.source === undefined ? html`<button @click=${() => void player.step(1)}>Step</button> <button @click=${() => void player.reset()}>Reset</button>` : nothing}
			<button @click=${() => void app.mover.stop()}>End</button>
			<label>Speed
				<select @change=${(event: Event) => player.setSpeed(Number((event.target as HTMLSelectElement).value))}>
					${[0.1, 0.25, 0.5, 1, 2].map((speed) => html`<option value=${speed} ?selected=${speed === player.speed}>${speed}×</option>`)}
				</select>
			</label>
		</div>
		${player.worlds > 1 && player.solver !== 'both' && player.compared === undefined ? worldsPanel(app) : nothing}
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
		${frames.length > 1 ? loopBar(player) : nothing}
		${player.source === undefined ? simulationFacts(player) : html`<p class="note">${player.source}, ${frames.length} moments${player.compared === undefined ? nothing : `; beside it ${player.compared}`}</p>`}
		${frame?.failures.map(({ world, reason }) => html`<p class="problem-line" role="alert">World ${world} stopped: ${reason}</p>`)}
		${plotPanel(app)}
		${player.notes.length === 0 ? nothing : html`<details><summary>${player.notes.length === 1 ? 'One note' : `${player.notes.length} notes`}</summary><ul>${player.notes.map((note) => html`<li>${note}</li>`)}</ul></details>`}
	`;
}

/** Two ends between which moments are shown again and again. */
function loopBar(player: SimulationPlayer): TemplateResult {
	const { loop, frames, frame } = player;
	const [first, last] = [frames[0]!.time, frames.at(-1)!.time];
	const [from, to] = loop ?? [first, last];
	const now = frame?.time ?? first;
	return html`<div class="row-of-buttons" role="group" aria-label="Loop">
		<button class="toggle" aria-pressed=${loop !== undefined} @click=${() => player.setLoop(loop === undefined ? [first, last] : undefined)}>Loop</button>
		${
			loop === undefined
				? nothing
				: html`<button @click=${() => player.setLoop([now, Math.max(now, to)])}>From here</button>
						<button @click=${() => player.setLoop([Math.min(from, now), now])}>To here</button>
						<span class="note">${from.toFixed(3)} to ${to.toFixed(3)} s</span>`
		}
	</div>`;
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
