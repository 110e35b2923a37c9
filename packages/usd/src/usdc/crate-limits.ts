/**
 * Limits on what a crate file may ask for. Its compression turns one byte into 255, twice over for integers, so that a small
 * file can claim more than memory holds. Sound files stay far below: their names are all different, their points are not
 * compressed, and every other array is about as large as the points it belongs to.
 */
export interface CrateLimits {
	/** Most tokens, fields, paths or specs, and most items of all field sets. */
	readonly items: number;
	/** Most bytes of all tokens. Also bounded by what a JavaScript string holds on every platform. */
	readonly tokenBytes: number;
	/** Most fields of all specs, those of a shared field set counted each time. */
	readonly specFields: number;
	/** Most bytes that all values decode to, each counted once. */
	readonly valueBytes: number;
}

const MEBI = 2 ** 20;

/** The limits of a file of `size` bytes. */
export function crateLimits(size: number): CrateLimits {
	return {
		items: MEBI / 2 + 4 * size,
		tokenBytes: Math.min(16 * MEBI + 32 * size, 256 * MEBI),
		specFields: 4 * MEBI + 4 * size,
		valueBytes: 64 * MEBI + 64 * size,
	};
}
