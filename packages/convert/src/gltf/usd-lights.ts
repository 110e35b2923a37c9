import { arcTangent, sine } from '@manyworlds/core/internal';
import type { Light, Prim } from '@manyworlds/usd';
import { readCamera, readLight } from '@manyworlds/usd/internal';
import type { GltfObject } from './gltf-document.ts';
import { EARLIEST, textAt } from './stage-values.ts';

/** A light or camera of glTF, or why there is none. */
export type Written<Code extends string> =
	| { readonly object: GltfObject; readonly losses: readonly (readonly [Code, string])[] }
	| { readonly dropped: readonly [Code, string] };

/** Codes of what of lights is lost. */
export type LightLoss = 'area-light' | 'dome-light' | 'light-linking';

/**
 * A light of a stage in the units of `KHR_lights_punctual`: candela for lamps, lux for the sun. `length` is what a unit of the light is
 * in metres. Lights with a shape are lost, or with `asPoints` the same flux from their middle.
 */
export function punctualLight(prim: Prim, length: number, asPoints = false): Written<LightLoss> {
	const light = readLight(prim, EARLIEST)!;
	const { typeName } = prim;
	const isArea = AREAS.has(typeName);
	if (typeName !== 'SphereLight' && typeName !== 'DistantLight' && !(isArea && asPoints)) {
		return typeName === 'DomeLight' || typeName === 'DomeLight_1'
			? { dropped: ['dome-light', 'glTF has no light from all around'] }
			: {
					dropped: [
						'area-light',
						`glTF has no light like ${typeName || 'a mesh that shines'}${isArea ? '; --area-lights makes it a point' : ''}`,
					],
				};
	}
	const linked: readonly (readonly [LightLoss, string])[] = isLinked(prim)
		? [['light-linking', 'the light shines on some things only, in glTF on all']]
		: [];
	const rgb = colorOf(light);
	const strongest = Math.max(1, ...rgb);
	const color = rgb.map((value) => value / strongest);
	const common = { name: prim.name, ...(color.every((value) => value === 1) ? {} : { color }) };
	const { brightness, normalize, shape, shaping } = light;
	if (![brightness, strongest, length, ...Object.values(shape)].every(Number.isFinite))
		return { dropped: ['area-light', 'the light has a number that is not finite'] };
	if (typeName === 'DistantLight') {
		const angle = ((shape['angle'] ?? 0.53) * Math.PI) / 180;
		const lux = normalize || angle === 0 ? brightness : brightness * Math.PI * sine(angle / 2) ** 2;
		return { object: { ...common, type: 'directional', intensity: lux * strongest }, losses: linked };
	}
	if (isArea) {
		const object = areaLight(typeName, shape, brightness * strongest, normalize, length);
		const loss = ['area-light', 'the light has a shape; the same flux comes from its middle'] as const;
		return { object: { ...common, ...object }, losses: [loss, ...linked] };
	}
	const radius = (shape['radius'] ?? 0.5) * length;
	const isPoint = prim.attribute('treatAsPoint').get(EARLIEST)?.data === true;
	const candela = normalize || isPoint ? brightness / 4 : brightness * Math.PI * radius * radius;
	const intensity = candela * strongest;
	if (shaping === undefined || !(shaping.coneAngle < 90))
		return { object: { ...common, type: 'point', intensity }, losses: linked };
	const outerConeAngle = (Math.max(0.01, shaping.coneAngle) * Math.PI) / 180;
	const inner = outerConeAngle * (1 - Math.min(1, Math.max(0, shaping.coneSoftness)));
	const innerConeAngle = Math.max(0, Math.min(inner, outerConeAngle - 1e-4));
	const hasMore = shaping.focus !== 0 || (textAt(prim, 'inputs:shaping:ies:file') ?? '') !== '';
	return {
		object: { ...common, type: 'spot', intensity, spot: { innerConeAngle, outerConeAngle } },
		losses: hasMore ? [['area-light', 'focus and profile of the light are not in the target'], ...linked] : linked,
	};
}

/** Lights with a shape that has an area. */
const AREAS: ReadonlySet<string> = new Set(['DiskLight', 'RectLight', 'CylinderLight']);

/**
 * A lamp of the flux of a surface that shines evenly: π times luminance and area [lm]. A cylinder shines all around, a disk or rectangle
 * to one side: a cone of half a sphere with the same candela everywhere. A normalized light has its luminance divided by its area.
 */
