import { meshTopology, solidMass } from '@manyworlds/mesh';
import { GeoType, ShapeFlags, type ShapeMesh } from '@manyworlds/model';
import { XformCache } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import type { ImportUsdOptions } from '../../src/index.ts';
import { type Imported, importText, openUsd } from './usd-scene.ts';

const cubes = (...names: string[]): string =>
	names
		.map((name) => `def Cube "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {\n}\n`)
		.join('');
const group = (name: string, members: readonly string[], settings: string = ''): string =>
	`def PhysicsCollisionGroup "${name}" {\nrel collection:colliders:includes = [${members.map((path) => `<${path}>`).join(', ')}]\n${settings}\n}\n`;
const pairsOf = ({ model }: Imported): string[] => {
	const { shapeContactPairs, shapeLabels } = model();
	return Array.from({ length: shapeContactPairs.length / 2 }, (_, i) =>
		[shapeLabels[shapeContactPairs[2 * i]!]!.slice(1), shapeLabels[shapeContactPairs[2 * i + 1]!]!.slice(1)]
			.sort()
			.join(''),
	).sort();
};

describe('collision groups, as UsdPhysics has them', () => {
	it.each([
		['two groups collide unless one filters the other', group('G', ['/a']) + group('H', ['/b']), ['ab', 'ac', 'bc']],
		[
			'a filtered group does not',
			group('G', ['/a'], 'rel physics:filteredGroups = </H>') + group('H', ['/b']),
			['ac', 'bc'],
		],
		['a group that filters itself', group('G', ['/a', '/b'], 'rel physics:filteredGroups = </G>'), ['ac', 'bc']],
		[
			'an inverted group collides with the named ones only',
			group('G', ['/a'], 'rel physics:filteredGroups = </H>\nbool physics:invertFilteredGroups = true') +
				group('H', ['/b']) +
				group('I', ['/c']),
			['ab', 'bc'],
		],
		[
			'merged groups act as one',
			group('G', ['/a'], 'string physics:mergeGroup = "m"\nrel physics:filteredGroups = </I>') +
				group('H', ['/b'], 'string physics:mergeGroup = "m"') +
				group('I', ['/c']),
			['ab'],
		],
		[
			'a shape in two groups is apart from what either filters',
			group('G', ['/a']) + group('H', ['/a'], 'rel physics:filteredGroups = </I>') + group('I', ['/c']),
			['ab', 'bc'],
		],
	])('%s', (_name, groups, expected) => {
		expect(pairsOf(importText(cubes('a', 'b', 'c') + groups))).toEqual(expected);
	});
});

