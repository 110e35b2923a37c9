export {
	type DecodedImage,
	type DecodeImageOptions,
	decodeImage,
	type ImageCodecs,
	type ImageDecoder,
} from './decode-image.ts';
export { encodeHdr } from './encode/encode-hdr.ts';
export { encodePng } from './encode/encode-png.ts';
export { type ImageFormat, type ImageInfo, readImageInfo } from './info/image-info.ts';
export { fromSrgb, type QuantizedImage, type QuantizeOptions, quantize, toSrgb } from './quantize.ts';
export { type Raster, UnreadableImage } from './raster.ts';
