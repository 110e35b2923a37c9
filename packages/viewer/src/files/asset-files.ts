import { download } from './download.ts';
import type { FolderFiles, MissingFile } from './folder-files.ts';
import { writeToFolder } from './folder-handle.ts';

/** Files that changed; undefined for those that are gone. */
export type FileChanges = ReadonlyMap<string, Uint8Array | undefined>;

/** The files of an asset: as they are, as they were opened or last written, and every change to take it back. */
export class AssetFiles {
	current: FolderFiles = new Map();
	/** Folder on disk that changes can be written to. */
	folder: FileSystemDirectoryHandle | undefined;
	#kept: FolderFiles = this.current;
	#changedCount = 0;
	readonly #undo: FileChanges[] = [];

	/** Takes the files of another asset. */
	take(files: FolderFiles): void {
		this.current = files;
		this.folder = undefined;
		this.#undo.length = 0;
		this.#keep(files);
	}

	/** Keeps bytes elsewhere: `copies` has files of `originals`, by path. What changed since then stays. */
	move(originals: FolderFiles, copies: FolderFiles): void {
		const placeOf = new Map([...copies].map(([path, bytes]) => [originals.get(path), bytes]));
		const moved = (files: FolderFiles): FolderFiles =>
			new Map([...files].map(([path, bytes]) => [path, placeOf.get(bytes) ?? bytes]));
		const isKept = this.#kept === this.current;
		this.current = moved(this.current);
		this.#kept = isKept ? this.current : moved(this.#kept);
	}

	/** How many files are not as they were opened or last written. */
	get changedCount(): number {
		return this.#changedCount;
	}

	get canUndo(): boolean {
		return this.#undo.length > 0;
	}

	/** Files that are not as they were opened or last written. */
	changes(): FileChanges {
		const changes = new Map<string, Uint8Array | undefined>();
		for (const [path, bytes] of this.current) {
			const before = this.#kept.get(path);
			if (before === undefined || !areEqual(bytes, before)) changes.set(path, bytes);
		}
		for (const path of this.#kept.keys()) if (!this.current.has(path)) changes.set(path, undefined);
		return changes;
	}

	/** Changes files; what was there is kept to take it back. */
	change(changes: FileChanges, isUndoable: boolean): void {
		if (isUndoable) this.#undo.push(new Map([...changes.keys()].map((path) => [path, this.current.get(path)])));
		this.current = withChanges(this.current, changes);
		this.#changedCount = this.changes().size;
	}

	/** What takes the last change back; undefined when there is none. */
	lastUndo(): FileChanges | undefined {
		return this.#undo.pop();
	}

	/** Files changed where they came from: that is how they were opened. */
	changedOutside(changes: FileChanges): void {
		this.#kept = withChanges(this.#kept, changes);
	}

	/** Writes what changed to the folder that was opened, or offers it for download under a name. */
	async save(name: string): Promise<void> {
		const changes = this.changes();
		if (changes.size === 0) return;
		if (this.folder === undefined) {
			download(name, new Map([...changes].flatMap(([path, bytes]) => (bytes ? [[path, bytes]] : []))));
			return;
		}
		await writeToFolder(this.folder, changes);
		this.#keep(this.current);
	}

	#keep(files: FolderFiles): void {
		this.#kept = files;
		this.#changedCount = 0;
	}
}

/** Files that are missing, taken from others with the most alike paths; `entry` is the file that was opened. */
export function findMissing(missing: readonly MissingFile[], files: FolderFiles, entry: string): FolderFiles {
	const found = new Map<string, Uint8Array>();
	for (const { identifier } of missing) {
		const path = mostAlike(identifier, files.keys());
		if (path !== undefined) found.set(placeOf(identifier, entry), files.get(path)!);
	}
	return found;
}

/** Where a file that is missing belongs: files of packages that nobody knows are looked for beside the asset. */
function placeOf(identifier: string, entry: string): string {
	const inPackage = /^package:\/\/[^/]+\/(.+)$/.exec(identifier)?.[1];
	return inPackage === undefined ? identifier : `${entry.slice(0, entry.lastIndexOf('/') + 1)}${inPackage}`;
}

function withChanges(files: FolderFiles, changes: FileChanges): FolderFiles {
	const out = new Map(files);
	for (const [path, bytes] of changes) {
		if (bytes === undefined) out.delete(path);
		else out.set(path, bytes);
	}
	return out;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
	if (a === b) return true;
	return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** The path whose end has the most parts in common with another; undefined when not even the name of the file is. */
function mostAlike(wanted: string, paths: Iterable<string>): string | undefined {
	const parts = wanted.split('/').reverse();
	let [best, most]: [string | undefined, number] = [undefined, 0];
	for (const path of paths) {
		const own = path.split('/').reverse();
		const first = own.findIndex((part, i) => part.toLowerCase() !== parts[i]?.toLowerCase());
		const alike = first < 0 ? own.length : first;
		if (alike > most) [best, most] = [path, alike];
	}
	return best;
}
