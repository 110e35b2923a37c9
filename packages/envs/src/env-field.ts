/** One number of an observation or action, in every world the same. @public */
export interface EnvField {
	/** What it is, unique in its space, such as `joint position hip_left`. */
	readonly name: string;
	/** Unit, such as `rad` or `m/s`; `1` for numbers without one. */
	readonly unit: string;
	/** Least and greatest value; infinite unless given. */
	readonly lower?: number;
	readonly upper?: number;
}
