import { ByteReader, checkSize, type Raster, UnreadableImage } from '../raster.ts';
import { EntropyReader, ZIGZAG } from './jpeg/entropy-reader.ts';
import { type HuffmanTable, huffmanTable } from './jpeg/huffman-table.ts';
import { flatTransform, inverseTransform } from './jpeg/inverse-transform.ts';
import { type JpegColors, putPixels } from './jpeg/pixel-colors.ts';
import { type Plane, upsampledRows } from './jpeg/upsampled-rows.ts';

interface Component {
	readonly id: number;
	readonly across: number;
	readonly down: number;
	readonly table: number;
	/** Blocks of a line and lines of blocks, filled up to whole units. */
	readonly blocksAcross: number;
	readonly blocksDown: number;
	/** Blocks that the image itself needs. */
	readonly usedAcross: number;
	readonly usedDown: number;
	readonly plane: Plane;
	/** The samples of the plane, where numbers beyond 0 and 255 end there. */
	readonly clamped: Uint8ClampedArray;
	/** Of progressive images, whose blocks come in parts. */
	readonly coefficients: Int16Array;
	/** Quantization when the first scan of the component began, in zigzag order. */
	steps: Uint16Array | undefined;
	previous: number;
	dc: HuffmanTable | undefined;
	ac: HuffmanTable | undefined;
}

interface Scan {
	readonly start: number;
	readonly end: number;
	readonly high: number;
	readonly low: number;
}

/** Decodes a JPEG image of 8 bits (ITU T.81), baseline or progressive: grey, YCbCr, RGB, or CMYK as programs of Adobe write it. Pixels are those of libjpeg. */
export function decodeJpeg(bytes: Uint8Array): Raster {
	return new JpegDecoder(bytes).decode();
}

class JpegDecoder {
	readonly #reader: ByteReader;
	readonly #entropy: EntropyReader;
	readonly #quantization: (Uint16Array | undefined)[] = [];
	readonly #tables: { dc: (HuffmanTable | undefined)[]; ac: (HuffmanTable | undefined)[] } = { dc: [], ac: [] };
	readonly #block = new Int32Array(64);
	#components: Component[] = [];
	#width = 0;
	#height = 0;
	#isProgressive = false;
	#restart = 0;
	#isJfif = false;
	#adobe = -1;

