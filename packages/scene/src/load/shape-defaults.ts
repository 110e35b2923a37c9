import { SHAPE_CONFIG_DEFAULTS, type ShapeConfig, ShapeFlags } from '@manyworlds/model';
import { siteConfig } from '@manyworlds/model/internal';
import type { SceneShapeConfig } from '../schema/shape.ts';

/** Settings of a shape with its contact dissipation time [s]. */
export interface ShapeDefaults {
	readonly config: ShapeConfig;
	readonly tau: number;
}

/** What shapes have when a scene says nothing: the model's defaults and 10 ms. */
export const SHAPE_DEFAULTS: ShapeDefaults = { config: SHAPE_CONFIG_DEFAULTS, tau: 0.01 };

/** Settings with those of a scene written over them. */
export function withShapeConfig(base: ShapeDefaults, given: SceneShapeConfig): ShapeDefaults {
	const named: Record<string, unknown> = { ...base.config };
	for (const [key, name] of FIELDS) if (given[key] !== undefined) named[name] = given[key];
	let config = named as unknown as ShapeConfig;
	if (given.flags !== undefined) config = withFlags(config, given.flags);
	return { config: config.isSite ? siteConfig(config) : config, tau: given.tau ?? base.tau };
}

const FIELDS: readonly (readonly [keyof SceneShapeConfig, keyof ShapeConfig])[] = [
	['density', 'density'],
	['ke', 'ke'],
	['kd', 'kd'],
	['kf', 'kf'],
	['ka', 'ka'],
	['mu', 'mu'],
	['mu_torsional', 'muTorsional'],
	['mu_rolling', 'muRolling'],
	['restitution', 'restitution'],
	['margin', 'margin'],
	['gap', 'gap'],
	['is_solid', 'isSolid'],
	['collision_group', 'collisionGroup'],
	['collision_filter_parent', 'collisionFilterParent'],
	['has_shape_collision', 'hasShapeCollision'],
	['has_particle_collision', 'hasParticleCollision'],
	['is_visible', 'isVisible'],
	['is_site', 'isSite'],
	['is_hydroelastic', 'isHydroelastic'],
	['kh', 'kh'],
];

function withFlags(config: ShapeConfig, flags: number): ShapeConfig {
	const has = (bit: number): boolean => (flags & bit) !== 0;
	return {
		...config,
		isVisible: has(ShapeFlags.VISIBLE),
		hasShapeCollision: has(ShapeFlags.COLLIDE_SHAPES),
		hasParticleCollision: has(ShapeFlags.COLLIDE_PARTICLES),
		isSite: has(ShapeFlags.SITE),
		isHydroelastic: has(ShapeFlags.HYDROELASTIC),
	};
}
