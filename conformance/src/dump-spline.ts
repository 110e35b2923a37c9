import {
	type Dictionary,
	type Extrapolation,
	type Spline,
	type SplineKnot,
	type SplineTangent,
	T,
	type TangentAlgorithm,
	type Value,
} from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { encodeFloat, encodeNumber, encodeValue } from './dump-value.ts';
import type { Json, JsonObject } from './json.ts';

/** A spline as JSON (FORMAT.md of the USD oracle, section 2). */
export function encodeSpline(value: Value<Spline>): JsonObject {
	const spline = value.data;
	const number = spline.valueType === 'float' ? encodeFloat : encodeNumber;
	const out: Record<string, Json> = {
		spline: spline.valueType,
		curve: spline.curve === 'bezier' ? 'Bezier' : 'Hermite',
		pre: encodeExtrapolation(spline.pre),
		post: encodeExtrapolation(spline.post),
		knots: spline.knots.map((_, i) => encodeKnot(spline, i, number)),
	};
	if (spline.loop !== undefined) {
		const { protoStart, protoEnd, preLoopCount, postLoopCount, valueOffset } = spline.loop;
		out['loop'] = {
			protoStart: encodeNumber(protoStart),
			protoEnd: encodeNumber(protoEnd),
			numPreLoops: preLoopCount,
			numPostLoops: postLoopCount,
			valueOffset: encodeNumber(valueOffset),
		};
	}
	return out;
}

const MODES: Readonly<Record<Extrapolation['mode'], string>> = {
	none: 'ValueBlock',
	held: 'Held',
	linear: 'Linear',
	sloped: 'Sloped',
	'loop repeat': 'LoopRepeat',
	'loop reset': 'LoopReset',
	'loop oscillate': 'LoopOscillate',
};

const INTERPOLATIONS: Readonly<Record<SplineKnot['interpolation'], string>> = {
	none: 'ValueBlock',
	held: 'Held',
	linear: 'Linear',
	curve: 'Curve',
};

const ALGORITHMS: Readonly<Record<TangentAlgorithm, string>> = { none: 'None', custom: 'Custom', autoEase: 'AutoEase' };

function encodeExtrapolation(extrapolation: Extrapolation): JsonObject {
	const out: Record<string, Json> = { mode: MODES[extrapolation.mode] };
	if (extrapolation.mode === 'sloped') out['slope'] = encodeNumber(extrapolation.slope ?? 0);
	if (extrapolation.loopBoundary !== undefined) out['loopBoundaryTime'] = encodeNumber(extrapolation.loopBoundary);
	return out;
}

function encodeKnot(spline: Spline, index: number, number: (value: number) => Json): JsonObject {
	const knot = spline.knots[index]!;
	// tangents of Hermite curves have no width of their own: OpenUSD gives each a third of its segment
	const tangent = (side: SplineTangent, neighbour: SplineKnot | undefined): Json => {
		const derived = spline.curve === 'hermite' && neighbour !== undefined;
		const width = derived ? Math.abs(neighbour.time - knot.time) / 3 : side.width;
		return [encodeNumber(width), number(side.slope)];
	};
	const out: Record<string, Json> = {
		time: encodeNumber(knot.time),
		value: number(knot.value),
		interp: INTERPOLATIONS[knot.interpolation],
		pre: tangent(knot.pre, spline.knots[index - 1]),
		post: tangent(knot.post, spline.knots[index + 1]),
	};
	if (knot.preValue !== undefined) out['preValue'] = number(knot.preValue);
	if (knot.pre.algorithm !== 'none' || knot.post.algorithm !== 'none') {
		out['algorithms'] = [ALGORITHMS[knot.pre.algorithm], ALGORITHMS[knot.post.algorithm]];
	}
	if (knot.customData.size > 0) out['customData'] = encodeGuessed(knot.customData);
	return out;
}

/** The oracle's Python binding hides the exact types in a knot's dictionary, so the nearest Python one stands for each. */
function encodeGuessed(dictionary: Dictionary): JsonObject {
	const out: Record<string, Json> = {};
	for (const [key, value] of dictionary) {
		const nested = dataOf(value, T.dictionary);
		if (nested !== undefined) {
			out[key] = { type: 'dictionary', value: encodeGuessed(nested) };
			continue;
		}
		const guess = value.type.isArray || value.type.width > 1 ? undefined : GUESSES[value.type.name];
		const json =
			guess === 'int'
				? Number(value.data)
				: guess === 'double'
					? encodeNumber(value.data as number)
					: encodeValue(value);
		out[key] = { type: guess ?? value.type.name, value: json };
	}
	return out;
}

const GUESSES: Readonly<Record<string, string>> = {
	uchar: 'int',
	int: 'int',
	uint: 'int',
	int64: 'int',
	uint64: 'int',
	half: 'double',
	float: 'double',
	double: 'double',
	token: 'string',
	string: 'string',
};
