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
	/** Whether it is the one that was selected last. */
	readonly isLooked: boolean;
	readonly isHidden: boolean;
	/** Selects it; with others, or takes it from them. */
	readonly select: (isAdded: boolean) => void;
}

/** Links and joints, or prims, as a tree; only the rows that are seen are in the page. */
export function treePanel(app: App): TemplateResult {
	const { asset } = app;
	const { lens, filter } = app.look;
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
						html`<button aria-pressed=${lens === name} ?disabled=${!isThere} @click=${() => app.look.setLens(name)}>${title}</button>`,
				)}
			</div>
			<input
				type="search"
				placeholder="Filter"
				aria-label="Filter parts"
				.value=${filter}
				@input=${(event: Event) => app.look.setFilter((event.target as HTMLInputElement).value)}
			/>
		</div>
		${variantList(app)} ${stageSwitches(app)}
		<div
			class="tree"
			role="tree"
			tabindex="0"
			aria-label=${lens === 'links' ? 'Links' : 'Prims'}
			aria-multiselectable="true"
			title="Ctrl or Shift and click selects several"
			aria-activedescendant=${shown.some(({ isLooked }) => isLooked) ? 'tree-selected' : nothing}
			@scroll=${() => app.onChange()}
			@keydown=${(event: KeyboardEvent) => moveByKey(event, shown, app)}
		>
			${visibleRows(shown, app)}
		</div>
		${selectionBar(app)}
		<p class="foot">${shown.length === rows.length ? `${rows.length} parts` : `${shown.length} of ${rows.length} parts`}</p>
	`;
}

function visibleRows(rows: readonly Row[], app: App): TemplateResult {
	const box = document.querySelector('.tree');
	const first = Math.max(0, Math.floor((box?.scrollTop ?? 0) / ROW) - SPARE);
	const last = Math.min(rows.length, first + Math.ceil((box?.clientHeight || 800) / ROW) + 2 * SPARE);
	return html`<div class="rows" role="presentation" style=${`height:${rows.length * ROW}px`}>
		${rows.slice(first, last).map(
			({ key, text, note, depth, isSelected, isLooked, isHidden }, i) =>
				html`<div
					id=${isLooked ? 'tree-selected' : nothing}
					class=${`row${isSelected ? ' selected' : ''}${isHidden ? ' hidden' : ''}`}
					role="treeitem"
					aria-level=${depth + 1}
					aria-selected=${isSelected}
					aria-setsize=${rows.length}
					aria-posinset=${first + i + 1}
					title=${key}
					style=${`top:${(first + i) * ROW}px;padding-left:${8 + 14 * depth}px`}
					@click=${(event: MouseEvent) => choose(event, rows, first + i, app)}
				>
					<span class="name">${text}</span><span class="note">${isHidden ? `hidden · ${note}` : note}</span>
				</div>`,
		)}
	</div>`;
}

/** A click selects a row; with Ctrl it adds or takes away, with Shift it selects all from the one that was selected before. */
function choose(event: MouseEvent, rows: readonly Row[], row: number, app: App): void {
	if (event.shiftKey) selectRange(rows, row, app);
	else rows[row]!.select(event.ctrlKey || event.metaKey);
}

/** Selects all rows from the one where the range begins to another, which is the one that is looked at. */
function selectRange(rows: readonly Row[], to: number, app: App, first?: number): void {
	const begun = first ?? rows.findIndex(({ key }) => key === app.selection.anchor);
	const from = begun < 0 ? to : begun;
	const step = from <= to ? 1 : -1;
	const keys = Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => rows[from + step * i]!.key);
	if (app.look.lens === 'prims') void app.selection.selectPrims(keys);
	else {
		const labels = app.asset?.robot?.links.map(({ label }) => label) ?? [];
		app.selection.selectAll(keys.map((key) => labels.indexOf(key)));
	}
}

/** What can be done with the selected links. */
function selectionBar(app: App): TemplateResult | typeof nothing {
	const { links, hidden } = app.selection;
	if (links.size === 0 && hidden.size === 0) return nothing;
	const isShown = [...links].some((link) => !hidden.has(link));
	return html`<div class="row-of-buttons selection" role="group" aria-label="Selected links">
		<span class="note">${links.size} selected</span>
		${links.size === 0 ? nothing : html`<button @click=${() => app.selection.setHidden(isShown)}>${isShown ? 'Hide' : 'Show'}</button>`}
		${hidden.size === 0 ? nothing : html`<button @click=${() => app.selection.showAll()}>Show all</button>`}
	</div>`;
}

function moveByKey(event: KeyboardEvent, rows: readonly Row[], app: App): void {
	// rows are as they were drawn, the selection is as it is
	const { link, prim } = app.selection;
	const looked = app.look.lens === 'prims' ? prim : app.asset?.robot?.links[link]?.label;
	const at = rows.findIndex(({ key }) => key === looked);
	if (event.key === 'a' && (event.ctrlKey || event.metaKey) && rows.length > 0) {
		event.preventDefault();
		selectRange(rows, rows.length - 1, app, 0);
		return;
	}
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
	if (event.shiftKey && at >= 0) selectRange(rows, row, app);
	else rows[row]?.select(false);
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
			isSelected: app.selection.links.has(link),
			isLooked: app.selection.link === link,
			isHidden: app.selection.hidden.has(link),
			select: (isAdded) => app.selection.select(link, isAdded),
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
		isSelected: app.selection.prims.has(path),
		isLooked: app.selection.prim === path,
		isHidden: false,
		select: (isAdded) => void app.selection.selectPrim(path, isAdded),
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
					<input type="checkbox" aria-label=${`Payload of ${prim}`} .checked=${isLoaded} @change=${() => void app.opener.setLoaded(prim, !isLoaded)} />
				</label>`,
		)}
		${purposes.map(
			(purpose) =>
				html`<label>
					${purpose}
					<input type="checkbox" .checked=${app.opener.choices.purposes.includes(purpose)} @change=${() => void app.opener.togglePurpose(purpose)} />
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
					<select @change=${(event: Event) => void app.opener.chooseVariant(prim, set, (event.target as HTMLSelectElement).value)}>
						${variants.map((name) => html`<option value=${name} ?selected=${name === selected}>${name}</option>`)}
					</select>
				</label>`,
		)}
	</details>`;
}
