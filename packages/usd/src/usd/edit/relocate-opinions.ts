import { relativeAssetPath } from '../../ar/relative-asset-path.ts';
import type { SpecSite } from '../../pcp/prim-index.ts';
import { translateToRoot } from '../../pcp/target-index.ts';
import type { Layer } from '../../sdf/layer.ts';
import { ListOp } from '../../sdf/list-op.ts';
import { Path, PathKind } from '../../sdf/path.ts';
import { SpecType } from '../../sdf/spec-type.ts';
import { dataOf, makeTimeSamples, makeValue, type Value } from '../../sdf/value.ts';
import { valuesEqual } from '../../sdf/value-equality.ts';
import { T, type ValueType } from '../../sdf/value-type.ts';
import type { Prim } from '../prim.ts';
import type { Stage } from '../stage.ts';
import { isAnyPrim } from '../traverse.ts';
import { listVariantSet } from './variant-specs.ts';

/** A property where it is now, and where it goes. */
interface MovedProperty {
	readonly destination: string;
	readonly site: SpecSite;
	readonly name: string;
	readonly to: Path;
	readonly prim: Prim;
}

/** What moves, from which layers, to which. `key` names the destination: the name of a layer, say. @public */
export interface RelocationPlan {
	/** Destination of a property by its name; undefined when it stays. */
	ofProperty(name: string): string | undefined;
	ofSchema(name: string): string | undefined;
	/** Destination of whole prims by their type. */
	ofType(typeName: string): string | undefined;
	/** Whether opinions with that destination leave a layer. */
	leaves(layer: Layer, key: string): boolean;
	/** The layer that they go to, over everything that the asset composes from. */
	layerFor(key: string): Layer;
	/** Whether the layers of destination are part of the asset, or seen only over it. */
	readonly isPartOfAsset: boolean;
}

/** The asset whose opinions move, and how its layers are edited. */
export interface RelocationHost {
	/** Whether a layer may be edited. */
	isEditable(layer: Layer): boolean;
	/** Makes one edit of a layer. */
	edit(layer: Layer, change: () => void): void;
	/** Shows the stage of each variant selection, with layers over it; the same order each time. */
	eachStage(visit: (stage: Stage) => void, over: readonly Layer[]): void;
	/** The identifier of a file that a layer names. */
	identify(assetPath: string, layer: Layer): string;
	/** Told about opinions that cannot move. */
	refuse(message: string, layer: Layer): void;
}

/** What {@link relocateOpinions} did. */
export interface Relocation {
	/** The layers that opinions went to, by destination. */
	readonly layers: ReadonlyMap<string, Layer>;
	/** What reads otherwise than before, though nothing should: `/Arm.limit`; the edits are to be taken back then. */
	readonly difference: string | undefined;
}

/**
 * Moves opinions to other layers, at the paths of the stage and in the variants that they were in. Nothing reads otherwise.
 */
export function relocateOpinions(host: RelocationHost, plan: RelocationPlan): Relocation {
	return new OpinionMover(host, plan).run();
}

class OpinionMover {
	readonly #host: RelocationHost;
	readonly #plan: RelocationPlan;
	readonly #properties = new Map<string, MovedProperty>();
	/** Schemas to apply, and not to apply: overlay path, then schema to destination. */
	readonly #schemas = new Map<string, { path: Path; items: Map<string, string>; deleted: Map<string, string> }>();
	/** Prims of moving types: overlay path to destination and what it is made of, strongest first. */
	readonly #prims = new Map<string, { destination: string; path: Path; prim: Prim }>();
	/** Opinions that one in a variant beats, by key: the variants that they go to. */
	readonly #beaten = new Map<string, Path[]>();
	readonly #sources = new Map<Layer, Set<Path>>();
	readonly #overlays = new Map<string, Layer>();
	readonly #refused = new Set<string>();

	constructor(host: RelocationHost, plan: RelocationPlan) {
		this.#host = host;
		this.#plan = plan;
	}

