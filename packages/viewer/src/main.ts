import { render } from 'lit';
import { App } from './app.ts';
import { fetchFile, fetchFolder } from './files/fetch-folder.ts';
import { readDropped } from './files/read-dropped.ts';
import { layout } from './panels/layout.ts';
import { SceneView } from './view/scene-view.ts';

declare global {
	interface Window {
		/** What tests look at. */
		manyworlds?: App;
	}
}

/** Starts the application in the page. */
function start(): void {
	const root = document.getElementById('app')!;
	const canvas = document.createElement('canvas');
	canvas.className = 'picture';
	canvas.tabIndex = 0;
	canvas.setAttribute('role', 'img');
	const view = new SceneView(canvas);
	const app = new App(view);
	window.manyworlds = app;
	let isWaiting = false;
	const draw = (): void => {
		isWaiting = false;
		document.documentElement.dataset['theme'] = app.theme;
		canvas.setAttribute('aria-label', app.summary);
		render(layout(app, canvas), root);
	};
	app.onChange = () => {
		if (isWaiting) return;
		isWaiting = true;
		requestAnimationFrame(draw);
	};
	draw();
	pickLinks(canvas, view, app);
	takeDrops(app);
	openAddress(app);
	keepOffline();
}

/** Keeps the application for when there is no network; a page that cannot goes on without. */
function keepOffline(): void {
	void navigator.serviceWorker?.register('./offline.js').catch(() => undefined);
}

/** Selects the link that is clicked; a drag turns the view instead. */
function pickLinks(canvas: HTMLCanvasElement, view: SceneView, app: App): void {
	let down: readonly [number, number] | undefined;
	canvas.addEventListener('pointerdown', ({ clientX, clientY }) => {
		down = [clientX, clientY];
	});
	canvas.addEventListener('pointerup', ({ clientX, clientY, offsetX, offsetY }) => {
		if (down !== undefined && Math.hypot(clientX - down[0], clientY - down[1]) < 4)
			app.select(view.pick(offsetX, offsetY));
		down = undefined;
	});
	canvas.addEventListener('dblclick', () => app.focus());
}

function takeDrops(app: App): void {
	addEventListener('dragover', (event) => event.preventDefault());
	addEventListener('drop', (event) => {
		event.preventDefault();
		const { items } = event.dataTransfer ?? {};
		if (items !== undefined && items.length > 0)
			void app.openFrom('the files', async () => ({ files: await readDropped(items) }));
	});
}

/** Opens what the address of the page asks for: a file of the web, or the folder that `manyworlds view` serves. */
function openAddress(app: App): void {
	const query = new URLSearchParams(location.search);
	const url = query.get('url');
	const folder = query.get('folder');
	if (url !== null) void app.openFrom(url, () => fetchFile(url));
	else if (folder !== null) void app.openFrom('the folder', () => fetchFolder(folder));
}

start();
