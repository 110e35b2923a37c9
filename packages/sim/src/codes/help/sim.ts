import type { CodeHelp } from '@manyworlds/core';
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
	SIM020: {
		title: 'Worker ended',
		help: 'A thread that steps worlds has ended: it ran out of memory, was ended from outside, or the runner was disposed while it worked. The message says which worlds it had and why. The states of all worlds can still be read, but those of its worlds may be between two steps. Make a new runner; fewer worlds or fewer workers need less memory.',
	},
	SIM021: {
		title: 'Worker cannot start',
		help: 'A runner asked for a solver that its threads do not know, the platform has no shared memory (a page must be cross-origin isolated), or the model could not be put there. The message names what was found and what was expected.',
	},
	SIM022: {
		title: 'Solver failed',
		help: 'A solver threw an error while it stepped worlds in a thread. The message has the error and the worlds. A world that merely diverges does not do this: it is held and listed by `failures`.',
	},
};