function areaLight(
	typeName: string,
	shape: Readonly<Record<string, number>>,
	luminance: number,
	normalize: boolean,
	length: number,
): GltfObject {
	const size = (name: string, fallback: number): number => (shape[name] ?? fallback) * length;
	const area = normalize
		? 1
		: typeName === 'DiskLight'
			? Math.PI * size('radius', 0.5) ** 2
			: typeName === 'RectLight'
				? size('width', 1) * size('height', 1)
				: 2 * Math.PI * size('radius', 0.5) * size('length', 1);
	const flux = Math.PI * luminance * area;
	if (typeName === 'CylinderLight') return { type: 'point', intensity: flux / (4 * Math.PI) };
	const outerConeAngle = Math.PI / 2;
	return {
		type: 'spot',
		intensity: flux / (2 * Math.PI),
		spot: { innerConeAngle: outerConeAngle - 1e-4, outerConeAngle },
	};
}

/** Whether a light shines on some things only. */
function isLinked(prim: Prim): boolean {
	return ['lightLink', 'shadowLink'].some(
		(name) =>
			prim.attribute(`collection:${name}:includeRoot`).get(EARLIEST)?.data === false ||
			['includes', 'excludes'].some((list) => prim.relationship(`collection:${name}:${list}`).targets().length > 0),
	);
}

function colorOf({ color, enableColorTemperature, colorTemperature }: Light): number[] {
	const warmth = enableColorTemperature ? blackbody(colorTemperature) : [1, 1, 1];
	return [0, 1, 2].map((k) => Math.max(0, (color[k] ?? 1) * warmth[k]!));
}

/**
 * The colour of a body that glows, linear, of luminance 1: the Planckian locus by the cubic splines of Kang et al. (2002), in the
 * primaries of Rec. 709. It ends at 10 000 K, as in OpenUSD.
 */
export function blackbody(kelvin: number): number[] {
	const t = 1000 / Math.min(10000, Math.max(1667, kelvin));
	const x =
		kelvin <= 4000
			? ((-0.2661239 * t - 0.234358) * t + 0.8776956) * t + 0.17991
			: ((-3.0258469 * t + 2.1070379) * t + 0.2226347) * t + 0.24039;
	const y =
		kelvin <= 2222
			? ((-1.1063814 * x - 1.3481102) * x + 2.18555832) * x - 0.20219683
			: kelvin <= 4000
				? ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
				: ((3.081758 * x - 5.8733867) * x + 3.75112997) * x - 0.37001483;
	const [cx, cz] = [x / y, (1 - x - y) / y];
	const rgb = [
		3.2404542 * cx - 1.5371385 - 0.4985314 * cz,
		-0.969266 * cx + 1.8760108 + 0.041556 * cz,
		0.0556434 * cx - 0.2040259 + 1.0572252 * cz,
	].map((value) => Math.max(0, value));
	const luminance = 0.2126 * rgb[0]! + 0.7152 * rgb[1]! + 0.0722 * rgb[2]!;
	return rgb.map((value) => value / luminance);
}

/** A camera of a stage; clipping planes in metres. */
export function gltfCamera(prim: Prim, unit: number): Written<'camera-offset'> {
	const camera = readCamera(prim, EARLIEST)!;
	const { verticalAperture: height, horizontalAperture: width, focalLength, clippingRange } = camera;
	if (![height, width, focalLength, ...clippingRange].every((value) => !Number.isNaN(value)))
		return { dropped: ['camera-offset', 'the camera has a number that is none'] };
	const znear = Math.max(1e-3, clippingRange[0] * unit);
	const far = clippingRange[1] * unit;
	const zfar = far > znear && far < 1e7 ? far : undefined;
	const losses: (readonly ['camera-offset', string])[] = [];
	if (camera.horizontalApertureOffset !== 0 || camera.verticalApertureOffset !== 0)
		losses.push(['camera-offset', 'the aperture of the camera is off its axis, which glTF cannot say']);
	if (camera.projection === 'orthographic') {
		const half = (aperture: number): number => (aperture / 10 / 2) * unit;
		if (!(width > 0 && height > 0)) return { dropped: ['camera-offset', 'the camera has no aperture'] };
		const orthographic = { xmag: half(width), ymag: half(height), znear, zfar: zfar ?? 1e7 };
		return { object: { name: prim.name, type: 'orthographic', orthographic }, losses };
	}
	if (!(width > 0 && height > 0 && focalLength > 0))
		return { dropped: ['camera-offset', 'the camera has no aperture or no focal length'] };
	const perspective = {
		yfov: 2 * arcTangent(height / 2 / focalLength),
		aspectRatio: width / height,
		znear,
		...(zfar === undefined ? {} : { zfar }),
	};
	return { object: { name: prim.name, type: 'perspective', perspective }, losses };
}
