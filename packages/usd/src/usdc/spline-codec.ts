import { halfToNumber, numberToHalf } from '@manyworlds/core/internal';
import type {
	Extrapolation,
	ExtrapolationMode,
	Spline,
	SplineInterpolation,
	SplineKnot,
	SplineLoop,
	SplineTangent,
	TangentAlgorithm,
} from '../sdf/spline.ts';
import { type Dictionary, EMPTY_DICTIONARY } from '../sdf/value.ts';
import { CrateCursor } from './crate-cursor.ts';
import { CrateFault } from './crate-fault.ts';

/*
 * The bytes of a spline. Header byte 1: version (bits 0-3), value type (bits 4-5, from version 3 on bits 4-6), time-valued
 * (bit 6, before version 3), curve type (bit 7). Byte 2: extrapolation before (bits 0-2) and after (bits 3-5), inner loop
 * (bit 6). From version 3 on byte 3: whether a loop boundary time follows for before (bit 0) and after (bit 1).
 * Then boundary times, slopes of sloped extrapolations, inner loop, knot count, knots.
 * Versions: 1 in crate 0.12, 2 adds tangent algorithms (0.13), 3 loop boundaries and timecodes (0.15), 4 durations (0.16).
 */

const NEWEST_VERSION = 4;
const VALUE_TYPES = ['double', 'double', 'float', 'half', 'timecode', 'duration'] as const;
const EXTRAPOLATIONS: readonly ExtrapolationMode[] = [
	'none',
	'held',
	'linear',
	'sloped',
	'loop repeat',
	'loop reset',
	'loop oscillate',
];
const INTERPOLATIONS: readonly SplineInterpolation[] = ['none', 'held', 'linear', 'curve'];
const ALGORITHMS: readonly TangentAlgorithm[] = ['none', 'custom', 'autoEase'];

/** Decodes the bytes of a spline. `offset` is where they lie in the file, for messages. */
export function decodeSpline(bytes: Uint8Array, customData: ReadonlyMap<number, Dictionary>, offset: number): Spline {
	const held: Extrapolation = { mode: 'held' };
	if (bytes.length === 0) {
		return { valueType: 'double', curve: 'bezier', timeValued: false, pre: held, post: held, knots: [] };
	}
	const cursor = new CrateCursor(bytes);
	try {
		return decode(cursor, customData);
	} catch (error) {
		if (error instanceof CrateFault) throw new CrateFault(`in a spline: ${error.message}`, offset + error.offset);
		throw error;
	}
}

function decode(cursor: CrateCursor, customData: ReadonlyMap<number, Dictionary>): Spline {
	const first = cursor.uint8();
	const version = first & 15;
	if (version < 1 || version > NEWEST_VERSION) {
		throw new CrateFault(`the spline version is ${version}, expected 1 to ${NEWEST_VERSION}`, 0);
	}
	const valueType = pick(VALUE_TYPES, (first >>> 4) & (version < 3 ? 3 : 7), 'value type', 0);
	const timeValued = version < 3 ? (first & 0x40) !== 0 : valueType === 'timecode' || valueType === 'duration';
	const curve = first & 0x80 ? 'hermite' : 'bezier';
	const second = cursor.uint8();
	const boundaries = version < 3 ? 0 : cursor.uint8();
	const preBoundary = boundaries & 1 ? cursor.float64() : undefined;
	const postBoundary = boundaries & 2 ? cursor.float64() : undefined;
	const pre = decodeExtrapolation(cursor, second & 7, preBoundary);
	const post = decodeExtrapolation(cursor, (second >>> 3) & 7, postBoundary);
	const loop: SplineLoop | undefined =
		second & 0x40
			? {
					protoStart: cursor.float64(),
					protoEnd: cursor.float64(),
					preLoopCount: cursor.int32(),
					postLoopCount: cursor.int32(),
					valueOffset: cursor.float64(),
				}
			: undefined;
	const read = numberReader(cursor, valueType);
	const count = cursor.uint32();
	// The smallest knot: flags, time, value and two slopes.
	cursor.need(count, 15, 'a list of spline knots');
	const knots: SplineKnot[] = [];
	for (let i = 0; i < count; i++) {
		const flags = cursor.uint8();
		const time = cursor.float64();
		const value = read();
		const preValue = flags & 1 ? read() : undefined;
		const isHermite = curve === 'hermite';
		const preWidth = isHermite ? 0 : cursor.float64();
		const postWidth = isHermite ? 0 : cursor.float64();
		const preSlope = read();
		const postSlope = read();
		const algorithms = version >= 2 ? cursor.uint8() : 0;
		const tangent = (width: number, slope: number, algorithm: number): SplineTangent => ({
			width,
			slope,
			algorithm: pick(ALGORITHMS, algorithm, 'tangent algorithm', cursor.at - 1),
		});
		const knot: SplineKnot = {
			time,
			value,
			interpolation: INTERPOLATIONS[(flags >>> 1) & 3]!,
			pre: tangent(preWidth, preSlope, algorithms & 15),
			post: tangent(postWidth, postSlope, algorithms >>> 4),
			customData: customData.get(time) ?? EMPTY_DICTIONARY,
		};
		knots.push(preValue === undefined ? knot : { ...knot, preValue });
	}
	const spline: Spline = { valueType, curve, timeValued, pre, post, knots };
	return loop === undefined ? spline : { ...spline, loop };
}

