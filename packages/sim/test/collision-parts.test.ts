import { createBox, type TriangleMesh } from '@manyworlds/mesh';
import { GeoType } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { CollisionGeometry, type HeightGeometry } from '../src/collision/collision-geometry.ts';
import { hullOfMesh, isHull } from '../src/collision/hull-geometry.ts';
import { HeightCones, MeshCones } from '../src/collision/normal-cones.ts';
import { ShapeFrames } from '../src/collision/shape-frames.ts';
import { CollisionPipeline } from '../src/index.ts';
import { addBall, addBox, boxInertia, makeBuilder } from './make-scene.ts';

/** Numbers between -1 and 1 from a seed. */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 31 - 1;
	};
}

const MATERIAL = { ke: 1e4, tau: 0, mu: 0.5 };

/** A heightfield, and the same surface as a mesh whose triangles have corners of their own. */
function terrain(seed: number): { field: HeightGeometry; mesh: TriangleMesh } {
	const random = randomOf(seed);
	const [rows, columns, hx, hy] = [4, 5, 2.6, 1.2];
	const heights = Float64Array.from({ length: rows * columns }, () => 0.5 * random());
	const vertices: number[] = [];
	const put = (column: number, row: number): void => {
		vertices.push(
			(2 * hx * column) / (columns - 1) - hx,
			(2 * hy * row) / (rows - 1) - hy,
			heights[row * columns + column]!,
		);
	};
	for (let row = 0; row + 1 < rows; row++) {
		for (let column = 0; column + 1 < columns; column++) {
			put(column, row);
			put(column + 1, row);
			put(column + 1, row + 1);
			put(column, row);
			put(column + 1, row + 1);
			put(column, row + 1);
		}
	}
	const field = { rows, columns, hx, hy, heights, lowest: Math.min(...heights), highest: Math.max(...heights) };
	const indices = Uint32Array.from({ length: vertices.length / 3 }, (_, i) => i);
	return { field, mesh: { vertices: Float64Array.from(vertices), indices } as TriangleMesh };
}

describe('normals of corners and edges', () => {
	it('are those of planes that all that adjoins lies behind, in heightfields and in meshes', () => {
		const random = randomOf(7);
		let held = 0;
		for (let seed = 1; seed <= 6; seed++) {
			const { field, mesh } = terrain(seed);
			const cones = [new HeightCones(field), new MeshCones(mesh)] as const;
			const triangles = mesh.indices.length / 3;
			const at = (i: number): number[] => [...mesh.vertices.subarray(3 * i, 3 * i + 3)];
			const same = (a: number[], b: number[]): boolean => a.every((x, k) => Math.abs(x - b[k]!) < 1e-12);
			for (let t = 0; t < triangles; t++) {
				const n = [0.5 * random(), 0.5 * random(), 1];
				const length = Math.hypot(...n);
				for (const cone of cones) [cone.nx, cone.ny, cone.nz] = n.map((x) => x / length) as [number, number, number];
				const isBehind = (p: number[], from: number[]): boolean => {
					const d = p.map((x, k) => x - from[k]!);
					return d.reduce((sum, x, k) => sum + (x * n[k]!) / length, 0) <= 0.01 * Math.hypot(...d);
				};
				for (let corner = 0; corner < 3; corner++) {
					const here = at(3 * t + corner);
					const next = at(3 * t + ((corner + 1) % 3));
					// every corner of a triangle that has this corner, and the third corner of the other triangle at this edge
					let atCorner = true;
					let atEdge = true;
					for (let other = 0; other < triangles; other++) {
						const own = [0, 1, 2].map((k) => at(3 * other + k));
						if (!own.some((p) => same(p, here))) continue;
						for (const p of own) if (!same(p, here) && !isBehind(p, here)) atCorner = false;
						if (other === t || !own.some((p) => same(p, next))) continue;
						for (const p of own) if (!same(p, here) && !same(p, next) && !isBehind(p, here)) atEdge = false;
					}
					for (const cone of cones) {
						expect([t, corner, cone.holdsAtCorner(t, corner)]).toEqual([t, corner, atCorner]);
						expect([t, corner, cone.holdsAtEdge(t, corner)]).toEqual([t, corner, atEdge]);
					}
					held += (atCorner ? 1 : 0) + (atEdge ? 1 : 0);
				}
			}
		}
		expect(held).toBeGreaterThan(100);
	});
});

