/** A folder in memory: bytes by path. */
export type FolderFiles = ReadonlyMap<string, Uint8Array>;

/** A file that an asset asked for and did not get. */
export interface MissingFile {
	/** As the store names it. */
	readonly identifier: string;
	/** As it is written. */
	readonly assetPath: string;
	readonly why: string;
	/** File that names it, and the line. */
	readonly file?: string;
	readonly line?: number;
	/** A file that is there and has the same name but for capitals or its folder. */
	readonly similar?: string;
}
