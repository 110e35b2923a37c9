import { render } from 'lit';
import { App } from './app.ts';
import { obeyPage } from './embedding.ts';
import { enclosedFiles } from './files/enclosed-files.ts';
import { fetchFolder } from './files/fetch-folder.ts';
import { readDropped } from './files/read-dropped.ts';
import { watchFolder } from './files/watch-folder.ts';
import { stateText, takeState } from './page-state.ts';
import { layout } from './panels/layout.ts';
import { PulledLink } from './pulled-link.ts';
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
		document.documentElement.dataset['theme'] = app.look.theme;
		canvas.setAttribute('aria-label', app.summary);
		render(layout(app, canvas), root);
		const text = stateText(app);
		if (app.asset !== undefined && location.hash.slice(1) !== text) history.replaceState(null, '', `#${text}`);
	};
	app.onChange = () => {
		if (isWaiting) return;
		isWaiting = true;
		requestAnimationFrame(draw);
	};
	draw();
	pickLinks(canvas, view, app);
	takeDrops(app);
	const wanted = location.hash.slice(1);
	void openAddress(app).then(() => takeState(app, wanted));
	obeyPage(app);
	keepOffline();
}

/** Keeps the application for when there is no network; a page that cannot goes on without. */
function keepOffline(): void {
	void navigator.serviceWorker?.register('./offline.js').catch(() => undefined);
}

/** Selects the link that is clicked; a drag turns the view instead, or takes the link along with Shift. */
function pickLinks(canvas: HTMLCanvasElement, view: SceneView, app: App): void {
	let down: readonly [number, number] | undefined;
	let pulled: PulledLink | undefined;
	canvas.addEventListener(
		'pointerdown',
		(event) => {
			down = [event.clientX, event.clientY];
			if (!event.shiftKey) return;
			pulled = PulledLink.at(view, app, event.offsetX, event.offsetY);
			if (pulled === undefined) return;
			event.stopImmediatePropagation();
			canvas.setPointerCapture(event.pointerId);
		},
		// before the camera takes it
		{ capture: true },
	);
	canvas.addEventListener('pointermove', ({ offsetX, offsetY }) => pulled?.moveTo(offsetX, offsetY));
	canvas.addEventListener('pointerup', ({ clientX, clientY, offsetX, offsetY, ctrlKey, metaKey }) => {
		if (pulled !== undefined) app.player.release();
		else if (down !== undefined && Math.hypot(clientX - down[0], clientY - down[1]) < 4) {
			const link = view.pick(offsetX, offsetY);
			if (app.tools.isMeasuring) app.tools.mark(view.pointOn(link, offsetX, offsetY));
			else app.selection.select(link, ctrlKey || metaKey);
		}
		view.setCameraMoves(true);
		down = undefined;
		pulled = undefined;
	});
	canvas.addEventListener('dblclick', ({ offsetX, offsetY }) => {
		const { world } = view.pickWorld(offsetX, offsetY);
		if (app.player.worlds === 1 || app.player.solver === 'both') app.focus();
		else app.mover.showOnly(app.mover.only === undefined && world >= 0 ? world : undefined);
	});
	canvas.addEventListener('keydown', (event) => {
		const way = event.shiftKey ? WAYS[event.key] : undefined;
		if (way === undefined) return;
		event.preventDefault();
		const step = 0.01 * view.extent();
		app.moveSelected([way[0] * step, way[1] * step, way[2] * step]);
	});
}

/** Where keys move the selected link. */
const WAYS: Readonly<Record<string, readonly [number, number, number]>> = {
	ArrowRight: [1, 0, 0],
	ArrowLeft: [-1, 0, 0],
	ArrowUp: [0, 1, 0],
	ArrowDown: [0, -1, 0],
	PageUp: [0, 0, 1],
	PageDown: [0, 0, -1],
};

function takeDrops(app: App): void {
	addEventListener('dragover', (event) => event.preventDefault());
	addEventListener('drop', (event) => {
		event.preventDefault();
		const { items } = event.dataTransfer ?? {};
		if (items !== undefined && items.length > 0) void openDropped(app, items);
	});
	addEventListener('paste', (event) => {
		if (event.target instanceof HTMLElement && event.target.matches('input, textarea, select')) return;
		const text = event.clipboardData?.getData('text/plain') ?? '';
		if (text.trim() !== '') void app.opener.openText(text);
	});
}

/** Opens what was dropped; one thing that the browser gives a handle for can be opened again later. */
async function openDropped(app: App, items: DataTransferItemList): Promise<void> {
	const [item, ...others] = items as unknown as (DataTransferItem & {
		getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
	})[];
	// both must be asked for while the event is handled
	const handle = others.length > 0 ? undefined : item?.getAsFileSystemHandle?.().catch(() => null);
	const files = readDropped(items);
	await app.opener.openFrom('the files', async () => ({ files: await files }));
	const kept = await handle;
	if (kept && app.problem === undefined) await app.opener.recent.add({ name: kept.name, kind: 'handle', handle: kept });
}

/** Opens what the address of the page asks for: a file of the web, or the folder that `manyworlds view` serves. */
async function openAddress(app: App): Promise<void> {
	const query = new URLSearchParams(location.search);
	const enclosed = enclosedFiles();
	const url = query.get('url');
	const folder = query.get('folder');
	if (enclosed !== undefined) await app.opener.openFiles(enclosed.files, enclosed.entry);
	else if (url !== null) await app.opener.openAddress(url);
	else if (folder !== null) {
		let stamps: ReadonlyMap<string, string> = new Map();
		await app.opener.openFrom('the folder', async () => {
			const found = await fetchFolder(folder);
			stamps = found.stamps;
			return found;
		});
		if (query.has('watch')) void watchFolder(folder, stamps, (changes) => app.edits.takeFiles(changes));
	}
}

start();
