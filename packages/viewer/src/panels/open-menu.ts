import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { canOpenFolders } from '../files/folder-handle.ts';
import { readChosen } from '../files/read-dropped.ts';
import { EXAMPLES, openExample } from './examples.ts';

/** Buttons that open things, and the choice among files that can be opened. */
export function openMenu(app: App): TemplateResult {
	const take = (event: Event): void => {
		const input = event.target as HTMLInputElement;
		if (input.files !== null && input.files.length > 0) {
			const { files } = input;
			void app
				.openFrom('the files', async () => ({ files: await readChosen(files) }))
				.then(() => {
					input.value = '';
				});
		}
	};
	return html`<div class="open" role="group" aria-label="Open">
		<label class="button">Open files<input id="open-files" class="unseen" type="file" multiple @change=${take} /></label>
		<label class="button">Open folder<input id="open-folder" class="unseen" type="file" webkitdirectory @change=${take} /></label>
		${canOpenFolders() ? html`<button title="Changes can be saved to it" @click=${() => void app.openWritable()}>Edit folder</button>` : nothing}
		${
			app.asset === undefined
				? nothing
				: html`<select
						aria-label="Example"
						@change=${(event: Event) => {
							const select = event.target as HTMLSelectElement;
							const example = EXAMPLES.find(({ folder }) => folder === select.value);
							if (example !== undefined) openExample(app, example);
							select.value = '';
						}}
					>
						<option value="">Examples</option>
						${EXAMPLES.map(({ folder, title }) => html`<option value=${folder}>${title}</option>`)}
					</select>`
		}
		${app.asset === undefined ? nothing : html`<button @click=${() => void app.close()}>Close</button>`}
		${
			app.entries.length > 1
				? html`<select
						aria-label="File that is shown"
						@change=${(event: Event) => void app.openFiles(app.files, (event.target as HTMLSelectElement).value)}
					>
						${app.entries.map((entry) => html`<option value=${entry} ?selected=${entry === app.asset?.entry}>${entry}</option>`)}
					</select>`
				: nothing
		}
	</div>`;
}
