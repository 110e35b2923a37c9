import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Expectations } from './src/expectations.ts';
import { InputFinder } from './src/input-finder.ts';
import { hasFailures, runSuite, type SuiteResult } from './src/runner.ts';
import { formatTable } from './src/table.ts';
import { SUITES } from './suites/index.ts';

const USAGE = `usage: npm run conformance -- [SUITE] [--dir DIR] [--assets DIR] [--json] [--filter TEXT]
       [--engine wasm|reference]
suites: ${SUITES.map((suite) => suite.name).join(', ')}
`;

/** What `--engine` may ask SolverSap for. */
const ENGINES = ['wasm', 'reference'] as const;

/** Exit codes: 0 as expected, 1 an unexpected result, 2 unusable arguments. */
async function main(): Promise<number> {
	let parsed: ReturnType<typeof parse>;
	try {
		parsed = parse();
	} catch (error) {
		return usageError(error instanceof Error ? error.message : String(error));
	}
	const { values, positionals } = parsed;
	if (values.help) {
		process.stdout.write(USAGE);
		return 0;
	}
	const chosen = positionals.length === 0 ? SUITES : SUITES.filter((suite) => positionals.includes(suite.name));
	const unknown = positionals.find((name) => !SUITES.some((suite) => suite.name === name));
	if (unknown !== undefined) return usageError(`no suite '${unknown}'`);
	if (values.dir !== undefined && chosen.length !== 1) return usageError('--dir needs exactly one suite');
	const engine = ENGINES.find((name) => name === values.engine);
	if (values.engine !== undefined && engine === undefined)
		return usageError(`--engine is '${values.engine}', expected ${ENGINES.join(' or ')}`);
	for (const dir of [values.dir, values.assets]) {
		if (dir !== undefined && !isFolder(dir)) return usageError(`'${dir}' is not a folder`);
	}

	const shared = resolve(dirname(fileURLToPath(import.meta.url)), '../../shared');
	const log = (line: string): void => void process.stderr.write(`${line}\n`);
	const results: SuiteResult[] = [];
	for (const suite of chosen) {
		const dir = resolve(values.dir ?? resolve(shared, suite.defaultDir));
		if (!existsSync(dir)) {
			log(`${suite.name}: skipped, there is no folder ${dir}`);
			results.push({ suite: suite.name, groups: [] });
			continue;
		}
		const assetsDir = resolve(values.assets ?? resolve(shared, 'assets'));
		const context = { dir, assetsDir, inputs: new InputFinder(assetsDir), engine, log };
		const result = await runSuite(suite, context, Expectations.load(suite.name), { filter: values.filter });
		results.push(result);
		if (!values.json) process.stdout.write(`${formatTable(result)}\n`);
	}
	if (values.json) {
		const output = positionals.length === 1 && results.length === 1 ? results[0] : { suites: results };
		process.stdout.write(`${JSON.stringify(output)}\n`);
	}
	const groups = results.flatMap((result) => result.groups);
	if (groups.length > 0 && groups.every((group) => group.total === 0)) return usageError('no case found');
	return results.some(hasFailures) ? 1 : 0;
}

function parse() {
	return parseArgs({
		allowPositionals: true,
		options: {
			dir: { type: 'string' },
			assets: { type: 'string' },
			filter: { type: 'string' },
			engine: { type: 'string' },
			json: { type: 'boolean', default: false },
			help: { type: 'boolean', short: 'h', default: false },
		},
	});
}

function isFolder(path: string): boolean {
	return existsSync(path) && statSync(path).isDirectory();
}

function usageError(message: string): number {
	process.stderr.write(`conformance: ${message}\n${USAGE}`);
	return 2;
}

process.exitCode = await main();
