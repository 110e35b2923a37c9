import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type ConvertedRobot, convertRobot } from '@manyworlds/convert';
import { Report, UsageRangeError } from '@manyworlds/core';
import { rosNameOf } from '@manyworlds/rep158/internal';
import {
	ParameterServer,
	RobotRuntime,
	type RobotSpec,
	RosBus,
	SimulationControl,
	specFromModel,
	specFromStage,
	TypeRegistry,
} from '@manyworlds/ros';
import {
	createRosDiagnostic,
	createSensors,
	ENTITY_FEATURES,
	EntityServices,
	isCountable,
	type McapPlayer,
	NodeLog,
	readCommands,
	reportOff,
	serveTypeDescriptions,
	specBelow,
} from '@manyworlds/ros/internal';
import { isAssetFailure, Stage } from '@manyworlds/usd';
import { createDiagnostic } from '../../diagnostics.ts';
import { type Asset, openAsset } from '../../front/asset.ts';
import { AssetError } from '../../front/asset-error.ts';
import type { Simulation } from '../../front/simulation.ts';
import { readInterfaceFiles } from '../check/interface-files.ts';
import type { CommandContext } from '../command-context.ts';
import type { SolverName } from '../run/solver-names.ts';
import { isBelow, LiveSimulation } from './live-simulation.ts';
import { withRobotSensors } from './robot-sensors.ts';

/** Options of commands that put a robot on the bus. */
export interface ServedRobotOptions {
	readonly solver: SolverName;
	/** [s] */
	readonly dt?: number;
	readonly domain: number;
	readonly nodeName: string;
	readonly namespace?: string;
	readonly interfaces?: readonly string[];
	readonly root?: readonly string[];
	readonly package?: readonly string[];
	readonly floating?: boolean;
	readonly ground: boolean;
	readonly paused?: boolean;
	readonly seed: number;
	/** Standard deviation of the ranges of lidars [m]. */
	readonly lidarNoise?: number;
	/** Worlds of a robot; 1 unless given. */
	readonly worlds?: number;
	/** The world that is served; the first unless given. */
	readonly world?: number;
	/** Whether all worlds are served, each below a namespace of its own. */
	readonly worldsAsNamespaces?: boolean;
	/** A recording whose messages are given to the robot. */
	readonly play?: string;
	/** How recordings are compressed; not at all unless given. */
	readonly compression?: 'zstd' | 'none';
	/** Values of parameters, as `name=value`. */
	readonly param?: readonly string[];
	/** Simulated seconds per second; 1 unless given. */
	readonly rate?: number;
}

/** A robot on the bus; nothing carries its messages yet. */
export interface ServedRobot {
	readonly asset: Asset;
	/** The simulation as it is now; another one after something was spawned. */
	readonly simulation: Simulation;
	readonly live: LiveSimulation;
	readonly spec: RobotSpec;
	readonly bus: RosBus;
	readonly runtime: RobotRuntime;
	readonly control: SimulationControl;
	readonly parameters: ParameterServer;
	/** Gives files that `robot_description` names, and those of known packages. */
	readonly fetchAsset: (uri: string) => Promise<Uint8Array>;
	/** Name of the node with its namespace. */
	readonly node: string;
}

