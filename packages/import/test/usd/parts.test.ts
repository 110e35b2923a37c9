import {
	type JointAxisConfig,
	JointType,
	ModelBuilder,
	SHAPE_CONFIG_DEFAULTS,
	type ShapeMesh,
} from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { SCHEMA_RESOLVER_EXTENDED } from '../../src/index.ts';
import { toTransformArray } from '../../src/transform-input.ts';
import { convertValue } from '../../src/usd/custom-values.ts';
import { asBool, asNumber, asNumbers, showValue } from '../../src/usd/plain-value.ts';
import { solrefGains } from '../../src/usd/resolvers/solref.ts';
import { splitCorners } from '../../src/usd/split-corners.ts';
import { sortEdges } from '../../src/usd/topology.ts';
import { UnitScale } from '../../src/usd/unit-scale.ts';
import { withLooks } from '../../src/usd/visuals.ts';
import { importText } from './usd-scene.ts';

const list = (values: ArrayLike<number>): number[] => Array.from(values);
const near = (values: ArrayLike<number>, expected: readonly number[]): void => {
	expect(values.length).toBe(expected.length);
	for (const [i, value] of expected.entries()) expect(values[i], `number ${i}`).toBeCloseTo(value, 9);
};

describe('plain values', () => {
	it('are numbers, truth values and lists', () => {
		expect(asNumber(7n)).toBe(7);
		expect(asNumber('7')).toBeUndefined();
		expect([asBool(true), asBool(0), asBool(2), asBool(0n), asBool('x')]).toEqual([
			true,
			false,
			true,
			false,
			undefined,
		]);
		expect(asNumbers([1, 2n])).toEqual([1, 2]);
		expect(asNumbers([1, 2], 3)).toBeUndefined();
		expect(asNumbers([1, 'x'])).toBeUndefined();
		expect(asNumbers(3)).toBeUndefined();
	});

	it('are shown in short', () => {
		expect(showValue(undefined)).toBe('no value');
		expect(showValue('a')).toBe("'a'");
		expect(showValue([1, [2, 'b']])).toBe("(1, (2, 'b'))");
		expect(showValue(Array.from({ length: 10 }, (_, i) => i))).toBe('(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)');
		expect(showValue(Array.from({ length: 11 }, (_, i) => i))).toBe('(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … 11 in all)');
		expect(showValue('x'.repeat(118))).toBe(`'${'x'.repeat(118)}'`);
		expect(showValue('x'.repeat(119))).toBe(`'${'x'.repeat(118)}…`);
	});

	it('of stages are what layers hold', () => {
		const declared = (type: string, value: string): unknown => {
			const scene = `def PhysicsScene "s" {\ncustom ${type} acme:x = ${value}\n}\n`;
			return importText(scene).result.sceneAttributes.get('acme:x');
		};
		expect(declared('half', '0.5')).toBe(0.5);
		expect(declared('half3', '(0.5, 1, 2)')).toEqual([0.5, 1, 2]);
		expect(declared('half[]', '[0.5, 1]')).toEqual([0.5, 1]);
		expect(declared('bool[]', '[true, false]')).toEqual([true, false]);
		expect(declared('int64', '5')).toEqual(5n);
		expect(declared('token[]', '["a", "b"]')).toEqual(['a', 'b']);
		expect(declared('double2[]', '[(1, 2), (3, 4)]')).toEqual([
			[1, 2],
			[3, 4],
		]);
		expect(declared('matrix2d', '((1, 2), (3, 4))')).toEqual([
			[1, 2],
			[3, 4],
		]);
		expect(declared('quatf', '(1, 2, 3, 4)')).toEqual([2, 3, 4, 1]);
	});
});

