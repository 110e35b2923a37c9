/** A file of the target, by its path below the folder of the main file, with `/` between. @public */
export interface TargetFile {
	readonly path: string;
	readonly content: Uint8Array | string;
}
