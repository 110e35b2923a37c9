import { readImageInfo } from './info/image-info.ts';
import { isWholeJpeg } from './info/whole-jpeg.ts';
import { isWholePng } from './info/whole-png.ts';
import { MOST_PIXELS, type Raster } from './raster.ts';

/** What a raster is without its pixels. @public */
export interface RasterShape {
	readonly width: number;
	readonly height: number;
	readonly channels: Raster['channels'];
	/** Whether samples are parts of 255. */
	readonly isEightBit: boolean;
}

/**
 * What `decodeImage` would make of a PNG or JPEG file, told without decoding it, for those who pass the file on. Undefined for
 * other formats and for files that do not hold together: only decoding tells what they are.
 * @public
 */
export function readRasterShape(bytes: Uint8Array): RasterShape | undefined {
	const { format, width = 0, height = 0, channels = 0, bitDepth = 0 } = readImageInfo(bytes) ?? {};
	const isWhole = format === 'png' ? isWholePng(bytes) : format === 'jpeg' && isWholeJpeg(bytes);
	if (!isWhole || channels < 1 || channels > 4 || !(width * height > 0 && width * height <= MOST_PIXELS))
		return undefined;
	// four components are inks, which are decoded to light
	const decoded = format === 'jpeg' && channels > 1 ? 3 : channels;
	return { width, height, channels: decoded as Raster['channels'], isEightBit: bitDepth <= 8 };
}
