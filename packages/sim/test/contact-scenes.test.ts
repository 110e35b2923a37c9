import { ModelBuilder as Builder, type ModelBuilder } from '@manyworlds/model';
import { WorldFault } from '@manyworlds/worlds';
import { describe, expect, it } from 'vitest';
import { registerSapAttributes } from '../src/index.ts';
import { describeEngines, Runner } from './make-scene.ts';

/** A builder whose shapes have a firm contact. */
function makeBuilder(mu = 0.5): ModelBuilder {
	const builder = new Builder({ rigidGap: 0.002, defaultShapeConfig: { ke: 1e6, mu, density: 1000 } });
	registerSapAttributes(builder);
	return builder;
}

/** Twelve triangles of a box with these half extents. */
function boxMesh([x, y, z]: readonly [number, number, number]): { vertices: Float64Array; indices: Uint32Array } {
	const vertices = Float64Array.from({ length: 24 }, (_, i) => {
		const corner = Math.floor(i / 3);
		const axis = i % 3;
		return ((corner >> axis) & 1 ? 1 : -1) * [x, y, z][axis]!;
	});
	// prettier-ignore
	const indices = Uint32Array.of(
		0,
		2,
		3,
		0,
		3,
		1,
		4,
		5,
		7,
		4,
		7,
		6,
		0,
		1,
		5,
		0,
		5,
		4,
		2,
		6,
		7,
		2,
		7,
		3,
		0,
		4,
		6,
		0,
		6,
		2,
		1,
		3,
		7,
		1,
		7,
		5,
	);
	return { vertices, indices };
}

/** A box with a dent in its left side: no hull of itself. */
function dentedMesh(half: readonly [number, number, number]): { vertices: Float64Array; indices: Uint32Array } {
	const { vertices, indices } = boxMesh(half);
	const dent = vertices.length / 3;
	const isLeft = (i: number): boolean => [0, 1, 2].every((k) => vertices[3 * indices[i + k]!]! < 0);
	const faces: number[] = [];
	for (let i = 0; i < indices.length; i += 3) if (!isLeft(i)) faces.push(...indices.subarray(i, i + 3));
	const around = [0, 4, 6, 2];
	around.forEach((corner, i) => {
		faces.push(corner, around[(i + 1) % 4]!, dent);
	});
	return { vertices: Float64Array.of(...vertices, -half[0] / 2, 0, 0), indices: Uint32Array.from(faces) };
}

function speedOf(runner: Runner, body: number): number {
	return Math.hypot(...runner.state.bodyQd.subarray(6 * body, 6 * body + 3));
}

function heightOf(runner: Runner, body: number): number {
	return runner.state.bodyQ[7 * body + 2]!;
}

/** A generator of numbers from 0 to 1 that is the same everywhere. */
function numbersOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

