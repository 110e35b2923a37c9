import { invertOffset } from '../pcp/layer-offset.ts';
import type { SpecSite } from '../pcp/prim-index.ts';
import type { PropertyDefinition } from '../schemas/property-definition.ts';
import type { Spline } from '../sdf/spline.ts';
import { dataOf, isIdentityOffset, type TimeSamples, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import type { ClipSet } from './clips/clip-set.ts';
import { composedTimes, composedValue, isComposable } from './composed-value.ts';
import type { Interpolation } from './interpolation.ts';
import type { PrimData } from './prim-data.ts';
import { isPlain, resolveValue, type ValueContext } from './resolve-value.ts';
import { evaluateSpline, retimeSpline, splineNumber } from './spline-value.ts';
import { isBlock, sampleAt, sampleType } from './time-samples.ts';
import { mapTime } from './value-time.ts';

/** Where the value of an attribute comes from. */
export type ValueSource = 'none' | 'fallback' | 'default' | 'timeSamples' | 'valueClips' | 'spline';

/** Where the value of an attribute comes from, and which opinion it is. */
export interface ResolveInfo {
	readonly source: ValueSource;
	/** Whether an opinion says that there is no value; the fallback counts then. */
	readonly isBlocked: boolean;
	/** The deciding spec of the attribute; for clips, the site at which they come in. */
	readonly site: SpecSite | undefined;
	readonly clipSet: ClipSet | undefined;
}

/** Finds the opinion that gives the value at the default time (undefined) or at times. */
export function resolveInfo(
	data: PrimData,
	name: string,
	definition: PropertyDefinition | undefined,
	isDefaultTime: boolean,
): ResolveInfo {
	const walk = isDefaultTime ? walkDefault(data, name) : walkTimes(data, name);
	if (walk.source !== 'none') return walk;
	return definition?.fallback === undefined ? walk : { ...walk, source: 'fallback' };
}

/** The value at the default time: the strongest default, or the fallback. Expressions fill each other in. */
export function defaultValue(
	data: Pick<PrimData, 'specs'>,
	name: string,
	definition: PropertyDefinition | undefined,
	context: ValueContext,
): Value | undefined {
	const { specs } = data;
	for (let i = 0; i < specs.length; i++) {
		const { layer, path, node, offset } = specs[i]!;
		const propertyPath = path.appendProperty(name);
		const value = layer.data.field(propertyPath, 'default');
		if (value === undefined || value.type === (T.animationBlock as ValueType)) continue;
		if (value.type === (T.valueBlock as ValueType)) break;
		const site: SpecSite = { node, layer, path: propertyPath, offset };
		if (isComposable(value.type)) {
			return composedValue(specs, name, definition?.fallback, undefined, 'held', context);
		}
		return isPlain(value.type, site) ? value : resolveValue(value, site, context);
	}
	return definition?.fallback;
}

/** The value at a time of the stage. */
export function valueAtTime(
	data: PrimData,
	name: string,
	definition: PropertyDefinition | undefined,
	time: number,
	interpolation: Interpolation,
	context: ValueContext,
): Value | undefined {
	const info = walkTimes(data, name);
	const { site } = info;
	switch (info.source) {
		case 'timeSamples': {
			const samples = samplesOf(site!)!;
			const type = sampleType(samples);
			if (isComposable(type)) {
				return composedValue(data.specs, name, definition?.fallback, time, interpolation, context);
			}
			const local = isIdentityOffset(site!.offset) ? time : mapTime(invertOffset(site!.offset), time);
			// samples are mapped before they are mixed: times among the values round differently afterwards
			const mapped = isPlain(type, site!) ? samples : resolvedSamples(samples, site!, context);
			return sampleAt(mapped, time, local, site!.offset, interpolation);
		}
		case 'spline': {
			const spline = dataOf(site!.layer.data.field(site!.path, 'spline'), T.spline)!;
			return splineValue(spline, time, site!);
		}
		case 'valueClips':
			return clipValue(info, time, interpolation, context);
		case 'default': {
			const value = site!.layer.data.field(site!.path, 'default')!;
			if (isComposable(value.type)) {
				return composedValue(data.specs, name, definition?.fallback, time, interpolation, context);
			}
			return resolveValue(value, site!, context);
		}
		default:
			return definition?.fallback;
	}
}

/** Samples whose values are read as on the stage. */
function resolvedSamples(samples: TimeSamples, site: SpecSite, context: ValueContext): TimeSamples {
	return { times: samples.times, valueAt: (index) => resolveValue(samples.valueAt(index), site, context) };
}

/** The authored samples of an attribute as they read on the stage, blocks included; undefined when others give the value. */
export function authoredSamples(data: PrimData, name: string, context: ValueContext): Value[] | undefined {
	const { source, site } = walkTimes(data, name);
	if (source !== 'timeSamples') return undefined;
	const samples = samplesOf(site!)!;
	if (isComposable(sampleType(samples))) return undefined;
	return Array.from(samples.times, (_, i) => {
		const value = samples.valueAt(i);
		return isBlock(value) ? value : resolveValue(value, site!, context);
	});
}

/** Times of all samples on the stage, ascending; none when the value does not come from samples. */
export function sampleTimes(data: PrimData, name: string): number[] {
	const { source, site, clipSet } = walkTimes(data, name);
	if (source === 'valueClips') return clipSet!.sampleTimes(site!.path);
	const sampled = source === 'timeSamples' ? sampleType(samplesOf(site!)!) : undefined;
	const type = source === 'default' ? site!.layer.data.field(site!.path, 'default')!.type : sampled;
	if (type !== undefined && isComposable(type)) return composedTimes(data.specs, name);
	if (source !== 'timeSamples') return [];
	const { times } = samplesOf(site!)!;
	return Array.from(times, (time) => mapTime(site!.offset, time));
}

/** Time samples of a spec if it has any. */
function samplesOf({ layer, path }: SpecSite): TimeSamples | undefined {
	const samples = dataOf(layer.data.field(path, 'timeSamples'), T.timeSamples);
	return samples === undefined || samples.times.length === 0 ? undefined : samples;
}

function walkDefault(data: PrimData, name: string): ResolveInfo {
	for (const { layer, path, node, offset } of data.specs) {
		const propertyPath = path.appendProperty(name);
		const value = layer.data.field(propertyPath, 'default');
		if (value === undefined || value.type === (T.animationBlock as ValueType)) continue;
		if (isBlock(value)) return BLOCKED;
		return {
			source: 'default',
			isBlocked: false,
			site: { node, layer, path: propertyPath, offset },
			clipSet: undefined,
		};
	}
	return NOTHING;
}

/** Samples win over splines and splines over the default of the same spec; clips come right after their layer. */
function walkTimes(data: PrimData, name: string): ResolveInfo {
	if (data.clips !== undefined) return walkWithClips(data, name, data.clips);
	let isAnimated = true;
	const { specs } = data;
	for (let i = 0; i < specs.length; i++) {
		const spec = specs[i]!;
		const found = sourceAt(spec, spec.path.appendProperty(name), isAnimated);
		if (found === undefined) continue;
		if (found !== 'animationBlock') return found;
		isAnimated = false;
	}
	return NOTHING;
}

function sourceAt(
	{ node, layer, offset }: SpecSite,
	path: SpecSite['path'],
	isAnimated: boolean,
): ResolveInfo | 'animationBlock' | undefined {
	if (!layer.data.has(path)) return undefined;
	const site: SpecSite = { node, layer, path, offset };
	if (isAnimated) {
		if (samplesOf(site) !== undefined) return { source: 'timeSamples', isBlocked: false, site, clipSet: undefined };
		const spline = dataOf(layer.data.field(path, 'spline'), T.spline);
		if (spline !== undefined && spline.knots.length > 0) {
			return { source: 'spline', isBlocked: false, site, clipSet: undefined };
		}
	}
	const value = layer.data.field(path, 'default');
	if (value === undefined) return undefined;
	if (value.type === (T.animationBlock as ValueType)) return 'animationBlock';
	return isBlock(value) ? BLOCKED : { source: 'default', isBlocked: false, site, clipSet: undefined };
}

function walkWithClips(data: PrimData, name: string, clips: readonly ClipSet[]): ResolveInfo {
	let isAnimated = true;
	for (const node of data.index.nodes) {
		if (!node.canContribute) continue;
		const path = node.path.appendProperty(name);
		const { layerStack } = node;
		let own: readonly ClipSet[] | undefined;
		for (let at = 0; at < layerStack.layers.length; at++) {
			const layer = layerStack.layers[at]!;
			const offset = specOffset(data, node, layer);
			if (node.hasSpecs && offset !== undefined) {
				const found = sourceAt({ node, layer, path, offset }, path, isAnimated);
				if (found === 'animationBlock') isAnimated = false;
				else if (found !== undefined) return found;
			}
			own ??= clips.filter(
				(set) => set.layerStack === layerStack && node.path.hasPrefix(set.sourcePath) && set.declares(path),
			);
			for (const clipSet of own) {
				if (!isAnimated || clipSet.sourceLayer !== layer) continue;
				const site = { node, layer, path, offset: node.mapToRoot.offset };
				return { source: 'valueClips', isBlocked: false, site, clipSet };
			}
		}
	}
	return NOTHING;
}

function specOffset(data: PrimData, node: SpecSite['node'], layer: SpecSite['layer']): SpecSite['offset'] | undefined {
	return data.specs.find((spec) => spec.node === node && spec.layer === layer)?.offset;
}

function clipValue(
	{ clipSet, site }: ResolveInfo,
	time: number,
	interpolation: Interpolation,
	context: ValueContext,
): Value | undefined {
	const value = clipSet!.valueAt(site!.path, time, interpolation);
	if (value === undefined) return undefined;
	const element = value.type.element as ValueType;
	if (element === (T.timecode as ValueType) || element === (T.duration as ValueType)) return value;
	const layer = clipSet!.sourceAt(site!.path, time).layer;
	return resolveValue(value, layer === undefined ? site! : { ...site!, layer }, context);
}

function splineValue(spline: Spline, time: number, site: SpecSite): Value | undefined {
	const number = evaluateSpline(retimeSpline(spline, site.offset), time);
	return number === undefined ? undefined : splineNumber(spline, number);
}

const NOTHING: ResolveInfo = { source: 'none', isBlocked: false, site: undefined, clipSet: undefined };
const BLOCKED: ResolveInfo = { source: 'none', isBlocked: true, site: undefined, clipSet: undefined };
