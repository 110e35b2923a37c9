/** Which attribute of which schema gives which property, with its default, as the schemas of Newton, PhysX and MuJoCo have them. */
import {
	SCHEMA_RESOLVER_EXTENDED,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
	type SchemaResolver,
} from '@manyworlds/import';
import { describe, expect, it } from 'vitest';

/** `category.property: attribute default`, for all properties of a resolver. */
function tableOf({ mapping }: SchemaResolver): string[] {
	return Object.entries(mapping).flatMap(([category, properties]) =>
		Object.entries(properties).map(([property, { name, default: fallback, attributeNames, deprecated, isNonSchema }]) =>
			[
				`${category}.${property}:`,
				...(attributeNames ?? [name]),
				fallback === undefined
					? '-'
					: JSON.stringify(fallback) === 'null'
						? String(fallback)
						: JSON.stringify(fallback),
				deprecated === undefined ? '' : 'deprecated',
				isNonSchema === true ? 'no schema' : '',
			]
				.filter((part) => part !== '')
				.join(' '),
		),
	);
}

const apply = (
	resolver: SchemaResolver,
	category: keyof SchemaResolver['mapping'],
	property: string,
	value: never,
): unknown => resolver.mapping[category]![property]!.transform!(value);

const AXES = ['transX', 'transY', 'transZ', 'linear', 'angular', 'rotX', 'rotY', 'rotZ'];

