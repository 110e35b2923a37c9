import { explainModelValue, formatModelExplanation } from '@manyworlds/import';
import { createImportDiagnostic } from '@manyworlds/import/internal';
import { type Json, jsonPieces } from '@manyworlds/usd/internal';
import type { CommandContext } from '../command-context.ts';
import { openRobot, type RobotCommandOptions } from '../open-robot.ts';

/** Options of `manyworlds explain` for a value of a model. */
export interface ExplainModelCommandOptions extends RobotCommandOptions {
	readonly json?: boolean;
}

/** `manyworlds explain FILE array[index]`: tells which attribute, resolver or default gave a value of the model. */
export function explainModel(
	context: CommandContext,
	file: string,
	query: string,
	options: ExplainModelCommandOptions,
): void {
	const robot = openRobot(context, file, options);
	if (robot === undefined) return;
	const found = explainModelValue(robot.model, robot.ledger, query);
	if ('problem' in found) {
		context.report.add(createImportDiagnostic('IMP102', found.problem, { file: robot.file }));
		return;
	}
	const sources = found.sources.map((source) =>
		source.file === undefined ? source : { ...source, file: context.display(source.file) },
	);
	const explanation = { ...found, sources };
	if (options.json === true) {
		context.printPieces(jsonPieces(explanation as unknown as Json));
		context.print('\n');
	} else context.print(formatModelExplanation(explanation));
}
