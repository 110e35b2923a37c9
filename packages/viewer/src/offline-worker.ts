/** Keeps the application for when there is no network: what the site served once is served again. Files of assets are never kept. */

/** The few things of a service worker that are used; pages and workers of this kind have different globals. */
interface OfflineScope {
	readonly registration: { readonly scope: string };
	readonly clients: { claim(): Promise<void> };
	skipWaiting(): Promise<void>;
	addEventListener(kind: 'install' | 'activate', listener: (event: Extendable) => void): void;
	addEventListener(kind: 'fetch', listener: (event: Fetching) => void): void;
}

interface Extendable {
	waitUntil(work: Promise<unknown>): void;
}

interface Fetching {
	readonly request: Request;
	respondWith(answer: Promise<Response>): void;
}

/** Files of the built site, written by the build. */
declare const SITE_FILES: readonly string[];
/** A name that changes with any of the files. */
declare const SITE_VERSION: string;

const scope = self as unknown as OfflineScope;

scope.addEventListener('install', (event) => {
	event.waitUntil(
		caches
			.open(SITE_VERSION)
			.then((cache) => cache.addAll(SITE_FILES.map((file) => new URL(file, scope.registration.scope).href)))
			.then(() => scope.skipWaiting()),
	);
});

scope.addEventListener('activate', (event) => {
	const forget = async (): Promise<void> => {
		for (const name of await caches.keys()) if (name !== SITE_VERSION) await caches.delete(name);
		await scope.clients.claim();
	};
	event.waitUntil(forget());
});

scope.addEventListener('fetch', (event) => {
	const { request } = event;
	const { scope: base } = scope.registration;
	if (request.method !== 'GET' || !request.url.startsWith(base) || request.url.startsWith(`${base}asset/`)) return;
	event.respondWith(answer(request));
});

/** From the network when it answers, so that a new version is seen at once; else as it was kept. */
async function answer(request: Request): Promise<Response> {
	const cache = await caches.open(SITE_VERSION);
	const isPage = request.mode === 'navigate';
	const key = isPage ? scope.registration.scope : request.url;
	// names of built files change with their content
	const kept = await cache.match(key, { ignoreSearch: isPage });
	if (kept !== undefined && !isPage) return kept;
	try {
		const fresh = await fetch(request);
		if (fresh.ok && new URL(request.url).origin === location.origin) await cache.put(key, fresh.clone());
		return fresh;
	} catch (error) {
		if (kept !== undefined) return kept;
		throw error;
	}
}
