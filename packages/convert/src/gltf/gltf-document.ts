import { ChunkedFile, type TargetFile } from '../write/target-files.ts';
import { type Bounds, knownBounds } from './join-corners.ts';
import type { MeshCodec } from './mesh-codec.ts';
import { type Indices, isShort, type SurfaceMesh } from './surface-mesh.ts';

/** A value of JSON, as glTF is written. */
export type GltfValue =
	| string
	| number
	| boolean
	| readonly GltfValue[]
	| { readonly [key: string]: GltfValue | undefined };

/** An object of glTF. */
export type GltfObject = { [key: string]: GltfValue | undefined };

/** Lists of a glTF file that things are put in by index. */
type ListName = 'materials' | 'meshes' | 'textures' | 'samplers' | 'cameras';

const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;
const MESHOPT = 'EXT_meshopt_compression';
const TYPES = { 1: 'SCALAR', 2: 'VEC2', 3: 'VEC3', 4: 'VEC4' } as const;

/** A piece of the binary part. */
interface View {
	readonly bytes: Uint8Array;
	readonly target?: number;
	/** Bytes of one item, for arrays of numbers. */
	readonly stride?: number;
}

/** Where the pieces of the binary part are. */
interface Layout {
	readonly views: readonly GltfObject[];
	readonly pieces: readonly Uint8Array[];
	readonly size: number;
	/** Size of what is packed, when it is unpacked. */
	readonly unpackedSize: number;
}

/**
 * A glTF file in the making. What is equal is stored once: accessors by their bytes, everything else by its text, so that meshes and
 * materials that say the same are one.
 */
