import { Report } from '@manyworlds/core';
import { inspectFile } from '@manyworlds/usd';
import {
	formatInspection,
	INSPECTION_TEXT_DEFAULTS,
	type Json,
	jsonPieces,
	splitPackageRelativePathOuter,
} from '@manyworlds/usd/internal';
import type { CommandContext } from '../command-context.ts';
import { readInput } from '../files.ts';
import { wantsColour } from '../io.ts';

/** Options of `manyworlds inspect`. */
export interface InspectCommandOptions {
	readonly json?: boolean;
	readonly depth?: number;
	readonly values?: boolean;
}

/** `manyworlds inspect FILE`: prints what a USD file holds. */
export function inspect(context: CommandContext, file: string, options: InspectCommandOptions): void {
	const [path, member] = splitPackageRelativePathOuter(file);
	const bytes = readInput(context, path);
	if (bytes === undefined) return;
	const { io } = context;
	const report = new Report();
	const inspection = inspectFile(bytes, {
		file: member === '' ? context.display(file) : file,
		report,
		values: options.values ?? false,
		...(options.depth !== undefined && { depth: options.depth }),
		...(options.json !== true && { maxLines: INSPECTION_TEXT_DEFAULTS.maxLines }),
	});
	(inspection.layer === undefined ? context.report : context.findings).addAll(report);
	if (options.json === true) {
		context.printPieces(jsonPieces(inspection as unknown as Json));
		context.print('\n');
	} else if (inspection.layer !== undefined) {
		context.print(formatInspection(inspection, { colour: wantsColour(io, io.stdout) }));
	}
}
