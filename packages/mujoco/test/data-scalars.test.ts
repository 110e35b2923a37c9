import { expect, it } from 'vitest';
import { dataScalars } from '../src/engine/data-scalars.ts';
import { loadMujoco } from '../src/internal.ts';

const module = await loadMujoco();

it('time and contacts of a state are where the engine has them, in each of several states', () => {
	const mj = module.MjModel.from_xml_string(
		'<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 0.09"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>',
	);
	const states = [new module.MjData(mj), new module.MjData(mj)];
	for (const [i, data] of states.entries()) {
		for (let step = 0; step <= i; step++) module.mj_step(mj, data);
		const { time, contactCount } = dataScalars(module, data);
		expect(time[0]).toBe(data.time);
		expect(contactCount[0]).toBe(data.ncon);
		expect(data.ncon).toBe(1);
		time[0] = 12.5;
		expect(data.time).toBe(12.5);
	}
	for (const data of states) data.delete();
	mj.delete();
});
