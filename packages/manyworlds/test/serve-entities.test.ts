import { hashState } from '@manyworlds/model';
import type { RosMessage } from '@manyworlds/ros';
import { afterEach, describe, expect, it } from 'vitest';
import { CommandContext } from '../src/command/command-context.ts';
import { openServedRobot, type ServedRobot, type ServedRobotOptions } from '../src/command/serve/served-robot.ts';

const EGRET = new URL('../../../examples/robots/egret/egret.usda', import.meta.url).pathname;
const PLOVER = new URL('../../../examples/robots/plover/urdf/plover.urdf', import.meta.url).pathname;
const INERTIA = '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>';
const BOX = `<robot name="crate"><link name="box"><inertial><mass value="1"/>${INERTIA}</inertial>
	<collision><geometry><box size="0.4 0.4 0.4"/></geometry></collision></link></robot>`;

const open: ServedRobot[] = [];
afterEach(async () => {
	for (const { live } of open.splice(0)) await live.dispose();
});

async function serve(file: string, more: Partial<ServedRobotOptions> = {}): Promise<ServedRobot> {
	const stream = { write: () => true };
	const context = new CommandContext({ stdout: stream, stderr: stream, env: {}, cwd: '/', now: () => 0 });
	const options = { solver: 'sap', domain: 0, nodeName: 'manyworlds', ground: true, seed: 0, ...more } as const;
	const robot = await openServedRobot(context, file, options, () => {});
	if (robot === undefined) throw new Error('the robot does not open');
	open.push(robot);
	return robot;
}

async function call(robot: ServedRobot, name: string, request: RosMessage = {}): Promise<RosMessage> {
	const service = robot.bus.services.find((one) => one.name === `${robot.node}/${name}`)!;
	// as it travels, with defaults for what is left out
	const sent = service.request.decode(service.request.encode(request));
	return await service.ask('message' in sent ? sent.message : request);
}

async function codeOf(robot: ServedRobot, name: string, request: RosMessage): Promise<number> {
	return ((await call(robot, name, request))['result'] as { result: number }).result;
}

const spawn = (name: string, more: RosMessage = {}): RosMessage => ({
	name,
	entity_resource: { resource_string: BOX },
	initial_pose: { pose: { position: { x: 2, y: 0, z: 1 }, orientation: { x: 0, y: 0, z: 0, w: 1 } } },
	...more,
});

interface StateAnswer {
	state: { pose: { position: { x: number; y: number; z: number } }; twist: { linear: { z: number } } };
}

async function positionOf(robot: ServedRobot, entity: string): Promise<{ x: number; y: number; z: number }> {
	const { state } = (await call(robot, 'get_entity_state', { entity })) as unknown as StateAnswer;
	return state.pose.position;
}