/** Opens a robot or a scene and puts it on a bus; undefined, with diagnostics, when it cannot be simulated. */
export async function openServedRobot(
	context: CommandContext,
	file: string,
	options: ServedRobotOptions,
	quit: () => void,
): Promise<ServedRobot | undefined> {
	const types = TypeRegistry.standard.with(readInterfaceFiles(context, options.interfaces ?? []), context.findings);
	const opened = await openSimulation(context, file, options);
	if (opened === undefined) return undefined;
	const { asset, live } = opened;
	const simulation = live.current;
	if (simulation.model.jointDofCount === 0) {
		context.report.add(
			createDiagnostic('CLI024', 'nothing was served: no body can move', { file: context.display(file) }),
		);
		await simulation.dispose();
		return undefined;
	}
	const converted = convertedOf(asset);
	const served = worldsOf(context, simulation.worldCount, options);
	if (served === undefined) {
		await live.dispose();
		return undefined;
	}
	const specs = served.map((world) => {
		const one = specOf(asset, simulation, types, converted, options, world);
		return options.worldsAsNamespaces === true ? specBelow(one, `/w${world}`) : one;
	});
	// the first says what is off, and where the node is
	const spec = options.worldsAsNamespaces === true ? { ...specs[0]!, namespace: '/' } : specs[0]!;
	reportOff(spec, context.findings, (name) => context.display(name));
	if (!isCountable(simulation.dt, context.report)) {
		await simulation.dispose();
		return undefined;
	}
	const domain = spec.domain ?? options.domain;
	const node = `${spec.namespace === '/' ? '' : spec.namespace}/${options.nodeName}`;
	const log = (message: string): void => {
		context.note(message);
		rosout.warn(message);
	};
	const bus = new RosBus({ types, domain, onProblem: log });
	const rosout = new NodeLog(bus, node);
	serveTypeDescriptions(bus, node);
	const description = descriptionOf(converted);
	const observers = specs.flatMap(({ sensors }, i) =>
		createSensors(bus, sensors, live, {
			// worlds do not have the same noise
			seed: options.seed + served[i]!,
			world: served[i]!,
			...(options.lidarNoise !== undefined && { lidarNoise: options.lidarNoise }),
		}),
	);
	// commands come after all else of a step, as those of others do
	const commands = new Commands();
	const runtime = new RobotRuntime(bus, specs, live, {
		log,
		observers: [...observers, commands],
		...(description !== undefined && { description }),
	});
	live.onChange = (start) => runtime.replant(start);
	const isRobot = asset.format !== 'scene' && simulation.worldCount === 1;
	const control = new SimulationControl(bus, runtime, {
		node,
		isPaused: options.paused ?? false,
		quit,
		despawn: () => live.removeAll(),
		...(isRobot && { features: ENTITY_FEATURES, spawnFormats: ['urdf', 'sdf', 'mjcf', 'usd'] }),
	});
	// a scene says itself what is in it, and worlds are all alike
	if (isRobot) new EntityServices(bus, live, control, node, context.display(file));
	const parameters = new ParameterServer(bus, node, [
		{ name: 'use_sim_time', value: true, description: 'time is simulated' },
		{ name: 'solver', value: options.solver, description: 'solver in use' },
		{ name: 'time_step', value: simulation.dt, description: 'time step [s]' },
		{
			name: 'rate',
			value: options.rate ?? 1,
			description: 'simulated seconds per second; 0 takes steps on request only',
			set: (rate) => (Number(rate) >= 0 ? undefined : `the rate is ${String(rate)}, expected 0 or more`),
		},
	]);
	const isReady =
		readParameters(context, parameters, options.param ?? []) && readPlay(context, bus, commands, options.play);
	if (!isReady) {
		await live.dispose();
		return undefined;
	}
	return {
		asset,
		get simulation() {
			return live.current;
		},
		live,
		spec,
		bus,
		runtime,
		control,
		parameters,
		fetchAsset: assetsOf(converted, opened.packages),
		node,
	};
}

/** Commands of a recording, once there is one. */
class Commands {
	player: McapPlayer | undefined;

	afterStep(time: bigint): void {
		this.player?.afterStep(time);
	}

	reset(): void {
		this.player?.reset();
	}
}

function readPlay(context: CommandContext, bus: RosBus, commands: Commands, file: string | undefined): boolean {
	if (file === undefined) return true;
	try {
		commands.player = readCommands(bus, readFileSync(context.absolute(file)), context.display(file), context.report);
	} catch (error) {
		context.report.add(
			createRosDiagnostic('ROS006', `it cannot be read: ${textOf(error)}`, { file: context.display(file) }),
		);
	}
	return commands.player !== undefined;
}

/** Sets parameters that the command line gives. */
function readParameters(context: CommandContext, parameters: ParameterServer, given: readonly string[]): boolean {
	for (const one of given) {
		const [name = '', text = ''] = one.split(/=(.*)/s);
		const current = parameters.get(name);
		const value = typeof current === 'number' ? Number(text) : typeof current === 'boolean' ? text === 'true' : text;
		const reason = parameters.set(name, value);
		if (reason === undefined) continue;
		const known = parameters.names.join(', ');
		context.report.add(createRosDiagnostic('ROS007', `--param ${one}: ${reason}; parameters are ${known}`));
		return false;
	}
	return true;
}

function textOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Most worlds that are served at once. */
const MOST_WORLDS = 64;

/** The worlds to serve; undefined, with a diagnostic, when there are not so many or too many. */
function worldsOf(context: CommandContext, count: number, options: ServedRobotOptions): number[] | undefined {
	const refuse = (message: string): undefined => void context.report.add(createRosDiagnostic('ROS008', message));
	if (options.worldsAsNamespaces === true) {
		if (count > MOST_WORLDS) return refuse(`there are ${count} worlds, at most ${MOST_WORLDS} are served at once`);
		return Array.from({ length: count }, (_, world) => world);
	}
	const world = options.world ?? 0;
	return world < count ? [world] : refuse(`there is no world ${world}, expected 0 to ${count - 1}`);
}

