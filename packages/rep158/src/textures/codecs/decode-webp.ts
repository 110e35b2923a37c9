import { checkSize, type Raster, UnreadableImage } from './raster.ts';

/** Decodes a lossless WebP image (the VP8L bitstream); lossy ones are not read. */
export function decodeWebp(bytes: Uint8Array): Raster {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	for (let at = 12; at + 8 <= bytes.length; ) {
		const name = String.fromCharCode(...bytes.subarray(at, at + 4));
		const size = view.getUint32(at + 4, true);
		if (name === 'VP8L') return new LosslessDecoder(bytes.subarray(at + 8, at + 8 + size)).decode();
		if (name === 'VP8 ') throw new UnreadableImage('is compressed with losses');
		if (name === 'ANMF') throw new UnreadableImage('is animated');
		at += 8 + size + (size & 1);
	}
	throw new UnreadableImage('has no picture');
}

/** Order of the codes of code lengths. */
const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;
/** Pixels near the present one by short distance codes: columns back, rows up. */
const NEAR: readonly (readonly [number, number])[] = [
	[0, 1],
	[1, 0],
	[1, 1],
	[-1, 1],
	[0, 2],
	[2, 0],
	[1, 2],
	[-1, 2],
	[2, 1],
	[-2, 1],
	[2, 2],
	[-2, 2],
	[0, 3],
	[3, 0],
	[1, 3],
	[-1, 3],
	[3, 1],
	[-3, 1],
	[2, 3],
	[-2, 3],
	[3, 2],
	[-3, 2],
	[0, 4],
	[4, 0],
	[1, 4],
	[-1, 4],
	[4, 1],
	[-4, 1],
	[3, 3],
	[-3, 3],
	[2, 4],
	[-2, 4],
	[4, 2],
	[-4, 2],
	[0, 5],
	[3, 4],
	[-3, 4],
	[4, 3],
	[-4, 3],
	[5, 0],
	[1, 5],
	[-1, 5],
	[5, 1],
	[-5, 1],
	[2, 5],
	[-2, 5],
	[5, 2],
	[-5, 2],
	[4, 4],
	[-4, 4],
	[3, 5],
	[-3, 5],
	[5, 3],
	[-5, 3],
	[0, 6],
	[6, 0],
	[1, 6],
	[-1, 6],
	[6, 1],
	[-6, 1],
	[2, 6],
	[-2, 6],
	[6, 2],
	[-6, 2],
	[4, 5],
	[-4, 5],
	[5, 4],
	[-5, 4],
	[3, 6],
	[-3, 6],
	[6, 3],
	[-6, 3],
	[0, 7],
	[7, 0],
	[1, 7],
	[-1, 7],
	[5, 5],
	[-5, 5],
	[7, 1],
	[-7, 1],
	[4, 6],
	[-4, 6],
	[6, 4],
	[-6, 4],
	[2, 7],
	[-2, 7],
	[7, 2],
	[-7, 2],
	[3, 7],
	[-3, 7],
	[7, 3],
	[-7, 3],
	[5, 6],
	[-5, 6],
	[6, 5],
	[-6, 5],
	[8, 0],
	[4, 7],
	[-4, 7],
	[7, 4],
	[-7, 4],
	[8, 1],
	[8, 2],
	[6, 6],
	[-6, 6],
	[8, 3],
	[5, 7],
	[-5, 7],
	[7, 5],
	[-7, 5],
	[8, 4],
	[6, 7],
	[-6, 7],
	[7, 6],
	[-7, 6],
	[8, 5],
	[7, 7],
	[-7, 7],
	[8, 6],
	[8, 7],
];

/** Prefix codes: children of inner nodes, or values of leaves as -1 - value. */
type PrefixTree = Int32Array;

type Transform =
	| { readonly kind: 'predictor' | 'colour'; readonly bits: number; readonly data: Uint32Array }
	| { readonly kind: 'green' }
	| { readonly kind: 'indexed'; readonly bits: number; readonly table: Uint32Array };

