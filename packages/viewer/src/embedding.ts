import type { App } from './app.ts';
import { fetchFile } from './files/fetch-folder.ts';
import { OVERLAYS, type OverlayName } from './view/overlay-view.ts';

/** Version of the messages between a page and the viewer that it embeds. */
export const MESSAGE_VERSION = 1;

/** What a page tells the viewer that it embeds. */
export type ViewerRequest = { readonly manyworlds: typeof MESSAGE_VERSION } & (
	| { readonly kind: 'open'; readonly url: string }
	/** Coordinates [rad, m] by the name of the joint. */
	| { readonly kind: 'joints'; readonly values: Readonly<Record<string, number>> }
	| { readonly kind: 'overlays'; readonly names: readonly string[] }
);

/** What the viewer tells the page around it. */
export type ViewerReport = { readonly manyworlds: typeof MESSAGE_VERSION } & Told;

type Told =
	| { readonly kind: 'ready' }
	| { readonly kind: 'opened'; readonly name: string; readonly links: number; readonly joints: readonly string[] }
	| { readonly kind: 'failed'; readonly message: string };

/** Listens to the page around the viewer, where there is one. */
export function obeyPage(app: App): void {
	if (parent === window) return;
	const tell = (report: Told): void => parent.postMessage({ manyworlds: MESSAGE_VERSION, ...report }, '*');
	addEventListener('message', (event: MessageEvent<ViewerRequest>) => {
		if (event.source !== parent || event.data?.manyworlds !== MESSAGE_VERSION) return;
		void obey(app, event.data).then((report) => {
			if (report !== undefined) tell(report);
		});
	});
	tell({ kind: 'ready' });
}

async function obey(app: App, request: ViewerRequest): Promise<Told | undefined> {
	if (request.kind === 'open') {
		await app.opener.openFrom(request.url, () => fetchFile(request.url));
		const { asset, problem } = app;
		if (problem !== undefined || asset === undefined)
			return { kind: 'failed', message: problem ?? 'nothing was opened' };
		const { links = [], joints = [] } = asset.robot ?? {};
		return { kind: 'opened', name: asset.name, links: links.length, joints: joints.map(({ name }) => name) };
	}
	if (request.kind === 'joints') {
		for (const { name, freedoms } of app.asset?.robot?.joints ?? []) {
			const value = Object.hasOwn(request.values, name) ? request.values[name] : undefined;
			const [freedom] = freedoms;
			if (freedom !== undefined && typeof value === 'number' && Number.isFinite(value)) {
				app.mover.setCoordinate(freedom.coordinate, value);
			}
		}
	} else if (request.kind === 'overlays') {
		for (const name of Object.keys(OVERLAYS) as OverlayName[]) {
			if (request.names.includes(name) !== app.look.overlays.has(name)) app.look.toggleOverlay(name);
		}
	}
	return undefined;
}
