import { translateSdf } from '@manyworlds/convert';
import type { LanguageHost } from '@manyworlds/lsp';
import { listAssetFiles, RosPackages } from '@manyworlds/node';
import { FileBytes } from '@manyworlds/node/internal';

/** Options of {@link nodeLanguageHost}. */
export interface NodeLanguageHostOptions {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly exit: (status: number) => void;
}

/** What a language server needs, from Node: files on disk, timers, ROS packages. */
export function nodeLanguageHost({ env, exit }: NodeLanguageHostOptions): LanguageHost {
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
		codecs: async () => {
			const { loadWebpCodec } = await import('#platform');
			return { webp: await loadWebpCodec() };
		},
		translateSdf,
		exit,
		isRunning,
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
