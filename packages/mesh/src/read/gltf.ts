import { quote } from '@manyworlds/core';
import { composeMatrix, identityMatrix, multiplyMatrices } from '../matrix.ts';
import { mergeMeshes, transformMesh } from '../transform-mesh.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';
import { GltfBuffers } from './gltf-buffers.ts';
import { readGltfMaterials } from './gltf-materials.ts';
import { readGltfPrimitive } from './gltf-primitive.ts';
import { asIndex, asList, asNumbers, asObject, asText, type JsonObject } from './json-value.ts';
import { fileMatrix, type MeshFile, MeshReadContext, type ReadMeshOptions } from './mesh-file.ts';

/**
 * Reads the meshes of a glTF 2.0 file, text or binary, placed as its scene places them. Every node with a mesh becomes one
 * mesh, every primitive a run of triangles. Buffers in other files come from `options.external`. Compression, skins,
 * morph targets and lines are reported.
 */
export function readGltf(bytes: Uint8Array, options: ReadMeshOptions = {}): MeshFile {
	const context = new MeshReadContext(bytes, options);
	const isBinary = bytes.length >= 4 && new TextDecoder().decode(bytes.subarray(0, 4)) === 'glTF';
	const format = isBinary ? 'glb' : 'gltf';
	const container = isBinary ? splitContainer(context) : { text: bytes, textStart: 0, binary: undefined };
	const json = container === undefined ? undefined : parseJson(context, container.text, container.textStart);
	if (container === undefined || json === undefined) return { format, meshes: [], materialLibraries: [] };
	const version = asText(asObject(json['asset'])?.['version']);
	if (version === undefined || !version.startsWith('2.')) {
		context.add(
			'MESH016',
			`/asset: the version is ${version === undefined ? 'missing' : quote(version)}, expected 2.0`,
		);
	}
	const buffers = new GltfBuffers(context, json, container.binary);
	reportExtensions(buffers, json);
	const matrix = fileMatrix(options, 1, 'Y');
	const meshes = new SceneReader(buffers, json).read(matrix ?? identityMatrix());
	const materials = readGltfMaterials(json);
	return {
		format,
		meshes,
		materialLibraries: [],
		...(materials.size > 0 ? { materials } : {}),
		metersPerUnit: 1,
		upAxis: 'Y',
	};
}

interface Container {
	readonly text: Uint8Array;
	readonly textStart: number;
	readonly binary: Uint8Array | undefined;
}

const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

function splitContainer(context: MeshReadContext): Container | undefined {
	const { bytes } = context;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (bytes.length < 20) {
		context.addAtByte('MESH016', `the file has ${bytes.length} bytes, expected at least 20`, bytes.length);
		return undefined;
	}
	const version = view.getUint32(4, true);
	if (version !== 2) {
		context.addAtByte('MESH016', `the container version is ${version}, expected 2`, 4);
		return undefined;
	}
	const stated = view.getUint32(8, true);
	if (stated !== bytes.length) {
		context.addAtByte('MESH010', `the header states ${stated} bytes and the file has ${bytes.length}`, 8);
	}
	let text: Uint8Array | undefined;
	let textStart = 0;
	let binary: Uint8Array | undefined;
	for (let at = 12; at + 8 <= bytes.length; ) {
		const length = view.getUint32(at, true);
		const type = view.getUint32(at + 4, true);
		const end = at + 8 + length;
		if (end > bytes.length) {
			context.addAtByte('MESH010', `a chunk of ${length} bytes exceeds the file by ${end - bytes.length}`, at);
		}
		const chunk = bytes.subarray(at + 8, Math.min(end, bytes.length));
		if (type === JSON_CHUNK && text === undefined) [text, textStart] = [chunk, at + 8];
		else if (type === BINARY_CHUNK && binary === undefined) binary = chunk;
		else context.addAtByte('MESH006', `a chunk of the type 0x${type.toString(16)} is not read`, at);
		at = end;
	}
	if (text === undefined) {
		context.addAtByte('MESH016', 'the file has no JSON chunk', 12);
		return undefined;
	}
	return { text, textStart, binary };
}

function parseJson(context: MeshReadContext, text: Uint8Array, start: number): JsonObject | undefined {
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder().decode(text));
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		// engines that tell the place do it in the message
		const place = /position (\d+)/.exec(message);
		const at = start + Math.min(place === null ? 0 : Number(place[1]), text.length);
		context.addAt('MESH016', `the JSON is malformed: ${message}`, at, at + 1);
		return undefined;
	}
	const object = asObject(value);
	if (object === undefined) context.addAt('MESH016', 'found JSON that is not an object', start, start + 1);
	return object;
}

const HARMLESS_EXTENSIONS = /^(KHR_materials_|KHR_texture_|EXT_texture_|KHR_lights_|KHR_xmp|KHR_mesh_quantization$)/;

