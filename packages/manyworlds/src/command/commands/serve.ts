import { randomUUID } from 'node:crypto';
import { type OpenedRtps, openRtps, openWebSockets } from '@manyworlds/node';
import { FoxgloveServer, RosbridgeServer, RtpsSink } from '@manyworlds/ros';
import { createRosDiagnostic, FOXGLOVE_PROTOCOLS } from '@manyworlds/ros/internal';
import type { CommandContext } from '../command-context.ts';
import { discoveryRange } from '../serve/discovery-range.ts';
import { graphTable } from '../serve/graph-table.ts';
import { pace } from '../serve/pace.ts';
import { recordTo } from '../serve/record-file.ts';
import { openServedRobot, type ServedRobot, type ServedRobotOptions } from '../serve/served-robot.ts';

/** Options of `manyworlds serve`. */
export interface ServeOptions extends Omit<ServedRobotOptions, 'domain'> {
	readonly rtps: boolean;
	readonly domain?: number;
	readonly interface?: readonly string[];
	readonly peer?: readonly string[];
	/** The port; true for the usual one. */
	readonly foxglove?: number | true;
	readonly rosbridge?: number | true;
	readonly host: string;
	readonly origin?: readonly string[];
	readonly token?: string;
	readonly record?: string;
	readonly rate: number;
	readonly exitAfter?: number;
}

/** Something that carries messages, and is closed in the end. */
export interface Transport {
	/** What it is and where, in words. */
	readonly text: string;
	close(): Promise<void>;
}

/** `manyworlds serve FILE`: a simulated robot that ROS 2 sees as a real one. */
export async function serve(context: CommandContext, file: string, options: ServeOptions): Promise<void> {
	const ending = new AbortController();
	const domain = options.domain ?? domainOf(context);
	const robot = await openServedRobot(context, file, { ...options, domain }, () => ending.abort());
	if (robot === undefined) return;
	const transports: Transport[] = [];
	const stop = (): void => ending.abort();
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	try {
		if (!(await openTransports(context, robot, options, transports))) return;
		robot.runtime.publish();
		context.print(`${describe(context, file, robot, transports)}\n`);
		await pace(robot.control, {
			dt: robot.simulation.dt,
			rate: () => Number(robot.parameters.get('rate')),
			signal: ending.signal,
			now: context.io.now,
			stepCount: () => robot.runtime.stepCount,
			...(options.exitAfter !== undefined && { duration: options.exitAfter }),
		});
	} finally {
		process.off('SIGINT', stop);
		process.off('SIGTERM', stop);
		for (const transport of transports) await transport.close();
		context.findings.addAll(robot.simulation.findings);
		await robot.simulation.dispose();
	}
}

async function openTransports(
	context: CommandContext,
	robot: ServedRobot,
	options: ServeOptions,
	transports: Transport[],
): Promise<boolean> {
	try {
		if (options.rtps)
			for (const domain of domainsOf(robot)) transports.push(await openDomain(context, robot, domain, options));
		if (options.foxglove !== undefined) transports.push(await openFoxglove(robot, options.foxglove, options));
		if (options.rosbridge !== undefined)
			transports.push(await openRosbridge(context, robot, options.rosbridge, options));
		if (options.record !== undefined) {
			const recording = await recordTo(context, options.record, robot, options);
			transports.push({ text: `MCAP, ${context.display(options.record)}`, close: () => recording.close() });
		}
		return true;
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		context.report.add(createRosDiagnostic('ROS005', error.message));
		return false;
	}
}

/** Domains that interfaces of the robot live in; each has a participant of its own. */
function domainsOf({ bus }: ServedRobot): number[] {
	const all = [...bus.publishers, ...bus.subscriptions, ...bus.services].map(({ domain }) => domain);
	return [...new Set([bus.domain, ...all])];
}

/** Time between ticks of a participant [ms]. */
const TICK_MS = 20;

