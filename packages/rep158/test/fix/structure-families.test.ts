import { flattenStage, type LayerData, readUsda, writeUsdc } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { compositionDifference } from '../../src/fix/families/f23-split.ts';
import { type Files, fixMemory, openMemory } from './memory-asset.ts';

const HEAD = '#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n';

function composed(files: Files): LayerData {
	return flattenStage(openMemory(files, 'a.usda').stage).data;
}

function expectSame(after: Files, before: Files): void {
	expect(compositionDifference(composed(before), composed(after))).toBeUndefined();
}

describe('F8', () => {
	it('puts the middle of the underside at the origin', () => {
		const text = `${HEAD}def Xform "R" (kind = "component") {\ndef Cube "c" {\ndouble size = 2\ndouble3 xformOp:translate = (5, 6, 7)\nuniform token[] xformOpOrder = ["xformOp:translate"]\n}\n}\n`;
		const { after } = fixMemory({ 'a.usda': text }, 'a.usda', { only: ['F8'], unsafe: true });
		expect(openMemory(after, 'a.usda').stage.attribute('/R/c.xformOp:translate')!.get()!.data).toEqual(
			Float64Array.of(0, 0, 1),
		);
		expect(fixMemory(after, 'a.usda', { only: ['F8'], unsafe: true }).plan.items).toEqual([]);
	});
});

describe('F21', () => {
	it('anchors paths and refuses those that lead elsewhere', () => {
		const part = '#usda 1.0\n(defaultPrim = "P")\ndef Xform "P" {\n}\n';
		const text = `${HEAD}def Xform "R" (references = @parts/p.usda@) {\nasset far = @/elsewhere/t.png@\nasset web = @omniverse://host/t.png@\nasset near = @/asset/parts/p.usda@\n}\n`;
		const files = { 'a.usda': text, 'parts/p.usda': part };
		const { after, messages } = fixMemory(files, 'a.usda', { only: ['F21'] });
		expect(after['a.usda']).toContain('references = @./parts/p.usda@');
		expect(after['a.usda']).toContain('asset near = @./parts/p.usda@');
		expect(messages.filter((message) => message.includes('lies outside of the asset'))).toHaveLength(2);
		expect(fixMemory(after, 'a.usda', { only: ['F21'] }).plan.items).toEqual([]);
	});
});

describe('F22', () => {
	it('makes text of a crate with relationships and crates of heavy text, and lets arcs follow', () => {
		const linked = '#usda 1.0\n(defaultPrim = "M")\ndef Scope "M" {\nrel to = </M>\n}\n';
		const many = Array.from({ length: 9000 }, (_, i) => `(${i}, 0, 0)`).join(', ');
		const heavy = `#usda 1.0\n(defaultPrim = "G")\ndef Mesh "G" {\npoint3f[] points = [${many}]\n}\n`;
		const text = `${HEAD}def Xform "R" {\ndef "m" (references = @./m.usdc@) {\n}\ndef "g" (references = @./g.usda@) {\n}\n}\n`;
		const files = {
			'a.usda': text,
			'm.usdc': writeUsdc(readUsda(new TextEncoder().encode(linked))),
			'g.usda': heavy,
		};
		const { after, messages } = fixMemory(files, 'a.usda', { only: ['F22'] });
		expect(after['a.usda']).toBe(text.replace('m.usdc', 'm.usda').replace('g.usda', 'g.usdc'));
		expect(after['m.usda']).toContain('rel to = </M>');
		expect(after['g.usdc']).toBeInstanceOf(Uint8Array);
		expect(messages).toHaveLength(2);
		expectSame(after, files);
		expect(fixMemory(after, 'a.usda', { only: ['F22'] }).plan.items).toEqual([]);
	});
});

const MONOLITH = `${HEAD}def Xform "R" (
    prepend apiSchemas = ["PhysicsArticulationRootAPI", "RosContextAPI"]
    kind = "component"
    prepend variantSets = "look"
    variants = { string look = "plain" }
)
{
    uniform string ros:context:namespace = "R"
    def Xform "link" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "MaterialBindingAPI"]
    )
    {
        float physics:mass = 2
        rel material:binding = </R/Looks/steel>
        double3 xformOp:translate = (0, 0, 1)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Mesh "shell" (
            prepend apiSchemas = ["PhysicsCollisionAPI"]
        )
        {
            int[] faceVertexCounts = [3]
            int[] faceVertexIndices = [0, 1, 2]
            point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
            color3f[] primvars:displayColor = [(1, 0, 0)] (
                interpolation = "constant"
            )
            uniform token purpose = "guide"
        }
    }
    def PhysicsRevoluteJoint "joint"
    {
        rel physics:body1 = </R/link>
    }
    def Scope "Looks"
    {
        def Material "steel"
        {
            token outputs:surface.connect = </R/Looks/steel/shader.outputs:surface>
            def Shader "shader"
            {
                uniform token info:id = "UsdPreviewSurface"
                token outputs:surface
            }
        }
    }
    variantSet "look" = {
        "plain" {
        }
        "fancy" {
            def Sphere "knob" (
                prepend apiSchemas = ["PhysicsCollisionAPI"]
            )
            {
                double radius = 3
            }
        }
    }
}
`;

describe('F23 with explicit lists of schemas', () => {
	it('leaves to the base what is not physics', () => {
		const mesh = 'point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]';
		const text = `${HEAD}def Xform "R" {\ndef Mesh "m" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {\n${mesh}\n}\n}\n`;
		const { after } = fixMemory({ 'a.usda': text }, 'a.usda', { only: ['F23'], unsafe: true });
		expect(after['base.usda']).toContain('apiSchemas = ["MaterialBindingAPI"]');
		expect(after['physics.usda']).toContain('prepend apiSchemas = ["PhysicsCollisionAPI"]');
		expectSame(after, { 'a.usda': text });
	});
});

