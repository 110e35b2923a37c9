import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	Layer,
	makeValue,
	Path,
	type PropertySpecOptions,
	T,
	type Value,
	type ValueType,
	writeUsdc,
} from '@manyworlds/usd';
import { CACHE } from './bench-files.ts';

/** Meshes of a robot that is large on disk. */
export interface MeshFiles {
	/** A stage with all meshes in one crate. */
	readonly usd: string;
	/** A robot whose links are binary STL files. */
	readonly urdf: string;
	/** Sizes of what is read [bytes]. */
	readonly usdBytes: number;
	readonly urdfBytes: number;
	readonly triangles: { readonly usd: number; readonly urdf: number };
}

const MESHES = 20;
/** Points along each side of the first wavy sheet; the others are smaller by one each, so that no two are alike. */
const USD_SIDE = 332;
const STL_SIDE = 170;

/** Makes about 50 MB of meshes, once as a crate with smooth normals and once as STL files, unless they are there. */
export function makeMeshFiles(): MeshFiles {
	const folder = join(CACHE, 'meshes-50');
	mkdirSync(folder, { recursive: true });
	const usd = join(folder, 'meshes.usdc');
	if (!existsSync(usd)) writeFileSync(usd, writeUsdc(meshLayer().data));
	const urdf = join(folder, 'meshes.urdf');
	const stl = (index: number): string => join(folder, `link_${index}.stl`);
	for (let index = 0; index < MESHES; index++) {
		if (!existsSync(stl(index))) writeFileSync(stl(index), stlOf(sheet(STL_SIDE - index, index)));
	}
	writeFileSync(urdf, urdfText());
	const urdfBytes = Array.from({ length: MESHES }, (_, index) => statSync(stl(index)).size).reduce((a, b) => a + b);
	const trianglesOf = (side: number): number =>
		Array.from({ length: MESHES }, (_, index) => 2 * (side - index - 1) ** 2).reduce((a, b) => a + b);
	return {
		usd,
		urdf,
		usdBytes: statSync(usd).size,
		urdfBytes,
		triangles: { usd: trianglesOf(USD_SIDE), urdf: trianglesOf(STL_SIDE) },
	};
}

interface Sheet {
	readonly points: Float32Array;
	readonly normals: Float32Array;
	readonly indices: Int32Array;
}

/** A sheet with waves, another for each number. */
function sheet(side: number, number: number): Sheet {
	const points = new Float32Array(3 * side * side);
	const normals = new Float32Array(points.length);
	const wave = 3 + number;
	for (let i = 0; i < side; i++) {
		for (let j = 0; j < side; j++) {
			const [x, y, at] = [i / side, j / side, 3 * (i * side + j)];
			points.set([x, y, 0.05 * Math.sin(wave * x) * Math.cos(wave * y)], at);
			const dx = -0.05 * wave * Math.cos(wave * x) * Math.cos(wave * y);
			const dy = 0.05 * wave * Math.sin(wave * x) * Math.sin(wave * y);
			const length = Math.hypot(dx, dy, 1);
			normals.set([dx / length, dy / length, 1 / length], at);
		}
	}
	const indices = new Int32Array(6 * (side - 1) ** 2);
	let at = 0;
	for (let i = 0; i + 1 < side; i++) {
		for (let j = 0; j + 1 < side; j++) {
			const a = i * side + j;
			indices.set([a, a + side, a + 1, a + 1, a + side, a + side + 1], at);
			at += 6;
		}
	}
	return { points, normals, indices };
}

function meshLayer(): Layer {
	const layer = Layer.create('meshes.usdc');
	const field = <D>(path: Path, name: string, type: ValueType<D>, data: D): void =>
		layer.setField(path, name, makeValue(type, data) as Value);
	const attribute = <D>(
		prim: Path,
		name: string,
		typeName: string,
		type: ValueType<D>,
		data: D,
		options: PropertySpecOptions = {},
	): void => {
		const path = prim.appendProperty(name);
		layer.createAttribute(path, typeName, options);
		field(path, 'default', type, data);
	};
	field(Path.root, 'defaultPrim', T.token, 'robot');
	field(Path.root, 'metersPerUnit', T.double, 1);
	field(Path.root, 'upAxis', T.token, 'Z');
	const robot = Path.root.appendChild('robot');
	layer.createPrim(robot, { specifier: 'def', typeName: 'Xform' });
	for (let index = 0; index < MESHES; index++) {
		const mesh = robot.appendChild(`mesh_${index}`);
		layer.createPrim(mesh, { specifier: 'def', typeName: 'Mesh' });
		const { points, normals, indices } = sheet(USD_SIDE - index, index);
		attribute(mesh, 'points', 'point3f[]', T.float3.array, points);
		attribute(mesh, 'normals', 'normal3f[]', T.float3.array, normals);
		field(mesh.appendProperty('normals'), 'interpolation', T.token, 'vertex');
		attribute(mesh, 'faceVertexIndices', 'int[]', T.int.array, indices);
		attribute(mesh, 'faceVertexCounts', 'int[]', T.int.array, new Int32Array(indices.length / 3).fill(3));
		attribute(mesh, 'subdivisionScheme', 'token', T.token, 'none', { variability: 'uniform' });
	}
	return layer;
}

function stlOf({ points, indices }: Sheet): Uint8Array {
	const bytes = new Uint8Array(84 + (50 * indices.length) / 3);
	const view = new DataView(bytes.buffer);
	view.setUint32(80, indices.length / 3, true);
	for (let t = 0; t < indices.length; t += 3) {
		const at = 84 + (50 * t) / 3;
		for (let k = 0; k < 9; k++) {
			view.setFloat32(at + 12 + 4 * k, points[3 * indices[t + Math.floor(k / 3)]! + (k % 3)]!, true);
		}
	}
	return bytes;
}

function urdfText(): string {
	const inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>';
	const lines = Array.from({ length: MESHES }, (_, index) => {
		const mesh = `<visual><geometry><mesh filename="link_${index}.stl"/></geometry></visual>`;
		const joint =
			index === 0
				? ''
				: `<joint name="joint_${index}" type="continuous"><parent link="link_${index - 1}"/><child link="link_${index}"/><axis xyz="0 0 1"/></joint>`;
		return `<link name="link_${index}">${inertial}${mesh}</link>${joint}`;
	});
	return `<robot name="meshes">\n${lines.join('\n')}\n</robot>\n`;
}
