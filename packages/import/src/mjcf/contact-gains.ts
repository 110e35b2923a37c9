import type { Attributes } from './attributes.ts';

/** Stiffness and damping of a contact or limit, per unit of mass. */
export interface Gains {
	readonly ke: number;
	readonly kd: number;
}

/**
 * The gains that a `solref` attribute stands for: from time constant and damping ratio when both are positive, the numbers
 * themselves when both are negative; undefined when there is none or it stands for nothing.
 */
export function contactGains(attributes: Attributes, name: string): Gains | undefined {
	const numbers = attributes.numbers(name, { least: 1, most: 2 });
	if (numbers === undefined) return undefined;
	const [a, b] = [numbers[0]!, numbers[1] ?? 1];
	attributes.convert(name, { from: 'time constant and damping ratio', to: 'stiffness and damping' });
	if (a > 0 && b > 0) return { ke: 1 / (a * a * b * b), kd: 2 / a };
	return a < 0 && b < 0 ? { ke: -a, kd: -b } : undefined;
}
