import { JointType, ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { SolverSap } from '../src/index.ts';
import { EnvelopeMatrix } from '../src/internal.ts';
import { writeContactFrame } from '../src/sap/contact-frame.ts';
import { ContactMaterials, MaterialPart } from '../src/sap/contact-materials.ts';
import { groupByWorld } from '../src/sap/group-by-world.ts';
import { massDiagonal } from '../src/sap/mass-diagonal.ts';
import { SapStop } from '../src/sap/sap-newton.ts';
import { resolveSapOptions } from '../src/sap/sap-options.ts';
import { SapProblem } from '../src/sap/sap-problem.ts';
import { addBall, boxInertia, describeEngines, ENGINES, makeBuilder, ofMaterial, Runner } from './make-scene.ts';

describe('items by world', () => {
	it('come after the worlds when they belong to none, but join an only world', () => {
		const items = [2, -1, 0, 2].map((world, id) => ({ world, id }));
		const idsOf = (groups: { id: number }[][]): number[][] => groups.map((group) => group.map(({ id }) => id));
		expect(idsOf(groupByWorld(items, 3))).toEqual([[2], [], [0, 3], [1]]);
		const few = [0, -1].map((world, id) => ({ world, id }));
		expect(idsOf(groupByWorld(few, 1))).toEqual([[0, 1], []]);
		expect(idsOf(groupByWorld(few, 0))).toEqual([[0, 1], []]);
		expect(idsOf(groupByWorld(few, 2))).toEqual([[0], [], [1]]);
	});
});

describe('an envelope matrix', () => {
	it('keeps entries apart when it is used again with other sizes', () => {
		const matrix = new EnvelopeMatrix(1, 1);
		for (const size of [1, 5, 2, 40, 3]) {
			matrix.reset(size);
			for (let i = 0; i < size; i++) matrix.widen(i, i % 3 === 0 ? 0 : i);
			// a row is never narrowed
			for (let i = 0; i < size; i++) matrix.widen(i, i);
			matrix.layOut();
			let count = 0;
			for (let i = 0; i < size; i++) count += i % 3 === 0 ? i + 1 : 1;
			expect(matrix.count).toBe(count);
			expect(matrix.size).toBe(size);
			for (let i = 0; i < size; i++) {
				for (let j = matrix.first[i]!; j <= i; j++) {
					expect(matrix.get(i, j)).toBe(0);
					matrix.values[matrix.base[i]! + j] = 100 * i + j + 1;
				}
			}
			for (let i = 0; i < size; i++) {
				for (let j = 0; j <= i; j++) {
					const value = i === j || i % 3 === 0 ? 100 * i + j + 1 : 0;
					expect([matrix.get(i, j), matrix.get(j, i)]).toEqual([value, value]);
				}
			}
		}
		expect(() => matrix.get(3, 0)).toThrow(RangeError);
		expect(() => matrix.get(0, 3)).toThrow(RangeError);
		expect(() => matrix.get(-1, 0)).toThrow(RangeError);
	});

	it('multiplies vectors, one or two at once, whatever its rows reach back to', () => {
		for (const firsts of [[0], [0, 0], [0, 1], [0, 0, 0, 0], [0, 0, 2, 0], [0, 1, 1, 3, 1, 1, 1], [0, 1, 0, 1, 0, 0]]) {
			const size = firsts.length;
			const matrix = new EnvelopeMatrix(1, 1);
			matrix.reset(size);
			for (const [i, first] of firsts.entries()) matrix.widen(i, first);
			matrix.layOut();
			for (const [i, first] of firsts.entries())
				for (let j = first; j <= i; j++) matrix.values[matrix.base[i]! + j] = 10 * i + j + 1;
			const x = Float64Array.from(firsts, (_, i) => i + 1);
			const y = Float64Array.from(firsts, (_, i) => 2 - 3 * i);
			const product = (v: Float64Array): number[] =>
				firsts.map((_, i) => firsts.reduce((sum, __, j) => sum + matrix.get(i, j) * v[j]!, 0));
			const [one, outX, outY] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
			matrix.multiply(x, one);
			matrix.multiplyTwo(x, y, outX, outY);
			expect([[...one], [...outX], [...outY]]).toEqual([product(x), product(x), product(y)]);
		}
	});

	it('reads entries of another array', () => {
		const values = Float64Array.of(9, 4, 1, 5);
		const matrix = new EnvelopeMatrix(1, 1);
		matrix.view(values, 2);
		matrix.first.set([0, 0]);
		matrix.base.set([1, 2]);
		expect([matrix.get(0, 0), matrix.get(1, 0), matrix.get(1, 1)]).toEqual([4, 1, 5]);
	});
});

describe('a problem', () => {
	it('keeps what was added while it grows, and starts anew without it', () => {
		const problem = new SapProblem();
		for (let turn = 0; turn < 2; turn++) {
			const count = 70;
			problem.reset(count);
			problem.mass.layOut();
			expect([problem.contactCount, problem.rowCount, problem.dofCount]).toEqual([0, 0, count]);
			problem.vStar.fill(1, 0, count);
			for (let i = 0; i < count; i++) {
				expect(problem.addContact(0.01 * i)).toBe(i);
				problem.contactRt[i] = i + 1;
				problem.contactRn[i] = i + 2;
				problem.contactVHat[3 * i + 1] = i;
				problem.addContactColumn(i, 1, 2, i);
				if (i > 0) problem.addContactColumn(i, -1, 0, 1);
				let row = problem.addUnitRow(i);
				expect(row).toBe(2 * i);
				expect(problem.rowStart[row + 1]! - problem.rowStart[row]!).toBe(1);
				problem.rowR[row] = i + 3;
				problem.rowVHat[row] = -i;
				row = problem.addRow(-i, i);
				problem.rowR[row] = i + 4;
				for (let k = 0; k < 3; k++) problem.addRowColumn(k, k + i);
			}
			const v = Float64Array.from({ length: count }, (_, i) => i + 1);
			problem.computeVelocities(v);
			problem.computeChanges(Float64Array.from(v, (value) => 10 * value));
			const expected: number[] = [];
			for (let i = 0; i < count; i++) {
				const x = i + 1;
				const second = i > 0 ? x : 0;
				expected.push(x - second, 2 * x, i * x + second);
				expect(problem.contactMu[i]).toBe(0.01 * i);
				expect(problem.contactBound[i]).toBeLessThan(0);
				expect([problem.contactRt[i], problem.contactRn[i]]).toEqual([i + 1, i + 2]);
				expect([...problem.contactVHat.subarray(3 * i, 3 * i + 3)]).toEqual([0, i, 0]);
				expect([problem.rowR[2 * i], problem.rowR[2 * i + 1]]).toEqual([i + 3, i + 4]);
				expect([problem.rowVHat[2 * i], problem.rowVHat[2 * i + 1]]).toEqual([i === 0 ? -0 : -i, 0]);
				expect([problem.rowLower[2 * i + 1], problem.rowUpper[2 * i + 1]]).toEqual([i === 0 ? -0 : -i, i]);
				expect([problem.rowVelocity[2 * i], problem.rowVelocity[2 * i + 1]]).toEqual([
					x,
					i + 2 * (1 + i) + 3 * (2 + i),
				]);
				expect(problem.rowChange[2 * i + 1]).toBe(10 * problem.rowVelocity[2 * i + 1]!);
			}
			expect([...problem.contactVelocity.subarray(0, 3 * count)]).toEqual(expected);
			expect([...problem.contactChange.subarray(0, 3 * count)]).toEqual(expected.map((value) => 10 * value));
			problem.advanceVelocities({ alpha: 0.5 });
			expect([...problem.contactVelocity.subarray(0, 3 * count)]).toEqual(expected.map((value) => 6 * value));
			expect(problem.rowVelocity[139]).toBe(6 * (69 + 2 * 70 + 3 * 71));
		}
	});

	it('has room for columns that are written in place', () => {
		const problem = new SapProblem();
		problem.reset(500);
		problem.addContact(0);
		problem.addContactColumn(3, 4, 5, 6);
		problem.reserveContactColumns(400);
		expect(problem.contactColumn.length).toBeGreaterThanOrEqual(401);
		expect(problem.contactJacobian.length).toBe(3 * problem.contactColumn.length);
		expect([problem.contactColumn[0], ...problem.contactJacobian.subarray(0, 3)]).toEqual([3, 4, 5, 6]);
		const { length } = problem.contactColumn;
		problem.reserveContactColumns(length - 1);
		expect(problem.contactColumn.length).toBe(length);
	});
});

describe('the diagonal of the mass matrix', () => {
	it('is that of the reference, whatever the coordinates', () => {
		const builder = makeBuilder();
		// x, then two hinges about z with arms of 0.5: the second one stretched out at the reference
		const add = (mass: number, com: readonly number[]): number =>
			builder.addLink({ mass, com, inertia: boxInertia(mass, 0.1, 0.2, 0.3), lockInertia: true });
		for (const mass of [1, 2]) {
			const [cart, upper, lower] = [add(mass, [0, 0, 0]), add(2 * mass, [0.25, 0, 0]), add(3 * mass, [0.2, 0, 0])];
			const upperJoint = { parent: cart, child: upper, axis: 'z' } as const;
			const lowerJoint = { parent: upper, child: lower, axis: 'z', parentXform: { p: [0.5, 0, 0] } } as const;
			builder.addArticulation([
				builder.addJointPrismatic({ child: cart, axis: 'x', armature: 0.4 }),
				builder.addJointRevolute({ ...upperJoint, armature: 0.07 }),
				builder.addJointRevolute(lowerJoint),
			]);
		}
		const bob = builder.addLink({ mass: 2, com: [0, 0, -1], inertia: boxInertia(2, 0.3, 0.2, 0.1), lockInertia: true });
		builder.addArticulation([builder.addJointBall({ child: bob })]);
		// turned by a right angle about z: floating bodies stay where they are
		const q = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
		const inertia = boxInertia(3, 0.3, 0.2, 0.1);
		const free = builder.addBody({ mass: 3, inertia, lockInertia: true, xform: { q } });
		builder.addShapeSphere(free, { radius: 0.1 });
		const model = builder.finalize({ keepInertia: true });
		expect(model.jointType[6]).toBe(JointType.BALL);
		model.jointQ.set([3, 1, 2, 0.5, -1, 1]);
		model.jointQ.set([0.6, 0.8, 0, 0], 6);
		const expected: number[] = [];
		for (const mass of [1, 2]) {
			const about = (m: number): number => (m / 12) * (0.01 + 0.04);
			const low = about(3 * mass) + 3 * mass * 0.04;
			const up = about(2 * mass) + 2 * mass * 0.0625 + about(3 * mass) + 3 * mass * 0.49;
			expected.push(6 * mass + 0.4, up + 0.07, low);
		}
		const [ix, iy, iz] = [0.05, 0.1, 0.13].map((sum) => sum / 6);
		expected.push(ix! + 2, iy! + 2, iz!, 3, 3, 3, 1.5 * iy!, 1.5 * ix!, 1.5 * iz!);
		const found = massDiagonal(model);
		expect(found.length).toBe(expected.length);
		for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 12);
	});
});

