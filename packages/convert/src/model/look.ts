import type { MeshMaterial } from '@manyworlds/mesh';
import { toLinear } from './colour.ts';
import type { ConversionMaterial } from './conversion-model.ts';

/** How a surface looks, wherever that was said: colours are linear. */
export interface Look {
	readonly name: string;
	readonly color: readonly [number, number, number];
	readonly opacity: number;
	readonly metallic: number;
	readonly roughness: number;
	/** Address of an image of the colour. */
	readonly texture?: string;
	/** File that the address is relative to. */
	readonly anchor: string;
}

/** The look of a material of the robot. */
export function lookOf(material: ConversionMaterial): Look {
	const { name, color, opacity, metallic, roughness, texture, from } = material;
	return {
		name,
		color,
		opacity,
		metallic,
		roughness,
		...(texture === undefined ? {} : { texture }),
		anchor: from.file ?? '',
	};
}

/** The look that a mesh file gives a group of its triangles; glTF says colours as light, other files as screens show them. */
export function lookOfGroup(name: string | undefined, found: MeshMaterial | undefined, file: string): Look {
	const isLinear = /\.gl(b|tf)$/i.test(file);
	const [r, g, b] = (found?.color ?? [0.5, 0.5, 0.5]).map((value) => (isLinear ? value : toLinear(value)));
	return {
		name: name ?? 'material',
		color: [r!, g!, b!],
		opacity: 1,
		metallic: found?.metallic ?? 0,
		roughness: found?.roughness ?? 0.5,
		...(found?.texture === undefined ? {} : { texture: found.texture }),
		anchor: file,
	};
}
