import { readFiles } from './read-dropped.ts';
import { unshared } from './shared-files.ts';

/** Whether the browser lets a page open a folder and write to it. */
export function canOpenFolders(): boolean {
	return 'showDirectoryPicker' in window;
}

/** Lets a person choose a folder that may be written to later; undefined when they change their mind. */
export async function chooseFolder(): Promise<FileSystemDirectoryHandle | undefined> {
	const pick = (window as { showDirectoryPicker?: () => Promise<FileSystemDirectoryHandle> }).showDirectoryPicker;
	try {
		return await pick?.call(window);
	} catch (error) {
		if (error instanceof DOMException && error.name === 'AbortError') return undefined;
		throw error;
	}
}

/** All files below a folder, those of archives with them. */
export async function readFolderHandle(folder: FileSystemDirectoryHandle): Promise<Map<string, Uint8Array>> {
	const files: [string, File][] = [];
	await walk(folder, '', files);
	return readFiles(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes files below a folder; undefined takes one away. Folders on the way are made. */
export async function writeToFolder(
	folder: FileSystemDirectoryHandle,
	changes: ReadonlyMap<string, Uint8Array | undefined>,
): Promise<void> {
	for (const [path, bytes] of changes) {
		const parts = path.split('/');
		const name = parts.pop()!;
		let inner = folder;
		for (const part of parts) inner = await inner.getDirectoryHandle(part, { create: true });
		if (bytes === undefined) {
			await inner.removeEntry(name);
			continue;
		}
		const stream = await (await inner.getFileHandle(name, { create: true })).createWritable();
		await stream.write(unshared(bytes));
		await stream.close();
	}
}

async function walk(folder: FileSystemDirectoryHandle, under: string, files: [string, File][]): Promise<void> {
	const entries = (folder as unknown as { values(): AsyncIterable<FileSystemHandle> }).values();
	for await (const entry of entries) {
		// such as .git: nothing of an asset
		if (entry.name.startsWith('.')) continue;
		const path = `${under}${entry.name}`;
		if (entry.kind === 'file') files.push([path, await (entry as FileSystemFileHandle).getFile()]);
		else await walk(entry as FileSystemDirectoryHandle, `${path}/`, files);
	}
}
