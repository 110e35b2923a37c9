import type { ModelBuilder } from '../model-builder.ts';

/**
 * Declares the sites that an equality may name in place of bodies: `mujoco:equality_constraint_site1` and `..._site2`, shapes,
 * -1 for none. MuJoCo brings the sites together; the row itself has the bodies, and an anchor on the first one.
 */
export function defineEqualitySites(builder: ModelBuilder): void {
	for (const name of ['equality_constraint_site1', 'equality_constraint_site2']) {
		builder.defineAttribute({
			name,
			namespace: 'mujoco',
			type: 'i32',
			frequency: 'equalityConstraint',
			default: -1,
			references: 'shape',
		});
	}
}

/**
 * Declares the frequency `mujoco:tendon_equality`: the length of a tendon, less that at the reference, as a quartic of that
 * of another one, or as a constant.
 */
export function defineTendonEqualities(builder: ModelBuilder): void {
	const frequency = 'mujoco:tendon_equality';
	const common = { namespace: 'mujoco', frequency } as const;
	builder.defineFrequency({ namespace: 'mujoco', name: 'tendon_equality' });
	for (const name of ['tendon_equality_tendon1', 'tendon_equality_tendon2']) {
		builder.defineAttribute({ ...common, name, type: 'i32', default: -1, references: 'mujoco:tendon' });
	}
	builder.defineAttribute({
		...common,
		name: 'tendon_equality_polycoef',
		type: 'vec5',
		default: [0, 1, 0, 0, 0],
		mjcfName: 'polycoef',
	});
	builder.defineAttribute({ ...common, name: 'tendon_equality_enabled', type: 'bool', default: true });
	builder.defineAttribute({ ...common, name: 'tendon_equality_label', type: 'string', default: '', mjcfName: 'name' });
	builder.defineAttribute({ ...common, name: 'tendon_equality_world', type: 'i32', default: 0, references: 'world' });
	builder.defineAttribute({
		...common,
		name: 'tendon_equality_solref',
		type: 'vec2',
		default: [0.02, 1],
		mjcfName: 'solref',
	});
	builder.defineAttribute({
		...common,
		name: 'tendon_equality_solimp',
		type: 'vec5',
		default: [0.9, 0.95, 0.001, 0.5, 2],
		mjcfName: 'solimp',
	});
}
