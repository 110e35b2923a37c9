import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { EXAMPLES, openExample } from './examples.ts';
import { pasteButton } from './open-menu.ts';

/** What is shown before anything is open. */
export function welcome(app: App): TemplateResult {
	return html`<div class="welcome">
		<h2>Drop a robot here</h2>
		<p>A folder, files, a zip or a usdz: OpenUSD, URDF, MJCF, SDF or a scene. Nothing leaves this machine.</p>
		<ul class="examples">
			${EXAMPLES.map(
				(example) =>
					html`<li>
						<button @click=${() => openExample(app, example)}><strong>${example.title}</strong> ${example.what}</button>
					</li>`,
			)}
		</ul>
		${recentList(app)}
		<form
			@submit=${(event: SubmitEvent) => {
				event.preventDefault();
				const address = new FormData(event.target as HTMLFormElement).get('address');
				if (typeof address === 'string' && address !== '') location.search = `?url=${encodeURIComponent(address)}`;
			}}
		>
			<label>Address of a file <input name="address" type="url" placeholder="https://…/robot.usdz" required /></label>
			<button>Open</button>
		</form>
		<p>${pasteButton(app)} <span class="note">or press Ctrl+V: the text of a URDF, MJCF, SDF, OpenUSD or scene file.</span></p>
	</div>`;
}

/** What was open before. */
function recentList(app: App): TemplateResult | typeof nothing {
	const { recent } = app.opener;
	if (recent.entries.length === 0) return nothing;
	return html`<div class="recent" role="group" aria-label="Open again">
		${recent.entries.map(
			(entry) =>
				html`<span class="pair"><button @click=${() => void app.opener.openRecent(entry)}>${entry.name}</button><button aria-label=${`Forget ${entry.name}`} @click=${() => void recent.forget(entry)}>✕</button></span>`,
		)}
	</div>`;
}
