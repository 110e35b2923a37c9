/** Optics of a camera; lengths in one unit, whatever it is. @public */
export interface CameraOptics {
	readonly focalLength: number;
	readonly horizontalAperture: number;
	readonly verticalAperture: number;
}

/** Pinhole numbers of an image [pixels]. @public */
export interface CameraMatrix {
	readonly width: number;
	readonly height: number;
	readonly fx: number;
	readonly fy: number;
	readonly cx: number;
	readonly cy: number;
}

/** The pinhole numbers of a camera for an image of a width [pixels]; pixels are square. @public */
export function cameraMatrix(optics: CameraOptics, width: number): CameraMatrix {
	const { focalLength, horizontalAperture, verticalAperture } = optics;
	const height = Math.round((width * verticalAperture) / horizontalAperture);
	const f = (focalLength * width) / horizontalAperture;
	return { width, height, fx: f, fy: f, cx: width / 2, cy: height / 2 };
}
