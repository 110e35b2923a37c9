/** Contacts of pairs of shapes on bodies, as the pipeline writes them, against the closed forms of the shapes. */
import { createBox, type TriangleMesh } from '@manyworlds/mesh';
import { type Model, ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { ConvexShape } from '../src/collision/convex-shape.ts';
import { ShapeDistance } from '../src/collision/shape-distance.ts';
import { CollisionPipeline, type WorldContacts } from '../src/index.ts';
import {
	CLOUD,
	dot,
	expectInside,
	KINDS,
	type Kind,
	MANY,
	MORE,
	randomOf,
	randomTurn,
	type Solid,
	solid,
	unit,
	type Vector,
	X,
	Y,
	Z,
} from './solids.ts';

type Turn = readonly [number, number, number, number];

const full = (turn: Vector): Turn => [...turn, Math.sqrt(Math.max(0, 1 - dot(turn, turn)))];
const cross = (a: ArrayLike<number>, b: ArrayLike<number>): Vector => [
	a[1]! * b[2]! - a[2]! * b[1]!,
	a[2]! * b[0]! - a[0]! * b[2]!,
	a[0]! * b[1]! - a[1]! * b[0]!,
];

function rotate(q: ArrayLike<number>, v: ArrayLike<number>): Vector {
	const u = [q[0]!, q[1]!, q[2]!];
	const c = cross(u, v);
	const d = cross(u, c);
	return [0, 1, 2].map((k) => v[k]! + 2 * (q[3]! * c[k]! + d[k]!)) as unknown as Vector;
}

function product(a: Turn, b: Turn): Turn {
	const c = cross(a, b);
	return [
		a[3] * b[0] + b[3] * a[0] + c[0],
		a[3] * b[1] + b[3] * a[1] + c[1],
		a[3] * b[2] + b[3] * a[2] + c[2],
		a[3] * b[3] - dot([a[0], a[1], a[2]], [b[0], b[1], b[2]]),
	];
}

/** Adds a shape of a kind at a pose in the frame of a body. */
function add(builder: ModelBuilder, body: number, kind: Kind, p: Vector, turn: Vector, config: object): void {
	const shared = { xform: { p, q: full(turn) }, config };
	const mesh = (vertices: Float64Array): TriangleMesh => ({ vertices, indices: new Uint32Array(0) }) as TriangleMesh;
	if (kind === 'sphere') builder.addShapeSphere(body, { radius: X, ...shared });
	else if (kind === 'capsule') builder.addShapeCapsule(body, { radius: X, halfHeight: Y, ...shared });
	else if (kind === 'box') builder.addShapeBox(body, { halfExtents: [X, Y, Z], ...shared });
	else if (kind === 'cylinder') builder.addShapeCylinder(body, { radius: X, halfHeight: Y, ...shared });
	else if (kind === 'cone') builder.addShapeCone(body, { radius: X, halfHeight: Y, ...shared });
	else if (kind === 'ellipsoid') builder.addShapeEllipsoid(body, { radii: [X, Y, Z], ...shared });
	else
		builder.addShapeConvex(body, { mesh: mesh(kind === 'cloud' ? CLOUD : kind === 'many' ? MANY : MORE), ...shared });
}

/** World point of a contact on one of its shapes, without margins, and the offset by the margin. */
function pointOf(
	model: Model,
	bodyQ: Float64Array,
	contacts: WorldContacts,
	row: number,
	side: 0 | 1,
): [Float64Array, Vector] {
	const shape = (side === 0 ? contacts.rigidShape0 : contacts.rigidShape1)[row]!;
	const body = model.shapeBody[shape]!;
	const local = (side === 0 ? contacts.rigidPoint0 : contacts.rigidPoint1).subarray(3 * row, 3 * row + 3);
	const offset = (side === 0 ? contacts.rigidOffset0 : contacts.rigidOffset1).subarray(3 * row, 3 * row + 3);
	if (body < 0) return [local, [offset[0]!, offset[1]!, offset[2]!]];
	const q = bodyQ.subarray(7 * body + 3, 7 * body + 7);
	return [Float64Array.from(rotate(q, local), (x, k) => x + bodyQ[7 * body + k]!), rotate(q, offset)];
}

/** Shapes far from everything, so that those after them are none of the first. */
const DECOYS = 3;
function addDecoys(builder: ModelBuilder): void {
	const config = { margin: 0.02, gap: 0.05, density: 0 };
	const turned = { p: [0.3, 0.1, -0.2], q: [0.1, -0.3, 0.2, Math.sqrt(0.86)] };
	const first = builder.addBody({ xform: { p: [100, 3, 2], q: [0.5, 0.5, 0.5, 0.5] }, mass: 2, com: [0.1, 0.2, 0.3] });
	builder.addShapeCylinder(first, { radius: 0.7, halfHeight: 0.4, xform: turned, config });
	const second = builder.addBody({ xform: { p: [200, -7, 5], q: [0.1, 0.7, 0.1, 0.7] }, mass: 3 });
	builder.addShapeBox(second, { halfExtents: [0.9, 0.2, 0.6], xform: turned, config });
	builder.addShapeConvex(-1, {
		mesh: { vertices: CLOUD, indices: new Uint32Array(0) } as TriangleMesh,
		xform: { ...turned, p: [300, 1, 1] },
		config,
	});
}

const SOLID_KINDS = KINDS.filter((kind) => kind !== 'triangle');
const A = new ConvexShape();
const B = new ConvexShape();

describe('contacts of shapes on bodies', () => {
	it.each(SOLID_KINDS)('a %s and every other lie on the surfaces, with margins along the normal', (kindA) => {
		const exact = new ShapeDistance();
		let rows = 0;
		for (const kindB of SOLID_KINDS) {
			for (let i = 0; i < 3; i++) {
				const random = randomOf(211 * KINDS.indexOf(kindA) + 17 * KINDS.indexOf(kindB) + i);
				const builder = new ModelBuilder({ rigidGap: 0 });
				addDecoys(builder);
				const margins = [0.004, 0.007] as const;
				const gaps = [0.01, 0.02] as const;
				const solids: Solid[] = [];
				for (const [side, kind] of [kindA, kindB].entries()) {
					const n = unit([random(), random(), random()]);
					const away = side === 0 ? 0 : 0.45;
					const bodyP: Vector = [away * n[0] + 1, away * n[1] - 2, away * n[2] + 3];
					const bodyTurn = randomTurn(random);
					const [p, turn]: [Vector, Vector] = [[0.1 * random(), 0.1 * random(), 0.1 * random()], randomTurn(random)];
					const isStill = side === 1 && i === 2;
					const body = isStill ? -1 : builder.addBody({ xform: { p: bodyP, q: full(bodyTurn) }, mass: 1 });
					const config = { margin: margins[side], gap: gaps[side], density: 0 };
					const own = isStill ? bodyP : p;
					add(builder, body, kind, own, isStill ? bodyTurn : turn, config);
					const at = isStill ? bodyP : (rotate(full(bodyTurn), p).map((x, k) => x + bodyP[k]!) as unknown as Vector);
					const q = isStill ? full(bodyTurn) : product(full(bodyTurn), full(turn));
					const sign = q[3] < 0 ? -1 : 1;
					solids.push(solid(kind, at, [sign * q[0], sign * q[1], sign * q[2]]));
				}
				const model = builder.finalize();
				const pipeline = new CollisionPipeline(model);
				const contacts = pipeline.createContacts();
				const state = model.createState();
				pipeline.collide(state, contacts);
				exact.compute(solids[0]!.place(A), solids[1]!.place(B));
				const limit = 0.004 + 0.007 + 0.01 + 0.02;
				expect(contacts.rigidCount > 0).toBe(exact.distance <= limit);
				let least = Number.POSITIVE_INFINITY;
				for (let row = 0; row < contacts.rigidCount; row++) {
					rows++;
					const shapes = [contacts.rigidShape0[row]! - DECOYS, contacts.rigidShape1[row]! - DECOYS] as const;
					// the smaller kind comes first
					const [type0, type1] = shapes.map((shape) => model.shapeType[DECOYS + shape]!) as [number, number];
					expect(type0).toBeLessThanOrEqual(type1);
					const n: Vector = [0, 1, 2].map((k) => contacts.rigidNormal[3 * row + k]!) as unknown as Vector;
					expect(Math.hypot(...n)).toBeCloseTo(1, 9);
					const [p0, o0] = pointOf(model, state.bodyQ, contacts, row, 0);
					const [p1, o1] = pointOf(model, state.bodyQ, contacts, row, 1);
					expectInside(p0, solids[shapes[0]]!, 2e-3);
					expectInside(p1, solids[shapes[1]]!, 2e-3);
					const margin0 = margins[shapes[0] as 0 | 1];
					const margin1 = margins[shapes[1] as 0 | 1];
					expect([contacts.rigidMargin0[row], contacts.rigidMargin1[row]]).toEqual([margin0, margin1]);
					for (let k = 0; k < 3; k++) {
						expect(o0[k]).toBeCloseTo(margin0 * n[k]!, 12);
						expect(o1[k]).toBeCloseTo(-margin1 * n[k]!, 12);
					}
					const distance = dot([p1[0]! - p0[0]!, p1[1]! - p0[1]!, p1[2]! - p0[2]!], n);
					expect(distance).toBeLessThanOrEqual(limit + 1e-12);
					least = Math.min(least, distance);
				}
				if (contacts.rigidCount > 0) expect(Math.abs(least - exact.distance)).toBeLessThan(2e-3);
			}
		}
		expect(rows).toBeGreaterThan(10);
	});
});

describe('surfaces', () => {
	/** Deepest contact of shapes from a number on, and the normal up. */
	function deepest(builder: ModelBuilder, from = 0): { count: number; depth: number; normal: number[] } {
		const model = builder.finalize();
		const pipeline = new CollisionPipeline(model);
		const contacts = pipeline.createContacts({ perWorld: 256 });
		const state = model.createState();
		pipeline.collide(state, contacts);
		let [depth, normal]: [number, number[]] = [Number.POSITIVE_INFINITY, []];
		let count = 0;
		for (let row = 0; row < contacts.rigidCount; row++) {
			if (Math.min(contacts.rigidShape0[row]!, contacts.rigidShape1[row]!) < from) continue;
			count++;
			const n = [0, 1, 2].map((k) => contacts.rigidNormal[3 * row + k]!);
			const [p0] = pointOf(model, state.bodyQ, contacts, row, 0);
			const [p1] = pointOf(model, state.bodyQ, contacts, row, 1);
			const distance = n.reduce((sum, x, k) => sum + x * (p1[k]! - p0[k]!), 0);
			if (distance < depth) [depth, normal] = [distance, n];
		}
		return { count, depth, normal };
	}

	/** A floor as a mesh of cells that is not its own hull: a bump far away. */
	function floorMesh(): TriangleMesh {
		const vertices: number[] = [];
		const indices: number[] = [];
		for (let row = 0; row <= 8; row++) {
			for (let column = 0; column <= 8; column++) vertices.push(column - 4, row - 4, row === 8 && column === 8 ? 1 : 0);
		}
		for (let row = 0; row < 8; row++) {
			for (let column = 0; column < 8; column++) {
				const a = 9 * row + column;
				indices.push(a, a + 1, a + 10, a, a + 10, a + 9);
			}
		}
		return { vertices: Float64Array.from(vertices), indices: Uint32Array.from(indices) } as TriangleMesh;
	}

	type Pose = { readonly p: Vector; readonly q: Turn };
	/** Floors at a pose of their top. */
	const FLOORS: Readonly<Record<string, (builder: ModelBuilder, pose: Pose) => void>> = {
		mesh: (builder, xform) => builder.addShapeMesh(-1, { mesh: floorMesh(), xform }),
		'mesh with triangles of no size': (builder, xform) => {
			const mesh = floorMesh();
			const more: number[] = [];
			for (let i = 0; i < mesh.indices.length; i += 3) {
				const [a, b] = [mesh.indices[i]!, mesh.indices[i + 1]!];
				more.push(a, a, b, a, b, b, a, a, a);
			}
			builder.addShapeMesh(-1, { mesh: { ...mesh, indices: Uint32Array.from([...more, ...mesh.indices]) }, xform });
		},
		heightfield: (builder, xform) => {
			const data = Float64Array.from({ length: 81 }, (_, i) => (i === 80 ? 1 : 0));
			const heightfield = { rows: 9, columns: 9, data, hx: 4, hy: 4, minZ: 0, maxZ: 1 };
			builder.addShapeHeightfield({ heightfield, xform });
		},
		plane: (builder, xform) => builder.addShapePlane({ width: 0, length: 0, xform }),
		'plane with an end': (builder, xform) => builder.addShapePlane({ width: 6, length: 6, xform }),
		box: (builder, pose) => builder.addShapeBox(-1, { halfExtents: [4, 4, 1], xform: sunk(pose) }),
		cube: (builder, pose) => builder.addShapeMesh(-1, { mesh: createBox(4, 4, 1), xform: sunk(pose) }),
	};
	/** One lower. */
	const sunk = ({ p, q }: Pose): Pose => {
		const down = rotate(q, [0, 0, -1]);
		return { p: [p[0] + down[0], p[1] + down[1], p[2] + down[2]], q };
	};

	it.each(Object.keys(FLOORS))('a %s carries every shape at its lowest point', (floor) => {
		for (const kind of SOLID_KINDS) {
			for (let i = 0; i < 4; i++) {
				const random = randomOf(53 * KINDS.indexOf(kind) + i);
				const turn = randomTurn(random);
				const place: Vector = [1.5 * random(), 1.5 * random(), 0];
				const flat = solid(kind, [0, 0, 0], turn);
				// by how much it is lower than the floor
				const depth = [0.01, 0.003, -0.002, -0.02][i]!;
				const builder = new ModelBuilder({ rigidGap: 0, defaultShapeConfig: { gap: 0.005, density: 0 } });
				addDecoys(builder);
				// every other floor stands askew
				const pose: Pose = { p: [0.4, -0.3, 0.2], q: i % 2 === 0 ? [0, 0, 0, 1] : full([0.2, -0.1, 0.3]) };
				FLOORS[floor]!(builder, pose);
				const high = rotate(pose.q, [place[0], place[1], flat.reach([0, 0, -1]) - depth]);
				const p = high.map((x, k) => x + pose.p[k]!);
				const body = builder.addBody({ xform: { p, q: product(pose.q, full(turn)) }, mass: 1 });
				add(builder, body, kind, [0, 0, 0], [0, 0, 0], { gap: 0.005, density: 0 });
				const found = deepest(builder, DECOYS);
				const up = rotate(pose.q, [0, 0, 1]);
				if (depth < -0.01) {
					expect([floor, kind, found.count]).toEqual([floor, kind, 0]);
					continue;
				}
				expect(found.count).toBeGreaterThan(0);
				expect(Math.abs(found.depth + depth)).toBeLessThan(2e-4);
				expect(Math.abs(found.normal.reduce((sum, x, k) => sum + x * up[k]!, 0))).toBeGreaterThan(0.999);
			}
		}
	});

	it('of meshes touch at edges and corners of others', () => {
		for (const turn of [
			[0, 0, 0],
			[Math.sin(Math.PI / 8), 0, 0],
			[0.3, -0.2, 0.1],
		] as const) {
			const builder = new ModelBuilder({ rigidGap: 0, defaultShapeConfig: { gap: 0.002, density: 0 } });
			builder.addShapeMesh(-1, { mesh: floorMesh() });
			const cube = createBox(0.2, 0.3, 0.25);
			// a cube without a lid is not its hull
			const open = { ...cube, indices: cube.indices.slice(0, cube.indices.length - 6) };
			let low = Number.POSITIVE_INFINITY;
			for (let v = 0; v < cube.vertices.length; v += 3) {
				low = Math.min(low, rotate(full(turn), cube.vertices.subarray(v, v + 3))[2]);
			}
			const body = builder.addBody({ xform: { p: [0.33, 0.21, -low - 0.004], q: full(turn) }, mass: 1 });
			builder.addShapeMesh(body, { mesh: open });
			const found = deepest(builder);
			expect(found.count).toBeGreaterThan(0);
			expect(Math.abs(found.depth + 0.004)).toBeLessThan(5e-4);
			expect(Math.abs(found.normal[2]!)).toBeGreaterThan(0.999);
		}
	});
});
