import type { Diagnostic } from '@manyworlds/core';
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { MissingFile } from '../files/folder-files.ts';
import { readChosen } from '../files/read-dropped.ts';

/** What is wrong with the asset, and what can be done about it. */
export function findingsPanel(app: App): TemplateResult {
	const { asset } = app;
	const { findings, fixes } = app.checker;
	const missing = asset?.missing ?? [];
	const changed = app.edits.changedCount;
	return html`
		<div class="row-of-buttons">
			<button class="main" @click=${() => void app.checker.check()}>Check</button>
			${
				asset?.format === 'usd'
					? html`<button @click=${() => void app.checker.previewFixes(false)}>Safe fixes</button>
							<button @click=${() => void app.checker.previewFixes(true)}>All fixes</button>`
					: nothing
			}
			<button ?disabled=${!app.edits.canUndo} @click=${() => void app.edits.undo()}>Undo</button>
			<button ?disabled=${changed === 0} @click=${() => void app.edits.save()}>${app.edits.folder === undefined ? 'Download changes' : 'Save to folder'}</button>
		</div>
		${fixes === undefined ? nothing : fixPreview(app)}
		${
			missing.length === 0
				? nothing
				: html`<h3>Files that are not here</h3>
						<ul class="findings">${missing.map((file) => missingRow(app, file))}</ul>
						<label class="button">Find them in a folder<input class="unseen" type="file" webkitdirectory @change=${(event: Event) => void add(app, event)} /></label>`
		}
		${
			findings === undefined
				? html`<p class="empty">Check looks at every variant selection by the rules of REP 0158, or at what importers find.</p>`
				: findings.length === 0
					? html`<p class="empty good">Nothing found.</p>`
					: html`<p class="note">${summary(findings)}</p>
							<ul class="findings">${findings.map((finding) => row(app, finding))}</ul>`
		}
	`;
}

function row(app: App, finding: Diagnostic): TemplateResult {
	const { code, severity, message, file, layer, range, prim } = finding;
	const place = layer ?? file;
	return html`<li class=${severity}>
		<button class="finding" @click=${() => void app.checker.goTo(finding)}>
			<span class="code">${severity} ${code}</span>
			<span class="message">${message}</span>
			<span class="note">
				${prim ?? nothing}
				${place === undefined ? nothing : html` ${place}${range === undefined ? nothing : `:${range.start.line}`}`}
			</span>
		</button>
	</li>`;
}

function missingRow(app: App, { assetPath, file, line, why, similar }: MissingFile): TemplateResult {
	return html`<li class="warning">
		<button class="finding" @click=${() => (file === undefined ? undefined : void app.texts.open(file, line ?? 1))}>
			<span class="code">${assetPath}</span>
			<span class="message">${why}${similar === undefined ? nothing : html`; there is <em>${similar}</em>`}</span>
			<span class="note">${file ?? nothing}${line === undefined ? nothing : `:${line}`}</span>
		</button>
	</li>`;
}

async function add(app: App, event: Event): Promise<void> {
	const input = event.target as HTMLInputElement;
	if (input.files !== null && input.files.length > 0) await app.edits.addMissing(await readChosen(input.files));
	input.value = '';
}

function fixPreview(app: App): TemplateResult {
	const { files = [], diff = '' } = app.checker.fixes ?? {};
	if (files.length === 0) {
		return html`<p class="empty">There is nothing to fix. <button class="quiet" @click=${() => app.checker.dismissFixes()}>Close</button></p>`;
	}
	return html`<section class="fixes" aria-label="Fixes">
		<p>${files.length === 1 ? 'One file changes' : `${files.length} files change`}:</p>
		<p class="note">${app.checker.hasGhost ? 'The picture changes too: green is what will be seen.' : 'Nothing that is seen changes.'}</p>
		<pre class="diff" tabindex="0" aria-label="Difference">${diff.split('\n').map(
			(line) => html`<span class=${line.startsWith('+') ? 'plus' : line.startsWith('-') ? 'minus' : 'same'}>${line}
</span>`,
		)}</pre>
		<div class="row-of-buttons">
			<button class="main" @click=${() => void app.checker.applyFixes()}>Apply</button>
			<button @click=${() => app.checker.dismissFixes()}>Leave it</button>
		</div>
	</section>`;
}

function summary(findings: readonly Diagnostic[]): string {
	const kinds = ['error', 'warning', 'info', 'hint'] as const;
	return kinds
		.map((kind) => [kind, findings.filter(({ severity }) => severity === kind).length] as const)
		.filter(([, count]) => count > 0)
		.map(([kind, count]) => `${count} ${kind}${count === 1 || kind === 'info' ? '' : 's'}`)
		.join(', ');
}
