import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getHeapCodeStatistics } from 'node:v8';
import { Script } from 'node:vm';

/** Options of {@link loadCompiled}. */
export interface LoadCompiledOptions {
	/** Where compiled code is kept; left out, a folder of the user. */
	readonly folder?: string;
	/** Bytes that a run must have compiled beyond what was kept for it to be worth keeping: help and mistakes of use take less. */
	readonly leastBytes?: number;
}

/** Values of {@link LoadCompiledOptions} that are used when absent. */
export const LOAD_COMPILED_DEFAULTS: { readonly leastBytes: number } = { leastBytes: 100_000 };

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
 * Node. The bundle has `load` for `import`, which compiled code that was kept cannot do.
 */
export function loadCompiled(bundle: URL, options: LoadCompiledOptions = {}): Main {
	const { folder = userFolder(), leastBytes } = { ...LOAD_COMPILED_DEFAULTS, ...options };
	const file = fileURLToPath(bundle);
	const require = createRequire(file);
	const isKept = process.env['NODE_DISABLE_COMPILE_CACHE'] === undefined;
	const cache = join(folder, `${basename(file, '.cjs')}-${process.version}-${process.arch}.bin`);
	const cachedData = isKept ? readCache(cache) : undefined;
	// plain ASCII, which is read as it is
	const script = new Script(readFileSync(file, 'latin1'), {
		filename: file,
		...(cachedData !== undefined && { cachedData }),
	});
	const module = { exports: {} as { main: Main } };
	(script.runInThisContext() as Wrapped)(module, require, file, (name) => import(name));
	const { main } = module.exports;
	if (!isKept) return main;
	// V8 does not take code of another version of itself, or made with other flags
	const isTaken = cachedData !== undefined && script.cachedDataRejected === false;
	const before = isTaken ? compiledBytes() : 0;
	return async (args) => {
		const status = await main(args);
		if (compiledBytes() - before >= leastBytes) writeCache(cache, script.createCachedData());
		return status;
	};
}

function compiledBytes(): number {
	return getHeapCodeStatistics().bytecode_and_metadata_size;
}

function userFolder(): string {
	return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'manyworlds');
}

function readCache(path: string): Buffer | undefined {
	try {
		return readFileSync(path);
	} catch {
		return undefined;
	}
}

/** Keeps compiled code in place of that of other builds. A folder that cannot be written to is no failure of the command. */
function writeCache(path: string, data: Uint8Array): void {
	const folder = dirname(path);
	const temporary = `${path}.${process.pid}`;
	const kind = basename(path).split('-', 2).join('-');
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
	} catch {
		return;
	}
	try {
		writeFileSync(temporary, data, { mode: 0o600 });
		for (const name of readdirSync(folder)) {
			if (name.startsWith(`${kind}-`) && name.endsWith('.bin')) rmSync(join(folder, name), { force: true });
		}
		renameSync(temporary, path);
	} catch {
		rmSync(temporary, { force: true });
	}
}
