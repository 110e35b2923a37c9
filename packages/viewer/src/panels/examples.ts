import type { App } from '../app.ts';
import { fetchFolder } from '../files/fetch-folder.ts';

/** A robot that comes with the application. */
export interface Example {
	readonly folder: string;
	readonly title: string;
	readonly what: string;
}

/** Robots that come with the application; the build copies them beside it. */
export const EXAMPLES: readonly Example[] = [
	{ folder: 'heron', title: 'Heron', what: 'a rover on four wheels, OpenUSD' },
	{ folder: 'egret', title: 'Egret', what: 'an arm with a gripper, OpenUSD with variants' },
	{ folder: 'crane', title: 'Crane', what: 'a crane, MJCF' },
	{ folder: 'plover', title: 'Plover', what: 'a legged robot, URDF' },
];

export function openExample(app: App, { folder, title }: Example): void {
	void app.openFrom(title, () => fetchFolder(`examples/${folder}/list.json`));
}