describe('values of declared attributes', () => {
	const convert = (type: string, value: unknown, more: object = {}): unknown =>
		convertValue(value as never, { name: 'x', type, frequency: 'body', owner: 'model', ...more } as never);

	it('have the declared type', () => {
		expect(convert('string', 'a')).toBe('a');
		expect(convert('string', 3)).toBeUndefined();
		expect(convert('bool', 1)).toBe(true);
		for (const type of ['i32', 'u32', 'i64']) {
			expect(convert(type, 3.7)).toBe(3);
			expect(convert(type, true)).toBe(1);
			expect(convert(type, 'x')).toBeUndefined();
		}
		for (const type of ['f32', 'f64']) {
			expect(convert(type, 3.5)).toBe(3.5);
			expect(convert(type, true)).toBe(1);
			expect(convert(type, 'x')).toBeUndefined();
		}
	});

	it.each([
		['vec2', 2],
		['vec3', 3],
		['vec4', 4],
		['vec5', 5],
		['vec6', 6],
		['vec10', 10],
		['vec2i', 2],
		['vec3i', 3],
		['vec4i', 4],
		['transform', 7],
		['mat22', 4],
		['mat33', 9],
		['mat44', 16],
	])('%s has %d numbers', (type, width) => {
		const numbers = Array.from({ length: width }, (_, i) => i + 1);
		expect(convert(type, numbers)).toEqual(numbers);
		expect(convert(type, [...numbers, 0])).toBeUndefined();
		expect(convert(type, numbers.slice(1))).toBeUndefined();
		expect(convert(type, [])).toBeUndefined();
		// MuJoCo's lists may be cut short
		const mujoco = { namespace: 'mujoco', default: numbers.map((x) => -x) };
		expect(convert(type, [9], mujoco)).toEqual([9, ...numbers.slice(1).map((x) => -x)]);
		expect(convert(type, [9], { namespace: 'mujoco', default: [7] })).toEqual([9, ...numbers.slice(1).map(() => 0)]);
		expect(convert(type, [9], { ...mujoco, namespace: 'acme' })).toBeUndefined();
		expect(convert(type, [9], { namespace: 'mujoco' })).toBeUndefined();
	});

	it('of rotations have length 1', () => {
		expect(convert('quat', [0, 0, 3, 4])).toEqual([0, 0, 0.6, 0.8]);
		expect(convert('quat', [0, 0, 0, 0])).toEqual([0, 0, 0, 1]);
		expect(
			convert('mat22', [
				[1, 2],
				[3, 4],
			]),
		).toEqual([1, 2, 3, 4]);
		expect(convert('vec3', 1)).toBeUndefined();
	});
});

describe('transforms of callers', () => {
	it('are arrays or parts, with a quaternion of length 1', () => {
		expect(list(toTransformArray([1, 2, 3, 0, 0, 3, 4]))).toEqual([1, 2, 3, 0, 0, 0.6, 0.8]);
		expect(list(toTransformArray({ p: [4, 5, 6] }))).toEqual([4, 5, 6, 0, 0, 0, 1]);
		expect(list(toTransformArray({ q: [0, 5, 0, 0] }))).toEqual([0, 0, 0, 0, 1, 0, 0]);
		expect(() => toTransformArray([1, 2, 3, 0, 0, 0, 0])).toThrow('expected a position and a quaternion x y z w');
		expect(() => toTransformArray([1, 2, 3])).toThrow('xform is [1, 2, 3]');
		expect(() => toTransformArray([1, 2, Number.NaN, 0, 0, 0, 1])).toThrow('xform is');
	});
});

describe('solref', () => {
	it('stands for gains', () => {
		const gains = solrefGains([0.1, 0.5])!;
		expect(gains.stiffness).toBeCloseTo(400, 9);
		expect(gains.damping).toBeCloseTo(20, 12);
		expect(solrefGains([-30, -4])).toEqual({ stiffness: 30, damping: 4 });
		for (const none of [[0, 0], [0, 1], [1, 0], [-1, 1], [1, -1], [-1, 0], [0, -1], [1], [], ['x', 1], [1, 'x'], 3]) {
			expect(solrefGains(none as never)).toBeUndefined();
		}
	});
});

