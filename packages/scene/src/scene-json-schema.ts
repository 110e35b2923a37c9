import * as z from 'zod';
import { scene } from './schema/scene.ts';

/**
 * JSON Schema (draft 2020-12) of scene files, for editors: completion, help on keys, wrong types while typing. It is made from
 * the same schema that {@link readScene} checks with. What editors cannot know, such as whether a body exists, is left to
 * `loadScene`.
 * @public
 */
export function sceneJsonSchema(): Readonly<Record<string, unknown>> {
	return {
		...z.toJSONSchema(scene, { io: 'input' }),
		title: 'Manyworlds scene',
		description: 'Simulation, builder defaults, assets, inline bodies and joints, and edits. SI units and radians.',
	};
}