	constructor(bytes: Uint8Array) {
		this.#reader = new ByteReader(bytes, 2, false);
		this.#entropy = new EntropyReader(bytes, 0);
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
			else if (marker === 0xe0) this.#isJfif ||= this.#starts('JFIF', end);
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
			this.#quantization[head & 15] = Uint16Array.from({ length: 64 }, () => (head >> 4 ? reader.u16() : reader.u8()));
		}
	}

	#readHuffman(end: number): void {
		const reader = this.#reader;
		while (reader.at < end) {
			const head = reader.u8();
			const counts = reader.slice(16);
			const values = reader.slice(counts.reduce((sum, count) => sum + count, 0));
			this.#tables[head >> 4 ? 'ac' : 'dc'][head & 15] = huffmanTable(counts, values);
		}
	}

	#starts(name: string, end: number): boolean {
		const { at, bytes } = this.#reader;
		return end - at >= name.length && String.fromCharCode(...bytes.subarray(at, at + name.length)) === name;
	}

	#readAdobe(end: number): void {
		const { at, bytes } = this.#reader;
		if (end - at >= 12 && this.#starts('Adobe', end)) this.#adobe = bytes[at + 11]!;
	}

	#readFrame(marker: number): void {
		const reader = this.#reader;
		if (marker > 0xc2)
			throw new UnreadableImage(marker === 0xc3 ? 'is lossless JPEG' : 'is arithmetic or hierarchical JPEG');
		this.#isProgressive = marker === 0xc2;
		const depth = reader.u8();
		if (depth !== 8) throw new UnreadableImage(`has ${depth} bits`);
		const height = reader.u16();
		const width = reader.u16();
		[this.#width, this.#height] = [width, height];
		checkSize(width, height);
		const count = reader.u8();
		if (![1, 3, 4].includes(count)) throw new UnreadableImage(`has ${count} components`);
		const heads = Array.from({ length: count }, () => {
			const id = reader.u8();
			const sampling = reader.u8();
			return { id, across: sampling >> 4, down: sampling & 15, table: reader.u8() };
		});
		const mostAcross = Math.max(...heads.map(({ across }) => across));
		const mostDown = Math.max(...heads.map(({ down }) => down));
		this.#components = heads.map((head) => {
			if (head.across < 1 || head.down < 1) throw new UnreadableImage('has a component without samples');
			const blocksAcross = Math.ceil(width / (8 * mostAcross)) * head.across;
			const blocksDown = Math.ceil(height / (8 * mostDown)) * head.down;
			const plane = {
				samples: new Uint8Array(64 * blocksAcross * blocksDown).fill(128),
				stride: 8 * blocksAcross,
				width: Math.ceil((width * head.across) / mostAcross),
				height: Math.ceil((height * head.down) / mostDown),
				across: head.across / mostAcross,
				down: head.down / mostDown,
			};
			return {
				...head,
				blocksAcross,
				blocksDown,
				usedAcross: Math.ceil(plane.width / 8),
				usedDown: Math.ceil(plane.height / 8),
				plane,
				clamped: new Uint8ClampedArray(plane.samples.buffer),
				coefficients: new Int16Array(this.#isProgressive ? 64 * blocksAcross * blocksDown : 0),
				steps: undefined,
				previous: 0,
				dc: undefined,
				ac: undefined,
			};
		});
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
			component.steps ??= this.#quantization[component.table];
			return component;
		});
		const [start, end, steps] = [reader.u8(), reader.u8(), reader.u8()];
		const scan = { start, end: Math.min(end, 63), high: steps >> 4, low: steps & 15 };
		this.#reset();
		const [only] = scanned;
		if (only !== undefined) {
			if (scanned.length === 1) this.#readAlone(only, scan);
			else this.#readTogether(scanned, scan);
		}
		reader.at = this.#entropy.at;
	}

	/** A scan of one component has the blocks that the image needs. */
	#readAlone(component: Component, scan: Scan): void {
		const { usedAcross, usedDown, blocksAcross } = component;
		for (let row = 0, unit = 0; row < usedDown; row++) {
			for (let column = 0; column < usedAcross; column++, unit++) {
				if (unit > 0 && this.#restart > 0 && unit % this.#restart === 0 && !this.#passRestart()) return;
				this.#readBlock(component, row * blocksAcross + column, scan);
			}
		}
	}

	/** A scan of several has units with blocks of each. */
	#readTogether(scanned: readonly Component[], scan: Scan): void {
		const [first] = scanned;
		const unitsAcross = first!.blocksAcross / first!.across;
		const unitsDown = first!.blocksDown / first!.down;
		for (let row = 0, unit = 0; row < unitsDown; row++) {
			for (let column = 0; column < unitsAcross; column++, unit++) {
				if (unit > 0 && this.#restart > 0 && unit % this.#restart === 0 && !this.#passRestart()) return;
				for (const component of scanned) {
					const { across, down, blocksAcross } = component;
					for (let y = 0; y < down; y++) {
						for (let x = 0; x < across; x++) {
							this.#readBlock(component, (row * down + y) * blocksAcross + column * across + x, scan);
						}
					}
				}
			}
		}
	}

	#reset(): void {
		this.#entropy.restart(this.#reader.at);
		for (const component of this.#components) component.previous = 0;
	}

	/** Passes a restart marker; false when something else follows. */
	#passRestart(): boolean {
		this.#reader.at = this.#entropy.at;
		const marker = this.#nextMarker();
		if (marker < 0xd0 || marker > 0xd7) return false;
		this.#reset();
		return true;
	}

	#readBlock(component: Component, block: number, scan: Scan): void {
		const { coefficients, dc, ac } = component;
		const entropy = this.#entropy;
		const at = 64 * block;
		if (!this.#isProgressive) {
			const { steps } = component;
			if (steps === undefined) throw withoutQuantization();
			if (dc === undefined || ac === undefined) throw withoutHuffman();
			component.previous += entropy.difference(dc);
			this.#block[0] = component.previous * steps[0]!;
			this.#transform(component, block, entropy.sequential(this.#block, ac, steps) === 0);
		} else if (scan.start === 0) {
			if (scan.high === 0) {
				if (dc === undefined) throw withoutHuffman();
				component.previous += entropy.difference(dc);
				coefficients[at] = component.previous << scan.low;
			} else if (entropy.bit() === 1) coefficients[at] = coefficients[at]! | (1 << scan.low);
		} else {
			if (ac === undefined) throw withoutHuffman();
			if (scan.high === 0) entropy.first(coefficients, at, ac, scan.start, scan.end, scan.low);
			else entropy.refine(coefficients, at, ac, scan.start, scan.end, scan.low);
		}
	}

	/** Samples of the block at hand; a flat one has its first coefficient only. */
	#transform({ plane, clamped, blocksAcross }: Component, block: number, isFlat: boolean): void {
		const { stride } = plane;
		const row = Math.floor(block / blocksAcross);
		const to = 8 * row * stride + 8 * (block - row * blocksAcross);
		if (isFlat) flatTransform(this.#block[0]!, clamped, to, stride);
		else inverseTransform(this.#block, clamped, to, stride);
	}

	/** Samples of a progressive component, whose coefficients are complete. */
	#transformAll(component: Component): void {
		const { coefficients, blocksAcross, blocksDown } = component;
		const steps = new Int32Array(64);
		for (let k = 0; k < 64; k++) steps[ZIGZAG[k]!] = component.steps![k]!;
		const block = this.#block;
		for (let i = 0; i < blocksAcross * blocksDown; i++) {
			let others = 0;
			for (let k = 0; k < 64; k++) {
				const value = coefficients[64 * i + k]!;
				block[k] = value * steps[k]!;
				if (k > 0) others |= value;
			}
			this.#transform(component, i, others === 0);
		}
	}

	#assemble(): Raster {
		const [width, height] = [this.#width, this.#height];
		for (const component of this.#components) {
			component.steps ??= this.#quantization[component.table];
			if (component.steps === undefined) throw withoutQuantization();
			if (this.#isProgressive) this.#transformAll(component);
		}
		const rows = this.#components.map(({ plane }) => upsampledRows(plane, width));
		const colors = this.#colors();
		const channels = colors === 'grey' ? 1 : 3;
		const samples = new Uint8Array(width * height * channels);
		for (let y = 0; y < height; y++) {
			putPixels(
				samples,
				y * width * channels,
				width,
				rows.map((row) => row(y)),
				colors,
			);
		}
		return { width, height, channels, samples };
	}

	/** What the components are, told as libjpeg tells it (`jdapimin.c`). */
	#colors(): JpegColors {
		const count = this.#components.length;
		if (count === 1) return 'grey';
		if (count === 4) return this.#adobe < 0 ? 'CMYK' : this.#adobe === 2 ? 'Adobe YCCK' : 'Adobe CMYK';
		if (this.#isJfif) return 'YCbCr';
		if (this.#adobe >= 0) return this.#adobe === 0 ? 'RGB' : 'YCbCr';
		return this.#components.map(({ id }) => id).join() === '82,71,66' ? 'RGB' : 'YCbCr';
	}
}

function withoutQuantization(): UnreadableImage {
	return new UnreadableImage('has a component without its quantization table');
}

function withoutHuffman(): UnreadableImage {
	return new UnreadableImage('has a scan without its Huffman table');
}
