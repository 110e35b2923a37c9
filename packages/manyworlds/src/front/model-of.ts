import { translateSdf } from '@manyworlds/convert';
import { Report } from '@manyworlds/core';
import {
	importAsset,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
	type SchemaResolver,
} from '@manyworlds/import';
import { runSettingsOf } from '@manyworlds/import/internal';
import {
	type ContactDefaultsName,
	type Model,
	ModelBuilder,
	ModelError,
	registerMujocoAttributes,
	type State,
} from '@manyworlds/model';
import { loadScene } from '@manyworlds/scene';
import { overlapsOf, type SolverSapOptions } from '@manyworlds/sim';
import { SAP_ROBOT_OPTIONS } from '@manyworlds/sim/internal';
import { LoadRules, whenLoaded } from '@manyworlds/usd';
import { type Ground, ROBOT_DEFAULTS } from '@manyworlds/worlds';
import { placeRobot, reportStartOverlaps } from '@manyworlds/worlds/internal';
import type { Asset } from './asset.ts';
import { AssetError } from './asset-error.ts';
import { type RobotStartOptions, startRobot } from './start-robot.ts';

/** How an asset becomes a model. @public */
export interface RobotOptions extends RobotStartOptions {
	/** Number of worlds; 1 for a robot and what the scene says for a scene, unless given. */
	readonly worlds?: number;
	/** Distance between the worlds of a robot along each axis [m]; 2, 2 and 0 unless given. */
	readonly spacing?: ArrayLike<number>;
	/** Whether a robot stands on a plane where its file has no ground; true unless given. A scene says that itself. */
	readonly ground?: boolean;
	/** Whether the base of a robot floats; as its format says unless given. */
	readonly floating?: boolean;
	/** Contact of a robot's shapes that say nothing about it; `firm` unless given. */
	readonly contactDefaults?: ContactDefaultsName;
	/** Schemas of OpenUSD that count, the first one most; `newton` unless given. */
	readonly resolvers?: readonly ('newton' | 'physx' | 'mjc')[];
	/** Whether shapes of a robot that are only seen are in the model; yes unless given. Nothing but their shapes depends on it. */
	readonly visuals?: boolean;
	/** Paths of prims of OpenUSD whose payloads are left out; none unless given. */
	readonly unloaded?: readonly string[];
	/** Further robots and things beside a robot, whose rows of the model follow its own. */
	readonly beside?: readonly PlacedAsset[];
}

/** A robot or a thing at a place. @public */
export interface PlacedAsset {
	/** Stands before its labels. */
	readonly name: string;
	readonly asset: Asset;
	/** [m, quaternion x y z w] */
	readonly pose: ArrayLike<number>;
}

/** A model with what its run starts from. @public */
export interface OpenedModel {
	readonly model: Model;
	readonly start: State;
	/** Time step [s]. */
	readonly dt: number;
	/** What a robot stands on; undefined for a scene. */
	readonly ground?: Ground;
	/** What of the run the file of a robot decided, in words. */
	readonly taken?: readonly string[];
	/** States that the file of a robot names. */
	readonly keyframes?: readonly string[];
	readonly sap: SolverSapOptions;
	/** Room for contacts of each world, where the scene says it. */
	readonly contactsPerWorld?: number;
	readonly report: Report;
}

/**
 * Imports a robot or loads a scene, without a solver. Rejects with an {@link AssetError} when there is nothing to simulate.
 *
 * ```ts
 * const { model, start } = await modelOf(await openAsset('arm.urdf'));
 * start.bodyQ; // where the bodies start
 * ```
 * @public
 */