describe('corners of one vertex', () => {
	const split = (degrees: readonly number[], uvs?: readonly number[]) => {
		const normals = degrees.flatMap((angle) => [
			Math.sin((angle * Math.PI) / 180) * 2,
			0,
			Math.cos((angle * Math.PI) / 180) * 2,
		]);
		return splitCorners(
			Float64Array.of(7, 8, 9),
			new Uint32Array(degrees.length),
			Float64Array.from(normals),
			uvs && Float64Array.from(uvs),
		);
	};

	it('part at 25 degrees from the mean of those before them', () => {
		expect(list(split([0, 24]).indices)).toEqual([0, 0]);
		expect(list(split([0, 26]).indices)).toEqual([0, 1]);
		// the mean of 0 and 24 is 12
		expect(list(split([0, 24, 36]).indices)).toEqual([0, 0, 0]);
		expect(list(split([0, 24, 38]).indices)).toEqual([0, 0, 1]);
		const { normals, vertices } = split([0, 20]);
		near(normals, [Math.sin(Math.PI / 18), 0, Math.cos(Math.PI / 18)]);
		expect(list(vertices)).toEqual([7, 8, 9]);
	});

	it('part where texture coordinates differ', () => {
		const { indices, uvs } = split([0, 0, 0, 0], [1, 2, 1, 2, 3, 2, 1, 4]);
		expect(list(indices)).toEqual([0, 0, 1, 2]);
		expect(list(uvs!)).toEqual([1, 2, 3, 2, 1, 4]);
	});

	it('without a direction have none', () => {
		const flat = splitCorners(Float64Array.of(0, 0, 0), Uint32Array.of(0), Float64Array.of(0, 0, 0), undefined);
		expect(list(flat.normals)).toEqual([0, 0, 0]);
	});
});

describe('order of joints', () => {
	it('is a walk from the root', () => {
		const edges = [
			[0, 1],
			[1, 3],
			[0, 2],
			[2, 4],
			[1, 5],
		] as const;
		expect(sortEdges(edges, 'dfs')).toEqual({ order: [0, 1, 4, 2, 3], reversed: [] });
		expect(sortEdges(edges, 'bfs')).toEqual({ order: [0, 2, 1, 4, 3], reversed: [] });
		expect(sortEdges([], 'dfs')).toEqual({ order: [], reversed: [] });
	});

	it('turns joints round, and names circles and parts that nothing connects', () => {
		const turned = [
			[-1, 0],
			[2, 0],
		] as const;
		for (const order of ['dfs', 'bfs'] as const) {
			expect(sortEdges(turned, order)).toMatchObject({ order: [0, 1], reversed: [1] });
			expect(sortEdges(turned, order).fault).toBeUndefined();
			expect(sortEdges([...turned, [0, 2]], order).fault).toEqual({
				kind: 'cycle',
				node: order === 'dfs' ? 0 : 2,
				edge: 2,
			});
			expect(
				sortEdges(
					[
						[0, 1],
						[2, 3],
					],
					order,
				),
			).toMatchObject({ order: [0], fault: { kind: 'several roots', node: 2 } });
		}
	});
});