	run(): Relocation {
		const before = this.#movingValues([]);
		this.#host.eachStage((stage) => {
			for (const prim of stage.traverse({ predicate: isAnyPrim })) this.#collect(prim);
			this.#refusePrototypes(stage);
		}, []);
		if (this.#properties.size + this.#schemas.size + this.#prims.size === 0)
			return { layers: this.#overlays, difference: undefined };
		this.#spreadBeaten();
		this.#write();
		this.#erase();
		return { layers: this.#overlays, difference: this.#findDifference(before) };
	}

	#leaves(layer: Layer, key: string): boolean {
		return this.#host.isEditable(layer) && this.#plan.leaves(layer, key);
	}

	#collect(prim: Prim): void {
		const typeDestination = this.#typeDestination(prim);
		const strongest = new Map<string, Path>();
		for (const site of prim.specs()) {
			const { layer, path } = site;
			const to = overlayPath(site, prim.path);
			if (typeDestination !== undefined && this.#leaves(layer, typeDestination)) {
				const key = `${typeDestination} ${to}`;
				if (!this.#prims.has(key)) this.#prims.set(key, { destination: typeDestination, path: to, prim });
				this.#touch(layer, path);
			}
			for (const name of dataOf(layer.field(path, 'properties'), T.tokenVector) ?? []) {
				const destination = this.#destination(site, this.#plan.ofProperty(name), typeDestination);
				if (destination === undefined || !this.#leaves(layer, destination)) continue;
				const key = `${destination} ${to}.${name}`;
				// the strongest opinion comes first and wins
				if (!this.#properties.has(key)) this.#properties.set(key, { destination, site, name, to, prim });
				const winner = strongest.get(name);
				if (winner === undefined) strongest.set(name, to);
				else this.#noteBeaten(prim, key, winner, to);
				this.#touch(layer, path);
			}
			this.#collectSchemas(site, to, typeDestination);
		}
	}

	/**
	 * Notes that an opinion outside of variants is beaten by one inside of a variant: beside each other in one layer it would be the
	 * other way round, so it goes into the variants of that set that say nothing themselves.
	 */
	#noteBeaten(prim: Prim, key: string, winner: Path, loser: Path): void {
		const inside = variantParts(winner);
		const missing = inside.filter((part) => !variantParts(loser).includes(part));
		const [part] = missing;
		if (part === undefined || missing.length > 1 || this.#beaten.has(key)) return;
		const owner = prim.stage.prim(part.parent!.stripVariants());
		const variants = owner?.variants(part.variantSet) ?? [];
		this.#beaten.set(
			key,
			variants.map((variant) => winner.replacePrefix(part, part.parent!.appendVariant(part.variantSet, variant))),
		);
	}

	/** Puts beaten opinions into the variants that have none of their own. */
	#spreadBeaten(): void {
		for (const [key, places] of this.#beaten) {
			const property = this.#properties.get(key)!;
			this.#properties.delete(key);
			for (const to of places) {
				const place = `${property.destination} ${to}.${property.name}`;
				if (!this.#properties.has(place)) this.#properties.set(place, { ...property, to });
			}
		}
	}

	/** Where an opinion of a prim goes: within an asset to its own layer, outside of it with the prim that it is about. */
	#destination({ layer, path }: SpecSite, own: string | undefined, ofPrim: string | undefined): string | undefined {
		if (!this.#plan.isPartOfAsset) return ofPrim ?? own;
		if (own !== undefined && this.#leaves(layer, own)) return own;
		// what nobody else takes goes along with a spec that leaves as a whole
		for (let at: Path | null = path; at?.isPrim; at = at.parent) if (this.#isMovingPrim(layer, at)) return ofPrim;
		return own;
	}

	/** The destination of a prim by its type, or of the prim above that brings it along. */
	#typeDestination(prim: Prim): string | undefined {
		for (let at: Prim | undefined = prim; at !== undefined && !at.isPseudoRoot; at = at.parent) {
			const destination = at.typeName === '' ? undefined : this.#plan.ofType(at.typeName);
			if (destination !== undefined) return destination;
		}
		return undefined;
	}

	#collectSchemas(site: SpecSite, to: Path, typeDestination: string | undefined): void {
		const { layer, path } = site;
		const op = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
		if (op === undefined) return;
		const lists = [op.explicitItems, op.prependedItems, op.addedItems, op.appendedItems];
		for (const item of [...lists.flat(), ...op.deletedItems]) {
			const destination = this.#destination(site, this.#plan.ofSchema(item), typeDestination);
			if (destination === undefined || !this.#leaves(layer, destination)) continue;
			this.#touch(layer, path);
			const key = to.toString();
			let known = this.#schemas.get(key);
			if (known === undefined) {
				known = { path: to, items: new Map(), deleted: new Map() };
				this.#schemas.set(key, known);
			}
			if (op.deletedItems.includes(item)) {
				if (!known.items.has(item)) known.deleted.set(item, destination);
				continue;
			}
			if (!known.items.has(item)) known.items.set(item, destination);
		}
	}

	#touch(layer: Layer, path: Path): void {
		const paths = this.#sources.get(layer);
		if (paths === undefined) this.#sources.set(layer, new Set([path]));
		else paths.add(path);
	}

	/** Opinions inside instances cannot be given from outside. */
	#refusePrototypes(stage: Stage): void {
		for (const prototype of stage.prototypes()) {
			const stack = [...prototype.children()];
			for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
				stack.push(...prim.children());
				for (const { layer, path } of prim.specs()) {
					if (this.#holdsMoving(layer, path)) this.#refusePrototype(layer, path);
				}
			}
		}
	}

	#refusePrototype(layer: Layer, path: Path): void {
		const key = `${layer.identifier} ${path}`;
		if (this.#refused.has(key)) return;
		this.#refused.add(key);
		const message = `opinions of <${path}> are used by instances, whose content no layer above can change`;
		this.#host.refuse(message, layer);
	}

	#holdsMoving(layer: Layer, path: Path): boolean {
		const names = dataOf(layer.field(path, 'properties'), T.tokenVector) ?? [];
		const op = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
		const items = op === undefined ? [] : [...op.explicitItems, ...op.prependedItems, ...op.appendedItems];
		const keys = [
			...names.map((name) => this.#plan.ofProperty(name)),
			...items.map((item) => this.#plan.ofSchema(item)),
		];
		return keys.some((key) => key !== undefined && this.#leaves(layer, key));
	}

	#overlay(key: string): Layer {
		let layer = this.#overlays.get(key);
		if (layer === undefined) {
			layer = this.#plan.layerFor(key);
			this.#overlays.set(key, layer);
		}
		return layer;
	}

	#write(): void {
		const byDestination = new Map<string, ((layer: Layer) => void)[]>();
		const later = (destination: string, write: (layer: Layer) => void): void => {
			const list = byDestination.get(destination);
			if (list === undefined) byDestination.set(destination, [write]);
			else list.push(write);
		};
		for (const { destination, path, prim } of this.#prims.values())
			later(destination, (layer) => copyPrim(layer, path, prim));
		for (const { path, items, deleted } of this.#schemas.values()) {
			for (const destination of new Set([...items.values(), ...deleted.values()])) {
				const own = (all: ReadonlyMap<string, string>): string[] =>
					[...all].filter(([, of]) => of === destination).map(([item]) => item);
				later(destination, (layer) => editSchemas(layer, path, own(items), own(deleted)));
			}
		}
		for (const property of this.#properties.values()) {
			later(property.destination, (layer) => this.#copyProperty(layer, property));
		}
		for (const [destination, writes] of byDestination) {
			const layer = this.#overlay(destination);
			this.#host.edit(layer, () => {
				for (const write of writes) write(layer);
			});
		}
	}

	#copyProperty(overlay: Layer, { site, name, to, prim }: MovedProperty): void {
		const from = site.path.appendProperty(name);
		const target = to.appendProperty(name);
		if (overlay.has(target)) {
			// of two opinions the stronger one stays
			const place = prim.specs().findIndex((other) => other.layer === overlay && other.path === to);
			const own = prim.specs().findIndex((other) => other.layer === site.layer && other.path === site.path);
			if (place < 0 || place < own) return;
			overlay.removeSpec(target);
		}
		ensurePrim(overlay, to);
		const { layer } = site;
		const isAttribute = layer.specType(from) === SpecType.attribute;
		const custom = layer.field(from, 'custom')?.data === true;
		const variability = dataOf(layer.field(from, 'variability'), T.variability);
		const options = { custom, ...(variability !== undefined && { variability }) };
		if (isAttribute) overlay.createAttribute(target, `${layer.field(from, 'typeName')?.data ?? ''}`, options);
		else overlay.createRelationship(target, options);
		for (const field of layer.fieldNames(from)) {
			const value = layer.field(from, field);
			if (value === undefined || STRUCTURE.has(field)) continue;
			overlay.setField(target, field, this.#translated(overlay, site, field, value));
		}
		const paths = isAttribute ? prim.attribute(name).connections() : prim.relationship(name).targets();
		const field = isAttribute ? 'connectionPaths' : 'targetPaths';
		if (layer.field(from, field) !== undefined) {
			overlay.setField(target, field, makeValue(T.pathListOp, ListOp.explicit(paths)) as Value);
		}
	}

	/** A field as it reads in the overlay: times of the stage, paths to files from its folder. */
	#translated(overlay: Layer, site: SpecSite, field: string, value: Value): Value {
		const { layer, offset } = site;
		const samples = field === 'timeSamples' ? dataOf(value, T.timeSamples) : undefined;
		if (samples !== undefined) {
			const times = samples.times.map((time) => time * offset.scale + offset.offset);
			const values = Array.from(times, (_, i) => this.#translated(overlay, site, 'default', samples.valueAt(i)));
			return makeValue(T.timeSamples, makeTimeSamples(times, values)) as Value;
		}
		const anchor = (path: string): string =>
			path === '' ? path : relativeAssetPath(overlay.identifier, this.#host.identify(path, layer), path);
		if (value.type === (T.asset as ValueType)) return { type: value.type, data: anchor(String(value.data)) };
		if (value.type === (T.asset.array as ValueType))
			return { type: value.type, data: (value.data as string[]).map(anchor) };
		return value;
	}

	/** Removes what has been copied, and overs that say nothing any more. */
	#erase(): void {
		for (const [layer, paths] of this.#sources) {
			this.#host.edit(layer, () => {
				for (const path of paths) {
					if (!layer.has(path)) continue;
					if (this.#isMovingPrim(layer, path)) {
						layer.removeSpec(path);
						continue;
					}
					for (const name of [...(dataOf(layer.field(path, 'properties'), T.tokenVector) ?? [])]) {
						const key = this.#plan.ofProperty(name);
						if (key !== undefined && this.#leaves(layer, key)) layer.removeSpec(path.appendProperty(name));
					}
					this.#eraseSchemas(layer, path);
				}
				const deepest = [...paths].sort((a, b) => b.depth - a.depth);
				for (const path of deepest) removeEmpty(layer, path);
			});
		}
	}

	#isMovingPrim(layer: Layer, path: Path): boolean {
		const typeName = dataOf(layer.field(path, 'typeName'), T.token) ?? '';
		const key = typeName === '' ? undefined : this.#plan.ofType(typeName);
		return key !== undefined && this.#leaves(layer, key);
	}

	#eraseSchemas(layer: Layer, path: Path): void {
		const op = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
		if (op === undefined) return;
		const next = op.mapItems((item) => {
			const key = this.#plan.ofSchema(item);
			return key === undefined || !this.#leaves(layer, key) ? item : undefined;
		});
		if (next.isInert) layer.eraseField(path, 'apiSchemas');
		else layer.setField(path, 'apiSchemas', makeValue(T.tokenListOp, next) as Value);
	}

	/** Every value that moves, by selection, prim and property. */
	#movingValues(over: readonly Layer[]): Map<string, unknown> {
		const found = new Map<string, unknown>();
		let number = 0;
		this.#host.eachStage((stage) => {
			for (const prim of stage.traverse()) {
				for (const name of prim.authoredPropertyNames()) {
					if (this.#plan.ofProperty(name) === undefined) continue;
					const property = prim.property(name);
					const value =
						property !== undefined && 'targets' in property
							? (property as ReturnType<Prim['relationship']>).targets().join(' ')
							: prim.attribute(name).get();
					found.set(`${number} ${prim.path}.${name}`, value);
				}
				const schemas = (prim.authoredSchemas ?? []).filter((item) => this.#plan.ofSchema(item) !== undefined);
				if (schemas.length > 0) found.set(`${number} ${prim.path} schemas`, schemas.slice().sort().join(' '));
			}
			number++;
		}, over);
		return found;
	}

	/** What reads otherwise than before with all new layers in place. */
	#findDifference(before: ReadonlyMap<string, unknown>): string | undefined {
		const after = this.#movingValues(this.#plan.isPartOfAsset ? [] : [...this.#overlays.values()]);
		for (const [key, value] of before) {
			const now = after.get(key);
			const isSame = isValue(value) && isValue(now) ? valuesEqual(value, now) : value === now;
			if (!isSame) return key.replace(/^\d+ /, '');
		}
		return undefined;
	}
}

