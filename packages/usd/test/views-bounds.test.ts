import { describe, expect, it } from 'vitest';
import type { Stage } from '../src/usd/stage.ts';
import { BBoxCache, type BBoxOptions } from '../src/views/bbox-cache.ts';
import { computeExtent } from '../src/views/extent.ts';
import { computeEffectiveVisibility, computePurpose, computeVisibility } from '../src/views/imageable.ts';
import { primAt, reported, stageOf } from './views-stage.ts';

function bound(stage: Stage, path: string, options: BBoxOptions = {}): number[] | undefined {
	const box = new BBoxCache(options).worldBound(primAt(stage, path));
	const { min, max } = box.aligned();
	return box.isEmpty ? undefined : [...min, ...max].map((x) => Math.round(x * 1e5) / 1e5 + 0);
}

function extentOf(type: string, body: string): number[] | undefined {
	const extent = computeExtent(primAt(stageOf(`def ${type} "A"\n{\n${body}\n}`), '/A'));
	return extent && [...extent.min, ...extent.max].map((x) => Math.round(x * 1e5) / 1e5 + 0);
}

describe('extents of shapes', () => {
	it.each([
		['Sphere', 'double radius = 2', [2, 2, 2]],
		['Cube', 'double size = 3', [1.5, 1.5, 1.5]],
		['Capsule', 'double radius = 0.5\ndouble height = 2\nuniform token axis = "X"', [1.5, 0.5, 0.5]],
		['Cylinder', 'double radius = 0.5\ndouble height = 2\nuniform token axis = "Y"', [0.5, 1, 0.5]],
		['Cone', 'double radius = 0.5\ndouble height = 2', [0.5, 0.5, 1]],
		['Cylinder_1', 'double radiusTop = 0.25\ndouble radiusBottom = 0.5\ndouble height = 2', [0.5, 0.5, 1]],
		['Plane', 'double width = 2\ndouble length = 4\nuniform token axis = "X"', [0, 2, 1]],
		['SphereLight', 'float inputs:radius = 2', [2, 2, 2]],
		['RectLight', 'float inputs:width = 2\nfloat inputs:height = 4', [1, 2, 0]],
		['CylinderLight', 'float inputs:length = 4\nfloat inputs:radius = 1', [2, 1, 1]],
	])('%s', (type, body, max) => {
		expect(extentOf(type, body)).toEqual([...max.map((x) => 0 - x), ...max]);
	});

	it('a tapered capsule reaches beyond its radii', () => {
		const body = 'double radiusTop = 0.5\ndouble radiusBottom = 0.2\ndouble height = 1\nuniform token axis = "Z"';
		expect(extentOf('Capsule_1', body)).toEqual([-0.52202, -0.52202, -0.64881, 0.52202, 0.52202, 1.17202]);
	});

	it('points and curves take in their widths, meshes do not', () => {
		const points = 'point3f[] points = [(0, 0, 0), (1, 2, 3)]\n';
		expect(extentOf('Points', `${points}float[] widths = [1, 2]`)).toEqual([-0.5, -0.5, -0.5, 2, 3, 4]);
		expect(extentOf('BasisCurves', `${points}float[] widths = [1, 2]`)).toEqual([-1, -1, -1, 2, 3, 4]);
		expect(extentOf('Mesh', points)).toEqual([0, 0, 0, 1, 2, 3]);
		expect(extentOf('Points', `${points}float[] widths = [1, 2, 3]`)).toBeUndefined();
	});

	it('an authored extent counts before the shape, a broken one does not', () => {
		expect(extentOf('Sphere', 'float3[] extent = [(0, 0, 0), (1, 1, 1)]')).toEqual([0, 0, 0, 1, 1, 1]);
		expect(extentOf('Sphere', 'float3[] extent = [(0, 0, 0)]')).toEqual([-1, -1, -1, 1, 1, 1]);
	});
});

const SCENE = `def Xform "A"
{
	double3 xformOp:translate = (10, 0, 0)
	uniform token[] xformOpOrder = ["xformOp:translate"]
	def Sphere "shown"
	{
	}
	def Cube "proxy"
	{
		double size = 8
		uniform token purpose = "proxy"
	}
	def Cube "hidden"
	{
		double size = 20
		token visibility = "invisible"
	}
	def Material "m"
	{
	}
}`;

