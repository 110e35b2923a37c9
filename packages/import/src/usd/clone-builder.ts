import { ModelBuilder } from '@manyworlds/model';

/** A builder with the same settings and content as one without worlds. */
export function cloneBuilder(source: ModelBuilder): ModelBuilder {
	const { upAxis, contactDefaults, rigidGap, defaultShapeConfig, defaultJointConfig, balanceInertia } = source;
	const { boundMass, boundInertia, rigidContactsPerWorld } = source;
	const copy = new ModelBuilder({
		upAxis,
		contactDefaults,
		rigidGap,
		defaultShapeConfig,
		defaultJointConfig,
		balanceInertia,
		...(boundMass !== undefined && { boundMass }),
		...(boundInertia !== undefined && { boundInertia }),
		...(rigidContactsPerWorld !== undefined && { rigidContactsPerWorld }),
	});
	copy.addBuilder(source);
	return copy;
}