class LosslessDecoder {
	readonly #bytes: Uint8Array;
	#at = 0;
	#bit = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	decode(): Raster {
		if (this.#read(8) !== 0x2f) throw new UnreadableImage('has no lossless picture');
		const width = this.#read(14) + 1;
		const height = this.#read(14) + 1;
		const hasAlpha = this.#read(1) === 1;
		if (this.#read(3) !== 0) throw new UnreadableImage('is of a version that is not known');
		checkSize(width, height);
		const transforms: Transform[] = [];
		let columns = width;
		while (this.#read(1) === 1) {
			const transform = this.#readTransform(columns, height);
			transforms.push(transform);
			if (transform.kind === 'indexed') columns = Math.ceil(columns / 2 ** transform.bits);
		}
		let pixels = this.#readImage(columns, height, true);
		for (const transform of transforms.reverse()) pixels = undo(transform, pixels, width, height);
		const channels = hasAlpha ? 4 : 3;
		const samples = new Uint8Array(width * height * channels);
		for (let i = 0; i < width * height; i++) {
			const pixel = pixels[i]!;
			samples[channels * i] = (pixel >>> 16) & 255;
			samples[channels * i + 1] = (pixel >>> 8) & 255;
			samples[channels * i + 2] = pixel & 255;
			if (hasAlpha) samples[channels * i + 3] = pixel >>> 24;
		}
		return { width, height, channels, samples };
	}

	#read(count: number): number {
		let value = 0;
		for (let i = 0; i < count; i++) {
			const byte = this.#bytes[this.#at];
			if (byte === undefined) throw new UnreadableImage('is cut off');
			value += ((byte >> this.#bit) & 1) * 2 ** i;
			if (++this.#bit === 8) {
				this.#bit = 0;
				this.#at++;
			}
		}
		return value;
	}

	#readTransform(width: number, height: number): Transform {
		const kind = this.#read(2);
		if (kind === 2) return { kind: 'green' };
		if (kind === 3) {
			const size = this.#read(8) + 1;
			const table = this.#readImage(size, 1, false);
			for (let i = 1; i < size; i++) table[i] = addPixels(table[i]!, table[i - 1]!);
			return { kind: 'indexed', bits: size <= 2 ? 3 : size <= 4 ? 2 : size <= 16 ? 1 : 0, table };
		}
		const bits = this.#read(3) + 2;
		const data = this.#readImage(Math.ceil(width / 2 ** bits), Math.ceil(height / 2 ** bits), false);
		return { kind: kind === 0 ? 'predictor' : 'colour', bits, data };
	}

	#readImage(width: number, height: number, isMain: boolean): Uint32Array {
		const cacheBits = this.#read(1) === 1 ? this.#read(4) : 0;
		if (cacheBits > 11) throw new UnreadableImage('has a colour cache that is too large');
		let groups: Uint32Array | undefined;
		let groupBits = 0;
		let count = 1;
		if (isMain && this.#read(1) === 1) {
			groupBits = this.#read(3) + 2;
			groups = this.#readImage(Math.ceil(width / 2 ** groupBits), Math.ceil(height / 2 ** groupBits), false);
			for (let i = 0; i < groups.length; i++) {
				groups[i] = (groups[i]! >>> 8) & 0xffff;
				count = Math.max(count, groups[i]! + 1);
			}
		}
		const sizes = [256 + 24 + (cacheBits > 0 ? 2 ** cacheBits : 0), 256, 256, 256, 40];
		const codes = Array.from({ length: count }, () => sizes.map((size) => this.#readCode(size)));
		const across = Math.ceil(width / 2 ** groupBits);
		const cache = new Uint32Array(cacheBits > 0 ? 2 ** cacheBits : 0);
		const remember = (pixel: number): void => {
			if (cacheBits > 0) cache[Math.imul(pixel, 0x1e35a7bd) >>> (32 - cacheBits)] = pixel;
		};
		const out = new Uint32Array(width * height);
		for (let at = 0; at < out.length; ) {
			const [x, y] = [at % width, Math.floor(at / width)];
			const group = groups === undefined ? 0 : groups[(y >> groupBits) * across + (x >> groupBits)]!;
			const [green, red, blue, alpha, distance] = codes[group]! as [
				PrefixTree,
				PrefixTree,
				PrefixTree,
				PrefixTree,
				PrefixTree,
			];
			const symbol = this.#symbol(green);
			if (symbol < 256) {
				const r = this.#symbol(red);
				const b = this.#symbol(blue);
				const a = this.#symbol(alpha);
				const pixel = ((a << 24) | (r << 16) | (symbol << 8) | b) >>> 0;
				remember(pixel);
				out[at++] = pixel;
			} else if (symbol < 280) {
				const length = this.#extended(symbol - 256);
				const code = this.#extended(this.#symbol(distance));
				const near = NEAR[code - 1];
				const back = near === undefined ? code - NEAR.length : Math.max(1, near[0] + near[1] * width);
				if (back > at) throw new UnreadableImage('has compressed data that cannot be read');
				for (let i = 0; i < length && at < out.length; i++, at++) {
					out[at] = out[at - back]!;
					remember(out[at]!);
				}
			} else {
				const pixel = cache[symbol - 280];
				if (pixel === undefined) throw new UnreadableImage('has compressed data that cannot be read');
				out[at++] = pixel;
				remember(pixel);
			}
		}
		return out;
	}

	/** Lengths and distances: a prefix and more bits. */
	#extended(code: number): number {
		if (code < 4) return code + 1;
		const bits = (code - 2) >> 1;
		return (2 + (code & 1)) * 2 ** bits + this.#read(bits) + 1;
	}

	#symbol(tree: PrefixTree): number {
		let node = 0;
		for (;;) {
			const value = tree[node]!;
			if (value < 0) return -1 - value;
			node = value + this.#read(1);
		}
	}

