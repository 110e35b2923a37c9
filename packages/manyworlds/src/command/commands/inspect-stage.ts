import { inspectStage } from '@manyworlds/usd';
import {
	formatStageInspection,
	INSPECTION_TEXT_DEFAULTS,
	type Json,
	jsonPieces,
	SourcePlaces,
} from '@manyworlds/usd/internal';
import type { CommandContext } from '../command-context.ts';
import { wantsColour } from '../io.ts';
import { openStage, type StageCommandOptions } from '../open-stage.ts';

/** Options of `manyworlds inspect --stage`. */
export interface InspectStageCommandOptions extends StageCommandOptions {
	readonly json?: boolean;
	readonly depth?: number;
	readonly values?: boolean;
	readonly time?: number;
}

/** `manyworlds inspect FILE --stage`: prints what a file composes to. */
export function inspectComposed(context: CommandContext, file: string, options: InspectStageCommandOptions): void {
	const opened = openStage(context, file, options);
	if (opened === undefined) return;
	const { findings, io } = context;
	const inspection = inspectStage(opened.stage, {
		file: opened.file,
		places: new SourcePlaces(opened.store),
		report: findings,
		values: options.values ?? false,
		...(options.depth !== undefined && { depth: options.depth }),
		...(options.time !== undefined && { time: options.time }),
		// each prim takes a line at least
		...(options.json !== true && { maxPrims: INSPECTION_TEXT_DEFAULTS.maxLines }),
	});
	if (options.json === true) {
		context.printPieces(jsonPieces(inspection as unknown as Json));
		context.print('\n');
	} else {
		context.print(formatStageInspection(inspection, { colour: wantsColour(io, io.stdout) }));
	}
}
