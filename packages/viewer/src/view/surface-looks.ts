import { DoubleSide, type Material, MeshNormalMaterial, type MeshStandardMaterial, type Side } from 'three';

/** Ways to look at surfaces. */
export const SURFACE_LOOKS = {
	plain: 'Surfaces',
	edges: 'Edges',
	xray: 'X-ray',
	normals: 'Normals',
	backfaces: 'Back faces',
} as const;
export type SurfaceLook = keyof typeof SURFACE_LOOKS;

/** How much of a surface is seen by x-ray. */
const XRAY_OPACITY = 0.3;
/** Red, green and blue of back faces. */
const BACK_COLOR = 'vec3(0.85, 0.05, 0.35)';

/** Materials of a robot in another look; each is made once and given up with the robot. */
export class SurfaceLooks {
	readonly #made = new Map<string, Material>();

	/** A material as it is in a look. */
	of(material: Material, look: SurfaceLook): Material {
		if (look === 'plain') return material;
		const key = `${look} ${look === 'normals' ? material.side : material.uuid}`;
		let made = this.#made.get(key);
		if (made === undefined) {
			made = MAKERS[look](material);
			this.#made.set(key, made);
		}
		return made;
	}

	dispose(): void {
		for (const material of this.#made.values()) material.dispose();
		this.#made.clear();
	}
}

const MAKERS: Readonly<Record<Exclude<SurfaceLook, 'plain'>, (material: Material) => Material>> = {
	edges: (material) => Object.assign(material.clone(), { wireframe: true }),
	xray: (material) => {
		const own = material.clone();
		own.transparent = true;
		own.opacity = XRAY_OPACITY * material.opacity;
		own.depthWrite = false;
		return own;
	},
	normals: ({ side }: { readonly side: Side }) => new MeshNormalMaterial({ side }),
	backfaces: (material) => {
		const own = material.clone() as MeshStandardMaterial;
		own.side = DoubleSide;
		own.onBeforeCompile = (shader) => {
			shader.fragmentShader = shader.fragmentShader.replace(
				'#include <dithering_fragment>',
				`#include <dithering_fragment>\n\tif (!gl_FrontFacing) gl_FragColor.rgb = ${BACK_COLOR};`,
			);
		};
		own.customProgramCacheKey = () => 'backfaces';
		return own;
	},
};