describe('the diagonal of a floating body behind a hinge', () => {
	it('is that of the place where it is', () => {
		const builder = makeBuilder();
		const link = builder.addLink({ mass: 1, com: [0.5, 0, 0], inertia: boxInertia(1, 0, 0, 0), lockInertia: true });
		builder.addArticulation([builder.addJointRevolute({ child: link, axis: 'z' })]);
		const q = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
		builder.addBody({ mass: 3, inertia: [1, 0, 0, 0, 2, 0, 0, 0, 3], lockInertia: true, xform: { p: [1, 2, 3], q } });
		const found = massDiagonal(builder.finalize({ keepInertia: true }));
		for (const [i, value] of [0.25, 3, 3, 3, 2, 1, 3].entries()) expect(found[i]).toBeCloseTo(value, 12);
	});
});

describe('the diagonal of a ball joint', () => {
	it('is that of no turn, however it starts', () => {
		const builder = makeBuilder();
		const link = builder.addLink({ mass: 2, inertia: [1, 0, 0, 0, 2, 0, 0, 0, 4], lockInertia: true });
		builder.addArticulation([builder.addJointBall({ child: link })]);
		const model = builder.finalize({ keepInertia: true });
		// a third of a turn about the diagonal would take x to y, y to z and z to x
		model.jointQ.set([0.5, 0.5, 0.5, 0.5]);
		for (const [i, value] of [1, 2, 4].entries()) expect(massDiagonal(model)[i]).toBeCloseTo(value, 12);
	});
});

