import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashState } from '@manyworlds/model';
import { openAsset, Simulation } from 'manyworlds';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from './run-cli.ts';

/** A block on two balls whose origin is in its middle: as written it stands half in the ground. */
const CART = `<robot name="cart">
  <link name="base">
    <inertial><mass value="3"/><inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.4 0.2 0.08"/></geometry></collision>
    <collision><origin xyz="0.15 0 -0.05"/><geometry><sphere radius="0.03"/></geometry></collision>
    <collision><origin xyz="-0.15 0.08 -0.05"/><geometry><sphere radius="0.03"/></geometry></collision>
    <collision><origin xyz="-0.15 -0.08 -0.05"/><geometry><sphere radius="0.03"/></geometry></collision>
  </link>
  <link name="mast">
    <inertial><mass value="0.1"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="tilt" type="revolute">
    <parent link="base"/><child link="mast"/><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="3"/>
  </joint>
</robot>`;

const SCENE = `simulation: { dt: 0.002, num_worlds: 2, max_rigid_contact: 512, solver: { contact_preset_variant: drake } }
builder: { contact_defaults: firm, defaults: { shape: { tau: 0 } } }
assets: [{ id: cart, type: urdf, source: cart.urdf, floating: true }]
ground: { lift: true }
`;

/** A leg on a floor of its own, with a time step, gravity, an integrator and two states. */
const LEG = `<mujoco model="leg">
  <option timestep="0.0005" gravity="0 0 -3.7" integrator="implicit"/>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="trunk" pos="0 0 1">
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.1" mass="2"/>
      <body name="shank" pos="0 0 -0.1">
        <joint name="knee" axis="0 1 0" range="-90 90"/>
        <geom type="capsule" fromto="0 0 -0.1 0 0 -0.4" size="0.03" mass="1"/>
      </body>
    </body>
  </worldbody>
  <actuator><position joint="knee" kp="50"/></actuator>
  <keyframe>
    <key name="stand" qpos="0 0 0.53 1 0 0 0 0" ctrl="0.25"/>
    <key name="sunk" qpos="0 0 0.4 1 0 0 0 0.5"/>
  </keyframe>
</mujoco>`;

let cwd = '';
beforeEach(() => {
	cwd = temporaryFolder();
	writeFileSync(join(cwd, 'cart.urdf'), CART);
	writeFileSync(join(cwd, 'cart.yaml'), SCENE);
	writeFileSync(join(cwd, 'leg.xml'), LEG);
});

async function run(...args: readonly string[]) {
	const { code, stdout, stderr } = await runCli(['run', ...args, '--json'], { cwd });
	return { code, stderr, ...(stdout === '' ? {} : JSON.parse(stdout)) };
}

/** The first value of the first quantity of a run whose name ends so. */
function first({ runs }: Awaited<ReturnType<typeof run>>, name: string): number {
	return runs[0].first[runs[0].columns.findIndex((column: string) => column.endsWith(name))];
}

describe('a robot that starts inside of the ground', () => {
	it('is lifted until it touches, in every world, and the output says by how much', async () => {
		const result = await run('cart.urdf', '--floating', '--worlds', '2', '--frames', '20');
		expect(result.code).toBe(0);
		expect(result.stderr).toMatch(/info WLD002: 'cart\/base' was lifted by 80 mm in 2 worlds, until '.*' touched/);
		expect(first(result, 'height of cart/base')).toBeCloseTo(0.08, 9);
		expect(result.runs[0].energyFromNothing).toBe(0);
	});

	it.each(['sap', 'mujoco'] as const)(
		'comes to the same bits by command, library and scene with %s',
		async (solver) => {
			const command = await run('cart.urdf', '--floating', '--worlds', '2', '--frames', '50', '--solver', solver);
			const scene = await run('cart.yaml', '--frames', '50', '--solver', solver);
			const simulation = await Simulation.create(await openAsset(join(cwd, 'cart.urdf')), {
				floating: true,
				worlds: 2,
				solver,
			});
			await simulation.step(50);
			const library = hashState(simulation.state);
			await simulation.dispose();
			expect([scene.runs[0].stateHash, library]).toEqual([command.runs[0].stateHash, command.runs[0].stateHash]);
		},
	);

	it('that is put there on purpose is a finding with the pair and the world, and fails the run', async () => {
		const result = await run('cart.urdf', '--floating', '--height', '0.01', '--frames', '20');
		expect(result.code).toBe(1);
		expect(result.stderr).toMatch(
			/warning WLD004: 'ground_plane' and '.*' of 'cart\/base' overlap by 70 mm .* world 0/,
		);
		expect(result.stderr).toMatch(/warning WLD005: sap: world 0 has \S+ J that came from nothing, from step 1 on/);
		expect(result.runs[0].energyFromNothing).toBeGreaterThan(1);
	});
});

