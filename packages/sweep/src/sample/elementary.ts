// Engines differ in the last digits of logarithms and exponentials, and so would runs. These use sums, products, quotients and
// square roots alone, which IEEE 754 settles. The polynomials of log and exp are those of Sun's fdlibm, the quantile is
// algorithm AS 241 of Wichura (1988).

const bits = new DataView(new ArrayBuffer(8));
const LN2_HIGH = 6.9314718036912381649e-1;
const LN2_LOW = 1.90821492927058770002e-10;

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
	const odd = w * (0.3999999999940941908 + w * (0.2222219843214978396 + w * 0.1531383769920937332));
	const even =
		z * (0.666666666666673513 + w * (0.2857142874366239149 + w * (0.1818357216161805012 + w * 0.1479819860511658591)));
	const half = 0.5 * f * f;
	return exponent * LN2_HIGH - (half - (s * (half + odd + even) + exponent * LN2_LOW) - f);
}

/** Exponential; the error is below one unit in the last place. */
export function exponential(x: number): number {
	if (Number.isNaN(x)) return x;
	if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
	if (x < -745.1332191019411) return 0;
	const k = Math.round(x * 1.442695040888963387);
	const high = x - k * LN2_HIGH;
	const low = k * LN2_LOW;
	const r = high - low;
	const t = r * r;
	const c =
		r -
		t *
			(1.66666666666666019037e-1 +
				t *
					(-2.77777777770155933842e-3 +
						t * (6.61375632143793436117e-5 + t * (-1.6533902205465251539e-6 + t * 4.13813679705723846039e-8))));
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
	3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125, 45921.953931549871457,
	67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
];
const CENTRE_BELOW = [
	1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867, 39307.89580009271061,
	28729.085735721942674, 5226.495278852854561,
];
const MIDDLE_ABOVE = [
	1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504, 1.27045825245236838258,
	0.24178072517745061177, 2.27238449892691845833e-2, 7.7454501427834140764e-4,
];
const MIDDLE_BELOW = [
	1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455, 0.14810397642748007459,
	1.51986665636164571966e-2, 5.475938084995344946e-4, 1.05075007164441684324e-9,
];
const TAIL_ABOVE = [
	6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123, 2.6532189526576123093e-2,
	1.2426609473880784386e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
];
const TAIL_BELOW = [
	1, 0.59983220655588793769, 0.13692988092273580531, 1.48753612908506148525e-2, 7.868691311456132591e-4,
	1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15,
];
