import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { TABS, type TabName } from '../control/page-look.ts';
import { exportPanel } from './export-panel.ts';
import { findingsPanel } from './findings-panel.ts';
import { jointsPanel } from './joints-panel.ts';
import { openMenu } from './open-menu.ts';
import { overlayBar, pictureBar } from './picture-bar.ts';
import { propertiesPanel } from './properties-panel.ts';
import { simulatePanel } from './simulate-panel.ts';
import { textPanel } from './text-panel.ts';
import { treePanel } from './tree-panel.ts';
import { welcome } from './welcome.ts';

const PANELS: Readonly<Record<TabName, (app: App) => TemplateResult>> = {
	joints: jointsPanel,
	properties: propertiesPanel,
	findings: findingsPanel,
	simulate: simulatePanel,
	text: textPanel,
	export: exportPanel,
};

/** The whole page. */
export function layout(app: App, canvas: HTMLCanvasElement): TemplateResult {
	const { asset, busy, problem } = app;
	return html`
		<header class="bar">
			<h1 class="brand">Manyworlds</h1>
			${openMenu(app)}
			<span class="gap"></span>
			<button class="quiet" @click=${() => app.look.setTheme(app.look.theme === 'dark' ? 'light' : 'dark')}>
				${app.look.theme === 'dark' ? 'Light' : 'Dark'}
			</button>
		</header>
		<main class=${asset === undefined ? 'stage empty' : 'stage'}>
			${asset === undefined ? nothing : html`<aside class="side left" aria-label="Parts">${treePanel(app)}</aside>`}
			<section class="view" aria-label="Picture">
				${canvas} ${asset === undefined && busy === undefined ? welcome(app) : nothing}
				${asset === undefined ? nothing : html`<div class="picture-bars">${pictureBar(app)} ${overlayBar(app)}</div>`}
				<p class="status" role="status">${busy === undefined ? nothing : html`<span class="spinner"></span>${busy} … ${/^(opening|reading)/.test(busy) ? html`<button @click=${() => void app.opener.close()}>Cancel</button>` : nothing}`}</p>
				${
					problem === undefined
						? nothing
						: html`<div class="problem" role="alert">
								${problem}<button class="quiet" aria-label="Dismiss" @click=${() => app.status.dismiss()}>✕</button>
							</div>`
				}
			</section>
			${asset === undefined ? nothing : side(app)}
		</main>
		<p class="unseen" aria-live="polite">${app.summary}</p>
	`;
}

/** Shows a tab; that of texts begins with the file that was opened. */
function chooseTab(app: App, name: TabName): void {
	app.look.setTab(name);
	if (name === 'text' && app.asset !== undefined) void app.texts.begin(app.asset.entry);
}

function side(app: App): TemplateResult {
	const names = Object.keys(TABS) as TabName[];
	const move = (event: KeyboardEvent): void => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (step === undefined) return;
		const next = names[(names.indexOf(app.look.tab) + step + names.length) % names.length]!;
		chooseTab(app, next);
		document.getElementById(`tab-${next}`)?.focus();
	};
	const count = app.checker.findings?.length;
	return html`<aside class="side right" aria-label="Panels">
		<div class="tabs" role="tablist" @keydown=${move}>
			${names.map(
				(name) =>
					html`<button
						id=${`tab-${name}`}
						role="tab"
						aria-selected=${app.look.tab === name}
						aria-controls="panel"
						tabindex=${app.look.tab === name ? 0 : -1}
						@click=${() => chooseTab(app, name)}
					>
						${TABS[name]}${name === 'findings' && count !== undefined ? html` <span class="count">${count}</span>` : nothing}
					</button>`,
			)}
		</div>
		<div id="panel" class="panel" role="tabpanel" tabindex="0" aria-labelledby=${`tab-${app.look.tab}`}>${PANELS[app.look.tab](app)}</div>
	</aside>`;
}