describe('a body at the edge of a mesh', () => {
	const kinds: Record<string, (builder: ModelBuilder, body: number) => void> = {
		box: (builder, body) => builder.addShapeBox(body, { halfExtents: [0.05, 0.05, 0.05] }),
		cylinder: (builder, body) => builder.addShapeCylinder(body, { radius: 0.05, halfHeight: 0.05 }),
		hull: (builder, body) => builder.addShapeConvex(body, { mesh: boxMesh([0.05, 0.05, 0.05]) }),
		mesh: (builder, body) => builder.addShapeMesh(body, { mesh: dentedMesh([0.05, 0.05, 0.05]) }),
	};

	it.each(Object.keys(kinds))('rests where the slab carries it and is not thrown: %s', (kind) => {
		for (const x of [0.47, 0.49]) {
			const builder = makeBuilder();
			builder.addShapeMesh(-1, { mesh: dentedMesh([0.5, 0.5, 0.05]), xform: { p: [0, 0, -0.05] } });
			const body = builder.addBody({ xform: { p: [x, 0, 0.05 + 2e-4] } });
			kinds[kind]!(builder, body);
			const runner = new Runner(builder);
			let fastest = 0;
			runner.onStep = () => {
				fastest = Math.max(fastest, speedOf(runner, body));
			};
			runner.step(0.002, 300);
			expect(fastest).toBeLessThan(0.1);
			expect(Math.abs(heightOf(runner, body) - 0.05)).toBeLessThan(2e-4);
			expect(Math.abs(runner.state.bodyQ[7 * body]! - x)).toBeLessThan(2e-3);
		}
	});

	it('does not feel the seams of a flat mesh', () => {
		const cells = 20;
		const vertices: number[] = [];
		const indices: number[] = [];
		for (let row = 0; row <= cells; row++)
			for (let c = 0; c <= cells; c++) vertices.push(0.1 * c - 1, 0.1 * row - 1, 0);
		for (let row = 0; row < cells; row++) {
			for (let c = 0; c < cells; c++) {
				const at = row * (cells + 1) + c;
				indices.push(at, at + 1, at + cells + 2, at, at + cells + 2, at + cells + 1);
			}
		}
		const builder = makeBuilder();
		const mesh = { vertices: Float64Array.from(vertices), indices: Uint32Array.from(indices) };
		builder.addShapeMesh(-1, { mesh, config: { density: 0 } });
		const ball = builder.addBody({ xform: { p: [-0.8, 0.03, 0.0501] } });
		builder.addShapeSphere(ball, { radius: 0.05 });
		const runner = new Runner(builder);
		runner.state.jointQd.set([1, 0, 0, 0, 20, 0]);
		let highest = 0;
		runner.onStep = () => {
			highest = Math.max(highest, heightOf(runner, ball));
		};
		runner.step(0.002, 400);
		expect(highest).toBeLessThan(0.0502);
		expect(runner.state.bodyQ[7 * ball]!).toBeCloseTo(0, 3);
		expect(runner.state.bodyQ[7 * ball + 1]!).toBeCloseTo(0.03, 4);
	});

	it('is not pushed out of the far side of a plate that it overlaps', () => {
		const builder = makeBuilder();
		// one millimetre thick: the box is deeper than that where it starts
		builder.addShapeMesh(-1, { mesh: dentedMesh([0.5, 0.5, 0.0005]), xform: { p: [0, 0, -0.0005] } });
		const body = builder.addBody({ xform: { p: [0, 0, 0.05 - 0.0012] } });
		builder.addShapeBox(body, { halfExtents: [0.05, 0.05, 0.05] });
		const runner = new Runner(builder);
		let lowest = 1;
		runner.onStep = () => {
			lowest = Math.min(lowest, heightOf(runner, body));
		};
		runner.step(0.002, 200);
		expect(lowest).toBeGreaterThan(0.0485);
		expect(heightOf(runner, body)).toBeCloseTo(0.05, 3);
	});
});

describe('stacked mesh cubes', () => {
	it.each([
		['convex ones', boxMesh],
		['dented ones', dentedMesh],
	])('stand: %s', (_, make) => {
		for (const shift of [0, 0.004]) {
			const builder = makeBuilder();
			builder.addGroundPlane();
			const bodies = Array.from({ length: 5 }, (__, i) => {
				const body = builder.addBody({ xform: { p: [(i % 2) * shift, 0, 0.05 + 0.1 * i + 2e-5 * (i + 1)] } });
				builder.addShapeMesh(body, { mesh: make([0.05, 0.05, 0.05]) });
				return body;
			});
			const runner = new Runner(builder);
			runner.step(0.005, 200);
			for (const [i, body] of bodies.entries()) {
				expect(Math.abs(heightOf(runner, body) - 0.05 - 0.1 * i)).toBeLessThan(2e-3);
				expect(Math.abs(runner.state.bodyQ[7 * body]! - (i % 2) * shift)).toBeLessThan(4e-3);
			}
		}
	});
});

