import { hashState, ModelFlags } from '@manyworlds/model';
import type { BusSink, Publisher, RosMessage } from '@manyworlds/ros';
import { afterEach, describe, expect, it } from 'vitest';
import { CommandContext } from '../src/command/command-context.ts';
import { openServedRobot, type ServedRobot } from '../src/command/serve/served-robot.ts';

const EGRET = new URL('../../../examples/robots/egret/egret.usda', import.meta.url).pathname;
const PLOVER = new URL('../../../examples/robots/plover/urdf/plover.urdf', import.meta.url).pathname;

/** Keeps the last message of each topic, and all of some. */
class Listener implements BusSink {
	readonly last = new Map<string, RosMessage>();
	readonly counts = new Map<string, number>();
	publish({ name, codec }: Publisher, bytes: Uint8Array): void {
		const decoded = codec.decode(bytes);
		if ('message' in decoded) this.last.set(name, decoded.message);
		this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
	}
}

interface Served extends ServedRobot {
	readonly heard: Listener;
	readonly notes: string[];
}

const open: ServedRobot[] = [];
afterEach(async () => {
	for (const { simulation } of open.splice(0)) await simulation.dispose();
});

async function serve(file: string): Promise<Served> {
	const notes: string[] = [];
	const stream = { write: (text: string | Uint8Array) => notes.push(String(text)) };
	const context = new CommandContext({ stdout: stream, stderr: stream, env: {}, cwd: '/', now: () => 0 });
	const robot = await openServedRobot(
		context,
		file,
		{ solver: 'sap', domain: 0, nodeName: 'manyworlds', ground: true, seed: 0 },
		() => {},
	);
	if (robot === undefined) throw new Error('the robot does not open');
	const heard = new Listener();
	robot.bus.attach(heard);
	open.push(robot);
	return { ...robot, heard, notes };
}

function send({ bus }: ServedRobot, name: string, message: RosMessage): void {
	const subscription = bus.subscriptions.find((one) => one.name === name)!;
	subscription.receive(subscription.codec.encode(message));
}

async function call({ bus }: ServedRobot, name: string, request: RosMessage = {}): Promise<RosMessage> {
	return await bus.services.find((one) => one.name === name)!.ask(request);
}

async function steps({ runtime }: ServedRobot, count: number): Promise<void> {
	for (let i = 0; i < count; i++) await runtime.step();
}

interface Odometry {
	pose: { pose: { position: { x: number; y: number }; orientation: { z: number; w: number } } };
	twist: { twist: { linear: { x: number }; angular: { z: number } } };
}

/** The robot drives; commands are repeated as people do. */
async function drive(robot: Served, linear: number, angular: number, seconds: number): Promise<void> {
	for (let i = 0; i < seconds * 10; i++) {
		send(robot, '/egret/cmd_vel', { linear: { x: linear }, angular: { z: angular } });
		await steps(robot, 50);
	}
}

const yawOf = (z: number, w: number): number => 2 * Math.atan2(z, w);

