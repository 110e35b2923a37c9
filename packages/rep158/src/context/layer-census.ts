import { type Layer, type LayerData, type Path, SpecType, T, type TimeSamples, type Value } from '@manyworlds/usd';
import { CrateData, dataOf } from '@manyworlds/usd/internal';
import { applied } from './find-place.ts';
import { SHAPE_ARRAYS } from './shape-arrays.ts';
import type { VendorRegistry } from './vendors.ts';

/** Something that a layer holds: a spec, perhaps one of its fields, perhaps an item of that. @public */
export interface CensusEntry {
	readonly path: Path;
	readonly field?: string;
	readonly item?: string;
}

/** A kind of content of a layer: how often it is met and where. @public */
export interface CensusGroup {
	count: number;
	/** The places, in stored order. */
	readonly entries: CensusEntry[];
}

/** An opinion of a vendor. @public */
export interface VendorEntry extends CensusEntry {
	readonly vendor: string;
	/** The property, schema or prim type. */
	readonly name: string;
	readonly kind: 'property' | 'schema' | 'type' | 'metadata';
}

/** An array of numbers. Its size is found when it is asked for, since arrays of crate files have to be decoded for it. @public */
export class ArrayEntry implements CensusEntry {
	readonly path: Path;
	readonly #data: LayerData;
	#bytes: number | undefined;

	constructor(path: Path, data: LayerData) {
		this.path = path;
		this.#data = data;
	}

