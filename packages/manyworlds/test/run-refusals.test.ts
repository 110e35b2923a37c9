import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from './run-cli.ts';

/** What `manyworlds run --solver mujoco` says of a file. */
async function refusal(name: string, text: string): Promise<{ code: number; stderr: string }> {
	const file = join(temporaryFolder(), name);
	writeFileSync(file, text);
	const { code, stderr } = await runCli(['run', file, '--solver', 'mujoco', '--frames', '2']);
	return { code, stderr };
}

describe('run --solver mujoco tells what MuJoCo refuses where it is written', () => {
	it('a moving body without mass, in MJCF', async () => {
		const { code, stderr } = await refusal(
			'm.xml',
			`<mujoco>
  <worldbody>
    <body name="base">
      <joint axis="0 0 1"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <body name="ghost">
        <joint axis="0 1 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>`,
		);
		expect(code).toBe(2);
		expect(stderr).toMatch(
			/m\.xml:6:\d+: error MJC004: mujoco: MuJoCo refuses body 1 'worldbody\/base\/ghost': .*its mass is 0 kg/,
		);
	});

	it('limits the wrong way round, in URDF', async () => {
		const { code, stderr } = await refusal(
			'r.urdf',
			`<robot name="r">
  <link name="base"/>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="elbow" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="1" upper="-1" effort="5" velocity="2"/>
  </joint>
</robot>`,
		);
		expect(code).toBe(2);
		expect(stderr).toMatch(/r\.urdf:6:\d+: error MJC004: mujoco: MuJoCo refuses joint \d 'r\/elbow'/);
	});

	it('a cone, in USD, with its prim', async () => {
		const { code, stderr } = await refusal(
			'r.usda',
			`#usda 1.0
( defaultPrim = "r" metersPerUnit = 1 upAxis = "Z" )
def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"])
{
    def Xform "base" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 1
        float3 physics:diagonalInertia = (1, 1, 1)
        def Cone "hat" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {
            double radius = 0.1
        }
    }
}
`,
		);
		expect(code).toBe(2);
		expect(stderr).toMatch(/r\.usda:\d+:\d+: error MJC005: mujoco: shape '\/r\/base\/hat' is a CONE/);
		expect(stderr).toContain('at </r/base/hat>');
	});
});
