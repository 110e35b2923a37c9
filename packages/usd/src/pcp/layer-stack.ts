import { type AssetStore, isAssetFailure } from '../ar/asset-store.ts';
import type { Layer } from '../sdf/layer.ts';
import { Path } from '../sdf/path.ts';
import { dataOf, IDENTITY_OFFSET, isIdentityOffset, type LayerOffset } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import type { AssetRequest } from './asset-request.ts';
import { composeVariables, type ExpressionVariables, NO_VARIABLES } from './expression-variables.ts';
import { composeOffsets, isUsableOffset } from './layer-offset.ts';
import type { MapFunction } from './map-function.ts';
import type { ErrorSite, PcpError } from './pcp-error.ts';
import { composeRelocates, type Relocates } from './relocates.ts';
import { composeSite, NO_SPECS, type Site } from './site.ts';
import { evaluateText, isExpression } from './variable-expression.ts';

/** What a layer stack is made from. */
export interface LayerStackInputs {
	readonly rootLayer: Layer;
	readonly sessionLayer?: Layer | undefined;
	readonly store: Pick<AssetStore, 'identify' | 'layer'>;
	/** Variables of the layer stack that refers to this one; they win over its own. */
	readonly variables?: ExpressionVariables;
	/** Whether a layer is left out, with its sublayers. None is unless this says otherwise. */
	readonly isMuted?: (identifier: string) => boolean;
}

/** More layers than this in one stack are not read: only a hostile arrangement of repeated sublayers gets there. */
const MOST_LAYERS = 65_536;

/** A layer with its sublayers, strongest first: the session layer and its sublayers, then the root layer and its own. */
export class LayerStack {
	readonly rootLayer: Layer;
	readonly sessionLayer: Layer | undefined;
	readonly store: Pick<AssetStore, 'identify' | 'layer'>;
	readonly layers: readonly Layer[];
	/** How time in each layer maps to time in the stack. */
	readonly offsets: readonly LayerOffset[];
	readonly hasOffsets: boolean;
	readonly timeCodesPerSecond: number;
	readonly variables: ExpressionVariables;
	readonly relocates: Relocates | undefined;
	readonly errors: readonly PcpError[];
	/** Layers that were not there; the stack is incomplete until they are. */
	readonly missing: readonly AssetRequest[];
	readonly #sites = new Map<Path, Site>();

	constructor(inputs: LayerStackInputs) {
		this.rootLayer = inputs.rootLayer;
		this.sessionLayer = inputs.sessionLayer;
		this.store = inputs.store;
		const own = inputs.sessionLayer === undefined ? [inputs.rootLayer] : [inputs.rootLayer, inputs.sessionLayer];
		this.variables = composeVariables(own, inputs.variables ?? NO_VARIABLES);
		const builder = new StackBuilder(this.site, inputs.store, this.variables, inputs.isMuted ?? NOT_MUTED);
		const rootRate = timeCodesPerSecondOf(inputs.rootLayer);
		this.timeCodesPerSecond = rootRate;
		let rootOffset = IDENTITY_OFFSET;
		let sessionOwner: string | undefined;
		if (inputs.sessionLayer !== undefined) {
			const sessionRate = timeCodesPerSecondOf(inputs.sessionLayer);
			let sessionOffset = IDENTITY_OFFSET;
			if (sessionRateCounts(inputs.sessionLayer, inputs.rootLayer)) {
				this.timeCodesPerSecond = sessionRate;
				rootOffset = { offset: 0, scale: sessionRate / rootRate };
			} else {
				sessionOffset = { offset: 0, scale: rootRate / sessionRate };
			}
			builder.add(inputs.sessionLayer, sessionOffset, sessionRate, undefined);
			sessionOwner = firstSessionOwner(builder.layers);
		}
		builder.add(inputs.rootLayer, rootOffset, rootRate, sessionOwner);
		this.layers = builder.layers;
		this.offsets = builder.offsets;
		this.hasOffsets = builder.offsets.some((offset) => !isIdentityOffset(offset));
		this.missing = builder.missing;
		this.relocates = composeRelocates(this.layers, this.site, builder.errors);
		this.errors = builder.errors;
	}

