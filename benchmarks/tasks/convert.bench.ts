import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ConvertedRobot, convertRobot, type TargetFormat } from '@manyworlds/convert';
import { Report } from '@manyworlds/core';
import { FileStore } from '@manyworlds/node';
import { MemoryStore } from '@manyworlds/usd';
import { makeMeshFiles } from '../files/mesh-files.ts';
import type { BenchSuite, BenchTask, OutsideContender } from '../harness/task.ts';
import { blender } from '../peers/blender.ts';

const ASSETS = fileURLToPath(new URL('../../../shared/assets', import.meta.url));
const G1 = 'unitree_g1/g1_29dof_with_hand_rev_1_0';

/** From a file to the files of another format, in memory. */
export const suite: BenchSuite = {
	name: 'convert',
	prepare: async () => {
		const { usdBytes, urdfBytes } = makeMeshFiles();
		const megabytes = [usdBytes, urdfBytes].map((bytes) => (bytes / 1e6).toFixed(1));
		return `the G1 of ../shared/assets with all its meshes; ${megabytes[0]} MB of meshes in a crate, ${megabytes[1]} MB in STL files`;
	},
	tasks: [
		task('g1UsdToUrdf', `usd-converted/${G1}.usda`, 'urdf', { bodies: 44, moving: 43 }),
		task('g1UsdToSdf', `usd-converted/${G1}.usda`, 'sdf', { bodies: 44, moving: 43 }),
		task('g1UsdToMjcf', `usd-converted/${G1}.usda`, 'mjcf', { bodies: 44, moving: 43 }),
		task('g1UrdfToMjcf', `${G1}.urdf`, 'mjcf', { bodies: 53, moving: 43 }),
		task('g1MjcfToUrdf', `${G1}.xml`, 'urdf', { bodies: 44, moving: 43 }),
		task('g1UsdToGlb', `usd-converted/${G1}.usda`, 'glb', { bodies: 44, moving: 43 }, blender),
		task('g1UrdfToUsd', `${G1}.urdf`, 'rep', { bodies: 53, moving: 43 }),
		meshTask('meshesUsdToGlb', 'usd'),
		subdivideTask(),
		meshTask('meshesUrdfToGlb', 'urdf'),
	],
};

function task(
	name: string,
	asset: string,
	to: TargetFormat,
	expected: { readonly bodies: number; readonly moving: number },
	peer?: (file: string) => OutsideContender,
): BenchTask {
	const file = join(ASSETS, asset);
	return {
		kind: 'task',
		name,
		title: `${asset} as ${to}: read it with its meshes and write all files to memory`,
		rates: [{ fact: 'bytes', unit: 'bytes/s' }],
		contenders: [
			{
				name: 'manyworlds',
				prepare: () => ({
					run: () => convertRobot(file, { store: new FileStore({ roots: ['/'] }), to, report: new Report() }),
					check: (result) => check(result as ConvertedRobot | undefined, expected),
				}),
			},
		],
		outside: peer === undefined ? [] : [peer(file)],
	};
}

/** Large meshes as GLB; the rate is that of what is read. */
function meshTask(name: string, source: 'usd' | 'urdf'): BenchTask {
	return {
		kind: 'task',
		name,
		title: `about 50 MB of meshes (${source}) as GLB: read them and write the file to memory`,
		rates: [{ fact: 'megabytes', unit: 'MB/s' }],
		contenders: [
			{
				name: 'manyworlds',
				prepare: () => {
					const files = makeMeshFiles();
					const bytes = source === 'usd' ? files.usdBytes : files.urdfBytes;
					return {
						run: () =>
							convertRobot(files[source], { store: new FileStore({ roots: ['/'] }), to: 'glb', report: new Report() }),
						check: (result) => {
							const triangles = trianglesOf((result as ConvertedRobot).files[0]!.content as Uint8Array);
							const expected = files.triangles[source];
							if (triangles !== expected) throw new Error(`${triangles} triangles, expected ${expected}`);
							return { megabytes: bytes / 1e6 };
						},
					};
				},
			},
		],
		outside: [],
	};
}

/** A cage of 10,000 faces as the surface of 160,000 that it stands for; the rate is that of triangles. */
function subdivideTask(): BenchTask {
	const side = 100;
	const cells = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)] as const);
	const points = Array.from({ length: (side + 1) ** 2 }, (_, i) => {
		const [x, y] = [i % (side + 1), Math.floor(i / (side + 1))];
		return `(${x}, ${y}, ${(x * y) % 7})`;
	});
	const corners = cells.flatMap(([x, y]) => {
		const at = x + (side + 1) * y;
		return [at, at + 1, at + side + 2, at + side + 1];
	});
	const text = `#usda 1.0
(
	defaultPrim = "W"
	metersPerUnit = 1
	upAxis = "Z"
)
def Mesh "W"
{
	int[] faceVertexCounts = [${cells.map(() => 4).join()}]
	int[] faceVertexIndices = [${corners.join()}]
	point3f[] points = [${points.join()}]
}
`;
	return {
		kind: 'task',
		name: 'subdividedToGlb',
		title: 'a cage of 10,000 faces, subdivided twice, as GLB',
		rates: [{ fact: 'triangles', unit: 'triangles/s' }],
		contenders: [
			{
				name: 'manyworlds',
				prepare: () => ({
					run: () =>
						convertRobot('a.usda', {
							store: new MemoryStore({ 'a.usda': text }),
							to: 'glb',
							subdivide: 2,
							report: new Report(),
						}),
					check: (result) => {
						const triangles = trianglesOf((result as ConvertedRobot).files[0]!.content as Uint8Array);
						if (triangles !== 2 * 16 * side * side) throw new Error(`${triangles} triangles`);
						return { triangles };
					},
				}),
			},
		],
		outside: [],
	};
}

/** Triangles of all meshes of a GLB file. */
function trianglesOf(glb: Uint8Array): number {
	const size = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
	const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + size))) as {
		meshes: { primitives: { indices: number }[] }[];
		accessors: { count: number }[];
	};
	const corners = json.meshes.flatMap(({ primitives }) =>
		primitives.map(({ indices }) => json.accessors[indices]!.count),
	);
	return corners.reduce((sum, count) => sum + count, 0) / 3;
}

function check(
	robot: ConvertedRobot | undefined,
	expected: { readonly bodies: number; readonly moving: number },
): Record<string, number> {
	if (robot === undefined) throw new Error('there is no robot');
	const { bodies, joints } = robot.model;
	const moving = joints.filter(({ kind }) => kind !== 'fixed').length;
	if (bodies.length !== expected.bodies || moving !== expected.moving) {
		throw new Error(`${bodies.length} bodies and ${moving} joints that move, expected ${JSON.stringify(expected)}`);
	}
	const mass = bodies.reduce((sum, { inertia }) => sum + (inertia?.mass ?? 0), 0);
	if (!(mass > 30 && mass < 40)) throw new Error(`it weighs ${mass} kg`);
	return { bytes: robot.files.reduce((sum, { content }) => sum + content.length, 0) };
}
