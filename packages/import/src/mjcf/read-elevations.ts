import type { MjcfValue } from '@manyworlds/formats';
import { readNumbers } from '@manyworlds/formats/internal';
import { decodeImage, type Raster } from '@manyworlds/image';
import { fullScale } from '@manyworlds/image/internal';
import type { Heightfield } from '@manyworlds/model';
import type { Attributes } from './attributes.ts';
import type { MjcfContext } from './context.ts';

/** Elevations with their grid. */
interface Grid {
	readonly rows: number;
	readonly columns: number;
	readonly data: Float64Array;
	/** Whether the first row is that of the largest y. */
	readonly isTopDown: boolean;
}

/** The heightfield of an asset; undefined, with a diagnostic, when its data cannot be read. */
export function readElevations(
	context: MjcfContext,
	attributes: Attributes,
	bytesOf: (value: MjcfValue) => Uint8Array | undefined,
): Heightfield | undefined {
	const size = attributes.numbers('size', { least: 1, most: 4 }) ?? Float64Array.of(1, 1, 1, 0);
	const grid = readGrid(attributes, bytesOf);
	if (grid === undefined) return undefined;
	const { rows, columns } = grid;
	const data = normalized(grid.data);
	const { scale } = context.options;
	return {
		rows,
		columns,
		data: grid.isTopDown ? flipped(data, rows, columns) : data,
		hx: size[0]! * scale,
		hy: (size[1] ?? 0) * scale,
		minZ: 0,
		maxZ: (size[2] ?? 0) * scale,
	};
}

function readGrid(attributes: Attributes, bytesOf: (value: MjcfValue) => Uint8Array | undefined): Grid | undefined {
	const rows = attributes.integer('nrow', 100);
	const columns = attributes.integer('ncol', 100);
	const file = attributes.values.get('file');
	const text = attributes.text('elevation');
	const isSane = rows > 0 && columns > 0 && rows * columns <= 1e8;
	if (file === undefined) {
		if (!isSane) {
			attributes.fault('MJCF013', 'nrow', `with ${columns} columns makes no grid`);
			return undefined;
		}
		if (text === undefined) return { rows, columns, data: new Float64Array(rows * columns), isTopDown: false };
		const data = readNumbers(text);
		if (data?.length === rows * columns) return { rows, columns, data, isTopDown: true };
		attributes.fault('MJCF013', 'nrow', `with ${columns} columns, but elevation has ${data?.length ?? 'no'} numbers`);
		return { rows, columns, data: new Float64Array(rows * columns), isTopDown: false };
	}
	attributes.text('file');
	const bytes = bytesOf(file);
	if (bytes === undefined) return undefined;
	const grid = /\.png$/i.test(file.text) ? fromPng(bytes) : fromBinary(bytes);
	if (grid === undefined) attributes.fault('MJCF010', 'file', 'which holds no elevations that can be read');
	return grid;
}

/** MuJoCo's own format: rows and columns as int32, then float32 elevations, the first row at the smallest y. */
function fromBinary(bytes: Uint8Array): Grid | undefined {
	if (bytes.length < 8) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const rows = view.getInt32(0, true);
	const columns = view.getInt32(4, true);
	if (!(rows > 0 && columns > 0) || bytes.length !== 8 + 4 * rows * columns) return undefined;
	const data = new Float64Array(rows * columns);
	for (let i = 0; i < data.length; i++) data[i] = view.getFloat32(8 + 4 * i, true);
	return data.every(Number.isFinite) ? { rows, columns, data, isTopDown: false } : undefined;
}

function fromPng(bytes: Uint8Array): Grid | undefined {
	const image = decodeImage(bytes);
	if ('reason' in image || image.format !== 'png') return undefined;
	const { raster } = image;
	return { rows: raster.height, columns: raster.width, data: brightness(raster), isTopDown: true };
}

/** Brightness from 0 to 1; of colours that of ITU-R 601, a whole number as common image libraries have it. */
function brightness({ width, height, channels, samples }: Raster): Float64Array {
	const full = fullScale(samples);
	return Float64Array.from({ length: width * height }, (_, i) => {
		const at = i * channels;
		if (channels < 3) return samples[at]! / full;
		const sum = samples[at]! * 19595 + samples[at + 1]! * 38470 + samples[at + 2]! * 7471;
		return Math.floor((sum + 32768) / 65536) / full;
	});
}

/** From 0 at the lowest to 1 at the highest; level data is 0. */
function normalized(data: Float64Array): Float64Array {
	let least = Number.POSITIVE_INFINITY;
	let most = Number.NEGATIVE_INFINITY;
	for (const value of data) {
		least = Math.min(least, value);
		most = Math.max(most, value);
	}
	return most > least ? data.map((value) => (value - least) / (most - least)) : new Float64Array(data.length);
}

function flipped(data: Float64Array, rows: number, columns: number): Float64Array {
	const out = new Float64Array(data.length);
	for (let row = 0; row < rows; row++) {
		out.set(data.subarray(row * columns, (row + 1) * columns), (rows - 1 - row) * columns);
	}
	return out;
}
