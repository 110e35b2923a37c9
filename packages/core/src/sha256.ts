/** SHA-256 of bytes as lower-case hexadecimal text (FIPS 180-4). */
export function sha256Hex(bytes: Uint8Array): string {
	const state = new Int32Array(ROOTS_OF_SQUARES);
	const length = bytes.length;
	const padded = new Uint8Array(((length + 8) >> 6) * 64 + 64);
	padded.set(bytes);
	padded[length] = 0x80;
	const view = new DataView(padded.buffer);
	view.setUint32(padded.length - 8, Math.floor(length / 0x2000_0000));
	view.setUint32(padded.length - 4, (length << 3) >>> 0);
	const words = new Int32Array(64);
	for (let at = 0; at < padded.length; at += 64) {
		for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
		compress(state, words);
	}
	return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function compress(state: Int32Array, w: Int32Array): void {
	for (let i = 16; i < 64; i++) {
		const x = w[i - 15]!;
		const y = w[i - 2]!;
		const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
		const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
		w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
	}
	let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
	for (let i = 0; i < 64; i++) {
		const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
		const first = (h + s1 + ((e & f) ^ (~e & g)) + CUBE_ROOTS[i]! + w[i]!) | 0;
		const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
		const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
		h = g;
		g = f;
		f = e;
		e = (d + first) | 0;
		d = c;
		c = b;
		b = a;
		a = (first + second) | 0;
	}
	for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i]! + word) | 0;
}

function turn(word: number, bits: number): number {
	return (word >>> bits) | (word << (32 - bits));
}

/** The first primes; the constants are the fractions of their roots. */
function primes(count: number): number[] {
	const found: number[] = [];
	for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
	return found;
}

function fractionBits(value: number): number {
	return Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
}

const ROOTS_OF_SQUARES: readonly number[] = primes(8).map((prime) => fractionBits(Math.sqrt(prime)));
const CUBE_ROOTS: readonly number[] = primes(64).map((prime) => fractionBits(Math.cbrt(prime)));
