import { Report } from '@manyworlds/core';
import type { Model } from '@manyworlds/model';
import { worldOffsets } from '@manyworlds/model/internal';
import { ControlPlayback, readControl, readScene, SCENE_DEFAULTS } from '@manyworlds/scene';
import { isAssetFailure, whenLoaded } from '@manyworlds/usd';
import type { Asset } from 'manyworlds';

/** The targets that a scene plays on its model, as `manyworlds run` does; undefined where it plays none. Rejects with a sentence. */
export async function scenePlayback({ store, identifier }: Asset, model: Model): Promise<ControlPlayback | undefined> {
	const text = await read(identifier);
	const { scene } = readScene(text, { file: identifier });
	const control = scene?.control;
	if (scene === undefined || typeof control?.source !== 'string') return undefined;
	const file = store.identify(control.source, identifier).identifier;
	const report = new Report();
	const sequence = readControl(await read(file), { file: store.name(file), report });
	const spacing = scene.replicate.spacing ?? SCENE_DEFAULTS.spacing;
	const playback =
		sequence &&
		ControlPlayback.create(sequence, model, {
			report,
			worldOffsets: worldOffsets(model.worldCount, model.worldCount > 1 ? spacing : [0, 0, 0], model.upAxis),
			...(control.loop !== undefined && { loop: control.loop }),
		});
	if (playback === undefined) {
		throw new Error(`the targets of '${store.name(file)}' cannot be played: ${report.toArray()[0]?.message}`);
	}
	return playback;

	async function read(path: string): Promise<string> {
		const content = await whenLoaded(store, () => store.text(path) ?? store.bytes(path) ?? { failure: '' });
		if (isAssetFailure(content))
			throw new Error(`'${store.name(path)}' cannot be read: ${content.failure || 'it is not there'}`);
		return new TextDecoder().decode(content);
	}
}
