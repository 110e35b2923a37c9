import { Report } from '@manyworlds/core';
import {
	type Layer,
	LoadRules,
	type Node,
	Path,
	type PhysicsDescription,
	type Prim,
	type Property,
	type PurposeInfo,
	parsePhysics,
	Stage,
	XformCache,
} from '@manyworlds/usd';
import {
	ArcType,
	type AssetPathUse,
	computePurposeInfo,
	inheritPurpose,
	MaterialBindings,
} from '@manyworlds/usd/internal';
import type { CheckSettings, Thresholds } from '../check-options.ts';
import type { AssetState } from './asset-state.ts';
import { placeInLayer, placeOf, placeOfField, placeOfRemoval, placeOfSchema } from './find-place.ts';
import { JointGraph } from './joint-graph.ts';
import type { LayerCensus } from './layer-census.ts';
import type { ClassifiedLayer } from './layer-role.ts';
import { type LinkContents, linkContents } from './link-contents.ts';
import type { Place } from './place.ts';
import type { VendorRegistry } from './vendors.ts';

/** Prims of a stage sorted by what rules look for, each list in the order of the stage. @public */
export interface PrimLists {
	/** Prims that a scene means: active, defined, not abstract, loaded; those below instances too. */
	readonly all: readonly Prim[];
	readonly bodies: readonly Prim[];
	readonly colliders: readonly Prim[];
	readonly joints: readonly Prim[];
	readonly articulationRoots: readonly Prim[];
	/** Prims of geometry: Gprim types. */
	readonly gprims: readonly Prim[];
	readonly meshes: readonly Prim[];
	readonly materials: readonly Prim[];
	/** Prims that apply a `Ros*API` schema. */
	readonly ros: readonly Prim[];
	readonly cameras: readonly Prim[];
	readonly lights: readonly Prim[];
}

/**
 * What rules look at: an asset composed with one variant selection. Everything is made when it is first asked for and shared by all
 * rules; nothing may be changed.
 * @public
 */
export class CheckContext {
	/** The stage with all payloads loaded. */
	readonly stage: Stage;
	readonly settings: CheckSettings;
	/** Variants that were selected instead of the authored ones, by variant set; empty for the asset as authored. */
	readonly variants: Readonly<Record<string, string>>;
	/** Layers that no earlier selection has brought in: what rules about layers look at. */
	readonly newLayers: readonly Layer[];
	/** Whether this is the asset as authored, before other selections. */
	readonly isDefaultSelection: boolean;
	readonly #state: AssetState;
	readonly #xformOrders = new Map<Path, readonly string[]>();
	readonly #purposes = new Map<Path, PurposeInfo>();
	readonly #bodyOf = new Map<Path, Prim | undefined>();
	#lists: PrimLists | undefined;
	#unloaded: Stage | undefined;
	#physics: PhysicsDescription | undefined;
	#graph: JointGraph | undefined;
	#transforms: XformCache | undefined;
	#bindings: MaterialBindings | undefined;
	#links: ReadonlyMap<Path, LinkContents> | undefined;
	#subtreeEnds: ReadonlyMap<Path, readonly [start: number, end: number]> | undefined;
	#uses: ReadonlyMap<Layer, ReadonlyMap<Path, SpecUse>> | undefined;
	#layers: readonly Layer[] | undefined;
	#variantPrims: readonly Prim[] | undefined;
	#featureLayers: ReadonlySet<Layer> | undefined;

	constructor(
		stage: Stage,
		variants: Readonly<Record<string, string>>,
		newLayers: readonly Layer[],
		state: AssetState,
	) {
		this.stage = stage;
		this.variants = variants;
		this.newLayers = newLayers;
		this.isDefaultSelection = Object.keys(variants).length === 0;
		this.settings = state.settings;
		this.#state = state;
	}

	get store(): AssetState['store'] {
		return this.#state.store;
	}

	get vendors(): VendorRegistry {
		return this.#state.vendors;
	}

	get thresholds(): Thresholds {
		return this.settings.thresholds;
	}