describe('filtered pairs', () => {
	const filtered = (from: string, to: string): string =>
		`over "${from}" (prepend apiSchemas = ["PhysicsFilteredPairsAPI"]) {\nrel physics:filteredPairs = <${to}>\n}\n`;

	it('keep two shapes apart, named once or twice', () => {
		expect(
			pairsOf(
				importText(
					cubes('a', 'b', 'c')
						.replace('"a" (prepend apiSchemas = [', '"a" (prepend apiSchemas = ["PhysicsFilteredPairsAPI", ')
						.replace(
							'"a" (prepend apiSchemas = ["PhysicsFilteredPairsAPI", "PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {',
							'"a" (prepend apiSchemas = ["PhysicsFilteredPairsAPI", "PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {\nrel physics:filteredPairs = [</b>, </a>]',
						),
				),
			),
		).toEqual(['ac', 'bc']);
	});

	it('may name a body with several shapes', () => {
		const body = `def Xform "x" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsFilteredPairsAPI"]) {\nrel physics:filteredPairs = </a>\n${cubes('p', 'q').replaceAll('"PhysicsRigidBodyAPI", ', '')}}\n`;
		expect(pairsOf(importText(cubes('a') + body))).toEqual([]);
	});

	it('is not confused by another layer saying it again', () => {
		const root = '#usda 1.0\n(\nsubLayers = [@over.usda@, @base.usda@]\n)\n';
		const imported = importText({
			'root.usda': root,
			'over.usda': filtered('a', '/b') + filtered('b', '/a'),
			'base.usda': cubes('a', 'b', 'c'),
		});
		expect(pairsOf(imported)).toEqual(['ac', 'bc']);
		expect(imported.builder.column('filterPair')).toHaveLength(2);
	});

	it('come in the order of the lesser path of each, whichever names the other', () => {
		const imported = importText({
			'root.usda': '#usda 1.0\n(\nsubLayers = [@over.usda@, @base.usda@]\n)\n',
			'over.usda': filtered('d', '/a') + filtered('b', '/c'),
			'base.usda': cubes('a', 'b', 'c', 'd'),
		});
		const labels = imported.builder.labels('shape');
		const named = [...imported.builder.column('filterPair')].map((shape) => labels[shape]);
		expect([named.slice(0, 2).sort(), named.slice(2).sort()]).toEqual([
			['/a', '/d'],
			['/b', '/c'],
		]);
	});

	it('are added once, though groups of either order say it too', () => {
		for (const [first, second] of [
			['a', 'b'],
			['b', 'a'],
		] as const) {
			const imported = importText({
				'root.usda': '#usda 1.0\n(\nsubLayers = [@over.usda@, @base.usda@]\n)\n',
				'over.usda': filtered('a', '/b'),
				'base.usda':
					cubes('a', 'b', 'c') +
					group('G', [`/${first}`], 'rel physics:filteredGroups = </H>') +
					group('H', [`/${second}`]) +
					group('I', ['/a', '/b'], 'rel physics:filteredGroups = </I>'),
			});
			expect(pairsOf(imported)).toEqual(['ac', 'bc']);
			expect([...imported.builder.column('filterPair')]).toEqual([0, 1]);
		}
	});
});

describe('colliders that are switched off', () => {
	it('stay, but collide with nothing', () => {
		const imported = importText(cubes('a', 'b').replace('{\n}', '{\nbool physics:collisionEnabled = false\n}'), {
			loadVisualShapes: false,
		});
		expect(imported.builder.shapeCount).toBe(2);
		expect(imported.builder.column('shapeFlags')[0]! & ShapeFlags.COLLIDE_SHAPES).toBe(0);
		expect(pairsOf(imported)).toEqual([]);
		expect(imported.builder.column('filterPair')).toHaveLength(0);
	});
});

describe('meshes of colliders that are left out', () => {
	const options = { loadColliderMeshes: false, loadVisualShapes: false };
	const weighed = `physics:mass = 2
	point3f physics:centerOfMass = (0, 0, 0)
	float3 physics:diagonalInertia = (1, 1, 1)
	`;
	const body = (stated: string): string =>
		mesh('none', stated === '' ? '' : `float ${stated}`).replace(
			'"PhysicsRigidBodyAPI"',
			'"PhysicsRigidBodyAPI", "PhysicsMassAPI"',
		);

	it('have something small in their place where the body says what it weighs', () => {
		const { builder } = importText(body(weighed), options);
		expect(builder.shapeCount).toBe(1);
		const small = builder.edits.shapeSource(0) as ShapeMesh;
		expect(small.indices).toHaveLength(12);
		// a corner of a cube of 1 mm, closed and facing outwards
		expect(solidMass(small).mass).toBeCloseTo(1e-9 / 6, 24);
		expect(meshTopology(small).isWatertight).toBe(true);
		expect(builder.column('bodyMass')[0]).toBe(2);
	});

	it('are read where the weight of the body comes from them', () => {
		const [{ builder }, whole] = [importText(body(''), options), importText(body(''))];
		expect(builder.column('bodyMass')[0]).toBeCloseTo(3000, 9);
		expect(builder.column('bodyInertia')).toEqual(whole.builder.column('bodyInertia'));
	});
});

