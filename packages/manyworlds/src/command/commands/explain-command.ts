import type { ModelOptions } from '../command-options.ts';
import { parseResolvers, parseTime, withStage } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { ExplainCommandOptions } from './explain.ts';

/** Declares `manyworlds explain`; what it does is loaded when it runs. */
export function declareExplain(commands: CommandSet): void {
	withStage(
		commands.add('explain', 'tell where a value comes from, every opinion, strongest first; or what a rule asks for'),
	)
		.argument('<file>', 'usda, usdc, usd or usdz file, or package.usdz[member]; or a rule or code such as R1.1.7')
		.argument(
			'[path]',
			'/prim.property, /prim, /prim:metadata, /:metadata of the stage, or joint_target_ke[3] of the model',
		)
		.option('--metadata <name>', 'explain metadata of the prim or property')
		.option('--time <code>', 'time code of the value, the default time without one', parseTime)
		.option('--json', 'print JSON (docs/guide/explain.md says its shape)')
		.option(
			'--resolvers <names>',
			'for a value of the model: schema resolvers of USD in order of priority',
			parseResolvers,
		)
		.option('--newton-compat', 'for a value of the model: as Newton 1.6.1 imports it, where that differs')
		.action(async (file: string, path: string | undefined, options: ExplainCommandOptions & ModelOptions) => {
			if (path !== undefined && /^[a-z][\w:]*\[.+\]$/.test(path)) {
				const { explainModel } = await import('./explain-model.ts');
				explainModel(commands.context, file, path, options);
			} else if (path !== undefined) (await import('./explain.ts')).explain(commands.context, file, path, options);
			else (await import('./explain-code.ts')).explainCode(commands.context, file, options);
		});
}
