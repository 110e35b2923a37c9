import { Report } from '@manyworlds/core';
import { type AssetStore, type LoadRules, whenLoaded } from '@manyworlds/usd';
import { GltfDocument } from './gltf/gltf-document.ts';
import { writeModelScene } from './gltf/model-scene.ts';
import type { SceneNodes } from './gltf/scene-nodes.ts';
import { ConversionLedger } from './model/conversion-ledger.ts';
import type { ConversionModel } from './model/conversion-model.ts';
import { outlineStore } from './outline-store.ts';

/** Options of {@link outlineRobot}. */
export interface OutlineRobotOptions {
	/** Payloads of a stage that are loaded; all unless given. */
	readonly load?: LoadRules;
	/** Purposes of geometry on a stage that are drawn; `default` and `render` unless given. */
	readonly purposes?: ReadonlySet<string>;
}

/** Formats of files that have something to see. */
export type OutlinedFormat = 'usd' | 'urdf' | 'mjcf' | 'sdf';

/**
 * Draws a robot or a stage as glTF in memory, with boxes in place of large meshes, about where these are: a first look while they are
 * read. Undefined when there is nothing to see. Only the reader of the format is loaded, as the whole of them takes longer than it.
 */
export async function outlineRobot(
	identifier: string,
	files: AssetStore,
	format: OutlinedFormat,
	options: OutlineRobotOptions = {},
): Promise<Uint8Array | undefined> {
	const draw = format === 'usd' ? await stageOutline(options) : await modelOutline(format);
	const store = outlineStore(files);
	return whenLoaded(store, () => {
		const document = new GltfDocument();
		const scene = draw(document, identifier, store);
		if (scene === undefined) return undefined;
		const [file] = document.toGlb('outline.glb', [{ roots: scene.roots }], 'Manyworlds');
		return file!.content as Uint8Array;
	});
}

/** Draws a file into a document; undefined when there is nothing to see. */
type Draw = (document: GltfDocument, identifier: string, store: AssetStore) => SceneNodes | undefined;

async function stageOutline({ load, purposes }: OutlineRobotOptions): Promise<Draw> {
	const { outlineStage } = await import('./outline-stage.ts');
	return (document, identifier, store) => outlineStage(document, identifier, store, { load, purposes });
}

async function modelOutline(format: Exclude<OutlinedFormat, 'usd'>): Promise<Draw> {
	const read = await readerOf(format);
	return (document, identifier, store) => {
		const bytes = store.bytes(identifier);
		const model = bytes instanceof Uint8Array ? read(bytes, identifier, store, new Report()) : undefined;
		return model === undefined ? undefined : writeModelScene(document, model, store, new ConversionLedger());
	};
}

type ReadModel = (
	bytes: Uint8Array,
	identifier: string,
	store: AssetStore,
	report: Report,
) => ConversionModel | undefined;

async function readerOf(format: Exclude<OutlinedFormat, 'usd'>): Promise<ReadModel> {
	switch (format) {
		case 'urdf':
			return (await import('./from/from-urdf.ts')).fromUrdf;
		case 'mjcf':
			return (await import('./from/from-mjcf.ts')).fromMjcf;
		case 'sdf':
			return (await import('./from/from-sdf.ts')).fromSdf;
	}
}
