import type { AssetSource, LayerFiles } from '@manyworlds/usd';

/** Where the layers and other files of an asset come from, and how messages name them. @public */
export interface CheckSource extends AssetSource, LayerFiles {
	/** The content of a file that {@link AssetSource.resolve} has found, such as a texture; undefined when it cannot be read. */
	read?(identifier: string): Uint8Array | undefined;
	/** How messages name a file by its identifier; the identifier itself unless given. */
	displayName?(identifier: string): string;
}
