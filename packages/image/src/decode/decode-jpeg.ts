import { ByteReader, checkSize, type Raster, UnreadableImage } from '../raster.ts';

/** Places of the 64 coefficients of a block in the order of their frequencies (ITU T.81 figure A.6). */
const ZIGZAG: Uint8Array = Uint8Array.from([
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
	55, 62, 63,
]);

interface Component {
	readonly id: number;
	readonly across: number;
	readonly down: number;
	readonly table: number;
	/** Blocks of a line and lines of blocks, filled up to whole units. */
	blocksAcross: number;
	blocksDown: number;
	coefficients: Int16Array;
	/** Blocks that the image itself needs. */
	usedAcross: number;
	usedDown: number;
	previous: number;
	dc: HuffmanTable | undefined;
	ac: HuffmanTable | undefined;
}

/** Values by code length, as T.81 annex C has them. */
interface HuffmanTable {
	readonly most: Int32Array;
	readonly offset: Int32Array;
	readonly values: Uint8Array;
}

/** Decodes a JPEG image of 8 bits (ITU T.81), baseline or progressive: grey, YCbCr, RGB, or CMYK as programs of Adobe write it. */
export function decodeJpeg(bytes: Uint8Array): Raster {
	return new JpegDecoder(bytes).decode();
}

/** Samples of one component, and how many of them there are for each pixel. */
interface Plane {
	readonly plane: Uint8Array;
	readonly stride: number;
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** A sample at a pixel; where there are fewer samples than pixels, between the nearest ones. */
function planeAt({ plane, stride, x: fx, y: fy, width, height }: Plane, x: number, y: number): number {
	if (fx === 1 && fy === 1) return plane[y * stride + x]!;
	const px = Math.min(width - 1, Math.max(0, (x + 0.5) * fx - 0.5));
	const py = Math.min(height - 1, Math.max(0, (y + 0.5) * fy - 0.5));
	const [x0, y0] = [Math.floor(px), Math.floor(py)];
	const [x1, y1] = [Math.min(width - 1, x0 + 1), Math.min(height - 1, y0 + 1)];
	const [u, v] = [px - x0, py - y0];
	const upper = plane[y0 * stride + x0]! * (1 - u) + plane[y0 * stride + x1]! * u;
	const lower = plane[y1 * stride + x0]! * (1 - u) + plane[y1 * stride + x1]! * u;
	return Math.round(upper * (1 - v) + lower * v);
}

class JpegDecoder {
	readonly #reader: ByteReader;
	readonly #quantization: (Uint16Array | undefined)[] = [];
	readonly #tables: { dc: (HuffmanTable | undefined)[]; ac: (HuffmanTable | undefined)[] } = { dc: [], ac: [] };
	#components: Component[] = [];
	#width = 0;
	#height = 0;
	#isProgressive = false;
	#restart = 0;
	#adobe = -1;
	#bits = 0;
	#held = 0;
	/** Blocks to come that have no more coefficients (T.81 G.1.2.2). */
	#endOfBand = 0;

	constructor(bytes: Uint8Array) {
		this.#reader = new ByteReader(bytes, 2, false);
	}

	decode(): Raster {
		const reader = this.#reader;
		for (;;) {
			const marker = this.#nextMarker();
			if (marker === 0xd9 || marker < 0) break;
			if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) continue;
			const end = reader.at + reader.u16();
			if (marker === 0xdb) this.#readQuantization(end);
			else if (marker === 0xc4) this.#readHuffman(end);
			else if (marker === 0xdd) this.#restart = reader.u16();
			else if (marker === 0xee) this.#readAdobe(end);
			else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8 && marker !== 0xcc) this.#readFrame(marker);
			else if (marker === 0xda) {
				this.#readScan();
				continue;
			}
			reader.at = end;
		}
		if (this.#components.length === 0) throw new UnreadableImage('has no frame');
		return this.#assemble();
	}

