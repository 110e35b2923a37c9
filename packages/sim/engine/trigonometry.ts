import {
	abs,
	all,
	any,
	at,
	choose,
	FAR,
	floor,
	isEqual,
	isLess,
	LANES,
	lane,
	mad,
	mul,
	nearest,
	neg,
	nmad,
	or,
	put,
	putLane,
	QUARTER,
	QUARTER_LAST,
	QUARTER_REST,
} from './lanes';

/** Sine and cosine of the last call. */
export let sine: v128 = f64x2.splat(0);
export let cosine: v128 = f64x2.splat(0);
const scratch: usize = memory.data(48, 16);

/** Sets `sine` and `cosine` of an angle: reduction by quarter turns, then the polynomials of minimal error on ±π/4. */
export function turn(angle: v128): void {
	// most joints are within an eighth of a turn of where they begin, in which nothing is reduced and nothing is swapped
	if (any(isLess(all(NEAR), abs(angle)))) {
		turnAny(angle);
		return;
	}
	const z = mul(angle, angle);
	sine = sineOf(angle, z);
	cosine = cosineOf(z);
}

/** A little less than an eighth of a turn. */
const NEAR: f64 = 0.785;

function sineOf(x: v128, z: v128): v128 {
	let s = mad(z, all(1.58969099521155e-10), all(-2.5050760253406863e-8));
	s = mad(z, s, all(2.7557313707070068e-6));
	s = mad(z, s, all(-0.0001984126982985795));
	s = mad(z, s, all(0.00833333333332249));
	s = mad(z, s, all(-0.16666666666666632));
	return mad(mul(z, x), s, x);
}

function cosineOf(z: v128): v128 {
	let c = mad(z, all(-1.1359647557788195e-11), all(2.087572321298175e-9));
	c = mad(z, c, all(-2.7557314351390663e-7));
	c = mad(z, c, all(2.480158728947673e-5));
	c = mad(z, c, all(-0.001388888888887411));
	c = mad(z, c, all(0.0416666666666666));
	return mad(mul(z, z), c, nmad(all(0.5), z, all(1)));
}

function turnAny(angle: v128): void {
	const quarters = nearest(mul(angle, all(0.6366197723675814)));
	let x = nmad(quarters, all(QUARTER), angle);
	x = nmad(quarters, all(QUARTER_REST), x);
	x = nmad(quarters, all(QUARTER_LAST), x);
	const z = mul(x, x);
	const s = sineOf(x, z);
	const c = cosineOf(z);
	// quarter turns: 1 and 3 swap, 2 and 3 turn the sine's sign, 1 and 2 the cosine's
	const quarter = nmad(all(4), floor(mul(quarters, all(0.25))), quarters);
	const isOne = isEqual(quarter, all(1));
	const isTwo = isEqual(quarter, all(2));
	const isThree = isEqual(quarter, all(3));
	const isSwapped = or(isOne, isThree);
	const a = choose(isSwapped, c, s);
	const b = choose(isSwapped, s, c);
	sine = choose(or(isTwo, isThree), neg(a), a);
	cosine = choose(or(isOne, isTwo), neg(b), b);
	const isFar = isLess(all(FAR), abs(angle));
	if (any(isFar)) turnFar(angle, isFar);
}

/** Angles that the reduction loses digits of, lane by lane; the others keep what they have. */
function turnFar(angle: v128, isFar: v128): void {
	put(scratch, 0, angle);
	for (let i = 0; i < LANES; i++) {
		const value = lane(scratch, 0, i);
		putLane(scratch, 1, i, Math.sin(value));
		putLane(scratch, 2, i, Math.cos(value));
	}
	sine = choose(isFar, at(scratch, 1), sine);
	cosine = choose(isFar, at(scratch, 2), cosine);
}
