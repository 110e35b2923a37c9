import {
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { formatG } from './format-g.ts';

/** Sizes of the generated files, under the names that `usd_bench.py` stamps into its folder. */
export interface FileSizes {
	/** Least size of the array-heavy text in megabytes. */
	readonly arraysMegabytes: number;
	/** Leaf prims of the prim-heavy text. */
	readonly prims: number;
}

/** The sizes that results are published for. */
export const FILE_SIZES: FileSizes = { arraysMegabytes: 60, prims: 100_000 };

/** Points of every generated mesh. */
export const MESH_POINTS = 20_000;

/** A 32-bit congruential sequence that any language can repeat. The state before the first number is `seed`. */
export function numbers(count: number, seed: number): Uint32Array {
	const values = new Uint32Array(count);
	let state = seed >>> 0;
	for (let i = 0; i < count; i++) {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		values[i] = state;
	}
	return values;
}

/** Seed of the mesh with this index. */
export function meshSeed(index: number): number {
	return index * 7919;
}

/** The coordinate that a number of the sequence stands for, before it is rounded to 6 digits. */
export function coordinate(value: number): number {
	return ((value >>> 8) / 16777216) * 20 - 10;
}

/**
 * Makes `arrays.usda` and `prims.usda` in `folder` unless they are there already. The bytes are those of
 * `usd_bench.py --generate-only` with the same sizes, so that other implementations can be timed on the same files.
 */
export function generateTexts(folder: string, sizes: FileSizes): void {
	const stamp = join(folder, 'own-sizes.json');
	const wanted = JSON.stringify(sizes);
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
	mkdirSync(folder, { recursive: true });
	writePieces(join(folder, 'arrays.usda'), arraysText(sizes.arraysMegabytes * 1_000_000));
	writePieces(join(folder, 'prims.usda'), primsText(sizes.prims));
	writeFileSync(stamp, wanted);
}

function writePieces(path: string, pieces: Iterable<string>): void {
	const file = openSync(`${path}.part`, 'w');
	for (const piece of pieces) writeSync(file, piece);
	closeSync(file);
	renameSync(`${path}.part`, path);
}

/** Meshes of 20,000 points until at least `limit` characters are written. */
export function* arraysText(limit: number): Generator<string> {
	const head =
		'#usda 1.0\n(\n    defaultPrim = "World"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n\ndef Xform "World"\n{\n';
	yield head;
	let size = head.length;
	for (let index = 0; size < limit; index++) {
		const text = meshText(`Mesh_${index}`, MESH_POINTS, meshSeed(index));
		yield text;
		size += text.length;
	}
	yield '}\n';
}

const BYTE_PARTS: readonly string[] = Array.from({ length: 256 }, (_, i) => formatG(i / 255, 4));
const UV_PARTS: readonly string[] = Array.from({ length: 4096 }, (_, i) => formatG(i / 4096, 4));

function meshText(name: string, points: number, seed: number): string {
	const coordinates = numbers(points * 3, seed);
	const tuples: string[] = [];
	for (let i = 0; i < coordinates.length; i += 3) {
		const x = formatG(coordinate(coordinates[i]!), 6);
		const y = formatG(coordinate(coordinates[i + 1]!), 6);
		const z = formatG(coordinate(coordinates[i + 2]!), 6);
		tuples.push(`(${x}, ${y}, ${z})`);
	}
	const normals = Array.from(
		numbers(points, seed + 1),
		(v) => `(${BYTE_PARTS[v & 255]}, ${BYTE_PARTS[(v >>> 8) & 255]}, ${BYTE_PARTS[(v >>> 16) & 255]})`,
	);
	const faces = points * 2;
	const indices = Array.from(numbers(faces * 3, seed + 2), (v) => v % points);
	const uvs = Array.from(numbers(points, seed + 3), (v) => `(${UV_PARTS[v & 4095]}, ${UV_PARTS[(v >>> 12) & 4095]})`);
	return (
		`    def Mesh "${name}"\n    {\n        int[] faceVertexCounts = [${'3, '.repeat(faces - 1)}3]\n` +
		`        int[] faceVertexIndices = [${indices.join(', ')}]\n` +
		`        normal3f[] normals = [${normals.join(', ')}]\n` +
		`        point3f[] points = [${tuples.join(', ')}]\n` +
		`        texCoord2f[] primvars:st = [${uvs.join(', ')}] (\n            interpolation = "vertex"\n        )\n` +
		'        uniform token subdivisionScheme = "none"\n    }\n'
	);
}

/** Groups of 100 links; every link has two API schemas, a mass, a relationship and a transform. */
export function* primsText(count: number): Generator<string> {
	yield '#usda 1.0\n(\n    defaultPrim = "World"\n)\n\ndef Xform "World"\n{\n';
	let piece: string[] = [];
	for (let index = 0; index < count; index++) {
		const group = Math.floor(index / 100);
		if (index % 100 === 0) {
			yield piece.join('');
			piece = [`${index > 0 ? '    }\n' : ''}    def Xform "Group_${group}"\n    {\n`];
		}
		piece.push(
			`        def Xform "Link_${index % 100}" (\n`,
			'            prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n        )\n        {\n',
			`            float physics:mass = ${withPoint(1 + (index % 97) / 8)}\n`,
			`            rel physics:simulationOwner = </World/Group_${group}>\n`,
			`            double3 xformOp:translate = (${index % 13}, ${withPoint((index % 7) * 0.5)}, ${formatG(index * 0.001, 6)})\n`,
			'            uniform token[] xformOpOrder = ["xformOp:translate"]\n        }\n',
		);
	}
	yield piece.join('');
	yield '    }\n}\n';
}

/** A double as Python prints it: with a point even when it is whole. */
function withPoint(value: number): string {
	return Number.isInteger(value) ? `${value}.0` : String(value);
}