describe('units', () => {
	const units = new UnitScale(0.1, 2);

	it('leave numbers alone where they are metres and kilograms', () => {
		const same = new UnitScale(1, 1);
		expect(same.isIdentity).toBe(true);
		expect(new UnitScale(1, 2).isIdentity).toBe(false);
		expect(new UnitScale(2, 1).isIdentity).toBe(false);
		expect(same.shapeConfig(SHAPE_CONFIG_DEFAULTS)).toBe(SHAPE_CONFIG_DEFAULTS);
		expect(units.toStageLength(3)).toBeCloseTo(30, 12);
	});

	it('turn defaults of shapes by their dimension', () => {
		const ones = {
			density: 1,
			ke: 1,
			kd: 1,
			kf: 1,
			ka: 1,
			muTorsional: 1,
			muRolling: 1,
			margin: 1,
			gap: 1,
			kh: 1,
			mu: 1,
		};
		const config = units.shapeConfig({ ...SHAPE_CONFIG_DEFAULTS, ...ones });
		// one metre is ten units, one kilogram half a unit
		expect(config.density).toBeCloseTo(0.5 / 1000, 12);
		for (const name of ['ke', 'kd', 'kf'] as const) expect(config[name]).toBeCloseTo(0.5, 12);
		for (const name of ['ka', 'muTorsional', 'muRolling', 'margin', 'gap'] as const)
			expect(config[name]).toBeCloseTo(10, 12);
		expect(config.kh).toBeCloseTo(0.5 / 100, 12);
		expect(config.mu).toBe(1);
		const open = units.shapeConfig({ ...SHAPE_CONFIG_DEFAULTS, gap: undefined } as never);
		expect(open.gap).toBeUndefined();
	});

	it('turn defaults of axes by their dimension', () => {
		const ones = { limitKe: 1, limitKd: 1, damping: 1, armature: 1, effortLimit: 1, velocityLimit: 1, friction: 1 };
		const linear = units.axisConfig(ones as JointAxisConfig, false);
		const angular = units.axisConfig(ones as JointAxisConfig, true);
		for (const name of ['limitKe', 'limitKd', 'damping', 'armature'] as const)
			expect(linear[name]).toBeCloseTo(0.5, 12);
		for (const name of ['effortLimit', 'friction'] as const) expect(linear[name]).toBeCloseTo(5, 12);
		expect(linear.velocityLimit).toBeCloseTo(10, 12);
		for (const name of ['limitKe', 'limitKd', 'damping', 'armature', 'effortLimit', 'friction'] as const)
			expect(angular[name]).toBeCloseTo(50, 9);
		expect(angular.velocityLimit).toBe(1);
	});

	it('turn rows that were added, and only those', () => {
		const ONES = [1, 1, 1, 1, 1, 1, 1];
		const builder = new ModelBuilder();
		const fill = (): number[] => {
			const bodies = [0, 1, 2, 3, 4].map(() =>
				builder.addLink({ xform: [1, 1, 1, 0, 0, 0, 1], mass: 1, com: [1, 1, 1] }),
			);
			const [a, b, c, d, e] = bodies as [number, number, number, number, number];
			builder.addShapeBox(a, {
				halfExtents: [1, 1, 1],
				xform: [1, 1, 1, 0, 0, 0, 1],
				config: { density: 0, margin: 1, gap: 1 },
			});
			const frames = { parentXform: [1, 1, 1, 0, 0, 0, 1], childXform: [1, 1, 1, 0, 0, 0, 1] };
			const free = builder.addJointFree({ child: a });
			const axis = {
				axis: [1, 0, 0],
				limitLower: -1,
				limitUpper: 1,
				velocityLimit: 1,
				targetKe: 1,
				targetKd: 1,
				damping: 1,
				limitKe: 1,
				limitKd: 1,
				armature: 1,
				effortLimit: 1,
				friction: 1,
			};
			const slide = builder.addJointPrismatic({ ...frames, parent: a, child: b, ...axis });
			const hinge = builder.addJointRevolute({ ...frames, parent: b, child: c, ...axis });
			const ball = builder.addJointBall({ ...frames, parent: c, child: d, damping: 1, armature: 1, friction: 1 });
			const rope = builder.addJointDistance({ ...frames, parent: d, child: e, minDistance: 1, maxDistance: 2 });
			builder.addConstraintMimic({ joint0: slide, joint1: hinge, coef0: 1, coef1: 1 });
			builder.addConstraintMimic({ joint0: hinge, joint1: slide, coef0: 1, coef1: 1 });
			builder.addEqualityConstraint({
				type: 'weld',
				body1: a,
				body2: b,
				anchor: [1, 1, 1],
				relpose: [1, 1, 1, 0, 0, 0, 1],
			});
			builder.addEqualityConstraint({ type: 'joint', joint1: slide, joint2: hinge, polycoef: [1, 1, 1, 1, 1] });
			builder.addEqualityConstraint({ type: 'joint', joint1: hinge, joint2: slide, polycoef: [1, 1, 1, 1, 1] });
			builder.addEqualityConstraint({ type: 'joint', joint1: slide, joint2: slide, polycoef: [1, 1, 1, 1, 1] });
			return [free, slide, hinge, ball, rope];
		};
		fill();
		const counts = () => ({
			body: builder.bodyCount,
			shape: builder.shapeCount,
			joint: builder.jointCount,
			equalityConstraint: builder.count('equalityConstraint'),
			constraintMimic: builder.count('constraintMimic'),
		});
		const first = counts();
		fill();
		for (const name of ['jointQ', 'jointQd', 'jointTargetQ', 'jointTargetQd', 'bodyQd', 'bodyInertia'] as const)
			builder.column(name).fill(1);
		const NAMES = [
			'bodyQ',
			'bodyQd',
			'bodyCom',
			'bodyMass',
			'bodyInertia',
			'shapeTransform',
			'shapeScale',
			'shapeMargin',
			'shapeGap',
			'shapeMaterialKe',
			'shapeMaterialKh',
			'shapeMaterialMu',
			'shapeMaterialMuTorsional',
			'jointXP',
			'jointXC',
			'jointQ',
			'jointTargetQ',
			'jointQd',
			'jointTargetQd',
			'jointLimitLower',
			'jointLimitUpper',
			'jointVelocityLimit',
			'jointTargetKe',
			'jointTargetKd',
			'jointDamping',
			'jointLimitKe',
			'jointLimitKd',
			'jointArmature',
			'jointEffortLimit',
			'jointFriction',
			'equalityConstraintAnchor',
			'equalityConstraintRelpose',
			'equalityConstraintPolycoef',
			'constraintMimicCoef0',
			'constraintMimicCoef1',
		] as const;
		const before = new Map(NAMES.map((name) => [name, list(builder.column(name))]));
		units.convert(builder, first, new Set());
		const ratio = (name: (typeof NAMES)[number]): number[] => {
			const old = before.get(name)!;
			const now = list(builder.column(name));
			const half = now.length / 2;
			expect(now.slice(0, half), name).toEqual(old.slice(0, half));
			return now.slice(half).map((x, i) => (old[half + i] === 0 ? 1 : Number((x / old[half + i]!).toPrecision(9))));
		};
		const poses = [0.1, 0.1, 0.1, 1, 1, 1, 1];
		expect(ratio('bodyQ')).toEqual(Array(5).fill(poses).flat());
		expect(ratio('bodyQd')).toEqual(Array(5).fill([0.1, 0.1, 0.1, 1, 1, 1]).flat());
		expect(ratio('bodyCom')).toEqual(Array(15).fill(0.1));
		expect(ratio('bodyMass')).toEqual(Array(5).fill(2));
		expect(ratio('bodyInertia')).toEqual(Array(45).fill(0.02));
		expect(ratio('shapeTransform')).toEqual(poses);
		expect(ratio('shapeScale')).toEqual([0.1, 0.1, 0.1]);
		expect([
			ratio('shapeMargin'),
			ratio('shapeGap'),
			ratio('shapeMaterialKe'),
			ratio('shapeMaterialMu'),
			ratio('shapeMaterialMuTorsional'),
		]).toEqual([[0.1], [0.1], [2], [1], [0.1]]);
		expect(ratio('shapeMaterialKh')).toEqual([200]);
		// free, slide, hinge, ball, distance; frames of the free joint are those of the world
		expect(ratio('jointXP').slice(7)).toEqual(Array(4).fill(poses).flat());
		expect(ratio('jointXC').slice(7)).toEqual(Array(4).fill(poses).flat());
		const [three, four, six] = [Array(3).fill(1), Array(4).fill(1), [0.1, 0.1, 0.1, 1, 1, 1]];
		expect(ratio('jointQ')).toEqual([...[0.1, 0.1, 0.1], ...four, 0.1, 1, ...four, ...[0.1, 0.1, 0.1], ...four]);
		expect(ratio('jointTargetQ')).toEqual(ratio('jointQ'));
		expect(ratio('jointQd')).toEqual([...six, 0.1, 1, ...three, ...six]);
		expect(ratio('jointTargetQd')).toEqual([...ONES.slice(1), 0.1, 1, ...three, ...ONES.slice(1)]);
		const axes = (name: (typeof NAMES)[number]): number[] => ratio(name).slice(6, 11);
		expect(axes('jointLimitLower')).toEqual([0.1, 1, 1, 1, 1]);
		expect(axes('jointLimitUpper')).toEqual([0.1, 1, 1, 1, 1]);
		expect(axes('jointVelocityLimit')).toEqual([0.1, 1, 1, 1, 1]);
		for (const name of ['jointTargetKe', 'jointTargetKd', 'jointLimitKe', 'jointLimitKd'] as const)
			expect(axes(name), name).toEqual([2, 0.02, 1, 1, 1]);
		for (const name of ['jointDamping', 'jointArmature'] as const)
			expect(axes(name), name).toEqual([2, 0.02, 0.02, 0.02, 0.02]);
		expect(axes('jointEffortLimit')).toEqual([0.2, 0.02, 1, 1, 1]);
		expect(axes('jointFriction')).toEqual([0.2, 0.02, 0.02, 0.02, 0.02]);
		expect(ratio('equalityConstraintAnchor').slice(0, 3)).toEqual([0.1, 0.1, 0.1]);
		expect(ratio('equalityConstraintRelpose').slice(0, 7)).toEqual(poses);
		expect(ratio('equalityConstraintPolycoef').slice(5)).toEqual([
			...Array(5).fill(0.1),
			...[1, 10, 100, 1000, 10000],
			...[0.1, 1, 10, 100, 1000],
		]);
		expect(ratio('constraintMimicCoef0')).toEqual([0.1, 1]);
		expect(ratio('constraintMimicCoef1')).toEqual([0.1, 10]);
		expect(builder.column('jointType')[5]).toBe(JointType.FREE);
		// settings that are in SI already stay; their state does not
		const given = counts();
		const [, slide] = fill();
		builder.column('jointQd').fill(1);
		units.convert(builder, given, new Set([slide!]));
		const dof = builder.column('jointQdStart')[slide!]!;
		expect(builder.column('jointVelocityLimit')[dof]).toBe(1);
		expect(builder.column('jointQd')[dof]).toBeCloseTo(0.1, 12);
	});
});

