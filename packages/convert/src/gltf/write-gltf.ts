import type { AssetStore, Stage } from '@manyworlds/usd';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionModel } from '../model/conversion-model.ts';
import type { TargetFile } from '../write/target-files.ts';
import { GltfDocument, type GltfScene } from './gltf-document.ts';
import { addJointAnimation } from './joint-animation.ts';
import type { VariantStage } from './material-variants.ts';
import type { MeshCodec } from './mesh-codec.ts';
import { writeModelScene } from './model-scene.ts';
import type { SceneNodes } from './scene-nodes.ts';
import { type UsdSceneOptions, writeUsdScene } from './usd-scene.ts';

/** What is written into `asset.generator`. */
const GENERATOR = 'Manyworlds';

/**
 * Writes what a robot or scene looks like as glTF 2.0: one file (`glb`), or text with numbers and images beside it (`gltf`). A stage is
 * walked itself, as it shows more than a robot; other sources are written from the model.
 */
export function writeGltf(
	model: ConversionModel,
	stage: Stage | undefined,
	mainFile: string,
	format: 'glb' | 'gltf',
	store: AssetStore,
	ledger: ConversionLedger,
	options: WriteGltfOptions & { readonly variantStages?: readonly VariantStage[] } = {},
): TargetFile[] {
	const document = new GltfDocument();
	dropPhysics(model, ledger);
	const nodes =
		stage === undefined
			? writeModelScene(document, model, store, ledger)
			: writeUsdScene(document, stage, model, store, ledger, options);
	const scenes: GltfScene[] = [{ roots: nodes.roots }];
	if (options.includeColliders === true) {
		const colliders = writeModelScene(document, model, store, ledger, 'collision');
		scenes.push({ name: 'colliders', roots: colliders.roots });
	}
	if (options.fallback === false) document.demand('EXT_mesh_gpu_instancing');
	if (options.animateJoints === true) addJointAnimation(document, model, nodes);
	return format === 'glb'
		? document.toGlb(mainFile, scenes, GENERATOR, options.meshCodec)
		: document.toGltf(mainFile, scenes, GENERATOR, options.meshCodec);
}

/** The same as one file in memory, with the nodes of bodies. */
export function showGltf(
	model: ConversionModel,
	stage: Stage | undefined,
	store: AssetStore,
	ledger: ConversionLedger,
	options: Pick<UsdSceneOptions, 'purposes'>,
): { readonly glb: Uint8Array; readonly nodes: SceneNodes } {
	const document = new GltfDocument();
	const nodes =
		stage === undefined
			? writeModelScene(document, model, store, ledger)
			: writeUsdScene(document, stage, model, store, ledger, options);
	const [file] = document.toGlb('scene.glb', [{ roots: nodes.roots }], GENERATOR);
	return { glb: file!.content as Uint8Array, nodes };
}

/** Options of the writer of glTF. @public */
export interface WriteGltfOptions {
	/** Adds a second scene with what collides. */
	readonly includeColliders?: boolean;
	/** Adds an animation that moves one joint after the other over its way. */
	readonly animateJoints?: boolean;
	/** Adds an animation with what moves over time on a stage. */
	readonly animateStage?: boolean;
	/** Writes lights with a shape as lamps of the same flux; they are lost unless given. */
	readonly areaLights?: boolean;
	/** Leaves out nodes that hold nothing, are no link or frame, and stand where their parent stands. */
	readonly prune?: boolean;
	/** Writes geometry that is invisible as nodes that are (`KHR_node_visibility`); it is left out unless given. */
	readonly keepHidden?: boolean;
	/** How often cages of subdivided meshes are subdivided; the cage is written for 0. */
	readonly subdivide?: number;
	/** Writes primvars that no material reads as attributes whose names begin with an underscore. */
	readonly primvars?: boolean;
	/** Whether viewers that do not know instancing may open the file, and draw one of the instances; false forbids it. */
	readonly fallback?: boolean;
	/** Packs meshes (`EXT_meshopt_compression`), which viewers must then know; see {@link loadMeshCodec}. */
	readonly meshCodec?: MeshCodec;
	/** Writes the variants of a set as materials to choose (`KHR_materials_variants`), where they change nothing else. */
	readonly materialVariants?: { readonly prim: string; readonly set: string };
}

/** Values of {@link WriteGltfOptions} that are used when absent. @public */
export const WRITE_GLTF_DEFAULTS: {
	readonly includeColliders: boolean;
	readonly animateJoints: boolean;
	readonly animateStage: boolean;
	readonly areaLights: boolean;
	readonly prune: boolean;
	readonly keepHidden: boolean;
	readonly subdivide: number;
	readonly primvars: boolean;
	readonly fallback: boolean;
} = {
	includeColliders: false,
	animateJoints: false,
	animateStage: false,
	areaLights: false,
	prune: false,
	keepHidden: false,
	subdivide: 0,
	primvars: false,
	fallback: true,
};

/** glTF shows things; what moves and touches them is not in it. */
function dropPhysics({ joints, loops, mimics, filters, shapes }: ConversionModel, ledger: ConversionLedger): void {
	for (const [index, { kind, freedoms }] of joints.entries()) {
		if (kind !== 'fixed')
			ledger.approximate('joint', index, 'joint-kind', 'glTF has no joints: the links are nested as they stand');
		if (freedoms.some(({ drive }) => drive !== undefined)) ledger.drop('drive', index, 'drive', 'glTF has no drives');
	}
	for (const index of loops.keys()) ledger.drop('loop', index, 'loop', 'glTF has no joints that close loops');
	for (const index of mimics.keys()) ledger.drop('mimic', index, 'joint-kind', 'glTF has no joints that follow others');
	for (const index of filters.keys()) ledger.drop('filter', index, 'filter', 'glTF has nothing that collides');
	for (const [index, { role }] of shapes.entries()) {
		if (role === 'collision')
			ledger.drop('collider', index, 'purpose-proxy', 'glTF shows what is seen, not what collides');
	}
}
