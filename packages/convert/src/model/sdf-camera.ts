/** From a camera that looks along x with z up to one that looks along -z with y up. */
export const FROM_SDF_CAMERA: Float64Array = Float64Array.of(0, 0, 0, 0.5, -0.5, -0.5, 0.5);
