import { importMjcf } from '@manyworlds/import';
import { Control, type Model, ModelFlags, State } from '@manyworlds/model';
import { SolverMujoco } from '@manyworlds/mujoco';
import { SolverSap } from '@manyworlds/sim';
import type { Solver } from '@manyworlds/worlds';
import { describe, expect, test } from 'vitest';
import { mujoco, mujocoBuilder } from '../../../packages/mujoco/test/support.ts';

const DT = 0.0005;
const GEOM = 'size=".02" contype="0" conaffinity="0"';
const TENDON = '<tendon><fixed name="t"><joint joint="j" coef="1"/><joint joint="k" coef="-.5"/></fixed></tendon>';

/** Two links that hang from a post, with a site at the end. */
const arm = (joint: string, rest: string): string => `<mujoco><compiler angle="radian"/><worldbody>
	<body name="l"><joint name="j" axis="0 1 0" ${joint}/><geom type="capsule" fromto="0 0 0 .5 0 0" ${GEOM}/>
	<body name="m" pos=".5 0 0"><joint name="k" axis="0 1 0" damping=".05"/><geom type="capsule" fromto="0 0 0 .3 0 0" ${GEOM}/>
	<site name="tip" pos=".3 0 0"/></body></body></worldbody>${rest}</mujoco>`;
const driven = (actuator: string, joint = '', before = ''): string =>
	arm(joint, `${before}<actuator>${actuator}</actuator>`);

function imported(text: string): Model {
	const builder = mujocoBuilder();
	importMjcf(new TextEncoder().encode(text), builder);
	return builder.finalize();
}

/** Coordinates after half a second under a control that swings. */
function run(model: Model, solver: Solver): number[] {
	const control = new Control(model);
	const ctrl = control.attributes.get('mujoco:ctrl') as Float64Array;
	let [now, next] = [new State(model), new State(model)];
	for (let i = 0; i < 0.5 / DT; i++) {
		const u = 0.1 + 0.3 * Math.sin(2 * Math.PI * i * DT);
		ctrl.fill(u);
		control.jointTargetQ.fill(u);
		solver.step(now, next, control, undefined, DT);
		[now, next] = [next, now];
	}
	return Array.from(now.jointQ);
}

const CASES: Readonly<Record<string, string>> = {
	'general with an affine bias': driven('<general joint="j" gainprm="500" biastype="affine" biasprm="0 -500 -50"/>'),
	'general with an offset': driven('<general joint="j" gainprm="50" biastype="affine" biasprm="3 -50 -5"/>'),
	position: driven('<position joint="j" kp="500" kv="50"/>'),
	'position with a ratio of damping': driven('<position joint="j" kp="100" dampratio="1"/>'),
	'position with a gear and a ratio of damping': driven('<position joint="j" kp="100" dampratio="1" gear="2"/>'),
	'position with a gear': driven('<position joint="j" kp="50" kv="5" gear="3"/>'),
	'position with a range of force': driven('<position joint="j" kp="500" kv="50" forcerange="-5 5"/>'),
	'position with a gear and a range of force': driven(
		'<position joint="j" kp="500" kv="50" gear="2" forcerange="-2 2"/>',
	),
	'position with a range of control': driven('<position joint="j" kp="500" kv="50" ctrlrange="-.1 .1"/>'),
	'position on a joint with a range of force': driven(
		'<position joint="j" kp="50" kv="5"/>',
		'actuatorfrcrange="-4 4"',
	),
	motor: driven('<motor joint="j" gear="2"/>'),
	'motor with a range of control': driven('<motor joint="j" gear="2" ctrlrange="-.2 .2"/>'),
	'velocity with a gear': driven('<velocity joint="j" kv="2" gear="3"/>'),
	intvelocity: driven('<intvelocity joint="j" kp="300" kv="20" actrange="-1 1"/>'),
	damper: driven('<damper joint="j" kv="3" ctrlrange="0 1"/>'),
	'a filter': driven('<general joint="j" dyntype="filter" dynprm=".05" gainprm="20"/>'),
	'an exact filter': driven('<position joint="j" kp="100" kv="5" timeconst=".05"/>'),
	'position of a tendon': driven('<position tendon="t" kp="100" kv="10"/>', '', TENDON),
	'motor of a tendon': driven('<motor tendon="t" gear="2"/>', '', TENDON),
	'a spring and a damper of a tendon': driven(
		'<motor joint="k"/>',
		'',
		TENDON.replace('name="t"', 'name="t" stiffness="30" damping="2" springlength=".2"'),
	),
	'a slack spring of a tendon': driven(
		'<motor joint="k"/>',
		'',
		TENDON.replace('name="t"', 'name="t" stiffness="30" damping="2" springlength="-.2 .3"'),
	),
	'a spring of a joint': driven('<motor joint="k"/>', 'stiffness="20" springref=".5" ref=".2"'),
	'a force at a site': driven('<motor site="tip" gear="0 0 5 0 1 0"/>'),
	'gravity compensation': driven('<motor joint="k"/>').replace('name="m" ', 'name="m" gravcomp=".7" '),
	'damping of the wrong sign': driven('<general joint="j" gainprm="1" biastype="affine" biasprm="0 0 .05"/>'),
};

