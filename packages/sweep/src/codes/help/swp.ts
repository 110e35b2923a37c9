import type { CodeHelp } from '@manyworlds/core/internal';
import type { SWP_CODES } from '../swp.ts';

/** What to do about the codes of sweeps. */
export const SWP_HELP: Readonly<Record<keyof typeof SWP_CODES, CodeHelp>> = {
	SWP001: {
		title: 'Plan cannot be parsed',
		help: 'The plan of a sweep is YAML 1.2, or JSON when its name ends with `.json`. The message says what the parser found.',
	},
	SWP002: {
		title: 'Plan is too large',
		help: 'A plan has at most four million characters, 500,000 values and 64 levels. Large sets of runs are described by a sampler, not listed.',
	},
	SWP003: { title: 'Key given twice', help: 'A mapping of the plan has the same key twice. Remove one of them.' },
	SWP005: {
		title: 'Unknown key in a plan',
		help: 'The key is not known and has no effect. The message names the key that was probably meant.',
	},
	SWP006: {
		title: 'Wrong kind of value in a plan',
		help: 'The value is of another kind than the key asks for, such as text in place of a number.',
	},
	SWP007: {
		title: 'Expression cannot be read',
		help: 'Constraints and metrics are expressions of numbers, names, `+ - * /`, comparisons, `and`, `or`, `not` and a few functions. The message says what was found and where.',
	},
	SWP008: {
		title: 'Value of a plan out of range',
		help: 'A number of the plan is outside of what the key allows; ranges go from a lower to a higher number.',
		bad: 'parameters:\n  mu: {path: "prim:/Robot.mass", range: [1.2, 0.2]}\n',
		good: 'parameters:\n  mu: {path: "prim:/Robot.mass", range: [0.2, 1.2]}\n',
		language: 'yaml',
	},
	SWP009: { title: 'Unknown choice in a plan', help: 'The text is none of those that the message lists.' },
	SWP010: { title: 'Missing key in a plan', help: 'A key that every plan needs is not there.' },
	SWP012: {
		title: 'Wrong number of entries',
		help: 'A list of the plan has more or fewer entries than the key asks for.',
	},
	SWP020: {
		title: 'Parameter matches nothing',
		help: 'The path of a parameter leads to no prim, property, variant set, row of the model or field of the scene. `manyworlds inspect` lists what there is. Nothing was run.',
	},
	SWP021: {
		title: 'Variant that does not exist',
		help: 'A choice of a parameter is none of the variants of its variant set. Nothing was run.',
	},
	SWP022: {
		title: 'Value does not fit the property',
		help: 'The property of the parameter is of another type than its values, or has no value that could be scaled.',
	},
	SWP023: {
		title: 'Unknown option of a sweep',
		help: 'A parameter with `option` changes `solver`, `dt`, `duration` or an option of SAP by the name that scene files have for it.',
	},
	SWP024: {
		title: 'Unknown name in an expression',
		help: 'Constraints know the parameters of the plan; metrics know quantities of the run such as `energy`, `contacts` and `position:BODY.z`.',
	},
	SWP025: {
		title: 'Asset of a sweep cannot be simulated',
		help: 'The asset or scene of the plan could not be opened, or has nothing that moves. The findings beside this one say why. Nothing was run.',
	},
	SWP026: {
		title: "Number of Sobol' points is no power of two",
		help: "The sequence of Sobol' is balanced after 2, 4, 8, … points. Other numbers work and lose part of what it is for.",
	},
	SWP027: {
		title: 'Repeats without noise',
		help: 'Repeats differ by their noise seed. Without `simulate.noise` all repeats of a point come to the same result.',
	},
	SWP030: {
		title: 'Sampler does not fit the parameters',
		help: 'A grid needs values it can count: `choices`, `integer`, or a range with `steps`. A list must give every parameter in every row. A parameter belongs to one part of a product.',
	},
	SWP031: {
		title: 'No run satisfies the constraints',
		help: 'The constraints of the plan leave no run. They contradict each other or the ranges of the parameters. Nothing was run.',
	},
	SWP032: {
		title: 'No such run',
		help: 'The run that was asked for is not part of the plan, or its constraints exclude it.',
	},
	SWP040: {
		title: 'Results cannot be written',
		help: 'The folder of results could not be written to: no space, no permission, or a file in its place. What was committed before stays; run the same command again after the cause is removed.',
	},
	SWP041: {
		title: 'Same run, different results',
		help: 'A run was computed twice and came to different bytes. Both results are kept. This is a fault of the program or of the machine: please report it with both files.',
	},
	SWP042: {
		title: 'Queue or store cannot be used',
		help: 'The server of `--queue` or `--store` does not answer, refuses the user or password, or, for a store, replaces objects although it is asked not to: several workers would lose results there. Nothing is lost: the same command goes on later.',
	},
	SWP043: {
		title: 'Address of a queue or store cannot be used',
		help: 'A queue is `nats://HOST:PORT/NAME`, with the user and password in the address or in NATS_USER and NATS_PASSWORD, or `file:///FOLDER`. A store is `s3://BUCKET/PREFIX`, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, and AWS_ENDPOINT_URL for services other than that of Amazon.',
	},
	SWP044: {
		title: 'Worker of another version',
		help: 'A worker met a sweep that another version of the program made. It leaves its batches to others: results of two versions are not the same.',
	},
	SWP050: {
		title: 'Sweep stopped for failures',
		help: 'More runs failed than `stop.max_failures` allows. What was committed stays; the report shows the failures with the command that repeats each.',
	},
	SWP051: {
		title: 'Message of a queue refused',
		help: 'The queue held a message that is no batch of this sweep: malformed, too large, or of another plan. It was removed and counted.',
	},
	SWP052: {
		title: 'No sweep there',
		help: 'The folder holds no `plan.json` of a sweep, or one that cannot be read. Give the folder that `manyworlds sweep` wrote.',
	},
};
