import type { Report } from '@manyworlds/core';
import { readScene, sceneJsonSchema } from '@manyworlds/scene';
import { planJsonSchema, readPlan } from '@manyworlds/sweep';

/** A kind of file in YAML or JSON: how it is told, its schema, and what finds mistakes in it. */
export interface YamlLanguage {
	readonly name: string;
	/** Whether a text is one, by its head and its name. */
	readonly matches: (head: string, identifier: string) => boolean;
	/** Its JSON schema (draft 2020-12). */
	readonly schema: () => Readonly<Record<string, unknown>>;
	/** Says what is wrong with a text. */
	readonly validate: (text: string, file: string, report: Report) => void;
}

/** Keys that scenes have at their outermost level and other files hardly do. */
const SCENE_KEYS = /^\s*["']?(?:simulation|builder|bodies|articulations|post_build|replication)["']?\s*:/m;

const scene: YamlLanguage = {
	name: 'scene',
	matches: (head, identifier) => /\.scene\.(?:ya?ml|json)$/i.test(identifier) || SCENE_KEYS.test(head),
	schema: sceneJsonSchema,
	validate: (text, file, report) => void readScene(text, { file, report }),
};

/** Keys that plans of sweeps have at their outermost level and scenes do not. */
const PLAN_KEYS = /^\s{0,2}["']?(?:runs|parameters|simulate|task)["']?\s*:/m;
const VERSION_KEY = /^\s{0,2}["']?version["']?\s*:/m;

const sweepPlan: YamlLanguage = {
	name: 'sweep plan',
	matches: (head, identifier) =>
		/\.sweep\.(?:ya?ml|json)$/i.test(identifier) || (PLAN_KEYS.test(head) && VERSION_KEY.test(head)),
	schema: planJsonSchema,
	validate: (text, file, report) => void readPlan(text, { file, report }),
};

/** Kinds of YAML and JSON files that the server knows; of several that match the first counts. */
export const YAML_LANGUAGES: readonly YamlLanguage[] = [sweepPlan, scene];
