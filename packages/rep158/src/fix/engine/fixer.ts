import type { RepCode } from '../../diagnostics.ts';
import type { FixFamily } from '../../rule.ts';
import type { FixSession } from './fix-session.ts';

/**
 * One family of fixes (`F9`). `apply` looks at the composed stage, or at single layers, and edits layers where the opinions are
 * that break its rules. It must be idempotent: on an asset that it has been applied to it edits nothing. What it cannot put
 * right it refuses with a reason, what it has to be told it asks for; it never guesses.
 */
export interface Fixer {
	readonly family: FixFamily;
	/** What it does, in a few words: `units baked into metres and kilograms`. */
	readonly title: string;
	/** Rules that are silent afterwards. */
	readonly rules: readonly RepCode[];
	/** Unsafe fixers change geometry, names or values that somebody chose; they run only when asked to. */
	readonly safety: 'safe' | 'unsafe';
	/** What of the asset may change in numbers: nothing, or what the family is about. The rest is compared afterwards. */
	readonly changes?: readonly PhysicsPart[];
	apply(session: FixSession): void;
}

/** Thrown by a fixer that finds out too late that it cannot do what it is for: its edits are taken back and the reason is given. */
export class FixRefusal extends Error {
	readonly rule: RepCode;

	constructor(rule: RepCode, message: string) {
		super(message);
		this.rule = rule;
	}
}

/** A part of what an asset weighs and how it moves. */
export type PhysicsPart =
	| 'mass'
	| 'bodies'
	| 'joints'
	| 'limits'
	| 'colliders'
	| 'friction'
	| 'geometry'
	| 'articulations';

/** What fixers are told by the user; absent values are asked for where they are needed. */
export interface FixParameters {
	/** `assetInfo.identifier`; the name of the default prim without it. */
	readonly identifier?: string;
	/** `assetInfo.version`. */
	readonly version?: string;
	/** `assetInfo.ros.package_uri`. */
	readonly packageUri?: string;
	/** Direction that the source faces, for assets that are not Z up: `+x`, `-z`. */
	readonly forward?: string;
	/** Units of layers that differ: as everything composes today, or as each layer declares. */
	readonly units?: 'composed' | 'declared';
	/** Friction and restitution of physics materials that have to be made. */
	readonly staticFriction?: number;
	readonly dynamicFriction?: number;
	readonly restitution?: number;
	/** Density in kg/m³ of bodies without a mass. */
	readonly density?: number;
	/** Limits of joints without any, by joint name or path: degrees or stage units. */
	readonly limits?: Readonly<Record<string, readonly [lower: number, upper: number]>>;
	/** Joints that turn without end, by name or path. */
	readonly continuous?: readonly string[];
	/** How a fixed base is anchored: to the world, or to a prim that moves with the asset. */
	readonly anchor?: 'rep' | 'movable';
	/** How layers of vendors are reached: by entry files of their own, or by variants of the entry. */
	readonly vendorHook?: 'entry' | 'variant';
	/** Selections of variant sets without one, by set. */
	readonly variants?: Readonly<Record<string, string>>;
	/** ROS names of joints, by prim name or path. */
	readonly jointNames?: Readonly<Record<string, string>>;
	/** Approximation of mesh colliders that have none. */
	readonly approximation?: string;
}
