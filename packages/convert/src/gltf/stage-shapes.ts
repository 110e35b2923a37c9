import type { AssetStore, Path, Prim, Stage } from '@manyworlds/usd';
import { findPrimvarWithInheritance, geomSubsets } from '@manyworlds/usd/internal';
import type { GltfDocument } from './gltf-document.ts';
import { GltfMaterials, type MaterialGround, type WrittenMaterial } from './gltf-materials.ts';
import { addMesh, type MeshPart } from './gltf-meshes.ts';
import { GltfTextures } from './gltf-textures.ts';
import { firstDifference, type VariantStage } from './material-variants.ts';
import { otherPrimvars } from './other-primvars.ts';
import type { StageItems } from './stage-items.ts';
import { StageLooks } from './stage-looks.ts';
import { EARLIEST, numberAt, numbersIn, textAt } from './stage-values.ts';
import { isSubdivided } from './subdivision-cage.ts';
import type { SurfaceMesh } from './surface-mesh.ts';
import { type PlainShape, Tessellator } from './tessellate.ts';
import { moved, type PartNeeds, SurfaceCache, UsdSurface } from './usd-surface.ts';
import type { WriteGltfOptions } from './write-gltf.ts';

/** Kinds of geometry that are triangles, or can be. */
export const SOLIDS: ReadonlySet<string> = new Set([
	'Cube',
	'Sphere',
	'Cylinder',
	'Cylinder_1',
	'Capsule',
	'Capsule_1',
	'Cone',
	'Plane',
	'Mesh',
]);

/** How geometry of a stage is written. */
export interface StageShapeOptions extends Pick<WriteGltfOptions, 'subdivide' | 'primvars'> {
	readonly variantStages?: readonly VariantStage[];
	/** Draws boxes in place of meshes that state their extent, all of one colour. */
	readonly outline?: boolean;
}

/** Geometry of a stage as meshes with their materials. */
export class StageShapes {
	readonly #document: GltfDocument;
	readonly #stage: Stage;
	readonly #items: StageItems;
	readonly #looks: StageLooks;
	readonly #materials: GltfMaterials;
	/** Looks of the same prims in each variant that can be chosen. */
	readonly #variants: readonly { readonly stage: Stage; readonly looks: StageLooks }[];
	readonly #materialItems = new Map<Path, number>();
	readonly #usdMeshes = new Map<string, UsdSurface | string>();
	readonly #surfaces: SurfaceCache;
	readonly #inherited = new Map<Path, string>();
	readonly #writesPrimvars: boolean;
	readonly #isOutline: boolean;
	readonly #shapes = new Tessellator();

