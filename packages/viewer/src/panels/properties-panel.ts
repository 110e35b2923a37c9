import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { LinkRow, PropertyRow } from '../asset/asset-types.ts';

/** What is known of the selected part: numbers of the link, and every property of the prim with all opinions about it. */
export function propertiesPanel(app: App): TemplateResult {
	const link = app.asset?.robot?.links[app.link];
	if (link === undefined && app.prim === undefined)
		return html`<p class="empty">Select a part in the picture or in the tree.</p>`;
	return html`
		<h2 class="part">${app.prim ?? link?.label}</h2>
		${link === undefined ? nothing : linkFacts(app, link)}
		${app.prim === undefined ? nothing : app.properties.map((property) => propertyRow(app, property))}
	`;
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
		${editor(app, property)}
		${
			opinions.length === 0
				? html`<p class="note">No layer says anything; this is the fallback.</p>`
				: html`<ol class="opinions">
						${opinions.map(
							({ role, file, line, arc, value: own }) =>
								html`<li class=${role}>
									<button class="quiet" @click=${() => void app.openText(file, line ?? 1)}>
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
		if (target !== undefined) void app.editProperty(property, String(form.get('value')), target);
	};
	return html`<form class="edit" @submit=${change}>
		<input name="value" aria-label=${`Value of ${name}`} .value=${edited} spellcheck="false" />
		<select name="target" aria-label=${`Layer for ${name}`}>
			${targets.map(({ file, prim, isNew }, i) => html`<option value=${i} title=${prim}>${isNew ? `${file} (new)` : file}</option>`)}
		</select>
		<button>Set</button>
	</form>`;
}
