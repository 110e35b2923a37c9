import { type ContactDefaultsName, ModelBuilder } from '@manyworlds/model';
import { type OwnGround, ownGround } from './start/own-ground.ts';

/** Options of {@link placeInWorlds}. @public */
export interface PlaceInWorldsOptions {
	/** Number of worlds. */
	readonly count?: number;
	/** Distance between worlds along each axis [m]. */
	readonly spacing?: ArrayLike<number>;
	/** Whether all worlds stand on one plane, unless the robot's file has a ground of its own. */
	readonly ground?: boolean;
}

/** What a robot stands on: a plane that was added, by its shape, the ground of its file, or nothing. @public */
export type Ground =
	| { readonly kind: 'added'; readonly shape: number }
	| { readonly kind: 'own'; readonly ground: OwnGround }
	| { readonly kind: 'none' };

/** Robots in worlds. @public */
export interface PlacedRobot {
	readonly builder: ModelBuilder;
	readonly ground: Ground;
}

/** Values of {@link PlaceInWorldsOptions} that are used when absent. @public */
export const PLACE_IN_WORLDS_DEFAULTS = { count: 1, spacing: [2, 2, 0], ground: true } as const;

/**
 * How a robot is simulated that comes without a scene: its file says nothing about the time step [s], nor, often, about
 * contact. @public
 */
export const ROBOT_DEFAULTS: {
	readonly dt: number;
	readonly contactDefaults: ContactDefaultsName;
} = { dt: 0.002, contactDefaults: 'firm' };

/**
 * A builder with a robot in as many worlds as asked for, on one plane whose contact is that of the robot's builder. A
 * robot that brings a ground along stands on that.
 *
 * ```ts
 * const robot = new ModelBuilder({ contactDefaults: ROBOT_DEFAULTS.contactDefaults });
 * importUrdf(bytes, robot);
 * const model = placeInWorlds(robot, { count: 100 }).finalize();
 * ```
 * @public
 */
export function placeInWorlds(robot: ModelBuilder, options: PlaceInWorldsOptions = {}): ModelBuilder {
	return placeRobot(robot, options).builder;
}

/** The same, with what the robot stands on. @public */
export function placeRobot(robot: ModelBuilder, options: PlaceInWorldsOptions = {}): PlacedRobot {
	const { count, spacing, ground } = { ...PLACE_IN_WORLDS_DEFAULTS, ...options };
	const { upAxis, gravity, contactDefaults } = robot;
	const builder = new ModelBuilder({ upAxis, gravity, contactDefaults });
	builder.replicate(robot, { count, spacing });
	const own = ownGround(robot);
	if (own !== undefined) return { builder, ground: { kind: 'own', ground: own } };
	return { builder, ground: ground ? { kind: 'added', shape: builder.addGroundPlane() } : { kind: 'none' } };
}

/** What a robot stands on, in words. */
export function groundText(ground: Ground): string {
	if (ground.kind === 'none') return 'ground: none';
	if (ground.kind === 'added') return 'ground: a plane was added, the file has none';
	return `ground: '${ground.ground.label}' of the file (${ground.ground.kind}), no plane was added`;
}
