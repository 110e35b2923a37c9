import {
	compareLayers,
	flattenStage,
	type Layer,
	type LayerData,
	ListOp,
	makeValue,
	Path,
	SpecType,
	T,
	type Value,
} from '@manyworlds/usd';
import { dataOf, makePayload } from '@manyworlds/usd/internal';
import { takeCensus } from '../../context/layer-census.ts';
import { SHAPE_ARRAYS } from '../../context/shape-arrays.ts';
import { VendorRegistry } from '../../context/vendors.ts';
import type { FixSession } from '../engine/fix-session.ts';
import { type Fixer, FixRefusal } from '../engine/fixer.ts';

const RULE = 'R1.2.1.2';

/** The layers that a monolith is divided into, the strongest first. */
const PARTS = ['ros', 'physics', 'materials', 'base'] as const;
type Part = (typeof PARTS)[number];

/**
 * F23: an asset in one file becomes an entry over layers for ROS, physics, materials and the hierarchy, with arrays in a crate behind
 * payloads. What it composes to is the same; when it were not, nothing would be changed.
 */
export const SPLIT: Fixer = {
	family: 'F23',
	title: 'one layer for each function',
	rules: ['R1.2.1.1', 'R1.2.1.2'],
	safety: 'unsafe',
	apply(session) {
		const { rootLayer } = session;
		if (!session.wants(RULE)) return;
		const { geometry, physics, ros } = takeCensus(rootLayer, new VendorRegistry());
		// an entry without physics, interfaces or arrays is light already
		if (physics.count + ros.count === 0 || (geometry.count === 0 && !mixes(session))) return;
		const before = flattened(session);
		new Split(session).run();
		const difference = compositionDifference(before, flattened(session));
		if (difference !== undefined) throw new FixRefusal(RULE, `${difference} would compose otherwise`);
	},
};

/** Where two flattened stages differ, the order of lists of names apart; undefined when they say the same. */
export function compositionDifference(before: LayerData, after: LayerData): string | undefined {
	for (const { path, field, kind } of compareLayers(before, after)) {
		if (path === Path.root && field !== undefined && field !== 'primChildren') continue;
		const isList = kind === 'value' && (field === 'apiSchemas' || field === 'primChildren' || field === 'properties');
		if (isList && names(before.field(path, field)) === names(after.field(path, field))) continue;
		return `<${path}>${field === undefined ? '' : ` ${field}`}`;
	}
	return undefined;
}

function names(value: Value | undefined): string {
	const op = dataOf(value, T.tokenListOp);
	const list =
		op === undefined ? dataOf(value, T.tokenVector) : [...op.explicitItems, ...op.prependedItems, ...op.appendedItems];
	return [...(list ?? [])].sort().join(' ');
}

function mixes({ rootLayer }: FixSession): boolean {
	const { materials, physics } = takeCensus(rootLayer, new VendorRegistry());
	return materials.count > 0 && physics.count > 0;
}

function flattened(session: FixSession): LayerData {
	const stage = session.open();
	const layer = flattenStage(stage);
	stage.close();
	return layer.data;
}

class Split {
	readonly #session: FixSession;
	readonly #root: Layer;
	readonly #layers = new Map<Part, Layer>();
	#geometry: Layer | undefined;
	readonly #shapeNames = new Set<string>();

	constructor(session: FixSession) {
		this.#session = session;
		this.#root = session.rootLayer;
	}

	run(): void {
		const root = this.#root;
		const specs = [...root.data.paths()].filter((path) => path !== Path.root);
		for (const path of specs) {
			const type = root.specType(path);
			if (type === SpecType.prim || type === SpecType.variant) this.#dividePrim(path);
		}
		const session = this.#session;
		session.edit(RULE, root, () => {
			for (const path of root.children(Path.root)) root.removeSpec(path);
			const own = dataOf(root.field(Path.root, 'subLayers'), T.stringVector) ?? [];
			const offsets = dataOf(root.field(Path.root, 'subLayerOffsets'), T.layerOffsetVector) ?? [];
			const made = PARTS.filter((part) => this.#layers.has(part)).map((part) => `./${fileOf(this.#layers.get(part)!)}`);
			root.setField(Path.root, 'subLayers', makeValue(T.stringVector, [...made, ...own]) as Value);
			const identity = made.map(() => ({ offset: 0, scale: 1 }));
			root.setField(Path.root, 'subLayerOffsets', makeValue(T.layerOffsetVector, [...identity, ...offsets]) as Value);
		});
	}

	#layer(part: Part): Layer {
		let layer = this.#layers.get(part);
		if (layer === undefined) {
			layer = this.#make(`${part}.usda`);
			this.#layers.set(part, layer);
		}
		return layer;
	}

