import { quote } from '@manyworlds/core';
import type { MjcfValue } from '@manyworlds/formats';
import type { TriangleMesh } from '@manyworlds/mesh';
import type { Heightfield, ShapeMesh } from '@manyworlds/model';
import { createDiagnostic } from '../diagnostics.ts';
import { type LoadedMeshFile, placeMeshes, readMeshParts } from '../mesh/load-meshes.ts';
import type { Attributes } from './attributes.ts';
import type { MjcfContext } from './context.ts';
import { inlineMesh } from './inline-mesh.ts';
import { readElevations } from './read-elevations.ts';

/** A mesh of the `asset` section. */
export interface MeshAsset {
	readonly name: string;
	readonly attributes: Attributes;
	/** Name of the file that the vertices come from; undefined for inline ones. */
	readonly file: MjcfValue | undefined;
	readonly scale: Float64Array;
	readonly maxHullVertices: number;
	/** How MuJoCo computes volume and inertia. */
	readonly inertia: 'legacy' | 'exact' | 'convex' | 'shell';
}

/** A material of the `asset` section. */
export interface MaterialAsset {
	readonly rgba: Float64Array | undefined;
	/** Place of the texture's file. */
	readonly texture: string | undefined;
}

/** Colour and texture that a geom gives its mesh. */
export interface MeshLook {
	readonly color?: readonly [number, number, number] | undefined;
	readonly texture?: string | undefined;
}

/** Meshes, materials, textures and heightfields of a model, by name. Files are read when a geom needs them. */
export class Assets {
	readonly #context: MjcfContext;
	readonly #meshes = new Map<string, MeshAsset>();
	readonly #materials = new Map<string, MaterialAsset>();
	readonly #textures = new Map<string, string>();
	readonly #heightfields = new Map<string, Attributes>();
	readonly #loadedFields = new Map<string, Heightfield | undefined>();
	/** Bytes of files, by identifier; undefined when there are none. */
	readonly #bytes = new Map<string, Uint8Array | undefined>();
	readonly #loaded = new Map<string, LoadedMeshFile | undefined>();
	readonly #solids = new Map<string, TriangleMesh | undefined>();
	/** Meshes of shapes, by asset, scale and look: equal ones are shared. */
	readonly #placed = new Map<string, readonly ShapeMesh[] | undefined>();

	constructor(context: MjcfContext) {
		this.#context = context;
		const sections = context.document.sections('asset');
		for (const section of sections) {
			for (const element of section.childrenNamed('texture')) this.#texture(context.attributes(element));
		}
		for (const section of sections) {
			for (const element of section.children) {
				if (element.name === 'mesh') this.#mesh(context.attributes(element));
				else if (element.name === 'material') this.#material(context.attributes(element));
				else if (element.name === 'hfield') this.#heightfield(context.attributes(element));
			}
		}
	}

	mesh(name: string): MeshAsset | undefined {
		return this.#meshes.get(name);
	}

	material(name: string): MaterialAsset | undefined {
		return this.#materials.get(name);
	}

	hasHeightfield(name: string): boolean {
		return this.#heightfields.has(name);
	}

	/** The meshes of an asset, scaled; undefined, with a diagnostic, when they cannot be read. */
	loadMesh(asset: MeshAsset, scale: ArrayLike<number>, look: MeshLook = {}): readonly ShapeMesh[] | undefined {
		const key = JSON.stringify([asset.name, Array.from(scale), look.color, look.texture]);
		if (this.#placed.has(key)) return this.#placed.get(key);
		const file = this.#fileOf(asset);
		const isSingle = this.#context.options.newtonCompat;
		const isInline = asset.file === undefined;
		const factors: [number, number, number] = [scale[0]!, scale[1]!, scale[2]!];
		const meshes =
			file &&
			this.#withTextures(
				placeMeshes(file, {
					scale: isSingle && isInline ? [1, 1, 1] : factors,
					...(look.color === undefined ? {} : { color: look.color }),
					...(look.texture === undefined ? {} : { texture: look.texture }),
					maxHullVertices: asset.maxHullVertices,
					newtonCompat: isSingle && !isInline,
				}),
			).map((mesh) => (isSingle && isInline ? singleScaled(mesh, factors) : mesh));
		this.#placed.set(key, meshes);
		return meshes;
	}

