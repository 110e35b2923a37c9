import type { Report } from '@manyworlds/core';
import type { RunSettings } from '@manyworlds/import';
import type { Model } from '@manyworlds/model';
import { worldOffsets } from '@manyworlds/model/internal';
import { overlapsOf } from '@manyworlds/sim';
import { type Ground, PLACE_IN_WORLDS_DEFAULTS, ROBOT_DEFAULTS, type Start, startOf } from '@manyworlds/worlds';

/** How a robot starts, where its file is not to decide. @public */
export interface RobotStartOptions {
	/** State of the file to start from, by name: a keyframe of MJCF. */
	readonly keyframe?: string;
	/** Height of floating bases over the origin [m]; a robot is lifted out of the ground unless given. */
	readonly height?: number;
	/** Position [m], and rotation (x y z w) if given, of the floating base. */
	readonly pose?: readonly number[];
	/** Coordinates [m, rad] of joints by name. */
	readonly joints?: Readonly<Record<string, number>>;
}

/** The same, with the time step. */
export interface RobotRunOptions extends RobotStartOptions {
	/** [s]; that of the file unless given. */
	readonly dt?: number;
	/** Distance between worlds along each axis [m]; as `placeRobot` has it unless given. */
	readonly spacing?: ArrayLike<number>;
}

/** A robot in worlds, ready to run. */
export interface StartedRobot {
	readonly model: Model;
	readonly start: Start;
	/** Time step [s]. */
	readonly dt: number;
	/** What of the run the file decided, in words: `time step 0.0005 s`. */
	readonly taken: readonly string[];
}

/** Finds where a robot that was placed in worlds starts, and how its file wants it to be simulated. */
export function startRobot(
	model: Model,
	ground: Ground,
	settings: RunSettings,
	options: RobotRunOptions,
	report: Report,
): StartedRobot {
	const { height, pose, joints, keyframe } = options;
	const spacing = model.worldCount > 1 ? (options.spacing ?? PLACE_IN_WORLDS_DEFAULTS.spacing) : [0, 0, 0];
	const start = startOf(model, report, {
		findOverlaps: overlapsOf(model),
		worldOffsets: worldOffsets(model.worldCount, spacing, model.upAxis),
		...(ground.kind === 'added' && { ground: ground.shape }),
		...(height !== undefined && { height }),
		...(pose !== undefined && { pose }),
		...(joints !== undefined && { joints }),
	});
	const { timestep, integrator, hasGravity } = settings;
	const taken: string[] = [];
	if (timestep !== undefined && options.dt === undefined) taken.push(`time step ${timestep} s`);
	if (hasGravity)
		taken.push(`gravity ${Array.from(model.gravityOf(0), (part) => Number(part.toPrecision(6))).join(' ')} m/s²`);
	if (integrator !== undefined) taken.push(`integrator ${integrator} (of MuJoCo)`);
	if (keyframe !== undefined) taken.push(`keyframe '${keyframe}' with its controls`);
	return { model, start, dt: options.dt ?? timestep ?? ROBOT_DEFAULTS.dt, taken };
}
