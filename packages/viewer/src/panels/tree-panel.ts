import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { PrimRow, RobotParts } from '../asset/asset-types.ts';

/** Height of a row [px], and rows that are drawn beyond those that are seen. */
const ROW = 26;
const SPARE = 8;

/** A row of the tree, whichever way one looks at the asset. */
interface Row {
	readonly key: string;
	readonly text: string;
	readonly note: string;
	readonly depth: number;
	readonly isSelected: boolean;
	readonly select: () => void;
}

/** Links and joints, or prims, as a tree; only the rows that are seen are in the page. */
export function treePanel(app: App): TemplateResult {
	const { asset, lens, filter } = app;
	const rows = lens === 'links' ? linkRows(app, asset?.robot) : primRows(app, asset?.prims ?? []);
	const wanted = filter.trim().toLowerCase();
	const shown =
		wanted === '' ? rows : rows.filter(({ text, note }) => `${text} ${note}`.toLowerCase().includes(wanted));
	const lenses = [
		['links', 'Links', (asset?.robot?.links.length ?? 0) > 0],
		['prims', 'Prims', (asset?.prims.length ?? 0) > 0],
	] as const;
	return html`
		<div class="treehead">
			<div role="group" aria-label="Look at" class="segments">
				${lenses.map(
					([name, title, isThere]) =>
						html`<button aria-pressed=${lens === name} ?disabled=${!isThere} @click=${() => app.setLens(name)}>${title}</button>`,
				)}
			</div>
			<input
				type="search"
				placeholder="Filter"
				aria-label="Filter parts"
				.value=${filter}
				@input=${(event: Event) => app.setFilter((event.target as HTMLInputElement).value)}
			/>
		</div>
		${variantList(app)} ${stageSwitches(app)}
		<div
			class="tree"
			role="tree"
			tabindex="0"
			aria-label=${lens === 'links' ? 'Links' : 'Prims'}
			aria-activedescendant=${shown.some(({ isSelected }) => isSelected) ? 'tree-selected' : nothing}
			@scroll=${() => app.onChange()}
			@keydown=${(event: KeyboardEvent) => moveByKey(event, shown, app)}
		>
			${visibleRows(shown)}
		</div>
		<p class="foot">${shown.length === rows.length ? `${rows.length} parts` : `${shown.length} of ${rows.length} parts`}</p>
	`;
}

function visibleRows(rows: readonly Row[]): TemplateResult {
	const box = document.querySelector('.tree');
	const first = Math.max(0, Math.floor((box?.scrollTop ?? 0) / ROW) - SPARE);
	const last = Math.min(rows.length, first + Math.ceil((box?.clientHeight || 800) / ROW) + 2 * SPARE);
	return html`<div class="rows" role="presentation" style=${`height:${rows.length * ROW}px`}>
		${rows.slice(first, last).map(
			({ key, text, note, depth, isSelected, select }, i) =>
				html`<div
					id=${isSelected ? 'tree-selected' : nothing}
					class=${isSelected ? 'row selected' : 'row'}
					role="treeitem"
					aria-level=${depth + 1}
					aria-selected=${isSelected}
					aria-setsize=${rows.length}
					aria-posinset=${first + i + 1}
					title=${key}
					style=${`top:${(first + i) * ROW}px;padding-left:${8 + 14 * depth}px`}
					@click=${select}
				>
					<span class="name">${text}</span><span class="note">${note}</span>
				</div>`,
		)}
	</div>`;
}

function moveByKey(event: KeyboardEvent, rows: readonly Row[], app: App): void {
	const at = rows.findIndex(({ isSelected }) => isSelected);
	const page = 10;
	const next = {
		ArrowDown: at + 1,
		ArrowUp: at - 1,
		PageDown: at + page,
		PageUp: at - page,
		Home: 0,
		End: rows.length - 1,
	}[event.key];
	if (event.key === 'Enter') app.focus();
	if (next === undefined) return;
	event.preventDefault();
	const row = Math.min(Math.max(0, next), rows.length - 1);
	rows[row]?.select();
	const box = event.currentTarget as HTMLElement;
	if (row * ROW < box.scrollTop) box.scrollTop = row * ROW;
	if ((row + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (row + 1) * ROW - box.clientHeight;
}

/** Links below the links that hold them, each with its joint. */
function linkRows(app: App, robot: RobotParts | undefined): Row[] {
	if (robot === undefined) return [];
	const children = new Map<number, number[]>();
	for (const [link, { joint }] of robot.links.entries()) {
		const parent = robot.joints[joint]?.parent ?? -1;
		children.set(parent, [...(children.get(parent) ?? []), link]);
	}
	const rows: Row[] = [];
	const open: [number, number][] = (children.get(-1) ?? []).map((link) => [link, 0] as [number, number]).reverse();
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const [link, depth] = next;
		const { name, label, joint } = robot.links[link]!;
		const held = robot.joints[joint];
		rows.push({
			key: label,
			text: name,
			note:
				held === undefined
					? ''
					: held.kind === 'free' || held.kind === 'fixed'
						? held.kind
						: `${held.kind} ${held.name}`,
			depth,
			isSelected: app.link === link,
			select: () => app.select(link),
		});
		for (const child of (children.get(link) ?? []).toReversed()) open.push([child, depth + 1]);
	}
	return rows;
}

function primRows(app: App, prims: readonly PrimRow[]): Row[] {
	return prims.map(({ path, name, typeName, depth }) => ({
		key: path,
		text: name,
		note: typeName,
		depth,
		isSelected: app.prim === path,
		select: () => void app.selectPrim(path),
	}));
}

/** Payloads to load and purposes to draw. */
function stageSwitches(app: App): TemplateResult | typeof nothing {
	const { payloads = [], purposes = [] } = app.asset ?? {};
	if (payloads.length === 0 && purposes.length === 0) return nothing;
	return html`<details class="variants" ?open=${payloads.length <= 3}>
		<summary>Payloads and purposes</summary>
		${payloads.map(
			({ prim, isLoaded }) =>
				html`<label title=${prim}>
					<span class="cut">${prim.split('/').slice(-2).join('/')}</span>
					<input type="checkbox" aria-label=${`Payload of ${prim}`} .checked=${isLoaded} @change=${() => void app.setLoaded(prim, !isLoaded)} />
				</label>`,
		)}
		${purposes.map(
			(purpose) =>
				html`<label>
					${purpose}
					<input type="checkbox" .checked=${app.choices.purposes.includes(purpose)} @change=${() => void app.togglePurpose(purpose)} />
				</label>`,
		)}
	</details>`;
}

function variantList(app: App): TemplateResult | typeof nothing {
	const sets = app.asset?.variants ?? [];
	if (sets.length === 0) return nothing;
	// sets with one name are told apart by what they are about
	const isShared = (name: string): boolean => sets.filter(({ set }) => set === name).length > 1;
	return html`<details class="variants" open>
		<summary>Variants</summary>
		${sets.map(
			({ prim, set, variants, selected }) =>
				html`<label title=${prim}>
					<span class="cut">${set}${isShared(set) ? html` <span class="note">${prim.split('/').at(-2)}</span>` : nothing}</span>
					<select @change=${(event: Event) => void app.chooseVariant(prim, set, (event.target as HTMLSelectElement).value)}>
						${variants.map((name) => html`<option value=${name} ?selected=${name === selected}>${name}</option>`)}
					</select>
				</label>`,
		)}
	</details>`;
}