	/** A new layer beside the entry, in its units. */
	#make(name: string): Layer {
		const layer = this.#session.createLayer(`./${this.#prefix()}${name}`);
		this.#session.edit(RULE, layer, () => {
			for (const field of [
				'metersPerUnit',
				'kilogramsPerUnit',
				'upAxis',
				'timeCodesPerSecond',
				'framesPerSecond',
				'defaultPrim',
			]) {
				const value = this.#root.field(Path.root, field);
				if (value !== undefined) layer.setField(Path.root, field, value);
			}
		});
		return layer;
	}

	/** Folders with several assets keep their layers apart by name. */
	#prefix(): string {
		const taken = [...PARTS.map((part) => `${part}.usda`), 'geometries.usdc'].some((name) => {
			const { identifier } = this.#session.store.identify(`./${name}`, this.#root.identifier);
			return this.#session.original(identifier) !== undefined;
		});
		return taken ? `${fileOf(this.#root).replace(/\.[^.]*$/, '')}_` : '';
	}

	#dividePrim(path: Path): void {
		const root = this.#root;
		const home = this.#homeOf(path);
		for (const field of root.fieldNames(path)) {
			const value = root.field(path, field);
			if (value === undefined || STRUCTURE.has(field)) continue;
			if (field === 'apiSchemas') this.#divideSchemas(path, home, dataOf(value, T.tokenListOp)!);
			else this.#write(home, path, (layer) => layer.setField(path, field, value));
		}
		this.#write(home, path, () => {});
		const names = dataOf(root.field(path, 'properties'), T.tokenVector) ?? [];
		const arrays: string[] = [];
		for (const name of names) {
			const isArray =
				(SHAPE_ARRAYS.has(name) || name.startsWith('primvars:')) && isArrayValue(root, path.appendProperty(name));
			if (isArray && home === 'base') arrays.push(name);
			else this.#copyProperty(this.#layer(partOfProperty(name, home)), path, name);
		}
		if (arrays.length > 0) this.#hideArrays(path, arrays);
	}

	/** Where the prim itself belongs: by its type, or by that of the prim above that it is part of. */
	#homeOf(path: Path): Part {
		for (let at: Path | null = path; at !== null && at !== Path.root; at = at.parent) {
			const typeName = dataOf(this.#root.field(at, 'typeName'), T.token) ?? '';
			if (/^(?:Material|Shader|NodeGraph)$/.test(typeName))
				return isPhysicsMaterial(this.#root, at) ? 'physics' : 'materials';
			if (typeName.startsWith('Physics')) return 'physics';
		}
		return 'base';
	}

	/** Makes sure that a layer has the prim, then writes. */
	#write(part: Part, path: Path, write: (layer: Layer) => void): void {
		const layer = this.#layer(part);
		this.#session.edit(RULE, layer, () => {
			this.#ensure(layer, path, part);
			write(layer);
		});
	}

	#ensure(layer: Layer, path: Path, part: Part): void {
		if (layer.has(path)) return;
		if (path.parent !== null && path.parent !== Path.root) this.#ensure(layer, path.parent, part);
		if (this.#root.specType(path) === SpecType.variant) {
			layer.createVariant(path);
			return;
		}
		const isHome = this.#homeOf(path) === part;
		const specifier = dataOf(this.#root.field(path, 'specifier'), T.specifier) ?? 'over';
		layer.createPrim(path, { specifier: isHome ? specifier : 'over' });
	}

	#divideSchemas(path: Path, home: Part, op: ListOp<string>): void {
		if (op.isExplicit) {
			this.#divideExplicit(path, home, op.explicitItems);
			return;
		}
		for (const part of PARTS) {
			const own = op.mapItems((item) => (partOfSchema(item, home) === part ? item : undefined));
			if (own.isInert) continue;
			this.#write(part, path, (layer) => layer.setField(path, 'apiSchemas', makeValue(T.tokenListOp, own) as Value));
		}
	}

	/** An explicit list hides what weaker layers add: it stays where it is, and stronger layers add to it. */
	#divideExplicit(path: Path, home: Part, items: readonly string[]): void {
		const partOf = (item: string): Part => {
			const part = partOfSchema(item, home);
			return PARTS.indexOf(part) < PARTS.indexOf(home) ? part : home;
		};
		for (const part of PARTS) {
			const own = items.filter((item) => partOf(item) === part);
			if (part !== home && own.length === 0) continue;
			const list = part === home ? ListOp.explicit(own) : ListOp.edits({ prependedItems: own });
			this.#write(part, path, (layer) => layer.setField(path, 'apiSchemas', makeValue(T.tokenListOp, list) as Value));
		}
	}

	#copyProperty(layer: Layer, path: Path, name: string, as: Path = path): void {
		const from = path.appendProperty(name);
		const to = as.appendProperty(name);
		const part = PARTS.find((candidate) => this.#layers.get(candidate) === layer);
		this.#session.edit(RULE, layer, () => {
			if (part !== undefined) this.#ensure(layer, path, part);
			copySpec(this.#root, from, layer, to);
		});
	}

	/** Puts arrays of a shape into the crate, behind a payload of the shape. */
	#hideArrays(path: Path, names: readonly string[]): void {
		this.#geometry ??= this.#make('geometries.usdc');
		const geometry = this.#geometry;
		let name = path.name === '' ? path.primPath.name || 'shape' : path.name;
		for (let i = 2; this.#shapeNames.has(name); i++) name = `${path.name}_${i}`;
		this.#shapeNames.add(name);
		const shape = Path.root.appendChild('Geometries').appendChild(name);
		const typeName = dataOf(this.#root.field(path, 'typeName'), T.token) ?? '';
		this.#session.edit(RULE, geometry, () => {
			if (!geometry.has(shape.parent!)) geometry.createPrim(shape.parent!, { specifier: 'def', typeName: 'Scope' });
			geometry.createPrim(shape, { specifier: typeName === '' ? 'over' : 'def', ...(typeName !== '' && { typeName }) });
		});
		for (const property of names) this.#copyProperty(geometry, path, property, shape);
		this.#write('base', path, (layer) => {
			const present = dataOf(layer.field(path, 'payload'), T.payloadListOp);
			const arc = makePayload(`./${fileOf(geometry)}`, shape);
			const next =
				present?.isExplicit === true
					? ListOp.explicit([...present.explicitItems, arc])
					: ListOp.edits({ ...(present ?? {}), prependedItems: [...(present?.prependedItems ?? []), arc] });
			layer.setField(path, 'payload', makeValue(T.payloadListOp, next) as Value);
		});
	}
}

