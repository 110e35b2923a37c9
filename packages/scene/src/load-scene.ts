import { quote, Report } from '@manyworlds/core';
import { ArticulatedDynamics, type Model, ModelBuilder, registerMujocoAttributes, type State } from '@manyworlds/model';
import { overlapsOf, registerSapAttributes } from '@manyworlds/sim';
import { SAP_TAU_ATTRIBUTE } from '@manyworlds/sim/internal';
import { type AssetStore, isAssetFailure } from '@manyworlds/usd';
import { startOf } from '@manyworlds/worlds';
import { createDiagnostic } from './diagnostics.ts';
import { addAssets } from './load/add-assets.ts';
import { addBodies } from './load/add-bodies.ts';
import { addArticulations, addJoints, axisConfig } from './load/add-joints.ts';
import type { GitCheckout } from './load/asset-source.ts';
import { LoadContext } from './load/load-context.ts';
import { applyPostBuild, setJointPosition } from './load/post-build.ts';
import { SHAPE_DEFAULTS, withShapeConfig } from './load/shape-defaults.ts';
import { LoadedScene, SCENE_DEFAULTS, type SceneSettings } from './loaded-scene.ts';
import { type ReadSceneOptions, readSceneDocument } from './read-scene.ts';
import type { SceneDocument } from './scene-document.ts';
import type { Scene } from './schema/scene.ts';

/** Options of {@link loadScene}. @public */
export interface LoadSceneOptions extends Omit<ReadSceneOptions, 'file'> {
	/**
	 * Where the scene file, assets and meshes are; paths in a scene are relative to its file. Its report gets what is wrong with the
	 * layers of assets, which are used as far as they could be read, and all else when no report is given.
	 */
	readonly store: AssetStore;
	/** Checks out git sources; without it they are unsupported. */
	readonly checkout?: GitCheckout;
	/** Whether unsupported features refuse the scene; true when absent. */
	readonly strict?: boolean;
	/**
	 * Takes assets as Newton does, on which SAP Warp stands: meshes collide as triangles, fixed parts of links with their
	 * neighbours, and ROS packages are folders of their name.
	 */
	readonly newtonCompat?: boolean;
	/** In place of the number of the scene. */
	readonly numWorlds?: number;
	/** In place of `replicate.spacing` [m]. */
	readonly spacing?: readonly [number, number, number];
	/** Contacts of all worlds together, in place of `simulation.max_rigid_contact` times the number of worlds. */
	readonly rigidContactMax?: number;
	/** Told after each step, with the builder as it then is; before `replicate` it holds the authored world. */
	readonly observe?: (step: SceneLoadStep, builder: ModelBuilder) => void;
}

/** A step of a load; a number is an operation of `post_build`. @public */
export type SceneLoadStep =
	| 'defaults'
	| 'assets'
	| 'bodies'
	| 'joints'
	| 'articulations'
	| 'initial_joint_q'
	| number
	| 'replicate'
	| 'ground';

/** What {@link loadScene} gives. @public */
export interface LoadSceneResult {
	/** Undefined when something is wrong, which the report says. */
	readonly loaded: LoadedScene | undefined;
	readonly report: Report;
	/** Features that cannot be loaded, in the words of SAP Warp, also when they refuse the scene. */
	readonly unsupportedFeatures: readonly string[];
}

/**
 * Loads a scene file: reads it, builds the authored world from builder defaults, assets, inline bodies, joints and
 * articulations, applies initial coordinates and edits, replicates it, and adds the ground. Body poses always follow from
 * joint coordinates. Never throws for what a file says.
 *
 * ```ts
 * const { loaded, report } = loadScene('/scenes/box.yaml', { store });
 * const { pipeline, contacts } = loaded.createCollision();
 * const solver = loaded.createSolver();
 * ```
 * @public
 */
export function loadScene(file: string, options: LoadSceneOptions): LoadSceneResult {
	const refuse = (message: string): LoadSceneResult => {
		const report = options.report ?? options.store.report;
		report.add(createDiagnostic('SCN031', `${quote(file)} ${message}`, { file }));
		return { loaded: undefined, report, unsupportedFeatures: [] };
	};
	const { identifier, refusal } = options.store.identify(file, '');
	if (refusal !== undefined) return refuse(`cannot be read: ${refusal}`);
	const content = options.store.bytes(identifier) ?? { failure: 'it is not loaded yet' };
	if (isAssetFailure(content))
		return refuse(content.failure === '' ? 'does not exist' : `cannot be read: ${content.failure}`);
	const text = new TextDecoder().decode(content);
	return loadSceneText(text, { ...options, file: identifier });
}

