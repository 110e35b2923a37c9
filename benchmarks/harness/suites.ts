import { readdirSync } from 'node:fs';
import type { BenchSuite } from './task.ts';

const TASKS = new URL('../tasks/', import.meta.url);

/** Names of all suites: `tasks/usd-layers.bench.ts` holds `usd/layers`. */
export function suiteNames(): string[] {
	return readdirSync(TASKS)
		.filter((file) => file.endsWith('.bench.ts'))
		.map((file) => file.slice(0, -'.bench.ts'.length).replace('-', '/'))
		.sort();
}

/** The suite with this name. */
export async function loadSuite(name: string): Promise<BenchSuite> {
	const module: { readonly suite: BenchSuite } = await import(
		new URL(`${name.replace('/', '-')}.bench.ts`, TASKS).href
	);
	return module.suite;
}
