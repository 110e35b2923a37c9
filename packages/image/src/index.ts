export {
	type DecodedImage,
	type DecodeImageOptions,
	decodeImage,
	type ImageCodecs,
	type ImageDecoder,
} from './decode-image.ts';
export { encodeHdr } from './encode/encode-hdr.ts';
export { encodePng } from './encode/encode-png.ts';
export { IMAGE_FORMAT_NAMES, type ImageFormat, type ImageInfo, readImageInfo } from './info/image-info.ts';
export { fromSrgb, inColour, type QuantizedImage, type QuantizeOptions, quantize, toSrgb } from './quantize.ts';
export { fullScale, type Raster, UnreadableImage } from './raster.ts';
export { type RasterShape, readRasterShape } from './raster-shape.ts';