	/**
	 * The surface that an asset's mass is computed from: MuJoCo holds vertices in single precision and moves and scales them
	 * in double. A mirroring scale turns the triangles over. Undefined when the file cannot be read.
	 */
	solidOf(asset: MeshAsset): TriangleMesh | undefined {
		if (this.#solids.has(asset.name)) return this.#solids.get(asset.name);
		const plain = asset.file === undefined ? inlineMesh(asset, 'vertices') : this.#surfaceOf(asset);
		const mesh =
			plain === undefined || typeof plain === 'string' ? undefined : scaled(plain, asset, this.#context.options.scale);
		this.#solids.set(asset.name, mesh);
		return mesh;
	}

	/** The faces that count for the mass: of an OBJ file with several objects the first, unless its hull is taken. */
	#surfaceOf(asset: MeshAsset): TriangleMesh | undefined {
		const file = this.#fileOf(asset);
		const takesFirst = asset.inertia !== 'convex' && !this.#context.options.newtonCompat;
		return (takesFirst ? file?.firstObject : undefined) ?? file?.whole;
	}

	/** An image needs coordinates. */
	#withTextures(meshes: readonly ShapeMesh[]): ShapeMesh[] {
		return meshes.map((mesh) => {
			if (mesh.texture === undefined || mesh.uvs !== undefined) return mesh;
			const { texture: _, ...plain } = mesh;
			return plain;
		});
	}

