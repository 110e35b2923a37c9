import type { Path } from '../sdf/path.ts';
import type { Prim } from '../usd/prim.ts';
import { readBool, readNumber, readText, readTuple } from './read-values.ts';

/** The values of a light (UsdLux). Lengths are in units of the stage. */
export interface Light {
	readonly prim: Prim;
	/** Linear red, green, blue. */
	readonly color: Float64Array;
	readonly intensity: number;
	/** Multiplies the intensity by two to the power of it. */
	readonly exposure: number;
	/** Intensity times two to the power of exposure: what multiplies the color. */
	readonly brightness: number;
	readonly diffuse: number;
	readonly specular: number;
	/** Whether the power does not grow with the surface. */
	readonly normalize: boolean;
	readonly enableColorTemperature: boolean;
	/** In kelvin. */
	readonly colorTemperature: number;
	readonly filters: readonly Path[];
	/** Numbers of the shape that the light has: `radius`, `width`, `height`, `length`, `angle`. */
	readonly shape: Readonly<Record<string, number>>;
	/** Present when the light is shaped (`ShapingAPI`). */
	readonly shaping: LightShaping | undefined;
	/** Texture of dome and rect lights, as authored; '' without one. */
	readonly texture: string;
}

/** How a light is narrowed. Angles are in degrees. */
export interface LightShaping {
	readonly coneAngle: number;
	readonly coneSoftness: number;
	readonly focus: number;
	readonly focusTint: Float64Array;
}

const SHAPE_INPUTS = ['radius', 'width', 'height', 'length', 'angle'] as const;

/** Whether a prim gives light: it has LightAPI, built in or applied. */
export function isLight(prim: Prim): boolean {
	return prim.hasSchema('LightAPI') || prim.isA('BoundableLightBase') || prim.isA('NonboundableLightBase');
}

/** The values of a light at a time; undefined for prims that are none. */
export function readLight(prim: Prim, time?: number): Light | undefined {
	if (!isLight(prim)) return undefined;
	const number = (name: string, fallback: number): number => readNumber(prim, `inputs:${name}`, time) ?? fallback;
	const bool = (name: string): boolean => readBool(prim, `inputs:${name}`, time) ?? false;
	const shape: Record<string, number> = {};
	for (const name of SHAPE_INPUTS) {
		const value = readNumber(prim, `inputs:${name}`, time);
		if (value !== undefined) shape[name] = value;
	}
	const intensity = number('intensity', 1);
	const exposure = number('exposure', 0);
	const texture = prim.attribute('inputs:texture:file').get(time);
	return {
		prim,
		color: readTuple(prim, 'inputs:color', 3, time) ?? new Float64Array([1, 1, 1]),
		intensity,
		exposure,
		brightness: intensity * 2 ** exposure,
		diffuse: number('diffuse', 1),
		specular: number('specular', 1),
		normalize: bool('normalize'),
		enableColorTemperature: bool('enableColorTemperature'),
		colorTemperature: number('colorTemperature', 6500),
		filters: prim.relationship('light:filters').forwardedTargets(),
		shape,
		shaping: prim.hasSchema('ShapingAPI') ? readShaping(prim, time) : undefined,
		texture: typeof texture?.data === 'string' ? texture.data : (readText(prim, 'inputs:texture:file', time) ?? ''),
	};
}

function readShaping(prim: Prim, time: number | undefined): LightShaping {
	return {
		coneAngle: readNumber(prim, 'inputs:shaping:cone:angle', time) ?? 90,
		coneSoftness: readNumber(prim, 'inputs:shaping:cone:softness', time) ?? 0,
		focus: readNumber(prim, 'inputs:shaping:focus', time) ?? 0,
		focusTint: readTuple(prim, 'inputs:shaping:focusTint', 3, time) ?? new Float64Array(3),
	};
}
