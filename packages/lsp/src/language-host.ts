import type { ImageCodecs } from '@manyworlds/image';
import type { AssetTranslator } from '@manyworlds/import';
import type { ByteSource, LocatorOptions } from '@manyworlds/usd/internal';

/** What a language server needs from where it runs. Files are named by paths with forward slashes. @public */
export interface LanguageHost {
	/** Files as they are saved. */
	readonly source: ByteSource;
	/** Files of the workspace below a folder, hidden folders left out. */
	listFiles(folder: string): Promise<readonly string[]>;
	/** Calls back after a time [ms]; gives what stops it. */
	after(delay: number, work: () => void): () => void;
	/** Lets messages of the client come in. */
	breathe(): Promise<void>;
	/** Milliseconds of a clock that only moves forward. */
	now(): number;
	/** Folders of ROS packages. */
	readonly packages?: NonNullable<LocatorOptions['packages']>;
	/** Decoders of images that fixes read, beyond those that are always there. */
	codecs?(): Promise<ImageCodecs>;
	/** Ends the program, when the client says so or is gone. */
	exit?(status: number): void;
	/** Whether a process still runs, to end with the client. */
	isRunning?(processId: number): boolean;
	/** Reads SDF, by `translateSdf` of `@manyworlds/convert`. */
	readonly translateSdf?: AssetTranslator;
}
