import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionModel } from '../model/conversion-model.ts';

/** Says that shapes of the world are left out, in formats that describe one robot. */
export function dropWorldShapes({ shapes }: ConversionModel, ledger: ConversionLedger): void {
	for (const [index, { body, role, name, geometry }] of shapes.entries()) {
		if (body >= 0) continue;
		const message = `${geometry.kind} '${name}' belongs to the world, not to the robot`;
		ledger.drop(role === 'visual' ? 'visual' : 'collider', index, 'surroundings', message);
	}
}
