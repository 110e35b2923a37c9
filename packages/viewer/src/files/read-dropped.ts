import { readZip } from './read-zip.ts';

/** Largest file that is read [bytes]: a page has no more memory for one. */
const LARGEST = 2 ** 31 - 1;

/** Files of a drop, folders with all that is in them. The entries must be taken while the event is handled. */
export async function readDropped(items: DataTransferItemList): Promise<Map<string, Uint8Array>> {
	// what another page made has no entry in a file system
	const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? []);
	const files: [string, File][] = [];
	for (const entry of entries) {
		if (entry instanceof File) files.push([entry.name, entry]);
		else await walk(entry, files);
	}
	return readFiles(files);
}

/** Files that were chosen, as a folder when they come from one. */
export async function readChosen(list: FileList): Promise<Map<string, Uint8Array>> {
	return readFiles([...list].map((file) => [file.webkitRelativePath || file.name, file]));
}

/** Bytes of files by path; zip archives as what is in them. */
export async function readFiles(files: readonly (readonly [string, File])[]): Promise<Map<string, Uint8Array>> {
	const out = new Map<string, Uint8Array>();
	for (const [path, file] of files) {
		if (file.size > LARGEST) throw new Error(`'${path}' has ${file.size} bytes, at most ${LARGEST} can be read`);
		const bytes = new Uint8Array(await file.arrayBuffer());
		if (/\.zip$/i.test(path)) for (const [inner, content] of readZip(bytes, path)) out.set(inner, content);
		else out.set(path, bytes);
	}
	return out;
}

async function walk(entry: FileSystemEntry, files: [string, File][]): Promise<void> {
	const path = entry.fullPath.replace(/^\//, '');
	if (entry.isFile) {
		const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
		files.push([path, file]);
		return;
	}
	const reader = (entry as FileSystemDirectoryEntry).createReader();
	// a reader gives some entries at a time, and none when it is done
	for (;;) {
		const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
		if (some.length === 0) return;
		for (const inner of some) await walk(inner, files);
	}
}
