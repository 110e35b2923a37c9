import { readXml } from '@manyworlds/core/internal';
import type { FolderFiles } from '../files/folder-files.ts';

/** A pose that a file names: coordinates [rad, m] by the name of the joint. */
export interface FilePose {
	readonly name: string;
	readonly joints: ReadonlyMap<string, number>;
}

/** Poses of the SRDF files of a folder (`group_state`), as MoveIt has them. States of several groups with one name are one pose. */
export function srdfPoses(files: FolderFiles): FilePose[] {
	const poses = new Map<string, Map<string, number>>();
	for (const [path, bytes] of files) {
		if (!/\.srdf$/i.test(path)) continue;
		const { root } = readXml(bytes);
		for (const state of root?.children ?? []) {
			const name = state.name === 'group_state' ? state.get('name') : undefined;
			if (name === undefined) continue;
			const joints = poses.get(name) ?? new Map<string, number>();
			poses.set(name, joints);
			for (const joint of state.children) {
				const [own, value] = [joint.get('name'), Number(joint.get('value') ?? Number.NaN)];
				// joints of several numbers have them in one attribute: they are no freedoms of one coordinate
				if (joint.name === 'joint' && own !== undefined && Number.isFinite(value)) joints.set(own, value);
			}
		}
	}
	return [...poses].map(([name, joints]) => ({ name, joints }));
}
