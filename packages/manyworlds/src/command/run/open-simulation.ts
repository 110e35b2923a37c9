import { locateEntity } from '@manyworlds/import';
import type { ContactDefaultsName } from '@manyworlds/model';
import { SAP_ROBOT_OPTIONS } from '@manyworlds/sim';
import { placeInWorlds, ROBOT_DEFAULTS, startState } from '@manyworlds/worlds';
import { createDiagnostic } from '../../diagnostics.ts';
import { isSceneFile } from '../../front/is-scene-file.ts';
import type { CommandContext } from '../command-context.ts';
import { openRobot, type RobotCommandOptions } from '../open-robot.ts';
import { openScene } from './open-scene.ts';
import type { Simulation } from './simulation.ts';

/** Options of commands that simulate. */
export interface SimulationCommandOptions extends RobotCommandOptions {
	/** [s] */
	readonly dt?: number;
	readonly worlds?: number;
	readonly numWorlds?: number;
	readonly ground: boolean;
	/** Contact of a robot's shapes that say nothing about it. */
	readonly contacts?: ContactDefaultsName;
	/** Threads to step worlds with. */
	readonly jobs?: number;
}

/** Loads a scene or a robot; undefined, with diagnostics, when it cannot be simulated. */
export function openSimulation(
	context: CommandContext,
	file: string,
	options: SimulationCommandOptions,
): Simulation | undefined {
	const problem = misuse(file, options);
	if (problem === undefined)
		return isSceneFile(file) ? openScene(context, file, options) : openRobotSimulation(context, file, options);
	context.report.add(createDiagnostic('CLI006', problem));
	return undefined;
}

/** Why options do not go together; undefined when they do. */
function misuse(file: string, options: SimulationCommandOptions): string | undefined {
	const { worlds, numWorlds, floating, ground, contacts, resolvers, strict } = options;
	if (worlds !== undefined && numWorlds !== undefined && worlds !== numWorlds)
		return `--worlds is ${worlds} and --num-worlds is ${numWorlds}, which mean the same`;
	if (!isSceneFile(file)) return strict === false ? '--no-strict is about scenes, and the file is a robot' : undefined;
	const isAboutRobots = [floating, contacts, resolvers].some((value) => value !== undefined) || !ground;
	return isAboutRobots
		? '--floating, --no-ground, --contacts and --resolvers are about robots: a scene says that itself'
		: undefined;
}

function openRobotSimulation(
	context: CommandContext,
	file: string,
	options: SimulationCommandOptions,
): Simulation | undefined {
	const contactDefaults = options.contacts ?? ROBOT_DEFAULTS.contactDefaults;
	const { ground } = options;
	const robot = openRobot(context, file, {
		...options,
		strict: false,
		contactDefaults,
		prepare: (builder) => placeInWorlds(builder, { count: options.numWorlds ?? options.worlds ?? 1, ground }),
	});
	if (robot === undefined) return undefined;
	const { model } = robot;
	return {
		file: robot.file,
		model,
		contactDefaults,
		start: startState(model, context.report),
		dt: options.dt ?? ROBOT_DEFAULTS.dt,
		stepper: { sap: SAP_ROBOT_OPTIONS },
		locate: ({ kind, label }) => {
			const place = label === undefined ? {} : locateEntity(robot.ledger, kind, label);
			return { ...place, file: place.file === undefined ? robot.file : context.display(place.file) };
		},
	};
}