describe('F23 with opinions in two layers', () => {
	it('writes the stronger one where the weaker one stood', () => {
		const body = (mass: number, schema: string): string =>
			`over "R" {\nover "b" ${schema} {\nfloat physics:mass = ${mass}\n}\n}\n`;
		const files = {
			'a.usda': `${HEAD.replace(')\n', '    subLayers = [@./physics.usda@, @./base.usda@]\n)\n')}${body(4, '')}`,
			'physics.usda': `${HEAD}${body(3, '( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"] )')}`,
			'base.usda': `${HEAD}def Xform "R" {\ndef Xform "b" {\n}\n}\n`,
		};
		const { after, plan } = fixMemory(files, 'a.usda', { only: ['F23'], unsafe: true });
		expect(after['physics.usda']).toContain('float physics:mass = 4');
		expect(after['a.usda']).not.toContain('physics:mass');
		expect(plan.items).toContainEqual(
			expect.objectContaining({ layer: 'physics.usda', path: '/R/b.physics:mass', op: 'set', before: '3', after: '4' }),
		);
		expectSame(after, files);
	});
});

describe('F23', () => {
	const result = fixMemory({ 'a.usda': MONOLITH }, 'a.usda', { only: ['F23'], unsafe: true });

	it('divides a monolith by function', () => {
		expect(result.messages).toEqual([]);
		expect(Object.keys(result.after).sort()).toEqual([
			'a.usda',
			'base.usda',
			'geometries.usdc',
			'materials.usda',
			'physics.usda',
			'ros.usda',
		]);
		expect(result.after['base.usda']).not.toMatch(/[Pp]hysics|Ros|ros:|points/);
		expect(result.after['physics.usda']).not.toMatch(/Ros|ros:|points|Shader/);
		expect(result.after['ros.usda']).not.toMatch(/hysics|points/);
		expect(result.after['materials.usda']).toContain('UsdPreviewSurface');
		expect(result.after['a.usda']).toContain('@./physics.usda@');
	});

	it('composes to the same, in every variant', () => {
		expectSame(result.after, { 'a.usda': MONOLITH });
		const fancy = (files: Files): Files =>
			Object.fromEntries(
				Object.entries(files).map(([name, data]) => [
					name,
					typeof data === 'string' ? data.replace('look = "plain"', 'look = "fancy"') : data,
				]),
			);
		expectSame(fancy(result.after), fancy({ 'a.usda': MONOLITH }));
		expect(openMemory(fancy(result.after), 'a.usda').stage.attribute('/R/knob.radius')!.get()!.data).toBe(3);
	});

	it('does nothing the second time', () => {
		expect(fixMemory(result.after, 'a.usda', { only: ['F23'], unsafe: true }).plan.items).toEqual([]);
	});
});

describe('F24', () => {
	it('opens payloads that hide links and hides heavy geometry instead', () => {
		const many = Array.from({ length: 9000 }, (_, i) => `(${i}, 0, 0)`).join(', ');
		const files: Files = {
			'a.usda': `${HEAD}def Xform "R" (payload = @./c.usda@) {\n}\n`,
			'c.usda':
				'#usda 1.0\n(defaultPrim = "R")\ndef Xform "R" {\ndef Xform "link" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\ndef Mesh "m" (prepend references = @./g.usdc@) {\n}\n}\n}\n',
			'g.usdc': writeUsdc(
				readUsda(
					new TextEncoder().encode(`#usda 1.0\n(defaultPrim = "G")\ndef Mesh "G" {\npoint3f[] points = [${many}]\n}\n`),
				),
			),
		};
		const { after } = fixMemory(files, 'a.usda', { only: ['F24'], unsafe: true });
		expect(after['a.usda']).toContain('prepend references = @./c.usda@');
		expect(after['c.usda']).toContain('prepend payload = @./g.usdc@');
		expectSame(after, files);
		expect(fixMemory(after, 'a.usda', { only: ['F24'], unsafe: true }).plan.items).toEqual([]);
	});
});

describe('F27', () => {
	it('moves joints beside their child links, with every path following', () => {
		const body = 'prepend apiSchemas = ["PhysicsRigidBodyAPI"]';
		const files: Files = {
			'a.usda': `${HEAD}def Xform "R" (references = @./r.usda@) {\nrel watched = [</R/base/arm/hinge>, </R/base/arm/hinge.physics:axis>]\n}\n`,
			'r.usda': `#usda 1.0\n(defaultPrim = "Q")\ndef Xform "Q" {\ndef Xform "base" (${body}) {\ndef Cube "shell" {\n}\ndef Sphere "ball" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {\nuniform token purpose = "guide"\n}\ndef Xform "arm" (${body}) {\ndef PhysicsRevoluteJoint "hinge" {\nrel physics:body0 = </Q/base>\nrel physics:body1 = </Q/base/arm>\n}\n}\n}\ndef Scope "p" {\nrel drives = </Q/base/arm/hinge>\n}\n}\n`,
		};
		const { after, messages } = fixMemory(files, 'a.usda', { only: ['F27'], unsafe: true });
		expect(messages).toEqual([]);
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.relationship('/R.watched')!.targets().join(' ')).toBe('/R/base/hinge /R/base/hinge.physics:axis');
		expect(stage.relationship('/R/p.drives')!.targets().join()).toBe('/R/base/hinge');
		expect(stage.relationship('/R/base/hinge.physics:body1')!.targets().join()).toBe('/R/base/arm');
		expect(fixMemory(after, 'a.usda', { only: ['F27'], unsafe: true }).plan.items).toEqual([]);
	});
});
