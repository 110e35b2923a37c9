import type { RobotDisplay } from '../robot-display.ts';
import type { OverlayName } from '../view/overlay-view.ts';
import type { SceneView } from '../view/scene-view.ts';

/** Panels beside the picture. */
export const TABS = {
	joints: 'Joints',
	properties: 'Properties',
	findings: 'Findings',
	simulate: 'Simulate',
	text: 'Text',
	export: 'Export',
} as const;
export type TabName = keyof typeof TABS;

export type Theme = 'light' | 'dark';

/** How the page looks: which panel is open, what the tree lists, colours, units, and what is drawn over the robot. */
export class PageLook {
	lens: 'links' | 'prims' = 'links';
	filter = '';
	tab: TabName = 'joints';
	overlays: ReadonlySet<OverlayName> = new Set();
	theme: Theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
	isDegrees = true;
	/** Quantities that are plotted, by their names. */
	plots: readonly string[] = ['selected'];
	readonly #view: SceneView;
	readonly #display: RobotDisplay;
	readonly #tell: () => void;

	constructor(view: SceneView, display: RobotDisplay, tell: () => void) {
		this.#view = view;
		this.#display = display;
		this.#tell = tell;
		view.setTheme(this.theme);
	}

	setTab(tab: TabName): void {
		this.tab = tab;
		this.#tell();
	}

	setLens(lens: 'links' | 'prims'): void {
		this.lens = lens;
		this.#tell();
	}

	setFilter(text: string): void {
		this.filter = text;
		this.#tell();
	}

	setTheme(theme: Theme): void {
		this.theme = theme;
		this.#view.setTheme(theme);
		this.#tell();
	}

	setDegrees(isDegrees: boolean): void {
		this.isDegrees = isDegrees;
		this.#tell();
	}

	setPlots(plots: readonly string[]): void {
		this.plots = plots;
		this.#tell();
	}

	toggleOverlay(name: OverlayName): void {
		const overlays = new Set(this.overlays);
		if (!overlays.delete(name)) overlays.add(name);
		this.overlays = overlays;
		this.#display.showOverlay(name, overlays.has(name));
		this.#tell();
	}
}