describe('a robot with two wheels', () => {
	/** Poses of the base [m, m, rad] by odometry and in truth, after 5 s of an arc, in the frame where it began. */
	async function arc(robot: Served): Promise<{ odometry: number[]; truth: number[] }> {
		const base = robot.simulation.bodyNames.indexOf('/egret/base_link');
		const pose = (): { x: number; y: number; yaw: number } => {
			const [x, y, , qx, qy, qz, qw] = [...robot.simulation.bodyPoses.slice(7 * base, 7 * base + 7)] as number[];
			return { x: x!, y: y!, yaw: Math.atan2(2 * (qw! * qz! + qx! * qy!), 1 - 2 * (qy! ** 2 + qz! ** 2)) };
		};
		await steps(robot, 250);
		const start = pose();
		await drive(robot, 0.3, 0.4, 5);
		const { position, orientation } = (robot.heard.last.get('/egret/odom') as unknown as Odometry).pose.pose;
		const end = pose();
		const [dx, dy] = [end.x - start.x, end.y - start.y];
		const [cos, sin] = [Math.cos(start.yaw), Math.sin(start.yaw)];
		return {
			odometry: [position.x, position.y, yawOf(orientation.z, orientation.w)],
			truth: [cos * dx + sin * dy, cos * dy - sin * dx, end.yaw - start.yaw],
		};
	}

	/** The same by arithmetic: ramps of 1 m/s² and 6 rad/s², then a circle; the wheels are 0.09 m before the base. */
	function closedForm(): number[] {
		let [x, y, yaw] = [0.09, 0, 0];
		const dt = 1e-4;
		for (let i = 0; i < 5 / dt; i++) {
			const t = (i + 0.5) * dt;
			const turn = Math.min(6 * t, 0.4) * dt;
			x += Math.min(t, 0.3) * Math.cos(yaw + turn / 2) * dt;
			y += Math.min(t, 0.3) * Math.sin(yaw + turn / 2) * dt;
			yaw += turn;
		}
		return [x - 0.09 * Math.cos(yaw), y - 0.09 * Math.sin(yaw), yaw];
	}

	const distance = (pose: readonly number[], other: readonly number[]): number =>
		Math.hypot(pose[0]! - other[0]!, pose[1]! - other[1]!);

	it('drives an arc on narrow tyres: odometry and truth are the closed form to 1 %', async () => {
		const robot = await serve(EGRET);
		const { model } = robot.simulation;
		for (const [shape, label] of model.shapeLabels.entries())
			if (label.endsWith('collision/tyre')) model.shapeScale[3 * shape + 1] = 0.0005;
		await robot.simulation.notifyModelChanged(ModelFlags.ALL);
		const { odometry, truth } = await arc(robot);
		const expected = closedForm();
		// the way is 1.455 m long
		expect(distance(odometry, expected)).toBeLessThan(0.01 * 1.455);
		expect(distance(truth, expected)).toBeLessThan(0.01 * 1.455);
		expect(Math.abs(odometry[2]! / expected[2]! - 1)).toBeLessThan(0.01);
		expect(Math.abs(truth[2]! / expected[2]! - 1)).toBeLessThan(0.01);
	});

	it('turns less on its flat tyres than the wheels say, as much as their width allows, and stops when commands end', async () => {
		const robot = await serve(EGRET);
		const { odometry, truth } = await arc(robot);
		const expected = closedForm();
		expect(distance(odometry, expected)).toBeLessThan(0.01 * 1.455);
		expect(Math.abs(odometry[2]! / expected[2]! - 1)).toBeLessThan(0.01);
		// tyres of 30 mm scrub: at worst the robot turns as if its wheels stood 0.33 m apart, not 0.3 m
		const ratio = truth[2]! / odometry[2]!;
		expect(ratio).toBeLessThan(0.99);
		expect(ratio).toBeGreaterThan(0.3 / 0.33);
		const moving = robot.heard.last.get('/egret/odom') as unknown as Odometry;
		expect(moving.twist.twist.linear.x).toBeCloseTo(0.3, 2);
		// half a second after the last command, and the ramp
		await steps(robot, 50 * 10);
		const stopped = robot.heard.last.get('/egret/odom') as unknown as Odometry;
		expect(Math.abs(stopped.twist.twist.linear.x)).toBeLessThan(1e-3);
	});

	it('on ice: odometry moves, the robot does not', async () => {
		const robot = await serve(EGRET);
		robot.simulation.model.shapeMaterialMu.fill(0);
		await robot.simulation.notifyModelChanged(ModelFlags.ALL);
		const base = robot.simulation.bodyNames.indexOf('/egret/base_link');
		await steps(robot, 50);
		const start = robot.simulation.bodyPoses.slice(7 * base, 7 * base + 3);
		await drive(robot, 0.3, 0, 2);
		const odometry = robot.heard.last.get('/egret/odom') as unknown as Odometry;
		expect(odometry.pose.pose.position.x).toBeGreaterThan(0.5);
		expect(Math.abs(robot.simulation.bodyPoses[7 * base]! - start[0]!)).toBeLessThan(0.02);
	});

	it('tells joints as the solver has them, at the authored rate', async () => {
		const robot = await serve(EGRET);
		await drive(robot, 0.2, 0, 1);
		const states = robot.heard.last.get('/egret/joint_states') as unknown as { name: string[]; position: Float64Array };
		const { model, state } = robot.simulation;
		for (const [i, name] of states.name.entries()) {
			const joint = model.jointLabels.indexOf(`/egret/base_link/${name}`);
			expect(states.position[i]).toBe(state.jointQ[model.jointQStart[joint]!]);
		}
		expect(states.name).toContain('head_joint');
		expect(robot.heard.counts.get('/egret/joint_states')).toBe(50);
		expect(robot.heard.counts.get('/egret/imu')).toBe(100);
		expect(robot.heard.counts.get('/egret/scan')).toBe(10);
	});

	it('reads gravity upwards at rest, and the distance to nothing as +∞', async () => {
		const robot = await serve(EGRET);
		await steps(robot, 1000);
		const imu = robot.heard.last.get('/egret/imu') as unknown as {
			header: { frame_id: string };
			linear_acceleration: { x: number; z: number };
		};
		expect(imu.header.frame_id).toBe('imu_frame');
		expect(imu.linear_acceleration.z).toBeCloseTo(9.81, 2);
		const scan = robot.heard.last.get('/egret/scan') as unknown as { ranges: Float32Array };
		expect(scan.ranges.filter((range) => range === Number.POSITIVE_INFINITY).length).toBeGreaterThan(200);
		// the rest is hidden by the head of the robot itself, which is too near to be measured
		const rest = scan.ranges.filter((range) => range !== Number.POSITIVE_INFINITY);
		expect(rest.length).toBeGreaterThan(50);
		expect(rest.every((range) => range === Number.NEGATIVE_INFINITY)).toBe(true);
	});

	it('has one tree of frames below the authored parent, static ones apart', async () => {
		const robot = await serve(EGRET);
		robot.runtime.publish();
		const edges = new Map<string, string>();
		for (const topic of ['/egret/tf', '/egret/tf_static']) {
			const message = (robot.heard.last.get(topic) ?? {}) as {
				transforms?: { header: { frame_id: string }; child_frame_id: string }[];
			};
			for (const { header, child_frame_id } of message.transforms ?? []) {
				expect(edges.has(child_frame_id)).toBe(false);
				edges.set(child_frame_id, header.frame_id);
			}
		}
		const roots = new Set([...edges.values()].filter((parent) => !edges.has(parent)));
		expect([...roots]).toEqual(['map']);
		expect(edges.get('camera_optical_frame')).toBeDefined();
	});

	it('is off where the model has no answer, with the reason', async () => {
		const robot = await serve(EGRET);
		expect(robot.spec.off.map(({ name, reason }) => [name, reason])).toEqual([
			['/egret/camera/image_raw', 'images need a renderer, and there is none'],
			['/egret/set_lamp', 'the model has nothing that answers this service'],
		]);
	});
});

