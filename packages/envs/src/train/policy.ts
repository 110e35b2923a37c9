import { UsageRangeError } from '@manyworlds/core';
import { exponential } from '@manyworlds/core/internal';

/** A function from observations to actions whose parameters are one list of numbers. @public */
export interface Policy {
	readonly observationCount: number;
	readonly actionCount: number;
	readonly parameterCount: number;
	/** Writes the actions for the observations from `observations[from]` on to `actions[to]` on. */
	act(parameters: Float64Array, observations: Float64Array, from: number, actions: Float64Array, to: number): void;
}

/** Options of {@link layeredPolicy}. @public */
export interface LayeredPolicyOptions {
	readonly observationCount: number;
	readonly actionCount: number;
	/** Units of each hidden layer; none unless given, which is a linear policy. */
	readonly hidden?: readonly number[];
	/** What observations are divided by before they come in; 1 unless given. */
	readonly scales?: ArrayLike<number>;
}

/** Layers of weighted sums, each through a hyperbolic tangent: actions lie between -1 and 1. @public */
export function layeredPolicy(options: LayeredPolicyOptions): Policy {
	const { observationCount, actionCount, hidden = [], scales } = options;
	if (scales !== undefined && scales.length !== observationCount)
		throw new UsageRangeError(`${scales.length} scales, expected one for each of ${observationCount} observations`);
	const sizes = [observationCount, ...hidden, actionCount];
	const layers = sizes.map((size) => new Float64Array(size));
	let parameterCount = 0;
	for (let layer = 1; layer < sizes.length; layer++) parameterCount += (sizes[layer - 1]! + 1) * sizes[layer]!;
	return {
		observationCount,
		actionCount,
		parameterCount,
		act(parameters, observations, from, actions, to) {
			const input = layers[0]!;
			for (let i = 0; i < observationCount; i++) input[i] = observations[from + i]! / (scales?.[i] ?? 1);
			let at = 0;
			for (let layer = 1; layer < layers.length; layer++) {
				const before = layers[layer - 1]!;
				const own = layers[layer]!;
				for (let unit = 0; unit < own.length; unit++) {
					let sum = parameters[at++]!;
					for (let i = 0; i < before.length; i++) sum += parameters[at++]! * before[i]!;
					own[unit] = hyperbolicTangent(sum);
				}
			}
			const output = layers[layers.length - 1]!;
			for (let i = 0; i < actionCount; i++) actions[to + i] = output[i]!;
		},
	};
}

/** Without the platform's own, whose last bits differ between engines. */
function hyperbolicTangent(x: number): number {
	if (x > 20) return 1;
	if (x < -20) return -1;
	const e = exponential(2 * x);
	return (e - 1) / (e + 1);
}
