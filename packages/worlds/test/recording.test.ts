import { type Model, ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { chooseQuantities, energyOf, plotPanels, plotSvg, Recording, Sample } from '../src/index.ts';

/** Two worlds with a body of 2 kg that turns about its centre of mass, 1 m above its origin. */
function makeModel(): Model {
	const world = new ModelBuilder({ gravity: [0, 0, -10] });
	world.addBody({ label: 'bob', mass: 2, com: [0, 0, 1], inertia: [3, 0, 0, 0, 4, 0, 0, 0, 5] });
	const all = new ModelBuilder();
	all.replicate(world, { count: 2, spacing: [0, 0, 0] });
	return all.finalize();
}

describe('energy', () => {
	it('is that of the closed form, in body axes whatever the pose', () => {
		const model = makeModel();
		const state = model.createState();
		// turned by 90 degrees about x: the centre of mass is at -y, the body's y axis points up
		state.bodyQ.set([0, 0, 2, Math.SQRT1_2, 0, 0, Math.SQRT1_2], 7);
		state.bodyQd.set([1, 2, 3, 0, 0, 0.5], 6);
		const { kinetic, potential } = energyOf(model, state, 1);
		expect(kinetic).toBeCloseTo(0.5 * 2 * 14 + 0.5 * 4 * 0.25, 12);
		expect(potential).toBeCloseTo(2 * 10 * 2, 12);
		expect(energyOf(model, state, 0)).toEqual({ kinetic: 0, potential: 20 });
	});
});

describe('a recording', () => {
	it('holds the chosen quantities of a world over time', () => {
		const model = makeModel();
		const state = model.createState();
		const recording = new Recording(chooseQuantities(model, 1, ['height', 'body:x of', 'contacts']));
		recording.add(0, new Sample(model, state, 1));
		state.bodyQ[7] = 0.25;
		state.bodyQ[9] = 0.5;
		recording.add(0.1, new Sample(model, state, 1));
		expect(recording.toCsv()).toBe('time [s],height of bob [m],x of bob [m],contacts\n0,0,0,0\n0.1,0.5,0.25,0\n');
		expect(recording.toCsv('sap (wasm)')).toMatch(/^time \[s\],.*,contacts,solver\n0,0,0,0,sap \(wasm\)\n/);
		expect(JSON.parse(recording.toJson('mujoco')).solver).toBe('mujoco');
		expect(JSON.parse(recording.toJson()).rows[1]).toEqual([0.1, 0.5, 0.25, 0]);
		expect(recording.column(recording.indicesOf('body')[0]!)).toEqual([0, 0.25]);
		const svg = plotSvg('two', recording.times, plotPanels([{ solver: 'sap', recording }]));
		expect(svg.match(/<polyline /g)).toHaveLength(3);
	});

	it('refuses what is no quantity, with what there is', () => {
		expect(() => chooseQuantities(makeModel(), 0, ['speed'])).toThrow(/unknown quantity 'speed', expected energy/);
		expect(() => chooseQuantities(makeModel(), 0, ['height:arm'])).toThrow(/expected a part of 'height of bob'/);
	});
});
