import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Folders of a ROS package that hold robot descriptions; meshes are beside them. */
const DESCRIPTION_FOLDERS = new Set(['mjcf', 'model', 'models', 'robot', 'robots', 'urdf', 'urdfs', 'xacro', 'xml']);

/**
 * Folders that a URDF, MJCF or SDF file may read from: its own, that of its ROS package when there is a `package.xml` above it, the
 * one above a folder that is called `urdf` or likewise, and the one above a model of Gazebo, where others stand beside it.
 */
export function robotFolders(file: string): string[] {
	const folder = dirname(file);
	const isModel = existsSync(join(folder, 'model.config'));
	const isInside = isModel || DESCRIPTION_FOLDERS.has(basename(folder).toLowerCase());
	const roots = isInside ? [folder, dirname(folder)] : [folder];
	for (let at = folder; at !== dirname(at); at = dirname(at)) {
		if (existsSync(join(at, 'package.xml'))) return [...roots, at];
	}
	return roots;
}
