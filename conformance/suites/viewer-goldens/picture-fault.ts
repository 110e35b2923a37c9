import type { Raster } from '@manyworlds/image';
import { differingPixels } from '../../../packages/viewer/test/picture-difference.ts';

/** Largest part of all pixels that may differ. */
const MOST_DIFFERING = 0.001;
/** Largest difference of the mean colour of a link, of 255, in a channel. */
const MOST_TINTED = 4;
/** Links of fewer pixels are seen as part of the whole only. */
const FEWEST_PIXELS = 12;

/**
 * What is wrong with a picture beside the golden one; undefined where nothing is. A small link is less than what may differ of the whole,
 * so each link has to have its mean colour as well, over the pixels where it is now: `links` says which one each pixel shows.
 */
export function pictureFault(
	drawn: Raster,
	golden: Raster,
	links: Int32Array,
	nameOf: (link: number) => string,
): string | undefined {
	const differing = differingPixels(drawn, golden).reduce((sum, one) => sum + one, 0) / links.length;
	if (!(differing <= MOST_DIFFERING)) return `${(100 * differing).toFixed(2)} % of the pixels differ`;
	const sums = new Map<number, { pixels: number; difference: [number, number, number] }>();
	for (const [pixel, link] of links.entries()) {
		if (link < 0) continue;
		let sum = sums.get(link);
		if (sum === undefined) sums.set(link, (sum = { pixels: 0, difference: [0, 0, 0] }));
		sum.pixels++;
		for (let k = 0; k < 3; k++) {
			sum.difference[k]! += drawn.samples[drawn.channels * pixel + k]! - golden.samples[golden.channels * pixel + k]!;
		}
	}
	for (const [link, { pixels, difference }] of [...sums].sort(([a], [b]) => a - b)) {
		const most = Math.max(...difference.map((value) => Math.abs(value) / pixels));
		if (pixels >= FEWEST_PIXELS && !(most <= MOST_TINTED)) {
			return `the mean colour of ${nameOf(link)} is off by ${most.toFixed(1)} of 255`;
		}
	}
	return undefined;
}