describe('corners of a mesh at the same place', () => {
	it('are one, also where they lie straight above others', () => {
		const cube = createBox(0.2, 0.3, 0.4);
		const own = { vertices: new Float64Array(3 * cube.indices.length), indices: cube.indices.map((_, i) => i) };
		for (const [i, vertex] of cube.indices.entries())
			own.vertices.set(cube.vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
		const corners = new MeshCones({ ...cube, ...own });
		const random = randomOf(13);
		let held = 0;
		for (let i = 0; i < 40; i++) {
			const n = [random(), random(), random()];
			[corners.nx, corners.ny, corners.nz] = n.map((x) => x / Math.hypot(...n)) as [number, number, number];
			for (let t = 0; t < cube.indices.length / 3; t++) {
				for (let corner = 0; corner < 3; corner++) {
					// of a box, a corner has the normals that point to its own side along every axis
					const at = own.vertices.subarray(9 * t + 3 * corner, 9 * t + 3 * corner + 3);
					const isOutward = n.every((x, k) => x * at[k]! > 0);
					const isClear = n.every((x) => Math.abs(x) > 0.02 * Math.hypot(...n));
					if (isClear) expect([i, t, corner, corners.holdsAtCorner(t, corner)]).toEqual([i, t, corner, isOutward]);
					if (isOutward) held++;
					// an edge has those that its other triangle lies behind
					const to = own.vertices.subarray(9 * t + 3 * ((corner + 1) % 3), 9 * t + 3 * ((corner + 1) % 3) + 3);
					const shared = [at, to].map(String);
					const across = Array.from({ length: cube.indices.length / 3 }, (_, other) =>
						[0, 3, 6].map((k) => [...own.vertices.subarray(9 * other + k, 9 * other + k + 3)]),
					).filter((points, other) => other !== t && shared.every((p) => points.map(String).includes(p)));
					const third = across[0]!.find((p) => !shared.includes(String(p)))!;
					// seams of flat triangles are no edges
					const flat = 0.01 * Math.hypot(...n) * Math.hypot(...third.map((x, k) => x - at[k]!));
					const rise = n.reduce((sum, x, k) => sum + x * (third[k]! - at[k]!), 0);
					if (isClear) expect([i, t, corner, corners.holdsAtEdge(t, corner)]).toEqual([i, t, corner, rise <= flat]);
				}
			}
		}
		expect(held).toBeGreaterThan(50);
	});
});

describe('geometry of a model', () => {
	it('has triangles of those meshes alone that are not their own hull, and a hull of all', () => {
		const cube = createBox(0.2, 0.3, 0.4);
		const open = { ...cube, indices: cube.indices.slice(6) };
		const builder = makeBuilder();
		builder.addShapeMesh(-1, { mesh: cube });
		builder.addShapeMesh(-1, { mesh: open });
		builder.addShapeConvex(-1, { mesh: open });
		const { hulls, meshes } = new CollisionGeometry(builder.finalize());
		expect(meshes.map((mesh) => mesh !== undefined)).toEqual([false, true, false]);
		expect(hulls.map((hull) => hull !== undefined)).toEqual([true, true, true]);
	});
});

describe('a mesh', () => {
	const cube = createBox(0.2, 0.3, 0.4);
	const withIndices = (indices: readonly number[]): TriangleMesh => ({ ...cube, indices: Uint32Array.from(indices) });
	const hull = hullOfMesh(cube, 1, 1, 1);
	const all = [...cube.indices];

	it('is its hull when its triangles are all of the surface, with their fronts outside', () => {
		expect(isHull(cube, hull)).toBe(true);
		expect(isHull(withIndices(all.slice(3)), hull)).toBe(false);
		expect(isHull(withIndices(all.slice(0, -3)), hull)).toBe(false);
		expect(isHull(withIndices([...all].reverse()), hull)).toBe(false);
		// a sheet with two fronts has no inside
		const sheet = { ...cube, vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0) };
		const both = { ...sheet, indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 2, 1, 0, 3, 2, 0) };
		expect(isHull(both, hullOfMesh(both, 1, 1, 1))).toBe(false);
		const point = { ...sheet, vertices: new Float64Array(9), indices: Uint32Array.of(0, 1, 2) };
		expect(isHull(point, hullOfMesh(point, 1, 1, 1))).toBe(false);
		// a point of no size changes nothing
		expect(isHull(withIndices([...all, 0, 0, 0]), hull)).toBe(true);
		// a triangle far inside
		const vertices = Float64Array.from([...cube.vertices, 0, 0, 0, 0.1, 0, 0, 0, 0.1, 0]);
		const count = cube.vertices.length / 3;
		const more = { ...cube, vertices, indices: Uint32Array.from([...all, count, count + 1, count + 2]) };
		expect(isHull(more, hull)).toBe(false);
	});

	it.each([1e-3, 1, 1e3])(
		'of a size of %d is its hull when no corner of that is a millionth of it before a triangle',
		(size) => {
			const isFlat = (dent: number): boolean => {
				// the middle of the top is lower than its corners, by a part of the diagonal
				const deep = dent * size * Math.hypot(0.4, 0.6, 0.8);
				const vertices = Float64Array.from([...cube.vertices.map((x) => size * x), 0, 0, 0.4 * size - deep]);
				const middle = cube.vertices.length / 3;
				const indices: number[] = [];
				for (let t = 0; t < all.length; t += 3) {
					const [a, b, c] = all.slice(t, t + 3) as [number, number, number];
					if (![a, b, c].every((i) => cube.vertices[3 * i + 2]! > 0)) indices.push(a, b, c);
				}
				const corner = (x: number, y: number): number => {
					for (let i = 0; i < middle; i++) {
						const [px, py, pz] = cube.vertices.subarray(3 * i, 3 * i + 3);
						if (px! * x > 0 && py! * y > 0 && pz! > 0) return i;
					}
					throw new Error('no such corner');
				};
				const around = [corner(1, 1), corner(-1, 1), corner(-1, -1), corner(1, -1)];
				for (let k = 0; k < 4; k++) indices.push(around[k]!, around[(k + 1) % 4]!, middle);
				const mesh = { ...cube, vertices, indices: Uint32Array.from(indices) };
				return isHull(mesh, hullOfMesh(mesh, 1, 1, 1));
			};
			expect(isFlat(0)).toBe(true);
			expect(isFlat(1e-8)).toBe(true);
			expect(isFlat(2e-6)).toBe(false);
			expect(isFlat(1e-3)).toBe(false);
		},
	);

	it('that is mirrored by its scale has its fronts outside, and a heightfield is scaled along its axes', () => {
		// a cube with a dent is not its hull
		const vertices = Float64Array.from([...cube.vertices, 0, 0, 0]);
		const top: number[] = [];
		const rest: number[] = [];
		for (let t = 0; t < all.length; t += 3) {
			const own = all.slice(t, t + 3);
			(own.every((i) => cube.vertices[3 * i + 2]! > 0) ? top : rest).push(...own);
		}
		const middle = cube.vertices.length / 3;
		for (let t = 0; t < top.length; t += 3) {
			const [a, b, c] = top.slice(t, t + 3) as [number, number, number];
			rest.push(a, b, middle, b, c, middle, c, a, middle);
		}
		const dented = { ...cube, vertices, indices: Uint32Array.from(rest) };
		const builder = makeBuilder();
		for (const scale of [
			[1, 1, 1],
			[-1, 1, 1],
			[-1, -2, 1],
			[1, 1, -3],
		]) {
			builder.addShapeMesh(-1, { mesh: dented, scale });
		}
		const data = Float64Array.from({ length: 12 }, (_, i) => i / 11);
		builder.addShapeHeightfield({
			heightfield: { rows: 4, columns: 3, data, hx: 1, hy: 2, minZ: -1, maxZ: 3 },
			scale: [2, 3, 0.5],
		});
		const geometry = new CollisionGeometry(builder.finalize());
		const volume = (mesh: TriangleMesh): number => {
			let sum = 0;
			for (let t = 0; t < mesh.indices.length; t += 3) {
				const [a, b, c] = [0, 1, 2].map((k) =>
					mesh.vertices.subarray(3 * mesh.indices[t + k]!, 3 * mesh.indices[t + k]! + 3),
				);
				sum +=
					(a![0]! * (b![1]! * c![2]! - b![2]! * c![1]!) +
						a![1]! * (b![2]! * c![0]! - b![0]! * c![2]!) +
						a![2]! * (b![0]! * c![1]! - b![1]! * c![0]!)) /
					6;
			}
			return sum;
		};
		const first = volume(geometry.meshes[0]!.mesh);
		expect(first).toBeGreaterThan(0);
		expect([1, 2, 3].map((i) => volume(geometry.meshes[i]!.mesh) / first)).toEqual(
			[1, 2, 3].map((x) => expect.closeTo(x, 9)),
		);
		const field = geometry.heights[4]!;
		expect([field.rows, field.columns, field.hx, field.hy]).toEqual([4, 3, 2, 6]);
		expect([field.lowest, field.highest]).toEqual([-0.5, 1.5]);
		expect(field.heights[5]).toBeCloseTo(0.5 * (-1 + (4 * 5) / 11), 12);
	});
});

