import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RobotFile } from '../run-robots/find-robots.ts';

/** Folders of the ROS packages that URDF files name, as far as a folder above them holds what they name there. */
export function packageFolders(robots: readonly RobotFile[]): Map<string, string> {
	const found = new Map<string, string>();
	for (const { path, format } of robots) {
		if (format !== 'urdf') continue;
		for (const [, name, rest] of readFileSync(path, 'utf8').matchAll(/package:\/\/([^/"]+)\/([^"]+)"/g)) {
			if (found.has(name!)) continue;
			for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
				if (!existsSync(join(folder, rest!))) continue;
				found.set(name!, folder);
				break;
			}
		}
	}
	return found;
}
