import { XformCache } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { type Files, fixMemory, openMemory } from './memory-asset.ts';

const HEAD = '#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n';
const LIBRARY = `#usda 1.0
def Mesh "part" {
float3[] extent = [(0, 0, 0), (100, 200, 300)]
int[] faceVertexCounts = [3, 3, 3, 3]
int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
normal3f[] normals = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 0, 1)]
point3f[] points = [(0, 0, 0), (100, 0, 0), (0, 200, 0), (0, 0, 300)]
}
`;

function asset(...stacks: string[]): Files {
	const part = (stack: string, i: number): string =>
		`def Mesh "p${i}" (references = @./lib.usda@</part>) {\n${stack}\n}\n`;
	return { 'a.usda': `${HEAD}def Xform "R" {\n${stacks.map(part).join('')}}\n`, 'lib.usda': LIBRARY };
}

/** Points of a mesh in the world. */
function worldPoints(files: Files, path: string): number[] {
	const prim = openMemory(files, 'a.usda').stage.prim(path)!;
	const matrix = new XformCache().worldTransform(prim);
	const points = prim.attribute('points').get()!.data as Float32Array;
	const out: number[] = [];
	for (let i = 0; i < points.length; i += 3) {
		for (let c = 0; c < 3; c++)
			out.push([0, 1, 2].reduce((sum, k) => sum + points[i + k]! * matrix[4 * k + c]!, matrix[12 + c]!));
	}
	return out;
}

function expectSame(after: Files, before: Files, path: string): void {
	const [now, was] = [worldPoints(after, path), worldPoints(before, path)];
	for (const [i, x] of now.entries()) expect(Math.abs(x - was[i]!)).toBeLessThanOrEqual(1e-7);
}

const SCALED = (x: number): string => `double3 xformOp:translate = (${x}, 0, 0)
float3 xformOp:scale = (0.001, 0.001, 0.001)
uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]`;

describe('F5 on meshes that arcs bring', () => {
	it('puts the factor into the points, once for all that have them', () => {
		const before = asset(SCALED(1), SCALED(2));
		const { after, messages } = fixMemory(before, 'a.usda', { only: ['F5'], unsafe: true });
		expect(messages).toEqual([]);
		expect(after['a.usda']).not.toContain('xformOp:scale');
		expect(after['lib.usda']).toContain('extent = [(0, 0, 0), (0.1, 0.2, 0.3)]');
		for (const path of ['/R/p0', '/R/p1']) expectSame(after, before, path);
		expect(fixMemory(after, 'a.usda', { only: ['F5'], unsafe: true }).plan.items).toEqual([]);
	});

	it('leaves points alone that others need as they are', () => {
		const before = asset(SCALED(1), '');
		const { after, messages } = fixMemory(before, 'a.usda', { only: ['F5'], unsafe: true });
		expect(messages.join()).toContain('</R/p1> has the same points and needs them as they are');
		expect(after['lib.usda']).toContain('(100, 0, 0)');
	});
});

describe('F6 on meshes that lie', () => {
	const TURNED = `quatf xformOp:orient = (0.70710677, 0.70710677, 0, 0)
double3 xformOp:translate = (0, 0, 5)
uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]`;

	it('turns points and normals instead of the mesh', () => {
		const before = asset(TURNED, TURNED);
		const { after, messages } = fixMemory(before, 'a.usda', {
			only: ['F6'],
			unsafe: true,
			select: new Set(['R1.1.13']),
		});
		expect(messages).toEqual([]);
		for (const path of ['/R/p0', '/R/p1']) {
			const was = worldPoints(before, path);
			for (const [i, x] of worldPoints(after, path).entries()) expect(Math.abs(x - was[i]!)).toBeLessThanOrEqual(3e-5);
		}
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.attribute('/R/p0.xformOp:orient')!.get()!.data).toEqual(Float64Array.of(0, 0, 0, 1));
		const normals = stage.attribute('/R/p0.normals')!.get()!.data as Float32Array;
		expect([...normals.slice(0, 3)].map((x) => Math.round(x * 1e6) / 1e6 + 0)).toEqual([0, -1, 0]);
	});
});

describe('F31', () => {
	it('gives joints of one robot different names, and lets targets follow', () => {
		const joint = (body0: string, body1: string): string =>
			`def PhysicsFixedJoint "joint" {\nrel physics:body0 = </R/${body0}>\nrel physics:body1 = </R/${body1}>\n}\n`;
		const link = (name: string, inside = ''): string =>
			`def Xform "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\n${inside}}\n`;
		const text = `${HEAD}def Xform "R" {\n${link('a', joint('a', 'b'))}${link('b', joint('b', 'c'))}${link('c')}rel last = </R/b/joint>\n}\n`;
		const { after, messages } = fixMemory({ 'a.usda': text }, 'a.usda', { only: ['F31'], unsafe: true });
		expect(messages).toEqual([]);
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.prim('/R/a/joint')).toBeDefined();
		expect(stage.relationship('/R.last')!.targets().join()).toBe('/R/b/joint_c');
		expect(fixMemory(after, 'a.usda', { only: ['F31'], unsafe: true }).plan.items).toEqual([]);
	});
});

describe('fixes that give meshes arcs', () => {
	it('leave no scale there that converts units, and nothing for a second run', () => {
		const mesh = LIBRARY.replace('#usda 1.0\n', '');
		const link = `def Xform "link" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {\nfloat physics:mass = 1\n${mesh}}\n`;
		const scale = 'double3 xformOp:scale = (0.001, 0.001, 0.001)\nuniform token[] xformOpOrder = ["xformOp:scale"]\n';
		const before = { 'a.usda': `${HEAD}def Xform "R" (kind = "component") {\n${scale}${link}}\n` };
		const options = { unsafe: true, parameters: { version: '1' } };
		const { after } = fixMemory(before, 'a.usda', options);
		expect(JSON.stringify(after)).toContain('payload');
		expect(JSON.stringify(after)).not.toContain('xformOp:scale');
		expect(fixMemory(after, 'a.usda', options).plan.items).toEqual([]);
	});

	it('let a transform act once that the referenced mesh has too', () => {
		const library = LIBRARY.replace('point3f[]', `${SCALED(5)}\npoint3f[]`);
		const before = { ...asset(SCALED(1), SCALED(2), SCALED(3), SCALED(4)), 'lib.usda': library };
		const { after, messages } = fixMemory(before, 'a.usda', { only: ['F38'], unsafe: true });
		expect(messages).toEqual([]);
		expect(after['a.usda']).toContain('instanceable = true');
		const [now, was] = [worldPoints(after, '/R/p1/mesh'), worldPoints(before, '/R/p1')];
		for (const [i, x] of now.entries()) expect(Math.abs(x - was[i]!)).toBeLessThanOrEqual(1e-7);
	});
});