describe('boxes on a heightfield', () => {
	it('come to rest as deep as their contacts carry them', () => {
		const n = 41;
		const data = Float64Array.from({ length: n * n }, (_, i) => {
			return 0.5 + 0.5 * Math.sin((i % n) * 0.4) * Math.cos(Math.floor(i / n) * 0.4);
		});
		const random = numbersOf(5);
		const builder = makeBuilder();
		builder.addShapeHeightfield({ heightfield: { rows: n, columns: n, data, hx: 2, hy: 2, minZ: 0, maxZ: 0.2 } });
		const bodies = Array.from({ length: 10 }, () => {
			const body = builder.addBody({ xform: { p: [3 * random() - 1.5, 3 * random() - 1.5, 0.35] } });
			builder.addShapeBox(body, { halfExtents: [0.08, 0.06, 0.04] });
			return body;
		});
		const runner = new Runner(builder, { contactTauD: 0.01 }, 256);
		runner.step(0.004, 900);
		for (const body of bodies) expect(speedOf(runner, body)).toBeLessThan(1e-3);
		const { contacts } = runner;
		expect(contacts.rigidCount).toBeGreaterThan(30);
		let deepest = 0;
		for (let row = 0; row < contacts.rigidCount; row++) {
			let phi = 0;
			for (let k = 0; k < 3; k++) {
				// the field stands still: its points are those of the world
				phi -= contacts.rigidPoint0[3 * row + k]! * contacts.rigidNormal[3 * row + k]!;
			}
			const body = runner.model.shapeBody[contacts.rigidShape1[row]!]!;
			phi += alongOf(runner, body, row);
			deepest = Math.max(deepest, -phi);
		}
		expect(deepest).toBeLessThan(1e-4);
	});
});

/** The point of a contact on its second body, in the world, along the normal. */
function alongOf({ state, contacts }: Runner, body: number, row: number): number {
	const [x, y, z] = contacts.rigidPoint1.subarray(3 * row, 3 * row + 3) as unknown as [number, number, number];
	const q = state.bodyQ.subarray(7 * body, 7 * body + 7);
	const [qx, qy, qz, qw] = [q[3]!, q[4]!, q[5]!, q[6]!];
	const c = [qy * z - qz * y, qz * x - qx * z, qx * y - qy * x] as const;
	const world = [
		q[0]! + x + 2 * (qw * c[0] + qy * c[2] - qz * c[1]),
		q[1]! + y + 2 * (qw * c[1] + qz * c[0] - qx * c[2]),
		q[2]! + z + 2 * (qw * c[2] + qx * c[1] - qy * c[0]),
	];
	return world.reduce((sum, value, k) => sum + value * contacts.rigidNormal[3 * row + k]!, 0);
}

