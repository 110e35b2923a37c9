import { principalInertia } from '@manyworlds/core/internal';
import { describe, expect, it } from 'vitest';
import { multiply3, rotationOf, transpose3 } from '../../src/fix/engine/linear.ts';
import { fixMemory, openMemory } from './memory-asset.ts';

function reconstruct(moments: Float64Array, axes: Float64Array): Float64Array {
	const r = rotationOf(axes);
	const d = Float64Array.of(moments[0]!, 0, 0, 0, moments[1]!, 0, 0, 0, moments[2]!);
	return multiply3(multiply3(transpose3(r), d), r);
}

describe('principalInertia', () => {
	it('reconstructs random, degenerate and tiny tensors to 1e-9 of their size', () => {
		let seed = 1;
		const next = (): number => {
			seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
			return seed / 0x40000000 - 1;
		};
		for (let i = 0; i < 2000; i++) {
			const q = Float64Array.of(next(), next(), next(), next());
			const moments =
				i % 4 === 0 ? [1, 1, 1 + 1e-13 * next()] : i % 4 === 1 ? [2, 2, 3] : [next() + 2, next() + 2, next() + 2];
			const scale = i % 3 === 0 ? 1e-9 : i % 3 === 1 ? 1 : 1e4;
			const tensor = reconstruct(
				Float64Array.from(moments, (x) => x * scale),
				q,
			);
			const { moments: found, axes } = principalInertia(tensor);
			const back = reconstruct(found, axes);
			expect(Math.hypot(...axes)).toBeCloseTo(1, 12);
			expect(Math.max(...back.map((x, k) => Math.abs(x - tensor[k]!)))).toBeLessThan(1e-9 * scale * 3);
		}
	});

	it('keeps a diagonal tensor as it is', () => {
		const { moments, axes } = principalInertia(Float64Array.of(3, 0, 0, 0, 1, 0, 0, 0, 2));
		expect(moments).toEqual(Float64Array.of(3, 1, 2));
		expect(axes).toEqual(Float64Array.of(0, 0, 0, 1));
	});
});

describe('F17', () => {
	const text = `#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "B" (
    prepend apiSchemas = ["PhysicsRigidBodyAPI", "NewtonMassAPI"]
)
{
    double[] newton:inertia = [2, 2, 2.5, 0.5, 0, 0] # xx, yy, zz, xy, xz, yz
    float physics:mass = 1
}
`;

	it('moves six numbers into moments and axes and keeps the tensor', () => {
		const { after, messages } = fixMemory({ 'a.usda': text }, 'a.usda', { only: ['F17'] });
		expect(messages).toEqual([]);
		const prim = openMemory(after, 'a.usda').stage.prim('/B')!;
		expect(prim.authoredPropertyNames()).not.toContain('newton:inertia');
		const moments = prim.attribute('physics:diagonalInertia').get()!.data as Float32Array;
		const axes = prim.attribute('physics:principalAxes').get()!.data as Float32Array;
		const back = reconstruct(Float64Array.from(moments), Float64Array.from(axes));
		for (const [k, x] of [2, 0.5, 0, 0.5, 2, 0, 0, 0, 2.5].entries()) expect(back[k]).toBeCloseTo(x, 6);
		expect(fixMemory(after, 'a.usda', { only: ['F17'] }).files).toEqual([]);
	});

	it('refuses moments that no body has', () => {
		const wrong = text.replace('[2, 2, 2.5, 0.5, 0, 0]', '[1, 1, 5, 0, 0, 0]');
		expect(fixMemory({ 'a.usda': wrong }, 'a.usda', { only: ['F17'] }).messages.join()).toContain('belong to no body');
	});
});
