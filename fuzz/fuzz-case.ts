/** The format a case is read as. */
export type CaseFormat = 'usda' | 'usdc' | 'usdz' | 'urdf' | 'mjcf' | 'sdf';

/**
 * What a case must end with: `error` at least one error in the report, because the damage can be seen; `told` at least a
 * warning; `clean` no error, because the content is right however odd; `any` only that it ends well.
 */
export type Expectation = 'error' | 'told' | 'clean' | 'any';

/** One input. */
export interface FuzzCase {
	readonly format: CaseFormat;
	readonly bytes: Uint8Array;
	readonly expects: Expectation;
	/** What was done to make it, for reports. */
	readonly how: string;
}

/** Numbered cases; `make` depends on the seed, the name and the number alone. */
export interface FuzzGroup {
	readonly name: string;
	readonly count: number;
	make(index: number): FuzzCase;
}

/** How much to do. */
export interface FuzzOptions {
	readonly seed: number;
	/** Few cases of each group, for tests. */
	readonly quick: boolean;
}
