import { ShapeFlags } from './enums.ts';
import { ModelError } from './model-error.ts';

/** Physical and collision settings of a shape. SI units. @public */
export interface ShapeConfig {
	/** [kg/m³]; 0 adds no mass. */
	readonly density: number;
	/** Contact stiffness [N/m], damping [N·s/m], friction gain [N·s/m] and adhesion distance [m]. */
	readonly ke: number;
	readonly kd: number;
	readonly kf: number;
	readonly ka: number;
	/** Coulomb friction; torsional and rolling friction [m]. */
	readonly mu: number;
	readonly muTorsional: number;
	readonly muRolling: number;
	readonly restitution: number;
	/** Outward offset of the surface [m]; the wall thickness of a hollow shape. */
	readonly margin: number;
	/** Further distance at which contacts are found [m]; undefined takes the builder's `rigidGap`. */
	readonly gap: number | undefined;
	readonly isSolid: boolean;
	/** 0 collides with nothing; equal positive groups collide; a negative group collides with all others. */
	readonly collisionGroup: number;
	/** Whether a joint may filter contacts between this shape and those of the body it connects. */
	readonly collisionFilterParent: boolean;
	readonly hasShapeCollision: boolean;
	readonly hasParticleCollision: boolean;
	readonly isVisible: boolean;
	readonly isSite: boolean;
	readonly isHydroelastic: boolean;
	/** Hydroelastic stiffness [N/m³]. */
	readonly kh: number;
}

/** Newton's defaults. @public */
export const SHAPE_CONFIG_DEFAULTS: ShapeConfig = {
	density: 1000,
	ke: 2500,
	kd: 100,
	kf: 1000,
	ka: 0,
	mu: 1,
	muTorsional: 0.005,
	muRolling: 0.0001,
	restitution: 0,
	margin: 0,
	gap: undefined,
	isSolid: true,
	collisionGroup: 1,
	collisionFilterParent: true,
	hasShapeCollision: true,
	hasParticleCollision: true,
	isVisible: true,
	isSite: false,
	isHydroelastic: false,
	kh: 1e10,
};

/** The settings of a site: a mark that neither collides nor weighs. */
export function siteConfig(config: ShapeConfig): ShapeConfig {
	return {
		...config,
		isSite: true,
		hasShapeCollision: false,
		hasParticleCollision: false,
		density: 0,
		collisionGroup: 0,
	};
}

/** The bits that a configuration gives a shape. */
export function shapeFlags(config: ShapeConfig): number {
	return (
		(config.isVisible ? ShapeFlags.VISIBLE : 0) |
		(config.hasShapeCollision ? ShapeFlags.COLLIDE_SHAPES : 0) |
		(config.hasParticleCollision ? ShapeFlags.COLLIDE_PARTICLES : 0) |
		(config.isSite ? ShapeFlags.SITE : 0) |
		(config.isHydroelastic ? ShapeFlags.HYDROELASTIC : 0)
	);
}

/** Throws for settings that no shape can have. */
export function checkShapeConfig(config: ShapeConfig, label: string): void {
	const subject = { kind: 'shape', label };
	if (!Number.isFinite(config.density) || config.density < 0) {
		throw new ModelError(
			'MODEL002',
			`density of shape '${label}' is ${config.density} kg/m³, expected a finite number >= 0`,
			subject,
		);
	}
	if (!config.isSite) return;
	const fault =
		config.hasShapeCollision || config.hasParticleCollision
			? 'collides'
			: config.density !== 0
				? `has density ${config.density} kg/m³`
				: config.collisionGroup !== 0
					? `is in collision group ${config.collisionGroup}`
					: undefined;
	if (fault !== undefined) {
		throw new ModelError(
			'MODEL003',
			`site '${label}' ${fault}; a site neither collides nor weighs: use siteConfig()`,
			subject,
		);
	}
}
