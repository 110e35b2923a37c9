import { type Explanation, explainPath, type NothingToExplain, Stage } from '@manyworlds/usd';
import { explanationMask, formatExplanation, type Json, jsonPieces, SourcePlaces } from '@manyworlds/usd/internal';
import { createDiagnostic } from '../../diagnostics.ts';
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
	const opened = openStage(context, file, options, explanationMask(path));
	if (opened === undefined) return;
	const { report, io } = context;
	const { stage, store } = opened;
	const explainIn = (part: Stage): Explanation | NothingToExplain =>
		explainPath(part, path, {
			file: opened.file,
			places: new SourcePlaces(store),
			report: context.findings,
			...(options.metadata !== undefined && { metadata: options.metadata }),
			...(options.time !== undefined && { time: options.time }),
		});
	let explanation = explainIn(stage);
	// names beside the path and of prototypes need the whole stage
	if ('problem' in explanation || isInstance(explanation)) {
		const load = options.payloads === false ? 'none' : 'all';
		explanation = explainIn(Stage.open(stage.rootLayer, { store, load }));
	}
	if ('problem' in explanation) {
		report.add(createDiagnostic('CLI013', explanation.problem, { file: opened.file }));
	} else if (options.json === true) {
		context.printPieces(jsonPieces(explanation as unknown as Json));
		context.print('\n');
	} else {
		context.print(formatExplanation(explanation, { colour: wantsColour(io, io.stdout) }));
	}
}

function isInstance({ subject, metadata, value }: Explanation): boolean {
	return (
		subject === 'prim' && metadata === undefined && typeof value === 'object' && value !== null && 'prototype' in value
	);
}