	/** The layer that was opened. */
	get rootLayer(): Layer {
		return this.stage.rootLayer;
	}

	/** All layers that the stage reads opinions from, without the session layer. */
	get layers(): readonly Layer[] {
		this.#layers ??= this.stage.usedLayers().filter((layer) => layer !== this.stage.sessionLayer);
		return this.#layers;
	}

	/** The prim that the asset is: the default prim, or the first root prim of a layer that names none. */
	get assetRoot(): Prim | undefined {
		const { defaultPrim, pseudoRoot } = this.stage;
		return defaultPrim ?? pseudoRoot.children().find((prim) => prim.isActive && prim.isDefined && !prim.isAbstract);
	}

	/** What a layer holds. */
	census(layer: Layer): LayerCensus {
		return this.#state.census(layer);
	}

	/** Every place where a layer names a file. */
	assetPaths(layer: Layer): readonly AssetPathUse[] {
		return this.#state.assetPaths(layer);
	}

	/** What a function makes of a layer and its census: once for all selections, so it may look at nothing else. */
	fact<V>(layer: Layer, make: (layer: Layer, census: LayerCensus) => V): V {
		return this.#state.fact(layer, make);
	}

	/** Prims with variant sets, in the order of the stage. */
	get variantPrims(): readonly Prim[] {
		this.#variantPrims ??= this.lists.all.filter((prim) => prim.variantSets().length > 0);
		return this.#variantPrims;
	}

	/** What a layer is for. */
	role(layer: Layer): ClassifiedLayer {
		return this.#state.role(layer, this.rootLayer);
	}

	/** How messages name a layer. */
	layerName(layer: Layer): string {
		return this.store.name(layer.identifier);
	}

	get lists(): PrimLists {
		this.#lists ??= sortPrims(this.stage, this.settings.maxPrims);
		return this.#lists;
	}