/** Material of a pair. */
function combined(
	materials: ContactMaterials,
	a: number,
	b: number,
): Record<'mu' | 'stiffness' | 'tau' | 'share', number> {
	const out = new Float64Array(MaterialPart.COUNT + 1);
	materials.combine(a, b, out, 1);
	const part = (which: number): number => out[1 + which]!;
	return {
		mu: part(MaterialPart.MU),
		stiffness: part(MaterialPart.STIFFNESS),
		tau: part(MaterialPart.TAU),
		share: part(MaterialPart.SHARE),
	};
}

describe('contact materials', () => {
	const balls = (materials: readonly { ke: number; tau: number; mu: number }[]): ModelBuilder => {
		const builder = makeBuilder();
		for (const [i, material] of materials.entries()) addBall(builder, 0.1, 1, [i, 0, 0], material);
		return builder;
	};
	const INFINITE = Number.POSITIVE_INFINITY;

	it('combine: stiffness in series, relaxation added, friction by the harmonic mean', () => {
		const model = balls([
			{ ke: 100, tau: 0.1, mu: 0.5 },
			{ ke: 300, tau: 0.03, mu: 0.25 },
			{ ke: 50, tau: 0, mu: 0 },
		]).finalize();
		const materials = new ContactMaterials(model, resolveSapOptions({ fallbackStiffness: 700 }));
		const of = (a: number, b: number): number[] => {
			const { mu, stiffness, tau, share } = combined(materials, a, b);
			return [stiffness, share, tau, mu];
		};
		const close = (found: readonly number[], expected: readonly number[]): void => {
			for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 12);
		};
		close(of(0, 1), [75, 0.75, 0.13, 1 / 3]);
		close(of(1, 0), [75, 0.25, 0.13, 1 / 3]);
		close(of(2, 2), [25, 0.5, 0, 0]);
		close(of(0, 2), [100 / 3, 1 / 3, 0.1, 0]);
		// what is no shape has the fallbacks: the least friction there is, the first relaxation time
		close(of(0, -1), [87.5, 0.875, 0.2, 1 / 3]);
		expect(materials.largestMu).toBe(0.5);
		expect(materials.longestTau).toBe(0.1);
	});

	it('fall back for what shapes leave out', () => {
		const model = balls([
			{ ke: 0, tau: -1, mu: 0.2 },
			{ ke: INFINITE, tau: INFINITE, mu: 0.6 },
			{ ke: 400, tau: 0.05, mu: 0.4 },
		]).finalize();
		const materials = new ContactMaterials(model, resolveSapOptions({ fallbackStiffness: 600, contactTauD: 0.01 }));
		expect([materials.largestMu, materials.longestTau]).toEqual([0.6, 0.05]);
		expect(combined(materials, 0, 1)).toMatchObject({ stiffness: 300, tau: 0.02 });
		expect(combined(materials, 1, 2)).toMatchObject({ stiffness: 240, tau: 0.01 + 0.05 });
		// 2 · 0.2 · 0.2 / 0.4: the smallest positive friction of a shape
		expect(combined(materials, -1, 0).mu).toBeCloseTo(0.2, 14);
		const own = new ContactMaterials(model, resolveSapOptions({ fallbackMu: 0.9, contactTauD: 0.5 }));
		expect(combined(own, -1, -1)).toMatchObject({ mu: 0.9, tau: 1, stiffness: 0.5e10 });
		expect([own.largestMu, own.longestTau]).toEqual([0.9, 0.5]);
	});

	it('have a friction of 0.1 where no shape has any, and no relaxation where none is declared', () => {
		const model = balls([{ ke: 1, tau: -1, mu: 0 }]).finalize();
		const materials = new ContactMaterials(model, resolveSapOptions({}));
		expect([materials.largestMu, materials.longestTau]).toEqual([0.1, 0]);
		expect(combined(materials, -1, -1).mu).toBeCloseTo(0.1, 14);
		expect(combined(materials, -1, -1).tau).toBe(0);
		expect(combined(materials, 0, 0)).toMatchObject({ mu: 0, tau: 0 });
	});
});

