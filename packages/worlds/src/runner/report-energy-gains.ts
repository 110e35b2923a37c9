import type { Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import type { WorldStatistics } from './world-statistics.ts';

/** Worlds that are named one by one; the others are counted. */
const MOST_NAMED = 5;

/** One finding for each world in which energy came from nothing, where a runner accounts for energy. @public */
export function reportEnergyGains(
	{ energyGain, energyGainStep, work }: WorldStatistics,
	report: Report,
	solver?: string,
): void {
	const worlds = Array.from(energyGain.keys()).filter((world) => energyGain[world]! > 0);
	const by = solver === undefined ? '' : `${solver}: `;
	for (const world of worlds.slice(0, MOST_NAMED)) {
		const gain = energyGain[world]!;
		const message = `${by}world ${world} has ${joules(gain)} that came from nothing, from step ${energyGainStep[world]! + 1} on; drives and forces did work of ${joules(work[world]!)}`;
		report.add(createDiagnostic('WLD005', message, { data: { world, gain, step: energyGainStep[world]! + 1 } }));
	}
	if (worlds.length <= MOST_NAMED) return;
	const message = `${by}energy came from nothing in ${worlds.length - MOST_NAMED} more worlds`;
	report.add(createDiagnostic('WLD005', message, { data: { worlds: worlds.length } }));
}

function joules(energy: number): string {
	return `${Number(energy.toPrecision(4))} J`;
}
