import type { Path, Prim } from '@manyworlds/usd';
import { MaterialBindings } from '@manyworlds/usd/internal';
import type { LossCode } from '../model/loss-codes.ts';
import type { GltfMaterials, MaterialGround, WrittenMaterial } from './gltf-materials.ts';
import { type PreviewSurface, readPreviewSurface } from './preview-surface.ts';

/** What is told of the materials of a stage. */
export interface LookListener {
	/** A material is worn for the first time. */
	readonly see: (material: Prim) => void;
	/** Something of a material is not as it was. */
	readonly lose: (material: Prim, code: LossCode, message: string) => void;
}

/** Materials that prims of one stage wear, as materials of glTF. */
export class StageLooks {
	readonly #materials: GltfMaterials;
	readonly #listener: LookListener | undefined;
	readonly #bindings = new MaterialBindings();
	readonly #surfaces = new Map<Path, PreviewSurface>();

	constructor(materials: GltfMaterials, listener?: LookListener) {
		this.#materials = materials;
		this.#listener = listener;
	}

	/** The material of a prim; its own colour where none is bound that can be shown. */
	material(prim: Prim, ground: MaterialGround): WrittenMaterial {
		const bound = this.#bindings.boundMaterial(prim, 'full')?.material;
		if (bound === undefined) return this.#materials.plain('displayColor', ground);
		let surface = this.#surfaces.get(bound.path);
		if (surface === undefined) {
			surface = readPreviewSurface(bound);
			this.#surfaces.set(bound.path, surface);
			this.#listener?.see(bound);
			if ('why' in surface) {
				const message = `the material ${surface.why}; the colour of the mesh is used`;
				this.#listener?.lose(bound, 'material-not-preview', message);
			}
		}
		if ('why' in surface) return this.#materials.plain('displayColor', ground);
		return this.#materials.surface(bound.name, surface, ground, (code, message) => {
			this.#listener?.lose(bound, code, message);
		});
	}
}
