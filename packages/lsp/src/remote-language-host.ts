import type { Connection } from 'vscode-languageserver';
import type { LanguageHost } from './language-host.ts';

/** What {@link remoteLanguageHost} takes of a worker. @public */
export interface WorkerTimers {
	setTimeout(work: () => void, delay: number): number;
	clearTimeout(timer: number): void;
	readonly performance: { now(): number };
	atob(text: string): string;
}

/**
 * What a language server in a worker needs: files come from the client by `manyworlds/readFile` (`{uri}` to `{base64?}`) and
 * `manyworlds/listFiles` (`{uri}` to `{uris}`).
 * @public
 */
export function remoteLanguageHost(connection: Connection, scope: WorkerTimers): LanguageHost {
	// the prefix of the workspace is that of the folders that were listed
	let prefix = 'file://';
	const address = (file: string): string => prefix + file.split('/').map(encodeURIComponent).join('/');
	return {
		source: {
			read: async (name) => {
				const { base64 } = await connection.sendRequest<{ readonly base64?: string }>('manyworlds/readFile', {
					uri: address(name),
				});
				return base64 === undefined ? undefined : Uint8Array.from(scope.atob(base64), (one) => one.charCodeAt(0));
			},
		},
		listFiles: async (folder) => {
			const { uris } = await connection.sendRequest<{ readonly uris: readonly string[] }>('manyworlds/listFiles', {
				uri: address(folder),
			});
			return uris.map((uri) => {
				prefix = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(uri)?.[0] ?? prefix;
				return decodeURIComponent(uri.slice(prefix.length));
			});
		},
		after: (delay, work) => {
			const timer = scope.setTimeout(work, delay);
			return () => scope.clearTimeout(timer);
		},
		breathe: () => new Promise((resolve) => scope.setTimeout(resolve, 0)),
		now: () => scope.performance.now(),
	};
}
