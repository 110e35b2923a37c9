import { type ImageInfo, readImageInfo } from '@manyworlds/image';
import type { Attribute, Path, Prim } from '@manyworlds/usd';
import type { CheckContext } from '../context/check-context.ts';
import { type MaterialNetwork, materialNetwork } from './material-network.ts';

/** Materials of an asset that give surfaces a look, with their networks; made once for all rules. */
export function visualMaterials(context: CheckContext): readonly MaterialNetwork[] {
	let found = NETWORKS.get(context);
	if (found === undefined) {
		const networks = new Map<Path, MaterialNetwork>();
		for (const material of context.lists.materials) {
			if (!isPhysicsOnly(material)) networks.set(material.path, materialNetwork(material));
		}
		found = networks;
		NETWORKS.set(context, found);
	}
	return [...found.values()];
}

/** The network of the material that a prim is drawn with. */
export function networkOf(context: CheckContext, prim: Prim): MaterialNetwork | undefined {
	const material = context.bindings.boundMaterial(prim)?.material;
	if (material === undefined) return undefined;
	visualMaterials(context);
	return NETWORKS.get(context)!.get(material.path);
}

/** Whether a material only says how surfaces feel: it has physics and no terminal for renderers. */
export function isPhysicsOnly(material: Prim): boolean {
	if (!material.hasSchema('PhysicsMaterialAPI')) return false;
	const isTerminal = (name: string): boolean => /^outputs:(?:.*:)?(?:surface|displacement|volume)$/.test(name);
	return !material.authoredPropertyNames().some(isTerminal);
}

/** An image file that an attribute names. */
export interface TextureFile {
	/** Whether the file was found. */
	readonly isFound: boolean;
	/** What its bytes say; undefined when they cannot be read or are no image. */
	readonly info: ImageInfo | undefined;
	/** Whether there were bytes to look at. */
	readonly isRead: boolean;
}

/** Finds and reads the image that an asset attribute names, once for each file. */
export function textureFile(context: CheckContext, file: Attribute, assetPath: string): TextureFile {
	const { site } = file.resolveInfo('default');
	const layer = site?.layer ?? context.rootLayer;
	const { identifier, refusal } = context.store.identify(assetPath, layer.identifier);
	if (refusal !== undefined || context.store.exists(identifier) !== true)
		return { isFound: false, info: undefined, isRead: false };
	let known = FILES.get(context.settings);
	if (known === undefined) {
		known = new Map();
		FILES.set(context.settings, known);
	}
	let found = known.get(identifier);
	if (found === undefined) {
		const bytes = context.store.bytes(identifier);
		const isRead = bytes instanceof Uint8Array;
		found = { isFound: true, info: isRead ? readImageInfo(bytes) : undefined, isRead };
		known.set(identifier, found);
	}
	return found;
}

const NETWORKS = new WeakMap<CheckContext, Map<Path, MaterialNetwork>>();
const FILES = new WeakMap<object, Map<string, TextureFile>>();
