/** Contacts of the kernels against those of the same search in TypeScript, bit for bit. */
import type { TriangleMesh } from '@manyworlds/mesh';
import type { Model, ModelBuilder, State } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { BroadPhase } from '../src/collision/broad-phase.ts';
import { CollisionGeometry } from '../src/collision/collision-geometry.ts';
import { ShapeFrames } from '../src/collision/shape-frames.ts';
import { CollisionPipeline, type WorldContacts } from '../src/index.ts';
import { makeBuilder } from './make-scene.ts';
import { CLOUD, MANY, MORE, randomOf } from './solids.ts';

type Kind = (typeof KINDS)[number];
const KINDS = [
	'plane',
	'sphere',
	'capsule',
	'needle',
	'cylinder',
	'box',
	'slab',
	'cube',
	'cloud',
	'mirrored',
	'many',
	'more',
	'most',
	'sheet',
	'ellipsoid',
	'cone',
] as const;
/** Kinds of which some pairs, or all, are left to the host. */
const OTHERS: readonly Kind[] = ['ellipsoid', 'cone', 'cylinder', 'sheet'];

const CUBE = Float64Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1 ? 0.2 : -0.2));
const SHEET = Float64Array.of(-0.2, -0.2, 0, 0.2, -0.2, 0, 0.2, 0.2, 0, -0.2, 0.2, 0);
/** More corners than any other, with faces of three. */
const MOST = Float64Array.from({ length: 1500 }, (_, i) => {
	const height = 1 - (2 * Math.floor(i / 3) + 1) / 500;
	const turn = 2.4 * Math.floor(i / 3);
	const wide = Math.sqrt(1 - height * height);
	return [0.25 * wide * Math.cos(turn), 0.3 * wide * Math.sin(turn), 0.2 * height][i % 3]!;
});

/** What is looked ahead in two of three steps. */
const AHEAD = { dt: 0.01, friction: 0.8, relaxation: 0.02 };

function addShape(builder: ModelBuilder, body: number, kind: Kind, size: number, config: object, random: () => number) {
	const xform = { p: [0.1 * size * random(), 0.1 * size * random(), 0], q: [0, 0, 0.6, 0.8] };
	const shared = { config, xform };
	const hull = (vertices: Float64Array, scale = [size, size, size]): void => {
		const mesh = { vertices, indices: new Uint32Array(0) } as TriangleMesh;
		builder.addShapeConvex(body, { mesh, scale, ...shared });
	};
	if (kind === 'plane') builder.addShapePlane({ body, width: 0, length: 0, ...shared });
	else if (kind === 'sphere') builder.addShapeSphere(body, { radius: 0.2 * size, ...shared });
	else if (kind === 'capsule') builder.addShapeCapsule(body, { radius: 0.1 * size, halfHeight: 0.2 * size, ...shared });
	else if (kind === 'needle') builder.addShapeCapsule(body, { radius: 1e-5 * size, halfHeight: 0.3 * size, ...shared });
	else if (kind === 'cylinder')
		builder.addShapeCylinder(body, { radius: 0.2 * size, halfHeight: 0.2 * size, ...shared });
	else if (kind === 'box') builder.addShapeBox(body, { halfExtents: [0.2 * size, 0.1 * size, 0.2 * size], ...shared });
	else if (kind === 'slab')
		builder.addShapeBox(body, { halfExtents: [0.3 * size, 0.3 * size, 1e-4 * size], ...shared });
	else if (kind === 'cube') hull(CUBE);
	else if (kind === 'cloud') hull(CLOUD);
	else if (kind === 'mirrored') hull(CLOUD, [-size, size, 0.5 * size]);
	else if (kind === 'many') hull(MANY);
	else if (kind === 'more') hull(MORE);
	else if (kind === 'most') hull(MOST);
	else if (kind === 'sheet') hull(SHEET);
	else if (kind === 'ellipsoid')
		builder.addShapeEllipsoid(body, { radii: [0.2 * size, 0.1 * size, 0.3 * size], ...shared });
	else builder.addShapeCone(body, { radius: 0.2 * size, halfHeight: 0.2 * size, ...shared });
}

