import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformMultiply } from '@manyworlds/core/internal';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { CommandContext } from '../src/command/command-context.ts';
import { openServedRobot, type ServedRobot, type ServedRobotOptions } from '../src/command/serve/served-robot.ts';

const EGRET = new URL('../../../examples/robots/egret/egret.usda', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'manyworlds-rep-'));
const open: ServedRobot[] = [];
afterEach(async () => {
	for (const { live } of open.splice(0)) await live.dispose();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Served {
	readonly robot: ServedRobot | undefined;
	readonly context: CommandContext;
}

async function serve(file: string, more: Partial<ServedRobotOptions> = {}): Promise<Served> {
	const stream = { write: () => true };
	const context = new CommandContext({ stdout: stream, stderr: stream, env: {}, cwd: '/', now: () => 0 });
	const roots = { root: [EGRET.slice(0, EGRET.lastIndexOf('/'))] };
	const options = {
		solver: 'sap',
		domain: 4,
		nodeName: 'manyworlds',
		ground: true,
		seed: 0,
		...roots,
		...more,
	} as const;
	const robot = await openServedRobot(context, file, options, () => {});
	if (robot !== undefined) open.push(robot);
	return { robot, context };
}

/** Egret with opinions over it. */
async function egretWith(opinions: string, more: Partial<ServedRobotOptions> = {}): Promise<ServedRobot> {
	const file = join(folder, 'egret.usda');
	const head = 'defaultPrim = "egret"\n metersPerUnit = 1\n kilogramsPerUnit = 1\n upAxis = "Z"';
	writeFileSync(file, `#usda 1.0\n(\n ${head}\n subLayers = [@${EGRET}@]\n)\nover "egret" {\n${opinions}\n}\n`);
	return (await serve(file, more)).robot!;
}

const topic = (name: string, type: string, more = ''): string => `(prepend apiSchemas = ["RosTopicAPI"]) {
	uniform string ros:topic:name = "${name}"
	uniform token ros:topic:role = "publisher"
	uniform double ros:topic:publish_rate = 10
	uniform string ros:topic:type = "${type}"
	${more} }`;

describe('interfaces of an asset', () => {
	it('below a context with a domain of its own live in that domain, and names join', async () => {
		const robot = await egretWith(`over "base_link" {
			def Xform "payload" (prepend apiSchemas = ["RosContextAPI"]) {
				uniform string ros:context:namespace = "gripper"
				uniform int ros:context:domain_id = 9
				def Xform "inside" ${topic('imu', 'sensor_msgs/msg/Imu')}
				def Xform "absolute" ${topic('/imu_of_all', 'sensor_msgs/msg/Imu')}
			} }`);
		const found = robot.bus.publishers
			.filter(({ type }) => type.endsWith('/Imu'))
			.map(({ name, domain }) => [name, domain]);
		expect(Object.fromEntries(found)).toEqual({
			'/egret/imu': 4,
			'/egret/gripper/imu': 9,
			'/imu_of_all': 9,
		});
	});

	it('that are prohibited, unknown, nameless or disabled are off with the reason, and the others run', async () => {
		const robot = await egretWith(`over "base_link" {
			def Xform "a" ${topic('/clock', 'rosgraph_msgs/msg/Clock')}
			def Xform "b" ${topic('tf', 'tf2_msgs/msg/TFMessage')}
			def Xform "c" ${topic('smell', 'nose_msgs/msg/Smell')}
			def Xform "d" ${topic('imu2', 'sensor_msgs/msg/Imu', 'uniform bool ros:topic:starts_enabled = false')}
			def Xform "e" ${topic('imu3', 'sensor_msgs/msg/Imu', 'uniform double ros:topic:publish_rate = 0').replace('uniform double ros:topic:publish_rate = 10', '')}
		}`);
		const off = new Map(robot.spec.off.map(({ name, reason }) => [name, reason]));
		expect(off.get('/clock')).toBe('the simulator owns it (REP 0158 §2.9)');
		expect(off.get('/egret/tf')).toBe('the simulator owns it (REP 0158 §2.9)');
		expect(off.get('/egret/smell')).toBe("the type 'nose_msgs/msg/Smell' is unknown");
		expect(off.get('/egret/imu2')).toBe('starts_enabled is false');
		expect(off.get('/egret/imu3')).toBe('publish_rate is not positive');
		expect(robot.bus.publishers.filter(({ name }) => name === '/clock').length).toBe(1);
		expect(robot.bus.publishers.some(({ name }) => name === '/egret/imu')).toBe(true);
	});

	it('of an unknown type run when a folder defines it', async () => {
		const file = join(folder, 'nose_msgs');
		const { mkdirSync } = await import('node:fs');
		mkdirSync(join(file, 'msg'), { recursive: true });
		writeFileSync(join(file, 'msg/Smell.msg'), 'float64 strength\n');
		const robot = await egretWith(`over "base_link" { def Xform "c" ${topic('smell', 'nose_msgs/msg/Smell')} }`, {
			interfaces: [folder],
		});
		expect(robot.spec.off.find(({ name }) => name === '/egret/smell')?.reason).toBe('no controller or sensor uses it');
	});
});

describe('frames', () => {
	interface Message {
		transforms: {
			header: { frame_id: string };
			child_frame_id: string;
			transform: {
				translation: { x: number; y: number; z: number };
				rotation: { x: number; y: number; z: number; w: number };
			};
		}[];
	}

	it('are where forward kinematics has them, and optical ones look along z', async () => {
		const { robot } = await serve(EGRET);
		const edges = new Map<string, { parent: string; pose: Float64Array }>();
		robot!.bus.attach({
			publish({ name, codec }, bytes) {
				const decoded = codec.decode(bytes);
				if (!/\/tf(_static)?$/.test(name) || !('message' in decoded)) return;
				for (const { header, child_frame_id, transform } of (decoded.message as unknown as Message).transforms) {
					const { translation: t, rotation: r } = transform;
					edges.set(child_frame_id, {
						parent: header.frame_id,
						pose: Float64Array.of(t.x, t.y, t.z, r.x, r.y, r.z, r.w),
					});
				}
			},
		});
		const send = robot!.bus.subscriptions.find(({ name }) => name === '/egret/cmd_vel')!;
		for (let i = 0; i < 200; i++) {
			if (i % 100 === 0) send.receive(send.codec.encode({ linear: { x: 0.3 }, angular: { z: 1 } }));
			await robot!.runtime.step();
		}
		const inMap = (frame: string): Float64Array => {
			const edge = edges.get(frame);
			if (edge === undefined) return Float64Array.of(0, 0, 0, 0, 0, 0, 1);
			return transformMultiply(new Float64Array(7), inMap(edge.parent), edge.pose);
		};
		const { model, state } = robot!.simulation;
		for (const link of ['base_link', 'head_link', 'left_wheel_link', 'right_wheel_link']) {
			const body = model.bodyLabels.findIndex((label) => label.endsWith(`/${link}`));
			const [found, expected] = [inMap(link), state.bodyQ.subarray(7 * body, 7 * body + 7)];
			const sign = Math.sign(found[6]! * expected[6]!) || 1;
			for (let i = 0; i < 7; i++) expect(found[i]! * (i < 3 ? 1 : sign)).toBeCloseTo(expected[i]!, 9);
		}
		// egret looks along x: so does z of the optical frame, and its x points to the right
		const optical = inMap('camera_optical_frame');
		const base = inMap('base_link');
		const axis = (pose: Float64Array, local: readonly number[]): number[] => {
			const at = transformMultiply(new Float64Array(7), pose, Float64Array.of(...local, 0, 0, 0, 1));
			return [0, 1, 2].map((i) => at[i]! - pose[i]!);
		};
		const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
		expect(dot(axis(optical, [0, 0, 1]), axis(base, [1, 0, 0]))).toBeCloseTo(1, 3);
		expect(dot(axis(optical, [1, 0, 0]), axis(base, [0, -1, 0]))).toBeCloseTo(1, 3);
	});
});

describe('many worlds', () => {
	it('are served as namespaces, each with its own robot', async () => {
		const { robot } = await serve(EGRET, { worlds: 3, worldsAsNamespaces: true });
		const heard = new Map<string, number>();
		robot!.bus.attach({
			publish({ name, codec }, bytes) {
				const decoded = codec.decode(bytes);
				const match = /^\/w(\d)\/egret\/odom$/.exec(name);
				if (match === null || !('message' in decoded)) return;
				const { pose } = decoded.message as unknown as { pose: { pose: { position: { x: number } } } };
				heard.set(match[1]!, pose.pose.position.x);
			},
		});
		const command = robot!.bus.subscriptions.find(({ name }) => name === '/w1/egret/cmd_vel')!;
		for (let i = 0; i < 400; i++) {
			if (i % 100 === 0) command.receive(command.codec.encode({ linear: { x: 0.4 } }));
			await robot!.runtime.step();
		}
		expect(heard.get('1')).toBeGreaterThan(0.1);
		expect(Math.abs(heard.get('0')!)).toBeLessThan(0.01);
		expect(Math.abs(heard.get('2')!)).toBeLessThan(0.01);
		expect(robot!.node).toBe('/manyworlds');
		expect(robot!.bus.publishers.filter(({ name }) => name === '/clock').length).toBe(1);
	});

	it('are served one by one, and refused where there are none or too many', async () => {
		const { robot } = await serve(EGRET, { worlds: 2, world: 1 });
		const row = robot!.spec.controllers.flatMap((one) => (one.kind === 'jointState' ? one.joints : []))[0]!.joint;
		expect(robot!.simulation.model.jointWorld[row]).toBe(1);
		expect(robot!.bus.publishers.some(({ name }) => name === '/egret/odom')).toBe(true);
		const none = await serve(EGRET, { world: 1 });
		expect(none.context.report.toArray().map(({ message }) => message)).toEqual([
			'there is no world 1, expected 0 to 0',
		]);
		const many = await serve(EGRET, { worlds: 65, worldsAsNamespaces: true });
		expect(many.context.report.toArray().map(({ code }) => code)).toEqual(['ROS008']);
	});
});
