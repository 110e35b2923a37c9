import { asNumbers, type PlainValue } from '../plain-value.ts';

/** Stiffness and damping of unit mass that MuJoCo's `solref` stands for; undefined when it stands for none. */
export interface SolrefGains {
	readonly stiffness: number;
	readonly damping: number;
}

/**
 * Reads MuJoCo's `solref`: a time constant and a damping ratio, both positive, or minus a stiffness and minus a damping.
 * Anything else has no gains of its own.
 */
export function solrefGains(value: PlainValue | undefined): SolrefGains | undefined {
	const [time = Number.NaN, ratio = Number.NaN] = asNumbers(value) ?? [];
	if (time < 0 && ratio < 0) return { stiffness: -time, damping: -ratio };
	if (!(time > 0 && ratio > 0)) return undefined;
	return { stiffness: 1 / (time * time * ratio * ratio), damping: 2 / time };
}

/** The stiffness of `solref`. */
export function solrefStiffness(value: PlainValue): number | undefined {
	return solrefGains(value)?.stiffness;
}

/** The damping of `solref`. */
export function solrefDamping(value: PlainValue): number | undefined {
	return solrefGains(value)?.damping;
}
