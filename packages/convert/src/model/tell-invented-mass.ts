import type { ConversionLedger } from './conversion-ledger.ts';
import type { ConversionModel } from './conversion-model.ts';

/** Says that a body got a mass; of one that only stands between joints, which is no part of the source, its joint is told. */
export function tellInventedMass(
	ledger: ConversionLedger,
	{ bodies, joints }: ConversionModel,
	body: number,
	message: string,
): void {
	const holder = bodies[body]!.isInserted === true ? joints.findIndex(({ child }) => child === body) : -1;
	if (holder >= 0) ledger.approximate('joint', holder, 'mass-invented', message);
	else ledger.approximate('body', body, 'mass-invented', message);
}
