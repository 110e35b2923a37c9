import { type ContactDefaultsName, ModelBuilder } from '@manyworlds/model';

/** Options of {@link placeInWorlds}. @public */
export interface PlaceInWorldsOptions {
	/** Number of worlds. */
	readonly count?: number;
	/** Distance between worlds along each axis [m]. */
	readonly spacing?: ArrayLike<number>;
	/** Whether all worlds stand on one plane. */
	readonly ground?: boolean;
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
 * A builder with a robot in as many worlds as asked for, on one plane whose contact is that of the robot's builder.
 *
 * ```ts
 * const robot = new ModelBuilder({ contactDefaults: ROBOT_DEFAULTS.contactDefaults });
 * importUrdf(bytes, robot);
 * const model = placeInWorlds(robot, { count: 100 }).finalize();
 * ```
 * @public
 */
export function placeInWorlds(robot: ModelBuilder, options: PlaceInWorldsOptions = {}): ModelBuilder {
	const { count, spacing, ground } = { ...PLACE_IN_WORLDS_DEFAULTS, ...options };
	const { upAxis, gravity, contactDefaults } = robot;
	const all = new ModelBuilder({ upAxis, gravity, contactDefaults });
	all.replicate(robot, { count, spacing });
	if (ground) all.addGroundPlane();
	return all;
}