describe('frames of shapes', () => {
	it('have boxes that hold them for as far as they may go', () => {
		const random = randomOf(3);
		const builder = makeBuilder();
		const com = [0.1, -0.2, 0.3];
		const body = builder.addBody({ mass: 1, com, inertia: boxInertia(1, 1, 1, 1), lockInertia: true });
		const half = [0.2, 0.3, 0.4];
		const local = { p: [0.5, 0.1, -0.2], q: [0.1, 0.2, 0.3, Math.sqrt(0.86)] };
		builder.addShapeBox(body, { halfExtents: half, xform: local, config: { margin: 0.01, gap: 0.02 } });
		builder.addShapeBox(-1, { halfExtents: half, xform: local });
		const model = builder.finalize({ keepInertia: true });
		const frames = new ShapeFrames(model, 1);
		const pose = (): { q: Float64Array; qd: Float64Array } => {
			const q = Float64Array.from([random(), random(), random(), random(), random(), random(), random()]);
			const length = Math.hypot(...q.subarray(3));
			return {
				q: q.map((x, i) => (i < 3 ? x : x / length)),
				qd: Float64Array.from({ length: 6 }, () => 0.2 * random()),
			};
		};
		for (let i = 0; i < 20; i++) {
			const { q, qd } = pose();
			frames.horizon = i % 2 === 0 ? 0 : 0.1;
			frames.begin(q, qd);
			frames.placeRun(0, 2);
			const origin = [...frames.pose.subarray(0, 3)];
			// extents along each axis of the world, by the corners
			const axes = [0, 1, 2].map((axis) => frames.rotation.subarray(3 * axis, 3 * axis + 3));
			const speed = Math.hypot(...qd.subarray(0, 3));
			// no corner is farther from the centre of mass than the origin of the shape and its half diagonal
			const arm = Math.hypot(...local.p.map((x, k) => x - com[k]!)) + Math.hypot(...half);
			const spin = Math.hypot(...qd.subarray(3)) * arm;
			const grow = 0.03 + (frames.horizon > 0 ? 0.1 * (speed + spin) : 0);
			for (let k = 0; k < 3; k++) {
				const reach = axes.reduce((sum, axis, j) => sum + half[j]! * Math.abs(axis[k]!), 0) + grow;
				expect(frames.box[k]).toBeCloseTo(origin[k]! - reach, 9);
				expect(frames.box[3 + k]).toBeCloseTo(origin[k]! + reach, 9);
			}
		}
	});

	it('have boxes around the middle of what stands beside its origin', () => {
		const random = randomOf(9);
		const vertices = Float64Array.from({ length: 30 }, (_, i) => [2, -1, 0.5][i % 3]! + 0.3 * random());
		const builder = makeBuilder();
		const q = [0.1, 0.2, 0.3, Math.sqrt(0.86)];
		const mesh = { vertices, indices: Uint32Array.from({ length: 9 }, (_, i) => i) };
		builder.addShapeConvex(-1, { mesh, xform: { p: [0.5, 0.1, -0.2], q } });
		const model = builder.finalize();
		const frames = new ShapeFrames(model, 0);
		frames.begin(new Float64Array(0), new Float64Array(0));
		frames.placeRun(0, 1);
		// the box of the corners in the frame of the shape, turned, and boxed again
		for (let k = 0; k < 3; k++) {
			let [low, high] = [[0.5, 0.1, -0.2][k]!, [0.5, 0.1, -0.2][k]!];
			let farthest = 0;
			for (let axis = 0; axis < 3; axis++) {
				const own = Array.from({ length: 10 }, (_, i) => vertices[3 * i + axis]!);
				const along = frames.rotation[3 * axis + k]!;
				const ends = [Math.min(...own) * along, Math.max(...own) * along];
				low += Math.min(...ends);
				high += Math.max(...ends);
				farthest += Math.max(...own.map(Math.abs)) ** 2;
			}
			expect(frames.box[k]).toBeCloseTo(low, 9);
			expect(frames.box[3 + k]).toBeCloseTo(high, 9);
			expect(frames.reach[0]).toBeCloseTo(Math.sqrt(farthest), 9);
		}
	});

	it('are where their bodies are, in whatever order they are placed', () => {
		const builder = makeBuilder();
		const half = { halfExtents: [0.1, 0.1, 0.1] };
		builder.addShapeBox(-1, { ...half, xform: { p: [1, 2, 3] } });
		builder.addShapeBox(builder.addBody({ mass: 1 }), { ...half, xform: { p: [4, 5, 6] } });
		builder.addShapeBox(-1, { ...half, xform: { p: [7, 8, 9] } });
		const frames = new ShapeFrames(builder.finalize({ keepInertia: true }), 0);
		frames.begin(Float64Array.of(10, 20, 30, 0, 0, 0, 1), new Float64Array(6));
		for (const shape of [2, 1, 0]) frames.place(shape);
		expect([0, 7, 14].map((at) => [...frames.pose.subarray(at, at + 3)])).toEqual([
			[1, 2, 3],
			[14, 25, 36],
			[7, 8, 9],
		]);
	});

	it('of planes have no end, unless they have a size', () => {
		const builder = makeBuilder();
		builder.addShapePlane({ width: 0, length: 0 });
		builder.addShapePlane({ width: 2, length: 4 });
		builder.addShapePlane({ width: 2, length: 0 });
		builder.addShapePlane({ width: 0, length: 2 });
		const model = builder.finalize();
		expect(model.shapeType[1]).toBe(GeoType.PLANE);
		const frames = new ShapeFrames(model, 0);
		frames.begin(new Float64Array(0), new Float64Array(0));
		frames.placeRun(0, 4);
		const { NEGATIVE_INFINITY: low, POSITIVE_INFINITY: high } = Number;
		expect([...frames.box.subarray(12)]).toEqual([low, low, low, high, high, high, low, low, low, high, high, high]);
		expect([...frames.reach]).toEqual([high, Math.hypot(1, 2), high, high]);
		// each has its own numbers, in whatever order they are placed
		const whole = [...frames.box];
		frames.box.fill(5);
		frames.begin(new Float64Array(0), new Float64Array(0));
		for (const shape of [3, 2, 1, 0]) frames.place(shape);
		expect([...frames.box]).toEqual(whole);
		expect([...frames.box.subarray(0, 6)]).toEqual([low, low, low, high, high, high]);
		expect([...frames.box.subarray(6, 12)].map((x) => Math.abs(x))).toEqual([1, 2, 0, 1, 2, 0]);
	});
});