/** An L of three unit cubes. */
const ELL = `
	point3f[] points = [(0,0,0),(2,0,0),(2,1,0),(1,1,0),(1,2,0),(0,2,0),(0,0,1),(2,0,1),(2,1,1),(1,1,1),(1,2,1),(0,2,1)]
	int[] faceVertexCounts = [6,6,4,4,4,4,4,4]
	int[] faceVertexIndices = [5,4,3,2,1,0, 6,7,8,9,10,11, 0,1,7,6, 1,2,8,7, 2,3,9,8, 3,4,10,9, 4,5,11,10, 5,0,6,11]`;
const mesh = (token: string, settings: string = ''): string =>
	`def Mesh "m" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]) {
	uniform token physics:approximation = "${token}"
	${settings}
	${ELL}
}
`;
const volumeOf = (imported: Imported, shape: number): number =>
	solidMass(imported.builder.edits.shapeSource(shape) as ShapeMesh).mass;

describe('approximations of a mesh', () => {
	it('none leaves it, concave faces included', () => {
		const imported = importText(mesh('none'));
		expect(imported.builder.column('shapeType')[0]).toBe(GeoType.MESH);
		expect(volumeOf(imported, 0)).toBeCloseTo(3, 9);
	});

	it('convexHull fills the notch', () => {
		const imported = importText(mesh('convexHull'));
		expect(imported.builder.column('shapeType')[0]).toBe(GeoType.CONVEX_MESH);
		expect(volumeOf(imported, 0)).toBeCloseTo(3.5, 9);
	});

	it('convexHull keeps to a vertex limit', () => {
		const imported = importText(mesh('convexHull', 'uniform int newton:maxHullVertices = 5'));
		const hull = imported.builder.edits.shapeSource(0) as ShapeMesh;
		expect(hull.vertices.length / 3).toBe(5);
		expect(volumeOf(imported, 0)).toBeLessThan(3.5);
	});

	it('two meshes of the same points keep their own limits, faces and orientation', () => {
		const own = (name: string, token: string, text: string): string =>
			`def "${name}" (references = </base>) {\nuniform token physics:approximation = "${token}"\n${text}\n}\n`;
		const base = mesh('none').replace('def Mesh "m"', 'class Mesh "base"');
		const text = `${base}${own('a', 'none', '')}${own('b', 'none', 'uniform token orientation = "leftHanded"')}${own('c', 'none', 'int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0, 1, 2, 3]')}${own('h', 'convexHull', '')}${own('l', 'convexHull', 'int newton:maxHullVertices = 4')}`;
		const { builder, result } = importText(text);
		const source = (path: string): ShapeMesh => builder.edits.shapeSource(result.pathShapeMap.get(path)!) as ShapeMesh;
		const triangles = [...source('/a').indices];
		const flipped = triangles.map((_, i) => triangles[i - (i % 3) + 2 - (i % 3)]!);
		expect([...source('/b').indices]).toEqual(flipped);
		expect(source('/c').indices).toHaveLength(6);
		expect(source('/h').vertices.length).toBeGreaterThan(12);
		expect(source('/l').vertices).toHaveLength(12);
	});

	it.each([
		[1, 4],
		[4, 4],
		[6, 6],
	])(
		'convexDecomposition with at most %i corners gives parts with %i, as fewer than four have no volume',
		(limit, most) => {
			const { builder } = importText(mesh('convexDecomposition', `uniform int newton:maxHullVertices = ${limit}`), {
				loadVisualShapes: false,
			});
			const corners = Array.from(
				{ length: builder.shapeCount },
				(_, shape) => (builder.edits.shapeSource(shape) as ShapeMesh).vertices.length / 3,
			);
			expect(corners.length).toBeGreaterThan(1);
			expect(Math.max(...corners)).toBe(most);
		},
	);

	it.each([
		['convexHull', 10],
		['convexDecomposition', 8],
	])('%s without a limit of corners has all it needs', (token, corners) => {
		const { builder } = importText(mesh(token, 'uniform int newton:maxHullVertices = -1'), { loadVisualShapes: false });
		const found = Array.from(
			{ length: builder.shapeCount },
			(_, shape) => (builder.edits.shapeSource(shape) as ShapeMesh).vertices.length / 3,
		);
		expect(Math.max(...found)).toBe(corners);
	});

	it('a mesh that is wrong is told once, however many instances there are', () => {
		const proto = `class "proto" {\n${mesh('none').replace('faceVertexCounts = [', 'faceVertexCounts = [9, ').replace('"PhysicsRigidBodyAPI", ', '')}}\n`;
		const instance = (name: string): string => `def "${name}" (instanceable = true\nreferences = </proto>) {}\n`;
		expect(importText(proto + instance('a') + instance('b')).findings).toEqual(['IMP032 /a/m']);
	});

	it('meshes of the same arrays share them', () => {
		const base = mesh('none').replace('def Mesh "m"', 'class Mesh "base"');
		const { builder } = importText(`${base}def "a" (references = </base>) {}\ndef "b" (references = </base>) {}\n`);
		const [a, b] = [0, 1].map((shape) => builder.edits.shapeSource(shape) as ShapeMesh);
		expect(a!.vertices).toBe(b!.vertices);
		expect(a!.indices).toBe(b!.indices);
	});

	it('convexDecomposition gives parts of the same volume', () => {
		const imported = importText(mesh('convexDecomposition'), { loadVisualShapes: false });
		const { builder } = imported;
		expect(builder.shapeCount).toBeGreaterThan(1);
		let total = 0;
		for (let shape = 0; shape < builder.shapeCount; shape++) total += volumeOf(imported, shape);
		expect(total).toBeGreaterThan(2.9);
		expect(total).toBeLessThan(3.2);
		expect(builder.labels('shape').slice(0, 2)).toEqual(['/m', '/m_convex_1']);
	});

	it('boundingSphere and boundingCube enclose it', () => {
		const sphere = importText(mesh('boundingSphere')).builder;
		expect(sphere.column('shapeType')[0]).toBe(GeoType.SPHERE);
		expect(sphere.column('shapeScale')[0]).toBeGreaterThan(1.4);
		expect(sphere.column('shapeScale')[0]).toBeLessThan(1.6);
		const box = importText(mesh('boundingCube')).builder;
		expect(box.column('shapeType')[0]).toBe(GeoType.BOX);
		const [x, y, z] = box.column('shapeScale');
		expect(8 * x! * y! * z!).toBeCloseTo(4, 5);
	});

	it('meshSimplification has fewer triangles', () => {
		const { builder } = importText(mesh('meshSimplification'));
		expect((builder.edits.shapeSource(0) as ShapeMesh).indices.length).toBeLessThan(20 * 3);
	});

	it.each(['none', 'convexHull', 'convexDecomposition', 'boundingSphere', 'boundingCube', 'meshSimplification'])(
		'%s leaves the mass of the mesh itself',
		(token) => {
			expect(importText(mesh(token)).builder.column('bodyMass')[0]).toBeCloseTo(3000, 6);
		},
	);

	it('keeps the mesh to be seen', () => {
		const { builder } = importText(mesh('convexHull'));
		const flags = builder.column('shapeFlags');
		expect(builder.labels('shape')).toEqual(['/m', '/m_visual']);
		expect([flags[0]! & ShapeFlags.VISIBLE, flags[1]!]).toEqual([0, ShapeFlags.VISIBLE]);
	});

	it('primitives are hidden where the body has something else to see, but not the last of it', () => {
		const part = (name: string, token: string): string =>
			mesh(token).replace('def Mesh "m"', `def Mesh "${name}"`).replace('"PhysicsRigidBodyAPI", ', '');
		const visible = (...tokens: readonly string[]): boolean[] => {
			const parts = tokens.map((token, i) => part(`m${i}`, token)).join('');
			const text = `def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\n${parts}}\n`;
			const { builder, result } = importText(text, { loadVisualShapes: false });
			const flags = builder.column('shapeFlags');
			return tokens.map((_, i) => (flags[result.pathShapeMap.get(`/b/m${i}`)!]! & ShapeFlags.VISIBLE) !== 0);
		};
		expect(visible('boundingCube')).toEqual([true]);
		expect(visible('boundingCube', 'boundingCube')).toEqual([false, true]);
		expect(visible('boundingCube', 'boundingCube', 'boundingCube')).toEqual([false, false, true]);
		expect(visible('boundingSphere', 'none', 'boundingSphere')).toEqual([false, true, false]);
		expect(visible('convexHull', 'boundingCube')).toEqual([true, false]);
	});

	it('an unknown one is reported', () => {
		expect(importText(mesh('cubism')).findings).toEqual(['IMP037 /m.physics:approximation']);
	});
});

