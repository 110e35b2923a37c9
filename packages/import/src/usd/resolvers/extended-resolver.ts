import type { SchemaResolver } from './schema-resolver.ts';

/** Attributes of the extended physics schemas of REP 158, which no vendor owns. @public */
export const SCHEMA_RESOLVER_EXTENDED: SchemaResolver = {
	name: 'ext_physics',
	mapping: {
		material: {
			mu_torsional: { name: 'ext_physics:material:torsionalFriction', default: 0.25 },
			mu_rolling: { name: 'ext_physics:material:rollingFriction', default: 0.0005 },
		},
	},
};