	constructor(document: GltfDocument, stage: Stage, store: AssetStore, items: StageItems, options: StageShapeOptions) {
		const { variantStages: variants = [], subdivide = 0, primvars = false } = options;
		this.#surfaces = new SurfaceCache(subdivide);
		this.#writesPrimvars = primvars;
		this.#isOutline = options.outline === true;
		this.#document = document;
		this.#stage = stage;
		this.#items = items;
		const { ledger } = items;
		const materials = new GltfMaterials(document, new GltfTextures(document, store, ledger));
		this.#materials = materials;
		this.#looks = new StageLooks(materials, {
			see: (material) => this.#materialItem(material),
			lose: (material, code, message) => ledger.approximate('material', this.#materialItem(material), code, message),
		});
		this.#variants = this.#choosable(variants).map(({ stage: own }) => ({
			stage: own,
			looks: new StageLooks(materials),
		}));
	}

	/** Index of the mesh of a prim with the materials that it wears; undefined when there is nothing to draw. */
	mesh(prim: Prim, item: number, bake: Float64Array | undefined): number | undefined {
		const parts = this.#parts(prim, item, bake);
		if (typeof parts === 'string') {
			this.#items.ledger.drop('visual', item, 'shape-tessellated', `${prim.typeName.toLowerCase()} ${parts}`);
			return undefined;
		}
		if (parts.length === 0) {
			this.#items.ledger.drop('visual', item, 'shape-tessellated', `${prim.typeName.toLowerCase()} has no faces`);
			return undefined;
		}
		return addMesh(this.#document, prim.name, parts);
	}

	/** The box that a mesh says it is in; undefined for one that says nothing. */
	#outline(prim: Prim): SurfaceMesh | undefined {
		const extent = prim.typeName === 'Mesh' ? numbersIn(prim.attribute('extent').get(EARLIEST)) : undefined;
		if (extent === undefined || extent.length !== 6) return undefined;
		// flat ones keep a thickness that can be seen from the side
		const thin = 1e-3 * Math.max(...[0, 1, 2].map((k) => extent[k + 3]! - extent[k]!));
		const half = [0, 1, 2].map((k) => Math.max(thin, (extent[k + 3]! - extent[k]!) / 2)) as [number, number, number];
		const box = this.#shapes.mesh({ kind: 'box', half });
		const [x, y, z] = [0, 1, 2].map((k) => (extent[k + 3]! + extent[k]!) / 2);
		return box && moved(box, Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x!, y!, z!, 1));
	}

	#parts(prim: Prim, item: number, bake: Float64Array | undefined): MeshPart[] | string {
		const outline = this.#isOutline ? this.#outline(prim) : undefined;
		if (outline !== undefined) {
			const mesh = bake === undefined ? outline : moved(outline, bake);
			return [{ mesh, material: this.#materials.plain('outline', PLAIN_GROUND).material }];
		}
		const isDoubleSided = prim.attribute('doubleSided').get(EARLIEST)?.data === true;
		if (prim.typeName !== 'Mesh') {
			const mesh = this.#shape(prim);
			if (mesh === undefined) return 'has a size that makes no shape';
			this.#items.ledger.approximate('visual', item, 'shape-tessellated', 'glTF has triangles only');
			const ground = this.#ground(prim, isDoubleSided, (name) => constantPrimvar(prim, name));
			const { material, mappings } = this.#worn(prim, ground);
			return [{ mesh: bake === undefined ? mesh : moved(mesh, bake), material, mappings }];
		}
		const surface = this.#surfaceOf(prim);
		if (typeof surface === 'string') return surface;
		const ground = this.#ground(prim, isDoubleSided, (name) => {
			const found = surface.primvar(name);
			if (found === undefined) return undefined;
			return {
				constant: found.interpolation === 'constant' ? Array.from(found.data.subarray(0, found.width)) : undefined,
			};
		});
		if (isSubdivided(prim)) this.#tellSubdivision(item, surface);
		if (prim.attribute('primvars:skel:jointIndices').hasAuthoredValue)
			this.#items.ledger.approximate('visual', item, 'skel', 'bones bend it; it is written as it stands without them');
		const parts: MeshPart[] = [];
		const allNeeds: PartNeeds[] = [];
		const add = (owner: Prim, faces: Uint8Array | undefined): void => {
			const { material, needs, mappings } = this.#worn(owner, ground);
			allNeeds.push(needs);
			const others = this.#writesPrimvars ? otherPrimvars(prim, surface, [needs]).writable : [];
			const mesh = surface.part(faces, others.length === 0 ? needs : { ...needs, others }, bake);
			if (mesh !== undefined) parts.push({ mesh, material, mappings });
		};
		const subsets = geomSubsets(prim, { elementType: 'face', familyName: 'materialBind', time: EARLIEST });
		if (subsets.length === 0) {
			add(prim, undefined);
			this.#tellPrimvars(prim, item, surface, allNeeds);
			return parts;
		}
		const left = new Uint8Array(surface.faceCount).fill(1);
		for (const { prim: subset, indices } of subsets) {
			const faces = new Uint8Array(surface.faceCount);
			for (const face of indices) {
				if (face < 0 || face >= faces.length) continue;
				if (left[face] === 0) {
					const message = `face ${face} is in several subsets of materials; the first counts`;
					this.#items.ledger.approximate('visual', item, 'material-not-preview', message);
					continue;
				}
				faces[face] = 1;
				left[face] = 0;
			}
			add(subset, faces);
		}
		add(prim, left);
		this.#tellPrimvars(prim, item, surface, allNeeds);
		return parts;
	}

	#tellSubdivision(item: number, { isRefined, refusal }: UsdSurface): void {
		const message = isRefined
			? `it is written as it is after ${this.#surfaces.subdivide} of endlessly many subdivisions`
			: refusal === undefined
				? 'its cage is written, with smooth normals; --subdivide refines it'
				: `its cage is written, with smooth normals: ${refusal}`;
		this.#items.ledger.approximate('visual', item, 'subdivision', message);
	}

	/** Says which primvars are not written: all that no part reads, or those that cannot be. */
	#tellPrimvars(prim: Prim, item: number, surface: UsdSurface, parts: readonly PartNeeds[]): void {
		const { writable, unwritable } = otherPrimvars(prim, surface, parts);
		const lost = this.#writesPrimvars ? unwritable : [...writable.map(({ primvar }) => primvar), ...unwritable];
		if (lost.length === 0) return;
		const names = lost.map((name) => `'${name}'`).join(', ');
		const message = this.#writesPrimvars
			? `${names} ${lost.length === 1 ? 'is' : 'are'} not one to four numbers for each point, corner or face`
			: `no material reads ${names}; --primvars writes such values`;
		this.#items.ledger.approximate('visual', item, 'primvar', message);
	}

	#surfaceOf(prim: Prim): UsdSurface | string {
		// instances have the primvars of their prototype, unless one comes from above
		const key = `${prim.primInPrototype?.path ?? prim.path} ${this.#inheritedFrom(prim)}`;
		let found = this.#usdMeshes.get(key);
		if (found === undefined) {
			found = UsdSurface.read(prim, this.#surfaces);
			this.#usdMeshes.set(key, found);
		}
		return found;
	}

	/** The nearest prim above with primvars of its own, which prims below may take over. */
	#inheritedFrom({ parent }: Prim): string {
		if (parent === undefined || parent.isPseudoRoot) return '';
		let found = this.#inherited.get(parent.path);
		if (found === undefined) {
			const hasOwn = parent.authoredPropertyNames().some((name) => name.startsWith('primvars:'));
			found = hasOwn ? parent.path.toString() : this.#inheritedFrom(parent);
			this.#inherited.set(parent.path, found);
		}
		return found;
	}

	#shape(prim: Prim): SurfaceMesh | undefined {
		const axis = textAt(prim, 'axis');
		return this.#shapes.mesh(shapeOf(prim), axis === 'X' || axis === 'Y' ? axis : 'Z');
	}

	#ground(prim: Prim, isDoubleSided: boolean, primvar: MaterialGround['primvar']): MaterialGround {
		const has = (name: string): string | undefined =>
			findPrimvarWithInheritance(prim, name)?.hasAuthoredValue === true ? name : undefined;
		return { primvar, isDoubleSided, displayColor: has('displayColor'), displayOpacity: has('displayOpacity') };
	}

	/** The material of a prim, and those that it wears in variants, as far as they can share its coordinates and colours. */
	#worn(prim: Prim, ground: MaterialGround): WrittenMaterial & { readonly mappings: readonly number[] } {
		const bound = this.#looks.material(prim, ground);
		if (this.#variants.length === 0) return { ...bound, mappings: [] };
		let needs = bound.needs;
		const mappings = this.#variants.map(({ stage, looks }) => {
			const twin = stage.prim(prim.path);
			if (twin === undefined) return bound.material;
			const isColored = (name: string): string | undefined =>
				findPrimvarWithInheritance(twin, name)?.hasAuthoredValue === true ? name : undefined;
			const own = looks.material(twin, {
				...ground,
				primvar: (name) => {
					const interpolation = findPrimvarWithInheritance(twin, name)?.interpolation;
					return interpolation === 'constant' ? constantPrimvar(twin, name) : ground.primvar(name);
				},
				displayColor: isColored('displayColor'),
				displayOpacity: isColored('displayOpacity'),
			});
			const shared = sharedNeeds(needs, own.needs);
			if (shared === undefined) {
				const message = `${prim.path} wears a material in a variant that needs other coordinates or colours`;
				this.#items.drop('variant', `${prim.path}`, 'variants-not-material', message);
				return bound.material;
			}
			needs = shared;
			return own.material;
		});
		return { material: bound.material, needs, mappings };
	}

	/** Variants that differ by materials alone; none when one differs otherwise, which is told (REP 3.7). */
	#choosable(variants: readonly VariantStage[]): readonly VariantStage[] {
		for (const { name, stage } of variants) {
			const why = firstDifference(this.#stage, stage);
			if (why === undefined) continue;
			const message = `variant '${name}' is no matter of materials: ${why}; only the selected one is written`;
			this.#items.drop('variant', name, 'variants-not-material', message);
			return [];
		}
		this.#document.variants.push(...variants.map(({ name }) => name));
		for (const { name } of variants) this.#items.enter('variant', name);
		return variants;
	}

	/** The entry of a material, made when it is first seen. */
	#materialItem(material: Prim): number {
		let item = this.#materialItems.get(material.path);
		if (item === undefined) {
			item = this.#items.enter('material', material.path.toString());
			this.#materialItems.set(material.path, item);
		}
		return item;
	}
}

