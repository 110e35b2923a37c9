import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Report } from '@manyworlds/core';
import { importUrdf } from '@manyworlds/import';
import { hashState, ModelBuilder } from '@manyworlds/model';
import { loadSceneText } from '@manyworlds/scene';
import { SAP_ROBOT_OPTIONS } from '@manyworlds/sim/internal';
import { placeInWorlds, ROBOT_DEFAULTS, startState, WorldRunner, type WorldRunnerOptions } from '@manyworlds/worlds';
import { WORLD_SOLVERS } from 'manyworlds/internal';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const STEPS = 60;
const WORLDS = 2;

/** A cart that stands on two wheels and a ball, with an arm whose joint starts at its lower limit. */
const CART = `<robot name="cart">
  <link name="base">
    <inertial><mass value="3"/><inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.12"/><geometry><box size="0.4 0.2 0.08"/></geometry></collision>
    <collision><origin xyz="0.15 0 0.03"/><geometry><sphere radius="0.03"/></geometry></collision>
  </link>
  ${['left', 'right'].map((side, i) => wheel(side, i === 0 ? 0.13 : -0.13)).join('\n  ')}
  <link name="arm">
    <inertial>
      <origin xyz="0 0 0.1"/><mass value="0.4"/><inertia ixx="0.002" iyy="0.002" izz="0.001" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <collision><origin xyz="0 0 0.1"/><geometry><cylinder radius="0.02" length="0.16"/></geometry></collision>
  </link>
  <joint name="lift" type="revolute">
    <parent link="base"/><child link="arm"/><origin xyz="0 0 0.18" rpy="0 0.1 0"/><axis xyz="0 1 0"/>
    <limit lower="0.2" upper="1" effort="5" velocity="3"/>
  </joint>
</robot>`;

function wheel(side: string, y: number): string {
	return `<link name="${side}_wheel">
    <inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.002" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin rpy="1.5707963 0 0"/><geometry><cylinder radius="0.08" length="0.03"/></geometry></collision>
  </link>
  <joint name="${side}_axle" type="continuous">
    <parent link="base"/><child link="${side}_wheel"/><origin xyz="-0.1 ${y} 0.08"/><axis xyz="0 1 0"/>
  </joint>`;
}

const SCENE = `simulation:
  dt: ${ROBOT_DEFAULTS.dt}
  num_worlds: ${WORLDS}
  max_rigid_contact: 512
  solver: { contact_preset_variant: drake }
builder:
  contact_defaults: firm
  defaults: { shape: { tau: 0 } }
assets:
  - { id: cart, type: urdf, source: cart.urdf, floating: true }
initial_joint_q:
  - { joint: lift, value: 0.2 }
`;

const folder = mkdtempSync(join(tmpdir(), 'manyworlds-same-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const robotFile = join(folder, 'cart.urdf');
const sceneFile = join(folder, 'cart.yaml');
writeFileSync(robotFile, CART);
writeFileSync(sceneFile, SCENE);

/** Ways to the state at the end, each with the same numbers in the model. */
const WAYS: Readonly<Record<string, (solver: string) => Promise<string>>> = {
	'the command on the robot': (solver) =>
		byCommand([robotFile, '--floating', '--worlds', String(WORLDS), '--solver', solver]),
	'the command on a scene': (solver) => byCommand([sceneFile, '--solver', solver]),
	async 'the library'(solver) {
		const robot = new ModelBuilder({ contactDefaults: ROBOT_DEFAULTS.contactDefaults });
		importUrdf(new TextEncoder().encode(CART), robot, { floating: true });
		const model = placeInWorlds(robot, { count: WORLDS }).finalize();
		const runner = await openRunner(model, solver, SAP_ROBOT_OPTIONS);
		runner.state.assign(startState(model, new Report()));
		return finish(runner, ROBOT_DEFAULTS.dt);
	},
	async 'the library on a scene'(solver) {
		const text = SCENE.replace('cart.urdf', JSON.stringify(CART));
		const { loaded } = loadSceneText(text);
		const runner = await openRunner(loaded!.model, solver, loaded!.settings.solver);
		runner.state.assign(loaded!.state);
		return finish(runner, loaded!.settings.dt);
	},
};

async function byCommand(args: readonly string[]): Promise<string> {
	const { stdout } = await runCli(['run', ...args, '--frames', String(STEPS), '--json']);
	return JSON.parse(stdout).runs[0].stateHash;
}

function openRunner(
	model: WorldRunner['model'],
	solver: string,
	sap: WorldRunnerOptions['solverOptions'],
): Promise<WorldRunner> {
	return WorldRunner.create(model, { solver, solvers: WORLD_SOLVERS, solverOptions: solver === 'sap' ? sap : {} });
}

async function finish(runner: WorldRunner, dt: number): Promise<string> {
	await runner.step(dt, { steps: STEPS });
	const hash = hashState(runner.state);
	await runner.dispose();
	return hash;
}

describe.each(['sap', 'mujoco'])('a robot on %s', (solver) => {
	it('comes to the same bits by command, library and scene', async () => {
		const hashes: Record<string, string> = {};
		for (const [way, run] of Object.entries(WAYS)) hashes[way] = await run(solver);
		const [first] = Object.values(hashes);
		expect(hashes).toEqual(Object.fromEntries(Object.keys(WAYS).map((way) => [way, first])));
	});

	it('stands on firm ground, or on that of Newton when asked', async () => {
		const lowest = async (...args: readonly string[]): Promise<number> => {
			const command = ['run', robotFile, '--floating', '--solver', solver, '--duration', '0.5', '--json'];
			const { runs } = JSON.parse((await runCli([...command, ...args])).stdout);
			return runs[0].last[runs[0].columns.indexOf('height of cart/base')];
		};
		const [firm, newton] = [await lowest(), await lowest('--contacts', 'newton')];
		expect(Math.abs(firm)).toBeLessThan(1e-3);
		// MuJoCo has a contact of its own for shapes that say nothing
		if (solver === 'sap') expect(newton).toBeLessThan(-2e-3);
		else expect(newton).toBe(firm);
	});
});

describe('contact defaults', () => {
	it('are told in the summary, with the shapes that have them', async () => {
		const args = ['run', robotFile, '--floating', '--frames', '1'];
		expect((await runCli(args)).stdout).toContain('contacts: firm (1e5 N/m, 1 mm gap) for 6 shapes that say nothing');
		const other = JSON.parse((await runCli([...args, '--contacts', 'newton', '--json'])).stdout);
		expect(other.contacts).toEqual({ name: 'newton', stiffness: 2500, gap: 0.1, shapeCount: 6 });
	});

	it('of a scene are its own', async () => {
		const { code, stderr } = await runCli(['run', sceneFile, '--contacts', 'firm']);
		expect(code).toBe(2);
		expect(stderr).toContain('--contacts');
	});
});
