import { invertOffset } from '../pcp/layer-offset.ts';
import type { SpecSite } from '../pcp/prim-index.ts';
import { PathExpression } from '../sdf/path-expression.ts';
import { dataOf, isIdentityOffset, makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { applyArrayEdits } from './array-edits.ts';
import type { Interpolation } from './interpolation.ts';
import { composeExpressions, resolveValue, type ValueContext } from './resolve-value.ts';
import { isBlock, sampleAt, sampleType } from './time-samples.ts';
import { mapTime } from './value-time.ts';

/** Whether values of a type take up weaker ones: expressions in place of `%_`, array edits as what they edit. */
export function isComposable(type: ValueType): boolean {
	return type === (T.pathExpression as ValueType) || type === (T.arrayEdit as ValueType);
}

/**
 * The value of an attribute whose opinions are put together, strongest first, until one needs no weaker one. A block hides what is
 * weaker; at the default time it leaves no value at all, as in OpenUSD. `time` is undefined for the default time.
 */
export function composedValue(
	specs: readonly SpecSite[],
	name: string,
	fallback: Value | undefined,
	time: number | undefined,
	interpolation: Interpolation,
	context: ValueContext,
): Value | undefined {
	const opinions: Value[] = [];
	let isAnimated = time !== undefined;
	for (const { node, layer, path, offset } of specs) {
		const site: SpecSite = { node, layer, path: path.appendProperty(name), offset };
		const opinion = opinionAt(site, isAnimated ? time : undefined, interpolation);
		if (opinion === undefined) continue;
		if (opinion.type === (T.animationBlock as ValueType)) {
			isAnimated = false;
			continue;
		}
		if (isBlock(opinion)) return time === undefined || opinions.length === 0 ? undefined : fold(opinions);
		opinions.push(resolveValue(opinion, site, context));
		if (!needsWeaker(opinion)) return fold(opinions);
	}
	if (fallback !== undefined) opinions.push(fallback);
	return opinions.length === 0 ? undefined : fold(opinions);
}

/** Times at which some opinion has a sample, ascending. Opinions below a block, or below a whole array, do not count. */
export function composedTimes(specs: readonly SpecSite[], name: string): number[] {
	const times = new Set<number>();
	for (const { layer, path, offset } of specs) {
		const property = path.appendProperty(name);
		const samples = dataOf(layer.data.field(property, 'timeSamples'), T.timeSamples);
		for (const time of samples?.times ?? []) times.add(mapTime(offset, time));
		const value = layer.data.field(property, 'default');
		if (value !== undefined) {
			if (isBlock(value) || value.type === (T.animationBlock as ValueType) || !isComposable(value.type)) break;
		} else if (samples !== undefined && samples.times.length > 0 && !isComposable(sampleType(samples))) {
			break;
		}
	}
	return [...times].sort((a, b) => a - b);
}

function opinionAt(site: SpecSite, time: number | undefined, interpolation: Interpolation): Value | undefined {
	const { layer, path, offset } = site;
	if (time !== undefined) {
		const samples = dataOf(layer.data.field(path, 'timeSamples'), T.timeSamples);
		if (samples !== undefined && samples.times.length > 0) {
			const local = isIdentityOffset(offset) ? time : mapTime(invertOffset(offset), time);
			return sampleAt(samples, time, local, offset, interpolation) ?? (makeValue(T.valueBlock, null) as Value);
		}
	}
	return layer.data.field(path, 'default');
}

function needsWeaker(value: Value): boolean {
	if (value.type === (T.arrayEdit as ValueType)) return true;
	if (value.type !== (T.pathExpression as ValueType)) return false;
	const expression = PathExpression.parse(value.data as string);
	return expression instanceof PathExpression && expression.refersToWeaker;
}

function fold(opinions: readonly Value[]): Value {
	let result: Value | undefined;
	for (let i = opinions.length - 1; i >= 0; i--) {
		const opinion = opinions[i]!;
		const weaker = result;
		if (opinion.type === (T.arrayEdit as ValueType)) result = applyArrayEdits(opinion, () => weaker);
		else if (opinion.type === (T.pathExpression as ValueType)) {
			const below = weaker?.type === opinion.type ? (weaker.data as string) : '';
			result = makeValue(opinion.type, composeExpressions(opinion.data as string, below));
		} else result = opinion;
	}
	return result!;
}
