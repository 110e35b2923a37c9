import type { Prim } from '../usd/prim.ts';
import { invertMatrix } from './matrix.ts';
import { readNumber, readText, readTuple, readTuples } from './read-values.ts';
import type { XformCache } from './xform-cache.ts';

/** The values of a camera (UsdGeom). Apertures and the focal length are in tenths of a unit of the stage. */
export interface Camera {
	readonly prim: Prim;
	readonly projection: 'perspective' | 'orthographic';
	readonly horizontalAperture: number;
	readonly verticalAperture: number;
	readonly horizontalApertureOffset: number;
	readonly verticalApertureOffset: number;
	readonly focalLength: number;
	/** Near and far, in units of the stage. */
	readonly clippingRange: readonly [near: number, far: number];
	/** Planes a, b, c, d in the space of the camera, four numbers each. */
	readonly clippingPlanes: Float64Array;
	readonly fStop: number;
	readonly focusDistance: number;
	readonly stereoRole: string;
	readonly shutterOpen: number;
	readonly shutterClose: number;
	readonly exposure: number;
}

/** What part of a plane at distance 1 a camera sees; the plane of an orthographic camera is at any distance. */
export interface CameraWindow {
	readonly left: number;
	readonly right: number;
	readonly bottom: number;
	readonly top: number;
}

/** Apertures and focal lengths are in tenths of a unit of the stage: millimetres where the unit is the centimetre. */
const APERTURE_UNIT = 0.1;

/** The values of a camera at a time; undefined for prims that are none. */
export function readCamera(prim: Prim, time?: number): Camera | undefined {
	if (!prim.isA('Camera')) return undefined;
	const number = (name: string, fallback: number): number => readNumber(prim, name, time) ?? fallback;
	const range = readTuple(prim, 'clippingRange', 2, time);
	return {
		prim,
		projection: readText(prim, 'projection', time) === 'orthographic' ? 'orthographic' : 'perspective',
		horizontalAperture: number('horizontalAperture', 20.955),
		verticalAperture: number('verticalAperture', 15.2908),
		horizontalApertureOffset: number('horizontalApertureOffset', 0),
		verticalApertureOffset: number('verticalApertureOffset', 0),
		focalLength: number('focalLength', 50),
		clippingRange: range === undefined ? [1, 1e6] : [range[0]!, range[1]!],
		clippingPlanes: Float64Array.from(readTuples(prim, 'clippingPlanes', 4, time) ?? []),
		fStop: number('fStop', 0),
		focusDistance: number('focusDistance', 0),
		stereoRole: readText(prim, 'stereoRole', time) ?? 'mono',
		shutterOpen: number('shutter:open', 0),
		shutterClose: number('shutter:close', 0),
		exposure: number('exposure', 0),
	};
}

/**
 * The angle that a perspective camera sees across or up, in degrees.
 * @example
 * ```ts
 * const degrees = fieldOfView(readCamera(prim)!, 'horizontal');
 * ```
 */
export function fieldOfView(camera: Camera, direction: 'horizontal' | 'vertical'): number {
	const aperture = direction === 'horizontal' ? camera.horizontalAperture : camera.verticalAperture;
	return (2 * Math.atan((aperture * 0.5) / camera.focalLength) * 180) / Math.PI;
}

/**
 * The window that a camera sees through.
 * @example
 * ```ts
 * const { left, right } = cameraWindow(readCamera(prim)!);
 * ```
 */
export function cameraWindow(camera: Camera): CameraWindow {
	const scale =
		camera.projection === 'orthographic' || camera.focalLength === 0 ? APERTURE_UNIT : 1 / camera.focalLength;
	const x = camera.horizontalApertureOffset;
	const y = camera.verticalApertureOffset;
	const w = camera.horizontalAperture * 0.5;
	const h = camera.verticalAperture * 0.5;
	return { left: (x - w) * scale, right: (x + w) * scale, bottom: (y - h) * scale, top: (y + h) * scale };
}

/**
 * The matrix to clip space, points as rows, depth from -1 to 1 (OpenGL's).
 * @example
 * ```ts
 * const clip = projectionMatrix(readCamera(prim)!);
 * ```
 */
export function projectionMatrix(camera: Camera): Float64Array {
	const { left, right, bottom, top } = cameraWindow(camera);
	const [near, far] = camera.clippingRange;
	const m = new Float64Array(16);
	if (camera.projection === 'orthographic') {
		m[0] = 2 / (right - left);
		m[5] = 2 / (top - bottom);
		m[10] = -2 / (far - near);
		m[12] = -(right + left) / (right - left);
		m[13] = -(top + bottom) / (top - bottom);
		m[14] = -(far + near) / (far - near);
		m[15] = 1;
		return m;
	}
	m[0] = 2 / (right - left);
	m[5] = 2 / (top - bottom);
	m[8] = (right + left) / (right - left);
	m[9] = (top + bottom) / (top - bottom);
	m[10] = -(far + near) / (far - near);
	m[11] = -1;
	m[14] = (-2 * near * far) / (far - near);
	return m;
}

/**
 * The matrix from the space of the stage to that of the camera, which looks along -z with y up.
 * @example
 * ```ts
 * const view = viewMatrix(readCamera(prim)!, new XformCache());
 * ```
 */
export function viewMatrix(camera: Camera, transforms: XformCache): Float64Array {
	return invertMatrix(transforms.worldTransform(camera.prim)).matrix;
}