describe('looks of meshes', () => {
	const mesh = { vertices: Float64Array.of(0, 0, 0), indices: Uint32Array.of() };

	it('are what the material says and nothing else', () => {
		expect(withLooks(mesh, {})).toStrictEqual(mesh);
		const whole = { color: [1, 0, 0], metallic: 0.1, roughness: 0.2 } as const;
		expect(withLooks(mesh, whole)).toStrictEqual({ ...mesh, ...whole });
		const texture = { file: 'a.png' };
		expect(withLooks(mesh, { ...whole, texture })).toStrictEqual({ ...mesh, ...whole, texture, color: [1, 1, 1] });
		expect(withLooks(mesh, { texture })).toStrictEqual({ ...mesh, texture, color: [1, 1, 1] });
	});
});

describe('faces with dents', () => {
	it('are divided where a fan would leave them', () => {
		// a quadrilateral with a dent at the third corner, behind a triangle, and a convex one
		const text = `def Mesh "m" {
	point3f[] points = [(9, 9, 9), (9, 9, 8), (9, 8, 8), (0, 0, 0), (4, 0, 0), (1, 1, 0), (0, 4, 0), (2, 2, 0)]
	int[] faceVertexCounts = [3, 4, 4, 4]
	int[] faceVertexIndices = [0, 1, 2, 4, 5, 6, 3, 3, 4, 5, 6, 3, 4, 7, 6]
}
`;
		const { builder } = importText(text);
		const { indices, vertices } = builder.edits.shapeSource(0) as ShapeMesh;
		expect(indices.length).toBe(3 * 7);
		const area = (triangle: number): number => {
			const [a, b, c] = [0, 1, 2].map((k) =>
				vertices.subarray(3 * indices[3 * triangle + k]!, 3 * indices[3 * triangle + k]! + 3),
			);
			return ((b![0]! - a![0]!) * (c![1]! - a![1]!) - (b![1]! - a![1]!) * (c![0]! - a![0]!)) / 2;
		};
		// dart of area 4, twice: no triangle is turned over; a square of area 8
		for (const [first, total] of [
			[1, 4],
			[3, 4],
			[5, 8],
		] as const) {
			expect(area(first)).toBeGreaterThan(0);
			expect(area(first + 1)).toBeGreaterThan(0);
			expect(area(first) + area(first + 1)).toBeCloseTo(total, 9);
		}
		// Newton takes every face as convex
		const trusting = importText(text, { newtonCompat: true }).builder.edits.shapeSource(0) as ShapeMesh;
		expect(list(trusting.indices.slice(3, 9))).toEqual([4, 5, 6, 4, 6, 3]);
	});
});

