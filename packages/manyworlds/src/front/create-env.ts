import { type EnvTask, VectorEnv, type VectorEnvOptions } from '@manyworlds/envs';
import type { Asset } from './asset.ts';
import { modelOf, type OpenedModel, type RobotOptions } from './model-of.ts';
import { type RunnerSettings, runnerOptions } from './runner-options.ts';

/** Options of {@link createEnv}. @public */
export interface EnvOptions extends RobotOptions, RunnerSettings, Omit<VectorEnvOptions, 'runner' | 'start'> {}

/**
 * Makes environments for learning of a robot or scene: as many as `worlds` says, on all cores.
 *
 * ```ts
 * const env = await createEnv(await openAsset('cart-pole.xml'), task, { worlds: 64 });
 * await env.reset();
 * ```
 * @public
 */
export async function createEnv(
	subject: Asset | OpenedModel,
	task: EnvTask,
	options: EnvOptions = {},
): Promise<VectorEnv> {
	// worlds share nothing, and positions are easier to learn from when all of them start at the same place
	const opened = 'start' in subject ? subject : await modelOf(subject, { spacing: [0, 0, 0], ...options });
	const { substeps, seed, autoReset } = options;
	return VectorEnv.create(opened.model, task, {
		runner: await runnerOptions(opened, options),
		start: opened.start,
		dt: options.dt ?? opened.dt,
		...(substeps !== undefined && { substeps }),
		...(seed !== undefined && { seed }),
		...(autoReset !== undefined && { autoReset }),
	});
}