/** Nothing that a colour could come from. */
const PLAIN_GROUND: MaterialGround = {
	primvar: () => undefined,
	isDoubleSided: false,
	displayColor: undefined,
	displayOpacity: undefined,
};

/** What two materials need of one mesh: one of them has what the other has, and more. */
function sharedNeeds(one: PartNeeds, other: PartNeeds): PartNeeds | undefined {
	if (one.color !== other.color || one.opacity !== other.opacity) return undefined;
	const [less, more] = one.uvs.length <= other.uvs.length ? [one, other] : [other, one];
	const isBegin = less.uvs.every((set, i) => JSON.stringify(set) === JSON.stringify(more.uvs[i]));
	return isBegin ? more : undefined;
}

/** The value of a primvar that is the same all over a shape. */
function constantPrimvar(prim: Prim, name: string): { constant: readonly number[] } | undefined {
	const primvar = findPrimvarWithInheritance(prim, name);
	const value = primvar?.flattened({ time: EARLIEST });
	const numbers = numbersIn(value);
	if (value === undefined || numbers === undefined || numbers.length === 0 || name === 'st') return undefined;
	return { constant: Array.from(numbers).slice(0, value.type.width) };
}

function shapeOf(prim: Prim): PlainShape {
	const number = (name: string, fallback: number): number => numberAt(prim, name, fallback);
	switch (prim.typeName) {
		case 'Cube': {
			const half = number('size', 2) / 2;
			return { kind: 'box', half: [half, half, half] };
		}
		case 'Sphere': {
			const radius = number('radius', 1);
			return { kind: 'ellipsoid', radii: [radius, radius, radius] };
		}
		case 'Plane':
			return { kind: 'plane', half: [number('width', 2) / 2, number('length', 2) / 2] };
		case 'Cone':
			return { kind: 'cone', radius: number('radius', 1), half: number('height', 2) / 2 };
		case 'Capsule':
		case 'Capsule_1': {
			const radius = number('radius', number('radiusBottom', 0.5));
			return { kind: 'capsule', radius, half: number('height', 1) / 2 };
		}
		default:
			return { kind: 'cylinder', radius: number('radius', number('radiusBottom', 1)), half: number('height', 2) / 2 };
	}
}
