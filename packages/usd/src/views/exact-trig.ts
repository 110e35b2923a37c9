// Sine, cosine and arc cosine rounded to the nearest double. Engines differ in the last bit of theirs, so transforms
// would differ between machines, and from OpenUSD. Inside, numbers are sums of two doubles.

/** Sine and cosine of an angle in radians. */
export function sinCos(x: number): { sin: number; cos: number } {
	const { sin, cos } = sinCosPair(x);
	return { sin: sin[0], cos: cos[0] };
}

/** Arc cosine in radians; arguments beyond ±1 count as ±1. */
export function arcCosine(x: number): number {
	if (x <= -1) return Math.PI;
	if (!(x < 1)) return 0;
	const guess = Math.acos(x);
	// one step of Newton's method with the error of the guess in full
	const { sin, cos } = sinCosPair(guess);
	return guess + (cos[0] - x + cos[1]) / sin[0];
}

type Pair = readonly [high: number, low: number];

const HALF_PI = [1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33] as const;
/** Beyond this the remainder of a division by π/2 has too few digits. */
const LARGEST = 1e6;
/** Terms of the series that count up to π/4; the error of the later ones is too small to be carried along. */
const TERMS = 12;
const EXACT_TERMS = 4;

function sinCosPair(x: number): { sin: Pair; cos: Pair } {
	if (!(Math.abs(x) < LARGEST)) return { sin: [Math.sin(x), 0], cos: [Math.cos(x), 0] };
	const quarter = Math.round(x / HALF_PI[0]);
	const r = remainder(x, quarter);
	const square = multiply(r, r);
	const sin = multiply(r, series(square, 2));
	const cos = series(square, 1);
	switch (((quarter % 4) + 4) % 4) {
		case 0:
			return { sin, cos };
		case 1:
			return { sin: cos, cos: negate(sin) };
		case 2:
			return { sin: negate(sin), cos: negate(cos) };
		default:
			return { sin: negate(cos), cos: sin };
	}
}

/** x − quarter · π/2 */
function remainder(x: number, quarter: number): Pair {
	if (quarter === 0) return [x, 0];
	let r: Pair = [x, 0];
	for (const part of HALF_PI) r = add(r, negate(product(quarter, part)));
	return r;
}

/** 1 − s/(n(n+1)) · (1 − s/((n+2)(n+3)) · …): the series of the cosine for n = 1, of sin(x)/x for n = 2. */
function series(square: Pair, n: number): Pair {
	let rest = 1;
	for (let i = TERMS - 1; i >= EXACT_TERMS; i--) rest = 1 - (square[0] * rest) / ((n + 2 * i) * (n + 2 * i + 1));
	let sum: Pair = [rest, 0];
	for (let i = EXACT_TERMS - 1; i >= 0; i--) {
		const [high, low] = divide(multiply(square, sum), (n + 2 * i) * (n + 2 * i + 1));
		const total = 1 - high;
		sum = quickSum(total, 1 - total - high - low);
	}
	return sum;
}

function negate([high, low]: Pair): Pair {
	return [-high, -low];
}

function sum(a: number, b: number): Pair {
	const high = a + b;
	const part = high - a;
	return [high, a - (high - part) + (b - part)];
}

function quickSum(a: number, b: number): Pair {
	const high = a + b;
	return [high, b - (high - a)];
}

/** The product of two doubles and its rounding error, by halves of 26 bits. */
function product(a: number, b: number): Pair {
	const high = a * b;
	const splitA = 134217729 * a;
	const highA = splitA - (splitA - a);
	const lowA = a - highA;
	const splitB = 134217729 * b;
	const highB = splitB - (splitB - b);
	const lowB = b - highB;
	return [high, highA * highB - high + highA * lowB + lowA * highB + lowA * lowB];
}

function add(a: Pair, b: Pair): Pair {
	const [high, error] = sum(a[0], b[0]);
	const [low, rest] = sum(a[1], b[1]);
	const [high2, error2] = quickSum(high, error + low);
	return quickSum(high2, error2 + rest);
}

function multiply(a: Pair, b: Pair): Pair {
	const [high, error] = product(a[0], b[0]);
	return quickSum(high, error + (a[0] * b[1] + a[1] * b[0]));
}

function divide(a: Pair, by: number): Pair {
	const high = a[0] / by;
	const back = product(high, by);
	const low = (a[0] - back[0] - back[1] + a[1]) / by;
	return quickSum(high, low);
}
