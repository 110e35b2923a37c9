import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import type { ModelOptions } from '../command-options.ts';
import { parseDepth, parseResolvers, parseTime, withStage } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { InspectCommandOptions } from './inspect.ts';
import type { InspectStageCommandOptions } from './inspect-stage.ts';

/** Declares `manyworlds inspect`; what it does is loaded when it runs. */
export function declareInspect(commands: CommandSet): void {
	withStage(commands.add('inspect', 'list what a USD file holds, composes to, or what a robot imports to'))
		.argument('<file>', 'usda, usdc, usd or usdz file, or package.usdz[member]; URDF or MJCF file')
		.option('--json', 'print JSON (docs/guide/inspect.md says its shape)')
		.option('--depth <levels>', 'levels of prims to list', parseDepth)
		.option('--values', 'list properties with their values')
		.option('--stage', 'compose the file with all it refers to and list the result')
		.option('--time <code>', 'time code of the values that --stage lists', parseTime)
		.option(
			'--model',
			'import the robot and list the model: bodies, joints, drives, shapes, ledger; URDF and MJCF are always listed so',
		)
		.option(
			'--resolvers <names>',
			'with --model: schema resolvers of USD in order of priority, such as physx,newton,mjc',
			parseResolvers,
		)
		.option('--strict', 'with --model: attributes that have no effect are errors')
		.option('--newton-compat', 'with --model: as Newton 1.6.1 imports it, where that differs')
		.action(async (file: string, options: InspectCommandOptions & InspectStageCommandOptions & ModelOptions) => {
			// of robots that are no USD there is nothing else to list
			if (options.model === true || (options.stage !== true && /\.(?:urdf|xml|mjcf|sdf|world)$/i.test(file))) {
				const { inspectRobot } = await import('./inspect-model.ts');
				inspectRobot(commands.context, file, options);
			} else if (options.stage === true) {
				const { inspectComposed } = await import('./inspect-stage.ts');
				inspectComposed(commands.context, file, options);
			} else await inspectLayer(commands.context, file, options);
		});
}

/** Inspects a file by itself, for which options about composition mean nothing. */
async function inspectLayer(
	context: CommandContext,
	file: string,
	options: InspectCommandOptions & InspectStageCommandOptions & ModelOptions,
): Promise<void> {
	const { root, package: packages, time, payloads, resolvers, strict, newtonCompat } = options;
	if (resolvers !== undefined || strict === true || newtonCompat === true) {
		const message =
			'--resolvers, --strict and --newton-compat are about the model that a robot imports to: add --model';
		context.report.add(createDiagnostic('CLI006', message));
		return;
	}
	if (root === undefined && packages === undefined && time === undefined && payloads !== false) {
		(await import('./inspect.ts')).inspect(context, file, options);
		return;
	}
	const message = '--root, --package, --no-payloads and --time are about what a file composes to: add --stage';
	context.report.add(createDiagnostic('CLI006', message));
}