/** Loads the text of a scene; `file` names it and is what its paths are relative to. @public */
export function loadSceneText(
	text: string,
	options: Omit<LoadSceneOptions, 'store'> & { readonly store?: AssetStore; readonly file?: string } = {},
): LoadSceneResult {
	// errors that the caller's report holds already are none of this scene
	const own = new Report();
	const file = options.file ?? 'scene.yaml';
	const { scene, document } = readSceneDocument(text, { ...options, file, report: own });
	const result: LoadSceneResult =
		scene === undefined || document === undefined
			? { loaded: undefined, report: own, unsupportedFeatures: [] }
			: new SceneLoad(scene, document, { ...options, file, report: own }).run();
	const report = options.report ?? options.store?.report;
	if (report === undefined) return result;
	report.addAll(own);
	return { ...result, report };
}

type Options = Omit<LoadSceneOptions, 'store' | 'report'> & {
	readonly store?: AssetStore;
	readonly file: string;
	readonly report: Report;
};

/** One load, step by step in the order of the seed. */
class SceneLoad {
	readonly #scene: Scene;
	readonly #options: Options;
	readonly #context: LoadContext;

	constructor(scene: Scene, document: SceneDocument, options: Options) {
		const builder = new ModelBuilder();
		this.#scene = scene;
		this.#options = options;
		this.#context = new LoadContext({
			document,
			report: options.report,
			builder,
			store: options.store,
			file: options.file,
			isStrict: options.strict ?? true,
			shapeDefaults: SHAPE_DEFAULTS,
			meshColliders:
				scene.builder.mesh_colliders ?? (options.newtonCompat ? 'triangles' : SCENE_DEFAULTS.meshColliders),
			filterJoinedParts: !options.newtonCompat,
			renamedPackages: !options.newtonCompat,
		});
	}

	run(): LoadSceneResult {
		const scene = this.#scene;
		const context = this.#context;
		const { report, unsupportedFeatures } = context;
		const settings = this.#settings();
		const observe = (step: SceneLoadStep, builder = context.builder): void => this.#options.observe?.(step, builder);
		this.#applyDefaults();
		observe('defaults');
		const assets = addAssets(context, scene.assets, this.#options.checkout);
		observe('assets');
		addBodies(context, scene.bodies);
		observe('bodies');
		addJoints(context, scene.joints);
		observe('joints');
		addArticulations(context, scene.articulations, scene.joints);
		observe('articulations');
		scene.initial_joint_q.forEach((position, i) => {
			setJointPosition(context, position, ['initial_joint_q', i]);
		});
		observe('initial_joint_q');
		applyPostBuild(context, scene.post_build, observe);
		const builder = this.#replicate(settings);
		observe('replicate', builder);
		this.#addGround(builder);
		observe('ground', builder);
		if (!report.hasErrors && builder.shapeCount === 0) {
			context.add('SCN050', [], 'has no shape, expected at least one collision shape');
		}
		const refused: LoadSceneResult = { loaded: undefined, report, unsupportedFeatures };
		if (report.hasErrors) return refused;
		const model = context.try([], () => builder.finalize());
		if (model === undefined) return refused;
		report.addAll(model.report);
		if (model.jointDofCount === 0)
			context.add('SCN063', [], 'has no joint that can move, so that a run changes nothing');
		const state = this.#start(model);
		// states made later start from the same poses
		model.bodyQ.set(state.bodyQ);
		model.bodyQd.set(state.bodyQd);
		const control = model.createControl();
		const loaded = new LoadedScene({
			file: context.file,
			scene,
			model,
			state,
			control,
			settings,
			assets,
			unsupportedFeatures: unsupportedFeatures.slice(),
		});
		return { loaded, report, unsupportedFeatures };
	}

	/** Bodies stand where the joints put them; robots are lifted from the ground where the scene says so. */
	#start(model: Model): State {
		if (this.#scene.ground.lift === true)
			return startOf(model, this.#context.report, { findOverlaps: overlapsOf(model) }).state;
		const state = model.createState();
		new ArticulatedDynamics(model).forwardKinematics(state);
		return state;
	}

	/** What the scene and the caller say about the run. */
	#settings(): SceneSettings {
		const { simulation, replicate, builder, control } = this.#scene;
		const context = this.#context;
		const { num_worlds: inSimulation } = simulation;
		const { num_worlds: inReplicate } = replicate;
		if (inSimulation !== undefined && inReplicate !== undefined && inSimulation !== inReplicate) {
			const message = `is ${inReplicate}, but simulation.num_worlds is ${inSimulation}, which is followed`;
			context.add('SCN011', ['replicate', 'num_worlds'], message);
		}
		for (const [key, why] of Object.entries(simulation.solver?.inert ?? {})) {
			context.add('SCN060', ['simulation', 'solver', key], `has no effect: ${why}`);
		}
		const numWorlds = this.#options.numWorlds ?? inSimulation ?? inReplicate ?? SCENE_DEFAULTS.numWorlds;
		const cap = simulation.max_rigid_contact;
		const tau = builder.shape?.tau;
		return {
			dt: simulation.dt ?? SCENE_DEFAULTS.dt,
			numWorlds,
			maxRigidContact: cap,
			rigidContactMax: this.#options.rigidContactMax ?? (cap === undefined ? undefined : cap * numWorlds),
			solver: { ...(tau === undefined ? {} : { contactTauD: tau }), ...simulation.solver?.options },
			contactDefaults: builder.contact_defaults ?? SCENE_DEFAULTS.contactDefaults,
			control:
				control === undefined ? undefined : { file: this.#controlFile(control.source), loop: control.loop ?? false },
		};
	}

	#controlFile(source: string): string {
		const { store, file } = this.#context;
		if (store === undefined) return source;
		const { identifier, refusal } = store.identify(source, file);
		if (refusal !== undefined) {
			this.#context.add('SCN031', ['control', 'source'], `is ${quote(source)}, which cannot be read: ${refusal}`);
		}
		return identifier;
	}

	#applyDefaults(): void {
		const { builder: given } = this.#scene;
		const context = this.#context;
		const { builder } = context;
		registerSapAttributes(builder);
		if (given.register_mujoco_custom_attributes) registerMujocoAttributes(builder);
		builder.useContactDefaults(given.contact_defaults ?? SCENE_DEFAULTS.contactDefaults);
		const { ke, kd } = builder.defaultShapeConfig;
		if (given.rigid_gap !== undefined) builder.rigidGap = given.rigid_gap;
		builder.gravity = [0, 0, given.gravity ?? SCENE_DEFAULTS.gravity];
		context.bodyArmature = given.default_body_armature ?? 0;
		context.shapeDefaults = withShapeConfig(
			{ ...SHAPE_DEFAULTS, config: { ...SHAPE_DEFAULTS.config, ke, kd } },
			given.shape ?? {},
		);
		builder.defaultShapeConfig = context.shapeDefaults.config;
		// drives are off unless a mode is given, whatever their gains
		builder.defaultJointConfig = { ...builder.defaultJointConfig, actuatorMode: 0, ...axisConfig(given.joint ?? {}) };
		const cap = this.#scene.simulation.max_rigid_contact;
		if (cap !== undefined) builder.rigidContactsPerWorld = cap;
	}

	/** Copies of the authored world; a single one stays global, as in SAP Warp. */
	#replicate({ numWorlds }: SceneSettings): ModelBuilder {
		const { builder } = this.#context;
		if (numWorlds <= 1) return builder;
		const all = new ModelBuilder({
			gravity: builder.gravity,
			contactDefaults: builder.contactDefaults,
			rigidGap: builder.rigidGap,
		});
		if (builder.rigidContactsPerWorld !== undefined) all.rigidContactsPerWorld = builder.rigidContactsPerWorld;
		const spacing = this.#options.spacing ?? this.#scene.replicate.spacing ?? SCENE_DEFAULTS.spacing;
		all.replicate(builder, { count: numWorlds, spacing });
		return all;
	}

	#addGround(builder: ModelBuilder): void {
		const { enabled, height, label, cfg } = this.#scene.ground;
		if (!enabled) return;
		const { config, tau } = withShapeConfig(this.#context.shapeDefaults, cfg ?? {});
		registerSapAttributes(builder);
		this.#context.try(['ground'], () =>
			builder.addGroundPlane({
				config,
				height: height ?? 0,
				...(label === undefined ? {} : { label }),
				attributes: { [SAP_TAU_ATTRIBUTE]: tau },
			}),
		);
	}
}