interface OpenedSimulation {
	readonly asset: Asset;
	readonly live: LiveSimulation;
	/** Folders of packages by name. */
	readonly packages: Readonly<Record<string, string>>;
}

async function openSimulation(
	context: CommandContext,
	file: string,
	options: ServedRobotOptions,
): Promise<OpenedSimulation | undefined> {
	const { solver, dt, floating, ground, root = [] } = options;
	const packages = Object.fromEntries((options.package ?? []).map((one) => one.split('=', 2) as [string, string]));
	try {
		const asset = await openAsset(context.absolute(file), {
			roots: root.map((one) => context.absolute(one)),
			packages,
		});
		const folders = Object.fromEntries(
			Object.entries(packages).map(([name, folder]) => [name, context.absolute(folder)]),
		);
		const live = await LiveSimulation.create(asset, {
			simulation: {
				solver,
				ground,
				threads: 1,
				tellsContacts: true,
				...(dt !== undefined && { dt }),
				...(options.worlds !== undefined && { worlds: options.worlds }),
				...(floating !== undefined && { floating }),
			},
			folders: [dirname(context.absolute(file)), ...root.map((one) => context.absolute(one))],
			packages: folders,
		});
		for (const one of live.current.report.toArray()) {
			const shown = one.file === undefined ? one : { ...one, file: context.display(one.file) };
			if (one.severity !== 'info') context.findings.add(shown);
		}
		return { asset, live, packages: folders };
	} catch (error) {
		if (!(error instanceof AssetError)) throw error;
		context.report.addAll(error.report);
		context.report.add({ code: error.code, severity: 'error', message: error.message });
		return undefined;
	}
}

function specOf(
	asset: Asset,
	{ model }: Simulation,
	types: TypeRegistry,
	converted: ConvertedRobot | undefined,
	{ namespace, solver }: ServedRobotOptions,
	world: number,
): RobotSpec {
	if (asset.format === 'usd') {
		const layer = asset.store.layer(asset.identifier);
		if (layer !== undefined && !isAssetFailure(layer)) {
			const stage = Stage.open(layer, { store: asset.store, report: new Report({ cap: 0 }) });
			const spec = specFromStage(stage, model, types, world);
			stage.close();
			if (spec !== undefined) return spec;
		}
	}
	const hardware = converted?.model.hardware;
	const spec = specFromModel(model, {
		world,
		...(namespace !== undefined && { namespace }),
		...(hardware !== undefined && { hardware: new Map(hardware.map((one) => [rosNameOf(one.joint), one])) }),
	});
	if (converted === undefined || asset.format === 'usd') return spec;
	return withRobotSensors(spec, converted.model, model, { knowsContacts: solver === 'sap', world });
}

/** The robot as URDF; a scene has none. */
function convertedOf(asset: Asset): ConvertedRobot | undefined {
	return asset.format === 'scene'
		? undefined
		: convertRobot(asset.identifier, {
				store: asset.store,
				to: 'urdf',
				package: packageOf(asset),
				report: new Report({ cap: 0 }),
			});
}

/** The package that meshes of a `robot_description` are said to be in. */
function packageOf({ name }: Asset): string {
	const file = name.slice(name.lastIndexOf('/') + 1);
	return rosNameOf(file.replace(/\..*$/, '')).toLowerCase();
}

/** Reads files for clients: those that were written for `robot_description`, and those below folders of packages. */
function assetsOf(
	converted: ConvertedRobot | undefined,
	packages: Readonly<Record<string, string>>,
): (uri: string) => Promise<Uint8Array> {
	const own = new Map(converted?.files.map(({ path, content }) => [path, content]) ?? []);
	return async (uri) => {
		const [, name = '', path = uri] = /^package:\/\/([^/]+)\/(.+)$/.exec(uri) ?? [];
		const content = own.get(path);
		if (content !== undefined) return typeof content === 'string' ? new TextEncoder().encode(content) : content;
		const folder = packages[name];
		if (folder === undefined || !isBelow(resolve(folder, path), folder))
			throw new UsageRangeError(`'${uri}' is not a file of the robot or of a known package`);
		return await readFile(resolve(folder, path));
	};
}

function descriptionOf(robot: ConvertedRobot | undefined): string | undefined {
	const content = robot?.files[0]?.content;
	return content === undefined || typeof content === 'string' ? content : new TextDecoder().decode(content);
}
