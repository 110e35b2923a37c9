import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TypeRegistry } from '@manyworlds/ros';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, '../../..');
const EGRET = join(ROOT, 'examples/robots/egret/egret.usda');
/** Where the peers are: two folders that `python3 -m venv` made, `rclpy` and `plain`. */
const PEERS = process.env['MANYWORLDS_ROS_PEERS'] ?? join(tmpdir(), 'manyworlds-ros-peers');

/** What a peer says: names of checks, with null or what is wrong. */
type Checks = Readonly<Record<string, string | null>>;

/**
 * Large messages at 10 Hz: their size [bytes], how many of 100 datagrams get lost, how many messages are kept (0: all, and then all
 * must arrive), and the share that must arrive in time. The time in which talker or listener waited for a processor is taken off.
 */
const CLOUDS = [
	{ name: 'clouds', size: 4_000_000, loss: 0, depth: 5, share: 0.95 },
	{ name: 'loss', size: 200_000, loss: 20, depth: 0, share: 0.5 },
] as const;
/** Seconds that they are listened to, and messages in a second. */
const CLOUD_SECONDS = '10';
const CLOUD_RATE = '10';

/** Real ROS 2, Cyclone DDS, Foxglove clients and MCAP readers against a served robot. */
export const rosPeers: Suite = {
	name: 'ros/peers',
	description:
		'a served egret with rclpy, Cyclone DDS and a Foxglove client beside it, and a recording with MCAP readers',
	defaultDir: '.',
	groups: [
		group('rclpy', 'rclpy', 'rclpy_peer.py', (run) => {
			const types = [
				'sensor_msgs/msg/JointState',
				'nav_msgs/msg/Odometry',
				'sensor_msgs/msg/LaserScan',
				'sensor_msgs/msg/Imu',
			];
			types.push('tf2_msgs/msg/TFMessage', 'std_msgs/msg/String', 'rosgraph_msgs/msg/Clock');
			const hashes = Object.fromEntries(types.map((type) => [type, TypeRegistry.standard.hash(type)]));
			return withServer(['--domain', '71'], () => run([JSON.stringify(hashes)], { ROS_DOMAIN_ID: '71' }));
		}),
		group('localhost', 'rclpy', 'localhost_peer.py', (run) => {
			const range = { ROS_AUTOMATIC_DISCOVERY_RANGE: 'LOCALHOST' };
			const peer = { ...range, ROS_DOMAIN_ID: '77' };
			return withServer(['--domain', '77'], () => run([], peer), range);
		}),
		group('restart', 'rclpy', 'restart_peer.py', (run) =>
			withTalker(['73', '20', '3', '1'], () => run([], { ROS_DOMAIN_ID: '73', RUNS: '20' })),
		),
		group('late', 'rclpy', 'late_peer.py', (run) =>
			withTalker(['74', '1', '170', '0'], () => run([], { ROS_DOMAIN_ID: '74', RUNS: '20' })),
		),
		...CLOUDS.flatMap(({ name, size, loss, depth, share }, i) => {
			const options = (base: number): string[] => [base + i, size, CLOUD_RATE, loss, depth].map(String);
			const asked = [CLOUD_SECONDS, CLOUD_RATE, share, depth].map(String);
			return [
				group(`${name}-rclpy`, 'rclpy', 'cloud_peer.py', (run) =>
					withCloud(options(75), (pid) => run(asked, { ROS_DOMAIN_ID: String(75 + i), TALKER_PID: pid })),
				),
				group(`${name}-cyclone`, 'plain', 'cyclone_cloud_peer.py', (run) =>
					withCloud(options(85), (pid) => run([String(85 + i), ...asked], { TALKER_PID: pid })),
				),
			];
		}),
		group('cyclone', 'plain', 'cyclone_peer.py', (run) => withServer(['--domain', '72'], () => run(['72']))),
		group('foxglove', 'plain', 'foxglove_peer.py', (run) =>
			withServer(['--no-rtps', '--foxglove', '18765'], () => run(['18765'])),
		),
		group('rosbridge', 'plain', 'rosbridge_peer.py', (run) =>
			withServer(['--no-rtps', '--rosbridge', '19090'], () => run(['19090'])),
		),
		group('mcap', 'plain', 'mcap_peer.py', async (run) => {
			const folder = mkdtempSync(join(tmpdir(), 'manyworlds-mcap-'));
			const file = join(folder, 'egret.mcap');
			const bag = join(folder, 'bag');
			const runs = [file, `${bag}/`].map((output) =>
				spawnSync(process.execPath, [...COMMAND, 'record', EGRET, '-o', output, '--duration', '1'], { cwd: ROOT }),
			);
			const failed = runs.find(({ status }) => status === 2);
			const checks = failed !== undefined ? { record: String(failed.stderr) } : await run([file, bag]);
			rmSync(folder, { recursive: true, force: true });
			return checks;
		}),
	],
};

/** Seconds that the soak lasts; it is skipped without them. */
const SOAK_SECONDS = Number(process.env['MANYWORLDS_SOAK'] ?? 0);

