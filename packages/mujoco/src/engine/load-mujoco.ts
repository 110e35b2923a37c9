import type { MujocoModule } from './mujoco-module.ts';

let loading: Promise<MujocoModule> | undefined;

/**
 * Loads MuJoCo once; later calls give the same instance. It takes about half a second and 60 MB, so nothing is loaded
 * before a solver asks for it. @public
 */
export function loadMujoco(): Promise<MujocoModule> {
	loading ??= import('@mujoco/mujoco').then((package_) => package_.default() as unknown as Promise<MujocoModule>);
	return loading;
}
