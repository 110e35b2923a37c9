/** What a store reads bytes from. Names are paths with forward slashes, or addresses. @public */
export interface ByteSource {
	/** Whether there is something to read; undefined when only reading can tell. */
	exists?(name: string): boolean | undefined;
	/** The bytes, or undefined when there is no such file. Absent when the source can only answer later. */
	readSync?(name: string): Uint8Array | undefined;
	/** The bytes, or undefined when there is no such file. */
	read?(name: string): Promise<Uint8Array | undefined>;
	/** Told about a folder that may be read from now on. */
	allow?(folder: string): void;
}
