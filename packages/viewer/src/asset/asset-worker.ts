import { expose } from 'comlink';
import { holdLife } from '../worker-life.ts';
import { AssetFront } from './asset-front.ts';
import type { AssetSession } from './asset-session.ts';

/** What the page can ask of the thread that reads assets. */
export type AssetWork = AssetFront & AssetSession & { prepare(): void };

const files = new Map<string, Uint8Array>();
const front = new AssetFront(files);
let session: Promise<AssetSession> | undefined;

/** The session, which is loaded when it is needed first: it takes longer than boxes do. */
function wholeSession(): Promise<AssetSession> {
	session ??= import('./asset-session.ts').then((module) => new module.AssetSession(files));
	return session;
}

const ATONCE: Pick<AssetWork, 'put' | 'outline' | 'clear' | 'prepare'> = {
	put: (path, bytes) => front.put(path, bytes),
	outline: (entry, choices) => front.outline(entry, choices),
	clear: () => {
		front.clear();
		void session?.then((own) => own.clear());
	},
	prepare: () => void wholeSession(),
};

/** Calls of the session wait for it. */
const WORK = new Proxy(ATONCE, {
	get: (target, name) =>
		Reflect.get(target, name) ??
		(async (...given: unknown[]) => {
			const own = await wholeSession();
			return (Reflect.get(own, name) as (...given: unknown[]) => unknown).apply(own, given);
		}),
});

holdLife();
expose(WORK);
