/** Samples of one component. */
export interface Plane {
	readonly samples: Uint8Array;
	readonly stride: number;
	/** Samples of a line and lines that belong to the image. */
	readonly width: number;
	readonly height: number;
	/** Samples for each one of the component that has most, from 0 to 1. */
	readonly across: number;
	readonly down: number;
}

/** A row of samples, one for each pixel, from `at` on; it is valid until the next is asked for. */
export interface PixelRow {
	readonly samples: Uint8Array;
	at: number;
}

/**
 * Gives the rows of an image that a component has fewer samples of. Where it has half as many, pixels lie at a quarter
 * between two samples, and numbers are rounded up and down in turn as libjpeg does (`jdsample.c`); otherwise samples are repeated.
 */
export function upsampledRows(plane: Plane, width: number): (y: number) => PixelRow {
	const { samples, stride, across, down, height } = plane;
	if (across === 1 && down === 1) {
		const row = { samples, at: 0 };
		return (y) => {
			row.at = y * stride;
			return row;
		};
	}
	const row = { samples: new Uint8Array(2 * width + 2), at: 0 };
	const neighbour = (y: number): number =>
		Math.min(height - 1, Math.max(0, (y >> 1) + (y % 2 === 0 ? -1 : 1))) * stride;
	const isWide = plane.width > 2;
	if (across === 0.5 && down === 1 && isWide) {
		return (y) => {
			between(row.samples, samples, y * stride, plane.width);
			return row;
		};
	}
	if (across === 0.5 && down === 0.5 && isWide) {
		const sums = new Int32Array(plane.width);
		return (y) => {
			weigh(sums, samples, (y >> 1) * stride, neighbour(y));
			betweenSums(row.samples, sums);
			return row;
		};
	}
	if (across === 1 && down === 0.5) {
		const sums = new Int32Array(plane.width);
		return (y) => {
			weigh(sums, samples, (y >> 1) * stride, neighbour(y));
			const rounding = y % 2 === 0 ? 1 : 2;
			for (let x = 0; x < sums.length; x++) row.samples[x] = (sums[x]! + rounding) >> 2;
			return row;
		};
	}
	return (y) => {
		const from = Math.floor(y * down) * stride;
		for (let x = 0; x < width; x++) row.samples[x] = samples[from + Math.floor(x * across)]!;
		return row;
	};
}

/** Two pixels for each sample of a row. */
function between(out: Uint8Array, samples: Uint8Array, from: number, count: number): void {
	let left = samples[from]!;
	let here = left;
	for (let x = 0; x < count; x++) {
		const right = x + 1 < count ? samples[from + x + 1]! : here;
		out[2 * x] = (3 * here + left + 1) >> 2;
		out[2 * x + 1] = (3 * here + right + 2) >> 2;
		left = here;
		here = right;
	}
}

/** Three parts of the nearest row of samples and one of the row on the other side. */
function weigh(sums: Int32Array, samples: Uint8Array, near: number, far: number): void {
	for (let x = 0; x < sums.length; x++) sums[x] = 3 * samples[near + x]! + samples[far + x]!;
}

/** Two pixels for each sum of {@link weigh}. */
function betweenSums(out: Uint8Array, sums: Int32Array): void {
	const count = sums.length;
	let left = sums[0]!;
	let here = left;
	for (let x = 0; x < count; x++) {
		const right = x + 1 < count ? sums[x + 1]! : here;
		out[2 * x] = (3 * here + left + 8) >> 4;
		out[2 * x + 1] = (3 * here + right + 7) >> 4;
		left = here;
		here = right;
	}
}
