import { type AxisAlignedBox, axisAlignedBox } from '../bounds/axis-aligned-box.ts';
import { composeMatrix, identityMatrix, multiplyMatrices } from '../matrix.ts';
import { asIndex, asList, asNumbers, asObject, type JsonObject } from './json-value.ts';
import type { MeshFormat } from './mesh-file.ts';
import { detectMeshFormat } from './read-mesh.ts';

/** Places of a file that are looked at. */
const SAMPLES = 4096;

/**
 * About where the mesh of a file is [m], long before it can be read: from what the file states of its bounds, or from some
 * thousand of its points. Places of nodes are left out for COLLADA. Undefined where nothing is found.
 */
export function estimateMeshBounds(bytes: Uint8Array, file?: string): AxisAlignedBox | undefined {
	const format = detectMeshFormat(bytes, file);
	const points = format === undefined ? [] : SAMPLERS[format](bytes);
	const box = axisAlignedBox(points);
	return points.length > 0 && [...box.least, ...box.most].every(Number.isFinite) ? box : undefined;
}

const SAMPLERS: Readonly<Record<MeshFormat, (bytes: Uint8Array) => number[]>> = {
	stl: stlPoints,
	obj: (bytes) => linePoints(bytes, /^v\s+(\S+)\s+(\S+)\s+(\S+)/),
	dae: daePoints,
	gltf: (bytes) => gltfCorners(bytes),
	glb: (bytes) => gltfCorners(bytes.subarray(20, 20 + viewOf(bytes).getUint32(12, true))),
};

function stlPoints(bytes: Uint8Array): number[] {
	const view = viewOf(bytes);
	const count = bytes.length < 134 ? 0 : view.getUint32(80, true);
	if (bytes.length !== 84 + 50 * count) return linePoints(bytes, /^vertex\s+(\S+)\s+(\S+)\s+(\S+)/);
	const points: number[] = [];
	const step = Math.max(1, Math.floor(count / SAMPLES));
	for (let triangle = 0; triangle < count; triangle += step)
		for (let k = 0; k < 9; k++) points.push(view.getFloat32(84 + 50 * triangle + 12 + 4 * k, true));
	return points;
}

/** Points of some of the lines that a pattern finds three numbers in. */
function linePoints(bytes: Uint8Array, pattern: RegExp): number[] {
	const decoder = new TextDecoder();
	const points: number[] = [];
	const step = Math.max(1, Math.floor(bytes.length / SAMPLES));
	for (let at = 0; at < bytes.length; at += step) {
		const start = at === 0 ? 0 : bytes.indexOf(0x0a, at) + 1;
		if (start === 0 && at > 0) break;
		const [, ...numbers] = pattern.exec(decoder.decode(bytes.subarray(start, start + LONGEST_LINE)).trimStart()) ?? [];
		if (numbers.length === 3) points.push(...numbers.map(Number));
	}
	return points;
}

/** Bytes of a line in which its numbers are. */
const LONGEST_LINE = 120;

/** Points of the arrays that positions are in. */
function daePoints(bytes: Uint8Array): number[] {
	const text = new TextDecoder().decode(bytes);
	const unit = Number(/<unit\b[^>]*\bmeter\s*=\s*["']([^"']+)/.exec(text.slice(0, 1e5))?.[1] ?? 1);
	const points: number[] = [];
	for (const [, source] of text.matchAll(
		/<input\b[^>]*\bsemantic\s*=\s*["']POSITION["'][^>]*\bsource\s*=\s*["']#([^"']+)/g,
	)) {
		const at = text.search(new RegExp(`<source\\b[^>]*\\bid\\s*=\\s*["']${source!.replace(/[^\w-]/g, '\\$&')}["']`));
		const begin = at < 0 ? -1 : text.indexOf('>', text.indexOf('<float_array', at));
		const end = begin < 0 ? -1 : text.indexOf('<', begin);
		if (end < 0) continue;
		const numbers = text
			.slice(begin + 1, end)
			.trim()
			.split(/\s+/);
		const step = 3 * Math.max(1, Math.floor(numbers.length / 3 / SAMPLES));
		for (let i = 0; i + 2 < numbers.length; i += step)
			for (let k = 0; k < 3; k++) points.push(unit * Number(numbers[i + k]));
	}
	return points;
}

/** Corners of the boxes that accessors state, where nodes put them. */
function gltfCorners(text: Uint8Array): number[] {
	let json: JsonObject | undefined;
	try {
		json = asObject(JSON.parse(new TextDecoder().decode(text)));
	} catch {
		return [];
	}
	if (json === undefined) return [];
	const [nodes, meshes, accessors] = ['nodes', 'meshes', 'accessors'].map((key) => asList(json[key]).map(asObject));
	const children = new Set(nodes!.flatMap((node) => asList(node?.['children'])));
	const points: number[] = [];
	const seen = new Set<number>();
	const stack = [...nodes!.keys()]
		.filter((node) => !children.has(node))
		.map((node) => ({ node, parent: identityMatrix() }));
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		const node = nodes![next.node];
		if (node === undefined || seen.has(next.node)) continue;
		seen.add(next.node);
		const matrix = multiplyMatrices(nodeMatrix(node), next.parent);
		for (const primitive of asList(meshes![asIndex(node['mesh']) ?? -1]?.['primitives'])) {
			const position = asIndex(asObject(asObject(primitive)?.['attributes'])?.['POSITION']);
			const accessor = position === undefined ? undefined : accessors![position];
			const [least, most] = [asNumbers(accessor?.['min'], 3), asNumbers(accessor?.['max'], 3)];
			if (least !== undefined && most !== undefined) points.push(...cornersOf(least, most, matrix));
		}
		for (const child of asList(node['children'])) {
			const index = asIndex(child);
			if (index !== undefined) stack.push({ node: index, parent: matrix });
		}
	}
	return points;
}

function nodeMatrix(node: JsonObject): Float64Array {
	const matrix = asNumbers(node['matrix'], 16);
	if (matrix !== undefined) return Float64Array.from(matrix);
	const [translation, rotation, scale] = [
		asNumbers(node['translation'], 3) ?? [0, 0, 0],
		asNumbers(node['rotation'], 4) ?? [0, 0, 0, 1],
		asNumbers(node['scale'], 3) ?? [1, 1, 1],
	];
	return composeMatrix(translation, rotation, scale);
}

function cornersOf(least: readonly number[], most: readonly number[], m: Float64Array): number[] {
	return Array.from({ length: 8 }, (_, corner) => {
		const [x, y, z] = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? most : least)[axis]!);
		return [0, 1, 2].map((k) => x! * m[k]! + y! * m[4 + k]! + z! * m[8 + k]! + m[12 + k]!);
	}).flat();
}

function viewOf(bytes: Uint8Array): DataView {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
