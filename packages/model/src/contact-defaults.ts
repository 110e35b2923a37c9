import { SHAPE_CONFIG_DEFAULTS, type ShapeConfig } from './shape-config.ts';

/** Contact of shapes that say nothing about it. @public */
export interface ContactDefaults extends Pick<ShapeConfig, 'ke' | 'kd'> {
	/** [m]. */
	readonly gap: number;
	/** Most that one contact may sink under all that weighs in its world [m]; what weighs more makes contacts stiffer. */
	readonly sink: number;
}

/** Contact stiffness of `firm` [N/m]. */
const FIRM = 1e5;

/**
 * Choices of contact for shapes that say nothing about it, by name. `newton` has Newton's numbers, which are those of a
 * mattress; `firm` is for robots that should stand on the ground and not in it. Its damping is what MuJoCo, which counts
 * both gains for a unit mass, takes as critical. Where a world weighs more than 50 N, `finalize` makes it ten times as stiff,
 * as often as it takes. @public
 */
export const CONTACT_DEFAULTS: {
	readonly newton: ContactDefaults;
	readonly firm: ContactDefaults;
} = {
	newton: { ke: SHAPE_CONFIG_DEFAULTS.ke, kd: SHAPE_CONFIG_DEFAULTS.kd, gap: 0.1, sink: Number.POSITIVE_INFINITY },
	firm: { ke: FIRM, kd: 2 * Math.sqrt(FIRM), gap: 0.001, sink: 0.001 },
};
/** A name in {@link CONTACT_DEFAULTS}. @public */
export type ContactDefaultsName = keyof typeof CONTACT_DEFAULTS;

/** Names of {@link CONTACT_DEFAULTS}. @public */
export const CONTACT_DEFAULTS_NAMES = Object.keys(CONTACT_DEFAULTS) as readonly ContactDefaultsName[];
