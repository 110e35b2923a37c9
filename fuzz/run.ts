import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { FuzzGroup, FuzzOptions } from './fuzz-case.ts';
import { allGroups } from './groups/all-groups.ts';
import type { Failure } from './messages.ts';
import { type GroupResult, Supervisor } from './supervisor.ts';

const USAGE = `npm run fuzz -- [--quick] [--only NAME] [--seed N] [--case K] [--list] [--json]

Reads damaged, random and hostile layers and packages. Every case must end with diagnostics, in 2 s of processor time and 512 MB, without an
exception, with an error when the damage can be seen. Failing inputs are saved to fuzz/corpus.
  --quick       about a hundredth of the cases
  --only NAME   groups whose name has NAME
  --seed N      another sequence of random cases (1)
  --case K      one case of the groups chosen, to repeat a failure
  --list        names of the groups and their numbers of cases`;

const CORPUS = fileURLToPath(new URL('corpus/', import.meta.url));
const MOST_SAVED = 5;

const { values } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		only: { type: 'string', default: '' },
		seed: { type: 'string', default: '1' },
		case: { type: 'string' },
		list: { type: 'boolean', default: false },
		json: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) console.log(USAGE);
else await main({ seed: Number(values.seed), quick: values.quick });

async function main(options: FuzzOptions): Promise<void> {
	const groups = allGroups(options).filter((group) => group.name.includes(values.only) && group.count > 0);
	if (groups.length === 0) {
		console.error(`no group has '${values.only}' in its name\n\n${USAGE}`);
		process.exitCode = 2;
		return;
	}
	if (values.list) {
		for (const group of groups) console.log(`${group.name}  ${group.count}`);
		return;
	}
	const say = values.json ? console.error : console.log;
	say(row('group', 'cases', 'reported', 'CPU ms', 'retried', 'peak MB', 'failures'));
	const results: (GroupResult & { readonly name: string })[] = [];
	const supervisor = new Supervisor(options);
	for (const group of groups) {
		const only = values.case === undefined ? undefined : Number(values.case);
		if (only !== undefined && only >= group.count) continue;
		const result = await supervisor.run(group.name, only ?? 0, only === undefined ? group.count : only + 1);
		results.push({ name: group.name, ...result });
		say(resultRow(group.name, result));
		report(group, result.failures, options, say);
	}
	await supervisor.close();
	const total = totals(results);
	say(resultRow(`all (seed ${options.seed})`, total));
	if (values.json)
		console.log(JSON.stringify({ version: 1, seed: options.seed, quick: options.quick, total, groups: results }));
	if (total.failures.length > 0) process.exitCode = 1;
}

function totals(results: readonly GroupResult[]): GroupResult {
	return {
		cases: results.reduce((sum, { cases }) => sum + cases, 0),
		errors: results.reduce((sum, { errors }) => sum + errors, 0),
		slowestMs: Math.max(0, ...results.map(({ slowestMs }) => slowestMs)),
		slowestIndex: 0,
		retried: results.reduce((sum, { retried }) => sum + retried, 0),
		peakMB: Math.max(0, ...results.map(({ peakMB }) => peakMB)),
		failures: results.flatMap(({ failures }) => failures),
	};
}

function report(
	group: FuzzGroup,
	failures: readonly Failure[],
	options: FuzzOptions,
	say: (line: string) => void,
): void {
	for (const { index, reason } of failures.slice(0, MOST_SAVED)) {
		const input = group.make(index);
		mkdirSync(CORPUS, { recursive: true });
		const file = `${group.name.replace(/[^\w.-]/g, '_')}-${options.seed}-${index}.${input.format}`;
		writeFileSync(new URL(file, `file://${CORPUS}`), input.bytes);
		const again = `--only ${group.name} --seed ${options.seed}${options.quick ? ' --quick' : ''} --case ${index}`;
		say(`    ${reason.split('\n').slice(0, 6).join('\n      ')}\n      again with: npm run fuzz -- ${again}`);
	}
	if (failures.length > MOST_SAVED) say(`    and ${failures.length - MOST_SAVED} more`);
}

function resultRow(name: string, result: GroupResult): string {
	const { cases, errors, slowestMs, retried, peakMB, failures } = result;
	return row(
		name,
		String(cases),
		String(errors),
		slowestMs.toFixed(1),
		String(retried),
		peakMB.toFixed(1),
		String(failures.length),
	);
}

function row(name: string, ...cells: readonly string[]): string {
	return `${name.padEnd(56)}${cells.map((cell) => cell.padStart(11)).join('')}`;
}
