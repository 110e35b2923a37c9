import type { ContactDefaultsName } from '@manyworlds/model';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { StartPose } from './run/open-simulation.ts';
import { SOLVERS } from './run/solver-names.ts';

/** Options about the model that a robot imports to. */
export interface ModelOptions {
	readonly stage?: boolean;
	readonly model?: boolean;
	readonly resolvers?: readonly string[];
	readonly strict?: boolean;
	readonly newtonCompat?: boolean;
}

/** Names of contact defaults; those of the model package, which is not loaded to list them. */
const CONTACTS: readonly ContactDefaultsName[] = ['newton', 'firm'];

/** Options of commands that read files. */
export function withFiles(command: Command): Command {
	return command
		.option('--root <dir>', 'folder that layers may be read from, besides that of the file; repeatable', collect)
		.option('--package <name=dir>', 'folder of a ROS package for package:// paths; repeatable', collect);
}

/** Options of commands that compose a stage. */
export function withStage(command: Command): Command {
	return withFiles(command).option('--no-payloads', 'leave payloads unloaded');
}

/** Options of commands that simulate. */
export function withSimulation(command: Command): Command {
	return withFiles(command)
		.addOption(new Option('--solver <solver>', 'solver to use').choices(SOLVERS).default('sap'))
		.option('--frames <count>', 'number of steps, instead of a duration', parseCount)
		.option('--dt <seconds>', 'time step (default: that of the scene or of the file, else 0.002)', parsePositive)
		.option('--worlds <count>', 'worlds to simulate side by side (default: those of the scene, else 1)', parseCount)
		.option('--num-worlds <count>', 'the same, by its name in scenes', parseCount)
		.option('--jobs <count>', 'threads to step worlds with; the result does not depend on it', parseCount)
		.option('--floating', 'let the base of a robot float where its format leaves that open')
		.option('--no-ground', 'no ground plane below a robot; one with a ground of its own has none anyway')
		.option('--keyframe <name>', 'state of an MJCF file to start from, with its controls')
		.option(
			'--height <metres>',
			'height of the floating base of a robot over the origin; it is not lifted then',
			parseTime,
		)
		.option(
			'--pose <pose>',
			'place of the floating base, x,y,z or x,y,z,qx,qy,qz,qw, or coordinates of joints, name=value; repeatable',
			parsePose,
		)
		.addOption(
			new Option('--contacts <name>', 'contact of shapes of a robot that say nothing about it (default: firm)').choices(
				CONTACTS,
			),
		)
		.option('--no-strict', 'run a scene also when a part of it is not supported; that part is left out and told')
		.option('--resolvers <names>', 'schema resolvers of USD in order of priority: newton, physx, mjc', parseResolvers);
}

const RESOLVER_NAMES = ['newton', 'physx', 'mjc'];

export function parseDepth(text: string): number {
	if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a number of levels, 0 or more.');
	return Number(text);
}

export function parsePort(text: string): number {
	if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) throw new InvalidArgumentError('Expected a port of 0 to 65535.');
	return Number(text);
}

export function parseResolvers(text: string): string[] {
	const names = text.split(',').filter((name) => name !== '');
	if (names.some((name) => !RESOLVER_NAMES.includes(name)))
		throw new InvalidArgumentError(`Expected names out of ${RESOLVER_NAMES.join(', ')}, with commas.`);
	return names;
}

export function parseTime(text: string): number {
	const time = Number(text);
	if (text.trim() === '' || !Number.isFinite(time)) throw new InvalidArgumentError('Expected a number.');
	return time;
}

export function parseCount(text: string): number {
	if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, 1 or more.');
	return Number(text);
}

export function parseIndex(text: string): number {
	if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, 0 or more.');
	return Number(text);
}

export function parseList(text: string): string[] {
	return text
		.split(',')
		.map((item) => item.trim())
		.filter((item) => item !== '');
}

export function parsePositive(text: string): number {
	const value = Number(text);
	if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('Expected a positive number.');
	return value;
}

/** Parts of the value of `--pose`, after those that were given before. */
export function parsePose(text: string, before: readonly StartPose[] = []): StartPose[] {
	const items = parseList(text);
	const joints = items.flatMap((item) => {
		const [, joint, value] = /^(.+)=(.+)$/.exec(item) ?? [];
		return joint !== undefined && Number.isFinite(Number(value)) ? [{ joint, value: Number(value) }] : [];
	});
	if (joints.length > 0 && joints.length === items.length) return [...before, ...joints];
	const numbers = items.map(Number);
	const isPose = (numbers.length === 3 || numbers.length === 7) && numbers.every(Number.isFinite);
	const length = Math.hypot(...numbers.slice(3));
	if (!isPose || (numbers.length === 7 && Math.abs(length - 1) > 1e-3))
		throw new InvalidArgumentError('Expected x,y,z, with a unit quaternion qx,qy,qz,qw if given, or name=value.');
	return [...before, numbers.map((value, k) => (k < 3 ? value : value / length))];
}

export function collect(item: string, items: readonly string[] = []): string[] {
	return [...items, item];
}

export function parseVersion(text: string): string {
	const minor = Number(/^0\.(\d{1,2})\.0$/.exec(text)?.[1] ?? 0);
	if (minor < 4 || minor > 16) throw new InvalidArgumentError('Expected a version from 0.4.0 to 0.16.0.');
	return text;
}

/** A time such as `60s`, `5min` or a number of seconds. */
export function parseSeconds(text: string): number {
	const match = /^(\d+(?:\.\d+)?)(s|min|h)?$/.exec(text);
	if (match === null) throw new InvalidArgumentError('Expected a time such as 60s.');
	return Number(match[1]) * { s: 1, min: 60, h: 3600 }[(match[2] ?? 's') as 's' | 'min' | 'h'];
}
