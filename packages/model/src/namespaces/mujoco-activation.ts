import type { ModelBuilder } from '../model-builder.ts';

/**
 * Declares `mujoco:actuator_act`: what integrators and filters of actuators hold, one number for each actuator, in states.
 * `SolverSap` moves it on; MuJoCo keeps its own.
 */
export function defineMujocoActivation(builder: ModelBuilder): void {
	builder.defineAttribute({
		name: 'actuator_act',
		namespace: 'mujoco',
		type: 'f64',
		frequency: 'mujoco:actuator',
		owner: 'state',
		default: 0,
	});
}
