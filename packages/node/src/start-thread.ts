import type { Worker, WorkerOptions } from 'node:worker_threads';

/** The module of a name beside the caller's: compiled code beside compiled code, source beside source. */
export function moduleBeside(caller: string, name: string): URL {
	return new URL(`./${name}${caller.endsWith('.ts') ? '.ts' : '.js'}`, caller);
}

/** Starts a thread with a module. Threads do not inherit the loader that runs source, so they get it here. */
export function startThread(module: URL, options: WorkerOptions = {}): Worker {
	// loaded when it is needed, which for most commands is never
	const { Worker } = process.getBuiltinModule('node:worker_threads');
	if (!module.pathname.endsWith('.ts')) return new Worker(module, options);
	const loader = import.meta.resolve('tsx/esm/api');
	const program = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(module.href)}); });`;
	return new Worker(program, { ...options, eval: true, execArgv: ['--conditions=@manyworlds/source'] });
}
