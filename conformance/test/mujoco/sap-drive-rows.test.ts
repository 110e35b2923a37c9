/** What SolverSap reads of the rows of MuJoCo's actuators and equalities, in files with several of them: each row has its own numbers. */
import { importMjcf } from '@manyworlds/import';
import { JointTargetMode, type Model, State } from '@manyworlds/model';
import { SolverSap } from '@manyworlds/sim';
import { describe, expect, test } from 'vitest';
import { mujocoBuilder } from '../../../packages/mujoco/test/support.ts';
import { BOUNDS, DofDrives, FORCE, RATE, TARGET } from '../../../packages/sim/src/sap/dof-drives.ts';

function imported(content: string): Model {
	const builder = mujocoBuilder();
	const text = `<mujoco><compiler angle="radian"/><option gravity="0 0 0"/>${content}</mujoco>`;
	importMjcf(new TextEncoder().encode(text), builder);
	return builder.finalize({ keepInertia: true });
}

const slider = (name: string, mass: number): string =>
	`<body name="b${name}"><joint name="${name}" type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="${mass}" diaginertia="1 1 1"/></body>`;
const THREE = `<worldbody>${slider('i', 1)}${slider('j', 2)}${slider('k', 3)}</worldbody>`;

describe('drives of imported actuators', () => {
	const boundsOf = (drives: DofDrives, dof: number, kind: number): number[] => [
		...drives.bounds.slice(BOUNDS * dof + kind, BOUNDS * dof + kind + 2),
	];

	test('have the ranges of their own row', () => {
		const model = imported(`${THREE}<actuator>
<position joint="k" kp="10" ctrlrange="-1 2" forcerange="-3 4"/>
<velocity joint="j" kv="2" ctrlrange="-6 7" forcerange="-8 9"/>
<position joint="i" kp="5" ctrlrange="-.5 .7"/>
</actuator>`);
		const drives = new DofDrives(model);
		expect(boundsOf(drives, 2, TARGET)).toEqual([-1, 2]);
		expect(boundsOf(drives, 2, FORCE)).toEqual([-3, 4]);
		expect(boundsOf(drives, 1, RATE)).toEqual([-6, 7]);
		expect(boundsOf(drives, 1, TARGET)).toEqual([-Infinity, Infinity]);
		expect(boundsOf(drives, 1, FORCE)).toEqual([-8, 9]);
		expect(boundsOf(drives, 0, TARGET)).toEqual([-0.5, 0.7]);
		expect(boundsOf(drives, 0, FORCE)).toEqual([-Infinity, Infinity]);
	});

	test('have no range of motors and of actuators that pull at tendons', () => {
		const model = imported(`${THREE}
<tendon><fixed name="t"><joint joint="i" coef="1"/><joint joint="j" coef="2"/></fixed></tendon>
<actuator>
<motor joint="k" ctrlrange="-.1 .1" forcerange="-.2 .2"/>
<position tendon="t" kp="3" ctrlrange="-.3 .3" forcerange="-.4 .4"/>
<position joint="j" kp="10" ctrlrange="-1 2" forcerange="-3 4"/>
</actuator>`);
		const drives = new DofDrives(model);
		for (const dof of [0, 2]) {
			for (const kind of [TARGET, RATE, FORCE]) expect(boundsOf(drives, dof, kind)).toEqual([-Infinity, Infinity]);
		}
		expect(boundsOf(drives, 1, TARGET)).toEqual([-1, 2]);
		expect(boundsOf(drives, 1, FORCE)).toEqual([-3, 4]);
	});

	test('are damped by the ratio of their own row: 2 ζ √(k m)', () => {
		const model = imported(`${THREE}<actuator>
<position joint="i" kp="4"/>
<position joint="j" kp="8" kv="0.25"/>
<position joint="k" kp="12" dampratio="0.5"/>
</actuator>`);
		const drives = new DofDrives(model);
		expect(drives.dampingOf(0)).toBe(0);
		expect(drives.dampingOf(1)).toBe(0.25);
		expect(drives.dampingOf(2)).toBeCloseTo(2 * 0.5 * Math.sqrt(12 * 3), 9);
	});

	test('are there however weak they are, and not where nothing pulls', () => {
		const model = imported(
			`${THREE}<actuator><position joint="i" kp="0.25"/><velocity joint="j" kv="0.125"/></actuator>`,
		);
		const drives = new DofDrives(model);
		expect([0, 1, 2].map((dof) => drives.has(dof))).toEqual([true, true, false]);
		model.jointTargetMode[0] = JointTargetMode.EFFORT;
		expect(new DofDrives(model).has(0)).toBe(false);
	});
});

describe('welds and points of equalities', () => {
	const free = (name: string, pos: string): string =>
		`<body name="${name}" pos="${pos}" quat="0.8 0 0.6 0"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>`;
	const WORLD = `<worldbody>${free('a', '0 0 1')}${free('b', '1 0 1')}${free('c', '2 0.5 1')}${free('d', '3 0 2')}</worldbody>`;
	/** Greatest velocity after one step. */
	const stirred = (equalities: string): number => {
		const model = imported(`${WORLD}<equality>${equalities}</equality>`);
		const solver = new SolverSap(model);
		const [before, after] = [new State(model), new State(model)];
		solver.step(before, after, undefined as never, undefined as never, 0.002);
		return Math.max(...after.jointQd.map(Math.abs));
	};
	// the pose of the second body in the first, both turned alike by (0.8, 0, 0.6, 0): R(-θ) of the difference of places
	const relpose = (x: number, y: number, z: number): string => {
		// cos θ = 0.8² - 0.6², sin θ = 2 · 0.8 · 0.6 about y; back by θ
		const [c, s] = [0.28, 0.96];
		return `${c * x - s * z} ${y} ${s * x + c * z} 1 0 0 0`;
	};
	const welds = (third: string): string =>
		`<weld body1="a" body2="b" relpose="${relpose(1, 0, 0)}"/><weld body1="b" body2="c" relpose="${relpose(1, 0.5, 0)}"/><weld body1="c" body2="d" relpose="${third}"/>`;

	test('hold bodies where each says, so that nothing moves', () => {
		expect(stirred(welds(relpose(1, -0.5, 1)))).toBeLessThan(1e-9);
		expect(stirred(welds(relpose(1, -0.5, 1.1)))).toBeGreaterThan(1e-3);
		expect(stirred(`<connect body1="a" body2="b" anchor="0.3 0.2 0.1"/>${welds(relpose(1, -0.5, 1))}`)).toBeLessThan(
			1e-9,
		);
	});
});
