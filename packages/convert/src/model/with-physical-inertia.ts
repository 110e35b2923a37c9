import type { ConversionLedger } from './conversion-ledger.ts';
import type { ConversionModel } from './conversion-model.ts';
import { physicalTensor } from './tensor.ts';

/** The same robot with inertias that solids can have, each the nearest to what it was. */
export function withPhysicalInertia(model: ConversionModel, ledger: ConversionLedger): ConversionModel {
	const bodies = model.bodies.map((body, index) => {
		const tensor = body.inertia === undefined ? undefined : physicalTensor(body.inertia.tensor);
		if (body.inertia === undefined || tensor === undefined) return body;
		const message = `'${body.name}' had an inertia that no solid has; it is lifted to the nearest that one has`;
		ledger.approximate('body', index, 'inertia-unphysical', message);
		return { ...body, inertia: { ...body.inertia, tensor } };
	});
	return { ...model, bodies };
}