	/** How errors name this stack. */
	get site(): ErrorSite {
		return { layer: this.rootLayer, path: Path.root };
	}

	/** What the layers of the stack say about composition at a path. */
	siteAt(path: Path): Site {
		let site = this.#sites.get(path);
		if (site === undefined) {
			site = composeSite(this, path);
			this.#sites.set(path, site);
		}
		return site;
	}

	hasSpecs(path: Path): boolean {
		return this.siteAt(path) !== NO_SPECS;
	}

	/** Forgets what it knew about a path whose specs changed. */
	forgetSite(path: Path): void {
		this.#sites.delete(path);
	}

	/** How relocates of the stack at and below a path change paths that arrive there; undefined when they do not. */
	relocatesMapAt(path: Path): MapFunction | undefined {
		return this.relocates?.mapAt(path);
	}
}

const NOT_MUTED = (): boolean => false;

/** Codes per second of the time codes of one layer. */
export function timeCodesPerSecondOf(layer: Layer): number {
	return (
		dataOf(layer.data.field(Path.root, 'timeCodesPerSecond'), T.double) ??
		dataOf(layer.data.field(Path.root, 'framesPerSecond'), T.double) ??
		24
	);
}

/** The prim that arcs without a prim path lead to; undefined when the layer names none. */
export function defaultPrimOf(layer: Layer): Path | undefined {
	const name = dataOf(layer.data.field(Path.root, 'defaultPrim'), T.token);
	if (name === undefined || name === '') return undefined;
	const path = Path.parse(name)?.makeAbsolute(Path.root);
	return path === undefined || !path.isPrim || path.hasVariants ? undefined : path;
}

function hasField(layer: Layer, name: string): boolean {
	return layer.data.field(Path.root, name) !== undefined;
}

function sessionRateCounts(session: Layer, root: Layer): boolean {
	return (
		hasField(session, 'timeCodesPerSecond') ||
		(!hasField(root, 'timeCodesPerSecond') && hasField(session, 'framesPerSecond'))
	);
}

function firstSessionOwner(layers: readonly Layer[]): string | undefined {
	for (const layer of layers) {
		const owner = dataOf(layer.data.field(Path.root, 'sessionOwner'), T.string);
		if (owner !== undefined) return owner;
	}
	return undefined;
}

interface Sublayer {
	readonly layer: Layer;
	readonly offset: LayerOffset;
	readonly rate: number;
}

/** Walks sublayers depth first, with a stack of its own: chains may be thousands of layers deep. */
class StackBuilder {
	readonly layers: Layer[] = [];
	readonly offsets: LayerOffset[] = [];
	readonly errors: PcpError[] = [];
	readonly missing: AssetRequest[] = [];
	readonly #root: ErrorSite;
	readonly #store: Pick<AssetStore, 'identify' | 'layer'>;
	readonly #variables: ExpressionVariables;
	readonly #isMuted: (identifier: string) => boolean;
	/** Layers between the root of the walk and the current one. */
	readonly #open = new Set<Layer>();

	constructor(
		root: ErrorSite,
		store: Pick<AssetStore, 'identify' | 'layer'>,
		variables: ExpressionVariables,
		isMuted: (identifier: string) => boolean,
	) {
		this.#isMuted = isMuted;
		this.#root = root;
		this.#store = store;
		this.#variables = variables;
	}

