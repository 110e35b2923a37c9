import { ModelBuilder } from '@manyworlds/model';
import { cameraMatrix, Imu } from '@manyworlds/sensors';
import { expect, it } from 'vitest';

const OFFSET = new Float64Array([0, 0, 0, 0, 0, 0, 1]);

function ball(): { model: ReturnType<ModelBuilder['finalize']>; body: number } {
	const builder = new ModelBuilder();
	const body = builder.addBody({ mass: 1 });
	builder.addShapeSphere(body, { radius: 0.1 });
	return { model: builder.finalize(), body };
}

it('an IMU at rest reads gravity upwards', () => {
	const { model, body } = ball();
	const state = model.createState();
	const imu = new Imu(model, body, OFFSET);
	imu.update(state, 0.01);
	imu.update(state, 0.01);
	expect([...imu.read(state).specificForce]).toEqual([0, 0, 9.81]);
});

it('an IMU in free fall reads nothing', () => {
	const { model, body } = ball();
	const state = model.createState();
	const imu = new Imu(model, body, OFFSET);
	imu.update(state, 0.01);
	state.bodyQd[6 * body + 2] = -0.0981;
	imu.update(state, 0.01);
	expect(imu.read(state).specificForce[2]).toBeCloseTo(0, 12);
});

it('an IMU that is turned reads gravity along its own axis', () => {
	const { model, body } = ball();
	const state = model.createState();
	const imu = new Imu(model, body, new Float64Array([0, 0, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2]));
	imu.update(state, 0.01);
	const { specificForce } = imu.read(state);
	expect(specificForce[1]).toBeCloseTo(9.81, 12);
	expect(specificForce[2]).toBeCloseTo(0, 12);
});

it('a camera has the focal length of its optics in pixels', () => {
	expect(cameraMatrix({ focalLength: 18, horizontalAperture: 36, verticalAperture: 24 }, 600)).toEqual({
		width: 600,
		height: 400,
		fx: 300,
		fy: 300,
		cx: 300,
		cy: 200,
	});
});
