import { energyOf } from '@manyworlds/worlds';
import type { Simulation } from 'manyworlds';
import type { WorldQuantity } from './world-quantity-names.ts';

/** A number of every world. */
export function worldNumbers(simulation: Simulation, quantity: WorldQuantity): Float32Array<ArrayBuffer> {
	const { model, state, statistics, bodyPoses, bodyVelocities, worldCount } = simulation;
	const bodies = model.bodyCount / worldCount;
	return Float32Array.from({ length: worldCount }, (_, world) => {
		const first = Math.floor(bodies * world);
		switch (quantity) {
			case 'height':
				return bodyPoses[7 * first + 'xyz'.indexOf(model.upAxis)]!;
			case 'speed':
				return Math.hypot(...bodyVelocities.subarray(6 * first, 6 * first + 3));
			case 'energy': {
				const { kinetic, potential } = energyOf(model, state, world);
				return kinetic + potential;
			}
			case 'contacts':
				return statistics.contactCount[world]!;
		}
	});
}
