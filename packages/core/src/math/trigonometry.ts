// Engines come to other last digits for sines than each other, and than their own next version. What is written to files has to be
// the same everywhere, so these use sums, products and square roots alone, which IEEE 754 settles. The polynomials are those of
// Sun's fdlibm, good to less than one unit in the last place.

/** Parts of π/2 whose products with whole numbers up to 2²⁰ are exact, and what is left. */
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_3 = 2.0222662487959506e-21;

/** Angles beyond which the whole turns would not be taken out exactly. */
const LARGEST = 1e6;

/** The sine of an angle [rad], the same on every engine for angles up to a million. */
export function sine(angle: number): number {
	// a zero keeps its sign
	return angle === 0 ? angle : turnPart(angle, 0);
}

/** The cosine of an angle [rad], the same on every engine for angles up to a million. */
export function cosine(angle: number): number {
	return turnPart(angle, 1);
}

/** The tangent of an angle [rad]. */
export function tangent(angle: number): number {
	return sine(angle) / cosine(angle);
}

/** The angle of the direction (x, y) from the x axis [rad], from -π to π. */
export function arcTangent2(y: number, x: number): number {
	if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
	const [ax, ay] = [Math.abs(x), Math.abs(y)];
	if (ax === 0 && ay === 0) return Object.is(x, -0) || x < 0 ? signed(Math.PI, y) : y;
	if (ax === 0) return signed(Math.PI / 2, y);
	const isSteep = ay > ax;
	const ratio = ax === ay ? 1 : isSteep ? ax / ay : ay / ax;
	const flat = arcTangent(ratio);
	const first = isSteep ? Math.PI / 2 - (flat - 6.123233995736766e-17) : flat;
	return signed(x < 0 ? Math.PI - (first - 1.2246467991473532e-16) : first, y);
}

/** The angle whose tangent is a number [rad], from -π/2 to π/2. */
export function arcTangent(value: number): number {
	const size = Math.abs(value);
	if (size > 1) return signed(Math.PI / 2 - (arcTangent(1 / size) - 6.123233995736766e-17), value);
	// near a half and near one the difference from a known angle is small
	if (size < 0.4375) return signed(size - size * arcSeries(size), value);
	const [high, low, rest] =
		size < 0.6875
			? ([0.46364760900080615, 2.2698777452961687e-17, (2 * size - 1) / (2 + size)] as const)
			: ([0.7853981633974483, 3.061616997868383e-17, (size - 1) / (size + 1)] as const);
	return signed(high - (rest * arcSeries(rest) - low - rest), value);
}

function signed(size: number, like: number): number {
	return like < 0 || Object.is(like, -0) ? -size : size;
}

/** One less the arc tangent over its argument, for small arguments. */
function arcSeries(x: number): number {
	const z = x * x;
	const w = z * z;
	const odd =
		z *
		(0.3333333333333293 +
			w *
				(0.14285714272503466 +
					w *
						(0.09090887133436507 + w * (0.06661073137387531 + w * (0.049768779946159324 + w * 0.016285820115365782)))));
	const even =
		w *
		(-0.19999999999876483 +
			w * (-0.11111110405462356 + w * (-0.0769187620504483 + w * (-0.058335701337905735 + w * -0.036531572744216916))));
	return odd + even;
}

/** The sine of an angle plus some quarter turns. */
function turnPart(angle: number, quarters: 0 | 1): number {
	if (!(Math.abs(angle) <= LARGEST)) return quarters === 0 ? Math.sin(angle) : Math.cos(angle);
	const n = Math.round(angle / (Math.PI / 2));
	const first = angle - n * HALF_PI_1;
	const second = n * HALF_PI_2;
	const high = first - second;
	const tail = first - high - second - n * HALF_PI_3;
	const x = high + tail;
	const y = high - x + tail;
	const quarter = (((n + quarters) % 4) + 4) % 4;
	const value = quarter % 2 === 0 ? sineNear(x, y) : cosineNear(x, y);
	return quarter < 2 ? value : -value;
}

/** The sine of x + y, for x up to π/4 and a y in its last digits. */
function sineNear(x: number, y: number): number {
	const z = x * x;
	const v = z * x;
	const r =
		0.00833333333332249 +
		z *
			(-0.0001984126982985795 +
				z * (0.0000027557313707070068 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10)));
	return x - (z * (0.5 * y - v * r) - y + v * 0.16666666666666632);
}

/** The cosine of x + y, for x up to π/4 and a y in its last digits. */
function cosineNear(x: number, y: number): number {
	const z = x * x;
	const r =
		z *
		(0.0416666666666666 +
			z *
				(-0.001388888888887411 +
					z *
						(0.00002480158728947673 +
							z * (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11)))));
	const half = 0.5 * z;
	const w = 1 - half;
	return w + (1 - w - half + (z * r - x * y));
}