describe('materials of a model without the attributes of SolverSap', () => {
	it('have the relaxation time of the options', () => {
		const builder = new ModelBuilder();
		builder.addShapeSphere(-1, { radius: 1, config: { ke: 100, mu: 0.5 } });
		const materials = new ContactMaterials(builder.finalize(), resolveSapOptions({ contactTauD: 0.25 }));
		expect(combined(materials, 0, 0)).toMatchObject({ stiffness: 50, tau: 0.5, mu: 0.5 });
		expect(materials.longestTau).toBe(0.25);
	});
});

describe('options', () => {
	it('name three presets', () => {
		const modes = (contactPresetVariant: 'approx32' | 'approx64' | 'drake'): unknown[] => {
			const o = resolveSapOptions({ contactPresetVariant });
			return [
				[o.contactWeightMode, o.contactPointMode, o.positionIntegration, o.useF64BoundaryPose],
				[o.freeMotionSolvePrecision, o.contactLinearSolvePrecision, o.sapContactWeightPrecision],
				o.newton.singleFactor,
			];
		};
		expect(modes('approx32')).toEqual([
			['body_inertia', 'witness_point', 'midpoint', false],
			['fp32', 'fp32', 'fp32'],
			true,
		]);
		expect(modes('approx64')).toEqual([
			['body_inertia', 'witness_point', 'midpoint', true],
			['fp64', 'fp64', 'fp64'],
			false,
		]);
		expect(modes('drake')).toEqual([
			['diag_delassus', 'contact_midpoint', 'sap_euler', true],
			['fp64', 'fp64', 'fp64'],
			false,
		]);
	});

	it('have the defaults of Drake', () => {
		const { newton, ...rest } = resolveSapOptions({});
		expect(rest).toMatchObject({
			contactPresetVariant: 'drake',
			fallbackMu: undefined,
			fallbackStiffness: 1e10,
			contactBeta: 1,
			contactSigma: 1e-3,
			contactTauD: undefined,
			loopTau: 0,
			initialGuess: 'previous_velocity',
			enforceVelocityLimits: false,
			frictionModel: 'cone',
			gyroscopicTerms: 'implicit',
		});
		expect(newton).toEqual({
			maxIterations: 100,
			optimalityAbsTol: 1e-14,
			optimalityRelTol: 1e-6,
			costAbsTol: 1e-30,
			costRelTol: 1e-15,
			lineSearchVariant: 'exact_root',
			lineSearchMaxIterations: 100,
			armijoC: 1e-4,
			rho: 0.8,
			lineSearchRelativeSlop: 1000 * 2 ** -52,
			diagShift: 0,
			softNorm: 1e-7,
			singleFactor: false,
			frictionDirection: 'foreseen',
		});
		expect(SapStop).toEqual({ OPTIMAL: 0, COST: 1, STALLED: 2, ITERATIONS: 3, BROKEN: 4 });
	});

	it('override one by one, and an undefined one is as if it were absent', () => {
		const given = {
			contactWeightMode: 'diag_delassus',
			contactPointMode: 'contact_midpoint',
			positionIntegration: 'sap_euler',
			useF64BoundaryPose: true,
			freeMotionSolvePrecision: 'fp64',
			contactLinearSolvePrecision: 'fp64',
			sapContactWeightPrecision: 'fp64',
			fallbackMu: 0.3,
			fallbackStiffness: 5,
			contactBeta: 0,
			contactSigma: 0.5,
			contactTauD: 0.25,
			loopTau: 0.125,
			initialGuess: 'free_motion',
			enforceVelocityLimits: true,
			frictionModel: 'lagged',
			gyroscopicTerms: 'explicit',
		} as const;
		const found = resolveSapOptions({ contactPresetVariant: 'approx32', maxIterations: 7, rho: 0.5, ...given });
		expect(found).toMatchObject(given);
		expect(found.newton).toMatchObject({ maxIterations: 7, rho: 0.5, armijoC: 1e-4, singleFactor: false });
		const absent = Object.fromEntries(Object.keys(given).map((key) => [key, undefined]));
		expect(resolveSapOptions(absent)).toEqual(resolveSapOptions({}));
	});

	it('that make no sense are refused by name', () => {
		for (const name of [
			'contactPresetVariant',
			'contactWeightMode',
			'contactPointMode',
			'positionIntegration',
			'freeMotionSolvePrecision',
			'contactLinearSolvePrecision',
			'sapContactWeightPrecision',
			'initialGuess',
			'frictionModel',
			'gyroscopicTerms',
			'frictionDirection',
			'lineSearchVariant',
		]) {
			expect(() => resolveSapOptions({ [name]: 'x' })).toThrow(new RegExp(`^${name} is 'x'`));
		}
		for (const name of ['fallbackStiffness', 'contactBeta', 'contactSigma', 'loopTau']) {
			expect(() => resolveSapOptions({ [name]: -1 })).toThrow(new RegExp(`^${name} is -1`));
			expect(() => resolveSapOptions({ [name]: 0 })).not.toThrow();
		}
		for (const rho of [0, 1, Number.NaN]) expect(() => resolveSapOptions({ rho })).toThrow(/^rho is/);
	});
});