/** Long runs: nothing gets lost, memory does not grow, and clients that do not read cost next to nothing. */
export const rosSoak: Suite = {
	name: 'ros/soak',
	description:
		'50 reliable topics at 100 Hz for MANYWORLDS_SOAK seconds (600 is the usual time), and a client that never reads',
	defaultDir: '.',
	groups: [
		soak('topics', 'nothing is missing, memory grows by less than 5 MB', (found) => {
			const { sent = 0, received = 0, wrong = 1, growthMegabytes = 5, listenerGrowthMegabytes = 5 } = found;
			const isRight =
				sent > 0 && received === sent && wrong === 0 && growthMegabytes < 5 && listenerGrowthMegabytes < 5;
			return isRight ? undefined : JSON.stringify(found);
		}),
		soak('slow', 'its cost is less than 5 % of the time that a step has at rate 1', (found) =>
			(found['cost'] ?? 1) < 0.05 ? undefined : JSON.stringify(found),
		),
	],
};

function soak(
	mode: string,
	tolerance: string,
	judge: (found: Readonly<Record<string, number>>) => string | undefined,
): Group {
	return {
		name: mode,
		description: `soak.ts ${mode}`,
		tolerance,
		timeLimit: SOAK_SECONDS + 240,
		*cases(context: SuiteContext): Generator<Case> {
			yield {
				name: mode,
				run: () => {
					if (!(SOAK_SECONDS > 0)) return { skipped: 'MANYWORLDS_SOAK gives no seconds' };
					const args = ['--expose-gc', ...COMMAND.slice(0, -1), join(HERE, 'soak.ts'), mode, String(SOAK_SECONDS)];
					const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
					context.log(`${mode}: ${stdout.trim()}`);
					try {
						return judge(JSON.parse(stdout) as Record<string, number>);
					} catch {
						return `no answer: ${stderr.slice(-400)}`;
					}
				},
			};
		},
	};
}

const COMMAND = ['--import', 'tsx', '--conditions=@manyworlds/source', 'packages/manyworlds/src/command/bin.ts'];

type RunPeer = (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Checks>;

/** Cases of one peer. It runs once, and its checks are one case, so that a missing one is noticed. */
function group(name: string, venv: string, script: string, run: (peer: RunPeer) => Promise<Checks>): Group {
	return {
		name,
		description: `${script} finds nothing wrong`,
		tolerance: 'as the script says',
		timeLimit: 240,
		*cases(context: SuiteContext): Generator<Case> {
			yield { name: script, run: () => check(venv, script, run, context.log) };
		},
	};
}

async function check(
	venv: string,
	script: string,
	run: (peer: RunPeer) => Promise<Checks>,
	log: (line: string) => void,
): Promise<Outcome> {
	const python = join(PEERS, venv, 'bin/python');
	if (!existsSync(python)) return { skipped: `there is no ${python}: see docs/testing.md, "Peers of ROS"` };
	const checks = await run((args, env) => runPeer(python, [join(HERE, 'peers', script), ...args], log, env));
	log(`${script}: ${Object.keys(checks).length} checks`);
	const wrong = Object.entries(checks).filter(([, reason]) => reason !== null);
	if (wrong.length > 0) return wrong.map(([what, reason]) => `${what}: ${reason}`).join('; ');
	return Object.keys(checks).length === 0 ? 'the peer checked nothing' : undefined;
}

/** Serves the robot while something is done with it. */
async function withServer(
	options: readonly string[],
	work: () => Promise<Checks>,
	env: Readonly<Record<string, string>> = {},
): Promise<Checks> {
	return await withProgram([...COMMAND, 'serve', EGRET, ...options], work, env);
}

/** The same with a small node. */
async function withTalker(options: readonly string[], work: () => Promise<Checks>): Promise<Checks> {
	return await withProgram([...COMMAND.slice(0, -1), join(HERE, 'talker.ts'), ...options], work);
}

/** The same with large messages. */
async function withCloud(options: readonly string[], work: (pid: string) => Promise<Checks>): Promise<Checks> {
	return await withProgram([...COMMAND.slice(0, -1), join(HERE, 'cloud.ts'), ...options], work);
}

async function withProgram(
	args: readonly string[],
	work: (pid: string) => Promise<Checks>,
	env: Readonly<Record<string, string>> = {},
): Promise<Checks> {
	const server = spawn(process.execPath, [...args], {
		cwd: ROOT,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	try {
		await firstOutput(server);
		return await work(String(server.pid));
	} finally {
		if (server.exitCode === null) {
			const ended = new Promise((done) => server.once('exit', done));
			server.kill('SIGINT');
			await ended;
		}
	}
}

async function firstOutput(server: ChildProcess): Promise<void> {
	await new Promise<void>((done, fail) => {
		server.stdout?.once('data', () => done());
		server.once('exit', (code) => fail(new Error(`the server ended with ${code}`)));
	});
}

/** Runs a script without the environment of a ROS that may be sourced. */
async function runPeer(
	python: string,
	args: readonly string[],
	log: (line: string) => void,
	env: Readonly<Record<string, string>> = {},
): Promise<Checks> {
	const { PATH = '', HOME = '' } = process.env;
	const child = spawn(python, [...args], { env: { PATH, HOME, ...env } });
	let output = '';
	let errors = '';
	child.stdout.on('data', (data: Buffer) => {
		output += data.toString();
	});
	child.stderr.on('data', (data: Buffer) => {
		errors += data.toString();
	});
	const timer = setTimeout(() => child.kill('SIGKILL'), 200_000);
	await new Promise((done) => child.once('exit', done));
	clearTimeout(timer);
	const last = output.trim().split('\n').at(-1) ?? '';
	try {
		const checks = JSON.parse(last) as Checks;
		if (errors.length > 0) log(errors.trim());
		return checks;
	} catch {
		return { script: `no answer: ${errors.slice(-600)}` };
	}
}
