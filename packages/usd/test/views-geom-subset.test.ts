import { describe, expect, it } from 'vitest';
import {
	geomSubsets,
	isSubsetFamilyValid,
	subsetFamilyNames,
	subsetFamilyType,
	unassignedIndices,
} from '../src/views/geom-subset.ts';
import { primAt, reported, stageOf } from './views-stage.ts';

function mesh(second: string, familyType: string): string {
	return `def Mesh "A"
{
	int[] faceVertexCounts = [3, 3, 3]
	uniform token subsetFamily:parts:familyType = "${familyType}"
	def GeomSubset "a"
	{
		uniform token familyName = "parts"
		int[] indices = [0, 1]
	}
	def GeomSubset "b"
	{
		uniform token familyName = "parts"
		int[] indices = ${second}
	}
	def GeomSubset "other"
	{
		uniform token elementType = "point"
		int[] indices = [7]
	}
	def Xform "no"
	{
	}
}`;
}

describe('subsets', () => {
	it('are found by element and family', () => {
		const prim = primAt(stageOf(mesh('[2]', 'partition')), '/A');
		expect(geomSubsets(prim).map((subset) => [subset.prim.name, subset.elementType, subset.familyName])).toEqual([
			['a', 'face', 'parts'],
			['b', 'face', 'parts'],
			['other', 'point', ''],
		]);
		expect(geomSubsets(prim, { elementType: 'point' })).toHaveLength(1);
		expect(subsetFamilyNames(prim)).toEqual(['parts']);
		expect(subsetFamilyType(prim, 'parts')).toBe('partition');
		expect(subsetFamilyType(prim, 'unheard')).toBe('unrestricted');
	});

	it.each([
		['[2]', 'partition', true],
		['[]', 'partition', false],
		['[1, 2]', 'partition', false],
		['[]', 'nonOverlapping', true],
		['[1]', 'nonOverlapping', false],
		['[1]', 'unrestricted', true],
		['[3]', 'unrestricted', false],
		['[-1]', 'unrestricted', false],
	])('with %s make a %s family: %s', (second, type, isValid) => {
		const stage = stageOf(mesh(second, type));
		expect(isSubsetFamilyValid(primAt(stage, '/A'), 'face', 'parts')).toBe(isValid);
		expect(reported(stage).length > 0).toBe(!isValid);
	});

	it('leave elements over', () => {
		const prim = primAt(stageOf(mesh('[]', 'nonOverlapping')), '/A');
		expect(Array.from(unassignedIndices(prim, 'face', 'parts'))).toEqual([2]);
	});
});
