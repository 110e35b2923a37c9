import type { CodeHelp } from '@manyworlds/core/internal';
import type { WLD_CODES } from '../wld.ts';

/** What to do about the codes of worlds: how they start, and the threads that step them. */
export const WLD_HELP: Readonly<Record<keyof typeof WLD_CODES, CodeHelp>> = {
	WLD001: {
		title: 'Start outside of limits',
		help: 'The asset places joints outside of their own limits. A simulation that starts there begins with a blow, so `startState` and `manyworlds run` move them to the limit.',
	},
	WLD002: {
		title: 'Robot lifted from the ground',
		help: 'A floating robot would have started inside of the ground, which would have thrown it. It was lifted, by the geometry of its colliders, until the lowest one touched. `--height`, `--pose` and `--keyframe` of `manyworlds run` choose another start.',
	},
	WLD003: {
		title: 'Ground lowered',
		help: 'A robot on a fixed base reaches below the plane that was added for it. The base stays where the file puts it, so the plane was lowered to the lowest collider. `--no-ground` leaves the plane out.',
	},
	WLD004: {
		title: 'Bodies overlap at the start',
		help: 'Two colliders reach into each other by more than 1 mm when the simulation starts, and at least one of them can move. The contact pushes them apart and brings energy in that nothing explains. Choose another start (`--keyframe`, `--pose`, `--height`), correct the colliders, or filter the pair in the asset.',
	},
	WLD005: {
		title: 'Energy from nothing',
		help: 'A world has more energy than it had at the start and than drives, actuators, springs and applied forces brought in. Contacts, limits and friction can only take energy or give back what they took, so the motion is not to be trusted: bodies that overlapped were torn apart, the time step is too long for the gains, or the solver is at fault. A smaller time step (`--dt`) and another start tell which.',
	},
	WLD020: {
		title: 'Worker ended',
		help: 'A thread that steps worlds has ended: it ran out of memory, was ended from outside, or the runner was disposed while it worked. The message says which worlds it had and why. The states of all worlds can still be read, but those of its worlds may be between two steps. Make a new runner; fewer worlds or fewer workers need less memory.',
	},
	WLD021: {
		title: 'Worker cannot start',
		help: 'A runner asked for a solver that its threads do not know, the platform has no shared memory (a page must be cross-origin isolated), or the model could not be put there. The message names what was found and what was expected.',
	},
	WLD022: {
		title: 'Solver failed',
		help: 'A solver threw an error while it stepped worlds in a thread. The message has the error and the worlds. A world that merely diverges does not do this: it is held and listed by `failures`.',
	},
};