	#readCode(size: number): PrefixTree {
		const lengths = new Uint8Array(size);
		if (this.#read(1) === 1) {
			const hasTwo = this.#read(1) === 1;
			const first = this.#read(this.#read(1) === 1 ? 8 : 1);
			lengths[first] = 1;
			if (hasTwo) lengths[this.#read(8)] = 1;
			return makeTree(lengths);
		}
		const count = this.#read(4) + 4;
		const ofLengths = new Uint8Array(19);
		for (let i = 0; i < count; i++) ofLengths[LENGTH_ORDER[i]!] = this.#read(3);
		let left = this.#read(1) === 1 ? 2 + this.#read(2 + 2 * this.#read(3)) : size;
		const tree = makeTree(ofLengths);
		let previous = 8;
		for (let i = 0; i < size && left > 0; left--) {
			const symbol = this.#symbol(tree);
			if (symbol < 16) {
				lengths[i++] = symbol;
				if (symbol !== 0) previous = symbol;
				continue;
			}
			const value = symbol === 16 ? previous : 0;
			const times = symbol === 16 ? 3 + this.#read(2) : symbol === 17 ? 3 + this.#read(3) : 11 + this.#read(7);
			for (let k = 0; k < times && i < size; k++) lengths[i++] = value;
		}
		return makeTree(lengths);
	}
}

/** A tree of canonical prefix codes; one symbol alone needs no bits. */
function makeTree(lengths: Uint8Array): PrefixTree {
	const used = [...lengths.keys()].filter((symbol) => lengths[symbol]! > 0);
	if (used.length <= 1) return Int32Array.of(-1 - (used[0] ?? 0));
	const nodes: number[] = [0];
	const open: (boolean | undefined)[] = [true];
	let code = 0;
	for (let length = 1; length <= 15; length++) {
		for (const symbol of used) {
			if (lengths[symbol] !== length) continue;
			let node = 0;
			for (let bit = length - 1; bit >= 0; bit--) {
				if (open[node]) {
					nodes[node] = nodes.length;
					open[node] = false;
					nodes.push(0, 0);
					open[nodes.length - 2] = true;
					open[nodes.length - 1] = true;
				}
				if (nodes[node]! < 0) throw new UnreadableImage('has compressed data that cannot be read');
				node = nodes[node]! + ((code >> bit) & 1);
			}
			nodes[node] = -1 - symbol;
			open[node] = false;
			code++;
		}
		code <<= 1;
	}
	if (open.includes(true)) throw new UnreadableImage('has compressed data that cannot be read');
	return Int32Array.from(nodes);
}

function addPixels(a: number, b: number): number {
	const odd = ((a & 0xff00ff00) >>> 0) + ((b & 0xff00ff00) >>> 0);
	const even = (a & 0x00ff00ff) + (b & 0x00ff00ff);
	return (((odd % 2 ** 32) & 0xff00ff00) | (even & 0x00ff00ff)) >>> 0;
}