describe('bounds', () => {
	it('take in what is shown and of the purposes asked for', () => {
		const stage = stageOf(SCENE);
		expect(bound(stage, '/A')).toEqual([9, -1, -1, 11, 1, 1]);
		expect(bound(stage, '/A', { purposes: ['default', 'proxy'] })).toEqual([6, -4, -4, 14, 4, 4]);
		expect(bound(stage, '/A', { ignoreVisibility: true })).toEqual([0, -10, -10, 20, 10, 10]);
		// what is asked for itself counts though it is hidden
		expect(bound(stage, '/A/hidden')).toEqual([0, -10, -10, 20, 10, 10]);
	});

	it('use the hint of a model when asked to', () => {
		const stage = stageOf(`def Xform "A" (
	kind = "component"
	prepend apiSchemas = ["GeomModelAPI"]
)
{
	float3[] extentsHint = [(0, 0, 0), (1, 1, 1), (0, 0, 0), (2, 2, 2)]
	def Sphere "s"
	{
	}
}`);
		expect(bound(stage, '/A')).toEqual([-1, -1, -1, 1, 1, 1]);
		expect(bound(stage, '/A', { useExtentsHint: true })).toEqual([0, 0, 0, 1, 1, 1]);
		expect(bound(stage, '/A', { useExtentsHint: true, purposes: ['render'] })).toEqual([0, 0, 0, 2, 2, 2]);
	});

	it('of a component are tight in its own space', () => {
		const body = (kind: string) => `def Xform "A"${kind}
{
	float xformOp:rotateZ = 45
	uniform token[] xformOpOrder = ["xformOp:rotateZ"]
	def Cube "c"
	{
	}
	def Cube "d"
	{
		double3 xformOp:translate = (4, 0, 0)
		uniform token[] xformOpOrder = ["xformOp:translate"]
	}
}`;
		const half = Math.SQRT2;
		const loose = bound(stageOf(body('')), '/A')!;
		expect(loose[0]).toBeCloseTo(-half, 4);
		const inside = new BBoxCache();
		const stage = stageOf(body(' ( kind = "component" )'));
		const { min, max } = inside.untransformedBound(primAt(stage, '/A')).aligned();
		expect([...min, ...max].map((x) => Math.round(x * 1e9) / 1e9)).toEqual([-1, -1, -1, 5, 1, 1]);
	});

	it('of instances depend on the purpose that the instance passes on', () => {
		const stage = stageOf(`def "P"
{
	def Sphere "s"
	{
	}
}
def Xform "I" (
	instanceable = true
	references = </P>
)
{
}
def Xform "G" (
	instanceable = true
	references = </P>
)
{
	uniform token purpose = "guide"
}`);
		const cache = new BBoxCache();
		expect(cache.worldBound(primAt(stage, '/I')).isEmpty).toBe(false);
		expect(cache.worldBound(primAt(stage, '/G')).isEmpty).toBe(true);
	});

	it('of a point instancer hold its shown instances', () => {
		const stage = stageOf(`def PointInstancer "A"
{
	rel prototypes = </A/p>
	int[] protoIndices = [0, 0]
	point3f[] positions = [(0, 0, 0), (10, 0, 0)]
	int64[] invisibleIds = [1]
	def Sphere "p"
	{
	}
}`);
		expect(bound(stage, '/A')).toEqual([-1, -1, -1, 1, 1, 1]);
	});

	it('of a prototype that holds its own instancer end', () => {
		const stage = stageOf(`def Xform "R"
{
	def PointInstancer "A"
	{
		rel prototypes = </R>
		int[] protoIndices = [0]
		point3f[] positions = [(0, 0, 0)]
	}
}`);
		expect(bound(stage, '/R')).toBeUndefined();
		expect(reported(stage)).toEqual([]);
	});
});

describe('visibility and purpose', () => {
	const stage = stageOf(`def Xform "A" ( prepend apiSchemas = ["VisibilityAPI"] )
{
	uniform token guideVisibility = "visible"
	uniform token purpose = "guide"
	def Scope "B"
	{
		token visibility = "invisible"
		def Cube "C"
		{
		}
	}
	def "untyped"
	{
		def Cube "D"
		{
		}
		def Cube "E"
		{
			uniform token purpose = "render"
		}
	}
}
def Cube "F"
{
}`);

	it('come down from ancestors', () => {
		expect(computeVisibility(primAt(stage, '/A/B/C'))).toBe('invisible');
		expect(computeVisibility(primAt(stage, '/A/untyped/D'))).toBe('inherited');
		expect(computePurpose(primAt(stage, '/A/untyped/D'))).toBe('guide');
		expect(computePurpose(primAt(stage, '/A/untyped/E'))).toBe('render');
		expect(computePurpose(primAt(stage, '/F'))).toBe('default');
	});

	it('guides are hidden unless something shows them', () => {
		expect(computeEffectiveVisibility(primAt(stage, '/A/untyped/D'), 'guide')).toBe('visible');
		expect(computeEffectiveVisibility(primAt(stage, '/F'), 'guide')).toBe('invisible');
		expect(computeEffectiveVisibility(primAt(stage, '/A/B/C'), 'default')).toBe('invisible');
	});
});
