import { importEngine } from '#engine';
import type { MujocoModule } from './mujoco-module.ts';

/** Imports the package `@mujoco/mujoco`. @public */
export type EngineImport = () => Promise<{ readonly default: () => unknown }>;

let loading: Promise<MujocoModule> | undefined;

/**
 * Loads MuJoCo once; later calls give the same instance. It takes about half a second and 60 MB, so nothing is loaded
 * before a solver asks for it. A page says how it gets the package, because not every bundler takes it as it is:
 *
 * ```ts
 * await loadMujoco(() => import('@mujoco/mujoco'));
 * ```
 * @public
 */
export function loadMujoco(engine: EngineImport = importEngine): Promise<MujocoModule> {
	loading ??= engine()
		.then((package_) => package_.default() as Promise<MujocoModule>)
		.catch((error: unknown) => {
			// the next call may know better
			loading = undefined;
			throw error;
		});
	return loading;
}