function undo(transform: Transform, pixels: Uint32Array, width: number, height: number): Uint32Array {
	if (transform.kind === 'green') {
		for (let i = 0; i < pixels.length; i++) {
			const pixel = pixels[i]!;
			const green = (pixel >>> 8) & 255;
			const both = ((pixel & 0xff00ff) + ((green << 16) | green)) & 0xff00ff;
			pixels[i] = ((pixel & 0xff00ff00) | both) >>> 0;
		}
		return pixels;
	}
	if (transform.kind === 'indexed') return lookUp(transform, pixels, width, height);
	const across = Math.ceil(width / 2 ** transform.bits);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const at = y * width + x;
			const element = transform.data[(y >> transform.bits) * across + (x >> transform.bits)]!;
			if (transform.kind === 'colour') pixels[at] = shiftColour(pixels[at]!, element);
			else pixels[at] = addPixels(pixels[at]!, predictPixel(pixels, at, x, y, width, (element >>> 8) & 15));
		}
	}
	return pixels;
}

function lookUp(
	{ bits, table }: { readonly bits: number; readonly table: Uint32Array },
	packed: Uint32Array,
	width: number,
	height: number,
): Uint32Array {
	const out = new Uint32Array(width * height);
	const across = Math.ceil(width / 2 ** bits);
	const size = 8 >> bits;
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const green = (packed[y * across + (x >> bits)]! >>> 8) & 255;
			const index = (green >> ((x & (2 ** bits - 1)) * size)) & (2 ** size - 1);
			out[y * width + x] = table[index] ?? 0;
		}
	}
	return out;
}

function shiftColour(pixel: number, element: number): number {
	const signed = (value: number): number => (value << 24) >> 24;
	const delta = (factor: number, colour: number): number => (signed(factor) * signed(colour)) >> 5;
	const green = (pixel >>> 8) & 255;
	const red = ((pixel >>> 16) + delta(element & 255, green)) & 255;
	const blue = (pixel + delta((element >>> 8) & 255, green) + delta((element >>> 16) & 255, red)) & 255;
	return ((pixel & 0xff00ff00) | (red << 16) | blue) >>> 0;
}

function predictPixel(pixels: Uint32Array, at: number, x: number, y: number, width: number, mode: number): number {
	if (y === 0) return x === 0 ? 0xff000000 : pixels[at - 1]!;
	if (x === 0) return pixels[at - width]!;
	const [left, top] = [pixels[at - 1]!, pixels[at - width]!];
	const corner = pixels[at - width - 1]!;
	const right = pixels[at - width + 1]!;
	switch (mode) {
		case 1:
			return left;
		case 2:
			return top;
		case 3:
			return right;
		case 4:
			return corner;
		case 5:
			return average(average(left, right), top);
		case 6:
			return average(left, corner);
		case 7:
			return average(left, top);
		case 8:
			return average(corner, top);
		case 9:
			return average(top, right);
		case 10:
			return average(average(left, corner), average(top, right));
		case 11:
			return select(left, top, corner);
		case 12:
			return eachByte((shift) => clamp(byteAt(left, shift) + byteAt(top, shift) - byteAt(corner, shift)));
		case 13: {
			const middle = average(left, top);
			return eachByte((shift) => {
				const value = byteAt(middle, shift);
				return clamp(value + Math.trunc((value - byteAt(corner, shift)) / 2));
			});
		}
		default:
			return 0xff000000;
	}
}

function byteAt(pixel: number, shift: number): number {
	return (pixel >>> shift) & 255;
}

function clamp(value: number): number {
	return Math.min(255, Math.max(0, value));
}

function eachByte(value: (shift: number) => number): number {
	return ((value(24) << 24) | (value(16) << 16) | (value(8) << 8) | value(0)) >>> 0;
}

function average(a: number, b: number): number {
	return eachByte((shift) => (byteAt(a, shift) + byteAt(b, shift)) >> 1);
}

/** The one of left and top that is nearer to what they and the corner promise. */
function select(left: number, top: number, corner: number): number {
	let [toLeft, toTop] = [0, 0];
	for (const shift of [0, 8, 16, 24]) {
		toLeft += Math.abs(byteAt(top, shift) - byteAt(corner, shift));
		toTop += Math.abs(byteAt(left, shift) - byteAt(corner, shift));
	}
	return toLeft < toTop ? left : top;
}
