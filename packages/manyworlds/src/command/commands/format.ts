import { Report } from '@manyworlds/core';
import { formatUsda } from '@manyworlds/usd';
import { detectFormat } from '@manyworlds/usd/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import { expandInputs } from '../expand-inputs.ts';
import { readInput, writeOutput } from '../files.ts';

/** Options of `manyworlds format`. */
export interface FormatCommandOptions {
	readonly check?: boolean;
	readonly stdout?: boolean;
	readonly force?: boolean;
}

/** `manyworlds format FILE...`: rewrites text layers in canonical form. */
export function format(context: CommandContext, inputs: readonly string[], options: FormatCommandOptions): void {
	let changed = 0;
	const files = expandInputs(context, inputs, /\.usda$/i);
	for (const file of files) if (formatOne(context, file, options)) changed++;
	if (options.stdout === true || files.length === 0) return;
	const verb = options.check === true ? 'would change' : 'changed';
	context.note(`${files.length} ${files.length === 1 ? 'file' : 'files'}, ${changed} ${verb}`);
}

/** Formats one file and tells whether it changed, or would. */
function formatOne(context: CommandContext, file: string, options: FormatCommandOptions): boolean {
	const bytes = readInput(context, file);
	if (bytes === undefined) return false;
	const found = detectFormat(bytes);
	if (found === 'usdc' || found === 'usdz') {
		context.report.add(createDiagnostic('CLI010', `the file holds ${found}, expected usda text`, { file }));
		return false;
	}
	const report = new Report();
	const formatted = formatUsda(bytes, { file, report, commentSeverity: severityOfComments(options) });
	context.report.addAll(report);
	if (formatted === undefined) return false;
	if (options.stdout === true) {
		context.print(formatted.bytes);
		return formatted.isChanged;
	}
	if (!formatted.isChanged || (formatted.hasComments && options.force !== true)) return false;
	if (options.check !== true) return writeOutput(context, file, formatted.bytes);
	context.report.add(createDiagnostic('CLI007', 'the file is not in canonical form', { file }));
	return true;
}

/** Comments stop a rewrite, so they are a finding there; a check passes such files over and only mentions it. */
function severityOfComments(options: FormatCommandOptions): 'warning' | 'info' {
	return options.check === true || options.force === true || options.stdout === true ? 'info' : 'warning';
}