const STRUCTURE: ReadonlySet<string> = new Set([
	'specifier',
	'primChildren',
	'properties',
	'variantSetChildren',
	'variantChildren',
]);

function isPhysicsMaterial(layer: Layer, path: Path): boolean {
	const op = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
	const items = op === undefined ? [] : [...op.explicitItems, ...op.prependedItems, ...op.appendedItems];
	const hasSurface = layer.has(path.appendProperty('outputs:surface'));
	return items.includes('PhysicsMaterialAPI') && !hasSurface;
}

function partOfSchema(schema: string, home: Part): Part {
	if (/^Ros[A-Z]/.test(schema)) return 'ros';
	if (/^(?:Extended)?Physics/.test(schema)) return 'physics';
	return home;
}

function partOfProperty(name: string, home: Part): Part {
	if (name.startsWith('ros:')) return 'ros';
	if (/^(?:physics|ext_physics|drive|limit):/.test(name) || name === 'material:binding:physics') return 'physics';
	return home;
}

function isArrayValue(layer: Layer, path: Path): boolean {
	return (
		(dataOf(layer.field(path, 'typeName'), T.token) ?? '').endsWith('[]') && layer.specType(path) === SpecType.attribute
	);
}

function copySpec(from: Layer, source: Path, to: Layer, target: Path): void {
	const isAttribute = from.specType(source) === SpecType.attribute;
	const custom = from.field(source, 'custom')?.data === true;
	const variability = dataOf(from.field(source, 'variability'), T.variability) ?? 'varying';
	if (isAttribute) to.createAttribute(target, `${from.field(source, 'typeName')?.data ?? ''}`, { custom, variability });
	else to.createRelationship(target, { custom, variability });
	for (const field of from.fieldNames(source)) {
		const value = from.field(source, field);
		if (
			value === undefined ||
			['custom', 'variability', 'typeName', 'targetChildren', 'connectionChildren'].includes(field)
		)
			continue;
		to.setField(target, field, value);
	}
}

function fileOf({ identifier }: Layer): string {
	return identifier.split('/').at(-1)!;
}
