import type { App } from './app.ts';
import { TABS, type TabName } from './control/page-look.ts';
import { OVERLAYS, type OverlayName } from './view/overlay-view.ts';

/** What the address of the page says of the view, so that it can be sent to somebody: `#link=arm&overlay=frames&tab=joints`. */
export function stateText(app: App): string {
	const words = new URLSearchParams();
	const link = app.asset?.robot?.links[app.selection.link]?.label;
	if (link !== undefined) words.set('link', link);
	if (app.look.overlays.size > 0) words.set('overlay', [...app.look.overlays].join(' '));
	if (app.look.tab !== 'joints') words.set('tab', app.look.tab);
	for (const [name, coordinates] of app.poser.saved) {
		words.append('pose', `${name}:${Array.from(coordinates, (value) => Number(value.toPrecision(7))).join(',')}`);
	}
	return words.toString();
}

/** Takes what an address says; what is not there is left as it is. */
export function takeState(app: App, text: string): void {
	const words = new URLSearchParams(text);
	const tab = words.get('tab');
	if (tab !== null && Object.hasOwn(TABS, tab)) app.look.setTab(tab as TabName);
	for (const name of (words.get('overlay') ?? '').split(' ')) {
		if (Object.hasOwn(OVERLAYS, name) && !app.look.overlays.has(name as OverlayName))
			app.look.toggleOverlay(name as OverlayName);
	}
	takePoses(app, words.getAll('pose'));
	const label = words.get('link');
	const link = app.asset?.robot?.links.findIndex((row) => row.label === label) ?? -1;
	if (link >= 0) app.selection.select(link);
}

/** Poses with names; those that do not suit the robot are left out. The last one is shown. */
function takePoses(app: App, poses: readonly string[]): void {
	const known = new Map(app.poser.saved);
	let last: string | undefined;
	for (const text of poses) {
		const colon = text.lastIndexOf(':');
		const coordinates = Float64Array.from(text.slice(colon + 1).split(','), Number);
		if (colon < 1 || coordinates.length !== app.coordinates.length || !coordinates.every(Number.isFinite)) continue;
		last = text.slice(0, colon);
		known.set(last, coordinates);
	}
	app.poser.saved = known;
	if (last !== undefined) void app.poser.goTo(last);
}
