import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionShape } from '../model/conversion-model.ts';

/** Whether a collider touches nothing by itself, only in pairs that MJCF names; it is then said to be lost in other formats. */
export function dropUntouched(
	{ role, masks, name }: ConversionShape,
	index: number,
	target: string,
	ledger: ConversionLedger,
): boolean {
	if (role !== 'collision' || masks === undefined || masks.some((bits) => bits !== 0)) return false;
	ledger.drop(
		'collider',
		index,
		'filter',
		`'${name}' touches only what pairs of MJCF name, which ${target} cannot say`,
	);
	return true;
}
