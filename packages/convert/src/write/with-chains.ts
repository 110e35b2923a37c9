import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionModel } from '../model/conversion-model.ts';
import { splitCompounds } from '../model/split-compounds.ts';

/** What becomes of joints with several ways to move in formats that have none. @public */
export interface ChainOptions {
	/** Whether they become chains of joints over small links; else the target says that it cannot hold them. */
	readonly splitJoints?: boolean;
}

/** Values of {@link ChainOptions} that are used when absent. */
export const CHAIN_DEFAULTS: Required<ChainOptions> = { splitJoints: false };

/** The robot with chains in place of joints with several ways to move, each told. */
export function withChains(model: ConversionModel, ledger: ConversionLedger): ConversionModel {
	for (const [index, { kind, name, freedoms }] of model.joints.entries()) {
		if (kind !== 'compound') continue;
		const names = freedoms.map((freedom, k) => `'${freedom.name ?? `${name}_${k}`}'`).join(', ');
		const message = `'${name}' is written as joints ${names} over small links`;
		ledger.approximate('joint', index, 'joint-kind', message);
	}
	return splitCompounds(model);
}
