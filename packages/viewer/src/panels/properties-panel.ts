import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { LinkRow, PropertyRow } from '../asset/asset-types.ts';
import { linePlot } from './line-plot.ts';

/** What is known of the selected part: numbers of the link, and every property of the prim with all opinions about it. */
export function propertiesPanel(app: App): TemplateResult {
	const link = app.asset?.robot?.links[app.selection.link];
	if (link === undefined && app.selection.prim === undefined)
		return html`<p class="empty">Select a part in the picture or in the tree.</p>`;
	return html`
		${app.selection.links.size > 1 ? severalFacts(app) : nothing}
		<h2 class="part">${app.selection.prim ?? link?.label}</h2>
		${link === undefined ? nothing : linkFacts(app, link)}
		${app.selection.prim === undefined ? nothing : app.selection.properties.map((property) => propertyRow(app, property))}
	`;
}

/** What several links are together. */
function severalFacts(app: App): TemplateResult {
	const links = app.asset?.robot?.links ?? [];
	const chosen = [...app.selection.links].flatMap((link) => links[link] ?? []);
	const mass = chosen.reduce((sum, link) => sum + link.mass, 0);
	return html`<p class="note">${chosen.length} links, together ${Number(mass.toPrecision(6))} kg: ${chosen.map(({ name }) => name).join(', ')}</p>`;
}

function linkFacts(app: App, { mass, center, joint }: LinkRow): TemplateResult {
	const held = app.asset?.robot?.joints[joint];
	const metres = center.map((value) => value.toFixed(4)).join(', ');
	return html`<dl class="facts">
		<dt>Mass</dt>
		<dd>${Number(mass.toPrecision(6))} kg</dd>
		<dt>Centre of mass</dt>
		<dd>${metres} m</dd>
		${held === undefined ? nothing : html`<dt>Joint</dt><dd>${held.name} (${held.kind})</dd>`}
	</dl>`;
}

function propertyRow(app: App, property: PropertyRow): TemplateResult {
	const { name, typeName, value, source, opinions } = property;
	return html`<details class="property">
		<summary>
			<span class="name">${name}</span>
			<span class="value">${value === '' ? html`<em>no value</em>` : value}</span>
		</summary>
		<p class="note">${typeName}${source === '' ? nothing : ` · ${source}`}</p>
		${property.samples === undefined ? nothing : linePlot({ title: `${name} over time codes ${property.samples.times[0]} to ${property.samples.times.at(-1)}`, ...property.samples })}
		${editor(app, property)}
		${
			opinions.length === 0
				? html`<p class="note">No layer says anything; this is the fallback.</p>`
				: html`<ol class="opinions">
						${opinions.map(
							({ role, file, line, arc, value: own }) =>
								html`<li class=${role}>
									<button class="quiet" @click=${() => void app.texts.open(file, line ?? 1)}>
										${file}${line === undefined ? nothing : `:${line}`}
									</button>
									<span class="note">${role} · ${arc}</span>
									<code>${own}</code>
								</li>`,
						)}
					</ol>`
		}
	</details>`;
}

/** A field to change a value, and the layer that gets it. */
function editor(app: App, property: PropertyRow): TemplateResult | typeof nothing {
	const { name, edited, targets = [] } = property;
	if (edited === undefined || targets.length === 0) return nothing;
	const change = (event: SubmitEvent): void => {
		event.preventDefault();
		const form = new FormData(event.target as HTMLFormElement);
		const target = targets[Number(form.get('target'))];
		if (target !== undefined) void app.edits.editProperty(property, String(form.get('value')), target);
	};
	return html`<form class="edit" @submit=${change}>
		<input name="value" aria-label=${`Value of ${name}`} .value=${edited} spellcheck="false" />
		<select name="target" aria-label=${`Layer for ${name}`}>
			${targets.map(({ file, prim, isNew }, i) => html`<option value=${i} title=${prim}>${isNew ? `${file} (new)` : file}</option>`)}
		</select>
		<button>Set</button>
	</form>`;
}
