import type { RepCode } from './diagnostics.ts';

/**
 * Rules that a finding of another rule breaks too (contradiction C23): one fault is reported once, by the rule that says most about
 * it, and names the others.
 */
export const ALSO_BROKEN: Partial<Readonly<Record<RepCode, readonly RepCode[]>>> = {
	// opinions of vendors outside of their layers
	'R1.4.1': ['R1.4.4', 'R1.2.1.12'],
	'R1.4.2': ['R1.4.1', 'R1.4.4', 'R1.2.1.12'],
	'R1.4.4': ['R1.4.1', 'R1.2.1.12'],
	'R1.2.1.12': ['R1.4.1', 'R1.4.4'],
	'R4.2.2.3': ['R1.4.1', 'R1.4.4'],
	// joints that close loops
	'R1.3.7': ['R1.3.8'],
	'R1.3.8': ['R1.3.7'],
	// assets that attributes load
	'R1.2.5.10': ['R1.2.5.11'],
	// instances of more than geometry
	'R1.2.6.1': ['R3.5.2'],
	'R2.1.1.13': ['R3.5.2'],
	// tiles of textures
	'R3.1.6': ['R3.1.7'],
	// formats of textures
	'R3.2.4': ['R3.2.1'],
	'R3.2.5': ['R3.2.1'],
};
