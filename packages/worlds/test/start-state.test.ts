import { Report } from '@manyworlds/core';
import { type Model, ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { startState } from '../src/index.ts';

/** An arm of 1 m on a hinge about y that starts at an angle. */
function arm(angle: number): Model {
	const builder = new ModelBuilder();
	const link = builder.addLink({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
	const joint = builder.addJointRevolute({
		parent: -1,
		child: link,
		axis: 'y',
		childXform: { p: [-1, 0, 0] },
		limitLower: -0.5,
		limitUpper: 0.5,
		label: 'lift',
	});
	builder.addArticulation([joint]);
	builder.column('jointQ')[0] = angle;
	return builder.finalize();
}

describe('the start of a model', () => {
	it('has bodies where the joints put them', () => {
		const report = new Report();
		const { jointQ, bodyQ } = startState(arm(0.3), report);
		expect(jointQ[0]).toBe(0.3);
		expect(bodyQ[0]).toBeCloseTo(Math.cos(0.3), 12);
		expect(bodyQ[2]).toBeCloseTo(-Math.sin(0.3), 12);
		expect(report.toArray()).toEqual([]);
	});

	it('is within the limits, and says what was moved', () => {
		const report = new Report();
		const { jointQ, bodyQ } = startState(arm(2), report);
		expect(jointQ[0]).toBe(0.5);
		expect(bodyQ[2]).toBeCloseTo(-Math.sin(0.5), 12);
		expect(report.toArray().map(({ message }) => message)).toEqual([
			'1 joints start at their limits instead of outside of them: lift',
		]);
	});
});
