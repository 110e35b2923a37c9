import type { Remote } from 'comlink';
import type { AssetSession } from '../asset/asset-session.ts';
import type { OpenedAsset, PropertyRow } from '../asset/asset-types.ts';
import type { RobotDisplay } from '../robot-display.ts';

/** What a selection is made in. */
export interface SelectionHost {
	readonly asset: () => OpenedAsset | undefined;
	readonly session: () => Remote<AssetSession>;
	readonly display: RobotDisplay;
	readonly tell: () => void;
}

/** The links and the prim that are selected, and what is known of the prim. */
export class Selection {
	/** Index of the link that was selected last; -1 for none. */
	link = -1;
	/** All links that are selected. */
	links: ReadonlySet<number> = new Set();
	/** Links that are not drawn. */
	hidden: ReadonlySet<number> = new Set();
	prim: string | undefined;
	/** All prims that are selected. */
	prims: ReadonlySet<string> = new Set();
	properties: readonly PropertyRow[] = [];
	/** Label or path from which on a range is selected. */
	anchor: string | undefined;
	readonly #host: SelectionHost;
	/** What the selected links are called: another reading of the asset may number them otherwise. The last one is the link. */
	#labels: readonly string[] = [];

	constructor(host: SelectionHost) {
		this.#host = host;
	}

	/** Selects a link, and the prim that it is; `isAdded` keeps what is selected, and takes the link away when it is selected. */
	select(link: number, isAdded = false): void {
		const links = new Set(isAdded ? this.links : []);
		if (!(isAdded && links.delete(link)) && link >= 0) links.add(link);
		this.selectAll([...links]);
		this.anchor = this.#host.asset()?.robot?.links[link]?.label;
	}

	/** Selects links; the last one is looked at. */
	selectAll(links: readonly number[]): void {
		this.#take(links);
		const label = this.#labels.at(-1);
		if (label?.startsWith('/')) {
			this.prims = new Set([label]);
			void this.showProperties(label);
		} else {
			this.prim = undefined;
			this.prims = new Set();
		}
		this.#host.tell();
	}

	/** Selects a prim, and the link that it is or belongs to; `isAdded` as of links. */
	async selectPrim(path: string, isAdded = false): Promise<void> {
		const prims = new Set(isAdded ? this.prims : []);
		if (!(isAdded && prims.delete(path))) prims.add(path);
		this.anchor = path;
		await this.selectPrims([...prims]);
	}

	/** Selects prims and their links; the last one is looked at. */
	async selectPrims(paths: readonly string[]): Promise<void> {
		this.prims = new Set(paths);
		this.#take([...new Set(paths.map((path) => this.#linkOf(path)))].filter((link) => link >= 0));
		const last = paths.at(-1);
		if (last !== undefined) await this.showProperties(last);
		else {
			this.prim = undefined;
			this.#host.tell();
		}
	}

	/** Draws the selected links, or no longer. */
	setHidden(isHidden: boolean): void {
		const hidden = new Set(this.hidden);
		for (const link of this.links) {
			if (isHidden) hidden.add(link);
			else hidden.delete(link);
		}
		this.#hide(hidden);
	}

	/** Draws all links. */
	showAll(): void {
		this.#hide(new Set());
	}

	/** Selects the links of the same names in an asset that was read again. */
	restore(): void {
		const { prim } = this;
		const labels = this.#host.asset()?.robot?.links.map(({ label }) => label) ?? [];
		this.#hide(this.hidden);
		this.selectAll(this.#labels.map((label) => labels.indexOf(label)).filter((link) => link >= 0));
		if (prim !== undefined && prim !== this.prim) void this.showProperties(prim);
	}

	/** Selects nothing. */
	clear(): void {
		this.#take([]);
		this.hidden = new Set();
		this.prim = undefined;
		this.prims = new Set();
		this.properties = [];
	}

	/** Reads the properties of a prim. */
	async showProperties(path: string): Promise<void> {
		this.prim = path;
		this.#host.tell();
		const properties = await this.#host.session().properties(path);
		if (this.prim !== path) return;
		this.properties = properties;
		this.#host.tell();
	}

	#linkOf(path: string): number {
		const links = this.#host.asset()?.robot?.links ?? [];
		let link = -1;
		for (const [index, { label }] of links.entries()) {
			const isNearer = link < 0 || label.length > links[link]!.label.length;
			if ((path === label || path.startsWith(`${label}/`)) && isNearer) link = index;
		}
		return link;
	}

	#hide(hidden: ReadonlySet<number>): void {
		this.hidden = hidden;
		this.#host.display.hide(hidden);
		this.#host.tell();
	}

	#take(links: readonly number[]): void {
		const { asset, display } = this.#host;
		this.links = new Set(links);
		this.link = links.at(-1) ?? -1;
		this.#labels = links.map((link) => asset()?.robot?.links[link]?.label ?? '');
		display.select(links);
	}
}
