import type { AssetStore, Layer } from '@manyworlds/usd';
import { type AssetPathUse, listAssetPaths } from '@manyworlds/usd/internal';
import type { CheckSettings } from '../check-options.ts';
import { type LayerCensus, takeCensus } from './layer-census.ts';
import { type ClassifiedLayer, classifyLayer, layerStem } from './layer-role.ts';
import { unknownVendors } from './unknown-vendors.ts';
import { VendorRegistry } from './vendors.ts';

/** What all variant selections of an asset have in common. @public */
export class AssetState {
	readonly settings: CheckSettings;
	readonly store: AssetStore;
	/** Vendors that are known, those that the asset itself tells of among them. */
	vendors: VendorRegistry;
	readonly #census = new Map<Layer, LayerCensus>();
	readonly #roles = new Map<Layer, ClassifiedLayer>();
	readonly #assetPaths = new Map<Layer, readonly AssetPathUse[]>();
	readonly #facts = new Map<(layer: Layer, census: LayerCensus) => unknown, Map<Layer, unknown>>();

	constructor(store: AssetStore, settings: CheckSettings) {
		this.store = store;
		this.settings = settings;
		this.vendors = new VendorRegistry(settings.vendors);
	}

	/** Looks for vendors that nobody has told about, before anything is counted. */
	learnVendors(layers: Iterable<Layer>): void {
		const found = unknownVendors(layers, this.vendors);
		if (found.size > 0) this.vendors = new VendorRegistry(new Map([...found, ...(this.settings.vendors ?? [])]));
	}

	census(layer: Layer): LayerCensus {
		let found = this.#census.get(layer);
		if (found === undefined) {
			found = takeCensus(layer, this.vendors);
			this.#census.set(layer, found);
		}
		return found;
	}

	assetPaths(layer: Layer): readonly AssetPathUse[] {
		let found = this.#assetPaths.get(layer);
		if (found === undefined) {
			found = listAssetPaths(layer.data);
			this.#assetPaths.set(layer, found);
		}
		return found;
	}

	/** What a function makes of a layer and its census, made once. */
	fact<V>(layer: Layer, make: (layer: Layer, census: LayerCensus) => V): V {
		let known = this.#facts.get(make) as Map<Layer, V> | undefined;
		if (known === undefined) {
			known = new Map();
			this.#facts.set(make, known);
		}
		let found = known.get(layer);
		if (found === undefined) {
			found = make(layer, this.census(layer));
			known.set(layer, found);
		}
		return found;
	}

	role(layer: Layer, rootLayer: Layer): ClassifiedLayer {
		let found = this.#roles.get(layer);
		if (found === undefined) {
			const stem = layerStem(layer.identifier);
			found = classifyLayer(this.census(layer), stem, layer === rootLayer, this.vendors);
			this.#roles.set(layer, found);
		}
		return found;
	}
}
