import type { CodeHelp } from '@manyworlds/core/internal';
import type { RUNTIME_CODES } from '../ros.ts';

/** What to do about the codes of the ROS runtime. */
export const RUNTIME_HELP: Readonly<Record<keyof typeof RUNTIME_CODES, CodeHelp>> = {
	ROS001: {
		title: 'Interface of an unknown type',
		help: 'Nobody defines the type of a topic, service or action that the asset declares. That interface is off, the others run (REP 0158 §2.3). Give the folder of its `.msg`, `.srv` or `.action` file with `--interfaces`.',
	},
	ROS002: {
		title: 'Interface file that makes no sense',
		help: 'A line of a `.msg`, `.srv` or `.action` file is neither a field (`type name`) nor a constant (`type NAME=value`). The line is left out, so messages of this type will not agree with those of others.',
	},
	ROS003: {
		title: 'Time step that ROS cannot count',
		help: 'Time in ROS is whole nanoseconds, and simulated time is the number of steps times their length. The length of a step must be a whole number of nanoseconds: give one with `--dt`.',
	},
	ROS004: {
		title: 'Interface that is not served',
		help: 'The asset declares a topic, service or action that is off: it starts disabled, the simulator owns its name, or nothing in the model answers it. The message says which. The others run.',
	},
	ROS006: {
		title: 'Commands that cannot be played',
		help: 'The file of `--play` is no MCAP file, its chunks are compressed, or none of its topics is one that the robot listens to, with the same name and type. Nothing is served. `ros2 bag convert` writes a file without compression.',
	},
	ROS008: {
		title: 'World that is not there, or too many of them',
		help: '`--world` counts from 0, and `--worlds-as-namespaces` serves at most 64 worlds. Nothing is served.',
	},
	ROS007: {
		title: 'Parameter that cannot be set',
		help: 'A parameter of `--param` is unknown, cannot be changed, or is of another kind. The message lists those that there are. Nothing is served.',
	},
	ROS005: {
		title: 'Transport that cannot be opened',
		help: 'A port is taken or an address is not of this machine. Nothing is served. Choose another port, domain or interface.',
	},
};