/** Puts two bodies beside each other: anywhere, as parts of a lattice, on each other, or nearly so. */
function placeBodies(model: Model, state: State, size: number, style: number, random: () => number): void {
	for (let body = 0; body < model.bodyCount; body++) {
		const q = state.bodyQ.subarray(7 * body, 7 * body + 7);
		const whole = (): number => Math.round(1.4 * random());
		for (let k = 0; k < 3; k++) q[k] = body === 0 ? 0 : size * (style % 4 === 0 ? 0.45 * random() : 0.2 * whole());
		for (let k = 3; k < 7; k++) q[k] = style % 4 === 0 ? random() : k === 6 ? 1 : whole();
		if (style % 4 === 2) q.fill(0, 0, 3);
		if (style % 4 === 3) for (let k = 0; k < 7; k++) q[k]! += (k < 3 ? size : 1) * 10 ** (-6 + 5 * random()) * random();
		const length = Math.hypot(...q.subarray(3));
		for (let k = 3; k < 7; k++) q[k]! /= length;
		for (let k = 0; k < 6; k++) state.bodyQd[6 * body + k] = (k < 3 ? size : 1) * 4 * random() ** 3;
	}
}

function expectSameBits(found: WorldContacts, expected: WorldContacts, name: string): void {
	const rows = expected.rigidCount;
	expect(found.rigidCount, name).toBe(rows);
	for (const field of ['worldFound', 'worldStart', 'worldSpeculative'] as const)
		expect(found[field], `${name} ${field}`).toEqual(expected[field]);
	for (const field of ['rigidShape0', 'rigidShape1', 'isAhead', 'rigidMargin0', 'rigidMargin1'] as const)
		expect(found[field].subarray(0, rows), `${name} ${field}`).toEqual(expected[field].subarray(0, rows));
	for (const field of ['rigidPoint0', 'rigidPoint1', 'rigidNormal', 'rigidOffset0', 'rigidOffset1'] as const)
		for (let i = 0; i < 3 * rows; i++)
			if (!Object.is(found[field][i], expected[field][i]))
				expect.fail(`${name}: ${field}[${i}] is ${found[field][i]}, expected ${expected[field][i]}`);
}

