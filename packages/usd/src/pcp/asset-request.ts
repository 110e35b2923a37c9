/** A layer that composition needed and did not have. */
export interface AssetRequest {
	readonly identifier: string;
	/** The path as authored, after evaluation of expressions. */
	readonly assetPath: string;
	/** Identifier of the layer that names it. */
	readonly anchor: string;
}
