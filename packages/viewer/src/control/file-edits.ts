import type { EditTarget, PropertyRow } from '../asset/asset-types.ts';
import { type FileChanges, findMissing } from '../files/asset-files.ts';
import type { FolderFiles } from '../files/folder-files.ts';
import type { AssetOpener } from './asset-opener.ts';
import type { WorkStatus } from './work-status.ts';

/** What edits are made to, and who is told of them. */
export interface EditHost {
	readonly opener: AssetOpener;
	readonly status: WorkStatus;
	/** Told of changes that were not typed, before the asset is read again. */
	readonly onChanged: (changes: FileChanges) => Promise<void>;
	/** Told when files are other ones than those that were checked. */
	readonly onOutdated: () => Promise<void>;
}

/** Changes of files: by values, by texts, by what happens on disk. They are taken back one by one, written or downloaded. */
export class FileEdits {
	readonly #host: EditHost;

	constructor(host: EditHost) {
		this.#host = host;
	}

	/** Folder on disk that changes can be written to. */
	get folder(): FileSystemDirectoryHandle | undefined {
		return this.#host.opener.files.folder;
	}

	/** Files that are not as they were opened or last written; undefined for those that are gone. */
	changes(): FileChanges {
		return this.#host.opener.files.changes();
	}

	/** How many files are not as they were opened. */
	get changedCount(): number {
		return this.#host.opener.files.changedCount;
	}

	get canUndo(): boolean {
		return this.#host.opener.files.canUndo;
	}

	/** Takes the last change back. */
	async undo(): Promise<void> {
		const last = this.#host.opener.files.lastUndo();
		if (last === undefined) return;
		await this.write(last, false);
		await this.#host.onOutdated();
	}

	/** Writes what changed to the folder that was opened, or offers it for download. */
	async save(): Promise<void> {
		const { opener, status } = this.#host;
		if (this.changedCount > 0) await status.try('writing', () => opener.files.save(`${opener.stem}-changes.zip`));
	}

	/** Takes files that were missing from others, those with the most alike paths; gives how many were found. */
	async addMissing(files: FolderFiles): Promise<number> {
		const { asset } = this.#host.opener;
		const found = findMissing(asset?.missing ?? [], files, asset?.entry ?? '');
		if (found.size === 0) this.#host.status.fail('none of the files that are missing is there');
		else await this.write(found);
		return found.size;
	}

	/** Takes files that changed where they came from; undefined for those that are gone. */
	async takeFiles(changes: FileChanges): Promise<void> {
		this.#host.opener.files.changedOutside(changes);
		await this.write(changes, false);
		await this.#host.onOutdated();
	}

	/** Gives a property another value, in a layer. */
	async editProperty({ name, typeName }: PropertyRow, text: string, target: EditTarget): Promise<void> {
		const { opener, status } = this.#host;
		await status.try('writing the value', async () => {
			await this.write(await opener.session.editProperty({ name, typeName, text, target }));
		});
	}

	/** Writes files and opens the asset again; keeps what was there to take it back. */
	async write(changes: FileChanges, isUndoable = true): Promise<void> {
		const { opener, onChanged } = this.#host;
		await opener.session.write(changes);
		opener.files.change(changes, isUndoable);
		if (!isUndoable) await onChanged(changes);
		await opener.reopen('reading the change');
	}
}