describe('scales', () => {
	const scaled = (factors: string): Imported => {
		const ops = `double3 xformOp:scale = ${factors}\nuniform token[] xformOpOrder = ["xformOp:scale"]`;
		return importText(mesh('none', ops).replace('"PhysicsRigidBodyAPI", ', ''), {}, { upAxis: 'y' });
	};

	it.each(['(2, 3, 4)', '(-1, 1, 1)', '(-2, -1, 0.5)', '(1, 1, -3)'])(
		'%s puts every vertex where USD puts it',
		(factors) => {
			const { builder } = scaled(factors);
			const [x, y, z] = factors.match(/-?[\d.]+/g)!.map(Number) as [number, number, number];
			const { vertices } = builder.edits.shapeSource(0) as ShapeMesh;
			const scale = builder.column('shapeScale');
			const pose = builder.column('shapeTransform');
			for (let i = 0; i < vertices.length; i += 3) {
				const local = [0, 1, 2].map((k) => vertices[i + k]! * scale[k]!) as [number, number, number];
				const placed = rotate(pose.subarray(3, 7), local);
				expect(placed[0]! + pose[0]!).toBeCloseTo(vertices[i]! * x, 6);
				expect(placed[1]! + pose[1]!).toBeCloseTo(vertices[i + 1]! * y, 6);
				expect(placed[2]! + pose[2]!).toBeCloseTo(vertices[i + 2]! * z, 6);
			}
		},
	);

	it('are given with their signs', () => {
		expect(scaled('(-1, 2, 3)').result.pathShapeScale.get('/m')).toEqual([-1, 2, 3]);
	});

	/** Places of the vertices of a shape in the world. */
	const placed = ({ builder }: Imported, shape: number): number[][] => {
		const { vertices } = builder.edits.shapeSource(shape) as ShapeMesh;
		const scale = builder.column('shapeScale').subarray(3 * shape, 3 * shape + 3);
		const pose = builder.column('shapeTransform').subarray(7 * shape, 7 * shape + 7);
		const body = builder.column('shapeBody')[shape]!;
		const frame = body < 0 ? [0, 0, 0, 0, 0, 0, 1] : builder.column('bodyQ').subarray(7 * body, 7 * body + 7);
		return Array.from({ length: vertices.length / 3 }, (_, i) => {
			const local = [0, 1, 2].map((k) => vertices[3 * i + k]! * scale[k]!) as [number, number, number];
			const inBody = rotate(pose.subarray(3), local).map((part, k) => part + pose[k]!) as [number, number, number];
			return rotate(Array.from(frame).slice(3), inBody).map((part, k) => part + frame[k]!);
		});
	};
	const turnedChild = (parent: string, content: string): string =>
		`def Xform "p" ${parent === '' ? '' : `(prepend apiSchemas = [${parent}]) `}{
	double3 xformOp:translate = (1, 2, 3)
	double3 xformOp:scale = (1, 2, -3)
	uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
	${content}
}
`;
	const turn = 'double3 xformOp:rotateXYZ = (30, 40, 50)\nuniform token[] xformOpOrder = ["xformOp:rotateXYZ"]';

	it.each([
		['of a static collider', turnedChild('', mesh('none', turn).replace('"PhysicsRigidBodyAPI", ', ''))],
		[
			'of a collider in a scaled body',
			turnedChild('"PhysicsRigidBodyAPI"', mesh('none', turn).replace('"PhysicsRigidBodyAPI", ', '')),
		],
		['of a visual in a scaled body', turnedChild('"PhysicsRigidBodyAPI"', `def Mesh "m" {\n${turn}\n${ELL}\n}`)],
	])('that shear keep every vertex %s where USD puts it', (_name, text) => {
		const imported = importText(text, {}, { upAxis: 'y' });
		const stage = openUsd(text);
		const matrix = new XformCache().worldTransform(stage.prim('/p/m')!);
		const shape = imported.result.pathShapeMap.get('/p/m')!;
		const points = [...ELL.split('\n')[1]!.matchAll(/\(([\d.,]+)\)/g)].map((match) => match[1]!.split(',').map(Number));
		placed(imported, shape).forEach((at, i) => {
			const [x, y, z] = points[i] as [number, number, number];
			for (let k = 0; k < 3; k++) {
				const right = x * matrix[k]! + y * matrix[4 + k]! + z * matrix[8 + k]! + matrix[12 + k]!;
				expect(at[k]).toBeCloseTo(right, 5);
			}
		});
	});

	it('that shear are exact in mass too', () => {
		const text = turnedChild(
			'"PhysicsRigidBodyAPI", "PhysicsMassAPI"',
			mesh('none', turn).replace('"PhysicsRigidBodyAPI", ', ''),
		);
		expect(importText(text).builder.column('bodyMass')[0]).toBeCloseTo(3 * 6 * 1000, 2);
	});

	it('that shear a primitive are reported', () => {
		const text = turnedChild('', `def Cube "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\n${turn}\n}`);
		expect(importText(text).findings).toEqual(['IMP038 /p/c']);
	});

	it.each(['Cube', 'Sphere', 'Capsule', 'Cylinder', 'Cone', 'Plane', 'Mesh'])(
		'that shear a %s which is only seen are reported where its shape is another then',
		(type) => {
			const { findings } = importText(turnedChild('', `def ${type} "c" {\n${turn}\n}`));
			const expected = type === 'Plane' || type === 'Mesh' ? [] : ['IMP038 /p/c'];
			expect(findings.filter((finding) => finding.startsWith('IMP038'))).toEqual(expected);
		},
	);

	it('of visuals mirror them too', () => {
		const visual = `def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\n${cubes('c').replace('"PhysicsRigidBodyAPI", ', '')}def Mesh "v" {\ndouble3 xformOp:scale = (-1, 1, 1)\nuniform token[] xformOpOrder = ["xformOp:scale"]\n${ELL}\n}\n}\n`;
		const { builder, result } = importText(visual);
		const shape = result.pathShapeMap.get('/b/v')!;
		const scale = builder.column('shapeScale').subarray(3 * shape, 3 * shape + 3);
		expect(scale[0]! * scale[1]! * scale[2]!).toBeCloseTo(-1, 9);
	});
});

