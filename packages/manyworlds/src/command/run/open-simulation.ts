import { quote, UsageRangeError } from '@manyworlds/core';
import { locateEntity, runSettingsOf } from '@manyworlds/import/internal';
import type { ContactDefaultsName } from '@manyworlds/model';
import { SAP_ROBOT_OPTIONS } from '@manyworlds/sim/internal';
import { type Ground, ROBOT_DEFAULTS } from '@manyworlds/worlds';
import { placeRobot } from '@manyworlds/worlds/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import { isSceneFile } from '../../front/is-scene-file.ts';
import { type RobotRunOptions, type StartedRobot, startRobot } from '../../front/start-robot.ts';
import type { CommandContext } from '../command-context.ts';
import { type OpenedRobot, openRobot, type RobotCommandOptions } from '../open-robot.ts';
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
	/** Height of floating bases over the origin [m]. */
	readonly height?: number;
	/** Pose of the floating base, or coordinates of joints as `name=value`; each as it was given. */
	readonly pose?: readonly StartPose[];
}

/** Numbers of the pose of a base, or a joint and its coordinate. */
export type StartPose = readonly number[] | { readonly joint: string; readonly value: number };

/** Loads a scene or a robot; undefined, with diagnostics, when it cannot be simulated. */
export function openSimulation(
	context: CommandContext,
	file: string,
	options: SimulationCommandOptions,
): Simulation | undefined {
	const problem = misuse(file, options);
	if (problem !== undefined) {
		context.report.add(createDiagnostic('CLI006', problem));
		return undefined;
	}
	const open = isSceneFile(file) ? openScene : openRobotSimulation;
	const simulation = open(context, file, options);
	if (simulation === undefined || simulation.model.jointDofCount > 0) return simulation;
	const { bodyCount } = simulation.model;
	const what = bodyCount === 0 ? 'there is no body' : `none of ${bodyCount} bodies can move`;
	context.report.add(createDiagnostic('CLI024', `nothing was run: ${what}`, { file: simulation.file }));
	return undefined;
}

/** Why options do not go together; undefined when they do. */
function misuse(file: string, options: SimulationCommandOptions): string | undefined {
	const { worlds, numWorlds, floating, ground, contacts, resolvers, strict, height, pose, keyframe } = options;
	const bases = pose?.filter((one) => !('joint' in one)).length ?? 0;
	if (bases > 1) return '--pose gives the base several times, expected once';
	if (bases > 0 && height !== undefined) return '--height and --pose both place the base, expected one of them';
	if (worlds !== undefined && numWorlds !== undefined && worlds !== numWorlds)
		return `--worlds is ${worlds} and --num-worlds is ${numWorlds}, which mean the same`;
	if (!isSceneFile(file)) return strict === false ? '--no-strict is about scenes, and the file is a robot' : undefined;
	const given = [floating, contacts, resolvers, height, pose, keyframe];
	return given.some((value) => value !== undefined) || !ground
		? '--floating, --no-ground, --contacts, --resolvers, --height, --pose and --keyframe are about robots: a scene says that itself'
		: undefined;
}

function openRobotSimulation(
	context: CommandContext,
	file: string,
	options: SimulationCommandOptions,
): Simulation | undefined {
	const contactDefaults = options.contacts ?? ROBOT_DEFAULTS.contactDefaults;
	let ground: Ground = { kind: 'none' };
	const robot = openRobot(context, file, {
		...options,
		strict: false,
		contactDefaults,
		prepare: (builder) => {
			const count = options.numWorlds ?? options.worlds ?? 1;
			const placed = placeRobot(builder, { count, ground: options.ground });
			ground = placed.ground;
			return placed.builder;
		},
	});
	if (robot === undefined) return undefined;
	const { model } = robot;
	const settings = runSettingsOf(robot.imported);
	const problem = unusable(robot, options, settings.keyframes);
	if (problem !== undefined) {
		context.report.add(createDiagnostic(...problem, { file: robot.file }));
		return undefined;
	}
	const started = begin(context, () => startRobot(model, ground, settings, startOptions(options), context.findings));
	if (started === undefined) return undefined;
	const { start, dt, taken } = started;
	return {
		file: robot.file,
		model,
		contactDefaults,
		start: start.state,
		ground,
		taken,
		keyframes: options.keyframe === undefined ? settings.keyframes : [],
		dt,
		stepper: { sap: SAP_ROBOT_OPTIONS },
		locate: ({ kind, label }) => {
			const place = label === undefined ? {} : locateEntity(robot.ledger, kind, label);
			return { ...place, file: place.file === undefined ? robot.file : context.display(place.file) };
		},
	};
}

/** Why a robot cannot be run as asked; undefined when it can. */
function unusable(
	{ isSound }: OpenedRobot,
	{ keyframe }: SimulationCommandOptions,
	keyframes: readonly string[],
): ['CLI006' | 'CLI024', string] | undefined {
	if (keyframe !== undefined && !keyframes.includes(keyframe)) {
		const names = keyframes.map((name) => quote(name)).join(', ');
		return ['CLI006', `--keyframe: there is no ${quote(keyframe)}, expected ${names || 'none: the file has none'}`];
	}
	if (!isSound) return ['CLI024', 'nothing was run: the model does not pass its checks'];
	return undefined;
}

/** What options say about the start. */
function startOptions({ pose = [], height, dt, keyframe }: SimulationCommandOptions): RobotRunOptions {
	const base = pose.find((one): one is readonly number[] => !('joint' in one));
	const joints = pose.flatMap((one) => ('joint' in one ? [[one.joint, one.value] as const] : []));
	return {
		...(dt !== undefined && { dt }),
		...(height !== undefined && { height }),
		...(keyframe !== undefined && { keyframe }),
		...(base !== undefined && { pose: base }),
		...(joints.length > 0 && { joints: Object.fromEntries(joints) }),
	};
}

/** Starts a robot; undefined, with a diagnostic, where the options do not fit it. */
function begin(context: CommandContext, start: () => StartedRobot): StartedRobot | undefined {
	try {
		return start();
	} catch (error) {
		if (!(error instanceof UsageRangeError)) throw error;
		context.report.add(createDiagnostic('CLI006', `--height, --pose: ${error.message}`));
		return undefined;
	}
}
