import type { Severity } from '@manyworlds/core';
import type { RepCode } from './diagnostics.ts';
import type { CheckMemory } from './geometry/check-memory.ts';
import type { InterfaceDefinition } from './ros/interface-registry.ts';

/** What an asset is: a `source` may keep Euler angles, a `distributed` one is final. @public */
export type Profile = 'distributed' | 'source';

/**
 * What may stand behind payloads (the REP contradicts itself, C1): `kinematics-visible` keeps links, joints and interfaces out of
 * them; `entry` allows the payload of the entry prim to bring the features. @public
 */
export type PayloadPolicy = 'kinematics-visible' | 'entry';

/** Numbers that heuristic rules compare with. @public */
export interface Thresholds {
	/** Bytes of array data from which a text layer counts as heavy (R1.2.1.4) and data needs a payload (R1.2.3.5). */
	readonly heavyBytes: number;
	/** Bytes of array data that an entry layer may hold (R1.2.1.11). */
	readonly entryBytes: number;
	/** Siblings with the same reference that make a grid of clones (R1.2.6.3). */
	readonly cloneCount: number;
	/** Metres by which the two frames of a joint may differ (R1.3.20). */
	readonly jointPosition: number;
	/** Radians by which the two frames of a joint may differ (R1.3.20). */
	readonly jointAngle: number;
	/** Part of the size of an asset by which its origin may miss the bottom centre (R1.1.14). */
	readonly pivot: number;
	/** Radians by which an optical frame may differ from a half turn about X (R2.8.1). */
	readonly opticalAngle: number;
	/** Equal meshes from which instancing is expected (R3.5.1). */
	readonly repeatedMeshes: number;
	/** Triangles up to which meshes are searched for self-intersections (R3.4.6) and convexity (R1.3.1.4). */
	readonly geometryTriangles: number;
	/** How far texture coordinates may leave the unit square (R3.1.7). */
	readonly uv: number;
	/** Emissive colour from which a surface counts as a lamp (R3.6.6, R3.6.7). */
	readonly emission: number;
}

/** How an asset is checked. @public */
export interface CheckOptions {
	readonly profile?: Profile;
	readonly payloadPolicy?: PayloadPolicy;
	/** Rules that are checked; all of them unless given. */
	readonly select?: ReadonlySet<RepCode>;
	/** Severities by rule, instead of the usual ones; `off` does not check the rule. */
	readonly severities?: ReadonlyMap<RepCode, Severity | 'off'>;
	readonly thresholds?: Partial<Thresholds>;
	/** Further prefixes of properties and schemas that belong to vendors, by vendor. */
	readonly vendors?: ReadonlyMap<string, readonly string[]>;
	/** Interface files of ROS packages whose types can be resolved besides those of common packages (R2.3.1). */
	readonly interfaces?: readonly InterfaceDefinition[];
	/** Most variant selections that are checked, the authored one included. */
	readonly maxVariants?: number;
	/** Most prims of all variant selections together, besides the authored one. */
	readonly maxVariantPrims?: number;
	/** Most prims of a stage that are checked. */
	readonly maxPrims?: number;
	/** Most findings kept. */
	readonly maxFindings?: number;
	/** Whether findings come with the source line. */
	readonly excerpts?: boolean;
	/** What an earlier check of the same asset found out about its meshes. */
	readonly memory?: CheckMemory;
	/** Told what is being done. */
	readonly onStep?: (what: string) => void;
}

/**
 * Values of {@link Thresholds} that are used when absent.
 * @example
 * ```ts
 * const strict = { thresholds: { ...THRESHOLDS, cloneCount: 2 } };
 * ```
 * @public
 */
export const THRESHOLDS: Thresholds = {
	heavyBytes: 65_536,
	entryBytes: 4_096,
	cloneCount: 4,
	jointPosition: 1e-4,
	jointAngle: 1e-3,
	pivot: 0.02,
	opticalAngle: (0.1 * Math.PI) / 180,
	repeatedMeshes: 3,
	geometryTriangles: 2_000_000,
	uv: 1e-4,
	emission: 10,
};

/** Values of {@link CheckOptions} that are used when absent. @public */
export const CHECK_DEFAULTS: {
	readonly profile: Profile;
	readonly payloadPolicy: PayloadPolicy;
	readonly maxVariants: number;
	readonly maxVariantPrims: number;
	readonly maxPrims: number;
	readonly maxFindings: number;
	readonly excerpts: boolean;
} = {
	profile: 'distributed',
	payloadPolicy: 'kinematics-visible',
	maxVariants: 64,
	maxVariantPrims: 1_000_000,
	maxPrims: 2_000_000,
	maxFindings: 10_000,
	excerpts: true,
};

/** Options with everything that has a default filled in. @public */
export type CheckSettings = Omit<CheckOptions, 'thresholds'> &
	typeof CHECK_DEFAULTS & { readonly thresholds: Thresholds };

/** Fills in the defaults. */
export function checkSettings(options: CheckOptions): CheckSettings {
	return { ...CHECK_DEFAULTS, ...options, thresholds: { ...THRESHOLDS, ...options.thresholds } };
}
