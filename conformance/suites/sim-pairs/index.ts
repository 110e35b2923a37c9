import { ShapeDistance } from '@manyworlds/sim/internal';
import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { Findings } from '../model-dynamics/findings.ts';
import { type GoldenPair, goldenPairs } from './pair-file.ts';
import { outsideBy, placeShape, reachOf, sizeOf } from './place-shape.ts';

/** Signed distances of pairs of convex shapes. */
export const simPairs: Suite = {
	name: 'sim/pairs',
	description: 'files of format drake-contact-pairs/1: pairs of shapes with reference distances and normals',
	defaultDir: 'oracle/golden/drake',
	groups: [
		{
			name: 'distance',
			description: 'signed distance, normal, witness points, and the same with the shapes swapped',
			tolerance:
				'distance 1e-6 of the larger size (1e-9 between spheres, boxes, half-spaces and convex polytopes); unique normals 1e-4 rad, or better by the definition',
			timeLimit: 5,
			*cases(context: SuiteContext): Generator<Case> {
				for (const { name, pair } of goldenPairs(context.dir)) yield { name, run: () => checkPair(pair) };
			},
		},
	],
};

const EXACT: ReadonlySet<string> = new Set(['sphere', 'box', 'half_space', 'convex']);

function checkPair(pair: GoldenPair): Outcome {
	const findings = new Findings();
	const { reference } = pair;
	const size = Math.max(sizeOf(pair.a), sizeOf(pair.b));
	const isExact = EXACT.has(pair.a.shape.type) && EXACT.has(pair.b.shape.type);
	const bound = (isExact ? 1e-9 : 1e-6) * size;
	const a = placeShape(pair.a);
	const b = placeShape(pair.b);
	const result = new ShapeDistance();
	for (const isSwapped of [false, true]) {
		const where = isSwapped ? 'swapped: ' : '';
		if (isSwapped) result.compute(b, a);
		else result.compute(a, b);
		const { distance } = result;
		const sign = isSwapped ? -1 : 1;
		const normal = [sign * result.nx, sign * result.ny, sign * result.nz];
		findings.close(`${where}distance`, [distance], [reference.distance], bound);
		findings.close(`${where}length of the normal`, [Math.hypot(...normal)], [1], 1e-12);
		// where surfaces just touch, the direction between them is rounding
		if (reference.unique_normal && Math.abs(reference.distance) > 1e-9 * size) {
			const angle = angleBetween(normal, reference.normal_ab);
			// of two directions the one along which the shapes overlap less is right: that is the definition of the distance,
			// which the file's directions meet to within 2e-9 of the size
			const gain = widthOf(pair, reference.normal_ab) - widthOf(pair, normal);
			const isBetter = gain >= 0 && gain <= 1e-8 * size;
			if (!(angle <= 1e-4) && !isBetter) findings.add(`${where}normal is ${angle} rad off`);
		}
		const [pa, pb] = isSwapped ? [result.pointB, result.pointA] : [result.pointA, result.pointB];
		const across = [0, 1, 2].map((k) => pb[k]! - pa[k]!);
		findings.close(
			`${where}witness points`,
			across,
			normal.map((n) => n * distance),
			1e-9 * (size + Math.abs(distance)),
		);
		// on both surfaces: not outside, and as far out along the normal as the shapes reach
		for (const [label, placed, point] of [
			['a', pair.a, pa],
			['b', pair.b, pb],
		] as const) {
			const outside = outsideBy(placed, point);
			if (!(outside <= bound)) findings.add(`${where}witness point on ${label} is ${outside} outside of it`);
			const inside = outsideBy(
				placed,
				Float64Array.from(point, (x, k) => x + 4 * bound * (label === 'a' ? 1 : -1) * normal[k]!),
			);
			if (!(inside >= -bound)) findings.add(`${where}witness point on ${label} is below its surface`);
		}
	}
	return findings.outcome();
}

/** Overlap of the shapes along a direction from a to b. */
function widthOf(pair: GoldenPair, normal: readonly number[]): number {
	return (
		reachOf(pair.a, normal) +
		reachOf(
			pair.b,
			normal.map((x) => -x),
		)
	);
}

/** By the sine for small angles, where cosines round to 1. */
function angleBetween(a: readonly number[], b: readonly number[]): number {
	const [x, y, z] = [0, 1, 2].map((i) => {
		const j = (i + 1) % 3;
		const k = (i + 2) % 3;
		return a[j]! * b[k]! - a[k]! * b[j]!;
	}) as [number, number, number];
	return Math.atan2(Math.hypot(x, y, z), a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!);
}