describe('sheared meshes', () => {
	it('weigh as much as they hold', () => {
		const { builder } = importText(`def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
	float physics:density = 6
	def Mesh "m" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {
		point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
		int[] faceVertexCounts = [3, 3, 3, 3]
		int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
		matrix4d xformOp:transform = ((1, 0, 0, 0), (0.5, 2, 0, 0), (0, 0, 3, 0), (1, 2, 3, 1))
		uniform token[] xformOpOrder = ["xformOp:transform"]
	}
}
`);
		// a sixth of the determinant
		expect(builder.column('bodyMass')[0]).toBeCloseTo(6, 6);
		// the mean of the corners as they are placed
		near(
			list(builder.column('bodyCom')).map((x) => Math.round(x * 1e6) / 1e6),
			[1 + 1.5 / 4, 2 + 2 / 4, 3 + 3 / 4],
		);
	});
});

describe('extended physics', () => {
	it('gives friction about the normal and of rolling', () => {
		expect(SCHEMA_RESOLVER_EXTENDED).toEqual({
			name: 'ext_physics',
			mapping: {
				material: {
					mu_torsional: { name: 'ext_physics:material:torsionalFriction', default: 0.25 },
					mu_rolling: { name: 'ext_physics:material:rollingFriction', default: 0.0005 },
				},
			},
		});
	});
});

