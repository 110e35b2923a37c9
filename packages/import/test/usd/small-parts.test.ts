import { ModelBuilder, type ShapeMesh } from '@manyworlds/model';
import { openLayer, Path } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { materialTraits } from '../../src/mesh/material-traits.ts';
import { cloneBuilder } from '../../src/usd/clone-builder.ts';
import { layUnder } from '../../src/usd/expand-instancers.ts';
import { originOf } from '../../src/usd/origins.ts';
import { stretchMesh } from '../../src/usd/shear.ts';
import { importText, openUsd } from './usd-scene.ts';

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

describe('data that is laid under other data', () => {
	it('adds what the other does not have, and defines what the other does not', () => {
		const dataOf = (text: string) =>
			openLayer(new TextEncoder().encode(`#usda 1.0\n${text}`), { identifier: 'a.usda' })!.data;
		const data = dataOf('over "a" {\nint x = 1\nover "b" {\n}\n}\nclass "k" {\n}\n');
		layUnder(data, dataOf('def "a" {\nint x = 2\nint y = 3\ndef "b" {\n}\nover "c" {\n}\n}\ndef "k" {\n}\n'));
		const field = (path: string, name: string): unknown => data.field(Path.parse(path)!, name)?.data;
		expect(['/a', '/a/b', '/a/c', '/k'].map((path) => field(path, 'specifier'))).toEqual([
			'def',
			'def',
			'over',
			'class',
		]);
		expect([field('/a.x', 'default'), field('/a.y', 'default')]).toEqual([1, 3]);
		// a word that is no specifier stays
		const spoken = dataOf('def "a" (kind = "over") {\ntoken t = "over"\n}\n');
		layUnder(spoken, dataOf('def "a" (kind = "group") {\ntoken t = "def"\n}\n'));
		const [kind, token] = [spoken.field(Path.parse('/a')!, 'kind'), spoken.field(Path.parse('/a.t')!, 'default')];
		expect([kind?.data, token?.data]).toEqual(['over', 'over']);
		expect([field('/a', 'primChildren'), field('/a', 'properties')]).toEqual([
			['b', 'c'],
			['x', 'y'],
		]);
	});
});

describe('a copy of a builder', () => {
	it('has its settings and what is in it', () => {
		const limits = { boundMass: 0.25, boundInertia: 0.125, rigidContactsPerWorld: 17 };
		for (const given of [{}, limits]) {
			const builder = new ModelBuilder({
				upAxis: 'y',
				rigidGap: 0.5,
				balanceInertia: false,
				defaultShapeConfig: { mu: 0.75 },
				defaultJointConfig: { damping: 0.375 },
				...given,
			});
			builder.addBody({ label: 'b', mass: 3 });
			const copy = cloneBuilder(builder);
			const settings = (one: ModelBuilder): unknown[] => [
				[one.upAxis, one.contactDefaults, one.rigidGap, one.balanceInertia],
				[one.boundMass, one.boundInertia, one.rigidContactsPerWorld],
				[one.defaultShapeConfig, one.defaultJointConfig],
			];
			expect(settings(copy)).toEqual(settings(builder));
			expect(copy.column('bodyMass')[0]).toBe(3);
		}
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

describe('where a number comes from', () => {
	it('is the attribute with its value, or the default of its schema where there is one', () => {
		const stage = openUsd('def Xform "a" (prepend apiSchemas = ["PhysicsMassAPI"]) {\nfloat physics:mass = 2\n}\n');
		const prim = stage.prim('/a')!;
		expect(originOf(prim, 'physics:mass', 'so it is', 'so it is not')).toEqual({
			source: 'authored',
			path: '/a',
			name: 'physics:mass',
			value: '2',
			why: 'physics:mass is authored: so it is',
		});
		expect(originOf(prim, 'physics:density', 'so it is', 'so it is not')).toEqual({
			source: 'schema default',
			path: '/a',
			name: 'physics:density',
			value: '0',
			why: 'so it is not',
		});
		expect(originOf(prim, 'of:nobody', 'so it is', 'so it is not')).toEqual({
			source: 'schema default',
			path: '/a',
			name: 'of:nobody',
			why: 'so it is not',
		});
	});
});