describe('the frame of a contact', () => {
	it.each([
		[0.1, 0.5, 0.8],
		[0.5, 0.1, 0.8],
		[0.5, 0.8, 0.1],
		[-0.1, -0.5, 0.8],
		[-0.5, 0.1, -0.8],
		[0.5, -0.8, -0.1],
		[1, 0, 0],
		[0, 1, 0],
		[0, 0, -1],
		[0.3, 0.3, 0.3],
	])(
		'on the normal %d %d %d is orthonormal, right-handed, and its first tangent crosses the least component',
		(x, y, z) => {
			const length = Math.hypot(x, y, z);
			const normal = [x, y, z].map((value) => value / length);
			const out = new Float64Array(11);
			writeContactFrame(out, 1, Float64Array.of(9, 9, ...normal), 2);
			expect([out[0], out[10]]).toEqual([0, 0]);
			const rows = [0, 1, 2].map((row) => [...out.subarray(1 + 3 * row, 4 + 3 * row)]);
			const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, v, k) => sum + v * b[k]!, 0);
			for (let i = 0; i < 3; i++) {
				for (let j = 0; j < 3; j++) expect(dot(rows[i]!, rows[j]!)).toBeCloseTo(i === j ? 1 : 0, 14);
			}
			const [a, b, c] = rows as [number[], number[], number[]];
			expect(c).toEqual(normal);
			for (let k = 0; k < 3; k++) {
				const [i, j] = [(k + 1) % 3, (k + 2) % 3];
				expect(a[i]! * b[j]! - a[j]! * b[i]!).toBeCloseTo(c[k]!, 14);
			}
			const sizes = normal.map(Math.abs);
			expect(a[sizes.indexOf(Math.min(...sizes))]).toBe(0);
		},
	);
});

