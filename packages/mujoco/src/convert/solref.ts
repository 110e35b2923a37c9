/** How a row of `solref` values is meant (`mujoco:solref_mode`, `mujoco:solreflimit_mode`). @public */
export const SolrefMode = {
	/** Stiffness and damping in forces; scaled so that MuJoCo's effective stiffness is the given one. */
	FORCE_SPACE: 0,
	/** The authored MuJoCo numbers, unchanged. */
	RAW: 1,
	/** MuJoCo's own default until the gains are edited. */
	MJCF_DEFAULT: 2,
} as const;

/** MuJoCo's default of every `solref`: time constant [s] and damping ratio. */
export const DEFAULT_SOLREF: readonly [number, number] = [0.02, 1];

/** Smallest stiffness and damping that are converted: 2^-52. */
const LEAST_GAIN = 2.220446049250313e-16;

/** Time constant and damping ratio of a stiffness and a damping in acceleration space; the default unless both are positive. */
export function solrefOfGains(stiffness: number, damping: number): [number, number] {
	if (!(stiffness > 0 && damping > 0)) return [...DEFAULT_SOLREF];
	return [2 / damping, (damping / 2) * Math.sqrt(1 / stiffness)];
}

/**
 * The `solref` of a joint limit with force-space gains. MuJoCo's effective stiffness is k / (w (1 - dmax)) with the
 * inverse weight w of the degree of freedom, so the gains are multiplied by that factor first.
 * @param stiffness [N/m, N·m/rad]
 * @param damping [N·s/m, N·m·s/rad]
 * @param inverseWeight `dof_invweight0` [1/kg, 1/(kg·m²)]
 * @param dmax second number of `solimp`
 */
export function forceSpaceSolref(
	stiffness: number,
	damping: number,
	inverseWeight: number,
	dmax: number,
): [number, number] {
	if (!(stiffness > 0 && damping > 0)) return [...DEFAULT_SOLREF];
	const factor = inverseWeight > 0 && dmax < 1 ? inverseWeight * (1 - dmax) : 1;
	return solrefOfGains(Math.max(stiffness * factor, LEAST_GAIN), Math.max(damping * factor, LEAST_GAIN));
}