describe('contacts in WebAssembly', () => {
	it.each(KINDS)('of a %s with every kind are those in TypeScript, bit for bit', (first) => {
		const random = randomOf(KINDS.indexOf(first) + 1);
		let found = 0;
		let ahead = 0;
		for (const second of KINDS) {
			for (const size of [1, 1e-4, 3e3]) {
				const builder = makeBuilder();
				for (const kind of [first, second]) {
					const body = builder.addBody({ mass: 1, com: [0.1 * size * random(), 0, 0.1 * size] });
					const config = { gap: 0.02 * size, margin: kind === first ? 0.01 * size : 0 };
					addShape(builder, body, kind, size, config, random);
				}
				const model = builder.finalize({ keepInertia: true });
				const state = model.createState();
				const options = { maxSpeculativeGap: 0.1 * size };
				const kernel = new CollisionPipeline(model, options);
				const plain = new CollisionPipeline(model, { ...options, broadPhase: 'nxn' });
				const contacts = kernel.createContacts();
				const expected = plain.createContacts();
				for (let step = 0; step < 24; step++) {
					placeBodies(model, state, size, step, random);
					const horizon = step % 3 === 0 ? {} : AHEAD;
					kernel.collide(state, contacts, horizon);
					plain.collide(state, expected, horizon);
					expectSameBits(contacts, expected, `${second}, size ${size}, step ${step}`);
					found += expected.rigidCount;
					ahead += expected.worldSpeculative[0]!;
				}
			}
		}
		expect(found).toBeGreaterThan(900);
		expect(ahead).toBeGreaterThan(20);
	});

	it('leave few pairs to TypeScript, of kinds that they know', () => {
		const random = randomOf(3);
		const known = KINDS.filter((kind) => !OTHERS.includes(kind) && kind !== 'plane');
		const builder = makeBuilder();
		for (const kind of known) addShape(builder, builder.addBody({ mass: 1 }), kind, 1, { gap: 0.02 }, random);
		const model = builder.finalize({ keepInertia: true });
		const frames = new ShapeFrames(model, 0.1);
		const broad = new BroadPhase(frames, new CollisionGeometry(model), 'explicit');
		const kernel = broad.kernel!;
		const state = model.createState();
		let found = 0;
		let left = 0;
		for (let step = 0; step < 200; step++) {
			placeBodies(model, state, 1, 0, random);
			frames.begin(state.bodyQ, state.bodyQd);
			left += kernel.find(broad.kernelRun(0), 1);
			found += kernel.rowEnd(0);
		}
		expect(found).toBeGreaterThan(6000);
		expect(left).toBeLessThan(0.005 * found);
	});

	it('beyond their room are found in TypeScript', () => {
		const builder = makeBuilder();
		for (let i = 0; i < 190; i++) {
			const body = builder.addBody({ mass: 1, xform: { p: [1e-3 * i, 1e-4 * (i % 7), 0] } });
			builder.addShapeSphere(body, { radius: 0.2 });
		}
		const model = builder.finalize({ keepInertia: true });
		const state = model.createState();
		const [kernel, plain] = [new CollisionPipeline(model), new CollisionPipeline(model, { broadPhase: 'nxn' })];
		const [contacts, expected] = [kernel, plain].map((pipeline) => {
			const contacts = pipeline.createContacts({ perWorld: 20000 });
			pipeline.collide(state, contacts);
			return contacts;
		});
		expect(expected!.rigidCount).toBe((190 * 189) / 2);
		expectSameBits(contacts!, expected!, 'balls');
	});

	it('of many worlds are found together, whatever their room, time steps and which are left out', () => {
		const random = randomOf(6);
		const one = makeBuilder();
		for (const kind of ['sphere', 'sheet', 'box', 'cylinder', 'cloud', 'capsule'] as const) {
			const body = one.addBody({ mass: 1 });
			for (let i = 0; i < 2; i++) addShape(one, body, kind, 0.5, { gap: 0.01, margin: 0.005 }, random);
		}
		const all = makeBuilder();
		all.addShapePlane({ width: 0, length: 0, xform: { p: [0, 0, -0.2] } });
		all.replicate(one, { count: 40, spacing: [0, 0, 0] });
		all.addShapeBox(-1, { halfExtents: [0.2, 0.2, 0.2] });
		const model = all.finalize({ keepInertia: true });
		const pipeline = new CollisionPipeline(model);
		const plain = new CollisionPipeline(model, { broadPhase: 'nxn' });
		const state = model.createState();
		const dts = Float64Array.from({ length: 40 }, (_, world) => (world < 20 ? 0.01 : 0.002 * (world % 3)));
		const mask = Array.from({ length: 40 }, (_, world) => world % 7 !== 3);
		let dropped = 0;
		for (const perWorld of [256, 9, 0]) {
			const contacts = pipeline.createContacts({ perWorld });
			const expected = plain.createContacts({ perWorld });
			for (let step = 0; step < 9; step++) {
				placeBodies(model, state, 1, 0, random);
				const options = [{}, { ...AHEAD, range: { start: 3, end: 38 } }, { ...AHEAD, dt: dts, mask }][step % 3]!;
				pipeline.collide(state, contacts, options);
				plain.collide(state, expected, options);
				expectSameBits(contacts, expected, `room for ${perWorld}, step ${step}`);
				for (let world = 0; world < 40; world++) dropped += expected.droppedOf(world);
			}
		}
		expect(dropped).toBeGreaterThan(1000);
	});

	it('are those in TypeScript in worlds that are alike, and in one that is not', () => {
		const random = randomOf(5);
		const one = makeBuilder();
		for (const kind of KINDS) {
			if (kind === 'plane') continue;
			const body = one.addBody({ mass: 1 });
			for (let i = 0; i < 2; i++) addShape(one, body, kind, 0.5, { gap: 0.01 }, random);
		}
		const all = makeBuilder();
		all.addShapePlane({ width: 0, length: 0, xform: { p: [0, 0, -0.4], q: [0.1, 0, 0, Math.sqrt(0.99)] } });
		all.addShapePlane({ width: 0.5, length: 0.5, xform: { p: [0.5, 0.5, 0.2] } });
		all.addShapeBox(-1, { halfExtents: [0.2, 0.2, 0.2], xform: { p: [-0.5, 0, 0] } });
		all.replicate(one, { count: 3, spacing: [0, 0, 0] });
		const model = all.finalize({ keepInertia: true });
		const pipeline = new CollisionPipeline(model);
		const plain = new CollisionPipeline(model, { broadPhase: 'nxn' });
		const broad = new BroadPhase(new ShapeFrames(model, 0.1), new CollisionGeometry(model), 'explicit');
		const contacts = pipeline.createContacts({ perWorld: 512 });
		const expected = plain.createContacts({ perWorld: 512 });
		const state = model.createState();
		let found = 0;
		for (let step = 0; step < 40; step++) {
			if (step === 20) {
				// world 1 has a smaller ball and a heavier end of a body from here on
				const ball = model.shapeWorld.indexOf(1);
				model.shapeScale[3 * ball] = 0.05;
				model.bodyCom[3 * model.shapeBody[ball]!] = 0.2;
				for (const each of [pipeline, plain, broad])
					each instanceof BroadPhase ? each.refresh() : each.notifyModelChanged();
			}
			expect([0, 1, 2].map((world) => broad.kernel?.knows(world))).toEqual([true, step < 20, true]);
			placeBodies(model, state, 1, 0, random);
			const horizon = step % 3 === 0 ? {} : AHEAD;
			pipeline.collide(state, contacts, horizon);
			plain.collide(state, expected, horizon);
			expectSameBits(contacts, expected, `step ${step}`);
			found += expected.rigidCount;
		}
		expect(found).toBeGreaterThan(1000);
	});

	it('are those in TypeScript in a world that has what another one begins with, and no more', () => {
		const random = randomOf(11);
		const all = makeBuilder();
		const kinds = ['sphere', 'capsule', 'box', 'slab'] as const;
		// each world has one body more than the one before
		for (let count = 2; count <= kinds.length; count++) {
			const one = makeBuilder();
			const own = randomOf(2);
			for (const kind of kinds.slice(0, count)) addShape(one, one.addBody({ mass: 1 }), kind, 1, { gap: 0.01 }, own);
			all.replicate(one, { count: 1 });
		}
		const model = all.finalize({ keepInertia: true });
		expect(model.worldCount).toBe(3);
		const pipeline = new CollisionPipeline(model);
		const plain = new CollisionPipeline(model, { broadPhase: 'nxn' });
		const contacts = pipeline.createContacts();
		const expected = plain.createContacts();
		const state = model.createState();
		const found = [0, 0, 0];
		for (let step = 0; step < 60; step++) {
			placeBodies(model, state, 1, 0, random);
			pipeline.collide(state, contacts);
			plain.collide(state, expected);
			expectSameBits(contacts, expected, `step ${step}`);
			for (let world = 0; world < 3; world++)
				found[world]! += expected.worldStart[world + 1]! - expected.worldStart[world]!;
		}
		expect(Math.min(...found)).toBeGreaterThan(10);
	});
});
