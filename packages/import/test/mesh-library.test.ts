import { Report } from '@manyworlds/core';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { aroundPackage } from '../src/mesh/around-package.ts';
import { placeMeshes, readMeshParts } from '../src/mesh/load-meshes.ts';
import { MeshLibrary } from '../src/mesh/mesh-library.ts';
import { roundEven } from '../src/mesh/round-even.ts';
import { weldCorners } from '../src/mesh/weld-corners.ts';

const list = (values: ArrayLike<number> | undefined): number[] | undefined => values && Array.from(values);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Two squares, one red with texture coordinates and normals, one blue; the blue one is listed first. */
const OBJ = `mtllib t.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 2 0 1
v 2 2 1
vn 0 0 1
vn 0 0 -1
vt 0.25 0.5
vt 0.75 0.5
vt 0.75 1
usemtl red
f 5/1/1 6/2/1 7/3/1
usemtl blue
f 3/1/2 1/2/2 2/3/2
f 4/1/2 3/2/2 1/3/2
`;
const MTL = 'newmtl red\nKd 1 0 0\nNs 6\nnewmtl blue\nKd 0 0 1\nmap_Kd sky.png\n';

const read = (
	text: string,
	newtonCompat = false,
	options: { readonly file?: string; readonly mtl?: string } = {},
): ReturnType<typeof readMeshParts> =>
	readMeshParts(bytes(text), {
		file: options.file ?? 't.obj',
		report: new Report(),
		newtonCompat,
		external: (file) => (file === 't.mtl' ? bytes(options.mtl ?? MTL) : undefined),
	});

const plain = { scale: [1, 1, 1], maxHullVertices: 64, newtonCompat: false } as const;

describe('numbers too large for half a unit', () => {
	it.each([
		[2 ** 51 + 0.5, 2 ** 51],
		[2 ** 51 + 1, 2 ** 51 + 1],
		[2 ** 51 + 1.5, 2 ** 51 + 2],
		[2 ** 51 + 3, 2 ** 51 + 3],
		[-(2 ** 51) - 0.5, -(2 ** 51)],
		[-(2 ** 51) - 1.5, -(2 ** 51) - 2],
		[2 ** 53 + 2, 2 ** 53 + 2],
		[2 ** 51 - 0.5, 2 ** 51],
		[2 ** 51 - 1.5, 2 ** 51 - 2],
	])('%d is rounded to %d', (value, rounded) => {
		expect(roundEven(value)).toBe(rounded);
	});
});