	/** The same selection with no payload loaded; with the payload policy `entry`, with that of the default prim alone. */
	get unloaded(): Stage {
		this.#unloaded ??= Stage.open(this.rootLayer, {
			store: this.store,
			report: new Report({ cap: 0 }),
			load: this.#unloadedRules(),
			...(this.stage.sessionLayer && { sessionLayer: this.stage.sessionLayer }),
		});
		return this.#unloaded;
	}

	#unloadedRules(): LoadRules | 'none' {
		const { defaultPrim } = this.stage;
		if (this.settings.payloadPolicy !== 'entry' || defaultPrim === undefined) return 'none';
		return LoadRules.of([
			[Path.root, 'none'],
			[defaultPrim.path, 'only'],
		]);
	}

	/** Layers that say something about the default prim itself: those that the asset is made of, without what it references below. */
	get featureLayers(): ReadonlySet<Layer> {
		if (this.#featureLayers === undefined) {
			const specs = this.stage.defaultPrim?.specs() ?? [];
			const layers = specs.map(({ layer }) => layer).filter((layer) => layer !== this.stage.sessionLayer);
			this.#featureLayers = new Set([this.rootLayer, ...layers]);
		}
		return this.#featureLayers;
	}

	/** Geometry of rigid bodies, by path of the body; bodies without geometry have no entry. */
	get links(): ReadonlyMap<Path, LinkContents> {
		this.#links ??= linkContents(this);
		return this.#links;
	}

	/** A prim with everything below it, in the order of the stage. */
	subtree(prim: Prim): readonly Prim[] {
		this.#subtreeEnds ??= subtreeRanges(this.lists.all);
		const [start, end] = this.#subtreeEnds.get(prim.path) ?? [0, 0];
		return this.lists.all.slice(start, end);
	}

	/** What UsdPhysics' parser makes of the stage, without colliders and poses. */
	get physics(): PhysicsDescription {
		this.#physics ??= parsePhysics(this.stage, {
			report: new Report({ cap: 0 }),
			colliders: false,
			poses: false,
		});
		return this.#physics;
	}

	/** Joints and what they connect. */
	get graph(): JointGraph {
		this.#graph ??= new JointGraph(this.lists.joints, (prim) => this.bodyOf(prim));
		return this.#graph;
	}

	/** Transforms at the default time. */
	get transforms(): XformCache {
		this.#transforms ??= new XformCache({ report: new Report({ cap: 0 }) });
		return this.#transforms;
	}

	get bindings(): MaterialBindings {
		this.#bindings ??= new MaterialBindings({ report: new Report({ cap: 0 }) });
		return this.#bindings;
	}

	/** The rigid body that a prim is or lies below; undefined for what belongs to the world. */
	bodyOf(prim: Prim): Prim | undefined {
		const chain: Path[] = [];
		let found: Prim | undefined;
		for (let at: Prim | undefined = prim; at !== undefined && !at.isPseudoRoot; at = at.parent) {
			if (this.#bodyOf.has(at.path)) {
				found = this.#bodyOf.get(at.path);
				break;
			}
			chain.push(at.path);
			if (!at.hasSchema('PhysicsRigidBodyAPI')) continue;
			found = at;
			break;
		}
		for (const path of chain) this.#bodyOf.set(path, found);
		return found;
	}

	/** What a prim is for, by its own opinion or that of the nearest ancestor with one: `default`, `render`, `proxy`, `guide`. */
	purposeOf(prim: Prim): string {
		const chain: Prim[] = [];
		let known: PurposeInfo | undefined;
		for (let at: Prim | undefined = prim; at !== undefined; at = at.parent) {
			known = this.#purposes.get(at.path);
			if (known !== undefined) break;
			chain.push(at);
		}
		for (let i = chain.length - 1; i >= 0; i--) {
			const at = chain[i]!;
			known = known === undefined ? computePurposeInfo(at) : inheritPurpose(at, known);
			this.#purposes.set(at.path, known);
		}
		return known!.purpose;
	}

	/** The names that `xformOpOrder` of a prim lists; none when nothing is authored. */
	xformOrder(prim: Prim): readonly string[] {
		let order = this.#xformOrders.get(prim.path);
		if (order === undefined) {
			const value = prim.attribute('xformOpOrder').get();
			order = Array.isArray(value?.data) ? (value.data as string[]) : [];
			this.#xformOrders.set(prim.path, order);
		}
		return order;
	}

	/**
	 * A place that was read from a layer, with the prim of the stage that shows it first and the arcs that bring it there; as it is
	 * when nothing of the stage comes from it.
	 */
	onStage(place: Place): Place {
		if (place.node !== undefined || place.path.isAbsoluteRoot) return place;
		this.#uses ??= findUses(this.lists.all);
		const spec = place.path.primPath;
		const use = this.#uses.get(place.layer)?.get(spec);
		if (use === undefined) return place;
		const shown = place.path === spec ? use.prim.path : use.prim.path.appendProperty(place.path.name);
		return { ...place, shown, node: use.node };
	}

	/** Where a prim is defined, or where a property gets its value. */
	at(where: Prim | Property): Place {
		return placeOf(where, this.stage.sessionLayer);
	}

	/** Where a field is authored, with `item` where that is in its value; where the prim or property is otherwise. */
	atField(where: Prim | Property, field: string, item?: string): Place {
		return placeOfField(where, field, item, this.stage.sessionLayer);
	}

	/** Where an API schema is applied to a prim. */
	atSchema(prim: Prim, schema: string): Place {
		return placeOfSchema(prim, schema, this.stage.sessionLayer);
	}

	/** Where a layer takes away a property or schema that a prim lacks; otherwise the place that is given. */
	atRemoval(prim: Prim, names: readonly string[], otherwise: Place): Place {
		return placeOfRemoval(prim, names, this.stage.sessionLayer) ?? otherwise;
	}

	/**
	 * A place in a binary layer as people can see it in text: the arc that brings it, in the nearest text layer. Places in text stay, and so do those
	 * that no text brings.
	 */
	inText(place: Place): Place {
		if (!this.census(place.layer).isCrate) return place;
		for (let node = place.node; node?.parent; node = node.parent) {
			const field = ARC_FIELDS[node.arcType];
			const path = node.introPath;
			if (field === undefined || path === null) continue;
			const layer = node.parent.layerStack.layers.find((at) => at.data.field(path, field) !== undefined);
			if (layer === undefined || this.census(layer).isCrate) continue;
			return { layer, path, field, shown: place.shown.primPath, node: node.parent };
		}
		return place;
	}

	/** A spec of a layer or one of its fields; the layer itself without a path. */
	atSpec(layer: Layer, path?: Path, field?: string, item?: string): Place {
		return placeInLayer(layer, path, field, item);
	}
}

