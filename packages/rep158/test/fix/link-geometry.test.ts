import { describe, expect, it } from 'vitest';
import { type Files, fixMemory, openMemory } from './memory-asset.ts';

const HEAD = '#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n';
const TETRAHEDRON = `int[] faceVertexCounts = [3, 3, 3, 3]
int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]`;
const BODY = 'prepend apiSchemas = ["PhysicsRigidBodyAPI"]';
const COLLIDER = 'prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]';

function fix(files: Files, family: 'F18' | 'F27' | 'F38', parameters = {}): ReturnType<typeof fixMemory> {
	const options = { only: [family], unsafe: true, parameters } as const;
	const result = fixMemory(files, 'a.usda', options);
	expect(fixMemory(result.after, 'a.usda', options).plan.items).toEqual([]);
	return result;
}

function paths(files: Files, instanceProxies = false): string[] {
	return [...openMemory(files, 'a.usda').stage.traverse({ instanceProxies })].map(({ path }) => path.toString());
}

describe('F27', () => {
	it('puts shapes into the scopes of their links, in every layer, and lets targets follow', () => {
		const { after, messages, plan } = fix(
			{
				'a.usda': `${HEAD.replace('upAxis', 'subLayers = [@./b.usda@]\n    upAxis')}def Xform "R" {
def Xform "link" (${BODY}) {
def Cube "look" {
}
def Xform "group" {
double3 xformOp:translate = (1, 0, 0)
uniform token[] xformOpOrder = ["xformOp:translate"]
def Sphere "ball" {
}
}
def Cube "hit" (${COLLIDER}) {
uniform token purpose = "guide"
}
def Xform "child" (${BODY}) {
def Cube "look" {
}
}
}
rel watched = [</R/link/look.size>, </R/link/hit>]
}
`,
				'b.usda': '#usda 1.0\nover "R" {\nover "link" {\nover "look" {\ndouble size = 3\n}\n}\n}\n',
			},
			'F27',
		);
		expect(messages).toEqual([]);
		const found = paths(after);
		for (const path of ['visual/look', 'visual/group/ball', 'collision/hit', 'child/visual/look'])
			expect(found).toContain(`/R/link/${path}`);
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.attribute('/R/link/visual/look.size')!.get()!.data).toBe(3);
		expect(stage.relationship('/R.watched')!.targets().join()).toBe('/R/link/visual/look.size,/R/link/collision/hit');
		expect(stage.prim('/R/link/visual')!.authoredSelections().get('visual_representation')).toBe('mesh_medium');
		expect(plan.items.filter(({ op }) => op === 'move').map(({ path, after: to }) => `${path} ${to}`)).toContain(
			'/R/link/hit /R/link/collision/hit',
		);
	});

	it('refuses what would look or stand otherwise', () => {
		const { messages } = fix(
			{
				'a.usda': `${HEAD}def Xform "R" {
def Cube "link" (${BODY}) {
}
def Xform "mixed" (${BODY}) {
def Xform "both" {
double3 xformOp:translate = (1, 0, 0)
uniform token[] xformOpOrder = ["xformOp:translate"]
def Cube "look" {
}
def Cube "hit" (${COLLIDER}) {
}
}
}
}
`,
			},
			'F27',
		);
		expect(messages.join('\n')).toContain('the link is a Cube itself');
		expect(messages.join('\n')).toContain('it inherits xformOpOrder of </R/mixed/both>');
	});

	it('leaves content out of variants that a weaker layer would win over there', () => {
		const { messages, after } = fix(
			{
				'a.usda': `${HEAD.replace('upAxis', 'subLayers = [@./b.usda@]\n    upAxis')}def Xform "R" (${BODY}) {
def Scope "visual" {
def Cube "look" {
double size = 2
}
}
}
`,
				'b.usda': '#usda 1.0\nover "R" {\nover "visual" {\nover "look" {\ndouble size = 3\n}\n}\n}\n',
			},
			'F27',
		);
		expect(messages.join()).toContain('b.usda would win over size of </R/visual/look>');
		expect(openMemory(after, 'a.usda').stage.attribute('/R/visual/look.size')!.get()!.data).toBe(2);
	});
});

