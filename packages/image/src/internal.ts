export { IMAGE_FORMAT_NAMES } from './info/image-info.ts';
export { inColour } from './quantize.ts';
export { fullScale } from './raster.ts';
export { readRasterShape } from './raster-shape.ts';
