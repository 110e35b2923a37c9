import type { MapFunction } from '../pcp/map-function.ts';
import type { SpecSite } from '../pcp/prim-index.ts';
import type { Path } from '../sdf/path.ts';
import { PathExpression } from '../sdf/path-expression.ts';
import { type Dictionary, isIdentityOffset, makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { retimeValue } from './value-time.ts';

/** How values of a layer are turned into values of the stage. */
export interface ValueContext {
	/** What an asset path becomes; left as it is without this. */
	readonly mapAsset?: ((authored: string, site: SpecSite) => unknown) | undefined;
	/** How paths inside a prototype read from one of its instances. */
	readonly mapToInstance?: ((path: Path) => Path) | undefined;
}

/** A value as it reads on the stage: times and paths mapped, asset paths treated as the context says. */
export function resolveValue(value: Value, site: SpecSite, context: ValueContext): Value {
	const { type } = value;
	switch (type.element as ValueType) {
		case T.timecode as ValueType:
		case T.duration as ValueType:
			return retimeValue(value, site.offset);
		case T.asset as ValueType: {
			const map = context.mapAsset;
			if (map === undefined) return value;
			if (!type.isArray) return makeValue(type, map(value.data as string, site));
			return makeValue(
				type,
				(value.data as string[]).map((text) => map(text, site)),
			);
		}
		case T.pathExpression as ValueType:
			if (!type.isArray) return makeValue(type, resolveExpression(value.data as string, site, context));
			return makeValue(
				type,
				(value.data as string[]).map((text) => resolveExpression(text, site, context)),
			);
		case T.dictionary as ValueType:
			return makeValue(T.dictionary, resolveDictionary(value.data as Dictionary, site, context)) as Value;
		default:
			return value;
	}
}

function resolveDictionary(dictionary: Dictionary, site: SpecSite, context: ValueContext): Dictionary {
	let changed: Map<string, Value> | undefined;
	for (const [key, value] of dictionary) {
		const resolved = resolveValue(value, site, context);
		if (resolved === value) continue;
		changed ??= new Map(dictionary);
		changed.set(key, resolved);
	}
	return changed ?? dictionary;
}

function resolveExpression(text: string, site: SpecSite, context: ValueContext): string {
	const expression = PathExpression.parse(text);
	if (!(expression instanceof PathExpression)) return text;
	return expression.mapPaths(pathMapper(site.node.mapToRoot, context)).toString();
}

function pathMapper(map: MapFunction, context: ValueContext): (path: Path) => Path {
	const { mapToInstance } = context;
	return (path) => {
		const mapped = map.mapSourceToTarget(path.stripVariants());
		return mapToInstance === undefined || mapped.isEmpty ? mapped : mapToInstance(mapped);
	};
}

/** One expression over another: `%_` stands for the weaker one. */
export function composeExpressions(stronger: string, weaker: string): string {
	const over = PathExpression.parse(stronger);
	const under = PathExpression.parse(weaker);
	if (!(over instanceof PathExpression) || !(under instanceof PathExpression)) return stronger;
	return over.composeOver(under).toString();
}

/** Whether a value reads the same in its layer and on the stage, so that nothing is to be done for it. */
export function isPlain(type: ValueType, site: SpecSite): boolean {
	const element = type.element as ValueType;
	if (element === (T.timecode as ValueType) || element === (T.duration as ValueType))
		return isIdentityOffset(site.offset);
	return (
		element !== (T.asset as ValueType) &&
		element !== (T.pathExpression as ValueType) &&
		element !== (T.dictionary as ValueType)
	);
}
