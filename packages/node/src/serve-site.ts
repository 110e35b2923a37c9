import { createReadStream, type Stats, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';

/** Options of {@link serveSite}. @public */
export interface ServeSiteOptions {
	/** Folder with the pages; `/` gives its `index.html`. */
	readonly site: string;
	/** What else is served: for a path without its leading slash a file, a text, or nothing. */
	readonly find?: (
		path: string,
	) => { readonly file: string } | { readonly text: string; readonly type: string } | undefined;
	/** 0 for any that is free. */
	readonly port?: number;
	/** Whether pages may share memory between threads (cross-origin isolation). */
	readonly isolated?: boolean;
}

/** Values of {@link ServeSiteOptions} that are used when absent. @public */
export const SERVE_SITE_DEFAULTS = { port: 0, isolated: true } as const;

/** A server that runs. @public */
export interface RunningSite {
	/** Address of the site, with a slash at its end. */
	readonly url: string;
	close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.json': 'application/json',
	'.webmanifest': 'application/manifest+json',
	'.wasm': 'application/wasm',
	'.svg': 'image/svg+xml',
	'.png': 'image/png',
};

/**
 * Serves a folder on the loopback address, to this machine alone: requests that name another host are refused, so that no page of the
 * web can read what is served. Rejects when the port is taken. @public
 */
export async function serveSite(options: ServeSiteOptions): Promise<RunningSite> {
	const { port, isolated } = { ...SERVE_SITE_DEFAULTS, ...options };
	const server = createServer((request, response) => answer(request, response, options, isolated));
	await listen(server, port);
	const address = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${address.port}/`,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function listen(server: Server, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => resolve());
	});
}

function answer(
	request: IncomingMessage,
	response: ServerResponse,
	options: ServeSiteOptions,
	isolated: boolean,
): void {
	if (request.method !== 'GET' && request.method !== 'HEAD') {
		refuse(response, 405, 'only GET and HEAD are answered');
		return;
	}
	if (!/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(request.headers.host ?? '')) {
		refuse(response, 403, 'this server is for this machine alone');
		return;
	}
	let path: string;
	try {
		path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname).slice(1);
	} catch {
		refuse(response, 400, 'the address cannot be read');
		return;
	}
	if (path.includes('\0')) {
		refuse(response, 400, 'the address cannot be read');
		return;
	}
	if (isolated) {
		response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
		response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
	}
	response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
	response.setHeader('X-Content-Type-Options', 'nosniff');
	response.setHeader('Cache-Control', 'no-cache');
	const found = options.find?.(path) ?? siteFile(options.site, path);
	if (found === undefined) {
		refuse(response, 404, `there is no '${path}'`);
		return;
	}
	if ('text' in found) {
		response.setHeader('Content-Type', found.type);
		response.end(request.method === 'HEAD' ? undefined : found.text);
	} else sendFile(request, response, found.file);
}

/** A file of the site; nothing outside of its folder. */
function siteFile(site: string, path: string): { readonly file: string } | undefined {
	const file = normalize(join(site, path === '' ? 'index.html' : path));
	return file.startsWith(site.endsWith(sep) ? site : site + sep) ? { file } : undefined;
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: string): void {
	let stats: Stats | undefined;
	try {
		stats = statSync(file, { throwIfNoEntry: false });
	} catch {
		stats = undefined;
	}
	if (stats?.isFile() !== true) {
		refuse(response, 404, 'there is no such file');
		return;
	}
	response.setHeader('Content-Type', TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream');
	response.setHeader('Content-Length', stats.size);
	if (request.method === 'HEAD') {
		response.end();
		return;
	}
	const stream = createReadStream(file);
	stream.on('error', () => response.destroy());
	stream.pipe(response);
}

function refuse(response: ServerResponse, status: number, why: string): void {
	response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
	response.end(`${why}\n`);
}
