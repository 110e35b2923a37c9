import {
	type ConvexDecomposition,
	type ConvexHull,
	convexHull,
	createTorus,
	decomposeConvex,
	meshTopology,
	type SimplifyResult,
	simplifyMesh,
	solidMass,
	type TriangleMesh,
} from '@manyworlds/mesh';
import type { BenchSuite, BenchTask, Contender, Prepared, Rate } from '../harness/task.ts';

const POINTS: Rate = { fact: 'points', unit: 'points/s' };
const TRIANGLES: Rate = { fact: 'triangles', unit: 'triangles/s' };
const COUNT = 100_000;

/** Convex hulls, convex decomposition and simplification. */
export const suite: BenchSuite = {
	name: 'mesh/shapes',
	prepare: async () => `${COUNT} points, a torus of 4,096 triangles and one of 32,768`,
	tasks: [
		hullTask('hullBall', 'the convex hull of 100,000 points in a ball', ballPoints(COUNT, false)),
		hullTask('hullSphere', 'the convex hull of 100,000 points on a sphere', ballPoints(COUNT, true)),
		decomposeTask(),
		simplifyTask(),
	],
};

function hullTask(name: string, title: string, points: Float64Array): BenchTask {
	const volume = (4 / 3) * Math.PI;
	return {
		kind: 'task',
		name,
		title,
		rates: [POINTS],
		contenders: [
			ours(() => ({
				run: () => convexHull(points),
				check: (result) => {
					const { mesh } = result as ConvexHull;
					const { isWatertight, isManifold, eulerCharacteristic } = meshTopology(mesh);
					if (!isWatertight || !isManifold || eulerCharacteristic !== 2) throw new Error('the hull is not a sphere');
					checkShare(solidMass(mesh).volume / volume, 0.97, 1, 'volume of the hull over that of the ball');
					checkOutside(mesh, points);
					return { points: points.length / 3, vertices: mesh.vertices.length / 3 };
				},
			})),
			{ name: 'three', prepare: () => threeHull(points, volume) },
		],
		outside: [],
	};
}

function decomposeTask(): BenchTask {
	const torus = createTorus(1, 0.3, { segments: 64, rings: 32 });
	return {
		kind: 'task',
		name: 'decomposeTorus',
		title: 'convex parts of a torus of 4,096 triangles, 5 % excess',
		rates: [TRIANGLES],
		contenders: [
			ours(() => ({
				run: () => decomposeConvex(torus),
				check: (result) => {
					const { parts, hullVolume, solidVolume } = result as ConvexDecomposition;
					checkShare(
						solidVolume / solidMass(torus).volume,
						1 - 1e-9,
						1 + 1e-9,
						'volume of the parts over that of the torus',
					);
					checkShare(hullVolume / solidVolume, 1, 1.06, 'volume of the hulls over that of the torus');
					if (parts.length > 32) throw new Error(`${parts.length} parts, expected 32 at most`);
					for (const part of parts) if (!meshTopology(part).isWatertight) throw new Error('a part is not closed');
					return { triangles: torus.indices.length / 3, parts: parts.length };
				},
			})),
		],
		outside: [],
	};
}

function simplifyTask(): BenchTask {
	const torus = createTorus(1, 0.3, { segments: 256, rings: 64 });
	return {
		kind: 'task',
		name: 'simplifyTorus',
		title: 'a torus of 32,768 triangles simplified to 3,276',
		rates: [TRIANGLES],
		contenders: [
			ours(() => ({
				run: () => simplifyMesh(torus, { targetTriangles: 3276 }),
				check: (result) => {
					const { mesh } = result as SimplifyResult;
					if (mesh.indices.length / 3 > 3276) throw new Error(`${mesh.indices.length / 3} triangles are left`);
					const { isWatertight, eulerCharacteristic } = meshTopology(mesh);
					if (!isWatertight || eulerCharacteristic !== 0) throw new Error('the result is not a torus');
					checkShare(solidMass(mesh).volume / solidMass(torus).volume, 0.99, 1.01, 'volume after over before');
					return { triangles: torus.indices.length / 3 };
				},
			})),
		],
		outside: [],
	};
}

function ours(prepare: () => Prepared): Contender {
	return { name: 'manyworlds', prepare };
}

/** three's hull of the same points; its faces are triangles. */
async function threeHull(points: Float64Array, volume: number): Promise<Prepared> {
	const { ConvexHull: Hull } = await import('three/addons/math/ConvexHull.js');
	const { Vector3 } = await import('three');
	const vectors: unknown[] = [];
	for (let i = 0; i < points.length; i += 3) vectors.push(new Vector3(points[i]!, points[i + 1]!, points[i + 2]!));
	return {
		run: () => new Hull().setFromPoints(vectors),
		check: (result) => {
			let sum = 0;
			for (const face of (result as InstanceType<typeof Hull>).faces) {
				const [a, b, c] = [face.edge, face.edge.next, face.edge.next.next].map((edge) => edge.head().point);
				sum +=
					a!.x * (b!.y * c!.z - b!.z * c!.y) + a!.y * (b!.z * c!.x - b!.x * c!.z) + a!.z * (b!.x * c!.y - b!.y * c!.x);
			}
			checkShare(sum / 6 / volume, 0.97, 1, 'volume of the hull over that of the ball');
			return { points: points.length / 3 };
		},
	};
}

/** Points of a fixed sequence in the unit ball, or on its surface. */
function ballPoints(count: number, isOnSurface: boolean): Float64Array {
	let state = 20_250;
	const random = (): number => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return ((state >>> 8) / 2 ** 24) * 2 - 1;
	};
	const out = new Float64Array(count * 3);
	for (let i = 0; i < count; ) {
		const [x, y, z] = [random(), random(), random()];
		const length = Math.hypot(x, y, z);
		if (length > 1 || length < 0.1) continue;
		const scale = isOnSurface ? 1 / length : 1;
		out.set([x * scale, y * scale, z * scale], 3 * i++);
	}
	return out;
}

/** Throws when a point lies outside of one of some facets by more than rounding. */
function checkOutside({ vertices, indices }: TriangleMesh, points: Float64Array): void {
	const step = Math.max(Math.floor(indices.length / 3 / 100), 1) * 3;
	for (let t = 0; t < indices.length; t += step) {
		const [a, b, c] = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3];
		const u = [0, 1, 2].map((k) => vertices[b + k]! - vertices[a + k]!) as [number, number, number];
		const v = [0, 1, 2].map((k) => vertices[c + k]! - vertices[a + k]!) as [number, number, number];
		const [nx, ny, nz] = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
		const bound = 1e-12 * Math.hypot(nx, ny, nz);
		for (let i = 0; i < points.length; i += 3) {
			const height =
				nx * (points[i]! - vertices[a]!) +
				ny * (points[i + 1]! - vertices[a + 1]!) +
				nz * (points[i + 2]! - vertices[a + 2]!);
			if (height > bound) throw new Error(`point ${i / 3} lies outside of the hull`);
		}
	}
}

function checkShare(found: number, least: number, most: number, what: string): void {
	if (!(found >= least && found <= most)) throw new Error(`${what} is ${found}, expected ${least} to ${most}`);
}
