import type { LanguageHost } from '@manyworlds/lsp';
import { FileBytes } from './file-bytes.ts';
import { listAssetFiles } from './list-asset-files.ts';
import { RosPackages } from './ros-packages.ts';

/** Options of {@link nodeLanguageHost}: what Node does not bring by itself. @public */
export interface NodeLanguageHostOptions extends Pick<LanguageHost, 'codecs' | 'translateSdf'> {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Ends the program. */
	readonly exit: (status: number) => void;
}

/**
 * What a language server needs, from Node: files on disk, timers, ROS packages.
 *
 * ```ts
 * createLanguageServer(createConnection(ProposedFeatures.all), nodeLanguageHost({ env: process.env, exit: process.exit }));
 * ```
 * @public
 */
export function nodeLanguageHost({ env, ...options }: NodeLanguageHostOptions): LanguageHost {
	return {
		source: new FileBytes([]),
		listFiles: async (folder) => listAssetFiles(folder).files.map((file) => `${folder}/${file}`),
		after: (delay, work) => {
			const timer = setTimeout(work, delay);
			return () => clearTimeout(timer);
		},
		breathe: () => new Promise((resolve) => setImmediate(resolve)),
		now: () => performance.now(),
		packages: new RosPackages({ env }),
		isRunning,
		...options,
	};
}

function isRunning(processId: number): boolean {
	try {
		process.kill(processId, 0);
		return true;
	} catch (error) {
		// it is there and belongs to somebody else
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