describe('simulation control', () => {
	it('pauses, steps by exactly as many steps, and refuses to step while it plays', async () => {
		const robot = await serve(PLOVER);
		expect(await call(robot, '/manyworlds/step_simulation', { steps: 10n })).toMatchObject({ result: { result: 3 } });
		await call(robot, '/manyworlds/pause', { data: true });
		expect(robot.control.isPaused).toBe(true);
		expect(await call(robot, '/manyworlds/step_simulation', { steps: 10n })).toMatchObject({ result: { result: 1 } });
		expect(robot.runtime.time).toBe(20_000_000n);
		expect(robot.heard.last.get('/clock')).toEqual({ clock: { sec: 0, nanosec: 20_000_000 } });
		expect(await call(robot, '/manyworlds/get_simulation_state')).toMatchObject({ state: { state: 2 } });
		expect(await call(robot, '/manyworlds/set_simulation_state', { state: { state: 2 } })).toMatchObject({
			result: { result: 101 },
		});
	});

	it('resets to the first state, bit for bit, also after commands', async () => {
		const robot = await serve(PLOVER);
		const first = hashState(robot.simulation.state);
		const run = async (): Promise<string> => {
			send(robot, '/position_commands', { data: [0.5, 0.02] });
			await steps(robot, 200);
			return hashState(robot.simulation.state);
		};
		const moved = await run();
		expect(moved).not.toBe(first);
		await call(robot, '/manyworlds/reset');
		expect(hashState(robot.simulation.state)).toBe(first);
		expect(robot.runtime.time).toBe(0n);
		expect(await run()).toBe(moved);
	});
});