describe('entities', () => {
	it('are spawned between steps, fall, and are deleted, while the robot goes on as it was', async () => {
		const robot = await serve(PLOVER);
		for (let i = 0; i < 50; i++) await robot.runtime.step();
		const before = robot.live.state.jointQ.slice();
		expect(await call(robot, 'spawn_entity', spawn('crate'))).toMatchObject({
			result: { result: 1 },
			entity_name: 'crate',
		});
		expect(await call(robot, 'get_entities')).toMatchObject({ entities: ['plover', 'crate'] });
		expect([...robot.live.state.jointQ.subarray(0, before.length)]).toEqual([...before]);
		expect(robot.runtime.stepCount).toBe(50);
		expect(await positionOf(robot, 'crate')).toMatchObject({ x: 2, z: 1 });
		for (let i = 0; i < 1000; i++) await robot.runtime.step();
		expect((await positionOf(robot, 'crate')).z).toBeCloseTo(0.2, 2);
		expect(await codeOf(robot, 'delete_entity', { entity: 'crate' })).toBe(1);
		expect(await call(robot, 'get_entities')).toMatchObject({ entities: ['plover'] });
		await robot.runtime.step();
	});

	it('are seen by sensors', async () => {
		const robot = await serve(EGRET);
		let ranges: Float32Array = new Float32Array();
		robot.bus.attach({
			publish({ name, codec }, bytes) {
				const decoded = codec.decode(bytes);
				if (name === '/egret/scan' && 'message' in decoded) ranges = decoded.message['ranges'] as Float32Array;
			},
		});
		for (let i = 0; i < 100; i++) await robot.runtime.step();
		expect(ranges.some((range) => Number.isFinite(range))).toBe(false);
		const place = { position: { x: 0, y: 2, z: 0.2 }, orientation: { x: 0, y: 0, z: 0, w: 1 } };
		expect(await codeOf(robot, 'spawn_entity', spawn('crate', { initial_pose: { pose: place } }))).toBe(1);
		for (let i = 0; i < 100; i++) await robot.runtime.step();
		const seen = [...ranges].filter((range) => Number.isFinite(range));
		expect(Math.min(...seen)).toBeGreaterThan(1.5);
		expect(Math.min(...seen)).toBeLessThan(2);
	});

	it('can be moved and thrown, if they are free', async () => {
		const robot = await serve(PLOVER);
		await call(robot, 'spawn_entity', spawn('crate'));
		const pose = { position: { x: 3, y: 4, z: 5 }, orientation: { x: 0, y: 0, z: 0, w: 1 } };
		const set = (more: RosMessage): RosMessage => ({
			entity: 'crate',
			state: { pose, twist: { linear: { x: 1, y: 0, z: 0 } } },
			...more,
		});
		expect(await codeOf(robot, 'set_entity_state', set({ set_pose: true, set_twist: true }))).toBe(1);
		expect(await positionOf(robot, 'crate')).toEqual({ x: 3, y: 4, z: 5 });
		for (let i = 0; i < 50; i++) await robot.runtime.step();
		expect((await positionOf(robot, 'crate')).x).toBeCloseTo(3.1, 6);
		expect(await codeOf(robot, 'set_entity_state', set({ set_acceleration: true }))).toBe(0);
		const bad = { pose: { position: { x: Number.NaN }, orientation: { w: 1 } } };
		expect(await codeOf(robot, 'set_entity_state', set({ set_pose: true, state: bad }))).toBe(101);
		expect(await codeOf(robot, 'set_entity_state', set({ entity: 'nobody' }))).toBe(2);
	});

	it('that are fixed stay where they are', async () => {
		const robot = await serve(PLOVER, { floating: false });
		const request = { entity: 'plover', state: {}, set_pose: true };
		expect(await codeOf(robot, 'set_entity_state', request)).toBe(4);
		expect(await codeOf(robot, 'delete_entity', { entity: 'plover' })).toBe(4);
	});

	it.each([
		['a name that is taken', 101, spawn('plover')],
		['a name that is none', 102, spawn('a b')],
		['an unknown format', 103, spawn('a', { entity_resource: { resource_string: 'hello' } })],
		['an unknown ending', 103, spawn('a', { entity_resource: { uri: 'plover.txt' } })],
		['nothing to spawn', 104, spawn('a', { entity_resource: {} })],
		['a file that is not there', 104, spawn('a', { entity_resource: { uri: 'nothing.urdf' } })],
		['a file elsewhere', 104, spawn('a', { entity_resource: { uri: 'file:///etc/robot.urdf' } })],
		['an unknown package', 104, spawn('a', { entity_resource: { uri: 'package://x/a.urdf' } })],
		['a namespace that is none', 105, spawn('a', { entity_namespace: '1/2' })],
		['a robot without links', 106, spawn('a', { entity_resource: { resource_string: '<robot name="x"></robot>' } })],
		[
			'a mesh that is missing',
			107,
			spawn('a', {
				entity_resource: { resource_string: BOX.replace('<box size="0.4 0.4 0.4"/>', '<mesh filename="no.stl"/>') },
			}),
		],
		['a pose that is none', 109, spawn('a', { initial_pose: { pose: { orientation: { w: 2 } } } })],
		['a pose in a frame that is not the world', 109, spawn('a', { initial_pose: { header: { frame_id: 'base' } } })],
	])('are refused: %s (%i)', async (_, code, request) => {
		const robot = await serve(PLOVER);
		expect(await codeOf(robot, 'spawn_entity', request)).toBe(code);
		expect(await call(robot, 'get_entities')).toMatchObject({ entities: ['plover'] });
		await robot.runtime.step();
	});

	it('get another name where that is allowed, and several come with one request', async () => {
		const robot = await serve(PLOVER);
		const file = spawn('crate', { entity_resource: { uri: 'plover.urdf' }, allow_renaming: true });
		const answer = await call(robot, 'spawn_entities', { spawn_requests: [spawn('crate'), file, spawn('plover')] });
		expect(answer).toMatchObject({
			result: { result: 150 },
			results: [{ entity_name: 'crate' }, { entity_name: 'crate_1' }, { result: { result: 101 } }],
		});
		const filters = (more: RosMessage): RosMessage => ({ filters: more });
		expect(await call(robot, 'get_entities', filters({ filter: 'crate.*' }))).toMatchObject({
			entities: ['crate', 'crate_1'],
		});
		expect(await call(robot, 'get_entities', filters({ categories: [{ category: 0 }] }))).toMatchObject({
			entities: ['crate'],
		});
		expect(await codeOf(robot, 'get_entities', filters({ filter: '(' }))).toBe(4);
		expect(await call(robot, 'get_entity_info', { entity: 'crate_1' })).toMatchObject({
			info: { category: { category: 1 } },
		});
		expect(await call(robot, 'get_entities_states')).toMatchObject({ entities: ['plover', 'crate', 'crate_1'] });
	});

	it('are gone after a reset of all, which gives the first state back', async () => {
		const robot = await serve(PLOVER);
		const first = hashState(robot.live.state);
		await call(robot, 'spawn_entity', spawn('crate'));
		for (let i = 0; i < 20; i++) await robot.runtime.step();
		expect(await codeOf(robot, 'reset_simulation', { scope: 3 })).toBe(1);
		expect(await positionOf(robot, 'crate')).toMatchObject({ x: 2, z: 1 });
		expect(await codeOf(robot, 'reset_simulation', { scope: 1 })).toBe(4);
		expect(await codeOf(robot, 'reset_simulation', { scope: 255 })).toBe(1);
		expect(robot.live.entities().map(({ name }) => name)).toEqual(['plover']);
		expect(hashState(robot.live.state)).toBe(first);
	});
});

