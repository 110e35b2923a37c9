import type { MeshFormat } from '@manyworlds/mesh';
import type { MeshMaterial } from '@manyworlds/mesh/internal';
import type { ShapeMesh } from '@manyworlds/model';
import { roundEven } from './round-even.ts';

/** How a surface looks. */
export type MeshTraits = Pick<ShapeMesh, 'color' | 'metallic' | 'roughness' | 'texture'>;

/** Newton's loader shows meshes without a material in this grey. */
const GREY: readonly [number, number, number] = [0.4, 0.4, 0.4];

/** The look of a surface from the material of its file. */
export function materialTraits(
	material: MeshMaterial | undefined,
	format: MeshFormat | undefined,
	newtonCompat: boolean,
): MeshTraits {
	if (material === undefined) return newtonCompat ? { color: GREY } : {};
	const { color, texture } = material;
	const metallic = metallicOf(material, format);
	const roughness = roughnessOf(material, format, newtonCompat);
	const shown = color === undefined ? undefined : shownColor(color, format, newtonCompat);
	return {
		...(shown === undefined ? {} : { color: shown }),
		...(metallic === undefined ? {} : { metallic }),
		...(roughness === undefined ? {} : { roughness }),
		...(texture === undefined ? {} : { texture: { file: texture } }),
	};
}

type Color = readonly [number, number, number];

function shownColor(color: Color, format: MeshFormat | undefined, newtonCompat: boolean): Color {
	const map = (change: (x: number) => number): Color => [change(color[0]), change(color[1]), change(color[2])];
	// colours of COLLADA are linear by custom, those of shapes are as displayed
	if (format === 'dae') return map((x) => Math.min(Math.max(x, 0), 1) ** (1 / 2.2));
	// Newton's loader holds colours of other formats in bytes
	return newtonCompat ? map((x) => roundEven(x * 255) / 255) : color;
}

function metallicOf(
	{ metallic, specular, reflectivity }: MeshMaterial,
	format: MeshFormat | undefined,
): number | undefined {
	if (metallic !== undefined || format !== 'dae') return metallic;
	const share = specular === undefined ? reflectivity : Math.max(...specular);
	return share === undefined ? undefined : Math.min(Math.max(share, 0), 1);
}

/** Exponents of highlights have no unit: those of COLLADA up to 1 are shares, others reach 128; those of OBJ reach 1000. */
function roughnessOf(
	{ roughness, shininess }: MeshMaterial,
	format: MeshFormat | undefined,
	newtonCompat: boolean,
): number | undefined {
	if (roughness !== undefined || shininess === undefined) return roughness;
	if (format === 'dae') return 1 - Math.min(Math.max(shininess > 1 ? shininess / 128 : shininess, 0), 1);
	// Newton takes the exponent as a share; the other is the roughness whose highlight has the same width
	return newtonCompat ? 1 - Math.min(Math.max(shininess, 0), 1) : Math.sqrt(2 / (Math.max(shininess, 0) + 2));
}
