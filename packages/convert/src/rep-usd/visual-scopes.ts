import { type Path, T } from '@manyworlds/usd';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionModel, ConversionShape } from '../model/conversion-model.ts';
import { type Look, lookOf, lookOfGroup } from '../model/look.ts';
import type { LossCode } from '../model/loss-codes.ts';
import { UniqueNames } from '../write/unique-names.ts';
import { type GeometryLibrary, meshUse } from './geometry-library.ts';
import type { LayerBuilder } from './layer-builder.ts';
import { type LookLibrary, MATERIALS_FILE } from './look-library.ts';
import { bindLook, INSTANCES_FILE, type PartLibrary } from './part-library.ts';
import { definePlainShape } from './plain-shapes.ts';
import { primName } from './prim-names.ts';
import { SCOPES, type StageLayout } from './stage-layout.ts';

/** What an asset shows, by what it is made of. */
export interface LookLibraries {
	readonly geometries: GeometryLibrary;
	readonly looks: LookLibrary;
	readonly parts: PartLibrary;
}

/** Writes what links show into their scopes `visual` (REP 1.3.2): meshes as instances of parts, other shapes as they are. */
export class VisualScopes {
	readonly #base: LayerBuilder;
	readonly #layout: StageLayout;
	readonly #model: ConversionModel;
	readonly #libraries: LookLibraries;
	readonly #ledger: ConversionLedger;

	constructor(
		base: LayerBuilder,
		layout: StageLayout,
		model: ConversionModel,
		libraries: LookLibraries,
		ledger: ConversionLedger,
	) {
		this.#base = base;
		this.#layout = layout;
		this.#model = model;
		this.#libraries = libraries;
		this.#ledger = ledger;
	}

	/** Writes the visuals of one link, by their indices. */
	write(link: Path, shapes: readonly number[]): void {
		if (shapes.length === 0) return;
		const base = this.#base;
		const scope = base.define(link.appendChild('visual'), 'Scope');
		const variant = base.variant(scope, 'visual_representation', 'mesh_medium');
		base.select(scope, 'visual_representation', 'mesh_medium');
		const names = new UniqueNames();
		for (const index of shapes) {
			const shape = this.#model.shapes[index]!;
			const path = variant.appendChild(names.take(primName(shape.name || nameOf(this.#model, shape), 'shape')));
			this.#writeShape(path, shape, index);
		}
	}

	#writeShape(path: Path, shape: ConversionShape, index: number): void {
		const base = this.#base;
		const { geometry } = shape;
		const pose = this.#layout.onCarrier(shape.body, shape.pose);
		const tell = (code: LossCode, message: string): void => {
			if (shape.material !== undefined) this.#ledger.approximate('material', shape.material, code, message);
			else this.#ledger.approximate(shape.role === 'visual' ? 'visual' : 'collider', index, code, message);
		};
		const material = shape.material === undefined ? undefined : lookOf(this.#model.materials[shape.material]!);
		const { looks, geometries, parts } = this.#libraries;
		if (geometry.kind !== 'mesh') {
			definePlainShape(base, path, geometry, pose);
			bindLook(base, path, this.#ownLook(looks.pathOf(material ?? PLAIN, false, tell)));
			return;
		}
		const { mesh, materials, file = '' } = this.#model.meshes[geometry.mesh]!;
		const hasGroups = material === undefined && materials.size > 0 && (mesh.groups?.length ?? 0) > 0;
		const { use, pose: place } = meshUse(geometry, pose);
		const stored = geometries.seen(use, hasGroups);
		const part = parts.pathOf(
			stored,
			hasGroups ? undefined : looks.pathOf(material ?? PLAIN, stored.hasUvs, tell),
			stored.subsets.map(({ material: name }) => {
				const found = name === undefined ? undefined : materials.get(name);
				return looks.pathOf(lookOfGroup(name, found, file), stored.hasUvs, tell);
			}),
		);
		base.define(path, 'Xform');
		base.field(path, 'instanceable', T.bool, true);
		base.payload(path, INSTANCES_FILE, part);
		base.place(path, place);
	}

	/** A look of the library below the root prim of the asset, for what is bound there. */
	#ownLook(source: Path): Path {
		const base = this.#base;
		const scope = this.#layout.root.appendChild(SCOPES.looks);
		const own = scope.appendChild(source.name);
		if (base.layer.has(own)) return own;
		if (!base.layer.has(scope)) base.define(scope, 'Scope');
		base.define(own, 'Material');
		base.reference(own, [MATERIALS_FILE], source);
		return own;
	}
}

/** How things look that nobody gave a look. */
const PLAIN: Look = { name: 'plain', color: [0.5, 0.5, 0.5], opacity: 1, metallic: 0, roughness: 0.5, anchor: '' };

/** What a shape without a name is called: as its mesh is, or as its kind. */
export function nameOf(model: ConversionModel, { geometry }: ConversionShape): string {
	return geometry.kind === 'mesh' ? model.meshes[geometry.mesh]!.name : geometry.kind;
}