describe('joints of a robot that says nothing of ROS', () => {
	const position = ({ simulation }: Served, name: string): number => {
		const { model, state } = simulation;
		return state.jointQ[model.jointQStart[model.jointLabels.indexOf(`plover/${name}`)]!]!;
	};

	it('go where positions say, through their drives', async () => {
		const robot = await serve(PLOVER);
		send(robot, '/position_commands', { data: [0.5, 0.02] });
		await steps(robot, 5);
		// a drive takes its time, a state write would not
		expect(position(robot, 'roll')).toBeLessThan(0.4);
		await steps(robot, 1000);
		expect(position(robot, 'roll')).toBeCloseTo(0.5, 2);
		expect(position(robot, 'right_slide')).toBeCloseTo(0.02, 3);
	});

	it('turn at the velocity that is given, and no further than efforts take them', async () => {
		const robot = await serve(PLOVER);
		send(robot, '/velocity_commands', { data: [1, 0] });
		await steps(robot, 500);
		expect(position(robot, 'roll')).toBeCloseTo(1, 1);
		send(robot, '/effort_commands', { data: [0, 0] });
		await steps(robot, 1);
		expect(robot.simulation.control.jointTargetQd[0]).toBe(0);
	});

	it('refuses commands of a wrong length, and says so', async () => {
		const robot = await serve(PLOVER);
		send(robot, '/position_commands', { data: [1] });
		await steps(robot, 10);
		expect(robot.notes.join('')).toContain('/position_commands: 1 numbers for 2 joints; the command was ignored');
		expect(Math.abs(position(robot, 'roll'))).toBeLessThan(0.01);
	});

	const goal = (positions: readonly number[], seconds: number, more: RosMessage = {}): RosMessage => ({
		goal_id: { uuid: Uint8Array.from({ length: 16 }, () => (seconds * 7 + positions[0]! * 100) & 0xff) },
		goal: {
			trajectory: {
				joint_names: ['roll', 'left_slide'],
				points: [{ positions, time_from_start: { sec: seconds, nanosec: 0 } }],
			},
			...more,
		},
	});
	const ACTION = '/follow_joint_trajectory/_action';
	const result = (robot: Served, request: RosMessage): Promise<RosMessage> =>
		call(robot, `${ACTION}/get_result`, { goal_id: request['goal_id'] });

	it('follow a trajectory, with feedback on the way', async () => {
		const robot = await serve(PLOVER);
		const request = goal([0.6, 0.01], 1);
		expect(await call(robot, `${ACTION}/send_goal`, request)).toMatchObject({ accepted: true });
		const ended = result(robot, request);
		await steps(robot, 250);
		expect(position(robot, 'roll')).toBeCloseTo(0.3, 1);
		expect(robot.heard.last.get(`${ACTION}/feedback`)).toMatchObject({
			feedback: { joint_names: ['roll', 'left_slide'] },
		});
		await steps(robot, 600);
		expect(await ended).toMatchObject({ status: 4, result: { error_code: 0 } });
		expect(position(robot, 'roll')).toBeCloseTo(0.6, 2);
	});

	it('take a new goal in place of the old one', async () => {
		const robot = await serve(PLOVER);
		const first = goal([0.6, 0.01], 2);
		await call(robot, `${ACTION}/send_goal`, first);
		const ended = result(robot, first);
		await steps(robot, 100);
		await call(robot, `${ACTION}/send_goal`, goal([-0.2, 0.01], 1));
		expect(await ended).toMatchObject({ status: 6, result: { error_string: 'a new trajectory has taken its place' } });
	});

	it('hold still when a goal is canceled', async () => {
		const robot = await serve(PLOVER);
		const request = goal([0.6, 0.01], 2);
		await call(robot, `${ACTION}/send_goal`, request);
		const ended = result(robot, request);
		await steps(robot, 400);
		expect(await call(robot, `${ACTION}/cancel_goal`, { goal_info: { goal_id: request['goal_id'] } })).toMatchObject({
			return_code: 0,
		});
		const at = position(robot, 'roll');
		await steps(robot, 500);
		expect(await ended).toMatchObject({ status: 5 });
		expect(position(robot, 'roll')).toBeCloseTo(at, 1);
	});

	it('fail where a tolerance of the path is broken', async () => {
		const robot = await serve(PLOVER);
		const request = goal([3, 0.01], 1, { path_tolerance: [{ name: 'roll', position: 1e-6 }] });
		await call(robot, `${ACTION}/send_goal`, request);
		const ended = result(robot, request);
		await steps(robot, 100);
		expect(await ended).toMatchObject({ status: 6, result: { error_code: -4 } });
	});

	it('fail where the goal is not reached in time', async () => {
		const robot = await serve(PLOVER);
		// beyond its limit of 0.035 m
		const request = goal([0, 0.2], 1, {
			goal_tolerance: [{ name: 'left_slide', position: 0.001 }],
			goal_time_tolerance: { sec: 1, nanosec: 0 },
		});
		await call(robot, `${ACTION}/send_goal`, request);
		const ended = result(robot, request);
		await steps(robot, 1100);
		expect(await ended).toMatchObject({ status: 6, result: { error_code: -5 } });
	});

	it('refuse goals for joints that they are not', async () => {
		const robot = await serve(PLOVER);
		const answer = await call(robot, `${ACTION}/send_goal`, {
			goal: { trajectory: { joint_names: ['roll'], points: [{ positions: [1], time_from_start: { sec: 1 } }] } },
		});
		expect(answer).toMatchObject({ accepted: false });
	});
});
