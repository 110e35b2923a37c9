import { type Model, ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { chooseQuantities, plotPanels, plotSvg, Recording, Sample } from '../src/index.ts';

/** A floating base with a slider and a hinge, whose names are long. */
function makeModel(): Model {
	const builder = new ModelBuilder();
	const base = builder.addLink({ label: 'base', mass: 1 });
	const joints = [builder.addJointFree({ child: base, label: 'root' })];
	for (const [kind, label] of [
		['addJointPrismatic', 'robot/arm/forearm/wrist/gripper/left_finger_slide'],
		['addJointRevolute', 'robot/arm/forearm/wrist/gripper/left_finger_hinge'],
	] as const) {
		const link = builder.addLink({ mass: 1 });
		joints.push(builder[kind]({ parent: base, child: link, axis: 'x', label }));
	}
	builder.addArticulation(joints);
	return builder.finalize();
}

/** Two runs of the model, in which every coordinate grows. */
function makeRuns() {
	const model = makeModel();
	return ['sap', 'mujoco'].map((solver, k) => {
		const recording = new Recording(chooseQuantities(model, 0, ['position']));
		const state = model.createState();
		for (let step = 0; step <= 3; step++) {
			for (let q = 0; q < state.jointQ.length; q++) state.jointQ[q] = 0.31 * step * (q + 1) + 0.1 * k;
			recording.add(0.17 * step, new Sample(model, state, 0));
		}
		return { solver, recording };
	});
}

describe('a plot', () => {
	it('has metres, radians and quaternions in panels of their own', () => {
		expect(plotPanels(makeRuns()).map(({ title, unit }) => [title, unit])).toEqual([
			['joint coordinates', 'm'],
			['rotations of joints (quaternions)', ''],
			['joint coordinates', 'rad'],
		]);
	});

	it('names coordinates of floating joints by their axes', () => {
		const names = ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'].map((axis) => `root.${axis}`);
		expect(makeRuns()[0]!.recording.columns.slice(0, 7)).toEqual(names);
	});

	it('has one colour for a joint in all solvers, lists it once, by its whole name', () => {
		const runs = makeRuns();
		const svg = plotSvg('both', runs[0]!.recording.times, plotPanels(runs), { styles: ['sap', 'mujoco'] });
		const lines = svg.split('\n');
		const name = 'robot/arm/forearm/wrist/gripper/left_finger_slide';
		expect(lines.filter((line) => line.includes(`>${name}</text>`))).toHaveLength(1);
		const colours = lines.flatMap((line) => /^<polyline .*stroke="(#\w+)"/.exec(line)?.[1] ?? []);
		// four lines of metres: the same colours for the full lines of SAP and the dashed ones of MuJoCo
		expect(colours.slice(0, 4)).toEqual(colours.slice(4, 8));
		expect(new Set(colours.slice(0, 4)).size).toBe(4);
		expect(svg).toMatch(/stroke-dasharray="6 4"\/>\n<text [^>]*>mujoco<\/text>/);
	});

	it('has round numbers at its axes', () => {
		const [run] = makeRuns();
		const svg = plotSvg('one', run!.recording.times, plotPanels([run!]));
		const ticks = [...svg.matchAll(/fill="#666666">([^<]*)</g)].map(([, text]) => text);
		expect(ticks.slice(0, 5)).toEqual(['0', '2', '4', '6', '8']);
		expect(ticks.filter((text) => text!.endsWith(' s')).slice(0, 6)).toEqual([
			'0 s',
			'0.2 s',
			'0.4 s',
			'0 s',
			'0.2 s',
			'0.4 s',
		]);
	});
});
