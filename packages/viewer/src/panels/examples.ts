import type { App } from '../app.ts';

/** A robot that comes with the application. */
export interface Example {
	readonly folder: string;
	readonly title: string;
	readonly what: string;
}

/** Robots that come with the application; the build copies them beside it. */
export const EXAMPLES: readonly Example[] = [
	{ folder: 'heron', title: 'Heron', what: 'an arm on wheels with a gripper, OpenUSD' },
	{ folder: 'egret', title: 'Egret', what: 'a rover with variants, OpenUSD by REP 0158' },
	{ folder: 'crane', title: 'Crane', what: 'two links and a motor, MJCF' },
	{ folder: 'plover', title: 'Plover', what: 'a gripper with meshes, URDF' },
];

export function openExample(app: App, { folder, title }: Example): void {
	void app.opener.openFolder(`examples/${folder}/list.json`, title);
}