describe('parts of mesh files', () => {
	it('are one for each material, by name, with the vertices of its triangles in the order of the file', () => {
		const { parts, whole, firstObject } = read(OBJ);
		expect(parts.map(({ traits }) => traits)).toEqual([
			{ color: [0, 0, 1], texture: { file: 'sky.png' } },
			{ color: [1, 0, 0], roughness: 0.5 },
		]);
		const [blue, red] = parts.map(({ mesh }) => mesh);
		expect(list(red!.vertices)).toEqual([0, 0, 1, 2, 0, 1, 2, 2, 1]);
		expect(list(red!.normals)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
		expect(list(red!.uvs)).toEqual([0.25, 0.5, 0.75, 0.5, 0.75, 1]);
		expect(list(red!.indices)).toEqual([0, 1, 2]);
		// corners that differ in texture coordinate stay apart
		expect(list(blue!.vertices)).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0]);
		expect(list(blue!.indices)).toEqual([3, 0, 2, 5, 4, 1]);
		expect(list(blue!.uvs)).toEqual([0.75, 0.5, 0.75, 1, 0.75, 1, 0.25, 0.5, 0.75, 0.5, 0.25, 0.5]);
		expect(list(blue!.normals)?.filter((_, i) => i % 3 === 2)).toEqual([-1, -1, -1, -1, -1, -1]);
		expect(list(whole!.indices)).toEqual([0, 1, 2, 6, 3, 5, 8, 7, 4]);
		expect(whole!.groups).toEqual([
			{ start: 0, count: 1, material: 'red' },
			{ start: 1, count: 2, material: 'blue' },
		]);
		expect(firstObject).toBeUndefined();
	});

	it('are one mesh in the reverse order of materials as Newton reads OBJ files', () => {
		const { parts, whole } = read(OBJ, true);
		expect(parts).toHaveLength(1);
		expect(parts[0]!.mesh).toBe(whole);
		expect(parts[0]!.traits).toEqual({ color: [0.4, 0.4, 0.4], roughness: 0 });
		expect(whole!.groups?.map(({ material }) => material)).toEqual(['blue', 'red']);
	});

	it('get zeros for texture coordinates beside parts that have some', () => {
		const obj = OBJ.replace('f 5/1/1 6/2/1 7/3/1', 'f 5//1 6//1 7//1');
		const { parts, whole } = read(obj);
		expect(parts.map(({ mesh }) => list(mesh.uvs)?.length)).toEqual([12, 6]);
		expect(list(whole!.uvs)?.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
		expect(list(whole!.uvs)?.slice(6)).toEqual([0.75, 0.5, 0.75, 1, 0.75, 1, 0.25, 0.5, 0.75, 0.5, 0.25, 0.5]);
	});

	it('are one list of vertices in OBJ files with several objects, of which MuJoCo takes the first', () => {
		const obj = 'o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 0 0 1\nf 1 2 4\n';
		const { parts, whole, firstObject } = read(obj);
		expect(parts).toHaveLength(1);
		expect(parts[0]!.traits).toEqual({});
		expect(list(whole!.vertices)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
		expect(list(whole!.indices)).toEqual([0, 1, 2, 0, 1, 3]);
		expect(list(firstObject!.indices)).toEqual([0, 1, 2]);
		expect(whole!.groups).toBeUndefined();
		expect(read('o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n').firstObject).toBeUndefined();
		expect(read('v 0 0 0\n')).toEqual({ parts: [], whole: undefined });
	});

	it('of STL files are joined where corners are equal, with Newton where they are nearly so', () => {
		const facet = (z: number): string =>
			`facet normal 0 0 1\nouter loop\nvertex 0 0 ${z}\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n`;
		const stl = `solid s\n${facet(0)}${facet(1e-9)}endsolid s\n`;
		expect(read(stl, false, { file: 's.stl' }).whole!.vertices.length).toBe(12);
		const joined = read(stl, true, { file: 's.stl' });
		expect(joined.whole!.vertices.length).toBe(9);
		expect(joined.firstObject).toBeUndefined();
	});

	it('that have no name for their material are together', () => {
		const { parts } = read(OBJ.replace('usemtl red\n', ''));
		expect(parts.map(({ traits }) => traits)).toEqual([{}, { color: [0, 0, 1], texture: { file: 'sky.png' } }]);
		expect(list(parts[0]!.mesh.vertices)).toEqual([0, 0, 1, 2, 0, 1, 2, 2, 1]);
	});
});

describe('meshes of shapes', () => {
	const file = read(OBJ);

	it('are the parts, scaled along the axes', () => {
		expect(placeMeshes({ parts: [], whole: undefined }, plain)).toEqual([]);
		const meshes = placeMeshes(file, { ...plain, scale: [2, 3, -4] });
		expect(meshes).toHaveLength(2);
		expect(list(meshes[1]!.vertices)).toEqual([0, 0, -4, 4, 0, -4, 4, 6, -4]);
		// an image is shown as it is unless the file tints it
		expect(meshes.map(({ color }) => color)).toEqual([
			[0, 0, 1],
			[1, 0, 0],
		]);
		expect(meshes.every(({ maxHullVertices }) => maxHullVertices === undefined)).toBe(true);
		expect(placeMeshes(file, plain)[1]!.vertices).toBe(file.parts[1]!.mesh.vertices);
		expect(placeMeshes(file, { ...plain, maxHullVertices: 7 })[0]!.maxHullVertices).toBe(7);
		const image = placeMeshes(read(OBJ, false, { mtl: MTL.replace('Kd 0 0 1\n', '') }), plain)[0]!;
		expect(image).toMatchObject({ texture: { file: 'sky.png' }, color: [1, 1, 1] });
	});

	it('are one with a look of the caller, or as a collider', () => {
		const [painted, ...others] = placeMeshes(file, { ...plain, color: [0.1, 0.2, 0.3] });
		expect(others).toEqual([]);
		expect(painted).toMatchObject({ color: [0.1, 0.2, 0.3] });
		expect(painted!.texture).toBeUndefined();
		expect(painted!.indices).toBe(file.whole!.indices);
		expect(painted!.groups).toHaveLength(2);
		const [pictured] = placeMeshes(file, { ...plain, texture: 'wood.png' });
		expect(pictured).toMatchObject({ texture: { file: 'wood.png' }, color: [1, 1, 1] });
		const [whole, ...none] = placeMeshes(file, { ...plain, isWhole: true });
		expect(none).toEqual([]);
		expect(whole!.color).toBeUndefined();
		const red = read(OBJ.replace('usemtl blue\n', ''));
		expect(placeMeshes(red, { ...plain, isWhole: true })[0]!.color).toEqual([1, 0, 0]);
	});

	it('keep the name of their part', () => {
		const stl =
			'solid cup\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid cup\n';
		const named = read(stl, false, { file: 's.stl' });
		expect(named.whole!.name).toBe('cup');
		expect(placeMeshes(named, plain)[0]!.name).toBe('cup');
		const [bare] = placeMeshes(read('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'), plain);
		expect(Object.keys(bare!).sort()).toEqual(['indices', 'vertices']);
	});

	it('have single precision and normals with Newton', () => {
		const flat = read('v 0.1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n', true);
		const [mesh] = placeMeshes(flat, { ...plain, newtonCompat: true, scale: [1.1, 1, 1] });
		expect(mesh!.vertices[0]).toBe(Math.fround(Math.fround(0.1) * Math.fround(1.1)));
		expect(list(mesh!.normals)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
		const [own] = placeMeshes(read('v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 1 0\nf 1//1 2//1 3//1\n', true), {
			...plain,
			newtonCompat: true,
		});
		expect(list(own!.normals)).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
		expect(placeMeshes(flat, plain)[0]!.normals).toBeUndefined();
	});
});

describe('welding of many corners', () => {
	it('agrees with a look at all pairs', () => {
		// whole numbers from a small range, so that many rows are equal and hashes meet
		let state = 12345;
		const next = (below: number): number => {
			state = (Math.imul(state, 1103515245) + 12345) >>> 0;
			return (state >>> 8) % below;
		};
		for (const [hasUvs, hasNormals] of [
			[false, false],
			[true, false],
			[false, true],
			[true, true],
		]) {
			const count = 150;
			const numbers = (width: number, below: number): Float64Array =>
				Float64Array.from({ length: count * width }, () => next(below) - 1);
			const mesh = {
				vertices: numbers(3, 3),
				indices: Uint32Array.from({ length: 120 }, () => next(count)),
				...(hasUvs ? { uvs: numbers(2, 2) } : {}),
				...(hasNormals ? { normals: numbers(3, 2) } : {}),
			};
			const rowOf = (v: number): string =>
				[
					mesh.vertices.slice(3 * v, 3 * v + 3),
					mesh.uvs?.slice(2 * v, 2 * v + 2) ?? [],
					mesh.normals?.slice(3 * v, 3 * v + 3) ?? [],
				].join();
			const used = new Set(mesh.indices);
			const first: number[] = [];
			const place = new Map<string, number>();
			for (let v = 0; v < count; v++) {
				if (!used.has(v) || place.has(rowOf(v))) continue;
				place.set(rowOf(v), first.length);
				first.push(v);
			}
			const welded = weldCorners(mesh);
			expect(list(welded.indices)).toEqual(Array.from(mesh.indices, (v) => place.get(rowOf(v))));
			expect(list(welded.vertices)).toEqual(first.flatMap((v) => list(mesh.vertices.slice(3 * v, 3 * v + 3))!));
			expect(list(welded.uvs)).toEqual(mesh.uvs && first.flatMap((v) => list(mesh.uvs!.slice(2 * v, 2 * v + 2))!));
			expect(list(welded.normals)).toEqual(
				mesh.normals && first.flatMap((v) => list(mesh.normals!.slice(3 * v, 3 * v + 3))!),
			);
		}
	});

	it('leaves a mesh without equal corners as it is', () => {
		const mesh = { vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), indices: Uint32Array.of(0, 1, 2) };
		expect(weldCorners(mesh)).toBe(mesh);
	});
});

describe('folders called like a package, then those above the file', () => {
	it.each([
		[
			'package://kit/a/b.stl',
			'/ws/kit/urdf/kit/x.urdf',
			['/ws/kit/urdf/kit/a/b.stl', '/ws/kit/a/b.stl', '/ws/kit/urdf/a/b.stl'],
		],
		['model://kit/b.stl', 'kit/urdf/x.urdf', ['../b.stl', './b.stl']],
		['package://kit/b.stl', 'kit/x.urdf', ['./b.stl']],
		['package://kit/b.stl', 'a/kit/b/c/x.urdf', ['../../b.stl', './b.stl', '../b.stl']],
		['package://kit/b.stl', 'C:\\ws\\kit\\x.urdf', ['C:/ws/kit/b.stl', 'C:/ws/b.stl']],
		['package://kit/b.stl', '/kit', []],
		['package://kit', '/ws/kit/x.urdf', []],
		['kit/b.stl', '/ws/kit/x.urdf', []],
		['package://kit/b.stl', '/a/b/c/d/x.urdf', ['/a/b/c/d/b.stl', '/a/b/c/b.stl', '/a/b/b.stl']],
	])('%s from %s', (path, file, expected) => {
		expect(aroundPackage(path, file)).toEqual(expected);
	});
});

it('leaves folders of other names out on request', () => {
	expect(aroundPackage('package://kit/b.stl', 'a/kit/b/c/x.urdf', false)).toEqual(['../../b.stl']);
});

describe('a library of meshes', () => {
	const place = () => ({
		file: 'r.urdf',
		range: { start: { line: 3, column: 4, offset: 0 }, end: { line: 3, column: 9, offset: 0 } },
	});
	const files = {
		't.obj': OBJ,
		't.mtl': MTL,
		'empty.obj': 'v 0 0 0\n',
		'kit/a.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n',
	};
	const make = (options: Partial<ConstructorParameters<typeof MeshLibrary>[0]> = {}) => {
		const report = new Report();
		const library = new MeshLibrary({
			store: new MemoryStore(files),
			file: 'kit/r.urdf',
			report,
			code: 'URDF009',
			renamedPackages: true,
			...options,
		});
		const told = (): string[] =>
			report.toArray().map(({ code, message, range }) => `${code} ${range?.start.line} ${message}`);
		return { library, told };
	};

	it('shares what it has read', () => {
		const { library, told } = make();
		const [first] = library.load('a.obj', plain, place);
		expect(library.load('./a.obj', plain, place)[0]).toBe(first);
		expect(library.load('package://kit/a.obj', plain, place)[0]).toBe(first);
		expect(library.load('model://kit/a.obj', plain, place)[0]).toBe(first);
		const other = library.load('a.obj', { ...plain, scale: [1, 2, 1] }, place)[0];
		expect(other).not.toBe(first);
		for (const options of [
			{ color: [1, 0, 0] as const },
			{ texture: 'x' },
			{ maxHullVertices: 3 },
			{ isWhole: true },
		]) {
			expect(library.load('a.obj', { ...plain, ...options }, place)[0]).not.toBe(first);
		}
		expect(library.load('a.obj', { ...plain, isWhole: false }, place)[0]).toBe(first);
		expect(told()).toEqual([]);
	});

	it('reads what a file keeps in another one beside it, unless the store refuses that one', () => {
		const gltf = (uri: string): Uint8Array =>
			new TextEncoder().encode(
				JSON.stringify({
					asset: { version: '2.0' },
					buffers: [{ uri, byteLength: 36 }],
					bufferViews: [{ buffer: 0, byteLength: 36 }],
					accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
					meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
					nodes: [{ mesh: 0 }],
					scenes: [{ nodes: [0] }],
					scene: 0,
				}),
			);
		const corners = new Uint8Array(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer);
		const bytes: Readonly<Record<string, Uint8Array>> = {
			'/kit/a.gltf': gltf('near.bin'),
			'/kit/b.gltf': gltf('secret.bin'),
			'/kit/near.bin': corners,
			'/kit/secret.bin': corners,
		};
		const { library, told } = make({
			file: '/kit/r.urdf',
			store: {
				identify: (path) => {
					const identifier = path.startsWith('/') ? path : `/kit/${path}`;
					return path.includes('secret') ? { identifier, refusal: 'it is secret' } : { identifier };
				},
				bytes: (identifier) => bytes[identifier],
			},
		});
		expect(library.load('a.gltf', plain, place)).toHaveLength(1);
		expect(told()).toEqual([]);
		expect(library.load('b.gltf', plain, place)).toEqual([]);
		expect(told().some((text) => text.includes("'b.gltf' holds no triangles"))).toBe(true);
	});

	it('says why a file cannot be used, each time it is named', () => {
		const { library, told } = make();
		expect(library.load('../empty.obj', plain, place)).toEqual([]);
		expect(library.load('no.obj', plain, place)).toEqual([]);
		expect(library.find('../../out.obj', place)).toBeUndefined();
		expect(told().map((text) => text.replace(/: .*/, ''))).toEqual([
			'MESH009 undefined the file has no triangle, expected at least one',
			"URDF009 3 '../../out.obj' cannot be used",
			"URDF009 3 '../empty.obj' holds no triangles that can be read",
			"URDF009 3 'no.obj' does not exist",
		]);
	});

	it('needs a store, and a file for paths that are relative', () => {
		const none = make({ store: undefined });
		expect(none.library.load('a.obj', plain, place)).toEqual([]);
		expect(none.told()).toEqual(["URDF009 3 'a.obj' cannot be looked up: no store of files is given"]);
		const text = make({ file: undefined });
		expect(text.library.find('a.obj', place)).toBeUndefined();
		expect(text.told()).toEqual([
			"URDF009 3 'a.obj' is relative, expected a file for the robot that it is relative to",
		]);
		const asked: string[] = [];
		const absolute = make({
			file: undefined,
			store: {
				identify: (path) => ({ identifier: path }),
				bytes: (identifier) => {
					asked.push(identifier);
					return bytes(OBJ);
				},
			},
		});
		for (const path of ['/a.obj', '\\a.obj', 'C:/a.obj', 'file://a.obj', 'package://kit/a.obj']) {
			expect(absolute.library.find(path, place)).toBe(path);
		}
		expect(absolute.library.find('/a.obj', place)).toBe('/a.obj');
		expect(asked).toHaveLength(5);
	});

	it('takes the first reason of several places, and waits for what is not loaded', () => {
		const { library, told } = make({
			file: '/kit/r.urdf',
			store: {
				identify: (path) =>
					path.startsWith('package:') ? { identifier: '', refusal: 'there is no package' } : { identifier: path },
				bytes: () => undefined,
			},
		});
		expect(library.find('package://kit/a.obj', place)).toBeUndefined();
		expect(library.find('/b.obj', place)).toBeUndefined();
		expect(told()).toEqual([
			"URDF009 3 '/b.obj' cannot be used: it is not loaded yet",
			"URDF009 3 'package://kit/a.obj' cannot be used: there is no package",
		]);
	});
});
