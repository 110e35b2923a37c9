import type { Remote } from 'comlink';
import type { AssetSession } from '../asset/asset-session.ts';
import type { FileChanges } from '../files/asset-files.ts';

/** A file that is open as text, and the line to look at. */
export interface OpenText {
	readonly path: string;
	readonly content: string;
	readonly line: number;
}

/** Where texts come from and where they go. */
export interface TextHost {
	readonly session: () => Remote<AssetSession>;
	readonly write: (changes: FileChanges) => Promise<void>;
	/** Told when a file was opened as text. */
	readonly onOpened: () => void;
	readonly tell: () => void;
}

/** Time without typing after which a text is read [ms]. */
const PAUSE = 150;

/** The file that is open as text. */
export class OpenTexts {
	current: OpenText | undefined;
	readonly #host: TextHost;
	#timer = 0;

	constructor(host: TextHost) {
		this.#host = host;
	}

	async open(path: string, line = 1): Promise<void> {
		const content = await this.#host.session().text(path);
		if (content === undefined) return;
		this.current = { path, content, line };
		this.#host.onOpened();
	}

	/** Opens a file unless one is open, for who looks at texts without having asked for one; other tabs stay where they are. */
	async begin(path: string): Promise<void> {
		if (this.current !== undefined) return;
		const content = await this.#host.session().text(path);
		if (content === undefined || this.current !== undefined) return;
		this.current = { path, content, line: 1 };
		this.#host.tell();
	}

	/** Takes what was typed: the asset is read anew when nothing was typed for a moment. */
	edit(content: string): void {
		const { current } = this;
		if (current === undefined) return;
		this.current = { ...current, content };
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			void this.#host.write(new Map([[current.path, new TextEncoder().encode(content)]]));
		}, PAUSE) as unknown as number;
	}

	/** Reads the text again where it was changed elsewhere. */
	async follow(changes: FileChanges): Promise<void> {
		if (this.current === undefined || !changes.has(this.current.path)) return;
		const content = await this.#host.session().text(this.current.path);
		if (content !== undefined) this.current = { ...this.current, content };
	}

	close(): void {
		this.current = undefined;
	}
}