/** Fields of prim specs that hold arcs to other layers. */
const ARC_FIELDS: Readonly<Partial<Record<number, string>>> = {
	[ArcType.reference]: 'references',
	[ArcType.payload]: 'payload',
};

/** Sorts the prims of a stage; of more than `limit` it looks at one more. */
function sortPrims(stage: Stage, limit: number): PrimLists {
	const lists = {
		all: [] as Prim[],
		bodies: [] as Prim[],
		colliders: [] as Prim[],
		joints: [] as Prim[],
		articulationRoots: [] as Prim[],
		gprims: [] as Prim[],
		meshes: [] as Prim[],
		materials: [] as Prim[],
		ros: [] as Prim[],
		cameras: [] as Prim[],
		lights: [] as Prim[],
	};
	for (const prim of stage.traverse({ instanceProxies: true })) {
		lists.all.push(prim);
		if (lists.all.length > limit) break;
		for (const schema of prim.appliedSchemas) {
			if (schema === 'PhysicsRigidBodyAPI') lists.bodies.push(prim);
			else if (schema === 'PhysicsCollisionAPI') lists.colliders.push(prim);
			else if (schema === 'PhysicsArticulationRootAPI') lists.articulationRoots.push(prim);
			else if (schema.startsWith('Ros') && lists.ros.at(-1) !== prim) lists.ros.push(prim);
			else if (schema === 'LightAPI') lists.lights.push(prim);
		}
		const { typeName } = prim;
		if (typeName === '' || typeName === 'Xform' || typeName === 'Scope') continue;
		if (prim.isA('PhysicsJoint')) lists.joints.push(prim);
		else if (prim.isA('Gprim')) {
			lists.gprims.push(prim);
			if (typeName === 'Mesh') lists.meshes.push(prim);
		} else if (typeName === 'Material') lists.materials.push(prim);
		else if (typeName === 'Camera') lists.cameras.push(prim);
	}
	return lists;
}

/** A prim that a spec contributes to. */
interface SpecUse {
	readonly prim: Prim;
	readonly node: Node;
}

/** The first prim that each prim spec contributes to, by layer and path. */
function findUses(prims: readonly Prim[]): Map<Layer, Map<Path, SpecUse>> {
	const uses = new Map<Layer, Map<Path, SpecUse>>();
	for (const prim of prims) {
		for (const { layer, path, node } of prim.specs()) {
			let specs = uses.get(layer);
			if (specs === undefined) {
				specs = new Map();
				uses.set(layer, specs);
			}
			if (!specs.has(path)) specs.set(path, { prim, node });
		}
	}
	return uses;
}

/** For each prim its place in a list in depth-first order and that of the first prim after its subtree. */
function subtreeRanges(prims: readonly Prim[]): Map<Path, readonly [start: number, end: number]> {
	const ranges = new Map<Path, readonly [start: number, end: number]>();
	const open: { readonly path: Path; readonly start: number }[] = [];
	for (const [i, { path }] of prims.entries()) {
		while (open.length > 0 && !path.hasPrefix(open.at(-1)!.path)) {
			const closed = open.pop()!;
			ranges.set(closed.path, [closed.start, i]);
		}
		open.push({ path, start: i });
	}
	for (const { path, start } of open) ranges.set(path, [start, prims.length]);
	return ranges;
}
