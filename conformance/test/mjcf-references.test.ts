import { Report } from '@manyworlds/core';
import { importMjcf } from '@manyworlds/import';
import { Control, ModelBuilder } from '@manyworlds/model';
import { SolverSap } from '@manyworlds/sim';
import { startState } from '@manyworlds/worlds';
import { describe, expect, it } from 'vitest';

/** A hinge whose file stands at 1 rad of its own coordinate: `ref`. */
function hinge(rest: string, actuator = ''): string {
	return `<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody><body name="arm">
		<joint name="elbow" axis="0 0 1" ref="1" ${rest}/><geom size="0.1" mass="1"/>
	</body></worldbody>${actuator}</mujoco>`;
}

function settle(xml: string, speed: number): number {
	const builder = new ModelBuilder();
	importMjcf(xml, builder);
	const model = builder.finalize();
	const solver = new SolverSap(model);
	let state = startState(model, new Report());
	let next = model.createState();
	state.jointQd[0] = speed;
	const control = new Control(model);
	for (let i = 0; i < 2000; i++) {
		solver.step(state, next, control, undefined, 0.002);
		[state, next] = [next, state];
	}
	return state.jointQ[0]!;
}

describe('joints of MJCF with a reference', () => {
	it('stop at their limits, which are coordinates of MJCF', () => {
		// 1.5 rad of MJCF are 0.5 rad from where the file stands
		expect(settle(hinge('range="0 1.5"'), 0.5)).toBeCloseTo(0.5, 1);
		expect(settle(hinge('range="0.25 1.5"'), -0.5)).toBeCloseTo(-0.75, 1);
	});

	it('start where the file has them, when that is within the limits', () => {
		const builder = new ModelBuilder();
		importMjcf(hinge('range="0.9 1.1"'), builder);
		const report = new Report();
		expect(startState(builder.finalize(), report).jointQ[0]).toBe(0);
		expect(report.toArray()).toEqual([]);
	});

	it('are driven to targets that are coordinates of MJCF', () => {
		const key = '<keyframe><key name="home" qpos="1" ctrl="1.25"/></keyframe>';
		const actuator = `<actuator><position joint="elbow" kp="20" kv="3"/></actuator>${key}`;
		const builder = new ModelBuilder();
		importMjcf(hinge('', actuator), builder, { keyframe: 'home' });
		const model = builder.finalize();
		expect(Array.from(model.jointTargetQ)).toEqual([1.25]);
		const solver = new SolverSap(model);
		let [state, next] = [model.createState(), model.createState()];
		for (let i = 0; i < 2000; i++) {
			solver.step(state, next, new Control(model), undefined, 0.002);
			[state, next] = [next, state];
		}
		expect(state.jointQ[0]).toBeCloseTo(0.25, 6);
	});
});
