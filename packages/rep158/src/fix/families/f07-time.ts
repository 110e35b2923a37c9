import {
	type Layer,
	type LayerOffset,
	makeValue,
	Path,
	type Payload,
	type Reference,
	SpecType,
	type Spline,
	T,
	type Value,
	type ValueType,
} from '@manyworlds/usd';
import { dataOf, isIdentityOffset, makePayload, makeReference, makeTimeSamples } from '@manyworlds/usd/internal';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';

const RULE = 'R1.1.3';

/** F7: time codes are seconds, in every layer; samples, splines, offsets and time-valued attributes follow. */
export const TIME: Fixer = {
	family: 'F7',
	title: 'time codes in seconds',
	rules: ['R1.1.3'],
	safety: 'safe',
	apply(session) {
		const layers = session.layers();
		const withClips = layers.find(hasClips);
		if (withClips !== undefined) {
			session.refuse(RULE, 'value clips have times of other layers, which are not converted', { layer: withClips });
			return;
		}
		for (const layer of layers) convertLayer(session, layer);
	},
};

/** Time codes of a second in a layer, as USD reads it. */
function rateOf(layer: Layer): number {
	const number = (field: string): number | undefined => dataOf(layer.field(Path.root, field), T.double);
	return number('timeCodesPerSecond') ?? number('framesPerSecond') ?? 24;
}

function hasClips(layer: Layer): boolean {
	for (const path of layer.data.paths()) if (layer.field(path, 'clips') !== undefined) return true;
	return false;
}

function convertLayer(session: FixSession, layer: Layer): void {
	const rate = rateOf(layer);
	const isSaid = layer.field(Path.root, 'timeCodesPerSecond') !== undefined;
	const isRoot = layer === session.rootLayer;
	if (rate === 1 && (isSaid || !isRoot)) return;
	const changes: { path: Path; field: string; value: Value }[] = [];
	const put = (path: Path, field: string, value: Value): void => void changes.push({ path, field, value });
	for (const field of ['startTimeCode', 'endTimeCode', 'startFrame', 'endFrame']) {
		const time = dataOf(layer.field(Path.root, field), T.double);
		if (time !== undefined) put(Path.root, field, makeValue(T.double, time / rate) as Value);
	}
	const offsets = dataOf(layer.field(Path.root, 'subLayerOffsets'), T.layerOffsetVector);
	if (offsets?.some((offset) => offset.offset !== 0) === true) {
		const converted = offsets.map((offset) => convertOffset(offset, rate));
		put(Path.root, 'subLayerOffsets', makeValue(T.layerOffsetVector, converted) as Value);
	}
	for (const path of layer.data.paths()) {
		const type = layer.specType(path);
		if (type === SpecType.prim || type === SpecType.variant) convertArcs(layer, path, rate, put);
		else if (type === SpecType.attribute) convertAttribute(layer, path, rate, put);
	}
	session.edit(RULE, layer, () => {
		for (const { path, field, value } of changes) layer.setField(path, field, value);
		layer.setField(Path.root, 'timeCodesPerSecond', makeValue(T.double, 1) as Value);
	});
}

type Put = (path: Path, field: string, value: Value) => void;

function convertOffset({ offset, scale }: LayerOffset, rate: number): LayerOffset {
	return { offset: offset / rate, scale };
}

/** Offsets of arcs are in the time of the layer that has the arc; rates of other layers do not enter. */
function convertArcs(layer: Layer, path: Path, rate: number, put: Put): void {
	const references = dataOf(layer.field(path, 'references'), T.referenceListOp);
	if (references !== undefined && [...items(references)].some(({ layerOffset }) => layerOffset.offset !== 0)) {
		const mapped = references.mapItems((arc: Reference) =>
			isIdentityOffset(arc.layerOffset)
				? arc
				: makeReference(arc.assetPath, arc.primPath, convertOffset(arc.layerOffset, rate), arc.customData),
		);
		put(path, 'references', makeValue(T.referenceListOp, mapped) as Value);
	}
	const payloads = dataOf(layer.field(path, 'payload'), T.payloadListOp);
	if (payloads !== undefined && [...items(payloads)].some(({ layerOffset }) => layerOffset.offset !== 0)) {
		const mapped = payloads.mapItems((arc: Payload) =>
			isIdentityOffset(arc.layerOffset)
				? arc
				: makePayload(arc.assetPath, arc.primPath, convertOffset(arc.layerOffset, rate)),
		);
		put(path, 'payload', makeValue(T.payloadListOp, mapped) as Value);
	}
}

function* items<A>(op: { readonly [K in ListName]: readonly A[] }): Generator<A> {
	for (const name of LIST_NAMES) yield* op[name];
}

const LIST_NAMES = ['explicitItems', 'prependedItems', 'appendedItems', 'addedItems', 'deletedItems'] as const;
type ListName = (typeof LIST_NAMES)[number];

function convertAttribute(layer: Layer, path: Path, rate: number, put: Put): void {
	const value = layer.field(path, 'default');
	const converted = value && convertTime(value, rate);
	if (converted !== undefined && converted !== value) put(path, 'default', converted);
	const samples = dataOf(layer.field(path, 'timeSamples'), T.timeSamples);
	if (samples !== undefined) {
		const values = Array.from(samples.times, (_, i) => convertTime(samples.valueAt(i), rate));
		const times = samples.times.map((time) => time / rate);
		put(path, 'timeSamples', makeValue(T.timeSamples, makeTimeSamples(times, values)) as Value);
	}
	const spline = dataOf(layer.field(path, 'spline'), T.spline);
	if (spline !== undefined) put(path, 'spline', makeValue(T.spline, convertSpline(spline, rate)) as Value);
}

/** Time codes become seconds; other values stay. */
function convertTime(value: Value, rate: number): Value {
	const element: ValueType = value.type.element;
	if (element !== (T.timecode as ValueType) && element !== (T.duration as ValueType)) return value;
	if (typeof value.data === 'number') return { type: value.type, data: value.data / rate };
	return { type: value.type, data: (value.data as Float64Array).map((time) => time / rate) };
}

function convertSpline(spline: Spline, rate: number): Spline {
	const scale = spline.timeValued ? 1 : rate;
	const values = spline.timeValued ? rate : 1;
	const tangent = <T extends { readonly slope: number; readonly width: number }>(t: T): T => ({
		...t,
		slope: t.slope * scale,
		width: t.width / rate,
	});
	const end = (e: Spline['pre']): Spline['pre'] => ({
		...e,
		...(e.slope !== undefined && { slope: e.slope * scale }),
		...(e.loopBoundary !== undefined && { loopBoundary: e.loopBoundary / rate }),
	});
	return {
		...spline,
		pre: end(spline.pre),
		post: end(spline.post),
		...(spline.loop !== undefined && {
			loop: {
				...spline.loop,
				protoStart: spline.loop.protoStart / rate,
				protoEnd: spline.loop.protoEnd / rate,
				valueOffset: spline.loop.valueOffset / values,
			},
		}),
		knots: spline.knots.map((knot) => ({
			...knot,
			time: knot.time / rate,
			value: knot.value / values,
			...(knot.preValue !== undefined && { preValue: knot.preValue / values }),
			pre: tangent(knot.pre),
			post: tangent(knot.post),
		})),
	};
}
