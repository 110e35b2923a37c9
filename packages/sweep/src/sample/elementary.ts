// Engines differ in the last digits of logarithms and exponentials, and so would runs. These use sums, products, quotients and
// square roots alone, which IEEE 754 settles. The polynomials of log and exp are those of Sun's fdlibm, the quantile is
// algorithm AS 241 of Wichura (1988).

const bits = new DataView(new ArrayBuffer(8));
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** Natural logarithm; the error is below one unit in the last place. */
export function naturalLog(x: number): number {
	if (Number.isNaN(x) || x < 0) return Number.NaN;
	if (x === 0) return Number.NEGATIVE_INFINITY;
	if (x === Number.POSITIVE_INFINITY) return x;
	let exponent = 0;
	let value = x;
	if (value < 2.2250738585072014e-308) {
		value *= 2 ** 54;
		exponent = -54;
	}
	bits.setFloat64(0, value);
	const high = bits.getUint32(0);
	const mantissa = high & 0xfffff;
	// a mantissa above √2 counts as below one
	const shift = (mantissa + 0x95f64) & 0x100000;
	bits.setUint32(0, mantissa | (shift ^ 0x3ff00000));
	exponent += (high >>> 20) - 1023 + (shift >>> 20);
	const f = bits.getFloat64(0) - 1;
	const s = f / (2 + f);
	const z = s * s;
	const w = z * z;
	const odd = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
	const even = z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
	const half = 0.5 * f * f;
	return exponent * LN2_HIGH - (half - (s * (half + odd + even) + exponent * LN2_LOW) - f);
}

/** Exponential; the error is below one unit in the last place. */
export function exponential(x: number): number {
	if (Number.isNaN(x)) return x;
	if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
	if (x < -745.1332191019411) return 0;
	const k = Math.round(x * Math.LOG2E);
	const high = x - k * LN2_HIGH;
	const low = k * LN2_LOW;
	const r = high - low;
	const t = r * r;
	const c =
		r -
		t *
			(0.16666666666666602 +
				t *
					(-0.0027777777777015593 +
						t * (6.613756321437934e-5 + t * (-1.6533902205465252e-6 + t * 4.1381367970572385e-8))));
	const y = 1 - (low - (r * c) / (2 - c) - high);
	return scaleByPower(y, k);
}

/** y · 2^k, in two steps where 2^k itself is no number. */
function scaleByPower(y: number, k: number): number {
	const half = k >> 1;
	return y * powerOfTwo(half) * powerOfTwo(k - half);
}

function powerOfTwo(exponent: number): number {
	bits.setUint32(0, (exponent + 1023) << 20);
	bits.setUint32(4, 0);
	return bits.getFloat64(0);
}

/** Share of a standard normal distribution below x; the relative error is below 1e-12. */
export function normalShare(x: number): number {
	if (Number.isNaN(x)) return x;
	const a = Math.abs(x);
	const upper = a < 2.5 ? 0.5 - centralShare(a) : tailShare(a);
	return x < 0 ? upper : 1 - upper;
}

/** Share between 0 and x: density · Σ x^(2n+1) / (1·3·5…), all terms positive. */
function centralShare(x: number): number {
	let term = x;
	let sum = x;
	for (let n = 1; term > sum * 1e-18; n++) {
		term *= (x * x) / (2 * n + 1);
		sum += term;
	}
	return density(x) * sum;
}

/** Share above x by the continued fraction of Laplace, for x of at least 2.5. */
function tailShare(x: number): number {
	if (x > 38) return 0;
	let fraction = x;
	for (let n = 200; n > 0; n--) fraction = x + n / fraction;
	return density(x) / fraction;
}

function density(x: number): number {
	return 0.3989422804014327 * exponential(-0.5 * x * x);
}

/** The number that a share p of a standard normal distribution lies below; the relative error is below 1e-14. */
export function normalQuantile(p: number): number {
	if (!(p > 0)) return p === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
	if (p >= 1) return p === 1 ? Number.POSITIVE_INFINITY : Number.NaN;
	const q = p - 0.5;
	if (Math.abs(q) <= 0.425) {
		const r = 0.180625 - q * q;
		return (q * horner(CENTRE_ABOVE, r)) / horner(CENTRE_BELOW, r);
	}
	let r = Math.sqrt(-naturalLog(q < 0 ? p : 1 - p));
	let value: number;
	if (r <= 5) {
		r -= 1.6;
		value = horner(MIDDLE_ABOVE, r) / horner(MIDDLE_BELOW, r);
	} else {
		r -= 5;
		value = horner(TAIL_ABOVE, r) / horner(TAIL_BELOW, r);
	}
	return q < 0 ? -value : value;
}

function horner(coefficients: readonly number[], x: number): number {
	let value = 0;
	for (let i = coefficients.length - 1; i >= 0; i--) value = value * x + coefficients[i]!;
	return value;
}

const CENTRE_ABOVE = [
	3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
	33430.57558358813, 2509.0809287301227,
];
const CENTRE_BELOW = [
	1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
	5226.495278852854,
];
const MIDDLE_ABOVE = [
	1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
	0.022723844989269184, 0.0007745450142783414,
];
const MIDDLE_BELOW = [
	1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
	0.0005475938084995345, 1.0507500716444169e-9,
];
const TAIL_ABOVE = [
	6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
	0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
];
const TAIL_BELOW = [
	1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
	1.421511758316446e-7, 2.0442631033899397e-15,
];
