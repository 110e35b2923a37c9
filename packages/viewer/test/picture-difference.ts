import { decodeImage, type Raster } from '@manyworlds/image';

/** Difference in a channel from which pixels are different, of 255: a tenth. */
const DIFFERENT = 25;

/** Whether each pixel of two pictures differs by more than a tenth in a channel. Pictures of other sizes are an error. */
export function differingPixels(a: Raster, b: Raster): Uint8Array {
	if (a.width !== b.width || a.height !== b.height) {
		throw new Error(`the picture has ${a.width} × ${a.height} pixels, expected ${b.width} × ${b.height}`);
	}
	return Uint8Array.from({ length: a.width * a.height }, (_, pixel) => {
		for (let k = 0; k < 3; k++) {
			if (Math.abs(a.samples[a.channels * pixel + k]! - b.samples[b.channels * pixel + k]!) > DIFFERENT) return 1;
		}
		return 0;
	});
}

/** Part of the pixels that differ. */
export function differingShare(a: Raster, b: Raster): number {
	const pixels = differingPixels(a, b);
	return pixels.reduce((sum, one) => sum + one, 0) / pixels.length;
}

/** A picture that has to be readable. */
export function decodePicture(bytes: Uint8Array): Raster {
	const found = decodeImage(bytes);
	if ('reason' in found) throw new Error(`the picture ${found.reason}`);
	return found.raster;
}