function decodeExtrapolation(cursor: CrateCursor, code: number, boundary: number | undefined): Extrapolation {
	const mode = pick(EXTRAPOLATIONS, code, 'extrapolation', 1);
	if (mode === 'sloped') return { mode, slope: cursor.float64() };
	return boundary === undefined ? { mode } : { mode, loopBoundary: boundary };
}

function pick<V>(table: readonly V[], code: number, what: string, at: number): V {
	const entry = table[code];
	if (entry === undefined) throw new CrateFault(`the ${what} is ${code}, expected 0 to ${table.length - 1}`, at);
	return entry;
}

function numberReader(cursor: CrateCursor, valueType: Spline['valueType']): () => number {
	switch (valueType) {
		case 'half':
			return () => halfToNumber(cursor.uint16());
		case 'float':
			return () => cursor.float32();
		default:
			return () => cursor.float64();
	}
}

/** Version of the spline format that holds `spline`, and the minor crate version that it needs. */
export function splineVersion(spline: Spline): { readonly version: number; readonly minor: number } {
	if (spline.valueType === 'duration') return { version: 4, minor: 16 };
	if (
		spline.valueType === 'timecode' ||
		spline.pre.loopBoundary !== undefined ||
		spline.post.loopBoundary !== undefined
	) {
		return { version: 3, minor: 15 };
	}
	const usesAlgorithms = spline.knots.some((knot) => knot.pre.algorithm !== 'none' || knot.post.algorithm !== 'none');
	return usesAlgorithms ? { version: 2, minor: 13 } : { version: 1, minor: 12 };
}

/** Encodes a spline; custom data of knots is stored apart from it. */
export function encodeSpline(spline: Spline): Uint8Array {
	const { version } = splineVersion(spline);
	const out = new SplineBytes(spline);
	const type = { double: 1, float: 2, half: 3, timecode: 4, duration: 5 }[spline.valueType];
	const timeValued = version < 3 && spline.timeValued ? 0x40 : 0;
	out.uint8(version | (type << 4) | timeValued | (spline.curve === 'hermite' ? 0x80 : 0));
	const { pre, post, loop } = spline;
	out.uint8(
		EXTRAPOLATIONS.indexOf(pre.mode) | (EXTRAPOLATIONS.indexOf(post.mode) << 3) | (loop === undefined ? 0 : 0x40),
	);
	if (version >= 3) {
		out.uint8((pre.loopBoundary === undefined ? 0 : 1) | (post.loopBoundary === undefined ? 0 : 2));
		if (pre.loopBoundary !== undefined) out.float64(pre.loopBoundary);
		if (post.loopBoundary !== undefined) out.float64(post.loopBoundary);
	}
	if (pre.mode === 'sloped') out.float64(pre.slope ?? 0);
	if (post.mode === 'sloped') out.float64(post.slope ?? 0);
	if (loop !== undefined) {
		out.float64(loop.protoStart);
		out.float64(loop.protoEnd);
		out.int32(loop.preLoopCount);
		out.int32(loop.postLoopCount);
		out.float64(loop.valueOffset);
	}
	out.int32(spline.knots.length);
	for (const knot of spline.knots) {
		out.uint8((knot.preValue === undefined ? 0 : 1) | (INTERPOLATIONS.indexOf(knot.interpolation) << 1));
		out.float64(knot.time);
		out.number(knot.value);
		if (knot.preValue !== undefined) out.number(knot.preValue);
		if (spline.curve !== 'hermite') {
			out.float64(knot.pre.width);
			out.float64(knot.post.width);
		}
		out.number(knot.pre.slope);
		out.number(knot.post.slope);
		if (version >= 2) {
			out.uint8(ALGORITHMS.indexOf(knot.pre.algorithm) | (ALGORITHMS.indexOf(knot.post.algorithm) << 4));
		}
	}
	return out.take();
}

/** A buffer with room for one spline. */
class SplineBytes {
	readonly #view: DataView;
	readonly #valueType: Spline['valueType'];
	#at = 0;

	constructor(spline: Spline) {
		this.#view = new DataView(new ArrayBuffer(96 + spline.knots.length * 58));
		this.#valueType = spline.valueType;
	}

	uint8(value: number): void {
		this.#view.setUint8(this.#at, value);
		this.#at += 1;
	}

	int32(value: number): void {
		this.#view.setInt32(this.#at, value, true);
		this.#at += 4;
	}

	float64(value: number): void {
		this.#view.setFloat64(this.#at, value, true);
		this.#at += 8;
	}

	/** A knot value or slope, in the value type of the spline. */
	number(value: number): void {
		if (this.#valueType === 'half') {
			this.#view.setUint16(this.#at, numberToHalf(value), true);
			this.#at += 2;
		} else if (this.#valueType === 'float') {
			this.#view.setFloat32(this.#at, value, true);
			this.#at += 4;
		} else {
			this.float64(value);
		}
	}

	take(): Uint8Array {
		return new Uint8Array(this.#view.buffer, 0, this.#at);
	}
}
