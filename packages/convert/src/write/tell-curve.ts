import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionMimic } from '../model/conversion-model.ts';

/** Says that a joint which follows another along a curve follows it in proportion, in formats that have nothing else. */
export function tellCurve({ curve }: ConversionMimic, index: number, name: string, ledger: ConversionLedger): void {
	if (curve === undefined) return;
	const message = `'${name}' follows along a curve, its tangent at zero is written; MJCF has the curve`;
	ledger.approximate('mimic', index, 'mimic-nonlinear', message);
}
