import { createTriangleMesh, flipMesh } from '@manyworlds/mesh/internal';
import { ModelBuilder } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { codeOf } from './support.ts';

type Add = (builder: ModelBuilder, body: number) => unknown;

/** Mass, centre and inertia that a shape of density 1000 gives an empty body. */
function measure(add: Add): { mass: number; com: number[]; inertia: number[] } {
	const builder = new ModelBuilder();
	const body = builder.addLink();
	add(builder, body);
	return {
		mass: builder.column('bodyMass')[0]!,
		com: Array.from(builder.column('bodyCom')),
		inertia: Array.from(builder.column('bodyInertia')),
	};
}

const diagonal = ({ inertia }: { inertia: number[] }): number[] => [inertia[0]!, inertia[4]!, inertia[8]!];

const BOX = createTriangleMesh({
	vertices: [-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1].map(
		(value, i) => value * [0.1, 0.2, 0.3][i % 3]!,
	),
	indices: [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7],
});

describe('mass of shapes', () => {
	const close = (value: number): number => expect.closeTo(value, 6) as number;
	const rows: [name: string, add: Add, mass: number, inertia: number[], z?: number][] = [
		['sphere', (b, body) => b.addShapeSphere(body, { radius: 0.5 }), 523.598776, [52.3598776, 52.3598776, 52.3598776]],
		['box', (b, body) => b.addShapeBox(body, { halfExtents: [0.1, 0.2, 0.3] }), 48, [2.08, 1.6, 0.8]],
		[
			'capsule',
			(b, body) => b.addShapeCapsule(body, { radius: 0.1, halfHeight: 0.2 }),
			16.7551608,
			[0.446106157, 0.446106157, 0.0795870139],
		],
		[
			'cylinder',
			(b, body) => b.addShapeCylinder(body, { radius: 0.1, halfHeight: 0.2 }),
			12.5663706,
			[0.198967535, 0.198967535, 0.0628318531],
		],
		[
			'cone',
			(b, body) => b.addShapeCone(body, { radius: 0.1, halfHeight: 0.2 }),
			4.1887902,
			[0.0314159265, 0.0314159265, 0.0125663706],
			-0.1,
		],
		[
			'ellipsoid',
			(b, body) => b.addShapeEllipsoid(body, { radii: [0.1, 0.2, 0.3] }),
			25.1327412,
			[0.653451272, 0.502654825, 0.251327412],
		],
		[
			'hollow box',
			(b, body) => b.addShapeBox(body, { halfExtents: [0.1, 0.2, 0.3], config: { isSolid: false, margin: 0.01 } }),
			8.328,
			[0.4904752, 0.3807472, 0.2154992],
		],
		[
			'hollow cone',
			(b, body) => b.addShapeCone(body, { radius: 0.1, halfHeight: 0.2, config: { isSolid: false, margin: 0.01 } }),
			0.965516142,
			[0.00969602, 0.00969602, 0.00473381],
			-0.116691974,
		],
		['trap 25: box mesh', (b, body) => b.addShapeMesh(body, { mesh: BOX }), 48, [2.08, 1.6, 0.8]],
		['trap 25: box mesh inside out', (b, body) => b.addShapeMesh(body, { mesh: flipMesh(BOX) }), 48, [2.08, 1.6, 0.8]],
		[
			'trap 25: scaled box mesh',
			(b, body) => b.addShapeMesh(body, { mesh: BOX, scale: [2, 1, 3] }),
			288,
			[81.6, 81.6, 7.68],
		],
		[
			'trap 25: mirrored box mesh',
			(b, body) => b.addShapeMesh(body, { mesh: BOX, scale: [-2, 1, 3] }),
			288,
			[81.6, 81.6, 7.68],
		],
	];
	for (const [name, add, mass, inertia, z] of rows) {
		test(name, () => {
			const found = measure(add);
			expect(found.mass).toEqual(close(mass));
			expect(found.com[2]).toEqual(close(z ?? 0));
			expect(diagonal(found)).toEqual(inertia.map(close));
		});
	}

	test('trap 23: authored mass is a start, locked bodies, sites, planes and density 0 add nothing', () => {
		const builder = new ModelBuilder();
		const grown = builder.addLink({ mass: 2 });
		const locked = builder.addLink({ mass: 2, lockInertia: true });
		const config = { density: 100 };
		for (const body of [grown, locked]) builder.addShapeSphere(body, { radius: 0.5, config });
		builder.addSite(grown);
		builder.addShapePlane({ body: grown });
		builder.addShapeSphere(grown, { config: { density: 0 } });
		expect(Array.from(builder.column('bodyMass'))).toEqual([expect.closeTo(2 + 52.3598776, 6), 2]);
	});

	test('trap 24: two turned boxes off centre equal one mesh of both', () => {
		const s = Math.SQRT1_2;
		const turned = measure((b, body) => {
			b.addShapeBox(body, { halfExtents: [0.2, 0.1, 0.3], xform: { p: [0.3, 0.2, 0.3], q: [0, 0, s, s] } });
			b.addShapeBox(body, { halfExtents: [0.1, 0.2, 0.3], xform: { p: [0.3, 0.2, -0.3] } });
		});
		const straight = measure((b, body) =>
			b.addShapeBox(body, { halfExtents: [0.1, 0.2, 0.6], xform: { p: [0.3, 0.2, 0] } }),
		);
		expect(turned.mass).toBeCloseTo(straight.mass, 9);
		for (const [i, value] of turned.com.entries()) expect(value).toBeCloseTo(straight.com[i]!, 9);
		for (const [i, value] of turned.inertia.entries()) expect(value).toBeCloseTo(straight.inertia[i]!, 9);
	});

	test('meshes of the same triangles and other vertices weigh what they are', () => {
		const large = { ...BOX, vertices: BOX.vertices.map((x) => 2 * x) };
		const masses = [BOX, large, BOX].map((mesh) => measure((b, body) => b.addShapeMesh(body, { mesh })).mass);
		expect(masses).toEqual([close(48), close(384), close(48)]);
	});

	test('trap 25: an open mesh is flagged in every builder that uses it', () => {
		const open = createTriangleMesh({ vertices: BOX.vertices, indices: BOX.indices.slice(0, 30) });
		for (let i = 0; i < 2; i++) {
			const builder = new ModelBuilder();
			builder.addShapeMesh(builder.addLink(), { mesh: open });
			expect(builder.report.toArray().map(({ code }) => code)).toEqual(['MESH021']);
		}
	});

	test('impossible walls are refused and leave nothing behind, a wall of 0 warns', () => {
		const builder = new ModelBuilder();
		const body = builder.addLink();
		for (const margin of [0.5, 0.6, -0.1, Number.NaN]) {
			expect(codeOf(() => builder.addShapeSphere(body, { radius: 0.5, config: { isSolid: false, margin } }))).toBe(
				'MODEL008',
			);
		}
		expect(builder.shapeCount).toBe(0);
		builder.addShapeSphere(body, { config: { isSolid: false } });
		expect(builder.column('bodyMass')[0]).toBe(0);
		expect(builder.report.toArray().map(({ code }) => code)).toEqual(['MODEL035']);
	});
});

