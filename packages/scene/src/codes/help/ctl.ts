import type { CodeHelp } from '@manyworlds/core/internal';
import type { CTL_CODES } from '../ctl.ts';

/** What to do about the codes of control sequences that scenes play. */
export const CTL_HELP: Readonly<Record<keyof typeof CTL_CODES, CodeHelp>> = {
	CTL001: {
		title: 'Control file cannot be read',
		help: 'The file that `control.source` of a scene names is not there, may not be read, or is no JSON. Its path is relative to the scene file.',
	},
	CTL002: {
		title: 'Value of a control file cannot be used',
		help: 'A control file has `schema_version` 1 and `joint_target_pos` with `values`, rows of one number for each degree of freedom, and either `dt`, the seconds between two rows, or `times`, which increase. `joint_q` and `joint_qd` may give the state to start from as `values` with one row.',
		bad: '{ "joint_target_pos": { "dt": 0, "values": [[0.1, 0.2]] } }\n',
		good: '{ "joint_target_pos": { "dt": 0.02, "values": [[0.1, 0.2]] } }\n',
		language: 'json',
	},
	CTL003: {
		title: 'Control file does not fit the model',
		help: 'The rows of the control file must be as long as the model of the scene is wide: one number for each degree of freedom (`joint_target_pos`, `joint_qd`) or coordinate (`joint_q`), of one world or of all worlds.',
	},
	CTL004: {
		title: 'Part of a control file without effect',
		help: 'The file has a key that is not known, or target positions for a ball or free joint, whose degrees of freedom have no position that a drive could hold.',
	},
};
