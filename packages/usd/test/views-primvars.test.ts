import { describe, expect, it } from 'vitest';
import {
	findPrimvar,
	findPrimvarWithInheritance,
	inheritablePrimvars,
	primvars,
	primvarsWithInheritance,
} from '../src/views/primvars.ts';
import { primAt, reported, stageOf } from './views-stage.ts';

const TREE = `def Xform "A"
{
	color3f[] primvars:displayColor = [(1, 0, 0)] ( interpolation = "constant" )
	float[] primvars:weights = [1, 2] ( interpolation = "vertex" )
	float primvars:plain = 1
	float primvars:empty
	def Xform "B"
	{
		float primvars:plain = None
		float[] primvars:weights = [1] ( interpolation = "constant" )
		def Mesh "C"
		{
			texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1)] ( interpolation = "faceVarying" )
			int[] primvars:st:indices = [2, 1, 0, 2]
			float[] primvars:weights = [3] ( interpolation = "uniform" )
		}
	}
}`;

describe('primvars', () => {
	it('know their name, interpolation and element size', () => {
		const stage = stageOf(TREE);
		const st = findPrimvar(primAt(stage, '/A/B/C'), 'st')!;
		expect([st.name, st.typeName, st.interpolation, st.elementSize, st.isIndexed]).toEqual([
			'st',
			'texCoord2f[]',
			'faceVarying',
			1,
			true,
		]);
		expect(findPrimvar(primAt(stage, '/A'), 'plain')!.interpolation).toBe('constant');
		expect(findPrimvar(primAt(stage, '/A'), 'st')).toBeUndefined();
		expect(findPrimvar(primAt(stage, '/A/B/C'), 'primvars:st:indices')).toBeUndefined();
	});

	it('are flattened by their indices', () => {
		const st = findPrimvar(primAt(stageOf(TREE), '/A/B/C'), 'st')!;
		expect(Array.from(st.flattened()!.data as Float32Array)).toEqual([1, 1, 1, 0, 0, 0, 1, 1]);
	});

	it('are flattened in elements of several values', () => {
		const stage = stageOf(`def Mesh "A"
{
	int[] primvars:joints = [1, 2, 3, 4] ( elementSize = 2 )
	int[] primvars:joints:indices = [1, 0]
	string[] primvars:names = ["a", "b"]
	int[] primvars:names:indices = [1, 1, 0]
}`);
		const prim = primAt(stage, '/A');
		expect(Array.from(findPrimvar(prim, 'joints')!.flattened()!.data as Int32Array)).toEqual([3, 4, 1, 2]);
		expect(findPrimvar(prim, 'names')!.flattened()!.data).toEqual(['b', 'b', 'a']);
	});

	it('report indices out of range and give zeros there', () => {
		const stage = stageOf(`def Mesh "A"
{
	float[] primvars:x = [5, 6]
	int[] primvars:x:indices = [1, 2, -1, 0]
}`);
		expect(Array.from(findPrimvar(primAt(stage, '/A'), 'x')!.flattened()!.data as Float32Array)).toEqual([6, 0, 0, 5]);
		expect(reported(stage)).toEqual(['VIEW002 /A.primvars:x']);
	});
});

describe('inherited primvars', () => {
	it('are the constant ones; others stop the search', () => {
		const stage = stageOf(TREE);
		const mesh = primAt(stage, '/A/B/C');
		const names = (path: string) =>
			primvarsWithInheritance(primAt(stage, path))
				.map(({ attribute }) => attribute.path.toString())
				.sort();
		expect(names('/A/B/C')).toEqual([
			'/A.primvars:displayColor',
			'/A.primvars:plain',
			'/A/B/C.primvars:st',
			'/A/B/C.primvars:weights',
		]);
		expect(
			inheritablePrimvars(mesh)
				.map(({ name }) => name)
				.sort(),
		).toEqual(['displayColor', 'plain']);
		expect(findPrimvarWithInheritance(mesh, 'displayColor')!.prim.path.toString()).toBe('/A');
		expect(findPrimvarWithInheritance(mesh, 'none')).toBeUndefined();
		expect(primvars(primAt(stage, '/A')).map(({ name }) => name)).toContain('empty');
	});

	it('that vary over a surface are not taken from above', () => {
		const stage = stageOf(`def Xform "A"
{
	float primvars:x = 1
	def Xform "B"
	{
		float[] primvars:x = [2] ( interpolation = "vertex" )
		def Xform "C"
		{
		}
	}
}`);
		expect(findPrimvarWithInheritance(primAt(stage, '/A/B/C'), 'x')).toBeUndefined();
	});
});