	/** Goes to the next marker; -1 at the end. */
	#nextMarker(): number {
		const { bytes } = this.#reader;
		let { at } = this.#reader;
		while (at + 1 < bytes.length && !(bytes[at] === 0xff && bytes[at + 1] !== 0 && bytes[at + 1] !== 0xff)) at++;
		if (at + 1 >= bytes.length) return -1;
		this.#reader.at = at + 2;
		return bytes[at + 1]!;
	}

	#readQuantization(end: number): void {
		const reader = this.#reader;
		while (reader.at < end) {
			const head = reader.u8();
			const table = new Uint16Array(64);
			for (let i = 0; i < 64; i++) table[ZIGZAG[i]!] = head >> 4 ? reader.u16() : reader.u8();
			this.#quantization[head & 15] = table;
		}
	}

	#readHuffman(end: number): void {
		const reader = this.#reader;
		while (reader.at < end) {
			const head = reader.u8();
			const counts = reader.slice(16);
			const values = reader.slice(counts.reduce((sum, count) => sum + count, 0));
			const most = new Int32Array(17).fill(-1);
			const offset = new Int32Array(17);
			let [code, first] = [0, 0];
			for (let length = 1; length <= 16; length++) {
				const count = counts[length - 1]!;
				offset[length] = first - code;
				code += count;
				first += count;
				if (count > 0) most[length] = code - 1;
				code <<= 1;
			}
			this.#tables[head >> 4 ? 'ac' : 'dc'][head & 15] = { most, offset, values };
		}
	}

	#readAdobe(end: number): void {
		const name = String.fromCharCode(...this.#reader.bytes.subarray(this.#reader.at, this.#reader.at + 5));
		if (name === 'Adobe' && end - this.#reader.at >= 12) this.#adobe = this.#reader.bytes[this.#reader.at + 11]!;
	}

	#readFrame(marker: number): void {
		const reader = this.#reader;
		if (marker > 0xc2)
			throw new UnreadableImage(marker === 0xc3 ? 'is lossless JPEG' : 'is arithmetic or hierarchical JPEG');
		this.#isProgressive = marker === 0xc2;
		const depth = reader.u8();
		if (depth !== 8) throw new UnreadableImage(`has ${depth} bits`);
		this.#height = reader.u16();
		this.#width = reader.u16();
		checkSize(this.#width, this.#height);
		const count = reader.u8();
		if (![1, 3, 4].includes(count)) throw new UnreadableImage(`has ${count} components`);
		this.#components = Array.from({ length: count }, () => {
			const id = reader.u8();
			const sampling = reader.u8();
			return {
				id,
				across: sampling >> 4,
				down: sampling & 15,
				table: reader.u8(),
				blocksAcross: 0,
				blocksDown: 0,
				usedAcross: 0,
				usedDown: 0,
				coefficients: new Int16Array(0),
				previous: 0,
				dc: undefined,
				ac: undefined,
			};
		});
		const { across, down } = this.#most();
		const unitsAcross = Math.ceil(this.#width / (8 * across));
		const unitsDown = Math.ceil(this.#height / (8 * down));
		for (const component of this.#components) {
			if (component.across < 1 || component.down < 1) throw new UnreadableImage('has a component without samples');
			component.blocksAcross = unitsAcross * component.across;
			component.blocksDown = unitsDown * component.down;
			component.usedAcross = Math.ceil((Math.ceil(this.#width / 8) * component.across) / across);
			component.usedDown = Math.ceil((Math.ceil(this.#height / 8) * component.down) / down);
			component.coefficients = new Int16Array(64 * component.blocksAcross * component.blocksDown);
		}
	}

	#most(): { across: number; down: number } {
		return {
			across: Math.max(...this.#components.map(({ across }) => across)),
			down: Math.max(...this.#components.map(({ down }) => down)),
		};
	}

	#readScan(): void {
		const reader = this.#reader;
		const scanned = Array.from({ length: reader.u8() }, () => {
			const id = reader.u8();
			const tables = reader.u8();
			const component = this.#components.find((one) => one.id === id);
			if (component === undefined) throw new UnreadableImage(`has a scan of component ${id}, which it does not have`);
			component.dc = this.#tables.dc[tables >> 4];
			component.ac = this.#tables.ac[tables & 15];
			return component;
		});
		const [start, end, steps] = [reader.u8(), reader.u8(), reader.u8()];
		const scan = { start, end: Math.min(end, 63), high: steps >> 4, low: steps & 15 };
		this.#reset();
		const [only] = scanned;
		const { across } = this.#most();
		const units =
			scanned.length === 1
				? only!.usedAcross * only!.usedDown
				: Math.ceil(this.#width / (8 * across)) * (this.#components[0]!.blocksDown / this.#components[0]!.down);
		for (let unit = 0; unit < units; unit++) {
			if (this.#restart > 0 && unit > 0 && unit % this.#restart === 0 && !this.#passRestart()) return;
			if (scanned.length === 1) {
				const row = Math.floor(unit / only!.usedAcross);
				this.#readBlock(only!, row * only!.blocksAcross + (unit % only!.usedAcross), scan);
				continue;
			}
			for (const component of scanned) {
				const perLine = component.blocksAcross / component.across;
				const [column, row] = [unit % perLine, Math.floor(unit / perLine)];
				for (let y = 0; y < component.down; y++) {
					for (let x = 0; x < component.across; x++) {
						const block = (row * component.down + y) * component.blocksAcross + column * component.across + x;
						this.#readBlock(component, block, scan);
					}
				}
			}
		}
	}

	#reset(): void {
		this.#bits = 0;
		this.#held = 0;
		this.#endOfBand = 0;
		for (const component of this.#components) component.previous = 0;
	}

	/** Passes a restart marker; false when something else follows. */
	#passRestart(): boolean {
		const marker = this.#nextMarker();
		if (marker < 0xd0 || marker > 0xd7) {
			this.#reader.at -= 2;
			return false;
		}
		this.#reset();
		return true;
	}

	#bit(): number {
		if (this.#held === 0) {
			const { bytes } = this.#reader;
			const { at } = this.#reader;
			const byte = bytes[at];
			// behind the data of a scan there are zeros
			if (byte === undefined || (byte === 0xff && bytes[at + 1] !== 0)) this.#bits = 0;
			else {
				this.#bits = byte;
				this.#reader.at = at + (byte === 0xff ? 2 : 1);
			}
			this.#held = 8;
		}
		this.#held--;
		return (this.#bits >> this.#held) & 1;
	}

	#receive(count: number): number {
		let value = 0;
		for (let i = 0; i < count; i++) value = (value << 1) | this.#bit();
		return value;
	}

	/** A number of `count` bits with its sign (T.81 F.2.2.1). */
	#signed(count: number): number {
		if (count === 0) return 0;
		const value = this.#receive(count);
		return value < 1 << (count - 1) ? value - (1 << count) + 1 : value;
	}

	#symbol(table: HuffmanTable | undefined): number {
		if (table === undefined) throw new UnreadableImage('has a scan without its Huffman table');
		let code = 0;
		for (let length = 1; length <= 16; length++) {
			code = (code << 1) | this.#bit();
			if (code <= table.most[length]!) return table.values[code + table.offset[length]!] ?? 0;
		}
		throw new UnreadableImage('has compressed data that cannot be read');
	}

	#readBlock(
		component: Component,
		block: number,
		scan: { readonly start: number; readonly end: number; readonly high: number; readonly low: number },
	): void {
		const at = 64 * block;
		if (!this.#isProgressive) {
			this.#readBaseline(component, at);
			return;
		}
		if (scan.start === 0) {
			if (scan.high === 0) {
				component.previous += this.#signed(this.#symbol(component.dc));
				component.coefficients[at] = component.previous * 2 ** scan.low;
			} else if (this.#bit() === 1) component.coefficients[at] = component.coefficients[at]! | (1 << scan.low);
			return;
		}
		if (scan.high === 0) this.#readFirst(component, at, scan.start, scan.end, scan.low);
		else this.#refine(component, at, scan.start, scan.end, scan.low);
	}

	#readBaseline(component: Component, at: number): void {
		component.previous += this.#signed(this.#symbol(component.dc));
		component.coefficients[at] = component.previous;
		for (let k = 1; k < 64; k++) {
			const symbol = this.#symbol(component.ac);
			const size = symbol & 15;
			const run = symbol >> 4;
			if (size === 0) {
				if (run < 15) return;
				k += 15;
				continue;
			}
			k += run;
			if (k > 63) throw new UnreadableImage('has compressed data that cannot be read');
			component.coefficients[at + ZIGZAG[k]!] = this.#signed(size);
		}
	}

	#readFirst(component: Component, at: number, start: number, end: number, low: number): void {
		if (this.#endOfBand > 0) {
			this.#endOfBand--;
			return;
		}
		for (let k = start; k <= end; k++) {
			const symbol = this.#symbol(component.ac);
			const size = symbol & 15;
			const run = symbol >> 4;
			if (size === 0) {
				if (run < 15) {
					this.#endOfBand = (1 << run) + this.#receive(run) - 1;
					return;
				}
				k += 15;
				continue;
			}
			k += run;
			if (k > 63) throw new UnreadableImage('has compressed data that cannot be read');
			component.coefficients[at + ZIGZAG[k]!] = this.#signed(size) * 2 ** low;
		}
	}

	/** One more bit of coefficients (T.81 G.1.2.3). */
	#refine({ coefficients, ac }: Component, at: number, start: number, end: number, low: number): void {
		const step = 1 << low;
		let k = start;
		if (this.#endOfBand === 0) {
			for (; k <= end; k++) {
				const symbol = this.#symbol(ac);
				let run = symbol >> 4;
				let value = 0;
				if ((symbol & 15) === 0) {
					if (run < 15) {
						this.#endOfBand = (1 << run) + this.#receive(run);
						break;
					}
				} else value = this.#bit() === 1 ? step : -step;
				for (; k <= end; k++) {
					const place = at + ZIGZAG[k]!;
					if (coefficients[place] !== 0) this.#refineOne(coefficients, place, step);
					else if (run-- === 0) {
						if (value !== 0) coefficients[place] = value;
						break;
					}
				}
			}
		}
		if (this.#endOfBand === 0) return;
		for (; k <= end; k++) {
			const place = at + ZIGZAG[k]!;
			if (coefficients[place] !== 0) this.#refineOne(coefficients, place, step);
		}
		this.#endOfBand--;
	}

	#refineOne(coefficients: Int16Array, place: number, step: number): void {
		const value = coefficients[place]!;
		if (this.#bit() === 1 && (Math.abs(value) & step) === 0) coefficients[place] = value + (value > 0 ? step : -step);
	}

	#assemble(): Raster {
		const [width, height] = [this.#width, this.#height];
		const { across, down } = this.#most();
		const planes = this.#components.map((component) => ({
			plane: this.#transform(component),
			stride: 8 * component.blocksAcross,
			x: component.across / across,
			y: component.down / down,
			width: Math.ceil((width * component.across) / across),
			height: Math.ceil((height * component.down) / down),
		}));
		const count = planes.length;
		const channels = count === 1 ? 1 : 3;
		const samples = new Uint8Array(width * height * channels);
		const isRgb = count === 3 && (this.#adobe === 0 || this.#components.map(({ id }) => id).join() === '82,71,66');
		const pixel = [0, 0, 0, 0];
		for (let y = 0; y < height; y++) {
			for (let x = 0; x < width; x++) {
				for (let c = 0; c < count; c++) {
					pixel[c] = planeAt(planes[c]!, x, y);
				}
				const to = (y * width + x) * channels;
				if (count === 1) samples[to] = pixel[0]!;
				else this.#putColour(samples, to, pixel, isRgb || (count === 4 && this.#adobe !== 2), count === 4);
			}
		}
		return { width, height, channels, samples };
	}

	/** YCbCr as JFIF has it; CMYK of Adobe is stored upside down. */
	#putColour(samples: Uint8Array, to: number, pixel: readonly number[], isDirect: boolean, isCmyk: boolean): void {
		const [a, b, c, k] = pixel as [number, number, number, number];
		const red = isDirect ? a : a + 1.402 * (c - 128);
		const green = isDirect ? b : a - 0.344136286 * (b - 128) - 0.714136286 * (c - 128);
		const blue = isDirect ? c : a + 1.772 * (b - 128);
		const ink = isCmyk ? (this.#adobe >= 0 ? k : 255 - k) / 255 : 1;
		[red, green, blue].forEach((value, i) => {
			const clamped = Math.min(255, Math.max(0, value));
			const light = isCmyk && this.#adobe < 0 ? 255 - clamped : clamped;
			samples[to + i] = Math.round(light * ink);
		});
	}

	/** Samples of a component: coefficients times quantization, transformed by T.81 A.3.3. */
	#transform(component: Component): Uint8Array {
		const { blocksAcross, blocksDown, coefficients } = component;
		const quantization = this.#quantization[component.table];
		if (quantization === undefined) throw new UnreadableImage('has a component without its quantization table');
		const stride = 8 * blocksAcross;
		const out = new Uint8Array(stride * 8 * blocksDown);
		const input = new Float64Array(64);
		const rows = new Float64Array(64);
		for (let block = 0; block < blocksAcross * blocksDown; block++) {
			for (let i = 0; i < 64; i++) input[i] = coefficients[64 * block + i]! * quantization[i]!;
			for (let v = 0; v < 8; v++) {
				for (let x = 0; x < 8; x++) {
					let sum = 0;
					for (let u = 0; u < 8; u++) sum += COSINES[8 * x + u]! * input[8 * v + u]!;
					rows[8 * v + x] = sum;
				}
			}
			const from = 8 * Math.floor(block / blocksAcross) * stride + 8 * (block % blocksAcross);
			for (let y = 0; y < 8; y++) {
				for (let x = 0; x < 8; x++) {
					let sum = 0;
					for (let v = 0; v < 8; v++) sum += COSINES[8 * y + v]! * rows[8 * v + x]!;
					out[from + y * stride + x] = Math.min(255, Math.max(0, Math.round(sum + 128)));
				}
			}
		}
		return out;
	}
}

/** cos((2x + 1) u π / 16) C(u) / 2 at 8 x + u. */
const COSINES: Float64Array = Float64Array.from({ length: 64 }, (_, i) => {
	const [x, u] = [i >> 3, i & 7];
	return (Math.cos(((2 * x + 1) * u * Math.PI) / 16) * (u === 0 ? Math.SQRT1_2 : 1)) / 2;
});