	/** Bytes of the numbers, samples included. */
	get bytes(): number {
		this.#bytes ??=
			valueBytes(this.#data.field(this.path, 'default')) + samplesBytes(this.#data.field(this.path, 'timeSamples'));
		return this.#bytes;
	}
}

/** What a layer holds, in all its variants. @public */
export interface LayerCensus {
	readonly layer: Layer;
	/** Whether the layer is binary (crate). */
	readonly isCrate: boolean;
	readonly primCount: number;
	/** Arrays of numbers, and their bytes together. */
	readonly arrays: ArrayEntry[];
	readonly arrayBytes: () => number;
	/** Points, topology and primvars: attributes of geometry with arrays. */
	readonly geometry: CensusGroup;
	/** Points and topology alone. */
	readonly meshes: CensusGroup;
	/** Prims with a shape: meshes, curves, points, primitives. */
	readonly shapes: CensusGroup;
	/** Physics scenes. */
	readonly scenes: ReadonlySet<Path>;
	/** Prims, schemas and properties of UsdPhysics and ExtendedPhysics. */
	readonly physics: CensusGroup;
	readonly ros: CensusGroup;
	/** Materials, shaders and node graphs. */
	readonly materials: CensusGroup;
	readonly vendors: VendorEntry[];
	/** Applied schemas; relationships with targets and connections. */
	readonly schemas: CensusGroup;
	readonly links: CensusGroup;
	/** References, payloads and sublayers. */
	readonly arcs: CensusGroup;
	/** Execution graphs. */
	readonly graphs: CensusGroup;
	/** Lights and cameras. */
	readonly lights: CensusGroup;
	readonly cameras: CensusGroup;
}

const SHAPE_TYPES: ReadonlySet<string> = new Set([
	'Mesh',
	'TetMesh',
	'Points',
	'BasisCurves',
	'NurbsCurves',
	'HermiteCurves',
	'NurbsPatch',
	'PointInstancer',
	'Cube',
	'Sphere',
	'Cylinder',
	'Cylinder_1',
	'Capsule',
	'Capsule_1',
	'Cone',
	'Plane',
]);
/** Types of arrays that are no text. */
const NUMERIC_ARRAY = /^(?!string|token|asset|pathExpression)\w+\[\]$/;
const MATERIAL_TYPES: ReadonlySet<string> = new Set(['Material', 'Shader', 'NodeGraph']);
const GRAPH_TYPE = /^(?:OmniGraph|Graph$|ComputeGraph|ActionGraph)/;
const LIGHT_TYPE = /^(?:Dome|Distant|Sphere|Rect|Disk|Cylinder|Geometry|Portal|Plugin)Light(?:_\d+)?$/;
/** Attributes of the shapes and primvars of UsdGeom. */
const GEOMETRY_NAMES: ReadonlySet<string> = new Set([
	...SHAPE_ARRAYS,
	'widths',
	'positions',
	'orientations',
	'orientationsf',
	'scales',
	'protoIndices',
	'ids',
]);

/** Counts what a layer holds; linear in its specs. @public */
export function takeCensus(layer: Layer, vendors: VendorRegistry): LayerCensus {
	const { data } = layer;
	const census = {
		layer,
		isCrate: data instanceof CrateData,
		primCount: 0,
		arrays: [] as ArrayEntry[],
		arrayBytes: () => census.arrays.reduce((sum, { bytes }) => sum + bytes, 0),
		geometry: group(),
		meshes: group(),
		shapes: group(),
		scenes: new Set<Path>(),
		physics: group(),
		ros: group(),
		materials: group(),
		vendors: [] as VendorEntry[],
		schemas: group(),
		links: group(),
		arcs: group(),
		graphs: group(),
		lights: group(),
		cameras: group(),
	};

	const visitPrim = (path: Path): void => {
		census.primCount++;
		const typeName = dataOf(data.field(path, 'typeName'), T.token) ?? '';
		if (typeName !== '') {
			const entry = { path };
			const vendor = vendors.ofSchema(typeName);
			if (vendor !== undefined) census.vendors.push({ path, vendor, name: typeName, kind: 'type' });
			else if (typeName.startsWith('Physics')) add(census.physics, entry);
			if (typeName === 'PhysicsScene') census.scenes.add(path);
			if (SHAPE_TYPES.has(typeName)) add(census.shapes, entry);
			else if (MATERIAL_TYPES.has(typeName)) add(census.materials, entry);
			else if (GRAPH_TYPE.test(typeName)) add(census.graphs, entry);
			else if (LIGHT_TYPE.test(typeName)) add(census.lights, entry);
			else if (typeName === 'Camera') add(census.cameras, entry);
		}
		for (const field of data.fieldNames(path)) {
			if (field === 'apiSchemas') visitSchemas(path);
			else if (field === 'customData') visitCustomData(path);
			else if (field === 'references' || field === 'payload') add(census.arcs, { path, field });
		}
	};

	const visitCustomData = (path: Path): void => {
		for (const key of dataOf(data.field(path, 'customData'), T.dictionary)?.keys() ?? []) {
			const vendor = vendors.ofKey(key);
			if (vendor === undefined) continue;
			census.vendors.push({
				path,
				field: 'customData',
				item: key,
				vendor,
				name: `customData.${key}`,
				kind: 'metadata',
			});
		}
	};

	const visitSchemas = (path: Path): void => {
		const op = dataOf(data.field(path, 'apiSchemas'), T.tokenListOp);
		if (op === undefined) return;
		for (const item of applied(op)) {
			const entry = { path, field: 'apiSchemas', item };
			add(census.schemas, entry);
			const vendor = vendors.ofSchema(item);
			if (vendor !== undefined) census.vendors.push({ ...entry, vendor, name: item, kind: 'schema' });
			else if (isPhysicsSchema(item)) add(census.physics, entry);
			else if (isRosSchema(item)) add(census.ros, entry);
		}
	};

	const visitProperty = (path: Path, type: SpecType): void => {
		const { name } = path;
		const fields = data.fieldNames(path);
		if (fields.includes('customData')) visitCustomData(path);
		const vendor = vendors.ofProperty(name);
		if (vendor !== undefined) census.vendors.push({ path, vendor, name, kind: 'property' });
		else if (name.startsWith('physics:') || name.startsWith('ext_physics:')) add(census.physics, { path });
		else if (name.startsWith('ros:') || name.startsWith('ros2:')) add(census.ros, { path });
		if (type === SpecType.relationship) {
			if (data.field(path, 'targetPaths') !== undefined) add(census.links, { path });
			return;
		}
		if (data.field(path, 'connectionPaths') !== undefined) add(census.links, { path });
		const typeName = dataOf(data.field(path, 'typeName'), T.token) ?? '';
		if (!NUMERIC_ARRAY.test(typeName) || !(fields.includes('default') || fields.includes('timeSamples'))) return;
		census.arrays.push(new ArrayEntry(path, data));
		const isMeshData = GEOMETRY_NAMES.has(name);
		if (isMeshData) add(census.meshes, { path });
		if (isMeshData || name.startsWith('primvars:')) add(census.geometry, { path });
	};

	for (const path of data.paths()) {
		const type = data.specType(path);
		if (type === SpecType.prim || type === SpecType.variant) visitPrim(path);
		else if (type === SpecType.attribute || type === SpecType.relationship) visitProperty(path, type);
		else if (type === SpecType.pseudoRoot && data.field(path, 'subLayers') !== undefined) {
			add(census.arcs, { path, field: 'subLayers' });
		}
	}
	return census;
}

/** Whether an applied schema belongs to UsdPhysics or the neutral extension of it. @public */
export function isPhysicsSchema(name: string): boolean {
	return name.startsWith('Physics') || name.startsWith('ExtendedPhysics');
}

/** Whether an applied schema declares ROS contexts, interfaces, frames or controllers. @public */
export function isRosSchema(name: string): boolean {
	return /^Ros2?[A-Z]/.test(name) && name.endsWith('API');
}

function group(): CensusGroup {
	return { count: 0, entries: [] };
}

function add(to: CensusGroup, entry: CensusEntry): void {
	to.count++;
	to.entries.push(entry);
}

function valueBytes(value: Value | undefined): number {
	return value !== undefined && ArrayBuffer.isView(value.data) && value.type.isArray ? value.data.byteLength : 0;
}

function samplesBytes(value: Value | undefined): number {
	const samples: TimeSamples | undefined = dataOf(value, T.timeSamples);
	if (samples === undefined || samples.times.length === 0) return 0;
	return valueBytes(samples.valueAt(0)) * samples.times.length;
}
