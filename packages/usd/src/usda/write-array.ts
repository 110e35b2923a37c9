import { halfToNumber } from '@manyworlds/core/internal';
import { T, type ValueType } from '../sdf/value-type.ts';
import { MAX_NUMBER_BYTES, writeDouble, writeFloat, writeInt } from '../text/format-number.ts';
import { writeAssetPath, writeQuoted } from '../text/quote-string.ts';
import type { TextOutput } from '../text/text-output.ts';
import { writeHalf } from './format-half.ts';

const COMMA = 0x2c;
const SPACE = 0x20;
const OPEN = 0x28;
const CLOSE = 0x29;

/** Writes one component of an array and gives the index behind it. */
type ComponentWriter = (bytes: Uint8Array, at: number, components: ArrayLike<number>, index: number) => number;

const WRITERS: { readonly [component: string]: ComponentWriter } = {
	bool: (bytes, at, components, index) => writeInt(bytes, at, components[index]! ? 1 : 0),
	uchar: (bytes, at, components, index) => writeInt(bytes, at, components[index]!),
	int: (bytes, at, components, index) => writeInt(bytes, at, components[index]!),
	uint: (bytes, at, components, index) => writeInt(bytes, at, components[index]!),
	half: (bytes, at, components, index) => {
		const bits = components[index]!;
		return writeHalf(bytes, at, halfToNumber(bits), (bits & 0x8000) !== 0);
	},
	float: (bytes, at, components, index) => writeFloat(bytes, at, components[index]!),
	double: (bytes, at, components, index) => writeDouble(bytes, at, components[index]!),
};

/** Writes the array `data` of `type` between brackets. */
export function writeArray(out: TextOutput, type: ValueType, data: unknown): void {
	out.byte(0x5b);
	switch (type.component) {
		case 'text':
			writeTexts(out, type, data as readonly string[]);
			break;
		case 'int64':
		case 'uint64':
			writeBigInts(out, data as BigInt64Array);
			break;
		case 'float':
			writeFloats(out, type, data as Float32Array);
			break;
		case 'int':
			if (type.width === 1) writeInts(out, data as Int32Array);
			else writeTuples(out, type, data as Int32Array);
			break;
		default:
			writeTuples(out, type, data as ArrayLike<number>);
	}
	out.byte(0x5d);
}

/** Writes the single value `data` of the type `type`, which is no array. */
export function writeElement(out: TextOutput, type: ValueType, data: unknown): void {
	if (type.width > 1) {
		writeTuples(out, type, data as ArrayLike<number>);
	} else if (type.component === 'text') {
		if (type === (T.asset as ValueType)) writeAssetPath(out, data as string);
		else writeQuoted(out, data as string);
	} else if (typeof data === 'bigint') {
		out.text(data.toString());
	} else {
		out.reserve(MAX_NUMBER_BYTES);
		const { bytes, length } = out;
		if (type.component === 'float') out.length = writeFloat(bytes, length, data as number);
		else if (type.component === 'half') out.length = writeHalf(bytes, length, data as number);
		else if (type.component === 'double') out.length = writeDouble(bytes, length, data as number);
		else out.length = writeInt(bytes, length, Number(data));
	}
}

function writeTexts(out: TextOutput, type: ValueType, texts: readonly string[]): void {
	const isAsset = type.element === (T.asset as ValueType);
	for (let i = 0; i < texts.length; i++) {
		if (i > 0) out.text(', ');
		if (isAsset) writeAssetPath(out, texts[i]!);
		else writeQuoted(out, texts[i]!);
	}
}

function writeBigInts(out: TextOutput, values: BigInt64Array): void {
	for (let i = 0; i < values.length; i++) {
		if (i > 0) out.text(', ');
		out.text(values[i]!.toString());
	}
}

function writeInts(out: TextOutput, values: Int32Array): void {
	for (let i = 0; i < values.length; i++) {
		out.reserve(MAX_NUMBER_BYTES);
		const bytes = out.bytes;
		let to = out.length;
		if (i > 0) {
			bytes[to++] = COMMA;
			bytes[to++] = SPACE;
		}
		out.length = writeInt(bytes, to, values[i]!);
	}
}

/** Float vectors are most of a mesh, so they get a loop of their own that the engine can specialise. */
function writeFloats(out: TextOutput, type: ValueType, values: Float32Array): void {
	const { width, shape } = type;
	if (shape !== 'scalar' && shape !== 'vector') {
		writeTuples(out, type, values);
		return;
	}
	const room = (width + 1) * MAX_NUMBER_BYTES;
	for (let i = 0; i < values.length; i += width) {
		out.reserve(room);
		const bytes = out.bytes;
		let to = out.length;
		if (i > 0) {
			bytes[to++] = COMMA;
			bytes[to++] = SPACE;
		}
		if (width > 1) bytes[to++] = OPEN;
		to = writeFloat(bytes, to, values[i]!);
		for (let j = 1; j < width; j++) {
			bytes[to++] = COMMA;
			bytes[to++] = SPACE;
			to = writeFloat(bytes, to, values[i + j]!);
		}
		if (width > 1) bytes[to++] = CLOSE;
		out.length = to;
	}
}

/** Elements of any number type and shape. Text orders quaternions real part first, memory real part last. */
function writeTuples(out: TextOutput, type: ValueType, values: ArrayLike<number>): void {
	const { width, shape } = type;
	const write = WRITERS[type.component]!;
	const rows = shape === 'matrix' ? Math.sqrt(width) : 1;
	const columns = width / rows;
	const first = shape === 'quaternion' ? 3 : 0;
	const room = (width + 2) * MAX_NUMBER_BYTES;
	for (let i = 0; i < values.length; i += width) {
		out.reserve(room);
		const bytes = out.bytes;
		let to = out.length;
		if (i > 0) {
			bytes[to++] = COMMA;
			bytes[to++] = SPACE;
		}
		if (rows > 1) {
			bytes[to++] = OPEN;
			bytes[to++] = SPACE;
		}
		for (let row = 0; row < rows; row++) {
			if (row > 0) {
				bytes[to++] = COMMA;
				bytes[to++] = SPACE;
			}
			if (width > 1) bytes[to++] = OPEN;
			for (let j = 0; j < columns; j++) {
				if (j > 0) {
					bytes[to++] = COMMA;
					bytes[to++] = SPACE;
				}
				to = write(bytes, to, values, i + row * columns + ((j + first) & (shape === 'quaternion' ? 3 : -1)));
			}
			if (width > 1) bytes[to++] = CLOSE;
		}
		if (rows > 1) {
			bytes[to++] = SPACE;
			bytes[to++] = CLOSE;
		}
		out.length = to;
	}
}
