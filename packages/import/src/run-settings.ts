import type { ImportAssetResult } from './import-asset.ts';

/** What a file says about its own simulation. @public */
export interface RunSettings {
	/** [s]; undefined when the file gives none. */
	readonly timestep: number | undefined;
	/** Whether the file gives gravity. */
	readonly hasGravity: boolean;
	/** The integrator that the file asks for, in its own words. */
	readonly integrator: string | undefined;
	/** States that the file names, in its order. */
	readonly keyframes: readonly string[];
}

/** Attributes of MJCF and USD that give the integrator, or gravity. */
const INTEGRATOR = /^(?:integrator|mjc:option:integrator)$/;
const GRAVITY = /^(?:gravity|physics:gravityMagnitude|physics:gravityDirection)$/;

/** What an imported file says about its own simulation. */
export function runSettingsOf({ format, result, ledger }: ImportAssetResult): RunSettings {
	let integrator: string | undefined;
	let hasGravity = false;
	for (const { name, value, class: class_ } of ledger.entries()) {
		if (class_ === 'ignored') continue;
		if (INTEGRATOR.test(name) && value !== undefined) integrator = String(value).replaceAll('"', '');
		if (GRAVITY.test(name)) hasGravity = true;
	}
	return {
		timestep: format === 'mjcf' || format === 'usd' ? result.timestep : undefined,
		hasGravity,
		integrator,
		keyframes: format === 'mjcf' ? result.keyframes.map(({ name }) => name) : [],
	};
}