describe('schema resolvers', () => {
	it('read the attributes of Newton', () => {
		expect(tableOf(SCHEMA_RESOLVER_NEWTON).sort()).toEqual(
			[
				'scene.max_solver_iterations: newton:maxSolverIterations -1',
				'scene.time_steps_per_second: newton:timeStepsPerSecond 1000',
				'scene.gravity_enabled: newton:gravityEnabled true',
				'joint.armature: newton:armature 0',
				'joint.damping: newton:damping -',
				'joint.friction: newton:friction 0',
				'joint.limit_ke: newton:limitStiffness -',
				'joint.limit_kd: newton:limitDamping -',
				'joint.velocity_limit: newton:velocityLimit Infinity',
				...['linear', 'angular', 'rotX', 'rotY', 'rotZ'].flatMap((axis) => [
					`joint.limit_${axis}_ke: newton:${axis}:limitStiffness - deprecated`,
					`joint.limit_${axis}_kd: newton:${axis}:limitDamping - deprecated`,
				]),
				...AXES.flatMap((axis) =>
					['position', 'velocity'].map(
						(part) => `joint.${axis}_${part}: newton:${axis}:${part} ${axis.startsWith('trans') ? '-' : '0'} no schema`,
					),
				),
				'shape.max_hull_vertices: newton:maxHullVertices -1',
				'shape.margin: newton:contactMargin 0',
				'shape.gap: newton:contactGap -Infinity',
				'shape.ke: newton:contact_ke - deprecated',
				'shape.kd: newton:contact_kd - deprecated',
				'shape.kf: newton:contact_kf - deprecated',
				'shape.ka: newton:contact_ka - deprecated',
				'shape.sdf_max_resolution: newton:sdfMaxResolution -Infinity',
				'shape.sdf_narrow_band_inner: newton:sdfNarrowBandInner -Infinity',
				'shape.sdf_narrow_band_outer: newton:sdfNarrowBandOuter -Infinity',
				'shape.sdf_target_voxel_size: newton:sdfTargetVoxelSize -Infinity',
				'shape.sdf_texture_format: newton:sdfTextureFormat -',
				'shape.sdf_padding: newton:sdfPadding -Infinity',
				'shape.hydroelastic_enabled: newton:hydroelasticEnabled -',
				'shape.kh: newton:hydroelasticStiffness -Infinity',
				'shape.mass_model: newton:massModel "solid"',
				'shape.shell_thickness: newton:shellThickness -Infinity',
				'articulation.self_collision_enabled: newton:selfCollisionEnabled true',
				'material.mu_torsional: newton:torsionalFriction 0.005',
				'material.mu_rolling: newton:rollingFriction 0.0001',
				'material.ke: newton:contactStiffness -',
				'material.kd: newton:contactDamping -',
				'material.kf: newton:contactFrictionGain -',
				'material.ka: newton:contactAdhesion -',
			].sort(),
		);
	});

	it('read the attributes of PhysX', () => {
		expect(tableOf(SCHEMA_RESOLVER_PHYSX).sort()).toEqual(
			[
				'scene.max_solver_iterations: physxScene:maxVelocityIterationCount 255',
				'scene.time_steps_per_second: physxScene:timeStepsPerSecond 60',
				'scene.gravity_enabled: physxRigidBody:disableGravity false',
				'joint.armature: physxJoint:armature 0',
				'joint.velocity_limit: physxJoint:maxJointVelocity -',
				...AXES.flatMap((axis) => [
					`joint.limit_${axis}_ke: physxLimit:${axis}:stiffness 0`,
					`joint.limit_${axis}_kd: physxLimit:${axis}:damping 0`,
				]),
				...AXES.flatMap((axis) =>
					['position', 'velocity'].map(
						(part) => `joint.${axis}_${part}: state:${axis}:physics:${part} ${axis.startsWith('trans') ? '-' : '0'}`,
					),
				),
				'shape.max_hull_vertices: physxConvexHullCollision:hullVertexLimit 64',
				'shape.margin: physxCollision:restOffset 0',
				'shape.gap: physxCollision:contactOffset physxCollision:restOffset -Infinity',
				'material.ke: physxMaterial:compliantContactStiffness -',
				'material.kd: physxMaterial:compliantContactDamping -',
				'body.rigid_body_linear_damping: physxRigidBody:linearDamping 0',
				'body.rigid_body_angular_damping: physxRigidBody:angularDamping 0.05',
				'articulation.self_collision_enabled: physxArticulation:enabledSelfCollisions true',
			].sort(),
		);
		expect(apply(SCHEMA_RESOLVER_PHYSX, 'scene', 'gravity_enabled', true as never)).toBe(false);
		expect(apply(SCHEMA_RESOLVER_PHYSX, 'scene', 'gravity_enabled', false as never)).toBe(true);
		expect(apply(SCHEMA_RESOLVER_PHYSX, 'shape', 'margin', 0.5 as never)).toBe(0.5);
		// minus infinity is PhysX's word for its own default
		expect(apply(SCHEMA_RESOLVER_PHYSX, 'shape', 'margin', Number.NEGATIVE_INFINITY as never)).toBeUndefined();
		expect(SCHEMA_RESOLVER_PHYSX.namespaces?.toSorted()).toEqual(
			[
				'drive',
				'physxArticulation',
				'physxCollision',
				'physxConvexDecompositionCollision',
				'physxConvexHullCollision',
				'physxJoint',
				'physxLimit',
				'physxMaterial',
				'physxRigidBody',
				'physxSDFMeshCollision',
				'physxScene',
				'physxTriangleMeshCollision',
				'physxTriangleMeshSimplificationCollision',
				'state',
			].sort(),
		);
	});

	it('read the attributes of MuJoCo', () => {
		const ten = (first: number): string => JSON.stringify([first, ...Array(9).fill(0)]);
		expect(tableOf(SCHEMA_RESOLVER_MJC).sort()).toEqual(
			[
				'scene.max_solver_iterations: mjc:option:iterations 100',
				'scene.time_steps_per_second: mjc:option:timestep 0.002',
				'scene.gravity_enabled: mjc:flag:gravity true',
				'joint.armature: mjc:armature 0',
				'joint.damping_per_rad: mjc:damping -',
				'joint.friction: mjc:frictionloss 0',
				...AXES.flatMap((axis) => [
					`joint.limit_${axis}_ke: mjc:solreflimit [0.02,1]`,
					`joint.limit_${axis}_kd: mjc:solreflimit [0.02,1]`,
				]),
				'shape.max_hull_vertices: mjc:maxhullvert -1',
				'shape.margin: mjc:margin 0',
				'shape.gap: mjc:gap 0',
				'shape.mass_model: mjc:shellinertia false',
				'shape.ke: mjc:solref -',
				'shape.kd: mjc:solref -',
				'material.mu_torsional: mjc:torsionalfriction 0.005',
				'material.mu_rolling: mjc:rollingfriction 0.0001',
				'material.priority: mjc:priority 0',
				'material.weight: mjc:solmix 1',
				'material.ke: mjc:solref - deprecated',
				'material.kd: mjc:solref - deprecated',
				'actuator.ctrl_low: mjc:ctrlRange:min 0',
				'actuator.ctrl_high: mjc:ctrlRange:max 0',
				'actuator.force_low: mjc:forceRange:min 0',
				'actuator.force_high: mjc:forceRange:max 0',
				'actuator.act_low: mjc:actRange:min 0',
				'actuator.act_high: mjc:actRange:max 0',
				'actuator.length_low: mjc:lengthRange:min 0',
				'actuator.length_high: mjc:lengthRange:max 0',
				`actuator.gainPrm: mjc:gainPrm ${ten(1)}`,
				'actuator.gainType: mjc:gainType "fixed"',
				`actuator.biasPrm: mjc:biasPrm ${ten(0)}`,
				'actuator.biasType: mjc:biasType "none"',
				`actuator.dynPrm: mjc:dynPrm ${ten(1)}`,
				'actuator.dynType: mjc:dynType "none"',
				'actuator.gear: mjc:gear [1,0,0,0,0,0]',
			].sort(),
		);
		expect(apply(SCHEMA_RESOLVER_MJC, 'scene', 'time_steps_per_second', 0.004 as never)).toBe(250);
		expect(apply(SCHEMA_RESOLVER_MJC, 'scene', 'time_steps_per_second', 0.003 as never)).toBe(333);
		expect(apply(SCHEMA_RESOLVER_MJC, 'scene', 'time_steps_per_second', 0 as never)).toBeUndefined();
		expect(apply(SCHEMA_RESOLVER_MJC, 'shape', 'mass_model', true as never)).toBe('shell');
		expect(apply(SCHEMA_RESOLVER_MJC, 'shape', 'mass_model', false as never)).toBe('solid');
		// time constant T and ratio z: stiffness 1 / (T z)^2, damping 2 / T; negative ones are the gains themselves
		const gains = (value: unknown, axis?: string): unknown[] => {
			const [category, prefix] = axis === undefined ? (['shape', ''] as const) : (['joint', `limit_${axis}_`] as const);
			return [`${prefix}ke`, `${prefix}kd`].map((property) =>
				apply(SCHEMA_RESOLVER_MJC, category, property, value as never),
			);
		};
		expect(gains([0.5, 2])).toEqual([1, 4]);
		expect(gains([0.25, 2])).toEqual([4, 8]);
		expect(gains([-100, -5])).toEqual([100, 5]);
		for (const none of [[-1, 2], [1, -2], [0, 1], [1, 0], [1], 'x', 3])
			expect(gains(none)).toEqual([undefined, undefined]);
		for (const axis of AXES) {
			const unit = /^(?:angular|rot)/.test(axis) ? Math.PI / 180 : 1;
			expect(gains([0.25, 2], axis)).toEqual([4 * unit, 8 * unit]);
			expect(gains([0, 2], axis)).toEqual([undefined, undefined]);
		}
	});

	it('read the attributes of REP 0158', () => {
		expect(tableOf(SCHEMA_RESOLVER_EXTENDED)).toEqual([
			'material.mu_torsional: ext_physics:material:torsionalFriction 0.25',
			'material.mu_rolling: ext_physics:material:rollingFriction 0.0005',
		]);
	});
});
