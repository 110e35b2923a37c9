import { type App, TABS, type TabName } from './app.ts';
import { OVERLAYS, type OverlayName } from './view/overlay-view.ts';

/** What the address of the page says of the view, so that it can be sent to somebody: `#link=arm&overlay=frames&tab=joints`. */
export function stateText(app: App): string {
	const words = new URLSearchParams();
	const link = app.asset?.robot?.links[app.link]?.label;
	if (link !== undefined) words.set('link', link);
	if (app.overlays.size > 0) words.set('overlay', [...app.overlays].join(' '));
	if (app.tab !== 'joints') words.set('tab', app.tab);
	return words.toString();
}

/** Takes what an address says; what is not there is left as it is. */
export function takeState(app: App, text: string): void {
	const words = new URLSearchParams(text);
	const tab = words.get('tab');
	if (tab !== null && Object.hasOwn(TABS, tab)) app.setTab(tab as TabName);
	for (const name of (words.get('overlay') ?? '').split(' ')) {
		if (Object.hasOwn(OVERLAYS, name) && !app.overlays.has(name as OverlayName)) app.toggleOverlay(name as OverlayName);
	}
	const label = words.get('link');
	const link = app.asset?.robot?.links.findIndex((row) => row.label === label) ?? -1;
	if (link >= 0) app.select(link);
}
