import { quote, Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import type { AssetIdentity, LayerFailure, LayerSource } from '../pcp/layer-source.ts';
import { isLayerFailure } from '../pcp/layer-source.ts';
import { Layer } from '../sdf/layer.ts';
import type { AssetContent, AssetResolver } from './asset-resolver.ts';
import { openOne } from './open-file.ts';

/** Options of a {@link LayerRegistry}. */
export interface LayerRegistryOptions {
	readonly resolver: AssetResolver;
	/** Gets what readers say about the layers. */
	readonly report?: Report;
	/** Whether layers are read as soon as composition asks for them, where the resolver can. */
	readonly readsAtOnce?: boolean;
}

export const LAYER_REGISTRY_DEFAULTS: { readonly readsAtOnce: boolean } = { readsAtOnce: true };

/** Layers by identifier, each opened once. */
export class LayerRegistry implements LayerSource {
	readonly resolver: AssetResolver;
	readonly report: Report;
	readonly #readsAtOnce: boolean;
	readonly #layers = new Map<string, Layer | LayerFailure>();
	/** Bytes of the layers, by identifier, to show where something was written. */
	readonly #bytes = new Map<string, Uint8Array>();

	constructor(options: LayerRegistryOptions) {
		this.resolver = options.resolver;
		this.report = options.report ?? new Report();
		this.#readsAtOnce = options.readsAtOnce ?? LAYER_REGISTRY_DEFAULTS.readsAtOnce;
	}

	/** Adds a layer that was made or opened elsewhere. */
	add(layer: Layer): void {
		this.#layers.set(layer.identifier, layer);
	}

	/** The bytes that a layer was read from. */
	bytesOf(layer: Layer): Uint8Array | undefined {
		return this.#bytes.get(layer.identifier);
	}

	identify(assetPath: string, anchor: Layer): AssetIdentity {
		return this.resolver.resolve(assetPath, anchor.identifier);
	}

	layer(identifier: string): Layer | LayerFailure | undefined {
		const known = this.#layers.get(identifier);
		if (known !== undefined || !this.#readsAtOnce) return known;
		const content = this.resolver.readSync(identifier);
		return content === undefined ? undefined : this.#open(identifier, content);
	}

	/** Opens a layer by path at once; a failure when there is none or the resolver cannot read at once. */
	openSync(path: string): Layer | LayerFailure {
		const { identifier, refusal } = this.resolver.resolve(path, '');
		if (refusal !== undefined) return { failure: refusal };
		const known = this.#layers.get(identifier);
		if (known !== undefined) return known;
		const content = this.resolver.readSync(identifier);
		return content === undefined ? { failure: 'it can only be read later' } : this.#open(identifier, content);
	}

	/** Opens a layer by path. */
	async open(path: string): Promise<Layer | LayerFailure> {
		const { identifier, refusal } = this.resolver.resolve(path, '');
		return refusal === undefined ? this.load(identifier) : { failure: refusal };
	}

	/** Reads a layer that composition asked for. */
	async load(identifier: string): Promise<Layer | LayerFailure> {
		return this.#layers.get(identifier) ?? this.#open(identifier, await this.resolver.read(identifier));
	}

	#open(asked: string, content: AssetContent): Layer | LayerFailure {
		// a package and its root layer are one layer
		const found = this.#layers.get(content.identifier) ?? this.#parse(content);
		this.#layers.set(content.identifier, found);
		this.#layers.set(asked, found);
		return found;
	}

	#parse(content: AssetContent): Layer | LayerFailure {
		if ('failure' in content) return { failure: content.failure };
		const report = new Report();
		const opened = openOne(content.bytes, content.identifier, report);
		this.report.addAll(report);
		const error = report.toArray().find(({ severity }) => severity === 'error');
		// a layer that cannot be read whole is not used: half of an asset composes to something else
		if (opened === undefined || error !== undefined) {
			return { failure: error?.message ?? `${quote(content.identifier)} is no layer` };
		}
		this.#bytes.set(content.identifier, content.bytes);
		return new Layer(content.identifier, opened.data);
	}
}

/** The layer, or undefined with an error in the report. */
export function layerOrReport(found: Layer | LayerFailure, path: string, report: Report): Layer | undefined {
	if (!isLayerFailure(found)) return found;
	const reason = found.failure === '' ? 'there is no such file' : found.failure;
	report.add(createDiagnostic('ASSET001', `cannot open ${quote(path)}: ${reason}`, { file: path }));
	return undefined;
}