describe('fast motion', () => {
	it('keeps contact on a slope: the way down is that of the closed form', () => {
		const angle = Math.PI / 6;
		const mu = 0.3;
		const builder = makeBuilder(mu);
		const q = [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
		builder.addShapePlane({ body: -1, xform: { p: [0, 0, 0], q } });
		const up = [Math.sin(angle), 0, Math.cos(angle)];
		const along = [Math.cos(angle), 0, -Math.sin(angle)];
		const body = builder.addBody({ xform: { p: up.map((u) => 0.05 * u), q } });
		builder.addShapeBox(body, { halfExtents: [0.1, 0.1, 0.05] });
		const runner = new Runner(builder);
		runner.state.jointQd.set(along.map((u) => 5 * u));
		let ahead = 0;
		runner.onStep = () => {
			ahead = Math.max(ahead, runner.contacts.worldSpeculative[0]!);
		};
		runner.step(0.005, 200);
		const acceleration = 9.81 * (Math.sin(angle) - mu * Math.cos(angle));
		const way = along.reduce((sum, u, k) => sum + u * runner.state.bodyQ[7 * body + k]!, 0);
		expect(Math.abs(way / (5 + 0.5 * acceleration) - 1)).toBeLessThan(0.01);
		expect(ahead).toBeGreaterThan(0);
	});

	it('does not ride above the ground with lagged friction, and comes as far', () => {
		const mu = 0.4;
		const slide = (frictionModel: 'cone' | 'lagged'): { highest: number; way: number; iterations: number } => {
			const builder = makeBuilder(mu);
			builder.addGroundPlane();
			const body = builder.addBody({ xform: { p: [0, 0, 0.05] } });
			builder.addShapeBox(body, { halfExtents: [0.2, 0.2, 0.05] });
			const runner = new Runner(builder, { frictionModel });
			runner.state.jointQd[0] = 4;
			runner.place();
			let [highest, iterations] = [0, 0];
			runner.onStep = () => {
				highest = Math.max(highest, heightOf(runner, body) - 0.05);
				iterations += runner.solver.outcome.converged[0] === 1 ? 0 : 1;
			};
			runner.step(0.005, 300);
			return { highest, way: runner.state.bodyQ[0]!, iterations };
		};
		const expected = (4 * 4) / (2 * mu * 9.81);
		const cone = slide('cone');
		const lagged = slide('lagged');
		expect(cone.highest).toBeGreaterThan(0.005);
		expect(lagged.highest).toBeLessThan(1e-4);
		for (const { way, iterations } of [cone, lagged]) {
			expect(Math.abs(way / expected - 1)).toBeLessThan(0.02);
			expect(iterations).toBe(0);
		}
	});

	it('does not pass through a thin plate in a step of 5 ms', () => {
		for (const speed of [5, 10, 20]) {
			const builder = makeBuilder();
			builder.addShapeBox(-1, { halfExtents: [0.5, 0.5, 0.001] });
			const plate = builder.addBody({ xform: { p: [0, 0, 0.31] } });
			builder.addShapeBox(plate, { halfExtents: [0.1, 0.1, 0.001] });
			const ball = builder.addBody({ xform: { p: [0.3, 0, 0.27] } });
			builder.addShapeSphere(ball, { radius: 0.01 });
			const runner = new Runner(builder);
			for (const body of [plate, ball]) runner.state.jointQd[6 * body + 2] = -speed;
			runner.step(0.005, 100);
			expect(heightOf(runner, plate)).toBeGreaterThan(0);
			expect(heightOf(runner, ball)).toBeGreaterThan(0.005);
		}
	});

	it('grows no gap of shapes that are at rest', () => {
		const builder = makeBuilder();
		builder.addGroundPlane();
		const body = builder.addBody({ xform: { p: [0, 0, 0.06] } });
		builder.addShapeBox(body, { halfExtents: [0.05, 0.05, 0.05] });
		const runner = new Runner(builder);
		const found = (velocity: number): number => {
			runner.state.bodyQd[2] = velocity;
			runner.pipeline.collide(runner.state, runner.contacts, { dt: 0.005 });
			return runner.contacts.worldSpeculative[0]!;
		};
		expect(found(0)).toBe(0);
		expect(found(-1)).toBe(0);
		expect(found(-2)).toBe(4);
		// what leaves does not come back
		expect(found(2)).toBe(0);
	});
});

describe('gyroscopic motion', () => {
	it('keeps the energy of a body that tumbles fast', () => {
		for (const positionIntegration of ['sap_euler', 'midpoint'] as const) {
			const builder = makeBuilder();
			const inertia = [0.01, 0, 0, 0, 0.02, 0, 0, 0, 0.025];
			builder.addBody({ mass: 1, inertia, com: [0.05, -0.02, 0.03], lockInertia: true });
			const runner = new Runner(builder, { positionIntegration });
			runner.model.gravity.fill(0);
			runner.state.jointQd.set([0, 0, 0, 0.1, 40, 0.1]);
			runner.place();
			const energy = (): number => spinEnergy(runner, inertia);
			const start = energy();
			runner.step(0.005, 1000);
			expect(energy() / start).toBeCloseTo(1, 2);
		}
	});

	it('explicit, as Drake has it, gains energy', () => {
		const builder = makeBuilder();
		const inertia = [0.01, 0, 0, 0, 0.02, 0, 0, 0, 0.025];
		builder.addBody({ mass: 1, inertia, lockInertia: true });
		const runner = new Runner(builder, { gyroscopicTerms: 'explicit' });
		runner.model.gravity.fill(0);
		runner.state.jointQd.set([0, 0, 0, 0.1, 40, 0.1]);
		runner.place();
		const start = spinEnergy(runner, inertia);
		runner.step(0.005, 400);
		expect(spinEnergy(runner, inertia) / start).toBeGreaterThan(1.2);
	});

	it('of a top at 200 rad/s holds it up', () => {
		const builder = makeBuilder();
		const body = builder.addLink({ mass: 1, inertia: [1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 2e-3], com: [0, 0, 0.05] });
		builder.addArticulation([builder.addJointBall({ parent: -1, child: body })]);
		const runner = new Runner(builder);
		const lean = 0.2;
		runner.state.jointQ.set([Math.sin(lean / 2), 0, 0, Math.cos(lean / 2)]);
		runner.state.jointQd.set([0, -200 * Math.sin(lean), 200 * Math.cos(lean)]);
		runner.place();
		let least = 1;
		runner.onStep = () => {
			const [x, y] = [runner.state.bodyQ[3]!, runner.state.bodyQ[4]!];
			least = Math.min(least, 1 - 2 * (x * x + y * y));
		};
		runner.step(0.002, 1500);
		expect(runner.solver.outcome.fault[0]).toBe(WorldFault.NONE);
		expect(Math.hypot(...runner.state.jointQd)).toBeGreaterThan(150);
		expect(Math.hypot(...runner.state.jointQd)).toBeLessThan(250);
		expect(least).toBeGreaterThan(0.8);
	});
});

/** Kinetic energy of the turning of body 0, whose inertia is diagonal [J]. */
function spinEnergy({ state }: Runner, inertia: readonly number[]): number {
	const [x, y, z, w] = [-state.bodyQ[3]!, -state.bodyQ[4]!, -state.bodyQ[5]!, state.bodyQ[6]!];
	const o = [state.bodyQd[3]!, state.bodyQd[4]!, state.bodyQd[5]!] as const;
	const c = [y * o[2] - z * o[1], z * o[0] - x * o[2], x * o[1] - y * o[0]] as const;
	const own = [
		o[0] + 2 * (w * c[0] + y * c[2] - z * c[1]),
		o[1] + 2 * (w * c[1] + z * c[0] - x * c[2]),
		o[2] + 2 * (w * c[2] + x * c[1] - y * c[0]),
	];
	return own.reduce((sum, value, k) => sum + 0.5 * inertia[4 * k]! * value * value, 0);
}

describe('a chain that turns too fast for its step', () => {
	it('is stopped by the solver for the energy that it gains', () => {
		const builder = makeBuilder();
		const joints: number[] = [];
		for (let i = 0; i < 3; i++) {
			const link = builder.addLink({ mass: 1, inertia: [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01], com: [0.2, 0, 0] });
			joints.push(
				builder.addJointRevolute({
					parent: i - 1,
					child: link,
					axis: [0, 1, 0],
					parentXform: { p: [i === 0 ? 0 : 0.4, 0, 0] },
				}),
			);
		}
		builder.addArticulation(joints);
		const runner = new Runner(builder);
		runner.state.jointQd.set([300, -500, 700]);
		runner.place();
		let steps = 0;
		while (steps < 200 && runner.solver.outcome.fault[0] === WorldFault.NONE) {
			runner.step(0.005);
			steps++;
		}
		expect(runner.solver.outcome.fault[0]).toBe(WorldFault.GAINED_ENERGY);
		expect(runner.state.jointQd.every(Number.isFinite)).toBe(true);
	});
});

describe('primitives of all kinds in a pen', () => {
	it('come to rest without spinning up, whatever the seed', () => {
		for (let seed = 1; seed <= 32; seed++) {
			const runner = makePen(seed, 6);
			let fastest = 0;
			runner.onStep = () => {
				for (let body = 0; body < runner.model.bodyCount; body++) {
					fastest = Math.max(fastest, Math.hypot(...runner.state.bodyQd.subarray(6 * body + 3, 6 * body + 6)));
				}
			};
			runner.step(0.005, 200);
			expect(fastest).toBeLessThan(300);
			for (let body = 0; body < runner.model.bodyCount; body++) {
				expect(heightOf(runner, body)).toBeGreaterThan(0);
				expect(speedOf(runner, body)).toBeLessThan(2);
			}
		}
	});
});

/** Primitives of all kinds that fall into a pen. */
function makePen(seed: number, count: number): Runner {
	const random = numbersOf(seed * 7919);
	const turn = (): number[] => {
		const [u, v, w] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()];
		const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)];
		return [a * Math.sin(v), a * Math.cos(v), b * Math.sin(w), b * Math.cos(w)];
	};
	const builder = makeBuilder(0.6);
	const kinds: readonly ((body: number) => number)[] = [
		(body) => builder.addShapeBox(body, { halfExtents: [0.06, 0.05, 0.04] }),
		(body) => builder.addShapeCapsule(body, { radius: 0.03, halfHeight: 0.06 }),
		(body) => builder.addShapeSphere(body, { radius: 0.05 }),
		(body) => builder.addShapeCylinder(body, { radius: 0.04, halfHeight: 0.05 }),
		(body) => builder.addShapeEllipsoid(body, { radii: [0.06, 0.05, 0.04] }),
		(body) => builder.addShapeCone(body, { radius: 0.05, halfHeight: 0.06 }),
	];
	for (let i = 0; i < count; i++) {
		const p = [0.2 * random() - 0.1, 0.2 * random() - 0.1, 0.2 + 0.15 * i];
		kinds[i % kinds.length]!(builder.addBody({ xform: { p, q: turn() } }));
	}
	for (const [x, y] of [
		[1, 0],
		[-1, 0],
		[0, 1],
		[0, -1],
	] as const) {
		const halfExtents: [number, number, number] = [x === 0 ? 0.3 : 0.05, y === 0 ? 0.3 : 0.05, 4];
		builder.addShapeBox(-1, { halfExtents, xform: { p: [0.25 * x, 0.25 * y, 4] } });
	}
	builder.addGroundPlane();
	return new Runner(builder, { contactTauD: 0.01 }, 512);
}

