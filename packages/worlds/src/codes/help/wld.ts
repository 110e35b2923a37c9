import type { CodeHelp } from '@manyworlds/core/internal';
import type { WLD_CODES } from '../wld.ts';

/** What to do about the codes of worlds: how they start, and the threads that step them. */
export const WLD_HELP: Readonly<Record<keyof typeof WLD_CODES, CodeHelp>> = {
	WLD001: {
		title: 'Start outside of limits',
		help: 'The asset places joints outside of their own limits. A simulation that starts there begins with a blow, so `startState` and `manyworlds run` move them to the limit.',
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
