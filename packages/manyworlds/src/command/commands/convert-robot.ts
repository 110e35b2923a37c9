import { basename, dirname, join } from 'node:path';
import { type ConvertedRobot, convertRobot, type LedgerItem, type TargetFormat } from '@manyworlds/convert';
import { Report } from '@manyworlds/core';
import { formatBytes } from '@manyworlds/usd/internal';
import type { CommandContext } from '../command-context.ts';
import { writeOutput } from '../files.ts';
import { openRobotStore } from '../open-robot-store.ts';
import type { StageCommandOptions } from '../open-stage.ts';

/** Options of `manyworlds convert` for robots. */
export interface ConvertRobotCommandOptions extends Pick<StageCommandOptions, 'package' | 'root'> {
	readonly strict?: boolean;
	readonly report?: 'text' | 'json';
	readonly base?: 'fixed' | 'floating';
	readonly meshPackage?: string;
	readonly splitJoints?: boolean;
}

/** Writes a robot in another format, with its meshes and images beside it. Nothing is written without a robot. */
export function convertToRobot(
	context: CommandContext,
	input: string,
	output: string,
	to: TargetFormat,
	options: ConvertRobotCommandOptions,
): void {
	const opened = openRobotStore(context, input, options);
	if (opened === undefined) return;
	const { store, identifier, name } = opened;
	context.progress.step(`converting ${name}`);
	const report = new Report();
	const { base, meshPackage, splitJoints } = options;
	const converted = convertRobot(identifier, {
		store,
		to,
		report,
		mainFile: basename(output),
		isStrict: options.strict ?? false,
		...(base === undefined ? {} : { base }),
		...(meshPackage === undefined ? {} : { package: meshPackage }),
		...(splitJoints === undefined ? {} : { splitJoints }),
	});
	const target = converted === undefined ? context.report : context.findings;
	for (const one of report.toArray()) {
		target.add(one.file === undefined ? one : { ...one, file: context.display(one.file) });
	}
	if (converted === undefined) return;
	let size = 0;
	const folder = dirname(output);
	// the main file last: what it names is there when it is
	for (const { path, content } of converted.files.toReversed()) {
		const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
		size += bytes.length;
		if (!writeOutput(context, join(folder, path), bytes)) return;
	}
	const files = converted.files.length === 1 ? '' : `, ${converted.files.length} files`;
	context.note(`wrote ${context.display(output)} (${to}, ${formatBytes(size)}${files})`);
	context.note(summaryOf(converted));
	if (options.report === 'json') context.print(`${JSON.stringify({ version: 1, items: converted.ledger }, null, 2)}\n`);
	if (options.report === 'text') context.print(ledgerText(converted.ledger));
}

/** What the robot is, and how much of it is in the target. */
function summaryOf({ model, ledger }: ConvertedRobot): string {
	const mass = model.bodies.reduce((sum, { inertia }) => sum + (inertia?.mass ?? 0), 0);
	const moving = model.joints.filter(({ kind }) => kind !== 'fixed').length;
	const count = (outcome: LedgerItem['outcome']): number => ledger.filter((item) => item.outcome === outcome).length;
	const robot = `${model.bodies.length} links, ${model.joints.length} joints (${moving} move), ${mass.toPrecision(4)} kg`;
	return `${robot}; ${count('exported')} parts exported, ${count('approximated')} approximated, ${count('dropped')} lost`;
}

/** One line for each part. */
function ledgerText(ledger: readonly LedgerItem[]): string {
	const lines = ledger.map(({ kind, name, outcome, losses }) => {
		const reasons = losses.map(({ code, message }) => ` [${code}] ${message}`).join(';');
		return `${outcome.padEnd(12)} ${kind.padEnd(8)} ${name}${reasons}`;
	});
	return `${lines.join('\n')}\n`;
}
