import type { TriangleMesh } from '../triangle-mesh.ts';
import type { GltfBuffers } from './gltf-buffers.ts';
import { asIndex, asList, asObject, asText, type JsonObject } from './json-value.ts';

const MODES = ['points', 'lines', 'a line loop', 'a line strip', 'triangles', 'a triangle strip', 'a triangle fan'];
const RESTART: Readonly<Record<number, number>> = { 5121: 0xff, 5123: 0xffff, 5125: 0xffffffff };

/** Reads one primitive; undefined when it has no surface or is damaged, which is reported. */
export function readGltfPrimitive(
	buffers: GltfBuffers,
	json: JsonObject,
	value: unknown,
	pointer: string,
): TriangleMesh | undefined {
	const primitive = asObject(value);
	if (primitive === undefined) {
		buffers.add('MESH003', 'the primitive is not an object', pointer);
		return undefined;
	}
	if (asObject(primitive['extensions'])?.['KHR_draco_mesh_compression'] !== undefined) {
		buffers.add('MESH019', 'the primitive is compressed by KHR_draco_mesh_compression', pointer);
		return undefined;
	}
	const mode = asIndex(primitive['mode'] ?? 4) ?? -1;
	if (mode < 4 || mode > 6) {
		buffers.add('MESH005', `the primitive is made of ${MODES[mode] ?? 'an unknown mode'}, expected triangles`, pointer);
		return undefined;
	}
	if (asList(primitive['targets']).length > 0) buffers.add('MESH006', 'morph targets are not applied', pointer);
	const attributes = asObject(primitive['attributes']) ?? {};
	const positions = attributes['POSITION'];
	if (positions === undefined) {
		buffers.add('MESH014', 'the primitive has no POSITION', pointer);
		return undefined;
	}
	const vertices = buffers.accessor(positions, 3, pointer);
	if (vertices === undefined) return undefined;
	const count = vertices.length / 3;
	const normals = optional(buffers, attributes['NORMAL'], 3, count, pointer);
	const uvs = optional(buffers, attributes['TEXCOORD_0'], 2, count, pointer);
	const order = readOrder(buffers, json, primitive, count, pointer);
	if (order === undefined) return undefined;
	const indices = assemble(buffers, order, mode, vertices, pointer);
	const material = asIndex(primitive['material']);
	const name = material === undefined ? undefined : asText(asObject(asList(json['materials'])[material])?.['name']);
	const groups =
		material === undefined
			? undefined
			: [{ start: 0, count: indices.length / 3, material: name ?? `material ${material}` }];
	return {
		vertices,
		indices,
		...(normals === undefined ? {} : { normals }),
		// glTF counts the second texture coordinate downwards
		...(uvs === undefined ? {} : { uvs: uvs.map((coordinate, i) => (i % 2 === 0 ? coordinate : 1 - coordinate)) }),
		...(groups === undefined ? {} : { groups }),
	};
}

function optional(
	buffers: GltfBuffers,
	index: unknown,
	width: number,
	count: number,
	pointer: string,
): Float64Array | undefined {
	if (index === undefined) return undefined;
	const values = buffers.accessor(index, width, pointer);
	if (values === undefined || values.length === count * width) return values;
	buffers.add('MESH010', `an attribute has ${values.length / width} entries, the positions have ${count}`, pointer);
	return undefined;
}

/** Vertex numbers in drawing order, -1 where a strip starts again. */
function readOrder(
	buffers: GltfBuffers,
	json: JsonObject,
	primitive: JsonObject,
	count: number,
	pointer: string,
): Float64Array | undefined {
	if (primitive['indices'] === undefined) return Float64Array.from({ length: count }, (_, i) => i);
	const order = buffers.accessor(primitive['indices'], 1, pointer);
	if (order === undefined) return undefined;
	const accessor = asObject(asList(json['accessors'])[asIndex(primitive['indices']) ?? -1]);
	const restart = RESTART[asIndex(accessor?.['componentType']) ?? 0];
	if (restart === undefined) {
		buffers.add('MESH017', 'indices are not unsigned integers', pointer);
		return undefined;
	}
	return order.map((index) => (index === restart && index >= count ? -1 : index));
}

function assemble(
	buffers: GltfBuffers,
	order: Float64Array,
	mode: number,
	vertices: Float64Array,
	pointer: string,
): Uint32Array {
	const count = vertices.length / 3;
	const out: number[] = [];
	let bad = 0;
	let notFinite = 0;
	const isPlace = (index: number): boolean =>
		Number.isFinite(vertices[index * 3]! + vertices[index * 3 + 1]! + vertices[index * 3 + 2]!);
	const triangle = (a: number, b: number, c: number): void => {
		if (!(a >= 0 && b >= 0 && c >= 0 && a < count && b < count && c < count)) bad++;
		else if (!isPlace(a) || !isPlace(b) || !isPlace(c)) notFinite++;
		else out.push(a, b, c);
	};
	let start = 0;
	for (let i = 0; i <= order.length; i++) {
		if (i < order.length && order[i] !== -1) continue;
		const length = i - start;
		if (mode === 4) {
			for (let k = 0; k + 2 < length; k += 3) triangle(order[start + k]!, order[start + k + 1]!, order[start + k + 2]!);
			if (length % 3 !== 0) buffers.add('MESH010', `${length} indices, expected a multiple of 3`, pointer);
		} else {
			for (let k = 0; k + 2 < length; k++) {
				const a = mode === 6 ? order[start]! : order[start + k]!;
				const [b, c] = [order[start + k + 1]!, order[start + k + 2]!];
				// every second triangle of a strip runs the other way (glTF 2.0, 3.7.2.1)
				if (mode === 5 && k % 2 === 1) triangle(a, c, b);
				else triangle(a, b, c);
			}
		}
		start = i + 1;
	}
	if (bad > 0)
		buffers.add('MESH004', `${bad} triangles have indices beyond ${count} vertices; they are left out`, pointer);
	if (notFinite > 0)
		buffers.add('MESH007', `${notFinite} triangles have coordinates that are not finite; they are left out`, pointer);
	return Uint32Array.from(out);
}
