import type { SchemaAttribute, SchemaResolver } from './schema-resolver.ts';

const STATE_AXES = ['angular', 'linear', 'transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ'] as const;
const LEGACY_LIMIT_AXES = ['linear', 'angular', 'rotX', 'rotY', 'rotZ'] as const;
const ENGINE_DEFAULT = Number.NEGATIVE_INFINITY;

/** Attributes of Newton's own schemas. @public */
export const SCHEMA_RESOLVER_NEWTON: SchemaResolver = {
	name: 'newton',
	mapping: {
		scene: {
			max_solver_iterations: { name: 'newton:maxSolverIterations', default: -1 },
			time_steps_per_second: { name: 'newton:timeStepsPerSecond', default: 1000 },
			gravity_enabled: { name: 'newton:gravityEnabled', default: true },
		},
		joint: {
			armature: { name: 'newton:armature', default: 0 },
			damping: { name: 'newton:damping' },
			friction: { name: 'newton:friction', default: 0 },
			limit_ke: { name: 'newton:limitStiffness' },
			limit_kd: { name: 'newton:limitDamping' },
			velocity_limit: { name: 'newton:velocityLimit', default: Number.POSITIVE_INFINITY },
			...legacyLimits(),
			...jointState(),
		},
		shape: {
			max_hull_vertices: { name: 'newton:maxHullVertices', default: -1 },
			margin: { name: 'newton:contactMargin', default: 0 },
			gap: { name: 'newton:contactGap', default: ENGINE_DEFAULT },
			ke: { name: 'newton:contact_ke', deprecated: 'newton:contactStiffness of the bound material' },
			kd: { name: 'newton:contact_kd', deprecated: 'newton:contactDamping of the bound material' },
			kf: { name: 'newton:contact_kf', deprecated: 'newton:contactFrictionGain of the bound material' },
			ka: { name: 'newton:contact_ka', deprecated: 'newton:contactAdhesion of the bound material' },
			sdf_max_resolution: { name: 'newton:sdfMaxResolution', default: ENGINE_DEFAULT },
			sdf_narrow_band_inner: { name: 'newton:sdfNarrowBandInner', default: ENGINE_DEFAULT },
			sdf_narrow_band_outer: { name: 'newton:sdfNarrowBandOuter', default: ENGINE_DEFAULT },
			sdf_target_voxel_size: { name: 'newton:sdfTargetVoxelSize', default: ENGINE_DEFAULT },
			sdf_texture_format: { name: 'newton:sdfTextureFormat' },
			sdf_padding: { name: 'newton:sdfPadding', default: ENGINE_DEFAULT },
			hydroelastic_enabled: { name: 'newton:hydroelasticEnabled' },
			kh: { name: 'newton:hydroelasticStiffness', default: ENGINE_DEFAULT },
			mass_model: { name: 'newton:massModel', default: 'solid' },
			shell_thickness: { name: 'newton:shellThickness', default: ENGINE_DEFAULT },
		},
		articulation: {
			self_collision_enabled: { name: 'newton:selfCollisionEnabled', default: true },
		},
		material: {
			mu_torsional: { name: 'newton:torsionalFriction', default: 0.005 },
			mu_rolling: { name: 'newton:rollingFriction', default: 0.0001 },
			ke: { name: 'newton:contactStiffness' },
			kd: { name: 'newton:contactDamping' },
			kf: { name: 'newton:contactFrictionGain' },
			ka: { name: 'newton:contactAdhesion' },
		},
	},
};

/** Gains per axis, from before there was one attribute for all axes. */
function legacyLimits(): Record<string, SchemaAttribute> {
	const entries = LEGACY_LIMIT_AXES.flatMap((axis) => [
		[
			`limit_${axis}_ke`,
			{ name: `newton:${axis}:limitStiffness`, deprecated: 'newton:limitStiffness' } satisfies SchemaAttribute,
		] as const,
		[
			`limit_${axis}_kd`,
			{ name: `newton:${axis}:limitDamping`, deprecated: 'newton:limitDamping' } satisfies SchemaAttribute,
		] as const,
	]);
	return Object.fromEntries(entries);
}

function jointState(): Record<string, SchemaAttribute> {
	const entries = STATE_AXES.flatMap((axis) =>
		(['position', 'velocity'] as const).map((part) => {
			const isNewtons = !axis.startsWith('trans');
			const attribute: SchemaAttribute = {
				name: `newton:${axis}:${part}`,
				isNonSchema: true,
				...(isNewtons ? { default: 0 } : {}),
			};
			return [`${axis}_${part}`, attribute] as const;
		}),
	);
	return Object.fromEntries(entries);
}