describe('a pipeline', () => {
	const worlds = (count: number): CollisionPipeline => {
		const one = makeBuilder();
		addBall(one, 0.1, 1, [0, 0, 0.15], MATERIAL);
		const all = makeBuilder();
		all.replicate(one, { count });
		all.addShapePlane({ width: 0, length: 0 });
		return new CollisionPipeline(all.finalize({ keepInertia: true }));
	};

	it('looks at a run of worlds that exist', () => {
		const pipeline = worlds(3);
		const contacts = pipeline.createContacts();
		const state = pipeline.model.createState();
		for (let w = 0; w < 3; w++) state.bodyQ[7 * w + 2] = 0.05;
		const found = (start: number, end: number, mask?: number[]): number[] => {
			pipeline.collide(state, contacts, { range: { start, end }, ...(mask === undefined ? {} : { mask }) });
			return [...contacts.worldFound];
		};
		expect(found(0, 3)).toEqual([1, 1, 1]);
		expect(found(1, 3)).toEqual([0, 1, 1]);
		expect(found(1, 1)).toEqual([0, 0, 0]);
		expect(found(0, 3, [1, 0, 1])).toEqual([1, 0, 1]);
		for (const [start, end] of [
			[-1, 2],
			[2, 1],
			[0, 4],
			[Number.NaN, 2],
		] as const) {
			expect(() => found(start, end)).toThrow(RangeError);
		}
		expect(() => pipeline.collide(state, worlds(2).createContacts())).toThrow(RangeError);
		expect([...pipeline.overlappingPairs(1)]).toEqual([1, 3]);
	});

	it('looks ahead as far as approach and sliding may bring shapes, each world by its own step', () => {
		// a gap of 0.05 m
		const pipeline = worlds(2);
		const contacts = pipeline.createContacts();
		const state = pipeline.model.createState();
		const found = (down: number, along: number, options: object): number[] => {
			for (let w = 0; w < 2; w++) {
				state.bodyQ[7 * w + 2] = 0.15;
				state.bodyQd.set([along, 0, -down], 6 * w);
			}
			pipeline.collide(state, contacts, options);
			return [...contacts.worldFound];
		};
		expect(found(6, 0, {})).toEqual([0, 0]);
		expect(found(6, 0, { dt: 0.01 })).toEqual([1, 1]);
		expect(found(4, 0, { dt: 0.01 })).toEqual([0, 0]);
		expect(found(-6, 0, { dt: 0.01 })).toEqual([0, 0]);
		expect(found(4, 0, { dt: Float64Array.of(0.01, 0.02) })).toEqual([0, 1]);
		expect(found(4, 0, { dt: Float64Array.of(0.02, 0.01) })).toEqual([1, 0]);
		// 2 · (0.01 + 0.02) s of sliding
		expect(found(0, 0.9, { dt: 0.01, friction: 2, relaxation: 0.02 })).toEqual([1, 1]);
		expect(found(0, 0.8, { dt: 0.01, friction: 2, relaxation: 0.02 })).toEqual([0, 0]);
		expect(found(0, 0.9, { dt: 0.01, friction: 2 })).toEqual([0, 0]);
		expect(found(0, 0.9, { friction: 2, relaxation: 0.02 })).toEqual([0, 0]);
		// both together: 0.01 · 2 + 0.06 · 0.6
		expect(found(2, 0.6, { dt: 0.01, friction: 2, relaxation: 0.02 })).toEqual([1, 1]);
		expect([...contacts.worldSpeculative]).toEqual([1, 1]);
		expect([...contacts.isAhead.subarray(0, 2)]).toEqual([1, 1]);
		// no farther than the most that a gap grows by
		const short = new CollisionPipeline(pipeline.model, { maxSpeculativeGap: 0.04 });
		short.collide(state, contacts, { dt: 1 });
		expect(contacts.rigidCount).toBe(0);
	});

	it('looks ahead for what belongs to no world by the longest step of those that are asked for', () => {
		const one = makeBuilder();
		addBall(one, 0.1, 1, [0, 0, 0], MATERIAL);
		const all = makeBuilder();
		all.replicate(one, { count: 3 });
		const flying = addBall(all, 0.1, 1, [0, 0, 0.25], MATERIAL);
		const pipeline = new CollisionPipeline(all.finalize({ keepInertia: true }));
		const contacts = pipeline.createContacts();
		const state = pipeline.model.createState();
		state.bodyQd[6 * flying + 2] = -4;
		const found = (dt: number | Float64Array | undefined, range?: { start: number; end: number }): number[] => {
			pipeline.collide(state, contacts, {
				...(dt === undefined ? {} : { dt }),
				...(range === undefined ? {} : { range }),
			});
			return [...contacts.worldFound];
		};
		expect(found(undefined)).toEqual([0, 0, 0]);
		expect(found(0.01)).toEqual([0, 0, 0]);
		expect(found(0.02)).toEqual([1, 1, 1]);
		expect(found(Float64Array.of(0.02, 0.01, 0.03))).toEqual([1, 0, 1]);
		expect(found(Float64Array.of(0.01, 0.01, 0.02))).toEqual([0, 0, 1]);
		expect(found(Float64Array.of(0.02, 0.01, 0.01), { start: 0, end: 2 })).toEqual([1, 0, 0]);
		expect(found(Float64Array.of(0.01, 0.02, 0.01), { start: 1, end: 2 })).toEqual([0, 1, 0]);
	});

	it('writes rows anew: nothing of the margins of the last contact is left in them', () => {
		const builder = makeBuilder();
		for (const margin of [0.01, 0]) {
			const body = builder.addBody({ mass: 1, inertia: boxInertia(1, 1, 1, 1), lockInertia: true });
			builder.addShapeSphere(body, { radius: 0.1, config: { margin, density: 0 } });
		}
		const normal = [0.36, 0.48, 0.8] as const;
		builder.addShapePlane({ plane: [...normal, 0], width: 0, length: 0, config: { margin: 0.02 } });
		const pipeline = new CollisionPipeline(builder.finalize({ keepInertia: true }));
		const contacts = pipeline.createContacts();
		const state = pipeline.model.createState();
		const offsets = (touching: number): number[][] => {
			for (let body = 0; body < 2; body++) state.bodyQ[7 * body + 2] = body === touching ? 0.05 : 9;
			pipeline.collide(state, contacts);
			expect(contacts.rigidCount).toBe(1);
			return [[...contacts.rigidOffset0.subarray(0, 3)], [...contacts.rigidOffset1.subarray(0, 3)]];
		};
		const along = (length: number): unknown[] => normal.map((x) => expect.closeTo(length * x, 12));
		expect(offsets(0)).toEqual([along(0.02), along(-0.01)]);
		expect(offsets(1)).toEqual([along(0.02), [0, 0, 0]]);
		expect(offsets(0)).toEqual([along(0.02), along(-0.01)]);
	});

	it('has no contacts with a mesh without corners', () => {
		const builder = makeBuilder();
		addBall(builder, 0.1, 1, [0, 0, 0], MATERIAL);
		const nothing = { vertices: new Float64Array(0), indices: new Uint32Array(0) } as TriangleMesh;
		builder.addShapeMesh(-1, { mesh: nothing });
		builder.addShapeConvex(-1, { mesh: nothing });
		const pipeline = new CollisionPipeline(builder.finalize({ keepInertia: true }));
		const contacts = pipeline.createContacts();
		pipeline.collide(pipeline.model.createState(), contacts);
		expect(contacts.rigidCount).toBe(0);
	});

	it('has room for a number of contacts in each world, and counts the rest', () => {
		const builder = makeBuilder();
		addBox(builder, [0.1, 0.1, 0.1], 1, [0, 0, 0.09], MATERIAL);
		builder.addShapePlane({ width: 0, length: 0 });
		const pipeline = new CollisionPipeline(builder.finalize({ keepInertia: true }));
		const state = pipeline.model.createState();
		const few = pipeline.createContacts({ perWorld: 3, withForce: false });
		pipeline.collide(state, few);
		expect([few.rigidCount, few.worldFound[0], few.droppedOf(0), few.hasOverflow]).toEqual([3, 4, 1, true]);
		expect(few.rigidForce).toBeUndefined();
		expect([...few.worldStart]).toEqual([0, 3]);
		const enough = pipeline.createContacts({ perWorld: 4 });
		pipeline.collide(state, enough);
		expect([enough.rigidCount, enough.droppedOf(0), enough.hasOverflow]).toEqual([4, 0, false]);
		enough.clear();
		expect([enough.rigidCount, enough.worldFound[0], ...enough.worldStart]).toEqual([0, 0, 0, 0]);
		expect(pipeline.createContacts().perWorld).toBe(64);
		for (const perWorld of [-1, 1.5]) expect(() => pipeline.createContacts({ perWorld })).toThrow(RangeError);
		expect(pipeline.createContacts({ perWorld: 0 }).perWorld).toBe(0);
	});
});