const STRUCTURE: ReadonlySet<string> = new Set([
	'custom',
	'typeName',
	'variability',
	'connectionPaths',
	'targetPaths',
	'connectionChildren',
	'targetChildren',
]);

function isValue(value: unknown): value is Value {
	return typeof value === 'object' && value !== null && 'type' in value;
}

/** The path of a prim on the stage with the variant selections under which a spec speaks. */
function overlayPath({ node, path }: SpecSite, stagePath: Path): Path {
	const selections = new Map<Path, [string, string][]>();
	const note = (at: Path, map: typeof node.mapToRoot): void => {
		for (let part: Path | null = at; part !== null; part = part.parent) {
			if (part.kind !== PathKind.variant) continue;
			const owner = translateToRoot(map, part.parent!.stripVariants());
			if (owner === undefined) continue;
			const list = selections.get(owner) ?? [];
			if (!list.some(([set]) => set === part!.variantSet)) list.unshift([part.variantSet, part.variantSelection]);
			selections.set(owner, list);
		}
	};
	note(path, node.mapToRoot);
	for (let at = node.parent; at !== null; at = at.parent) note(at.path, at.mapToRoot);
	let result: Path = Path.root;
	for (const element of stagePath.elements()) {
		result = result.appendElement(element);
		for (const [set, variant] of selections.get(result.stripVariants()) ?? [])
			result = result.appendVariant(set, variant);
	}
	return result;
}

