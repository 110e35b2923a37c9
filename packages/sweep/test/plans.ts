import { MemoryStore } from '@manyworlds/usd';
import type { WorldSolvers } from '@manyworlds/worlds';
import { expect } from 'vitest';
import type { SweepPlan } from '../src/plan/plan.ts';
import { type PlanPlaces, readPlan } from '../src/plan/read-plan.ts';
import type { RunOutcome } from '../src/result/run-result.ts';
import { Expansion } from '../src/runs/expansion.ts';
import { BatchRunner, type KeyedRun } from '../src/simulate/batch-runner.ts';
import type { SweepAsset } from '../src/simulate/sweep-asset.ts';

/** A box that slides on the ground, with a material, two variants and a locked part in an instance. */
export const BOX_USDA = `#usda 1.0
(
    defaultPrim = "Robot"
    metersPerUnit = 1
    upAxis = "Z"
)

def Xform "Robot" (
    variants = {
        string size = "small"
    }
    prepend variantSets = "size"
)
{
    def Xform "box" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "MaterialBindingAPI"]
    )
    {
        vector3f physics:velocity = (1, 0, 0)
        token note = "plain"
        double3 xformOp:translate = (0, 0, 0.1)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        rel material:binding:physics = </Robot/Rubber>

        def Cube "shape" (
            prepend apiSchemas = ["PhysicsCollisionAPI"]
        )
        {
            double size = 0.2
        }
    }

    def Material "Rubber" (
        prepend apiSchemas = ["PhysicsMaterialAPI"]
    )
    {
        float physics:dynamicFriction = 0.5
        float physics:staticFriction = 0.5
    }

    variantSet "size" = {
        "small" {
            over "box"
            {
                float physics:mass = 2
            }
        }
        "heavy" {
            over "box"
            {
                float physics:mass = 8
            }
        }
    }
}
`;

/** A pendulum on a fixed base. */
export const PENDULUM_URDF = `<robot name="pendulum">
	<link name="base"/>
	<link name="rod">
		<inertial><origin xyz="0 0 -0.5"/><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
	</link>
	<joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><origin xyz="0 0 2"/><axis xyz="0 1 0"/></joint>
</robot>
`;

/** A ball over the ground, as a scene. */
export const BALL_SCENE = `simulation: {dt: 0.002}
ground: {enabled: true}
bodies: [{id: ball, transform: {p: [0, 0, 1]}, shapes: [{type: sphere, radius: 0.1}]}]
joints: [{id: ball_free, type: free, child: ball}]
articulations: [{joints: [ball_free]}]
`;

export const SOLVERS: WorldSolvers = { sap: async () => (await import('@manyworlds/sim')).SAP_WORLDS };

/** An asset in memory. */
export function assetOf(name: 'box.usda' | 'pendulum.urdf' | 'ball.yaml', text?: string): SweepAsset {
	const known = { 'box.usda': BOX_USDA, 'pendulum.urdf': PENDULUM_URDF, 'ball.yaml': BALL_SCENE };
	const store = new MemoryStore({ [name]: text ?? known[name] });
	const format = ({ 'box.usda': 'usd', 'pendulum.urdf': 'urdf', 'ball.yaml': 'scene' } as const)[name];
	return { store, identifier: store.identify(name, '').identifier, format };
}

/** A plan that must be right. */
export function planOf(text: string): { readonly plan: SweepPlan; readonly places: PlanPlaces } {
	const { plan, places, report } = readPlan(`version: 1\nname: test\n${text}`);
	expect(report.toArray().filter(({ severity }) => severity === 'error')).toEqual([]);
	return { plan: plan!, places: places! };
}

/** Runs of a plan with their index as key. */
export function runsOf(plan: SweepPlan): KeyedRun[] {
	return [...new Expansion(plan).runs()].map((run) => ({ ...run, key: `k${run.index}` }));
}

/** Runs a plan on an asset in this thread. */
export async function outcomesOf(text: string, asset: SweepAsset): Promise<RunOutcome[]> {
	const { plan } = planOf(text);
	return await new BatchRunner(plan, asset, { solvers: SOLVERS }).run(runsOf(plan));
}
