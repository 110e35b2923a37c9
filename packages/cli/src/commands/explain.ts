import { createDiagnostic } from '@manyworlds/core';
import { explainPath, formatExplanation, type Json, jsonPieces, SourcePlaces } from '@manyworlds/usd';
import type { CommandContext } from '../command-context.ts';
import { wantsColour } from '../io.ts';
import { openStage, type StageCommandOptions } from '../open-stage.ts';

/** Options of `manyworlds explain`. */
export interface ExplainCommandOptions extends StageCommandOptions {
	readonly metadata?: string;
	readonly time?: number;
	readonly json?: boolean;
}

/** `manyworlds explain FILE PATH`: tells where a composed value comes from. */
export function explain(context: CommandContext, file: string, path: string, options: ExplainCommandOptions): void {
	const opened = openStage(context, file, options);
	if (opened === undefined) return;
	const { report, io } = context;
	const explanation = explainPath(opened.stage, path, {
		file: opened.file,
		places: new SourcePlaces(opened.source),
		report,
		...(options.metadata !== undefined && { metadata: options.metadata }),
		...(options.time !== undefined && { time: options.time }),
	});
	if ('problem' in explanation) {
		report.add(createDiagnostic('CLI013', explanation.problem, { file: opened.file }));
	} else if (options.json === true) {
		context.printPieces(jsonPieces(explanation as unknown as Json));
		context.print('\n');
	} else {
		context.print(formatExplanation(explanation, { colour: wantsColour(io, io.stdout) }));
	}
}
