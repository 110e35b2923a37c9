import { Report } from '@manyworlds/core';
import type { AssetStore, LoadRules } from '@manyworlds/usd';
import { openUsd } from './from/open-usd.ts';
import type { GltfDocument } from './gltf/gltf-document.ts';
import type { SceneNodes } from './gltf/scene-nodes.ts';
import { DRAWN_PURPOSES } from './gltf/stage-visibility.ts';
import { writeUsdScene } from './gltf/usd-scene.ts';
import { ConversionLedger } from './model/conversion-ledger.ts';
import { emptyModel } from './model/empty-model.ts';

/** What of a stage is drawn. */
export interface OutlineStageOptions {
	readonly load: LoadRules | undefined;
	readonly purposes: ReadonlySet<string> | undefined;
}

/** Draws a stage with boxes in place of meshes; joints are not read. Undefined when there is no stage. */
export function outlineStage(
	document: GltfDocument,
	identifier: string,
	store: AssetStore,
	{ load, purposes = DRAWN_PURPOSES }: OutlineStageOptions,
): SceneNodes | undefined {
	const stage = openUsd(identifier, store, new Report(), [], load);
	if (stage === undefined) return undefined;
	const model = emptyModel(stage.defaultPrim?.name ?? 'scene');
	return writeUsdScene(document, stage, model, store, new ConversionLedger(), { purposes, outline: true });
}
