import type { MeshColliders } from '@manyworlds/import';
import type { ContactDefaultsName, Control, Model, State } from '@manyworlds/model';
import { CollisionPipeline, SolverSap, type SolverSapOptions, type WorldContacts } from '@manyworlds/sim';
import type { LoadedAsset } from './load/add-assets.ts';
import type { Scene } from './schema/scene.ts';

/** Settings of a run, with defaults filled in. @public */
export interface SceneSettings {
	/** Time step [s]. */
	readonly dt: number;
	readonly numWorlds: number;
	/** Contacts per world; undefined when the scene gives no number. */
	readonly maxRigidContact: number | undefined;
	/** Contacts of all worlds together; undefined when neither the scene nor the caller gives a number. */
	readonly rigidContactMax: number | undefined;
	readonly solver: SolverSapOptions;
	/** Contact of shapes that say nothing about it, by name. */
	readonly contactDefaults: ContactDefaultsName;
	/** A file with targets to play back, as the store names it. */
	readonly control: { readonly file: string; readonly loop: boolean } | undefined;
}

/** Values of {@link SceneSettings} that are used when a scene gives none. @public */
export const SCENE_DEFAULTS: {
	readonly dt: number;
	readonly numWorlds: number;
	/** [m]. */
	readonly spacing: readonly [number, number, number];
	readonly contactDefaults: ContactDefaultsName;
	readonly meshColliders: MeshColliders;
	/** Along z [m/s²]. */
	readonly gravity: number;
} = { dt: 0.003, numWorlds: 1, spacing: [2, 2, 0], contactDefaults: 'newton', meshColliders: 'hull', gravity: -9.81 };

/**
 * A scene that is ready to run.
 *
 * One `Model` serves collision and solver, so that `collision_model` and `sap_model` of SAP Warp are the same object here, and
 * so are `collision_state` and `sap_state`.
 *
 * | SAP Warp | here |
 * | --- | --- |
 * | `collision_model`, `sap_model` | `model`, also `collisionModel`, `sapModel` |
 * | `collision_state`, `sap_state` | `state`, also `collisionState`, `sapState` |
 * | `sap_control` | `control`, also `sapControl` |
 * | `body_labels`, `shape_labels` | `bodyLabels`, `shapeLabels` |
 * | `unsupported_features` | `unsupportedFeatures` |
 * | `source_path` | `file` |
 * @public
 */
export class LoadedScene {
	/** Name of the scene file. */
	readonly file: string;
	readonly scene: Scene;
	readonly model: Model;
	/** The initial state; bodies stand where the joints put them. */
	readonly state: State;
	/** The initial control. */
	readonly control: Control;
	readonly settings: SceneSettings;
	readonly assets: readonly LoadedAsset[];
	/** Features that could not be loaded, in the words of SAP Warp; empty after a strict load. */
	readonly unsupportedFeatures: readonly string[];

	constructor(parts: {
		readonly file: string;
		readonly scene: Scene;
		readonly model: Model;
		readonly state: State;
		readonly control: Control;
		readonly settings: SceneSettings;
		readonly assets: readonly LoadedAsset[];
		readonly unsupportedFeatures: readonly string[];
	}) {
		this.file = parts.file;
		this.scene = parts.scene;
		this.model = parts.model;
		this.state = parts.state;
		this.control = parts.control;
		this.settings = parts.settings;
		this.assets = parts.assets;
		this.unsupportedFeatures = parts.unsupportedFeatures;
	}

	get worldCount(): number {
		return this.model.worldCount;
	}

	get bodyLabels(): readonly string[] {
		return this.model.labels('body');
	}

	get shapeLabels(): readonly string[] {
		return this.model.labels('shape');
	}

	get collisionModel(): Model {
		return this.model;
	}

	get collisionState(): State {
		return this.state;
	}

	get sapModel(): Model {
		return this.model;
	}

	get sapState(): State {
		return this.state;
	}

	get sapControl(): Control {
		return this.control;
	}

	/** A collision pipeline and a buffer with the capacity of the scene. */
	createCollision(): { readonly pipeline: CollisionPipeline; readonly contacts: WorldContacts } {
		const pipeline = new CollisionPipeline(this.model);
		const { rigidContactMax } = this.settings;
		const perWorld = rigidContactMax === undefined ? {} : { perWorld: Math.floor(rigidContactMax / this.worldCount) };
		return { pipeline, contacts: pipeline.createContacts(perWorld) };
	}

	/** A solver with the options of the scene; those given win. */
	createSolver(options: SolverSapOptions = {}): SolverSap {
		return new SolverSap(this.model, { ...this.settings.solver, ...options });
	}
}