describe('joints that were merged', () => {
	const cube = (name: string, x: number): string =>
		`def Cube "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {\ndouble3 xformOp:translate = (${x}, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]\n}\n`;
	const joint = (name: string, kind: string, axis: string, from: string, to: string): string =>
		`def Physics${kind}Joint "${name}" {\nrel physics:body0 = </r/${from}>\nrel physics:body1 = </r/${to}>\nuniform token physics:axis = "${axis}"\npoint3f physics:localPos0 = (1, 0, 0)\nfloat physics:lowerLimit = -1\nfloat physics:upperLimit = 2\n}\n`;

	it('and lead from child to parent threw an error', () => {
		const { builder, findings } = importText(
			`def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {\n${cube('a', 0)}${cube('b', 1)}${cube('c', 2)}` +
				`def PhysicsFixedJoint "held" {\nrel physics:body1 = </r/a>\n}\n${joint('ac', 'Revolute', 'X', 'a', 'c')}` +
				`${joint('slide', 'Prismatic', 'X', 'b', 'c')}${joint('turn', 'Revolute', 'Y', 'b', 'c')}${joint('last', 'Revolute', 'Z', 'b', 'c')}}\n`,
		);
		expect(findings).toEqual(['IMP027 /r']);
		const [, , merged] = list(builder.column('jointType'));
		expect(merged).toBe(JointType.D6);
		expect(builder.labels('body')[builder.column('jointParent')[2]!]).toBe('/r/c');
		expect(builder.labels('body')[builder.column('jointChild')[2]!]).toBe('/r/b');
		// axes look the other way, and turns come in the other order than written
		expect(list(builder.column('jointAxis').slice(-9)).map((x) => x + 0)).toEqual([-1, 0, 0, 0, 0, -1, 0, -1, 0]);
		expect(list(builder.column('jointXC').slice(14, 17))).toEqual([1, 0, 0]);
		expect(list(builder.column('jointXP').slice(14, 17))).toEqual([0, 0, 0]);
	});
});

describe('types of joints as the samples of the specification name them', () => {
	it.each(['RevoluteJoint', 'PrismaticJoint', 'FixedJoint', 'SphericalJoint', 'DistanceJoint'])('%s', (type) => {
		const body = 'def Cube "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {\n}\n';
		const { findings, builder, result } = importText(`${body}def ${type} "j" {\nrel physics:body1 = </a>\n}\n`);
		expect(findings).toEqual(['IMP093 /j']);
		expect(result.pathJointMap.has('/j')).toBe(true);
		const plain = importText(`${body}def Physics${type} "j" {\nrel physics:body1 = </a>\n}\n`);
		expect(list(builder.column('jointType'))).toEqual(list(plain.builder.column('jointType')));
	});
});

describe('hollow shapes', () => {
	const hollow = (more: string, options: object = {}) =>
		importText(
			`def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "NewtonCollisionAPI"]) {\ndouble size = 2\ntoken newton:massModel = "shell"\n${more}\n}\n`,
			options,
		);

	it('whose wall is thicker than half of them threw an error', () => {
		const { builder, findings } = hollow('float newton:shellThickness = 3');
		expect(findings).toEqual(['IMP041 /b']);
		expect(builder.column('bodyMass')[0]).toBe(0);
		expect(builder.shapeCount).toBe(1);
	});

	it('weigh as much as their wall', () => {
		const { builder, findings } = hollow('float newton:shellThickness = 0.25');
		expect(findings).toEqual([]);
		expect(builder.column('bodyMass')[0]).toBeCloseTo(1000 * (8 - 1.5 ** 3), 6);
		expect(hollow('float newton:shellThickness = -1').findings).toEqual(['IMP036 /b.newton:shellThickness']);
	});
});
