import type { UrdfMaterial } from '@manyworlds/formats';
import { createDiagnostic } from '../diagnostics.ts';
import type { UrdfContext } from './urdf-context.ts';

/** Colour, opacity and texture of a shape; parts without an author are undefined. */
export interface SurfaceLook {
	readonly color: readonly [number, number, number] | undefined;
	readonly opacity: number | undefined;
	/** Identifier of the image. */
	readonly texture: string | undefined;
	/** The element that gave the colour. */
	readonly source: UrdfMaterial | undefined;
}

const NONE: SurfaceLook = { color: undefined, opacity: undefined, texture: undefined, source: undefined };

/** Materials by name: those of the robot, then those that shapes define on the way. */
export class UrdfMaterials {
	readonly #context: UrdfContext;
	readonly #named = new Map<string, SurfaceLook>();

	constructor(context: UrdfContext) {
		this.#context = context;
		for (const material of context.robot.materials) {
			if (material.name === undefined) continue;
			context.ledger.use(material.element, 'name');
			this.#named.set(material.name, this.#own(material));
		}
	}

	/** The look that a shape gets: its own settings over those of the material it names. */
	resolve(material: UrdfMaterial | undefined): SurfaceLook {
		if (material === undefined) return NONE;
		const { name } = material;
		this.#context.ledger.use(material.element, 'name');
		const own = this.#own(material);
		const known = name === undefined ? undefined : this.#named.get(name);
		const look: SurfaceLook = {
			color: own.color ?? known?.color,
			opacity: own.opacity ?? known?.opacity,
			texture: own.texture ?? known?.texture,
			source: own.color === undefined ? known?.source : own.source,
		};
		const isDefinition = own.color !== undefined || own.opacity !== undefined || own.texture !== undefined;
		if (name !== undefined && known === undefined && isDefinition) this.#named.set(name, look);
		return look;
	}

	#own(material: UrdfMaterial): SurfaceLook {
		const { ledger, meshes } = this.#context;
		const { rgba, colorElement, texture, textureElement } = material;
		if (rgba !== undefined) ledger.use(colorElement, 'rgba');
		const image =
			texture === undefined || textureElement === undefined
				? undefined
				: meshes.find(texture, () => textureElement.location);
		if (image !== undefined) ledger.use(textureElement, 'filename');
		else ledger.ignore(textureElement, 'filename', 'the image cannot be used');
		return {
			color: rgba === undefined ? undefined : [rgba[0]!, rgba[1]!, rgba[2]!],
			opacity: rgba?.[3] === undefined ? undefined : this.#opacity(rgba[3], material),
			texture: image,
			source: rgba === undefined ? undefined : material,
		};
	}

	#opacity(value: number, { colorElement }: UrdfMaterial): number {
		const opacity = Math.min(Math.max(value, 0), 1);
		if (opacity !== value) {
			const place = colorElement?.attribute('rgba')?.location ?? {};
			const message = `the opacity is ${value}, expected 0 to 1; ${opacity} is taken`;
			this.#context.report.add(createDiagnostic('URDF011', message, place));
		}
		return opacity;
	}
}
