import { open } from 'node:fs/promises';

/** A file that is written from its start to its end. */
export interface FileTarget {
	write(bytes: Uint8Array): Promise<void>;
	close(): Promise<void>;
}

/** Opens a new file, or empties an old one, to write to. Rejects where that cannot be done. */
export async function openFileTarget(path: string): Promise<FileTarget> {
	const file = await open(path, 'w');
	return {
		write: async (bytes) => {
			for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
		},
		close: async () => await file.close(),
	};
}
