import type { Remote } from 'comlink';
import { type OpenedAsset, type PurposeName, STAGE_CHOICES_DEFAULTS, type StageChoices } from '../asset/asset-types.ts';
import type { AssetWork } from '../asset/asset-worker.ts';
import { AssetThread } from '../asset-thread.ts';
import { AssetFiles } from '../files/asset-files.ts';
import { fetchFile, fetchFolder } from '../files/fetch-folder.ts';
import { findEntries } from '../files/find-entries.ts';
import type { FolderFiles } from '../files/folder-files.ts';
import { chooseFolder, readFolderHandle } from '../files/folder-handle.ts';
import { pastedFile } from '../files/pasted-file.ts';
import { type RecentFile, RecentFiles, readHandle } from '../files/recent-files.ts';
import type { RobotDisplay } from '../robot-display.ts';
import type { OverlayName } from '../view/overlay-view.ts';
import type { WorkStatus } from './work-status.ts';

/** What an opener works with, and who is told of what it opens. */
export interface OpenHost {
	readonly status: WorkStatus;
	readonly display: RobotDisplay;
	readonly overlays: () => ReadonlySet<OverlayName>;
	/** Ends what moves the robot that is shown. */
	readonly halt: () => Promise<void>;
	/** What starts the simulation that runs again; undefined when none does. */
	readonly resume: () => (() => Promise<void>) | undefined;
	/** Told of a thread that does not answer any more. */
	readonly onThreadLost: () => void;
	/** Told of an asset before it is drawn; undefined when nothing is open any more. `isNew` is false for the same one, read again. */
	readonly onTaken: (asset: OpenedAsset | undefined, isNew: boolean) => void;
	/** Told when an asset is drawn. */
	readonly onShown: () => void;
	/** Takes a recording, which is opened beside a robot and not instead of it. */
	readonly onRecording: (name: string, bytes: Uint8Array) => Promise<void>;
	readonly tell: () => void;
}

/** Bytes of files from which on boxes are shown first: less is there at once. */
const LARGE = 4 * 2 ** 20;

/** Opens assets from wherever they come, looks at them in other ways, and closes them. */
export class AssetOpener {
	asset: OpenedAsset | undefined;
	/** Files that could be shown instead. */
	entries: readonly string[] = [];
	choices: StageChoices = STAGE_CHOICES_DEFAULTS;
	readonly files: AssetFiles = new AssetFiles();
	/** What was open before. */
	readonly recent: RecentFiles;
	readonly #host: OpenHost;
	readonly #thread: AssetThread;
	#opening = 0;
	/** Goes on with the simulation that ran before the stage was looked at in another way. */
	#resume: (() => Promise<void>) | undefined;
	/** Whether the thread that reads assets died since an asset was opened by a person. */
	#isRevived = false;

	constructor(host: OpenHost) {
		this.#host = host;
		this.recent = new RecentFiles(host.tell);
		this.#thread = new AssetThread((why) => void this.#outlive(why));
	}

	/** The thread that reads assets. */
	get session(): Remote<AssetWork> {
		return this.#thread.session;
	}