describe('the start of a robot', () => {
	it('is a height, a pose or coordinates of joints that were given', async () => {
		const high = await run('cart.urdf', '--floating', '--height', '0.5', '--frames', '1');
		expect(first(high, 'height of cart/base')).toBeCloseTo(0.5, 12);
		const posed = await run('cart.urdf', '--floating', '--pose', '1,2,0.3', '--pose', 'tilt=0.4', '--frames', '1');
		const base = ['x', 'y', 'z'].map((axis) => first(posed, `.${axis}`));
		expect([...base, first(posed, 'cart/tilt')].map((value) => Number(value.toFixed(9)))).toEqual([1, 2, 0.3, 0.4]);
	});

	it.each([
		[['cart.urdf', '--height', '1'], 'nothing floats'],
		[['cart.urdf', '--floating', '--pose', '1,2'], 'expected x,y,z'],
		[['cart.urdf', '--floating', '--pose', '0,0,1,0,0,0,5'], 'unit quaternion'],
		[['cart.urdf', '--floating', '--pose', 'tail=1'], "no joint has the name 'tail'"],
		[['cart.urdf', '--floating', '--pose', '0,0,1', '--height', '1'], '--height and --pose both place the base'],
		[['cart.urdf', '--keyframe', 'stand'], "--keyframe: there is no 'stand', expected none: the file has none"],
		[['leg.xml', '--keyframe', 'sit'], "--keyframe: there is no 'sit', expected 'stand', 'sunk'"],
		[['cart.yaml', '--height', '1'], 'a scene says that itself'],
	])('is refused where it does not fit: %j', async (args, message) => {
		const { code, stderr } = await run(...args, '--frames', '1');
		expect(stderr).toContain(message);
		expect(code).toBe(2);
	});
});

describe('an MJCF file', () => {
	it('decides the time step, gravity and integrator, which is said, and offers its keyframes', async () => {
		const { stdout } = await runCli(['run', 'leg.xml', '--frames', '2'], { cwd });
		expect(stdout).toContain('2 steps of 0.0005 s');
		expect(stdout).toContain(
			'taken from the file: time step 0.0005 s, gravity 0 0 -3.7 m/s², integrator implicit (of MuJoCo)\n',
		);
		expect(stdout).toContain('the file has states to start from: --keyframe stand; also sunk\n');
		const other = await runCli(['run', 'leg.xml', '--frames', '2', '--dt', '0.001'], { cwd });
		expect(other.stdout).toContain('2 steps of 0.001 s');
		expect(other.stdout).not.toContain('time step 0.0005');
	});

	it('with a floor gets no second one, and the output says so', async () => {
		const { stdout } = await runCli(['run', 'leg.xml', '--frames', '1'], { cwd });
		expect(stdout).toContain("ground: 'leg/worldbody/floor' of the file (plane), no plane was added\n");
		const added = await runCli(['run', 'cart.urdf', '--floating', '--frames', '1'], { cwd });
		expect(added.stdout).toContain('ground: a plane was added, the file has none\n');
	});

	it('starts from a keyframe with its controls', async () => {
		const stand = await run('leg.xml', '--keyframe', 'stand', '--frames', '400', '--solver', 'mujoco');
		expect(stand.taken).toContain("keyframe 'stand' with its controls");
		expect(first(stand, 'height of leg/worldbody/trunk')).toBeCloseTo(0.53, 9);
		const knee = stand.runs[0].columns.findIndex((name: string) => name.endsWith('knee'));
		expect(stand.runs[0].last[knee]).toBeGreaterThan(0.05);
		const sunk = await run('leg.xml', '--keyframe', 'sunk', '--frames', '1');
		expect(sunk.stderr).toMatch(/WLD002: .* was lifted by/);
	});

	it('starts alike by the library', async () => {
		const simulation = await Simulation.create(await openAsset(join(cwd, 'leg.xml')), { keyframe: 'stand' });
		expect(simulation.dt).toBe(0.0005);
		expect(simulation.bodyPose('trunk')[2]).toBeCloseTo(0.53, 9);
		await simulation.step(5);
		const hash = hashState(simulation.state);
		expect(simulation.findings.toArray()).toEqual([]);
		await simulation.dispose();
		const command = await run('leg.xml', '--keyframe', 'stand', '--frames', '5');
		expect(command.runs[0].stateHash).toBe(hash);
	});
});