describe('the action of steps', () => {
	it('takes steps with feedback, and ends between two of them when it is canceled', async () => {
		const robot = await serve(PLOVER, { paused: true });
		const action = 'simulate_steps/_action';
		const goal = (steps: bigint, id: number): RosMessage => ({
			goal_id: { uuid: new Uint8Array(16).fill(id) },
			goal: { steps },
		});
		const feedback: RosMessage[] = [];
		robot.bus.attach({
			publish({ name, codec }, bytes) {
				const decoded = codec.decode(bytes);
				if (name.endsWith('feedback') && 'message' in decoded) feedback.push(decoded.message);
			},
		});
		expect(await call(robot, `${action}/send_goal`, goal(10n, 1))).toMatchObject({ accepted: true });
		const ended = await call(robot, `${action}/get_result`, { goal_id: goal(10n, 1)['goal_id'] });
		expect(ended).toMatchObject({ status: 4, result: { result: { result: 1 } } });
		expect(robot.runtime.stepCount).toBe(10);
		expect(feedback.at(-1)).toMatchObject({ feedback: { completed_steps: 10n, remaining_steps: 0n } });
		await call(robot, `${action}/send_goal`, goal(100_000n, 2));
		const canceled = call(robot, `${action}/get_result`, { goal_id: goal(1n, 2)['goal_id'] });
		await call(robot, `${action}/cancel_goal`, { goal_info: { goal_id: goal(1n, 2)['goal_id'] } });
		expect(await canceled).toMatchObject({ status: 5 });
		expect(robot.runtime.stepCount).toBeLessThan(100_000);
		await call(robot, 'pause', { data: false });
		expect(await call(robot, `${action}/send_goal`, goal(10n, 3))).toMatchObject({ accepted: false });
	});
});
