import { XformCache } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { fixMemory, openMemory } from './memory-asset.ts';

const HEADER =
	'#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    kilogramsPerUnit = 1\n    upAxis = "Z"\n)\n';

describe('F2', () => {
	it('fixes what is in each of more variants than stages stay open', () => {
		const names = Array.from({ length: 12 }, (_, i) => `v${i}`);
		const variant = (name: string): string => `        "${name}" {
            def Xform "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
            {
                float3 xformOp:scale = (1, 1, 1)
                double3 xformOp:translate = (1, 2, 3)
                uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
            }
        }
`;
		const text = `${HEADER}
def Xform "R" (
    variants = {
        string part = "v0"
    }
    prepend variantSets = "part"
)
{
    variantSet "part" = {
${names.map(variant).join('')}    }
}
`;
		const { after } = fixMemory({ 'a.usda': text }, 'a.usda');
		expect(after['a.usda']).not.toContain('xformOp:scale');
		expect(String(after['a.usda']).match(/xformOp:translate = /g)).toHaveLength(names.length);
	});

	it('drops a scale of one and leaves the rest of the text alone', () => {
		const text = `${HEADER}
def Xform "R" (
    prepend apiSchemas = ["PhysicsRigidBodyAPI"]
)
{
    quatf xformOp:orient = (0.70710677, 0.70710677, 0, 0) # up
    float3 xformOp:scale = (1, 1, 1)
    double3 xformOp:translate = (1, 2, 3)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]
}
`;
		const { after } = fixMemory({ 'a.usda': text }, 'a.usda', { only: ['F2'] });
		expect(after['a.usda']).toBe(
			text
				.replace('    float3 xformOp:scale = (1, 1, 1)\n', '')
				.replace('"xformOp:orient", "xformOp:scale"]', '"xformOp:orient"]'),
		);
	});

	it('moves joint frames, centres of mass and prismatic limits with a scale of 0.001 on the root', () => {
		const text = `${HEADER}
def Xform "R" (
    prepend apiSchemas = ["PhysicsArticulationRootAPI"]
)
{
    double3 xformOp:scale = (0.001, 0.001, 0.001)
    uniform token[] xformOpOrder = ["xformOp:scale"]
    def Xform "base" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    )
    {
        point3f physics:centerOfMass = (100, 0, 0)
        float physics:mass = 1
        def Cube "box" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {
            double size = 500
        }
    }
    def Xform "slider" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    )
    {
        float physics:mass = 1
        double3 xformOp:translate = (0, 0, 250)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def PhysicsPrismaticJoint "slide"
    {
        rel physics:body0 = </R/base>
        rel physics:body1 = </R/slider>
        point3f physics:localPos0 = (0, 0, 250)
        float physics:lowerLimit = 0
        float physics:upperLimit = 400
    }
}
`;
		const { after, messages } = fixMemory({ 'a.usda': text }, 'a.usda', { only: ['F2'] });
		const { stage } = openMemory(after, 'a.usda');
		const data = (path: string): unknown => stage.attribute(path)!.get()!.data;
		expect(data('/R/base.physics:centerOfMass')).toEqual(Float32Array.of(0.1, 0, 0));
		expect(data('/R/slide.physics:localPos0')).toEqual(Float32Array.of(0, 0, 0.25));
		expect(data('/R/slide.physics:upperLimit')).toBeCloseTo(0.4, 6);
		expect(data('/R/slider.xformOp:translate')).toEqual(Float64Array.of(0, 0, 0.25));
		expect(data('/R/base/box.xformOp:scale')).toEqual(Float64Array.of(0.001, 0.001, 0.001));
		expect(messages.join()).toContain('multiplied by 0.001');
	});

	it('bakes the scale of a body that is a mesh or a sphere, and refuses where the shape cannot take it', () => {
		const body = (type: string, content: string): string =>
			`def ${type} "R" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {\n${content}\n}\n`;
		const scaled = (s: string): string =>
			`float3 xformOp:scale = ${s}\nuniform token[] xformOpOrder = ["xformOp:scale"]`;
		const mesh = fixMemory(
			{
				'a.usda':
					HEADER + body('Mesh', `point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n${scaled('(2, -3, 1)')}`),
			},
			'a.usda',
			{ only: ['F2'] },
		);
		const { stage } = openMemory(mesh.after, 'a.usda');
		expect(stage.attribute('/R.points')!.get()!.data).toEqual(Float32Array.of(0, 0, 0, -2, 0, 0, 0, -3, 0));
		// turned by half about y, which leaves y for the mirror
		expect(stage.attribute('/R.xformOp:orient')!.get()!.data).toEqual(Float64Array.of(0, 1, 0, 0));
		expect(stage.attribute('/R.orientation')!.get()!.data).toBe('leftHanded');
		const sphere = fixMemory({ 'a.usda': HEADER + body('Sphere', scaled('(2, 2, 2)')) }, 'a.usda', { only: ['F2'] });
		expect(openMemory(sphere.after, 'a.usda').stage.attribute('/R.radius')!.get()!.data).toBe(2);
		const cube = fixMemory({ 'a.usda': HEADER + body('Cube', scaled('(2, 1, 2)')) }, 'a.usda', { only: ['F2'] });
		expect(cube.files).toEqual([]);
		expect(cube.messages.join()).toContain('cannot take a scale of (2, 1, 2)');
	});

	it('treats every variant and every user of a shared layer', () => {
		const wheel = `#usda 1.0\n(\n    defaultPrim = "W"\n)\ndef Xform "W" {\n    def Cube "tyre" {\n    }\n}\n`;
		const text = `${HEADER}def Xform "R" (
    variants = { string size = "small" }
    prepend variantSets = "size"
) {
    def Xform "left" {
        double3 xformOp:scale = (2, 2, 2)
        uniform token[] xformOpOrder = ["xformOp:scale"]
        def Xform "wheel" (
            prepend apiSchemas = ["PhysicsRigidBodyAPI"]
            references = @./wheel.usda@
        ) {
        }
    }
    def Xform "right" {
        double3 xformOp:scale = (3, 3, 3)
        uniform token[] xformOpOrder = ["xformOp:scale"]
        def Xform "wheel" (
            prepend apiSchemas = ["PhysicsRigidBodyAPI"]
            references = @./wheel.usda@
        ) {
        }
    }
    variantSet "size" = {
        "small" {
        }
        "large" {
            over "left" {
                def Sphere "hub" {
                }
            }
        }
    }
}
`;
		const { after } = fixMemory({ 'a.usda': text, 'wheel.usda': wheel }, 'a.usda', { only: ['F2'] });
		const { stage } = openMemory(after, 'a.usda');
		const cache = new XformCache();
		expect(cache.worldTransform(stage.prim('/R/left/wheel/tyre')!)[0]).toBe(2);
		expect(cache.worldTransform(stage.prim('/R/right/wheel/tyre')!)[0]).toBe(3);
		expect(after['wheel.usda']).toBe(wheel);
		// the sphere of the variant that is not selected has its scale as well
		expect(after['a.usda']).toMatch(/"large"[\s\S]*def Sphere "hub"[\s\S]*xformOp:scale = \(2, 2, 2\)/);
	});
});