export class GltfDocument {
	readonly nodes: GltfObject[] = [];
	readonly lights: GltfObject[] = [];
	/** Names of variants of materials. */
	readonly variants: string[] = [];
	readonly animations: GltfObject[] = [];
	/** Meshes with the tangents of normal maps, by the mesh and by where the map lies. */
	readonly tangents: WeakMap<SurfaceMesh, Map<string, SurfaceMesh>> = new WeakMap();
	readonly #lists: Record<ListName, GltfValue[]> = {
		materials: [],
		meshes: [],
		textures: [],
		samplers: [],
		cameras: [],
	};
	readonly #known = new Map<string, number>();
	readonly #accessors: GltfObject[] = [];
	readonly #accessorsByHash = new Map<number, number[]>();
	/** Accessors of arrays that were added before, so that a shared mesh is not compared again. */
	readonly #accessorOf = new WeakMap<object, number>();
	readonly #views: View[] = [];
	readonly #imageFiles: { readonly view: number; readonly mimeType: string; readonly name: string }[] = [];
	readonly #extensions = new Set<string>();
	readonly #required = new Set<string>([MESHOPT]);

	/** Says that an extension is used. */
	use(extension: string): void {
		this.#extensions.add(extension);
	}

	/** Says that viewers must know an extension, if it is used. */
	demand(extension: string): void {
		this.#required.add(extension);
	}

	/** Index of an object in a list; equal ones are one. */
	add(list: ListName, object: GltfObject): number {
		const key = `${list} ${JSON.stringify(object)}`;
		let index = this.#known.get(key);
		if (index === undefined) {
			index = this.#lists[list].push(object) - 1;
			this.#known.set(key, index);
		}
		return index;
	}

	/** A material by its index. */
	material(index: number): GltfObject {
		return this.#lists.materials[index] as GltfObject;
	}

	/** Index of a mesh; the first of equal ones gives it its name. */
	addMesh(name: string, primitives: readonly GltfObject[]): number {
		const key = `mesh ${JSON.stringify(primitives)}`;
		let index = this.#known.get(key);
		if (index === undefined) {
			index = this.#lists.meshes.push({ name, primitives }) - 1;
			this.#known.set(key, index);
		}
		return index;
	}

	/** Index of an accessor of attributes of vertices or instances. */
	addFloats(data: Float32Array, width: 1 | 2 | 3 | 4, options: { bounds?: boolean; isVertex?: boolean } = {}): number {
		const { bounds = false, isVertex = true } = options;
		const known = this.#accessorOf.get(data);
		if (known !== undefined) return known;
		const count = data.length / width;
		const index = this.#addAccessor(data, isVertex ? ARRAY_BUFFER : undefined, 4 * width, {
			componentType: 5126,
			count,
			type: TYPES[width],
			...(bounds ? boundsOf(data, width) : {}),
		});
		this.#accessorOf.set(data, index);
		return index;
	}

	/** Index of an accessor of corners of triangles, two bytes each where they suffice. */
	addIndices(indices: Indices, vertexCount: number): number {
		const known = this.#accessorOf.get(indices);
		if (known !== undefined) return known;
		const data = isShort(vertexCount) && indices instanceof Uint32Array ? new Uint16Array(indices) : indices;
		const size = data.BYTES_PER_ELEMENT;
		const index = this.#addAccessor(data, ELEMENT_ARRAY_BUFFER, size, {
			componentType: size === 2 ? 5123 : 5125,
			count: indices.length,
			type: 'SCALAR',
		});
		this.#accessorOf.set(indices, index);
		return index;
	}

	/** Index of an image. */
	addImage(bytes: Uint8Array, mimeType: string, name: string): number {
		for (const [index, { view, mimeType: type }] of this.#imageFiles.entries()) {
			if (type === mimeType && isSame(this.#views[view]!.bytes, bytes)) return index;
		}
		return this.#imageFiles.push({ view: this.#addView({ bytes }), mimeType, name }) - 1;
	}

	#addAccessor(
		data: Float32Array | Uint16Array | Uint32Array,
		target: number | undefined,
		stride: number,
		parts: GltfObject,
	): number {
		const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
		const hash = hashOf(bytes);
		const alike = this.#accessorsByHash.get(hash) ?? [];
		const key = JSON.stringify(parts);
		for (const index of alike) {
			const { bufferView, ...rest } = this.#accessors[index]!;
			if (JSON.stringify(rest) === key && isSame(this.#views[bufferView as number]!.bytes, bytes)) return index;
		}
		const bufferView = this.#addView(target === undefined ? { bytes, stride } : { bytes, stride, target });
		const index = this.#accessors.push({ bufferView, ...parts }) - 1;
		this.#accessorsByHash.set(hash, [...alike, index]);
		return index;
	}

	#addView(view: View): number {
		return this.#views.push(view) - 1;
	}

	/** The file with everything in it. */
	toGlb(path: string, scenes: readonly GltfScene[], generator: string, codec?: MeshCodec): TargetFile[] {
		const layout = this.#layOut(this.#views, codec);
		const { size } = layout;
		const images = this.#imageFiles.map(({ view, mimeType, name }) => ({ bufferView: view, mimeType, name }));
		const json = new TextEncoder().encode(JSON.stringify(this.#json(scenes, generator, images, layout, {})));
		const jsonSize = padded(json.length);
		const total = 12 + 8 + jsonSize + (size === 0 ? 0 : 8 + size);
		// everything before the pieces; what they need to be of whole words stands between them
		const head = new Uint8Array(total - size);
		const header = new DataView(head.buffer);
		for (const [at, word] of [0x46546c67, 2, total, jsonSize, 0x4e4f534a].entries())
			header.setUint32(4 * at, word, true);
		head.fill(0x20, 20, 20 + jsonSize);
		head.set(json, 20);
		if (size > 0) {
			header.setUint32(20 + jsonSize, size, true);
			header.setUint32(24 + jsonSize, 0x004e4942, true);
		}
		return [new ChunkedFile(path, [head, ...paddedPieces(layout)])];
	}

	/** The text, with the numbers and the images in files beside it. */
	toGltf(path: string, scenes: readonly GltfScene[], generator: string, codec?: MeshCodec): TargetFile[] {
		const stem = path.replace(/\.[^./]*$/, '');
		const isImage = new Set(this.#imageFiles.map(({ view }) => view));
		const kept = this.#views.map((_, index) => index).filter((index) => !isImage.has(index));
		const place = new Map(kept.map((index, at) => [index, at]));
		const layout = this.#layOut(
			kept.map((index) => this.#views[index]!),
			codec,
		);
		const files: TargetFile[] = [];
		const images = this.#imageFiles.map(({ view, mimeType, name }, index) => {
			const uri = `${fileStem(stem)}_${index}.${mimeType === 'image/png' ? 'png' : 'jpg'}`;
			files.push({ path: uri, content: this.#views[view]!.bytes });
			return { uri: encodeURIComponent(uri), mimeType, name };
		});
		const binary = `${fileStem(stem)}.bin`;
		const json = this.#json(
			scenes,
			generator,
			images,
			layout,
			{ uri: encodeURIComponent(binary) },
			(view) => place.get(view)!,
		);
		if (layout.size > 0) {
			files.unshift(new ChunkedFile(binary, paddedPieces(layout)));
		}
		return [{ path, content: `${JSON.stringify(json, null, '\t')}\n` }, ...files];
	}

	/** Puts pieces one after the other; what a codec makes smaller is there packed. */
	#layOut(all: readonly View[], codec: MeshCodec | undefined): Layout {
		let size = 0;
		let unpackedSize = 0;
		const pieces: Uint8Array[] = [];
		const views = all.map((view): GltfObject => {
			const { bytes, target } = view;
			const packed = codec === undefined ? undefined : pack(view, codec);
			const piece = packed?.bytes ?? bytes;
			const place = { buffer: 0, byteOffset: size, byteLength: piece.length };
			size += padded(piece.length);
			pieces.push(piece);
			const use = target === undefined ? {} : { target };
			if (packed === undefined) return { ...place, ...use };
			const byteOffset = unpackedSize;
			unpackedSize += padded(bytes.length);
			const extensions = { [MESHOPT]: { ...place, byteStride: view.stride!, count: packed.count, mode: packed.mode } };
			return { buffer: 1, byteOffset, byteLength: bytes.length, ...use, extensions };
		});
		if (unpackedSize > 0) this.use(MESHOPT);
		return { views, pieces, size, unpackedSize };
	}

	/** What extensions say of the file as a whole. */
	#sharedExtensions(): GltfObject {
		const extensions: GltfObject = {
			...(this.lights.length === 0 ? {} : { KHR_lights_punctual: { lights: this.lights } }),
			...(this.#extensions.has('KHR_materials_variants')
				? { KHR_materials_variants: { variants: this.variants.map((name) => ({ name })) } }
				: {}),
		};
		return Object.keys(extensions).length === 0 ? {} : { extensions };
	}

	#json(
		scenes: readonly GltfScene[],
		generator: string,
		images: readonly GltfObject[],
		{ views, size, unpackedSize }: Layout,
		buffer: GltfObject,
		viewOf: (view: number) => number = (view) => view,
	): GltfObject {
		const { materials, meshes, textures, samplers, cameras } = this.#lists;
		const filled = (name: string, list: readonly GltfValue[]): GltfObject =>
			list.length === 0 ? {} : { [name]: list };
		const accessors = this.#accessors.map((accessor) => ({
			...accessor,
			bufferView: viewOf(accessor['bufferView'] as number),
		}));
		return {
			asset: { version: '2.0', generator },
			...filled('extensionsUsed', [...this.#extensions].sort()),
			...filled('extensionsRequired', [...this.#extensions].filter((name) => this.#required.has(name)).sort()),
			...this.#sharedExtensions(),
			scene: 0,
			scenes: scenes.map(({ name, roots }) => ({
				...(name === undefined ? {} : { name }),
				...(roots.length === 0 ? {} : { nodes: roots }),
			})),
			...filled('nodes', this.nodes),
			...filled('meshes', meshes),
			...filled('materials', materials),
			...filled('textures', textures),
			...filled('images', images),
			...filled('samplers', samplers),
			...filled('cameras', cameras),
			...filled('animations', this.animations),
			...filled('accessors', accessors),
			...filled('bufferViews', views),
			...filled('buffers', [
				...(size === 0 ? [] : [{ ...buffer, byteLength: size }]),
				// a place for what is unpacked, with nothing in it
				...(unpackedSize === 0 ? [] : [{ byteLength: unpackedSize, extensions: { [MESHOPT]: { fallback: true } } }]),
			]),
		};
	}
}

/** Nodes that are shown together. */
export interface GltfScene {
	readonly name?: string;
	readonly roots: readonly number[];
}

/** The packed bytes of a piece, when they are fewer. */
function pack(
	{ bytes, target, stride }: View,
	codec: MeshCodec,
): { readonly bytes: Uint8Array; readonly count: number; readonly mode: 'ATTRIBUTES' | 'TRIANGLES' } | undefined {
	if (stride === undefined) return undefined;
	const mode = target === ELEMENT_ARRAY_BUFFER ? 'TRIANGLES' : 'ATTRIBUTES';
	const count = bytes.length / stride;
	const packed = codec.encode(bytes, count, stride, mode);
	return packed.length < bytes.length ? { bytes: packed, count, mode } : undefined;
}

/** The pieces, each with what makes it end at a whole word. */
function paddedPieces({ pieces }: Layout): Uint8Array[] {
	return pieces.flatMap((piece) => {
		const rest = padded(piece.length) - piece.length;
		return rest === 0 ? [piece] : [piece, new Uint8Array(rest)];
	});
}

function fileStem(stem: string): string {
	return stem.split('/').at(-1)!;
}

function padded(size: number): number {
	return (size + 3) & ~3;
}

function boundsOf(data: Float32Array, width: number): Bounds {
	const known = knownBounds.get(data);
	if (known !== undefined) return known;
	const min = new Float64Array(width).fill(Number.POSITIVE_INFINITY);
	const max = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
	for (let i = 0; i < data.length; ) {
		for (let k = 0; k < width; k++, i++) {
			const value = data[i]!;
			if (value < min[k]!) min[k] = value;
			if (value > max[k]!) max[k] = value;
		}
	}
	return { min: [...min], max: [...max] };
}

/** Words of an array that its hash is made of; arrays that agree in those are compared whole. */
const HASHED_WORDS = 4096;

/** A number that equal bytes share (FNV-1a, by words that stand at equal distances). */
function hashOf(bytes: Uint8Array): number {
	let hash = 0x811c9dc5 ^ bytes.length;
	const whole = bytes.byteOffset % 4 === 0 ? bytes.length >> 2 : 0;
	const words = new Uint32Array(bytes.buffer, whole === 0 ? 0 : bytes.byteOffset, whole);
	const step = Math.max(1, Math.floor(whole / HASHED_WORDS));
	for (let i = 0; i < whole; i += step) hash = Math.imul(hash ^ words[i]!, 0x01000193);
	for (let i = 4 * whole; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
	return hash >>> 0;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
	if (a.length !== b.length) return false;
	let i = 0;
	if (a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0) {
		const [words, others] = [a, b].map((of) => new Uint32Array(of.buffer, of.byteOffset, of.length >> 2)) as [
			Uint32Array,
			Uint32Array,
		];
		for (; i < words.length; i++) if (words[i] !== others[i]) return false;
		i *= 4;
	}
	for (; i < a.length; i++) if (a[i] !== b[i]) return false;
	return true;
}
