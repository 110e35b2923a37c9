import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT: string = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const COMMAND = [
	'--import',
	'tsx',
	'--conditions=@manyworlds/source',
	join(ROOT, 'packages/manyworlds/src/command/bin.ts'),
];

/** User and password of the servers that are started here. */
export const CREDENTIALS: Readonly<Record<string, string>> = {
	NATS_USER: 'sweep',
	NATS_PASSWORD: 'secret-of-the-suite',
};

/** How a program ended. */
export interface Ended {
	readonly code: number | null;
	readonly signal: string | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** A program that runs. */
export interface Running {
	readonly child: ChildProcess;
	readonly ended: Promise<Ended>;
	/** What it said so far. */
	output(): string;
}

/** Starts `manyworlds` with arguments. */
export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
	const child = spawn(process.execPath, [...COMMAND, ...args], {
		cwd: ROOT,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let [stdout, stderr] = ['', ''];
	child.stdout?.on('data', (data: Buffer) => {
		stdout += data.toString();
	});
	child.stderr?.on('data', (data: Buffer) => {
		stderr += data.toString();
	});
	const ended = new Promise<Ended>((done) => {
		child.once('close', (code, signal) => done({ code, signal, stdout, stderr }));
	});
	return { child, ended, output: () => stdout + stderr };
}

/** Runs `manyworlds` to its end. */
export function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
	return start(args, env).ended;
}

/** Ends a program at once. */
export async function kill(program: Running): Promise<void> {
	program.child.kill('SIGKILL');
	await program.ended;
}

/** The hash of the table of a folder; a text in words when there is none. */
export function tableHash(folder: string): string {
	const file = join(folder, 'table.parquet');
	return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : `no table in ${folder}`;
}

/** Servers that are installed: Debian's, and one that was built with Go. */
export function natsServers(): { readonly path: string; readonly version: string }[] {
	const candidates = [
		process.env['MANYWORLDS_NATS_SERVER'],
		'/opt/manyworlds-nats/nats-server',
		'/usr/sbin/nats-server',
		'/usr/local/bin/nats-server',
		'/usr/bin/nats-server',
	];
	const found = new Map<string, string>();
	for (const path of candidates) {
		if (path === undefined || !existsSync(path)) continue;
		const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
		const version = /v(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1];
		if (version !== undefined && ![...found.values()].includes(version)) found.set(path, version);
	}
	return [...found].map(([path, version]) => ({ path, version }));
}

/** A nats-server with a configuration that `manyworlds sweep --print-nats-config` printed. */
export class NatsServer {
	readonly port: number;
	readonly #path: string;
	readonly #folder: string;
	#child: ChildProcess | undefined;
	#log = '';

	static async create(
		server: { readonly path: string; readonly version: string },
		folder: string,
	): Promise<NatsServer> {
		const port = await freePort();
		const printed = await run(['sweep', '--print-nats-config']);
		if (printed.code !== 0) throw new Error(`--print-nats-config: ${printed.stderr}`);
		mkdirSync(folder, { recursive: true });
		const text = printed.stdout
			.replace(/^port: .*$/m, `port: ${port}`)
			.replace(/^http_port: .*\n/m, '')
			.replace('./nats-data', join(folder, 'data'))
			// the printed file says so itself
			.replace(server.version.startsWith('2.9.') ? /^\s*sync_interval: .*\n/m : /$^/, '');
		writeFileSync(join(folder, 'nats.conf'), text);
		const nats = new NatsServer(server.path, folder, port);
		await nats.start();
		return nats;
	}

	private constructor(path: string, folder: string, port: number) {
		this.#path = path;
		this.#folder = folder;
		this.port = port;
	}

	async start(): Promise<void> {
		const child = spawn(this.#path, ['-c', join(this.#folder, 'nats.conf')], {
			env: { ...process.env, ...CREDENTIALS },
			stdio: ['ignore', 'ignore', 'pipe'],
		});
		this.#child = child;
		await new Promise<void>((done, fail) => {
			child.stderr?.on('data', (data: Buffer) => {
				this.#log += data.toString();
				if (this.#log.includes('Server is ready')) done();
			});
			child.once('exit', () => fail(new Error(`nats-server ended: ${this.#log.slice(-500)}`)));
		});
		this.#log = '';
	}

	/** Ends it as a loss of power would, except for the disk. */
	async kill(): Promise<void> {
		const child = this.#child;
		this.#child = undefined;
		if (child === undefined || child.exitCode !== null) return;
		const ended = new Promise((done) => child.once('exit', done));
		child.kill('SIGKILL');
		await ended;
	}

	url(name: string): string {
		return `nats://127.0.0.1:${this.port}/${name}`;
	}
}

export function freePort(): Promise<number> {
	return new Promise((done) => {
		const server = createServer();
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
		});
	});
}

/** Starts a worker of a queue; workers four apart share a cache. */
export function startWorker(
	url: string,
	folder: string,
	index: number,
	lease: string,
	more: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Running {
	const cache = join(folder, `cache-${index % 4}`);
	return start(
		['worker', '--queue', url, '--threads', '1', '--lease', lease, '--cache', cache, ...(more.args ?? [])],
		more.env ?? CREDENTIALS,
	);
}

export function pause(delay: number): Promise<undefined> {
	return new Promise((done) => setTimeout(() => done(undefined), delay));
}

export async function until(isTrue: () => boolean | Promise<boolean>, seconds: number, interval = 50): Promise<void> {
	const end = performance.now() + 1000 * seconds;
	while (!(await isTrue())) {
		if (performance.now() > end) throw new Error(`nothing happened for ${seconds} s`);
		await pause(interval);
	}
}
