import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** Options of {@link loadCompiled}. */
export interface LoadCompiledOptions {
	/** Where compiled code is kept; left out, a folder of the user. */
	readonly folder?: string;
	/** Time [ms] that a command must run for what it compiled to be worth keeping: help and mistakes of use take less. */
	readonly leastTime?: number;
}

/** Values of {@link LoadCompiledOptions} that are used when absent. */
export const LOAD_COMPILED_DEFAULTS: { readonly leastTime: number } = { leastTime: 100 };

type Main = (args: readonly string[]) => Promise<number>;
type Wrapped = (
	module: object,
	require: NodeJS.Require,
	file: string,
	load: (name: string) => Promise<unknown>,
) => void;

/**
 * `main` of a command that is bundled as one file in plain ASCII, whose name has a hash of its content in it: a function of
 * `module`, `require`, `__filename` and `load`. Compiling takes a third of a short run, so the compiled code is kept in the
 * user's cache folder after the first run, where only the user can write. NODE_DISABLE_COMPILE_CACHE stops that, as it does in
 * Node. Runs that end with another status went through other code, so it is kept again after the first of each, and the names
 * of its file end with the statuses. The bundle has `load` for `import`, which compiled code that was kept cannot do.
 */
export function loadCompiled(bundle: URL, options: LoadCompiledOptions = {}): Main {
	const { folder = userFolder(), leastTime } = { ...LOAD_COMPILED_DEFAULTS, ...options };
	const file = fileURLToPath(bundle);
	const require = createRequire(file);
	const isKept = process.env['NODE_DISABLE_COMPILE_CACHE'] === undefined;
	const name = `${basename(file, '.cjs')}-${process.version}-${process.arch}`;
	const kept = isKept ? findCache(folder, name) : undefined;
	// plain ASCII, which is read as it is
	const script = new Script(readFileSync(file, 'latin1'), { filename: file, ...kept });
	const module = { exports: {} as { main: Main } };
	(script.runInThisContext() as Wrapped)(module, require, file, (other) => import(other));
	const { main } = module.exports;
	if (!isKept) return main;
	// V8 does not take code of another version of itself, or made with other flags
	const statuses = script.cachedDataRejected === false ? kept!.statuses : '';
	return async (args) => {
		// not `performance`, which Node loads when it is first used
		const start = process.hrtime.bigint();
		let isOver = false;
		const keep = (status: number): void => {
			if (isOver) return;
			isOver = true;
			if (statuses.includes(`${status}`) || Number(process.hrtime.bigint() - start) < 1e6 * leastTime) return;
			const all = [...statuses, status].sort().join('');
			writeCache(folder, `${name}-${all}.bin`, script.createCachedData());
		};
		// servers end the process themselves
		process.once('exit', keep);
		const status = await main(args);
		keep(status);
		return status;
	};
}

function userFolder(): string {
	return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'manyworlds');
}

/** Compiled code, and the statuses of the runs that made it. */
interface KeptCode {
	readonly cachedData: Buffer;
	readonly statuses: string;
}

function findCache(folder: string, name: string): KeptCode | undefined {
	try {
		const found = readdirSync(folder).find((file) => file.startsWith(`${name}-`) && file.endsWith('.bin'));
		if (found === undefined) return undefined;
		return { cachedData: readFileSync(join(folder, found)), statuses: found.slice(name.length + 1, -'.bin'.length) };
	} catch {
		return undefined;
	}
}

/** Keeps compiled code in place of that of other builds. A folder that cannot be written to is no failure of the command. */
function writeCache(folder: string, name: string, data: Uint8Array): void {
	const path = join(folder, name);
	const temporary = `${path}.${process.pid}`;
	const kind = name.split('-', 2).join('-');
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
	} catch {
		return;
	}
	try {
		writeFileSync(temporary, data, { mode: 0o600 });
		for (const other of readdirSync(folder)) {
			if (other.startsWith(`${kind}-`) && other.endsWith('.bin')) rmSync(join(folder, other), { force: true });
		}
		renameSync(temporary, path);
	} catch {
		rmSync(temporary, { force: true });
	}
}
