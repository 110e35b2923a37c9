import type { MeshMaterial, TriangleMesh } from '@manyworlds/mesh';
import { numbersText, numberText } from './number-text.ts';

/** A binary STL file of a mesh. Corners are rounded to single precision, as the format holds no more. */
export function writeStl(mesh: TriangleMesh): Uint8Array {
	const { vertices, indices } = mesh;
	const count = indices.length / 3;
	const bytes = new Uint8Array(84 + 50 * count);
	const view = new DataView(bytes.buffer);
	view.setUint32(80, count, true);
	const normal = new Float64Array(3);
	for (let t = 0; t < count; t++) {
		const at = 84 + 50 * t;
		faceNormal(normal, vertices, indices, t);
		for (let k = 0; k < 3; k++) view.setFloat32(at + 4 * k, normal[k]!, true);
		for (let c = 0; c < 3; c++) {
			const vertex = 3 * indices[3 * t + c]!;
			for (let k = 0; k < 3; k++) view.setFloat32(at + 12 + 12 * c + 4 * k, vertices[vertex + k]!, true);
		}
	}
	return bytes;
}

/** Options of {@link writeObj}. */
export interface WriteObjOptions {
	/** Name of the file with the materials; without one the groups name none. */
	readonly materialLibrary?: string;
}

/** A file of materials for {@link writeObj}. `textureOf` gives the path of an image beside it. */
export function writeMtl(
	materials: Iterable<readonly [string, MeshMaterial]>,
	textureOf: (texture: string) => string | undefined,
): string {
	const lines: string[] = [];
	for (const [name, { color, specular, shininess, texture }] of materials) {
		lines.push(`newmtl ${materialName(name)}`);
		if (color !== undefined) lines.push(`Kd ${numbersText(color)}`);
		if (specular !== undefined) lines.push(`Ks ${numbersText(specular)}`);
		if (shininess !== undefined) lines.push(`Ns ${numberText(shininess)}`);
		const image = texture === undefined ? undefined : textureOf(texture);
		if (image !== undefined) lines.push(`map_Kd ${image}`);
	}
	return `${lines.join('\n')}\n`;
}

/** Names end at spaces in some readers. */
function materialName(name: string): string {
	return name.replace(/\s+/g, '_') || 'material';
}

/** A text OBJ file of a mesh, with its normals, texture coordinates and groups. */
export function writeObj(mesh: TriangleMesh, options: WriteObjOptions = {}): string {
	const { vertices, indices, normals, uvs } = mesh;
	const lines: string[] = [];
	if (options.materialLibrary !== undefined) lines.push(`mtllib ${options.materialLibrary}`);
	const rows = (tag: string, values: Float64Array, width: number): void => {
		for (let i = 0; i < values.length; i += width) {
			let line = tag;
			for (let k = 0; k < width; k++) line += ` ${numberText(values[i + k]!)}`;
			lines.push(line);
		}
	};
	rows('v', vertices, 3);
	if (uvs !== undefined) rows('vt', uvs, 2);
	if (normals !== undefined) rows('vn', normals, 3);
	const groups = mesh.groups ?? [{ start: 0, count: indices.length / 3 }];
	for (const group of groups) {
		const material = 'material' in group ? group.material : undefined;
		if (material !== undefined && options.materialLibrary !== undefined) lines.push(`usemtl ${materialName(material)}`);
		for (let t = group.start; t < group.start + group.count; t++) {
			let line = 'f';
			for (let c = 0; c < 3; c++) {
				const n = indices[3 * t + c]! + 1;
				line += ` ${n}`;
				if (uvs !== undefined || normals !== undefined) line += `/${uvs === undefined ? '' : n}`;
				if (normals !== undefined) line += `/${n}`;
			}
			lines.push(line);
		}
	}
	return `${lines.join('\n')}\n`;
}

function faceNormal(out: Float64Array, vertices: Float64Array, indices: Uint32Array, triangle: number): void {
	const a = 3 * indices[3 * triangle]!;
	const b = 3 * indices[3 * triangle + 1]!;
	const c = 3 * indices[3 * triangle + 2]!;
	for (let k = 0; k < 3; k++) {
		const i = (k + 1) % 3;
		const j = (k + 2) % 3;
		out[k] =
			(vertices[b + i]! - vertices[a + i]!) * (vertices[c + j]! - vertices[a + j]!) -
			(vertices[b + j]! - vertices[a + j]!) * (vertices[c + i]! - vertices[a + i]!);
	}
	const length = Math.hypot(out[0]!, out[1]!, out[2]!);
	if (length > 0) for (let k = 0; k < 3; k++) out[k] = out[k]! / length;
}
