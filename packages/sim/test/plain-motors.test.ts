import { describe, expect, it } from 'vitest';
import { ActivationKind, type LinearActuator } from '../src/sap/linear-actuators.ts';
import { PlainMotors } from '../src/sap/plain-motors.ts';

/** A motor of a world whose control is in a row and whose force goes to a degree of freedom: `2 u + bias`, at most 10. */
function motor(world: number, row: number, dof: number, bias = 0): LinearActuator {
	return {
		world,
		row,
		dofs: Int32Array.of(dof),
		coordinates: Int32Array.of(dof),
		moments: Float64Array.of(3),
		rest: 0,
		gain: Float64Array.of(2, 0, 0),
		bias: Float64Array.of(bias, 0, 0),
		control: Float64Array.of(-100, 100),
		force: Float64Array.of(-10, 10),
		activation: ActivationKind.NONE,
		timeConstant: 0,
		activationRange: Float64Array.of(0, 0),
	};
}

function pushed(
	motors: PlainMotors,
	group: number,
	controls: readonly number[],
): { isPushed: boolean; forces: number[] } {
	const forces = new Float64Array(4);
	const isPushed = motors.push(group, Float64Array.from(controls), forces);
	return { isPushed, forces: [...forces] };
}

describe('plain motors', () => {
	const motors = new PlainMotors([motor(0, 0, 0), motor(0, 1, 1), motor(1, 2, 2), motor(1, 3, 3)], 2);

	it('push by their control within bounds, each world by its own', () => {
		expect(pushed(motors, 0, [1, -2, 3, 4])).toEqual({ isPushed: true, forces: [6, -12, 0, 0] });
		expect(pushed(motors, 1, [1, -2, 3, 40])).toEqual({ isPushed: true, forces: [0, 0, 18, 30] });
	});

	it('rest where the controls of their world are 0, or not there', () => {
		expect(pushed(motors, 0, [0, 0, 3, 4])).toEqual({ isPushed: false, forces: [0, 0, 0, 0] });
		expect(pushed(motors, 1, [1, 1, 0, 0]).isPushed).toBe(false);
		expect(pushed(motors, 1, [1, 1]).isPushed).toBe(false);
		expect(pushed(motors, 1, [1, 1, 0, 1]).isPushed).toBe(true);
	});

	it('are looked at in their own rows when others stand between them', () => {
		const apart = new PlainMotors([motor(0, 0, 0), motor(0, 3, 1)], 1);
		expect(pushed(apart, 0, [0, 5, 5, 0]).isPushed).toBe(false);
		expect(pushed(apart, 0, [0, 0, 0, 2])).toEqual({ isPushed: true, forces: [0, 12, 0, 0] });
	});

	it('push without a control when they have a bias', () => {
		const biased = new PlainMotors([motor(0, 0, 0, 1.5)], 1);
		expect(pushed(biased, 0, [0])).toEqual({ isPushed: true, forces: [4.5, 0, 0, 0] });
	});
});