/** Makes overs, and the variants among them, down to a path. */
function ensurePrim(layer: Layer, path: Path): void {
	if (layer.has(path)) return;
	if (path.kind === PathKind.variant) layer.createVariant(path);
	else layer.createPrim(path);
	// a variant counts only where its set is listed
	for (const part of variantParts(path)) listVariantSet(layer, part.parent!, part.variantSet);
}

/** The variants that a path leads through, outermost first. */
function variantParts(path: Path): Path[] {
	const parts: Path[] = [];
	for (let at: Path | null = path; at !== null; at = at.parent) if (at.kind === PathKind.variant) parts.unshift(at);
	return parts;
}

/** Copies a prim of a moving type as it is composed; its properties follow by themselves. */
function copyPrim(layer: Layer, path: Path, prim: Prim): void {
	ensurePrim(layer, path);
	if (path.kind === PathKind.variant) return;
	layer.setField(path, 'specifier', makeValue(T.specifier, prim.specifier) as Value);
	if (prim.typeName !== '') layer.setField(path, 'typeName', makeValue(T.token, prim.typeName) as Value);
	for (const field of prim.authoredMetadata()) {
		if (['specifier', 'typeName', 'apiSchemas'].includes(field) || ARCS.has(field)) continue;
		const value = prim.authoredMetadataValue(field);
		if (value !== undefined) layer.setField(path, field, value);
	}
}