describe('F18', () => {
	const mesh = (approximation: string, points = TETRAHEDRON): Files => ({
		'a.usda': `${HEAD}def Xform "R" (${BODY}) {
def Scope "collision" {
def Mesh "hit" (${COLLIDER}) {
${approximation === '' ? '' : `uniform token physics:approximation = "${approximation}"`}
${points}
}
}
}
`,
	});
	const read = (files: Files, variant: string): unknown => {
		const text = String(files['a.usda']).replace('"baseline"', `"${variant}"`);
		return openMemory({ 'a.usda': text }, 'a.usda').stage.attribute('/R/collision/hit.physics:approximation')!.get()!
			.data;
	};
	const concave = TETRAHEDRON.replace('(0, 0, 1)]', '(0, 0, 1), (0.1, 0.1, 0.1)]')
		.replace('[3, 3, 3, 3]', '[3, 3, 3, 3, 3, 3]')
		.replace('1, 2, 3]', '1, 2, 4, 2, 3, 4, 3, 1, 4]');

	it('makes variants of how a mesh collides, the present one by default', () => {
		const { after, messages } = fix(mesh('boundingCube'), 'F18');
		expect(messages.filter((text) => !text.includes('R1.3.1.1'))).toEqual([]);
		expect(read(after, 'baseline')).toBe('boundingCube');
		expect(read(after, 'detailed')).toBe('none');
	});

	it('takes a convex mesh for itself, and asks about a concave one', () => {
		expect(read(fix(mesh('none'), 'F18').after, 'baseline')).toBe('none');
		const asked = fix(mesh('none', concave), 'F18');
		expect(asked.messages.join()).toContain('give it with --approximation convexHull');
		const told = fix(mesh('none', concave), 'F18', { approximation: 'convexHull' });
		expect(read(told.after, 'baseline')).toBe('convexHull');
	});
});

describe('F38', () => {
	const bolt = (name: string, more = ''): string => `def Mesh "${name}" (
displayName = "${name}"
prepend apiSchemas = ["MaterialBindingAPI"]
) {
${TETRAHEDRON}
rel material:binding = </R/m>
double3 xformOp:translate = (${name.length}, 0, 0)
uniform token[] xformOpOrder = ["xformOp:translate"]
${more}
}
`;
	const asset = (...parts: string[]): Files => ({
		'a.usda': `${HEAD}def Xform "R" {\n${parts.join('')}def Material "m" {\n}\n}\n`,
	});

	it('makes a prototype of equal meshes, and keeps with each what it says about its place', () => {
		const { after } = fix(asset(bolt('a', '# kept'), bolt('bb'), bolt('ccc')), 'F38');
		expect(after['a.usda']).toContain('# kept');
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.prototypes()).toHaveLength(1);
		const instances = ['/R/a', '/R/a/mesh', '/R/bb', '/R/bb/mesh', '/R/ccc', '/R/ccc/mesh'];
		expect(paths(after, true)).toEqual(['/R', ...instances, '/R/m']);
		expect(stage.prim('/R/bb')!.authoredMetadataValue('displayName')?.data).toBe('bb');
		expect(stage.attribute('/R/ccc.xformOp:translate')!.get()!.data).toEqual(Float64Array.of(3, 0, 0));
		expect(stage.relationship('/R/bb.material:binding')!.targets().join()).toBe('/R/m');
	});

	it('leaves meshes alone that differ, collide or are targets', () => {
		const painted = (name: string, colour: string): string =>
			bolt(name, `color3f[] primvars:displayColor = [${colour}]`);
		const colours = asset(painted('a', '(1, 0, 0)'), painted('bb', '(0, 1, 0)'), painted('ccc', '(0, 0, 1)'));
		const { messages, files } = fix(colours, 'F38');
		expect(messages.join()).toContain('it says other things than');
		expect(files).toEqual([]);
		const bolts = [bolt('a'), bolt('bb'), bolt('ccc')];
		const colliders = bolts.map((text) => text.replace('"MaterialB', '"PhysicsCollisionAPI", "MaterialB'));
		expect(fix(asset(...colliders), 'F38').messages.join()).toContain('it collides');
		const watched = fix(asset(...bolts, 'rel watched = [</R/a>, </R/bb>, </R/ccc>]\n'), 'F38');
		expect(watched.messages.join()).toContain('leads to </R/a>');
	});
});