describeEngines('the search for velocities', () => {
	it('begins at those of the step before or at those of free motion', () => {
		const builder = makeBuilder();
		addBall(builder, 0.1, 1, [0, 0, 0.09], { ke: 1e4, tau: 0, mu: 0 });
		builder.addShapePlane({ width: 0, length: 0, ...ofMaterial({ ke: 1e4, tau: 0, mu: 0 }) });
		for (const [initialGuess, speed] of [
			['previous_velocity', 0.25],
			['free_motion', 0.25 - 0.01 * 9.81],
		] as const) {
			const runner = new Runner(builder, { initialGuess, maxIterations: 0 });
			runner.state.jointQd[2] = 0.25;
			runner.step(0.01);
			expect(runner.contacts.rigidCount).toBe(1);
			expect(runner.state.jointQd[2]).toBeCloseTo(speed, 14);
			expect(runner.solver.outcome.stop[0]).toBe(SapStop.ITERATIONS);
		}
	});
});

describe('worlds that are left out of a step', () => {
	it.each(ENGINES)('keep the coordinates that stood in the output, by %s', (engine) => {
		const one = makeBuilder();
		const link = one.addLink({ mass: 1, com: [0.2, 0, 0], inertia: boxInertia(1, 0.1, 0.1, 0.1), lockInertia: true });
		one.addArticulation([one.addJointRevolute({ child: link, axis: 'y' })]);
		const all = makeBuilder();
		all.replicate(one, { count: 8 });
		const model = all.finalize({ keepInertia: true });
		const solver = new SolverSap(model, { engine });
		const [from, to] = [model.createState(), model.createState()];
		to.jointQ.fill(7);
		const mask = new Uint8Array(8);
		mask[2] = 1;
		solver.step(from, to, undefined, undefined, 0.01, { mask });
		expect([...to.jointQ].map((q) => q === 7)).toEqual([true, true, false, true, true, true, true, true]);
	});
});
