import { GeoType } from '@manyworlds/model';
import type { ConvexShape } from './convex-shape.ts';

/** Steps of the search at most. */
const MOST_STEPS = 100;
/** Cosine of an angle that is right but for rounding. */
const ROUNDING = 1e-16;
/** Tangents of half the angles at which the other end of an interval is looked for. */
const REACHES = Float64Array.of(0.02, 0.1, 0.4, 1);
/** Cosines of eight angles around a circle. */
const COSINES = Float64Array.of(1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2, 0, Math.SQRT1_2);

/**
 * A place on the rim of a cylinder's cap from where a box or another cylinder is nearest, all in the frame of that other shape. The cap is
 * convex, so that the nearest place is where the way to the other shape has no part along the rim, near the place where the search begins.
 * Inputs and results are fields, as numbers that go through calls are boxed.
 */
export class RimDistance {
	/** Middle of the cap, the way from there to where the search begins, and the way a quarter farther on; the caller sets them. */
	cx = 0;
	cy = 0;
	cz = 0;
	ux = 0;
	uy = 0;
	uz = 0;
	vx = 0;
	vy = 0;
	vz = 0;
	/** The nearest place, and the way to it from the nearest point of the other shape. */
	x = 0;
	y = 0;
	z = 0;
	ex = 0;
	ey = 0;
	ez = 0;

	/** Sizes of the other shape. */
	#hx = 0;
	#hy = 0;
	#hz = 0;
	#isRound = false;
	/** Tangent of half the angle from the beginning, and the slope of the distance there. */
	#s = 0;
	#slope = 0;

	/** Finds the place for a box or a cylinder; false when it is not within a quarter of the rim from the beginning. */
	compute(shape: ConvexShape): boolean {
		this.#take(shape);
		this.#s = 0;
		this.#measure();
		if (this.#slope === 0) return true;
		let low = 0;
		let high = 0;
		let lowSlope = this.#slope;
		let highSlope = this.#slope;
		const isUp = this.#slope < 0;
		for (let i = 0; i < REACHES.length; i++) {
			this.#s = isUp ? REACHES[i]! : -REACHES[i]!;
			this.#measure();
			if (isUp) {
				high = this.#s;
				highSlope = this.#slope;
				if (highSlope >= 0) break;
				low = high;
				lowSlope = highSlope;
			} else {
				low = this.#s;
				lowSlope = this.#slope;
				if (lowSlope <= 0) break;
				high = low;
				highSlope = lowSlope;
			}
		}
		if (this.#slope === 0) return true;
		if (!(lowSlope < 0 && highSlope > 0)) return false;
		// false position with the weight of an end that stays halved (Illinois); the interval is cut in half where a bend holds that up
		const { ex, ey, ez, ux, uy, uz } = this;
		const enough = ROUNDING * Math.sqrt((ex * ex + ey * ey + ez * ez) * (ux * ux + uy * uy + uz * uz));
		let side = 0;
		let best = 2;
		let least = Math.max(-lowSlope, highSlope);
		let before = least;
		for (let i = 0; i < MOST_STEPS; i++) {
			let s = (low * highSlope - high * lowSlope) / (highSlope - lowSlope);
			if (i % 3 === 2) {
				if (least > 0.125 * before) s = 0.5 * (low + high);
				before = least;
			}
			if (!(s > low && s < high)) s = 0.5 * (low + high);
			if (!(s > low && s < high)) break;
			this.#s = s;
			this.#measure();
			const slope = this.#slope;
			if (Math.abs(slope) < least) {
				least = Math.abs(slope);
				best = s;
				if (least <= enough) break;
			}
			if (slope < 0) {
				low = s;
				lowSlope = slope;
				if (side < 0) highSlope *= 0.5;
				side = -1;
			} else {
				high = s;
				highSlope = slope;
				if (side > 0) lowSlope *= 0.5;
				side = 1;
			}
		}
		if (best < 2 && this.#s !== best) {
			this.#s = best;
			this.#measure();
		}
		return true;
	}

	/** Lets the search begin at the nearest of eight places around the rim. */
	beginNearest(shape: ConvexShape): void {
		this.#take(shape);
		let least = Number.POSITIVE_INFINITY;
		let best = 0;
		for (let i = 0; i < 8; i++) {
			this.#measureAt(COSINES[i]!, COSINES[(i + 6) % 8]!);
			const squared = this.ex * this.ex + this.ey * this.ey + this.ez * this.ez;
			if (!(squared < least)) continue;
			least = squared;
			best = i;
		}
		const c = COSINES[best]!;
		const s = COSINES[(best + 6) % 8]!;
		const { ux, uy, uz, vx, vy, vz } = this;
		this.ux = c * ux + s * vx;
		this.uy = c * uy + s * vy;
		this.uz = c * uz + s * vz;
		this.vx = c * vx - s * ux;
		this.vy = c * vy - s * uy;
		this.vz = c * vz - s * uz;
	}

	#take(shape: ConvexShape): void {
		this.#isRound = shape.type === GeoType.CYLINDER;
		this.#hx = shape.x;
		this.#hy = shape.y;
		this.#hz = this.#isRound ? shape.y : shape.z;
	}

	/** Sets the place, its way from the shape, and the slope. */
	#measure(): void {
		const s = this.#s;
		const share = 1 / (1 + s * s);
		this.#measureAt((1 - s * s) * share, 2 * s * share);
	}

	/** The same by cosine and sine of the angle. */
	#measureAt(c: number, d: number): void {
		const x = this.cx + c * this.ux + d * this.vx;
		const y = this.cy + c * this.uy + d * this.vy;
		const z = this.cz + c * this.uz + d * this.vz;
		this.x = x;
		this.y = y;
		this.z = z;
		const hx = this.#hx;
		const hz = this.#hz;
		const ez = z > hz ? z - hz : z < -hz ? z + hz : 0;
		let ex = 0;
		let ey = 0;
		if (this.#isRound) {
			const squared = x * x + y * y;
			if (squared > hx * hx) {
				const outside = 1 - hx / Math.sqrt(squared);
				ex = outside * x;
				ey = outside * y;
			}
		} else {
			const hy = this.#hy;
			ex = x > hx ? x - hx : x < -hx ? x + hx : 0;
			ey = y > hy ? y - hy : y < -hy ? y + hy : 0;
		}
		this.ex = ex;
		this.ey = ey;
		this.ez = ez;
		this.#slope =
			ex * (c * this.vx - d * this.ux) + ey * (c * this.vy - d * this.uy) + ez * (c * this.vz - d * this.uz);
	}
}