describeEngines('two boxes on each other, as soft as builders have them by default and without dissipation', () => {
	it.each([0.05, 0.1, 0.15])('gain no energy in any step, and the upper one rises no higher: half %d m', (half) => {
		const builder = new Builder();
		builder.addGroundPlane();
		for (const z of [half, 3 * half]) {
			builder.addShapeBox(builder.addBody({ xform: { p: [0, 0, z] } }), { halfExtents: [half, half, half] });
		}
		const runner = new Runner(builder);
		const mass = runner.model.bodyMass[0]!;
		// four points for each pair, each with the stiffness of two surfaces in series
		const stiffness = (4 * builder.defaultShapeConfig.ke) / 2;
		const energy = (): number => {
			const { bodyQ, bodyQd } = runner.state;
			const [lower, upper] = [bodyQ[2]!, bodyQ[9]!];
			const depths = [Math.max(0, half - lower), Math.max(0, 2 * half - (upper - lower))];
			const speeds = bodyQd[2]! ** 2 + bodyQd[8]! ** 2;
			return mass * (9.81 * (lower + upper) + speeds / 2) + (stiffness * (depths[0]! ** 2 + depths[1]! ** 2)) / 2;
		};
		let last = energy();
		runner.onStep = ({ state }) => {
			const now = energy();
			expect(now).toBeLessThan(last * (1 + 1e-9));
			expect(state.bodyQ[9]).toBeLessThan(3 * half);
			last = now;
		};
		runner.step(0.005, 300);
		// near to where their weight is carried
		expect(runner.state.bodyQ[9]! - runner.state.bodyQ[2]!).toBeCloseTo(2 * half - (mass * 9.81) / stiffness, 1);
	});
});
