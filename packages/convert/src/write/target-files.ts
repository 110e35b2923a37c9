/** A file of the target, by its path below the folder of the main file, with `/` between. @public */
export interface TargetFile {
	readonly path: string;
	readonly content: Uint8Array | string;
	/** The pieces of the content one after the other, where it was made in pieces: they can be written without one more copy. */
	readonly chunks?: readonly Uint8Array[];
}

/** A file in pieces; they are put together for those who ask for the whole. */
export class ChunkedFile implements TargetFile {
	readonly path: string;
	readonly chunks: readonly Uint8Array[];
	#content: Uint8Array | undefined;

	constructor(path: string, chunks: readonly Uint8Array[]) {
		this.path = path;
		this.chunks = chunks;
	}

	get content(): Uint8Array {
		if (this.#content === undefined) {
			const content = new Uint8Array(this.chunks.reduce((sum, { length }) => sum + length, 0));
			let at = 0;
			for (const chunk of this.chunks) {
				content.set(chunk, at);
				at += chunk.length;
			}
			this.#content = content;
		}
		return this.#content;
	}
}
