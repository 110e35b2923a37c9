import { ByteReader, checkSize, type Raster, UnreadableImage } from '../raster.ts';

/** Decodes a Radiance HDR image to linear floats; runs of both the old and the new kind. */
export function decodeHdr(bytes: Uint8Array): Raster {
	const reader = new ByteReader(bytes);
	const line = (): string => {
		let text = '';
		for (let byte = reader.u8(); byte !== 10; byte = reader.u8()) text += String.fromCharCode(byte);
		return text;
	};
	for (let text = line(); text.trim() !== ''; text = line()) {
		if (/^FORMAT=/.test(text) && !text.includes('32-bit_rle_rgbe'))
			throw new UnreadableImage(`is of the form ${text.slice(7)}`);
	}
	const [, ySign, yCount, xSign, xCount] = /^([+-])Y (\d+) ([+-])X (\d+)/.exec(line()) ?? [];
	if (yCount === undefined || xCount === undefined) throw new UnreadableImage('is stored by columns');
	const [width, height] = [Number(xCount), Number(yCount)];
	checkSize(width, height);
	const samples = new Float32Array(width * height * 3);
	const scan = new Uint8Array(width * 4);
	for (let y = 0; y < height; y++) {
		readScan(reader, scan, width);
		const row = ySign === '-' ? y : height - 1 - y;
		for (let x = 0; x < width; x++) {
			const exponent = scan[4 * x + 3]!;
			const scale = exponent === 0 ? 0 : 2 ** (exponent - 136);
			const to = (row * width + (xSign === '+' ? x : width - 1 - x)) * 3;
			for (let c = 0; c < 3; c++) samples[to + c] = scan[4 * x + c]! * scale;
		}
	}
	return { width, height, channels: 3, samples };
}

function readScan(reader: ByteReader, scan: Uint8Array, width: number): void {
	const head = reader.slice(4);
	const isNew = width >= 8 && width < 32768 && head[0] === 2 && head[1] === 2 && head[2]! * 256 + head[3]! === width;
	if (isNew) {
		for (let c = 0; c < 4; c++) {
			for (let x = 0; x < width; ) {
				const count = reader.u8();
				if (count > 128) {
					const value = reader.u8();
					for (let i = 0; i < count - 128 && x < width; i++, x++) scan[4 * x + c] = value;
				} else for (let i = 0; i < count && x < width; i++, x++) scan[4 * x + c] = reader.u8();
			}
		}
		return;
	}
	let shift = 0;
	reader.at -= 4;
	for (let x = 0; x < width; ) {
		const pixel = reader.slice(4);
		if (pixel[0] === 1 && pixel[1] === 1 && pixel[2] === 1) {
			for (let i = pixel[3]! << shift; i > 0 && x < width; i--, x++) scan.copyWithin(4 * x, 4 * x - 4, 4 * x);
			shift += 8;
			continue;
		}
		scan.set(pixel, 4 * x++);
		shift = 0;
	}
}
