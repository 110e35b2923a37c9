import { locateEntity } from '@manyworlds/import';
import { ModelBuilder } from '@manyworlds/model';
import { startState } from '@manyworlds/worlds';
import type { CommandContext } from '../command-context.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { openRobot, type RobotCommandOptions } from '../open-robot.ts';
import { isSceneFile, openScene } from './open-scene.ts';
import type { Simulation } from './simulation.ts';

/** Options of commands that simulate. */
export interface SimulationCommandOptions extends RobotCommandOptions {
	/** [s] */
	readonly dt?: number;
	readonly worlds?: number;
	readonly numWorlds?: number;
	readonly ground: boolean;
	/** Threads to step worlds with. */
	readonly jobs?: number;
}

/** Time step of robots, which say nothing about it [s]. */
const ROBOT_DT = 0.002;

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
	const { worlds, numWorlds, floating, ground, resolvers, strict } = options;
	if (worlds !== undefined && numWorlds !== undefined && worlds !== numWorlds)
		return `--worlds is ${worlds} and --num-worlds is ${numWorlds}, which mean the same`;
	if (!isSceneFile(file)) return strict === false ? '--no-strict is about scenes, and the file is a robot' : undefined;
	const isAboutRobots = floating !== undefined || !ground || resolvers !== undefined;
	return isAboutRobots
		? '--floating, --no-ground and --resolvers are about robots: a scene says that itself'
		: undefined;
}

function openRobotSimulation(
	context: CommandContext,
	file: string,
	options: SimulationCommandOptions,
): Simulation | undefined {
	const robot = openRobot(context, file, {
		...options,
		strict: false,
		prepare: (builder) => placeInWorlds(builder, options),
	});
	if (robot === undefined) return undefined;
	const { model } = robot;
	return {
		file: robot.file,
		model,
		start: startState(model, context.report),
		dt: options.dt ?? ROBOT_DT,
		stepper: { firmContacts: true, sap: { contactPresetVariant: 'drake' } },
		locate: ({ kind, label }) => {
			const place = label === undefined ? {} : locateEntity(robot.ledger, kind, label);
			return { ...place, file: place.file === undefined ? robot.file : context.display(place.file) };
		},
	};
}

/** The robot in as many worlds as asked for, two metres apart, on one plane. */
function placeInWorlds(robot: ModelBuilder, options: SimulationCommandOptions): ModelBuilder {
	const scene = new ModelBuilder({ upAxis: robot.upAxis, gravity: [...robot.gravity] });
	scene.replicate(robot, { count: options.numWorlds ?? options.worlds ?? 1, spacing: [2, 2, 0] });
	if (options.ground) scene.addGroundPlane();
	return scene;
}