	/** Opens files; the one that is meant, or the most likely one. */
	async openFiles(files: FolderFiles, entry?: string): Promise<void> {
		const recorded = [...files].find(([path]) => /\.(csv|mcap)$/i.test(path));
		if (files.size === 1 && recorded !== undefined && this.asset !== undefined) {
			await this.#host.onRecording(...recorded);
			return;
		}
		const entries = findEntries(files);
		const chosen = entry ?? entries[0];
		if (chosen === undefined) {
			this.#host.status.fail(
				`nothing in ${files.size === 1 ? 'this file' : `these ${files.size} files`} can be opened: expected OpenUSD, URDF, MJCF, SDF or a scene`,
			);
			return;
		}
		this.files.take(files);
		this.#isRevived = false;
		this.entries = entries.includes(chosen) ? entries : [chosen, ...entries];
		this.choices = STAGE_CHOICES_DEFAULTS;
		await this.#open(
			`opening ${chosen}`,
			(isCurrent) => this.#openIn(files, chosen, STAGE_CHOICES_DEFAULTS, isCurrent),
			true,
		);
	}

	/** Opens what a source gives once it has been read. */
	async openFrom(
		what: string,
		read: () => Promise<{ readonly files: FolderFiles; readonly entry?: string }>,
	): Promise<void> {
		const { status } = this.#host;
		status.begin(`reading ${what}`);
		// gets ready meanwhile
		this.#thread.start();
		try {
			const { files, entry } = await read();
			await this.openFiles(files, entry);
		} catch (error) {
			status.fail(error);
		}
	}

	/** Opens a folder that a server lists at an address. */
	openFolder(listAddress: string, what: string = listAddress): Promise<void> {
		return this.openFrom(what, () => fetchFolder(listAddress));
	}

	/** Lets a person choose a folder that can be written to, and opens it. */
	async openWritable(): Promise<void> {
		const folder = await chooseFolder();
		if (folder === undefined) return;
		await this.openFrom(folder.name, async () => ({ files: await readFolderHandle(folder) }));
		this.files.folder = folder;
		await this.recent.add({ name: folder.name, kind: 'handle', handle: folder });
	}

	/** Opens a file of the web. */
	async openAddress(address: string): Promise<void> {
		await this.openFrom(address, () => fetchFile(address));
		if (this.#host.status.problem === undefined) await this.recent.add({ name: address, kind: 'address', address });
	}

	/** Opens what was open before. */
	async openRecent(entry: RecentFile): Promise<void> {
		if (entry.kind === 'address') return this.openAddress(entry.address);
		const { handle } = entry;
		await this.openFrom(entry.name, async () => ({ files: await readHandle(handle) }));
		if (this.#host.status.problem !== undefined) return;
		if (handle.kind === 'directory') this.files.folder = handle as FileSystemDirectoryHandle;
		await this.recent.add(entry);
	}

	/** Opens a robot that was pasted as text. */
	openText(text: string): Promise<void> {
		return this.openFrom('the text', async () => pastedFile(text));
	}

	/** Closes what is open, or what is being opened, and gives its memory back. */
	async close(): Promise<void> {
		this.#opening++;
		const { halt, status, display, onTaken, onThreadLost } = this.#host;
		await halt();
		if (status.busy === undefined) await this.#thread.clear();
		else {
			this.#thread.drop();
			onThreadLost();
		}
		display.clear();
		this.files.take(new Map());
		this.asset = undefined;
		this.entries = [];
		onTaken(undefined, true);
		status.end();
	}

	async chooseVariant(prim: string, set: string, variant: string): Promise<void> {
		const others = this.choices.variants.filter((choice) => choice.prim !== prim || choice.set !== set);
		await this.choose({ variants: [...others, { prim, set, variant }] });
	}

	/** Loads the payloads of a prim, or leaves them out. */
	async setLoaded(prim: string, isLoaded: boolean): Promise<void> {
		const others = this.choices.unloaded.filter((path) => path !== prim);
		await this.choose({ unloaded: isLoaded ? others : [...others, prim] });
	}

	async togglePurpose(purpose: PurposeName): Promise<void> {
		const { purposes } = this.choices;
		const isDrawn = purposes.includes(purpose);
		await this.choose({ purposes: isDrawn ? purposes.filter((own) => own !== purpose) : [...purposes, purpose] });
	}

	/** Looks at the stage in another way; a simulation that runs starts again with what is there then. */
	async choose(choices: Partial<StageChoices>): Promise<void> {
		this.choices = { ...this.choices, ...choices };
		this.#resume = this.#host.resume() ?? this.#resume;
		const turn = this.#opening + 1;
		await this.reopen('composing');
		// somebody chose again meanwhile, who goes on with it
		if (turn !== this.#opening) return;
		const resume = this.#resume;
		this.#resume = undefined;
		if (this.asset?.robot !== undefined) await resume?.();
	}

	/** Reads the same asset again. */
	reopen(what: string): Promise<void> {
		return this.#open(what, () => this.session.reopen(this.choices), false);
	}

	/** Name of the asset without folder and ending. */
	get stem(): string {
		return (this.asset?.name ?? 'robot').replace(/^.*\//, '').replace(/\.[^.]*$/, '');
	}

	async #open(what: string, open: (isCurrent: () => boolean) => Promise<OpenedAsset>, isNew: boolean): Promise<void> {
		const turn = ++this.#opening;
		const isCurrent = (): boolean => turn === this.#opening;
		const { status, halt } = this.#host;
		status.begin(what);
		await halt();
		try {
			const asset = await open(isCurrent);
			if (isCurrent()) await this.#take(asset, isNew, isCurrent);
		} catch (error) {
			if (isCurrent()) status.fail(error);
		}
	}

	async #take(asset: OpenedAsset, isNew: boolean, isCurrent: () => boolean): Promise<void> {
		const { status, display, overlays, onTaken, onShown } = this.#host;
		const { glb: _, ...told } = asset;
		// what is drawn has numbers of its own
		this.asset = told;
		onTaken(asset, isNew);
		await display.show(asset, overlays(), isNew, isCurrent);
		if (!isCurrent()) return;
		status.end();
		onShown();
	}

	/** Goes on after the thread that reads assets died: a new one opens the asset again, once. */
	async #outlive(why: string): Promise<void> {
		const { status, onThreadLost } = this.#host;
		onThreadLost();
		this.#opening++;
		const entry = this.asset?.entry;
		const message = `the thread that reads assets ended: ${why}`;
		if (entry === undefined || this.#isRevived) {
			status.fail(`${message}; open the asset again`);
			return;
		}
		this.#isRevived = true;
		const { files, choices } = this;
		await this.#open(
			'opening the asset again',
			(isCurrent) => this.#openIn(files.current, entry, choices, isCurrent),
			false,
		);
		if (status.problem === undefined) status.fail(`${message}; the asset was opened again`);
	}

	/** Opens a file in the thread; boxes are shown first where it takes its time. */
	async #openIn(
		files: FolderFiles,
		entry: string,
		choices: StageChoices,
		isCurrent: () => boolean,
	): Promise<OpenedAsset> {
		const isLarge = [...files.values()].reduce((sum, { length }) => sum + length, 0) > LARGE;
		if (!isLarge) void this.session.prepare();
		this.files.move(files, await this.#thread.give(files));
		if (isLarge) {
			const outline = await this.session.outline(entry, choices);
			void this.session.prepare();
			if (outline !== undefined && isCurrent()) await this.#host.display.showOutline(outline, isCurrent);
		}
		return this.session.open(entry, choices);
	}
}
