import { XformCache } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { applyLinear, linearPart } from '../../src/fix/engine/linear.ts';
import { compareSnapshots, takeSnapshot } from '../../src/fix/engine/physics-snapshot.ts';
import { type Files, fixMemory, openMemory } from './memory-asset.ts';

const ARM = `#usda 1.0
(
    defaultPrim = "R"
    metersPerUnit = 0.01
    kilogramsPerUnit = 0.001
    upAxis = "Y"
    timeCodesPerSecond = 24
    startTimeCode = 0
    endTimeCode = 48
    subLayers = [@./over.usda@ (offset = 12)]
)

def Xform "R" (
    prepend apiSchemas = ["PhysicsArticulationRootAPI"]
)
{
    float3[] extentsHint = [(-1, -2, -3), (4, 5, 6)]
    def Xform "base" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    )
    {
        float physics:mass = 2000
        point3f physics:centerOfMass = (1, 2, 3)
        float3 physics:diagonalInertia = (100000, 200000, 250000)
        double3 xformOp:translate = (0, 10, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Cylinder "post" (
            prepend apiSchemas = ["PhysicsCollisionAPI"]
        )
        {
            double height = 30
            double radius = 4
            float physics:density = 0.0012
        }
        def Cone "tip"
        {
            double height = 3
            double3 xformOp:translate = (0, 20, 5)
            double xformOp:rotateY = 30
            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateY"]
        }
        def Mesh "shell"
        {
            float3[] extent = [(0, 0, 0), (1, 2, 3)]
            point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]
            normal3f[] normals = [(0, 1, 0)]
            float3 xformOp:scale = (1, 2, 3)
            uniform token[] xformOpOrder = ["xformOp:scale"]
        }
        def Camera "eye"
        {
            float focalLength = 50
            def Xform "optical"
            {
                quatd xformOp:orient = (0, 1, 0, 0)
                uniform token[] xformOpOrder = ["xformOp:orient"]
            }
        }
    }
    def Xform "link" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    )
    {
        float physics:mass = 500
        float3 physics:diagonalInertia = (100, 200, 250)
        quatf physics:principalAxes = (0.70710677, 0, 0.70710677, 0)
        double3 xformOp:translate.timeSamples = {
            0: (0, 40, 0),
            24: (0, 50, 0),
        }
        double3 xformOp:translate = (0, 40, 0)
        quatf xformOp:orient = (0.8, 0.6, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]
    }
    def PhysicsPrismaticJoint "slide" (
        prepend apiSchemas = ["PhysicsDriveAPI:linear"]
    )
    {
        rel physics:body0 = </R/base>
        rel physics:body1 = </R/link>
        uniform token physics:axis = "Z"
        point3f physics:localPos0 = (0, 30, 1)
        quatf physics:localRot1 = (0.8, -0.6, 0, 0)
        float physics:lowerLimit = -5
        float physics:upperLimit = 20
        float drive:linear:physics:stiffness = 4000
        float drive:linear:physics:maxForce = 100
        float drive:linear:physics:targetPosition = 3
    }
    def PhysicsRevoluteJoint "anchor" (
        prepend apiSchemas = ["PhysicsDriveAPI:angular"]
    )
    {
        rel physics:body1 = </R/base>
        point3f physics:localPos0 = (0, 10, 0)
        float physics:lowerLimit = -5
        float physics:upperLimit = 20
        float drive:angular:physics:stiffness = 4000
        float physics:breakForce = inf
    }
    def DistantLight "sun"
    {
        float3 xformOp:rotateXYZ = (-60, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:rotateXYZ"]
    }
}
`;
const OVER = `#usda 1.0
(
    timeCodesPerSecond = 12
)
over "R" {
    over "base" {
        custom double vendor:offset = 3
        custom double clock.timeSamples = {
            6: 11,
            12: 17,
        }
    }
}
`;

const FILES: Files = { 'arm.usda': ARM, 'over.usda': OVER };
const compare = (before: Files, after: Files, tolerance: number): string[] =>
	compareSnapshots(
		takeSnapshot(openMemory(before, 'arm.usda').stage),
		takeSnapshot(openMemory(after, 'arm.usda').stage),
		{ tolerance },
	);
const value = (files: Files, path: string, time?: number): unknown =>
	openMemory(files, 'arm.usda').stage.attribute(path)?.get(time)?.data;

