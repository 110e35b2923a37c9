import { createBox, solidMass } from '@manyworlds/mesh';
import { groupsCollide } from '@manyworlds/model/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileMasks } from '../../src/mjcf/collision-masks.ts';
import { mujocoMeshMass } from '../../src/mjcf/mesh-mass.ts';

describe('collision masks', () => {
	test('groups and extra pairs let exactly those shapes meet that the masks let meet', () => {
		const mask = fc.integer({ min: 0, max: 7 });
		const shapes = fc.array(fc.tuple(mask, mask), { minLength: 1, maxLength: 12 });
		const pairs = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 10 });
		fc.assert(
			fc.property(shapes, pairs, (list, filters) => {
				const filtered = filters.filter(([a, b]) => a < list.length && b < list.length && a !== b);
				const types = list.map(([type]) => type);
				const affinities = list.map(([, affinity]) => affinity);
				const { groups, excluded } = compileMasks(types, affinities, filtered);
				const apart = new Set([...filtered, ...excluded].map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`));
				for (let a = 0; a < list.length; a++) {
					for (let b = a + 1; b < list.length; b++) {
						if (filtered.some(([x, y]) => (x === a && y === b) || (x === b && y === a))) continue;
						const meets = (types[a]! & affinities[b]!) !== 0 || (types[b]! & affinities[a]!) !== 0;
						expect(groupsCollide(groups[a]!, groups[b]!) && !apart.has(`${a} ${b}`)).toBe(meets);
					}
				}
			}),
			{ seed: 3, numRuns: 300 },
		);
	});

	test('no other groups of the kinds of shapes need fewer extra pairs, nor as many with fewer groups', () => {
		const mask = fc.integer({ min: 0, max: 3 });
		fc.assert(
			fc.property(fc.array(fc.tuple(mask, mask), { minLength: 2, maxLength: 5 }), (list) => {
				const kinds = [...new Set(list.map((own) => own.join()))];
				const meets = (a: readonly [number, number], b: readonly [number, number]): boolean =>
					(a[0] & b[1]) !== 0 || (b[0] & a[1]) !== 0;
				/** Extra pairs of an assignment of groups to kinds; none may be missing. */
				const cost = (groups: readonly number[]): number => {
					let extra = 0;
					for (const [i, a] of list.entries()) {
						for (const b of list.slice(i + 1)) {
							const collide = groupsCollide(groups[kinds.indexOf(a.join())]!, groups[kinds.indexOf(b.join())]!);
							if (meets(a, b) && !collide) return Number.POSITIVE_INFINITY;
							if (!meets(a, b) && collide) extra++;
						}
					}
					return extra;
				};
				let least = Number.POSITIVE_INFINITY;
				let fewest = Number.POSITIVE_INFINITY;
				const size = (groups: ArrayLike<number>): number =>
					new Set(Array.from(groups).filter((group) => group !== 0)).size;
				// what has bits in its masks stays in some group, for shapes that come later
				const labels = [1, -1, -2, -3, -4, -5];
				for (let code = 0; code < labels.length ** kinds.length; code++) {
					const groups = kinds.map((kind, i) =>
						kind === '0,0' ? 0 : labels[Math.floor(code / labels.length ** i) % labels.length]!,
					);
					const own = cost(groups);
					if (own < least) fewest = Number.POSITIVE_INFINITY;
					least = Math.min(least, own);
					if (own === least) fewest = Math.min(fewest, size(groups));
				}
				const { groups, excluded } = compileMasks(
					list.map(([type]) => type),
					list.map(([, affinity]) => affinity),
					[],
				);
				expect(excluded.length).toBe(least);
				expect(size(groups)).toBe(fewest);
				// one positive group at most, which is 1, and negative ones without gaps
				expect(Math.max(...groups)).toBeLessThanOrEqual(1);
				const negative = new Set(groups.filter((group) => group < 0));
				expect(Math.min(0, ...groups)).toBe(-negative.size + 0);
			}),
			{ seed: 5, numRuns: 60 },
		);
	});

	test('plain masks need no pairs', () => {
		expect(compileMasks([1, 1, 0], [1, 1, 0], [])).toEqual({ groups: Int32Array.of(1, 1, 0), excluded: [] });
	});
});

describe('masses of meshes', () => {
	test('all methods agree on a box, the shell has its area', () => {
		const box = createBox(1, 2, 3);
		for (const method of ['legacy', 'exact', 'convex'] as const) {
			const mass = mujocoMeshMass(box, method);
			expect(mass.mass).toBeCloseTo(48, 9);
			const right = solidMass(box).inertia;
			mass.inertia.forEach((value, i) => {
				expect(value).toBeCloseTo(right[i]!, 9);
			});
		}
		expect(mujocoMeshMass(box, 'shell').mass).toBeCloseTo(88, 9);
	});
});
