import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { App } from '../app.ts';
import type { OpenText } from '../control/open-texts.ts';
import { TextHelp } from './text-help.ts';

/** Height of a line [px]. */
const LINE = 18;

/** The text of a file with what is wrong in it; what is typed is read after a moment. */
export function textPanel(app: App): TemplateResult {
	const { current: text } = app.texts;
	const paths = [...app.files.keys()].filter((path) =>
		/\.(usda|usd|urdf|xml|mjcf|sdf|yaml|yml|json|mtl|txt|md)$/i.test(path),
	);
	const help = helpOf(app);
	const known = [...(app.checker.findings ?? []), ...(app.asset?.findings ?? [])]
		.filter(({ file, layer }) => (layer ?? file) === text?.path)
		.map(({ code, message, severity, range }) => ({ code, message, severity, line: range?.start.line ?? 1 }));
	// what is found in the text as it is typed is newer than what was found in the asset
	const own = (text && help.findings(text.path)) ?? known;
	return html`
		<label class="file">File
			<select @change=${(event: Event) => void app.texts.open((event.target as HTMLSelectElement).value)}>
				<option value="" ?selected=${text === undefined}>choose</option>
				${paths.map((path) => html`<option value=${path} ?selected=${path === text?.path}>${path}</option>`)}
			</select>
		</label>
		${text === undefined ? html`<p class="empty">Choose a file, or click on a finding.</p>` : editor(app, text, help)}
		${
			own.length === 0
				? nothing
				: html`<ul class="findings">
						${own.slice(0, 50).map(
							(finding) =>
								html`<li class=${finding.severity}>
									<button class="finding" @click=${() => void app.texts.open(text!.path, finding.line)}>
										<span class="code">line ${finding.line} ${finding.code}</span>
										<span class="message">${finding.message}</span>
									</button>
								</li>`,
						)}
					</ul>`
		}
	`;
}

/** Where the editor last went, and in which element, so that drawing it again does not move the cursor. */
let gone: { readonly key: string; readonly element: Element } | undefined;

/** The help of each page; the server behind it starts with the first text that is typed in. */
const helps = new WeakMap<App, TextHelp>();

function helpOf(app: App): TextHelp {
	let help = helps.get(app);
	if (help === undefined) {
		help = new TextHelp(app);
		helps.set(app, help);
	}
	return help;
}

function editor(app: App, { path, content, line }: OpenText, help: TextHelp): TemplateResult {
	let area: HTMLTextAreaElement | undefined;
	const goTo = (element: Element | undefined): void => {
		const key = `${path}:${line}`;
		if (!(element instanceof HTMLTextAreaElement)) return;
		area = element;
		if (gone?.key === key && gone.element === element) return;
		gone = { key, element };
		const lines = element.value.split('\n');
		const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
		element.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
		element.scrollTop = Math.max(0, (line - 6) * LINE);
	};
	return html`<textarea
		class="text"
		spellcheck="false"
		wrap="off"
		aria-label=${`Text of ${path}`}
		.value=${content}
		title="F12: definition, Ctrl+Space: proposals"
		@input=${(event: Event) => {
			const element = event.target as HTMLTextAreaElement;
			app.texts.edit(element.value);
			help.look(element, path);
		}}
		@keydown=${(event: KeyboardEvent) => void help.press(event, path)}
		@click=${(event: Event) => help.look(event.target as HTMLTextAreaElement, path)}
		${ref(goTo)}
	></textarea>${help.view(path, () => area)}`;
}
