import type { AssetFormat } from '@manyworlds/import';
import type { GitCheckout } from '@manyworlds/scene';
import type { AssetStore } from '@manyworlds/usd';

/** The asset of a sweep, and where its files are. */
export interface SweepAsset {
	readonly store: AssetStore;
	/** The robot or scene, as the store names it. */
	readonly identifier: string;
	readonly format: AssetFormat | 'scene';
	/** The file with targets to play back, as the store names it. */
	readonly control?: string;
	readonly checkout?: GitCheckout;
}

/** A run that cannot be simulated: its asset has errors, or its solver does not take it. */
export class RefusedRun extends Error {
	override readonly name: string = 'RefusedRun';
	/** Codes of the findings, each once. */
	readonly codes: readonly string[];

	constructor(message: string, codes: readonly string[] = []) {
		super(message);
		this.codes = [...new Set(codes)];
	}
}