	add(layer: Layer, offset: LayerOffset, rate: number, sessionOwner: string | undefined): void {
		const stack: (Sublayer | Layer)[] = [{ layer, offset, rate }];
		for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
			if (!('rate' in next)) {
				this.#open.delete(next);
				continue;
			}
			if (this.layers.length >= MOST_LAYERS) {
				this.errors.push({ kind: 'CapacityExceeded', root: this.#root, limit: 'nodes' });
				return;
			}
			this.#open.add(next.layer);
			this.layers.push(next.layer);
			this.offsets.push(next.offset);
			const below = this.#sublayersOf(next, sessionOwner);
			stack.push(next.layer);
			for (let i = below.length - 1; i >= 0; i--) stack.push(below[i]!);
		}
	}

	#sublayersOf(parent: Sublayer, sessionOwner: string | undefined): Sublayer[] {
		const paths = dataOf(parent.layer.data.field(Path.root, 'subLayers'), T.stringVector) ?? [];
		const offsets = dataOf(parent.layer.data.field(Path.root, 'subLayerOffsets'), T.layerOffsetVector) ?? [];
		const result: Sublayer[] = [];
		for (const [i, authored] of paths.entries()) {
			const layer = this.#find(parent.layer, authored);
			if (layer === undefined) continue;
			if (this.#open.has(layer)) {
				this.errors.push({ kind: 'SublayerCycle', root: this.#root, layer: parent.layer, sublayer: layer });
				continue;
			}
			let offset = offsets[i] ?? IDENTITY_OFFSET;
			if (!isUsableOffset(offset)) {
				this.errors.push({
					kind: 'InvalidSublayerOffset',
					root: this.#root,
					layer: parent.layer,
					sublayer: layer,
					offset,
				});
				offset = IDENTITY_OFFSET;
			}
			const rate = timeCodesPerSecondOf(layer);
			if (rate !== parent.rate) offset = { offset: offset.offset, scale: (offset.scale * parent.rate) / rate };
			result.push({ layer, offset: composeOffsets(parent.offset, offset), rate });
		}
		return sessionOwner === undefined ? result : this.#ownedFirst(parent.layer, result, sessionOwner);
	}

	/** The sublayer that a path names; undefined, with an error or a request, when there is none. */
	#find(anchor: Layer, authored: string): Layer | undefined {
		let path = authored;
		if (isExpression(path)) {
			const { value, errors } = evaluateText(path, this.#variables.variables);
			if (errors.length > 0) {
				this.errors.push({
					kind: 'VariableExpressionError',
					root: this.#root,
					expression: path,
					context: 'sublayer',
					sourceLayer: anchor,
					sourcePath: Path.root,
					reasons: errors,
				});
			}
			path = value;
		}
		if (path === '') return undefined;
		const { identifier, refusal } = this.#store.identify(path, anchor.identifier);
		if (this.#isMuted(identifier)) return undefined;
		const found = refusal === undefined ? this.#store.layer(identifier) : { failure: refusal };
		if (found === undefined) {
			this.missing.push({ identifier, assetPath: path, anchor: anchor.identifier });
			return undefined;
		}
		if (!isAssetFailure(found)) return found;
		this.errors.push({
			kind: 'InvalidSublayerPath',
			root: this.#root,
			layer: anchor,
			sublayerPath: path,
			resolvedPath: identifier,
			reason: found.failure,
		});
		return undefined;
	}

	/** The sublayers that belong to the session's owner come first when their parent says that sublayers are owned. */
	#ownedFirst(parent: Layer, sublayers: Sublayer[], sessionOwner: string): Sublayer[] {
		if (dataOf(parent.data.field(Path.root, 'hasOwnedSubLayers'), T.bool) !== true) return sublayers;
		const isOwned = ({ layer }: Sublayer): boolean =>
			dataOf(layer.data.field(Path.root, 'owner'), T.string) === sessionOwner;
		const owned = sublayers.filter(isOwned);
		if (owned.length > 1) {
			this.errors.push({
				kind: 'InvalidSublayerOwnership',
				root: this.#root,
				layer: parent,
				owner: sessionOwner,
				sublayers: owned.map(({ layer }) => layer),
			});
		}
		return [...owned, ...sublayers.filter((sublayer) => !isOwned(sublayer))];
	}
}
