import { Report } from '@manyworlds/core';
import { MemoryStore } from '@manyworlds/usd';
import { type ConvertedRobot, type ConvertRobotOptions, convertRobot } from '../src/index.ts';

/** JSON of a glTF file, as far as tests look at it. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of the file is what is tested
export type Json = any;

/** A GLB taken apart without the code that wrote it. */
export interface Glb {
	readonly json: Json;
	readonly bytes: Uint8Array;
	readonly robot: ConvertedRobot;
	readonly report: Report;
	/** Numbers of an accessor. */
	readonly accessor: (index: number) => number[];
	/** Corners of the triangles of the nodes with a mesh in the world, by the name of the node. */
	readonly triangles: () => Map<string, number[][]>;
	/** Where a node stands: the matrix by columns. */
	readonly world: (name: string) => number[];
	readonly node: (name: string) => Json;
}

/** Converts files to GLB and reads the result. */
export function toGlb(
	files: Readonly<Record<string, string | Uint8Array>>,
	main = Object.keys(files)[0]!,
	options: Partial<ConvertRobotOptions> = {},
): Glb {
	const report = new Report();
	const robot = convertRobot(main, { ...options, store: new MemoryStore(files), to: 'glb', report });
	if (robot === undefined) throw new Error(JSON.stringify(report.toArray()));
	const bytes = robot.files[0]!.content as Uint8Array;
	const view = new DataView(bytes.buffer, bytes.byteOffset);
	const size = view.getUint32(12, true);
	const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + size))) as Json;
	const binary = bytes.slice(28 + size);
	const accessor = (index: number): number[] => {
		const { bufferView, componentType, count, type } = json.accessors[index];
		const { byteOffset } = json.bufferViews[bufferView];
		const length = count * { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[type as 'VEC3'];
		const Kind = { 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array }[componentType as 5126];
		return [...new Kind(binary.buffer, binary.byteOffset + byteOffset, length)];
	};
	const parents = new Map<number, number>();
	for (const [index, node] of json.nodes.entries()) for (const child of node.children ?? []) parents.set(child, index);
	const worldAt = (index: number): number[] => {
		const parent = parents.get(index);
		const local = matrixOf(json.nodes[index]);
		return parent === undefined ? local : multiply(worldAt(parent), local);
	};
	const indexOf = (name: string): number => {
		const index = json.nodes.findIndex((node: Json) => node.name === name);
		if (index < 0) throw new Error(`no node '${name}'`);
		return index;
	};
	const triangles = (): Map<string, number[][]> => {
		const found = new Map<string, number[][]>();
		for (const [index, node] of json.nodes.entries()) {
			if (node.mesh === undefined) continue;
			const m = worldAt(index);
			const corners = json.meshes[node.mesh].primitives.flatMap((primitive: Json) => {
				const points = accessor(primitive.attributes.POSITION);
				return accessor(primitive.indices).map((i) => apply(m, points.slice(3 * i, 3 * i + 3)));
			});
			found.set(node.name, corners);
		}
		return found;
	};
	return {
		json,
		bytes,
		robot,
		report,
		accessor,
		triangles,
		world: (name) => worldAt(indexOf(name)),
		node: (name) => json.nodes[indexOf(name)],
	};
}

function matrixOf({ translation: t = [0, 0, 0], rotation: q = [0, 0, 0, 1], scale: s = [1, 1, 1] }: Json): number[] {
	const [x, y, z, w] = q;
	const r = [
		[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
		[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
		[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
	];
	return [...r.flatMap((column, i) => [...column.map((value) => value * s[i]), 0]), ...t, 1];
}

/** `a · b`, both by columns. */
function multiply(a: number[], b: number[]): number[] {
	return Array.from({ length: 16 }, (_, i) => {
		const [row, column] = [i % 4, Math.floor(i / 4)];
		return [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + row]! * b[4 * column + k]!, 0);
	});
}

function apply(m: number[], [x, y, z]: number[]): number[] {
	return [0, 1, 2].map((k) => m[k]! * x! + m[4 + k]! * y! + m[8 + k]! * z! + m[12 + k]!);
}