describe('F5', () => {
	const { after, messages } = fixMemory(FILES, 'arm.usda', { only: ['F5'], unsafe: true });

	it('scales every quantity by its own powers of the units', () => {
		expect(compare(FILES, after, 1e-6)).toEqual([]);
		expect(value(after, '/R/base.physics:mass')).toBe(2);
		expect(value(after, '/R/base.physics:diagonalInertia')).toEqual(Float32Array.of(0.01, 0.02, 0.025));
		expect(value(after, '/R/slide.drive:linear:physics:stiffness')).toBe(4);
		expect(value(after, '/R/slide.drive:linear:physics:maxForce')).toBeCloseTo(1e-3, 9);
		expect(value(after, '/R/anchor.drive:angular:physics:stiffness')).toBeCloseTo(4e-4, 9);
		expect(value(after, '/R/anchor.physics:lowerLimit')).toBe(-5);
		expect(value(after, '/R/anchor.physics:breakForce')).toBe(Number.POSITIVE_INFINITY);
		expect(value(after, '/R/base/post.physics:density')).toBeCloseTo(1.2, 6);
		expect(value(after, '/R/base/eye.focalLength')).toBe(0.5);
		expect(value(after, '/R/link.xformOp:translate', 12)).toEqual(Float64Array.of(0, 0.45, 0));
	});

	it('names attributes whose units nobody knows and leaves them alone', () => {
		expect(messages.join()).toContain('left alone: vendor:offset');
		expect(value(after, '/R/base.vendor:offset')).toBe(3);
	});

	it('does nothing the second time', () => {
		expect(fixMemory(after, 'arm.usda', { only: ['F5'], unsafe: true }).files).toEqual([]);
	});
});

describe('F7', () => {
	const { after } = fixMemory(FILES, 'arm.usda', { only: ['F7'] });

	it('puts samples, offsets and ranges of every layer into seconds', () => {
		const stage = openMemory(after, 'arm.usda').stage;
		expect(stage.timeCodesPerSecond).toBe(1);
		expect(stage.endTimeCode).toBe(2);
		for (const seconds of [0, 0.25, 0.5, 0.75, 1, 3]) {
			const before = openMemory(FILES, 'arm.usda').stage;
			for (const path of ['/R/link.xformOp:translate', '/R/base.clock']) {
				expect(stage.attribute(path)!.get(seconds)!.data).toEqual(before.attribute(path)!.get(24 * seconds)!.data);
			}
		}
		expect(stage.attribute('/R/base.clock')!.timeSamples()).toEqual([1, 1.5]);
	});

	it('does nothing the second time', () => {
		expect(fixMemory(after, 'arm.usda', { only: ['F7'] }).files).toEqual([]);
	});
});

describe('F6', () => {
	const { after, messages } = fixMemory(FILES, 'arm.usda', { only: ['F6'], unsafe: true });

	it('changes all axes and leaves masses, shapes, joints where they are', () => {
		expect(messages).toEqual([]);
		expect(compare(FILES, after, 1e-6)).toEqual([]);
		expect(openMemory(after, 'arm.usda').stage.metadata('upAxis')?.data).toBe('Z');
	});

	it('lets cameras and lights look where they looked', () => {
		const turn = Float64Array.of(1, 0, 0, 0, 0, 1, 0, -1, 0);
		for (const path of ['/R/base/eye', '/R/base/eye/optical', '/R/sun', '/R/base/tip']) {
			const old = linearPart(new XformCache().worldTransform(openMemory(FILES, 'arm.usda').stage.prim(path)!));
			const now = linearPart(new XformCache().worldTransform(openMemory(after, 'arm.usda').stage.prim(path)!));
			for (const axis of [
				[1, 0, 0],
				[0, 1, 0],
				[0, 0, -1],
			]) {
				const expected = applyLinear(applyLinear(axis, old), turn);
				for (const [k, x] of applyLinear(axis, now).entries()) expect(x).toBeCloseTo(expected[k]!, 7);
			}
		}
	});

	it('does not turn the root', () => {
		const matrix = new XformCache().worldTransform(openMemory(after, 'arm.usda').stage.prim('/R')!);
		expect([...linearPart(matrix)]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
		expect(fixMemory(after, 'arm.usda', { only: ['F6'], unsafe: true }).files).toEqual([]);
	});

	it('turns an asset that faces +z to +x', () => {
		const { after: turned } = fixMemory(FILES, 'arm.usda', {
			only: ['F6'],
			unsafe: true,
			parameters: { forward: '+z' },
		});
		expect([...(value(turned, '/R/base/shell.points') as Float32Array)].slice(9)).toEqual([3, 0, 0]);
		expect([...(value(turned, '/R/base/shell.points') as Float32Array)].slice(6, 9)).toEqual([0, 0, 2]);
	});

	it('straightens a root that is turned by a quarter', () => {
		const text = ARM.replace('upAxis = "Y"', 'upAxis = "Z"').replace(
			'    float3[] extentsHint',
			'    quatd xformOp:orient = (0.7071067811865476, 0.7071067811865476, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:orient"]\n    float3[] extentsHint',
		);
		const files = { ...FILES, 'arm.usda': text };
		const result = fixMemory(files, 'arm.usda', { only: ['F6'], unsafe: true });
		expect(result.messages).toEqual([]);
		expect(compare(files, result.after, 1e-6)).toEqual([]);
		expect(value(result.after, '/R.xformOp:orient')).toEqual(Float64Array.of(0, 0, 0, 1));
		expect(fixMemory(result.after, 'arm.usda', { only: ['F6'], unsafe: true }).files).toEqual([]);
	});
});
