import { quote } from '@manyworlds/core';
import { toSlashes } from '@manyworlds/node/internal';
import { flattenFile } from '@manyworlds/usd';
import { diagnoseComposition, formatBytes, SourcePlaces } from '@manyworlds/usd/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import { writeOutput } from '../files.ts';
import { openStage, type StageCommandOptions } from '../open-stage.ts';

/** Options of `manyworlds flatten`. */
export interface FlattenCommandOptions extends StageCommandOptions {
	readonly output?: string;
	readonly layerStack?: boolean;
	readonly absolutePaths?: boolean;
	readonly usdcVersion?: string;
}

const FORMATS: Readonly<Record<string, 'usda' | 'usdc'>> = { usda: 'usda', usdc: 'usdc', usd: 'usdc' };

/** `manyworlds flatten FILE`: writes what a stage composes to as one layer. */
export function flatten(context: CommandContext, file: string, options: FlattenCommandOptions): void {
	const { report } = context;
	const { output } = options;
	const format = output === undefined ? 'usda' : FORMATS[/\.([A-Za-z]+)$/.exec(output)?.[1]?.toLowerCase() ?? ''];
	if (format === undefined) {
		const message = `unknown extension of ${quote(output!)}, expected .usda, .usdc or .usd`;
		report.add(createDiagnostic('CLI005', message, { file: context.display(output!) }));
		return;
	}
	const opened = openStage(context, file, options);
	if (opened === undefined) return;
	const { stage } = opened;
	const places = new SourcePlaces(opened.store);
	for (const error of stage.errors()) context.findings.add(diagnoseComposition(error, places));
	if (context.findings.hasErrors) {
		const name = output === undefined ? 'nothing' : quote(context.display(output));
		const message = `${name} was ${output === undefined ? '' : 'not '}written, because the input has errors`;
		context.findings.add(createDiagnostic('CLI011', message, { file: opened.file }));
		return;
	}
	context.progress.step(`flattening ${opened.file}`);
	const bytes = flattenFile(stage, {
		format,
		report: context.findings,
		places,
		// stdout is taken to be in the working directory
		output: toSlashes(context.absolute(output ?? 'flattened.usda')),
		layerStack: options.layerStack ?? false,
		absolutePaths: options.absolutePaths ?? false,
		...(options.usdcVersion !== undefined && { usdcVersion: options.usdcVersion }),
	});
	if (output === undefined) context.print(bytes);
	else if (writeOutput(context, output, bytes)) {
		context.note(`wrote ${context.display(output)} (${format}, ${formatBytes(bytes.length)})`);
	}
}