async function openDomain(
	context: CommandContext,
	{ bus, spec, node }: ServedRobot,
	domain: number,
	options: ServeOptions,
): Promise<Transport> {
	const told = new Set<string>();
	const opened: OpenedRtps = await openRtps({
		domain,
		...discoveryRange(context, options),
		onConflict: (topic, reason) => {
			const text = `${topic.replace(/^r[tqr]/, '')}: no connection, ${reason}`;
			if (!told.has(text)) context.note(text);
			told.add(text);
		},
	});
	const sink = new RtpsSink(opened.participant, {
		types: bus.types,
		nodeName: node.slice(node.lastIndexOf('/') + 1),
		nodeNamespace: spec.namespace,
	});
	bus.attach(sink);
	const tellLost = (): void => {
		for (const name of sink.lost.keys()) {
			if (!told.has(name)) context.note(`${name}: a listener is too slow for what is kept, messages get lost`);
			told.add(name);
		}
	};
	const timer = setInterval(() => {
		sink.tick();
		tellLost();
	}, TICK_MS);
	sink.tick();
	return {
		text: `RTPS, domain ${domain}, port ${opened.port} at ${opened.addresses.join(', ')}`,
		close: async () => {
			clearInterval(timer);
			bus.detach(sink);
			sink.close();
			await opened.close();
			for (const [name, count] of sink.lost) context.note(`${name}: ${count} messages did not reach a slow listener`);
		},
	};
}

/** The port that Foxglove looks at first. */
const FOXGLOVE_PORT = 8765;

async function openFoxglove(robot: ServedRobot, port: number | true, options: ServeOptions): Promise<Transport> {
	const { bus, node, parameters } = robot;
	const server = new FoxgloveServer(bus, {
		name: `manyworlds ${node}`,
		sessionId: randomUUID(),
		parameters,
		node,
		fetchAsset: robot.fetchAsset,
		playback: {
			get isPaused() {
				return robot.control.isPaused;
			},
			get speed() {
				return Number(parameters.get('rate'));
			},
			setPaused: (isPaused) => robot.control.setPaused(isPaused),
			setSpeed: (speed) => parameters.set('rate', speed) === undefined,
			restart: () => robot.control.between(() => robot.runtime.reset()),
		},
	});
	const { host, origin, token } = options;
	const opened = await openWebSockets({
		port: port === true ? FOXGLOVE_PORT : port,
		host,
		protocols: FOXGLOVE_PROTOCOLS,
		...(origin !== undefined && { origins: origin }),
		...(token !== undefined && { token }),
		connect: (client) => server.connect(client),
	});
	bus.attach(server);
	return {
		text: `Foxglove, ws://${host}:${opened.port}`,
		close: async () => {
			bus.detach(server);
			await opened.close();
		},
	};
}

/** The port that clients of rosbridge look at first. */
const ROSBRIDGE_PORT = 9090;

async function openRosbridge(
	context: CommandContext,
	{ bus, node }: ServedRobot,
	port: number | true,
	options: ServeOptions,
): Promise<Transport> {
	const server = new RosbridgeServer(bus, { node, now: context.io.now });
	const { host, origin, token } = options;
	const opened = await openWebSockets({
		port: port === true ? ROSBRIDGE_PORT : port,
		host,
		...(origin !== undefined && { origins: origin }),
		...(token !== undefined && { token }),
		connect: (client) => server.connect(client),
	});
	bus.attach(server);
	return {
		text: `rosbridge, ws://${host}:${opened.port}`,
		close: async () => {
			bus.detach(server);
			await opened.close();
		},
	};
}

function describe(context: CommandContext, file: string, robot: ServedRobot, transports: readonly Transport[]): string {
	const { bus, spec, simulation, node } = robot;
	const lines = [
		`${context.display(file)} as ${node}, step ${simulation.dt} s`,
		...transports.map(({ text }) => `  ${text}`),
		'',
		graphTable(bus),
	];
	if (spec.namespace !== '/') {
		const { namespace } = spec;
		lines.push(
			'',
			`Tools that look for /tf need: --ros-args -r /tf:=${namespace}/tf -r /tf_static:=${namespace}/tf_static`,
		);
	}
	return lines.join('\n');
}

/** The domain of the environment, as ROS takes it. */
function domainOf({ io }: CommandContext): number {
	const given = io.env['ROS_DOMAIN_ID'];
	return given !== undefined && /^\d{1,3}$/.test(given) ? Number(given) : 0;
}
