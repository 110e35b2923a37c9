import type { Report } from '@manyworlds/core';
import type { CollapseResult, UpAxis } from '@manyworlds/model';
import type { Ledger } from '../ledger.ts';
import type { UsdActuator } from './actuators.ts';
import type { PlainValue } from './plain-value.ts';
import type { CollectedAttributes } from './resolvers/resolver-set.ts';

/** What merging bodies did, with the joints that held them. @public */
export interface CollapseResults extends CollapseResult {
	/** By label of a merged body: the body that held it, and its pose in that. */
	readonly mergedBodyData: ReadonlyMap<string, MergedBody>;
}

/** Where a merged body was held. @public */
export interface MergedBody {
	/** Label of the body at the other end of the fixed joint; '' for the world. */
	readonly parentBody: string;
	/** Pose in the body that took it. */
	readonly relativeXform: Float64Array;
}

/** What {@link importUsd} gives. Newton's keys are the same in snake_case. @public */
export interface ImportUsdResult {
	/** Frames per second of the stage. */
	readonly fps: number;
	/** End time code less start time code. */
	readonly duration: number;
	readonly upAxis: UpAxis;
	/** By prim path: the body; -1 for one that was merged into the world. */
	readonly pathBodyMap: ReadonlyMap<string, number>;
	/** By prim path: the joint. Several joints between the same bodies share one. */
	readonly pathJointMap: ReadonlyMap<string, number>;
	/** Which way of its joint each of several joints between the same bodies became, by path. */
	readonly pathDofMap: ReadonlyMap<string, number>;
	/** By prim path of a geometric prim or of a subset of its faces: the shape. */
	readonly pathShapeMap: ReadonlyMap<string, number>;
	/** By prim path: scale in the world, with signs. */
	readonly pathShapeScale: ReadonlyMap<string, readonly [number, number, number]>;
	/** Always empty: particles are not imported. */
	readonly pathParticleMap: ReadonlyMap<string, readonly [number, number]>;
	/** Kilograms per unit of the stage, 1 when it says nothing. */
	readonly massUnit: number;
	/** Metres per unit of the stage, 1 when it says nothing. */
	readonly linearUnit: number;
	/** Every attribute of the scene, fallbacks included, then custom values by their keys. */
	readonly sceneAttributes: ReadonlyMap<string, PlainValue | undefined>;
	readonly physicsScenePath: string | undefined;
	/** Time step [s]; undefined without a scene. */
	readonly physicsDt: number | undefined;
	/** Time step [s] that the stage gives; undefined when it gives none. */
	readonly timestep: number | undefined;
	readonly maxSolverIterations: number | undefined;
	/** What merging did; undefined unless it was asked for. */
	readonly collapseResults: CollapseResults | undefined;
	/** Attributes of solvers as they stand on the stage: by resolver, prim path and name. */
	readonly schemaAttrs: CollectedAttributes;
	/** By prim path of a body that was merged: its pose in the body that took it. */
	readonly pathBodyRelativeTransform: ReadonlyMap<string, Float64Array>;
	/** By prim path of a body: its index before merging. */
	readonly pathOriginalBodyMap: ReadonlyMap<string, number>;
	/** Always undefined: particles are not imported. */
	readonly particleScenePath: string | undefined;
	/** Number of Newton actuators on the stage that were imported. */
	readonly actuatorCount: number;
	readonly actuators: readonly UsdActuator[];
	readonly report: Report;
	readonly ledger: Ledger;
}