	/** A heightfield; undefined, with a diagnostic, when it cannot be read. */
	loadHeightfield(name: string): Heightfield | undefined {
		if (this.#loadedFields.has(name)) return this.#loadedFields.get(name);
		const attributes = this.#heightfields.get(name)!;
		const field = readElevations(this.#context, attributes, (value) => this.bytesOf(value, 'mesh')?.bytes);
		this.#loadedFields.set(name, field);
		return field;
	}

	/** Bytes of the file that an attribute names; undefined, with a diagnostic, when there are none. */
	bytesOf(
		value: MjcfValue,
		kind: 'mesh' | 'texture',
	): { readonly file: string; readonly bytes: Uint8Array } | undefined {
		const { store } = this.#context.options;
		const faults: string[] = [];
		for (const { path, from } of this.#context.document.assetPlaces(value, kind)) {
			if (store === undefined) {
				faults.push('other files cannot be read here');
				break;
			}
			const { identifier, refusal } = store.identify(path, from ?? '');
			if (refusal !== undefined) {
				faults.push(refusal);
				continue;
			}
			let bytes = this.#bytes.get(identifier);
			if (!this.#bytes.has(identifier)) {
				const content = store.bytes(identifier);
				bytes = content instanceof Uint8Array ? content : undefined;
				if (content === undefined) faults.push('it is not loaded yet');
				else if (!(content instanceof Uint8Array) && content.failure !== '') faults.push(content.failure);
				this.#bytes.set(identifier, bytes);
			}
			if (bytes !== undefined) return { file: identifier, bytes };
		}
		const reason = faults[0] ?? 'there is no such file';
		const message = `${quote(value.text)} of <${value.element.name}> cannot be read: ${reason}`;
		this.#context.report.add(createDiagnostic('MJCF010', message, value.attribute.location));
		return undefined;
	}

	#fileOf(asset: MeshAsset): LoadedMeshFile | undefined {
		if (this.#loaded.has(asset.name)) return this.#loaded.get(asset.name);
		let file: LoadedMeshFile | undefined;
		if (asset.file === undefined) {
			const mesh = inlineMesh(asset, this.#context.options.newtonCompat ? 'all' : 'none');
			// wrong ones were reported when the asset was read
			if (typeof mesh !== 'string') file = { parts: [{ mesh, traits: {} }], whole: mesh };
		} else {
			file = this.#read(asset.file);
			if (file !== undefined && file.whole === undefined) {
				asset.attributes.fault('MJCF010', 'file', 'which holds no triangles that can be read');
				file = undefined;
			}
		}
		this.#loaded.set(asset.name, file);
		return file;
	}

	#read(value: MjcfValue): LoadedMeshFile | undefined {
		const found = this.bytesOf(value, 'mesh');
		if (found === undefined) return undefined;
		const { store } = this.#context.options;
		const external = (file: string): Uint8Array | undefined => {
			const { identifier, refusal } = store!.identify(file, found.file);
			const content = refusal === undefined ? store!.bytes(identifier) : undefined;
			return content instanceof Uint8Array ? content : undefined;
		};
		return readMeshParts(found.bytes, {
			file: found.file,
			report: this.#context.report,
			external,
			newtonCompat: this.#context.options.newtonCompat,
			shortDiagonals: !this.#context.options.newtonCompat,
		});
	}

	#mesh(attributes: Attributes): void {
		const file = attributes.values.get('file');
		const hasInline = attributes.has('vertex');
		const scale = attributes.vector('scale') ?? Float64Array.of(1, 1, 1);
		const maxHullVertices = attributes.integer('maxhullvert', this.#context.options.meshMaxhullvert);
		const word = attributes.word('inertia') ?? 'legacy';
		const inertia = INERTIAS.find((name) => name === word) ?? 'legacy';
		if (word !== inertia) attributes.fault('MJCF006', 'inertia', `expected ${INERTIAS.join(', ')}`);
		if (file === undefined && !hasInline) {
			const kind = attributes.has('builtin') ? 'MJCF008' : 'MJCF013';
			this.#context.fault(kind, `${attributes.subject} has neither a file nor vertices`, attributes.element);
			attributes.ignoreAll('meshes without a file or vertices are not made');
			return;
		}
		if (file !== undefined) attributes.text('file');
		const name = attributes.text('name') ?? (file === undefined ? undefined : stem(file.text));
		if (name === undefined || name === '') {
			this.#context.fault('MJCF013', 'a mesh with vertices has no name, expected one', attributes.element);
			return;
		}
		if (this.#meshes.has(name)) this.#repeated('mesh', name, attributes);
		this.#meshes.set(name, { name, attributes, file, scale, maxHullVertices, inertia });
		if (file === undefined) {
			const problem = inlineMesh(this.#meshes.get(name)!);
			if (typeof problem === 'string') {
				attributes.fault('MJCF013', 'name', problem);
				this.#meshes.delete(name);
			}
		}
	}

	#texture(attributes: Attributes): void {
		const name = attributes.values.get('name')?.text;
		const file = attributes.values.get('file');
		if (name === undefined || file === undefined) return;
		attributes.text('name');
		attributes.text('file');
		const place = this.#context.document.assetPlaces(file, 'texture')[0]!;
		const resolved = this.#context.options.store?.identify(place.path, place.from ?? '');
		this.#textures.set(name, resolved?.identifier || place.path);
	}

	#material(attributes: Attributes): void {
		const name = attributes.text('name');
		if (name === undefined) return;
		const rgba = attributes.numbers('rgba', { least: 3, most: 4 });
		const texture = attributes.text('texture');
		if (this.#materials.has(name)) this.#repeated('material', name, attributes);
		this.#materials.set(name, { rgba, texture: texture === undefined ? undefined : this.#textures.get(texture) });
	}

	#heightfield(attributes: Attributes): void {
		const name = attributes.text('name');
		if (name === undefined) return;
		if (this.#heightfields.has(name)) this.#repeated('heightfield', name, attributes);
		this.#heightfields.set(name, attributes);
	}

	#repeated(kind: string, name: string, attributes: Attributes): void {
		this.#context.fault('MJCF017', `the ${kind} ${quote(name)} is given twice; the last counts`, attributes.element);
	}
}

/** A mesh with its vertices scaled in single precision, as Newton has them. */
function singleScaled(mesh: ShapeMesh, factors: readonly number[]): ShapeMesh {
	const single = factors.map(Math.fround);
	return { ...mesh, vertices: mesh.vertices.map((value, i) => Math.fround(value * single[i % 3]!)) };
}

function scaled(mesh: TriangleMesh, asset: MeshAsset, scale: number): TriangleMesh {
	const factors = asset.scale.map((factor) => factor * scale);
	const isFile = asset.file !== undefined;
	const vertices = mesh.vertices.map((value, i) => (isFile ? Math.fround(value) : value) * factors[i % 3]!);
	if (factors[0]! * factors[1]! * factors[2]! > 0) return { vertices, indices: mesh.indices };
	const indices = mesh.indices.slice();
	for (let i = 0; i < indices.length; i += 3) indices.subarray(i + 1, i + 3).reverse();
	return { vertices, indices };
}

const INERTIAS = ['legacy', 'exact', 'convex', 'shell'] as const;

/** Name of a file without folder and extension. */
function stem(path: string): string {
	const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
	const dot = name.lastIndexOf('.');
	return dot > 0 ? name.slice(0, dot) : name;
}