describe('actuators of MJCF move SolverSap as they move MuJoCo', () => {
	test.each(Object.entries(CASES))('%s', (_, text) => {
		const model = imported(text);
		const reference = new SolverMujoco(mujoco, model);
		const expected = run(model, reference);
		reference.dispose();
		const own = run(model, new SolverSap(model));
		for (const [i, value] of expected.entries()) expect(Math.abs(own[i]! - value)).toBeLessThan(0.01);
	});

	test('every world has its own actuators and controls', () => {
		const robot = mujocoBuilder();
		importMjcf(new TextEncoder().encode(CASES['position with a gear']!), robot);
		const scene = mujocoBuilder();
		scene.replicate(robot, { count: 2 });
		const model = scene.finalize();
		const control = new Control(model);
		(control.attributes.get('mujoco:ctrl') as Float64Array).set([0.3, -0.3]);
		const solver = new SolverSap(model);
		let [now, next] = [new State(model), new State(model)];
		for (let i = 0; i < 1000; i++) {
			solver.step(now, next, control, undefined, 0.002);
			[now, next] = [next, now];
		}
		// the length is three times the angle, and gravity pulls a little
		expect(now.jointQ[0]).toBeCloseTo(0.1, 1);
		expect(now.jointQ[2]).toBeCloseTo(-0.1, 1);
	});

	test('two robots of one world keep their actuators apart', () => {
		const robot = mujocoBuilder();
		importMjcf(new TextEncoder().encode(CASES['position with a gear']!), robot);
		const scene = mujocoBuilder();
		scene.addBuilder(robot);
		scene.addBuilder(robot, { labelPrefix: 'second' });
		const targets = scene.finalize().attributes.get('mujoco:actuator_trnid') as Int32Array;
		expect([targets[0], targets[2]]).toEqual([0, 2]);
	});

	test('edits count when the solver is told', () => {
		const model = imported(CASES['general with an affine bias']!);
		const solver = new SolverSap(model);
		(model.attributes.get('mujoco:actuator_gainprm') as Float64Array).fill(0);
		(model.attributes.get('mujoco:actuator_biasprm') as Float64Array).fill(0);
		solver.notifyModelChanged(ModelFlags.ACTUATOR_PROPERTIES);
		expect(run(model, solver)[0]).toBeGreaterThan(0.5);
	});
});

describe('what SolverSap cannot follow is named', () => {
	test.each([
		['muscles', driven('<muscle joint="j" ctrlrange="0 1" lengthrange="0 1"/>'), 'SIM001', 'muscles'],
		[
			'tendons over sites',
			driven(
				'<motor tendon="t"/>',
				'',
				'<tendon><spatial name="t"><site site="tip"/><site site="top"/></spatial></tendon>',
			).replace('</worldbody>', '<site name="top" pos="0 0 1"/></worldbody>'),
			'SIM001',
			'run over sites',
		],
		['adhesion', driven('<adhesion body="m" ctrlrange="0 1" gain="2"/>'), 'SIM001', 'adhesion'],
		['forces that push away', CASES['damping of the wrong sign']!, 'SIM004', 'push away'],
	])('%s', (_, text, code, words) => {
		const found = new SolverSap(imported(text)).report.toArray().filter((finding) => finding.code === code);
		expect(found).toHaveLength(1);
		expect(found[0]!.message).toContain(words);
	});
});
