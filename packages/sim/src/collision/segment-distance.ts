import { GeoType } from '@manyworlds/model';
import type { ConvexShape } from './convex-shape.ts';

/** Steps of the search on a rim at most; the interval at least halves in two of them. */
const MOST_STEPS = 100;

/**
 * Distance of a segment from a box or a cylinder, in the frame of that shape. Half the squared distance of a point is convex along the
 * segment, and its slope rises: the root lies between two of the places where the point passes from one region around the
 * shape to another. There the slope is a straight line, but for the rim of a cylinder. Inputs and results are fields, as
 * numbers that go through calls are boxed.
 */
export class SegmentDistance {
	/** Middle of the segment and the way from there to its end; the caller sets them. */
	cx = 0;
	cy = 0;
	cz = 0;
	ux = 0;
	uy = 0;
	uz = 0;
	/** Where the nearest point is: -1 to 1. Of many, the one in their middle. */
	t = 0;
	/** The nearest point of the segment, and the way to it from the nearest point of the shape. */
	x = 0;
	y = 0;
	z = 0;
	ex = 0;
	ey = 0;
	ez = 0;
	/** Length of that way; 0 when the segment meets the shape. */
	distance = 0;

	/** Sizes of the shape. */
	#hx = 0;
	#hy = 0;
	#hz = 0;
	#isRound = false;
	/** Slope at the last place, along the segment. */
	#slope = 0;
	/** Ends of the interval that holds the root, with the slopes there, and of the one where there is no slope, if in order. */
	#low = 0;
	#high = 0;
	#lowSlope = 0;
	#highSlope = 0;
	#flatLow = 0;
	#flatHigh = 0;

	/** Finds the nearest points for a segment and a shape; false for shapes that are neither a box nor a cylinder. */
	compute(shape: ConvexShape): boolean {
		this.#isRound = shape.type === GeoType.CYLINDER;
		if (!this.#isRound && shape.type !== GeoType.BOX) return false;
		this.#hx = shape.x;
		this.#hy = shape.y;
		this.#hz = this.#isRound ? shape.y : shape.z;
		this.#find();
		this.distance = Math.sqrt(this.ex * this.ex + this.ey * this.ey + this.ez * this.ez);
		return true;
	}

	#find(): void {
		this.t = -1;
		this.#measure();
		if (this.#slope > 0) return;
		this.#low = -1;
		this.#lowSlope = this.#slope;
		this.#flatLow = this.#slope === 0 ? -1 : 1;
		this.#flatHigh = -1;
		this.t = 1;
		this.#measure();
		if (this.#slope < 0) return;
		this.#high = 1;
		this.#highSlope = this.#slope;
		if (this.#slope === 0) this.#flatHigh = 1;
		this.#bracket();
		if (this.#flatLow <= this.#flatHigh) this.t = 0.5 * (this.#flatLow + this.#flatHigh);
		else this.t = this.#low - (this.#lowSlope * (this.#high - this.#low)) / (this.#highSlope - this.#lowSlope);
		this.#measure();
		// beside the rim the slope is bent
		if (this.#isRound && this.ez !== 0 && (this.ex !== 0 || this.ey !== 0) && this.#slope !== 0) this.#refine();
	}

	/** Cuts the interval where the segment passes from one region to another. */
	#bracket(): void {
		const { cx, cy, cz, ux, uy, uz } = this;
		this.#cutBetween(cz, uz, this.#hz);
		if (!this.#isRound) {
			this.#cutBetween(cx, ux, this.#hx);
			this.#cutBetween(cy, uy, this.#hy);
			return;
		}
		const a = ux * ux + uy * uy;
		if (!(a > 0)) return;
		const middle = -(cx * ux + cy * uy) / a;
		this.#cutAt(middle);
		const across = cx * uy - cy * ux;
		const rest = this.#hx * this.#hx * a - across * across;
		if (!(rest > 0)) return;
		const half = Math.sqrt(rest) / a;
		this.#cutAt(middle - half);
		this.#cutAt(middle + half);
	}

	#cutBetween(c: number, u: number, h: number): void {
		if (u === 0) return;
		this.#cutAt((h - c) / u);
		this.#cutAt((-h - c) / u);
	}

	#cutAt(t: number): void {
		if (!(t > this.#low && t < this.#high)) return;
		this.t = t;
		this.#measure();
		const slope = this.#slope;
		if (slope < 0) {
			this.#low = t;
			this.#lowSlope = slope;
		} else if (slope > 0) {
			this.#high = t;
			this.#highSlope = slope;
		} else {
			this.#flatLow = Math.min(this.#flatLow, t);
			this.#flatHigh = Math.max(this.#flatHigh, t);
		}
	}

	/** Newton's method for the root of the slope, kept between the ends. */
	#refine(): void {
		for (let i = 0; i < MOST_STEPS; i++) {
			const { x, y, t, ux, uy, uz } = this;
			const slope = this.#slope;
			if (slope === 0) return;
			if (slope < 0) this.#low = t;
			else this.#high = t;
			const rho = Math.sqrt(x * x + y * y);
			const rise = (x * ux + y * uy) / rho;
			const bend = (ux * ux + uy * uy - rise * rise) / rho;
			let next = t - slope / (rise * rise + (rho - this.#hx) * bend + uz * uz);
			if (!(next > this.#low && next < this.#high)) next = 0.5 * (this.#low + this.#high);
			const isDone = Math.abs(next - t) <= 1e-15;
			this.t = next;
			this.#measure();
			if (isDone) return;
		}
	}

	/** Sets the point at `t`, its way from the shape, and the slope. */
	#measure(): void {
		const { t } = this;
		const x = this.cx + t * this.ux;
		const y = this.cy + t * this.uy;
		const z = this.cz + t * this.uz;
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
				const share = 1 - hx / Math.sqrt(squared);
				ex = share * x;
				ey = share * y;
			}
		} else {
			const hy = this.#hy;
			ex = x > hx ? x - hx : x < -hx ? x + hx : 0;
			ey = y > hy ? y - hy : y < -hy ? y + hy : 0;
		}
		this.ex = ex;
		this.ey = ey;
		this.ez = ez;
		this.#slope = ex * this.ux + ey * this.uy + ez * this.uz;
	}
}
