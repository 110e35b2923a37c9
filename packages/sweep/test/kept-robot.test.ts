import { COLUMN_NAMES } from '@manyworlds/model/internal';
import { describe, expect, test } from 'vitest';
import type { ParameterValue } from '../src/sample/parameter.ts';
import { ModelMaker } from '../src/simulate/model-maker.ts';
import { RefusedRun } from '../src/simulate/sweep-asset.ts';
import type { WorldRecipe } from '../src/simulate/world-recipe.ts';
import { assetOf, planOf, runsOf } from './plans.ts';

/** In centimetres: a base, an arm that is weighed by its colliders, a hand that is fixed to it, and a loose ball. */
const ROBOT = `#usda 1.0
(
    defaultPrim = "Robot"
    metersPerUnit = 0.01
    upAxis = "Z"
)

def PhysicsScene "Scene"
{
    float physics:gravityMagnitude = 981
}

def Xform "Robot" (prepend apiSchemas = ["PhysicsArticulationRootAPI"])
{
    def Xform "base" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 4
        double3 xformOp:translate = (0, 0, 20)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Cube "shape" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {
            double size = 10
        }
    }
    def Xform "arm" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:density = 0.001
        double3 xformOp:translate = (20, 0, 20)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Sphere "shape" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {
            double radius = 4
        }
        def Cube "weight" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMassAPI"])
        {
            double size = 2
            float physics:mass = 0.5
            double3 xformOp:translate = (5, 0, 0)
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }
    }
    def Xform "hand" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 0.3
        float3 physics:diagonalInertia = (2, 2, 1)
        point3f physics:centerOfMass = (0, 0, 0.1)
        double3 xformOp:translate = (30, 0, 20)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Capsule "shape" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {
            double radius = 1
            double height = 2
        }
    }
    def PhysicsRevoluteJoint "elbow" (prepend apiSchemas = ["PhysicsDriveAPI:angular"])
    {
        rel physics:body0 = </Robot/base>
        rel physics:body1 = </Robot/arm>
        point3f physics:localPos0 = (10, 0, 0)
        point3f physics:localPos1 = (-10, 0, 0)
        uniform token physics:axis = "Y"
        float physics:lowerLimit = -90
        float physics:upperLimit = 90
        float drive:angular:physics:stiffness = 30
        float drive:angular:physics:damping = 2
    }
    def PhysicsFixedJoint "grip"
    {
        rel physics:body0 = </Robot/arm>
        rel physics:body1 = </Robot/hand>
        point3f physics:localPos0 = (10, 0, 0)
    }
}

def Xform "ball" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
{
    float physics:mass = 0
    double3 xformOp:translate = (0, 50, 20)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Sphere "shape" (prepend apiSchemas = ["PhysicsCollisionAPI"])
    {
        double radius = 3
    }
}
`;

function contentOf({ builder, model, start, dt }: WorldRecipe): Record<string, unknown> {
	const columns = Object.fromEntries(COLUMN_NAMES.map((name) => [name, builder.column(name)]));
	return { ...columns, labels: model.bodyLabels, jointQ: start.jointQ, bodyQ: start.bodyQ, gravity: model.gravity, dt };
}

async function made(maker: ModelMaker, values: readonly ParameterValue[]): Promise<Record<string, unknown> | string> {
	try {
		return contentOf(await maker.make(values));
	} catch (error) {
		if (error instanceof RefusedRun) return error.message;
		throw error;
	}
}

describe('a robot that is made again and again', () => {
	test.each([
		['a mass that is given, is not, and is again', 'prim:/Robot/base.physics:mass', '[3, 5, 0, 3, -1, 7]'],
		['the mass of a body that floats once it has one', 'prim:/ball.physics:mass', '[2, 0, 3]'],
		['the mass of a body that else says all about it', 'prim:/Robot/hand.physics:mass', '[0.1, 0.4, 0, 0.1]'],
		['the density of a body', 'prim:/Robot/arm.physics:density', '[0.001, 0.004, 0, 0.002]'],
		['the mass of a collider', 'prim:/Robot/arm/weight.physics:mass', '[0.1, 0.2, 0, 0.4]'],
		['the size of a collider', 'prim:/Robot/arm/shape.radius', '[4, 5, 4]'],
		['a gain', 'prim:/Robot/elbow.drive:angular:physics:stiffness', '[30, 40, 30]'],
		['a limit', 'prim:/Robot/elbow.physics:lowerLimit', '[-90, -40, -90]'],
		['gravity', 'prim:/Scene.physics:gravityMagnitude', '[981, 162, 981]'],
	])('is the same as one that is made alone: %s', async (_, path, choices) => {
		const { plan } = planOf(
			`asset: a\nsimulate: {duration: 0.02}\nparameters: {p: {path: "${path}", choices: ${choices}}, fixed: {path: "prim:/Robot/base.physics:density", choices: [0]}}\noutputs: {metrics: {e: {first: energy}}}\n`,
		);
		const asset = assetOf('box.usda', ROBOT);
		const shared = new ModelMaker(plan, asset);
		const seen = new Set<string>();
		for (const { values } of runsOf(plan)) {
			const alone = await made(new ModelMaker(plan, asset), values);
			expect(await made(shared, values)).toEqual(alone);
			if (typeof alone === 'string') throw new Error(alone);
			seen.add(
				JSON.stringify(alone, (_key, value) => (ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value)),
			);
		}
		expect(seen.size).toBeGreaterThan(1);
	});
});