function reportExtensions(buffers: GltfBuffers, json: JsonObject): void {
	for (const name of asList(json['extensionsUsed'])) {
		if (typeof name !== 'string' || HARMLESS_EXTENSIONS.test(name)) continue;
		buffers.add('MESH006', `the extension ${quote(name)} is not read`, '/extensionsUsed');
	}
	if (asList(json['animations']).length > 0) buffers.add('MESH006', 'animations are not read', '/animations');
}

/** Walks the nodes of the scene without recursion. */
class SceneReader {
	readonly #buffers: GltfBuffers;
	readonly #json: JsonObject;
	readonly #meshes = new Map<number, TriangleMesh | undefined>();

	constructor(buffers: GltfBuffers, json: JsonObject) {
		this.#buffers = buffers;
		this.#json = json;
	}

	read(base: Float64Array): TriangleMesh[] {
		const nodes = asList(this.#json['nodes']);
		const meshes: TriangleMesh[] = [];
		const seen = new Set<number>();
		const stack = this.#roots(nodes)
			.reverse()
			.map((node) => ({ node, parent: base }));
		while (stack.length > 0) {
			const { node: number, parent } = stack.pop()!;
			const pointer = `/nodes/${number}`;
			const node = asObject(nodes[number]);
			if (node === undefined || seen.has(number)) {
				const what = node === undefined ? 'does not exist' : 'has two parents or is its own ancestor';
				this.#buffers.add('MESH014', `the node ${what}; it is left out`, pointer);
				continue;
			}
			seen.add(number);
			const matrix = multiplyMatrices(this.#matrix(node, pointer), parent);
			const mesh = node['mesh'] === undefined ? undefined : this.#mesh(node['mesh'], pointer);
			if (mesh !== undefined && mesh.indices.length > 0) {
				const name = asText(node['name']) ?? mesh.name;
				meshes.push(transformMesh(name === undefined ? mesh : { ...mesh, name }, matrix));
			}
			if (node['skin'] !== undefined) this.#buffers.add('MESH006', 'the skin is not applied', pointer);
			if (asObject(node['extensions'])?.['EXT_mesh_gpu_instancing'] !== undefined) {
				this.#buffers.add('MESH006', 'instances are not read; the mesh is given once', pointer);
			}
			const children = asList(node['children']);
			for (let i = children.length - 1; i >= 0; i--) {
				const child = asIndex(children[i]);
				if (child !== undefined) stack.push({ node: child, parent: matrix });
				else this.#buffers.add('MESH014', `child ${i} is not the number of a node`, pointer);
			}
		}
		return meshes;
	}

	/** Nodes of the scene; without one all nodes that are nobody's child; without nodes the meshes as they are. */
	#roots(nodes: readonly unknown[]): number[] {
		const scenes = asList(this.#json['scenes']);
		const scene = asObject(scenes[asIndex(this.#json['scene']) ?? 0]);
		if (scene !== undefined) return asList(scene['nodes']).filter((node) => asIndex(node) !== undefined) as number[];
		const children = new Set(nodes.flatMap((node) => asList(asObject(node)?.['children'])));
		this.#buffers.add('MESH014', 'the file has no scene, expected one; all nodes are taken', '/scenes');
		return nodes.map((_, i) => i).filter((i) => !children.has(i));
	}

	#matrix(node: JsonObject, pointer: string): Float64Array {
		if (node['matrix'] !== undefined) {
			const matrix = asNumbers(node['matrix'], 16);
			// columns for points on the right are rows for points on the left
			if (matrix !== undefined) return Float64Array.from(matrix);
			this.#buffers.add('MESH003', 'matrix is not made of 16 finite numbers; it is left out', pointer);
		}
		const part = (key: string, absent: readonly number[]): readonly number[] => {
			const value = node[key] === undefined ? absent : asNumbers(node[key], absent.length);
			if (value === undefined)
				this.#buffers.add('MESH003', `${key} is not made of ${absent.length} finite numbers`, pointer);
			return value ?? absent;
		};
		return composeMatrix(part('translation', [0, 0, 0]), part('rotation', [0, 0, 0, 1]), part('scale', [1, 1, 1]));
	}

	#mesh(index: unknown, pointer: string): TriangleMesh | undefined {
		const number = asIndex(index);
		const mesh = number === undefined ? undefined : asObject(asList(this.#json['meshes'])[number]);
		if (number === undefined || mesh === undefined) {
			this.#buffers.add('MESH014', `mesh ${JSON.stringify(index)} does not exist`, pointer);
			return undefined;
		}
		if (this.#meshes.has(number)) return this.#meshes.get(number);
		const parts: TriangleMesh[] = [];
		for (const [i, primitive] of asList(mesh['primitives']).entries()) {
			const part = readGltfPrimitive(this.#buffers, this.#json, primitive, `/meshes/${number}/primitives/${i}`);
			if (part !== undefined) parts.push(part);
		}
		const merged = parts.length === 1 ? parts[0]! : mergeMeshes(parts);
		const name = asText(mesh['name']);
		const named = name === undefined ? merged : { ...merged, name };
		this.#meshes.set(number, named);
		return named;
	}
}
