import type { Prim } from '@manyworlds/usd';
import type { CheckContext } from '../context/check-context.ts';

/** The prims that have an applied schema, in the order of the stage; one walk serves all rules. */
export function primsWith(context: CheckContext, schema: string): readonly Prim[] {
	let index = INDEXES.get(context);
	if (index === undefined) {
		index = new Map();
		for (const prim of context.lists.all) {
			for (const name of prim.appliedSchemas) {
				const found = index.get(name);
				if (found === undefined) index.set(name, [prim]);
				else found.push(prim);
			}
		}
		INDEXES.set(context, index);
	}
	return index.get(schema) ?? [];
}

/** Prims to which layers apply a schema whose name matches, known to a registry or not, and the first such schema. */
export function primsApplying(context: CheckContext, pattern: RegExp): { prim: Prim; schema: string }[] {
	const isUsed = context.layers.some((layer) =>
		context.census(layer).schemas.entries.some(({ item }) => item !== undefined && pattern.test(item)),
	);
	if (!isUsed) return [];
	return context.lists.all.flatMap((prim) => {
		const schema = prim.authoredSchemas?.find((name) => pattern.test(name));
		return schema === undefined ? [] : [{ prim, schema }];
	});
}

const INDEXES = new WeakMap<CheckContext, Map<string, Prim[]>>();
