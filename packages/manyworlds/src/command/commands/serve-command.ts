import { InvalidArgumentError, Option } from 'commander';
import { collect, parseCount, parseIndex, parsePort, parsePositive, withFiles } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import { SOLVERS } from '../run/solver-names.ts';
import type { ServeOptions } from './serve.ts';

/** Declares `manyworlds serve`; what it does is loaded when it runs. */
export function declareServe(commands: CommandSet): void {
	withFiles(commands.add('serve', 'simulate a robot or a scene as a ROS 2 robot'))
		.argument('<file>', 'robot (USD, URDF, MJCF, SDF) or scene (YAML, JSON)')
		.option('--no-rtps', 'do not take part in a ROS domain')
		.option('--domain <id>', 'ROS domain (default: ROS_DOMAIN_ID, else 0)', parseDomain)
		.option('--interface <address>', 'IPv4 address of an interface to join; repeatable (default: all)', collect)
		.option('--peer <address>', 'machine to tell of the robot where multicast does not reach; repeatable', collect)
		.addOption(new Option('--solver <solver>', 'solver to use').choices(SOLVERS).default('sap'))
		.option('--dt <seconds>', 'time step (default: that of the file, else 0.002)', parsePositive)
		.option('--rate <factor>', 'simulated seconds per second, max, or 0 for steps on request only', parseRate, 1)
		.option('--param <name=value>', 'value of a parameter of the node; repeatable', collect)
		.option('--worlds <count>', 'worlds of a robot (default: 1; a scene says it itself)', parseCount)
		.option('--world <index>', 'world to serve', parseIndex, 0)
		.option('--worlds-as-namespaces', 'serve all worlds, as /w0, /w1 and so on')
		.option('--paused', 'start paused')
		.option('--node-name <name>', 'name of the node', 'manyworlds')
		.option('--namespace <name>', 'namespace of a robot that has none of its own')
		.option('--interfaces <dir>', 'folder with .msg, .srv and .action files of further types; repeatable', collect)
		.option('--floating', 'let the base of a robot float where its format leaves that open')
		.option('--no-ground', 'no ground plane below a robot')
		.option('--foxglove [port]', 'listen for Foxglove over WebSockets (default port: 8765)', parsePort)
		.option('--rosbridge [port]', 'listen for clients of rosbridge over WebSockets (default port: 9090)', parsePort)
		.option('--host <address>', 'address that WebSocket servers listen at', '127.0.0.1')
		.option('--origin <origin>', 'page that may connect besides those of this machine, or *; repeatable', collect)
		.option('--token <text>', 'what WebSocket clients must give as ?token=')
		.option(
			'--record <file>',
			'write all topics and commands to a .mcap file, or to a bag folder (a name that ends in /)',
		)
		.addOption(
			new Option('--compression <kind>', 'compression of recordings').choices(['zstd', 'none']).default('zstd'),
		)
		.option('--lidar-noise <metres>', 'standard deviation of the ranges of lidars (default: none)', parsePositive)
		.option('--play <file>', 'MCAP file whose commands the robot gets, at their simulated times')
		.option('--seed <number>', 'seed of that noise', parseIndex, 0)
		.option('--exit-after <seconds>', 'end after so much simulated time', parsePositive)
		.addHelpText(
			'after',
			'\nRTPS has no authentication: every machine in the domain can command the robot. Discovery servers and DDS Security are not supported.\nCtrl-C ends it and tells the graph at once.',
		)
		.action(async (file: string, options: ServeOptions) => {
			const { serve } = await import('./serve.ts');
			await serve(commands.context, file, options);
		});
}

/** A domain; above 101 its ports are those that Linux gives to others. */
export function parseDomain(text: string): number {
	if (!/^\d{1,3}$/.test(text) || Number(text) > 232) throw new InvalidArgumentError('Expected a domain of 0 to 232.');
	return Number(text);
}

export function parseRate(text: string): number {
	if (text === 'max') return Number.POSITIVE_INFINITY;
	const rate = Number(text);
	if (text.trim() === '' || !(rate >= 0)) throw new InvalidArgumentError('Expected a number of 0 or more, or max.');
	return rate;
}
