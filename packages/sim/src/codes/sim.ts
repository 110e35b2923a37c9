/** Codes of the simulation: what of a model a solver does not simulate, each with its usual severity. */
export const SIM_CODES = {
	SIM001: 'warning',
	SIM002: 'warning',
	SIM003: 'info',
	SIM004: 'info',
} as const;