describe('correction of inertia', () => {
	function finalize(
		edit: (builder: ModelBuilder) => void,
		options: ConstructorParameters<typeof ModelBuilder>[0] = {},
	) {
		const builder = new ModelBuilder(options);
		builder.addBody({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1], label: 'it' });
		edit(builder);
		const authored = Array.from(builder.column('bodyInertia'));
		const model = builder.finalize();
		// the builder keeps what was given
		expect(Array.from(builder.column('bodyInertia'))).toEqual(authored);
		const [warning] = model.report.toArray();
		return {
			mass: model.bodyMass[0]!,
			inertia: Array.from(model.bodyInertia),
			inverse: Array.from(model.bodyInvInertia),
			warning,
		};
	}
	const set = (mass: number, inertia: number[]) => (builder: ModelBuilder) => {
		builder.column('bodyMass')[0] = mass;
		builder.column('bodyInertia').set(inertia);
	};
	const eye = (x: number, y = x, z = y): number[] => [x, 0, 0, 0, y, 0, 0, 0, z];

	test('trap 28: valid tensors keep their bits', () => {
		for (const inertia of [eye(1, 1, 2), eye(3e-8, 4e-8, 5e-8), eye(0.1, 0.2, 0.25), [1, 1e-9, 0, 0, 1, 0, 0, 0, 1]]) {
			const found = finalize(set(1, inertia));
			expect(found.inertia).toEqual(inertia);
			expect(found.warning).toBeUndefined();
		}
	});

	test('what is not finite, and negative masses, become zero', () => {
		for (const [mass, inertia] of [
			[Number.NaN, eye(1)],
			[1, [Number.NaN, 0, 0, 0, 1, 0, 0, 0, 1]],
			[1, [Number.POSITIVE_INFINITY, 0, 0, 0, 1, 0, 0, 0, 1]],
			[-1, eye(1)],
			[0, eye(1)],
		] as const) {
			const found = finalize(set(mass, [...inertia]));
			expect([found.mass, ...found.inertia, ...found.inverse]).toEqual(new Array(19).fill(0));
			expect(found.warning!.message).toContain("body 0 'it' was corrected");
			expect(found.warning!.prim).toBe('it');
		}
	});

	test('masses and inertias are lifted to the bounds, zero stays zero', () => {
		expect(finalize(set(0.1, eye(1)), { boundMass: 0.5 }).mass).toBe(0.5);
		expect(finalize(set(0, eye(0)), { boundMass: 0.5 })).toMatchObject({ mass: 0, warning: undefined });
		expect(finalize(set(1, eye(0.1)), { boundInertia: 0.5 }).inertia).toEqual(eye(0.5));
	});

	test('negative, singular and asymmetric tensors are repaired', () => {
		const lifted = finalize(set(1, eye(-0.1, 0.2, 0.25))).inertia;
		expect(lifted[0]).toBeGreaterThan(0);
		expect(lifted[4]! - lifted[0]!).toBeCloseTo(0.3, 12);
		expect(finalize(set(1, eye(0))).inertia.map((value) => Number(value.toPrecision(6)))).toEqual(eye(1.0001e-6));
		expect(finalize(set(1, [1, 0.2, 0, 0, 1, 0, 0, 0, 1])).inertia).toEqual([1, 0.1, 0, 0.1, 1, 0, 0, 0, 1]);
	});

	test('the triangle inequality is restored, or only reported', () => {
		const balanced = finalize(set(1, eye(1, 1, 3)));
		expect(balanced.inertia.filter((_, i) => i % 4 === 0)).toEqual(
			[2, 2, 4].map((value) => expect.closeTo(value + 1e-6, 9)),
		);
		const left = finalize(set(1, eye(1, 1, 3)), { balanceInertia: false });
		expect(left.inertia).toEqual(eye(1, 1, 3));
		expect(left.warning!.code).toBe('MODEL032');
	});

	test('a body of milligrams keeps its inertia, which Newton takes for none', () => {
		const builder = new ModelBuilder();
		const body = builder.addBody({ mass: 1e-6 });
		const tiny = [1e-11, 0, 0, 0, 2e-11, 0, 0, 0, 2.5e-11];
		builder.column('bodyInertia').set(tiny, 9 * body);
		expect(Array.from(builder.finalize().bodyInertia)).toEqual(tiny);
		expect(builder.finalize({ newtonCompat: true }).bodyInertia[0]).toBeGreaterThan(1e-6);
	});

	test('inverses are those of the corrected values', () => {
		const { inertia, inverse } = finalize(set(4, [2, 0.1, 0, 0.1, 2, 0, 0, 0, 2]));
		const product = [0, 1, 2].map((i) =>
			[0, 1, 2].map((j) => [0, 1, 2].reduce((sum, k) => sum + inertia[3 * i + k]! * inverse[3 * k + j]!, 0)),
		);
		for (const [i, value] of product.flat().entries()) expect(value).toBeCloseTo(i % 4 === 0 ? 1 : 0, 12);
	});
});
