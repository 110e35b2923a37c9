/** The value of a 16-bit float given by its bits. @public */
export function halfToNumber(bits: number): number {
	const exponent = (bits >> 10) & 0x1f;
	const fraction = bits & 0x3ff;
	let magnitude: number;
	if (exponent === 0) magnitude = fraction * 2 ** -24;
	else if (exponent === 31) magnitude = fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
	else magnitude = (1 + fraction / 1024) * 2 ** (exponent - 15);
	return bits & 0x8000 ? -magnitude : magnitude;
}

/** The bits of the 16-bit float closest to `value` after rounding it to a 32-bit float, ties to even, as OpenUSD rounds. @public */
export function numberToHalf(value: number): number {
	FLOAT[0] = value;
	const bits = FLOAT_BITS[0]!;
	const sign = (bits >>> 16) & 0x8000;
	const magnitude = bits & 0x7fffffff;
	// infinity and not-a-number
	if (magnitude > 0x7f800000) return sign | 0x7e00;
	// 65520 and above round to infinity
	if (magnitude >= 0x477ff000) return sign | 0x7c00;
	// below the smallest normal half: count units of 2^-24
	if (magnitude < 0x38800000) return sign | roundToEven(Math.abs(FLOAT[0]!) * 2 ** 24);
	// rebias the exponent and round 23 fraction bits to 10; a carry moves into the exponent
	const rounded = magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1);
	return sign | (rounded >>> 13);
}

const FLOAT = new Float32Array(1);
const FLOAT_BITS = new Uint32Array(FLOAT.buffer);

function roundToEven(x: number): number {
	const floor = Math.floor(x);
	const rest = x - floor;
	if (rest > 0.5 || (rest === 0.5 && floor % 2 === 1)) return floor + 1;
	return floor;
}
