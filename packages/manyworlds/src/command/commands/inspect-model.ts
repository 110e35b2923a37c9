import { formatModel, inspectModel } from '@manyworlds/import';
import { type Json, jsonPieces } from '@manyworlds/usd/internal';
import type { CommandContext } from '../command-context.ts';
import { openRobot, type RobotCommandOptions } from '../open-robot.ts';

/** Options of `manyworlds inspect --model`. */
export interface InspectModelCommandOptions extends RobotCommandOptions {
	readonly json?: boolean;
}

/** `manyworlds inspect FILE --model`: prints the model that a robot imports to, and what became of its attributes. */
export function inspectRobot(context: CommandContext, file: string, options: InspectModelCommandOptions): void {
	const robot = openRobot(context, file, options);
	if (robot === undefined) return;
	const inspection = inspectModel(robot.model, robot.ledger, robot);
	if (options.json !== true) {
		context.print(formatModel(inspection));
		return;
	}
	const { file: name, format, version, ...rest } = inspection;
	const ignored = rest.ledger.ignored.map((entry) => ({
		...entry,
		...(entry.file === undefined ? {} : { file: context.display(entry.file) }),
	}));
	const output = { version, file: name, format, ...rest, ledger: { ...rest.ledger, ignored } };
	context.printPieces(jsonPieces(output as unknown as Json));
	context.print('\n');
}