function rotate(q: ArrayLike<number>, [a, b, c]: [number, number, number]): number[] {
	const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
	const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
	return [a + w * tx + (y * tz - z * ty), b + w * ty + (z * tx - x * tz), c + w * tz + (x * ty - y * tx)];
}

describe('scales of colliders', () => {
	it.each([
		[-2, 3, 4],
		[2, -3, 4],
		[2, 3, -4],
		[-2, -3, -4],
	])('keep the signs of the ops: %d, %d, %d', (x, y, z) => {
		const scaled = `double3 xformOp:scale = (${x}, ${y}, ${z})\nuniform token[] xformOpOrder = ["xformOp:scale"]`;
		const text = `def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\ndef Cube "c" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\n${scaled}\n}\n}\n`;
		const { result } = importText(text);
		const scale = result.pathShapeScale.get('/b/c')!;
		for (const [i, factor] of [x, y, z].entries()) expect(scale[i]).toBeCloseTo(factor, 9);
	});
});

describe('shapes in place of meshes', () => {
	// a box of 1 by 2 by 2 m about (0.5, 0, 0) has a sphere of 1.5 m about the same point
	const corners = [0, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => `(${x}, ${y}, ${z})`)));
	const mesh = (approximation: string): string => `
def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def Cube "first" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {
		double3 xformOp:translate = (7, 8, 9)
		uniform token[] xformOpOrder = ["xformOp:translate"]
	}
	def Mesh "second" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]) {
		uniform token physics:approximation = "${approximation}"
		point3f[] points = [${corners.join(', ')}]
		int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]
		int[] faceVertexIndices = [0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3]
		double3 xformOp:translate = (1, 2, 3)
		uniform token[] xformOpOrder = ["xformOp:translate"]
	}
}`;

	it.each(['boundingSphere', 'boundingCube'])('are where their mesh is: %s', (approximation) => {
		const { builder, result } = importText(mesh(approximation), { loadVisualShapes: false });
		const shape = result.pathShapeMap.get('/b/second')!;
		expect(shape).toBe(1);
		const place = builder.column('shapeTransform').subarray(7 * shape, 7 * shape + 3);
		for (const [i, value] of [1.5, 2, 3].entries()) expect(place[i]).toBeCloseTo(value, 6);
		const size = [...builder.column('shapeScale').subarray(3 * shape, 3 * shape + 3)].sort((a, b) => a - b);
		const expected = approximation === 'boundingSphere' ? [0, 0, 1.5] : [0.5, 1, 1];
		for (const [i, value] of expected.entries()) expect(size[i]).toBeCloseTo(value, 6);
	});
});

