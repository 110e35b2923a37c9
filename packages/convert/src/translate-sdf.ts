import { Report } from '@manyworlds/core';
import type { AssetTranslator } from '@manyworlds/import';
import { MemoryStore } from '@manyworlds/usd';
import { convertRobot } from './convert-robot.ts';

/**
 * Gives an SDF robot as MJCF in memory, with its meshes, for `importAsset`: frames, includes and nested models are settled in one place,
 * and MJCF can say all that a solver simulates of SDF. Parts of one model touch each other only where the file says so (`self_collide`).
 *
 * ```ts
 * importAsset('robot.sdf', builder, { store, translateSdf });
 * ```
 * @public
 */
export const translateSdf: AssetTranslator = (identifier, store, report) => {
	const found = new Report();
	const robot = convertRobot(identifier, { store, to: 'mjcf', mainFile: 'robot.xml', report: found });
	for (const one of found.toArray()) {
		// what is only seen, or said otherwise in MJCF, is of no matter for a simulation
		if (one.code !== 'CNV005') report.add(one);
	}
	if (robot === undefined) return undefined;
	const { bodies, joints, selfCollides } = robot.model;
	const held = new Set(joints.map(({ child }) => child));
	const roots = bodies.filter((_, body) => !held.has(body)).length;
	const [main] = robot.files;
	return {
		file: 'robot.xml',
		// where joints start and what springs aim at
		...(String(main!.content).includes('<key name="start"') ? { keyframe: 'start' } : {}),
		store: new MemoryStore(Object.fromEntries(robot.files.map(({ path, content }) => [path, content]))),
		enableSelfCollisions: selfCollides ?? roots > 1,
	};
};
