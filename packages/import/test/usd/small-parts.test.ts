import type { ShapeMesh } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { materialTraits } from '../../src/mesh/material-traits.ts';
import { stretchMesh } from '../../src/usd/shear.ts';
import { importText } from './usd-scene.ts';

describe('a mesh that is stretched', () => {
	const triangle: ShapeMesh = {
		vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
		indices: Uint32Array.of(0, 1, 2),
		normals: Float64Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
	};

	it('has its points times the matrix, rows first, and no normals', () => {
		const { vertices, indices, normals } = stretchMesh(triangle, Float64Array.of(2, 0.5, 0, 0, 3, 0, 0, 0, 4));
		expect([...vertices]).toEqual([0, 0, 0, 2, 0.5, 0, 0, 3, 0]);
		expect([...indices]).toEqual([0, 1, 2]);
		expect(normals).toBeUndefined();
	});

	it('is turned over when it is mirrored, so that it still faces outwards', () => {
		const { vertices, indices } = stretchMesh(triangle, Float64Array.of(-1, 0, 0, 0, 1, 0, 0, 0, 1));
		expect([...vertices]).toEqual([-0, 0, 0, -1, 0, 0, 0, 1, 0].map((x) => x + 0));
		expect([...indices]).toEqual([2, 1, 0]);
		expect([...triangle.indices]).toEqual([0, 1, 2]);
	});
});

describe('the look of a mesh file', () => {
	it('has no more than the material says', () => {
		expect(materialTraits({ color: [0.2, 0.4, 0.6] }, 'obj', false)).toStrictEqual({ color: [0.2, 0.4, 0.6] });
		expect(materialTraits(undefined, 'obj', false)).toStrictEqual({});
		expect(materialTraits(undefined, 'obj', true)).toStrictEqual({ color: [0.4, 0.4, 0.4] });
	});
});

describe('errors of composition', () => {
	const body = (name: string): string => `def Cube "${name}" (references = @missing-${name}.usda@</x>) {}`;
	const said = (text: string): string[] =>
		importText(text)
			.result.report.toArray()
			.filter(({ code }) => code === 'IMP001')
			.map(({ message }) => message);

	it('are counted in one finding', () => {
		expect(said(body('a'))).toEqual(['the stage has one composition error; what could be composed is imported']);
		expect(said(`${body('a')}\n${body('b')}`)).toEqual([
			'the stage has 2 composition errors; what could be composed is imported',
		]);
		expect(said('def Cube "a" {}')).toEqual([]);
	});
});

describe('the ledger of collision groups', () => {
	it('says that their members became pairs that do not touch', () => {
		const { result } = importText(
			`
def Cube "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
def PhysicsCollisionGroup "g" (prepend apiSchemas = ["CollectionAPI:colliders"]) {
	rel collection:colliders:includes = </a>
	bool physics:invertFilteredGroups = true
}`,
			{ keepLedger: true },
		);
		const row = result.ledger
			.entries()
			.find(({ path, name }) => path === '/g' && name === 'physics:invertFilteredGroups');
		expect(row).toMatchObject({ class: 'used', targets: ['filter_pairs'] });
	});
});