describe('hulls of colliders with the same mesh', () => {
	it('are made once for all instances', () => {
		const { model } = importText(`over "Proto" {
	def Mesh "m" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]) {
		uniform token physics:approximation = "convexHull"
		point3f[] points = [(0, 0, 0), (2, 0, 0), (0, 3, 0), (0, 0, 4)]
		int[] faceVertexCounts = [3, 3, 3, 3]
		int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
	}
}
def Xform "a" (instanceable = true
references = </Proto>) {}
def Xform "b" (instanceable = true
references = </Proto>) {}
`);
		const [a, b] = model().shapeSources as readonly ShapeMesh[];
		expect(a!.vertices).toHaveLength(12);
		expect(b!.vertices).toBe(a!.vertices);
	});
});

describe('colliders that are switched off', () => {
	const ball = (name: string, settings: string = ''): string =>
		`def Sphere "${name}" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\n${settings}\n}\n`;
	const off = 'bool physics:collisionEnabled = false';
	const pairsOf = (text: string, options: ImportUsdOptions): string[] => {
		const { builder } = importText(text, { ...options, loadVisualShapes: false });
		const pairs = builder.column('filterPair');
		const found: string[] = [];
		for (let i = 0; i < pairs.length; i += 2) found.push(`${pairs[i]}-${pairs[i + 1]}`);
		return found.sort();
	};

	it('are in no pair but where Newton puts them: with every other shape, once', () => {
		const text = ball('a') + ball('b', off) + ball('c') + ball('d', off);
		expect(pairsOf(text, {})).toEqual([]);
		expect(pairsOf(text, { newtonCompat: true })).toEqual([]);
		const faults: ImportUsdOptions = { newtonCompat: true, reproduceFaults: ['disabled-filter'] };
		expect(pairsOf(text, faults)).toEqual(['0-1', '0-3', '1-2', '1-3', '2-3']);
	});
});
