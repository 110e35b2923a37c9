import type { CodeHelp } from '@manyworlds/core/internal';
import type { SIM_CODES } from '../sim.ts';

/** What to do about the codes of the simulation: what of a model a solver does not simulate. */
export const SIM_HELP: Readonly<Record<keyof typeof SIM_CODES, CodeHelp>> = {
	SIM001: {
		title: 'Not simulated by this solver',
		help: 'The model has something that `SolverSap` does not simulate, so its motion leaves it out. The message says what and how many there are. Use another solver, or take it out of the model to make the message go away.',
	},
	SIM002: {
		title: 'Motion without mass',
		help: 'A degree of freedom moves nothing that has mass, so its acceleration is not defined; the solver keeps it at rest. Give the bodies below the joint mass and inertia, or the joint an armature.',
	},
	SIM003: {
		title: 'Velocity limits not enforced',
		help: 'Joints have a greatest speed, which a drive of the real robot keeps to, but `SolverSap` does not unless it is made with `enforceVelocityLimits`.',
	},
	SIM004: {
		title: 'Actuator acts as a force',
		help: 'The force of an actuator grows with the length or the speed that it causes, so it cannot be part of the convex problem of a step. It is computed from the state at the start of the step instead, and limits the steps that are stable. Look at the signs of its `biasprm` and `gainprm`.',
	},
};
