import * as z from 'zod';
import { scene } from './schema/scene.ts';

/**
 * JSON Schema (draft 2020-12) of scene files, for editors: completion, help on keys, wrong types while typing. It is made from
 * the same schema that {@link readScene} checks with. What editors cannot know, such as whether a body exists, is left to
 * `loadScene`.
 * @public
 */
export function sceneJsonSchema(): Readonly<Record<string, unknown>> {
	const { $schema, ...whole } = z.toJSONSchema(scene, { io: 'input' }) as Record<string, unknown>;
	const parts = new SharedParts(whole);
	return {
		$schema,
		title: 'Manyworlds scene',
		description: 'Simulation, builder defaults, assets, inline bodies and joints, and edits. SI units and radians.',
		...(parts.replace(whole, true) as object),
		$defs: parts.definitions,
	};
}

/** Parts shorter than this are repeated rather than referred to. */
const SHORTEST_PART = 250;

/** Finds parts of a schema that stand in it more than once, and puts references in their place. */
export class SharedParts {
	readonly definitions: Record<string, unknown> = {};
	readonly #counts = new Map<string, number>();
	readonly #names = new Map<string, string>();

	constructor(whole: object) {
		this.#count(whole);
	}

	/** A copy of a part with references in place of what is shared; the outermost part is never one itself. */
	replace(part: unknown, isOutermost = false): unknown {
		if (Array.isArray(part)) return part.map((item) => this.replace(item));
		if (part === null || typeof part !== 'object') return part;
		const text = isOutermost ? '' : JSON.stringify(part);
		const isShared = (this.#counts.get(text) ?? 0) > 1 && text.length >= SHORTEST_PART;
		if (isShared && this.#names.has(text)) return { $ref: `#/$defs/${this.#names.get(text)}` };
		const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, this.replace(value)]));
		if (!isShared) return copy;
		const name = `part${this.#names.size + 1}`;
		this.#names.set(text, name);
		this.definitions[name] = copy;
		return { $ref: `#/$defs/${name}` };
	}

	#count(part: unknown): void {
		if (part === null || typeof part !== 'object') return;
		if (!Array.isArray(part)) {
			const text = JSON.stringify(part);
			this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
			if ((this.#counts.get(text) ?? 0) > 1) return;
		}
		for (const value of Object.values(part)) this.#count(value);
	}
}
