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
			void app.opener
				.openFrom('the files', async () => ({ files: await readChosen(files) }))
				.then(() => {
					input.value = '';
				});
		}
	};
	return html`<div class="open" role="group" aria-label="Open">
		<label class="button">Open files<input id="open-files" class="unseen" type="file" multiple @change=${take} /></label>
		<label class="button">Open folder<input id="open-folder" class="unseen" type="file" webkitdirectory @change=${take} /></label>
		${canOpenFolders() ? html`<button title="Changes can be saved to it" @click=${() => void app.opener.openWritable()}>Edit folder</button>` : nothing}
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
		${app.asset === undefined ? nothing : html`${recentMenu(app)}${pasteButton(app)}<button @click=${() => void app.opener.close()}>Close</button>`}
		${
			app.opener.entries.length > 1
				? html`<select
						aria-label="File that is shown"
						@change=${(event: Event) => void app.opener.openFiles(app.files, (event.target as HTMLSelectElement).value)}
					>
						${app.opener.entries.map((entry) => html`<option value=${entry} ?selected=${entry === app.asset?.entry}>${entry}</option>`)}
					</select>`
				: nothing
		}
	</div>`;
}

/** Opens the text that was copied. */
export function pasteButton(app: App): TemplateResult {
	const paste = async (): Promise<void> => {
		try {
			await app.opener.openText(await navigator.clipboard.readText());
		} catch {
			app.status.fail('the browser does not let this page read what was copied: press Ctrl+V instead');
		}
	};
	return html`<button title="Opens the text that was copied" @click=${() => void paste()}>Paste</button>`;
}

/** What was open before. */
function recentMenu(app: App): TemplateResult | typeof nothing {
	const { entries } = app.opener.recent;
	if (entries.length === 0) return nothing;
	const open = (event: Event): void => {
		const select = event.target as HTMLSelectElement;
		const entry = entries[Number(select.value)];
		if (select.value !== '' && entry !== undefined) void app.opener.openRecent(entry);
		select.value = '';
	};
	return html`<select aria-label="Open again" @change=${open}>
		<option value="">Recent</option>
		${entries.map(({ name }, i) => html`<option value=${i}>${name}</option>`)}
	</select>`;
}