export async function modelOf(asset: Asset, options: RobotOptions = {}): Promise<OpenedModel> {
	const { store, name } = asset;
	const found = await whenLoaded(store, () => {
		const report = new Report();
		try {
			const opened = asset.format === 'scene' ? ofScene(asset, options, report) : ofRobot(asset, options, report);
			return { opened, report, why: '' };
		} catch (error) {
			// a robot whose parts do not make a model, such as joints in no articulation
			if (!(error instanceof ModelError)) throw error;
			return { opened: undefined, report, why: `: ${error.message}` };
		}
	});
	const report = new Report();
	report.addAll(store.report);
	report.addAll(found.report);
	if (found.opened === undefined) throw new AssetError('OPEN002', `'${name}' cannot be simulated${found.why}`, report);
	return { ...found.opened, report };
}

const RESOLVERS: Readonly<Record<string, SchemaResolver>> = {
	newton: SCHEMA_RESOLVER_NEWTON,
	physx: SCHEMA_RESOLVER_PHYSX,
	mjc: SCHEMA_RESOLVER_MJC,
};

type Opened = Omit<OpenedModel, 'report'>;

function ofRobot({ store, identifier }: Asset, options: RobotOptions, report: Report): Opened | undefined {
	const { resolvers = ['newton'], contactDefaults = ROBOT_DEFAULTS.contactDefaults, ground = true } = options;
	const builder = new ModelBuilder({ contactDefaults });
	if (resolvers.includes('mjc')) registerMujocoAttributes(builder);
	const { keyframe, visuals = true } = options;
	const imported = importAsset(identifier, builder, {
		store,
		report,
		...(options.floating !== undefined && { floating: options.floating }),
		translateSdf,
		...(options.unloaded !== undefined && { load: LoadRules.except(options.unloaded) }),
		usd: { schemaResolvers: resolvers.map((resolver) => RESOLVERS[resolver]!), loadVisualShapes: visuals },
		urdf: { parseVisuals: visuals },
		mjcf: { parseVisuals: visuals, ...(keyframe !== undefined && { keyframe }) },
	});
	if (imported.format === undefined) return undefined;
	const settings = runSettingsOf(imported);
	const { keyframes } = settings;
	if (keyframe !== undefined && !keyframes.includes(keyframe)) return undefined;
	for (const other of options.beside ?? []) addBeside(builder, other, report);
	const { worlds: count = 1, spacing } = options;
	const placed = placeRobot(builder, { count, ground, ...(spacing !== undefined && { spacing }) });
	const model = placed.builder.finalize();
	report.addAll(model.report);
	const { start, dt, taken } = startRobot(model, placed.ground, settings, options, report);
	return { model, start: start.state, dt, taken, keyframes, ground: placed.ground, sap: SAP_ROBOT_OPTIONS };
}

/** Puts another robot or thing into a model. What its format does not fix floats. Throws where it is none. */
function addBeside(builder: ModelBuilder, { name, asset, pose }: PlacedAsset, report: Report): void {
	const own = new ModelBuilder({ contactDefaults: ROBOT_DEFAULTS.contactDefaults });
	const { store, identifier } = asset;
	const { format } = importAsset(identifier, own, { store, report, floating: true, translateSdf });
	if (format === undefined || own.bodyCount === 0)
		throw new AssetError('OPEN002', `'${asset.name}' cannot be simulated`, report);
	// gravity is that of the robot
	own.gravity = builder.gravity;
	builder.addBuilder(own, { xform: pose, labelPrefix: name });
}

function ofScene({ store, identifier, checkout }: Asset, options: RobotOptions, report: Report): Opened | undefined {
	const { loaded } = loadScene(identifier, {
		store,
		report,
		...(checkout && { checkout }),
		...(options.worlds !== undefined && { numWorlds: options.worlds }),
	});
	if (loaded === undefined) return undefined;
	const { model, state, settings } = loaded;
	const { dt, solver, maxRigidContact } = settings;
	if (loaded.scene.ground.lift !== true) reportStartOverlaps(model, state, overlapsOf(model), report);
	return {
		model,
		start: state,
		dt,
		sap: solver,
		...(maxRigidContact !== undefined && { contactsPerWorld: maxRigidContact }),
	};
}
