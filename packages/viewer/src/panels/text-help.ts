import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { type TextFinding, TextLanguage, type TextProposal } from '../language/text-language.ts';

/** Proposals that are shown. */
const MOST_PROPOSALS = 12;
/** Time [ms] without typing after which the text is looked at. */
const PAUSE = 250;

/** What the language server says about the text that is open: mistakes, what stands at the cursor, what may be written there. */
export class TextHelp {
	readonly #app: App;
	readonly #language: TextLanguage;
	#path = '';
	#findings: readonly TextFinding[] | undefined;
	#about = '';
	#proposals: readonly TextProposal[] = [];
	#timer: number | undefined;
	/** Counts looks, so that late answers to early questions are passed over. */
	#look = 0;

	constructor(app: App) {
		this.#app = app;
		this.#language = new TextLanguage(() => app.files);
	}

	/** Mistakes of the text, undefined while nobody has looked. */
	findings(path: string): readonly TextFinding[] | undefined {
		return path === this.#path ? this.#findings : undefined;
	}

	/** Looks at the text after a moment; something is shown when the answer is there. */
	look(element: HTMLTextAreaElement, path: string): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => void this.#ask(element, path), PAUSE) as unknown as number;
	}

	async #ask(element: HTMLTextAreaElement, path: string): Promise<void> {
		const look = ++this.#look;
		const { value, selectionStart } = element;
		try {
			// what stands at the cursor is known long before all rules were looked at
			const about = await this.#language.about(path, value, selectionStart);
			if (look !== this.#look) return;
			if (path !== this.#path) this.#findings = undefined;
			this.#path = path;
			this.#about = about ?? '';
			this.#proposals = [];
			this.#app.onChange();
			const findings = await this.#language.findings(path, value);
			if (look !== this.#look) return;
			this.#findings = findings;
			this.#app.onChange();
		} catch {
			// help that does not come is none: the text can be edited all the same
		}
	}

	/** Keys: F12 goes to the definition, Control and the space bar propose. */
	async press(event: KeyboardEvent, path: string): Promise<void> {
		const element = event.target as HTMLTextAreaElement;
		if (event.key === 'F12') {
			event.preventDefault();
			const [place] = await this.#language.definition(path, element.value, element.selectionStart);
			if (place !== undefined) await this.#app.texts.open(place.path, place.line);
		} else if (event.key === ' ' && event.ctrlKey) {
			event.preventDefault();
			this.#path = path;
			const found = await this.#language.proposals(path, element.value, element.selectionStart);
			const word = wordBefore(element);
			const fitting = found.filter(({ label }) => label.toLowerCase().includes(word.toLowerCase()));
			this.#proposals = fitting.slice(0, MOST_PROPOSALS);
			this.#app.onChange();
		}
	}

	/** What is shown below the text. */
	view(path: string, element: () => HTMLTextAreaElement | undefined): TemplateResult {
		if (path !== this.#path) return html`${nothing}`;
		return html`
			${
				this.#proposals.length === 0
					? nothing
					: html`<ul class="proposals" aria-label="Proposals">
							${this.#proposals.map(
								(one) =>
									html`<li><button @click=${() => this.#insert(one, element())}>${one.label}</button> <span class="code">${one.detail}</span></li>`,
							)}
						</ul>`
			}
			${this.#about === '' ? nothing : html`<pre class="about" aria-label="At the cursor">${this.#about}</pre>`}
		`;
	}

	#insert({ insert }: TextProposal, element: HTMLTextAreaElement | undefined): void {
		if (element === undefined) return;
		element.setRangeText(insert, element.selectionStart - wordBefore(element).length, element.selectionStart, 'end');
		this.#proposals = [];
		element.dispatchEvent(new Event('input'));
		element.focus();
	}
}

function wordBefore({ value, selectionStart }: HTMLTextAreaElement): string {
	return /[\p{L}\p{N}_:]*$/u.exec(value.slice(0, selectionStart))?.[0] ?? '';
}