const ARCS: ReadonlySet<string> = new Set([
	'references',
	'payload',
	'inheritPaths',
	'specializes',
	'variantSetNames',
	'variantSelection',
	'primChildren',
	'properties',
	'primOrder',
	'propertyOrder',
	'variantSetChildren',
]);

/** Applies schemas, and takes others away that weaker layers apply. */
function editSchemas(layer: Layer, path: Path, applied: readonly string[], deleted: readonly string[]): void {
	ensurePrim(layer, path);
	const present = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
	const added = (old: readonly string[] | undefined, now: readonly string[]): string[] => [
		...(old ?? []),
		...now.filter((schema) => !old?.includes(schema)),
	];
	const op = present?.isExplicit
		? ListOp.explicit(added(present.explicitItems, applied).filter((schema) => !deleted.includes(schema)))
		: ListOp.edits({
				...present,
				prependedItems: added(present?.prependedItems, applied),
				deletedItems: added(present?.deletedItems, deleted),
			});
	layer.setField(path, 'apiSchemas', makeValue(T.tokenListOp, op) as Value);
}

/** Removes overs without content, up to the first that says something. */
function removeEmpty(layer: Layer, path: Path): void {
	for (let at: Path | null = path; at?.isPrim && layer.has(at); at = at.parent) {
		const names = layer.fieldNames(at);
		if (layer.field(at, 'specifier')?.data !== 'over' || names.some((name) => name !== 'specifier')) return;
		layer.removeSpec(at);
	}
}
