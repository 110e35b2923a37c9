import { type Path, T } from '@manyworlds/usd';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionModel, ConversionShape } from '../model/conversion-model.ts';
import { UniqueNames } from '../write/unique-names.ts';
import { GEOMETRIES_FILE, type GeometryLibrary, meshUse, type StoredMesh } from './geometry-library.ts';
import type { LayerBuilder } from './layer-builder.ts';
import type { PhysicsMaterials } from './physics-materials.ts';
import { definePlainShape, type PlainGeometry } from './plain-shapes.ts';
import { primName } from './prim-names.ts';
import type { StageLayout } from './stage-layout.ts';
import { nameOf } from './visual-scopes.ts';

const SET = 'collision_fidelity';
const SIMPLE = 'convexHull';
const EXACT = 'trimesh';

/** One collider in one variant. */
interface Form {
	readonly geometry: PlainGeometry | StoredMesh;
	/** On the link that has the collider. */
	readonly pose: Float64Array;
	readonly approximation: 'convexHull' | 'none';
}

/**
 * Writes what links touch with into their scopes `collision` (REP 1.3.1): simple shapes by default, meshes as they are as a
 * variant where they are closed. Shapes are in one layer, what physics says of them in another.
 */
export class CollisionScopes {
	readonly #colliders: LayerBuilder;
	readonly #physics: LayerBuilder;
	readonly #layout: StageLayout;
	readonly #model: ConversionModel;
	readonly #geometries: GeometryLibrary;
	readonly #materials: PhysicsMaterials;
	readonly #ledger: ConversionLedger;

	constructor(
		layers: { readonly colliders: LayerBuilder; readonly physics: LayerBuilder },
		layout: StageLayout,
		model: ConversionModel,
		geometries: GeometryLibrary,
		materials: PhysicsMaterials,
		ledger: ConversionLedger,
	) {
		this.#colliders = layers.colliders;
		this.#physics = layers.physics;
		this.#layout = layout;
		this.#model = model;
		this.#geometries = geometries;
		this.#materials = materials;
		this.#ledger = ledger;
	}

	/** Writes the colliders of one link, by their indices. */
	write(link: Path, shapes: readonly number[]): void {
		const forms = shapes.flatMap((index) => {
			const simple = this.#simpleForm(index);
			return simple === undefined ? [] : [{ index, simple, exact: this.#exactForm(index) }];
		});
		if (forms.length === 0) return;
		const scope = this.#colliders.define(link.appendChild('collision'), 'Scope');
		this.#colliders.uniform(scope, 'purpose', T.token, 'guide');
		this.#colliders.select(scope, SET, SIMPLE);
		this.#writeVariant(scope, SIMPLE, forms, ({ simple }) => simple);
		if (forms.some(({ exact }) => exact !== undefined)) {
			this.#writeVariant(scope, EXACT, forms, ({ simple, exact }) => exact ?? simple);
		}
	}

	#writeVariant<F extends { readonly index: number }>(
		scope: Path,
		variant: string,
		forms: readonly F[],
		choose: (form: F) => Form,
	): void {
		const colliders = this.#colliders.variant(scope, SET, variant);
		const physics = this.#physics.variant(scope, SET, variant);
		const names = new UniqueNames();
		for (const form of forms) {
			const shape = this.#model.shapes[form.index]!;
			const name = names.take(primName(shape.name || nameOf(this.#model, shape), 'shape'));
			this.#writeCollider(colliders.appendChild(name), physics.appendChild(name), shape, form.index, choose(form));
		}
	}

	#writeCollider(path: Path, over: Path, shape: ConversionShape, index: number, form: Form): void {
		const { geometry, approximation, pose } = form;
		const builder = this.#colliders;
		const schemas = ['PhysicsCollisionAPI', 'MaterialBindingAPI'];
		if ('path' in geometry) {
			builder.define(path, 'Mesh');
			builder.field(path, 'instanceable', T.bool, true);
			builder.payload(path, GEOMETRIES_FILE, geometry.path);
			builder.place(path, pose);
			schemas.splice(1, 0, 'PhysicsMeshCollisionAPI');
		} else definePlainShape(builder, path, geometry, pose);
		this.#physics.apply(over, schemas);
		if ('path' in geometry) this.#physics.uniform(over, 'physics:approximation', T.token, approximation);
		this.#physics.relationship(over, 'material:binding:physics', [this.#materials.pathOf(shape.contact, index)]);
	}

	/** What a collider is by default: a shape of UsdGeom, or a hull. */
	#simpleForm(index: number): Form | undefined {
		const { geometry, approximation = 'none', name } = this.#model.shapes[index]!;
		const place = this.#placeOf(index);
		const ledger = this.#ledger;
		switch (geometry.kind) {
			case 'ellipsoid':
				// engines that read UsdPhysics take a stretched sphere as a sphere
				ledger.approximate('collider', index, 'shape-tessellated', `ellipsoid '${name}' is written as a mesh`);
				return { geometry: this.#geometries.ellipsoid(geometry.radii), pose: place, approximation: 'convexHull' };
			case 'mesh': {
				const { use, pose } = meshUse(geometry, place);
				const hull = this.#geometries.hull(use);
				if (hull === undefined) {
					ledger.drop('collider', index, 'approximation', `mesh '${name}' is flat, so that it has no hull`);
					return undefined;
				}
				const fault = this.#geometries.fault(use);
				if (approximation === 'convexDecomposition') {
					const message = `mesh '${name}' collides as its hull, not as a decomposition`;
					ledger.approximate('collider', index, 'approximation', message);
				} else if (approximation === 'none' && fault !== undefined) {
					const message = `mesh '${name}' collides as its hull: ${fault}`;
					ledger.approximate('collider', index, 'concave-hull', message);
				}
				return { geometry: hull, pose, approximation: 'convexHull' };
			}
			default:
				return { geometry, pose: place, approximation: 'none' };
		}
	}

	/** A mesh that collides as it is; undefined when it may not, or need not. */
	#exactForm(index: number): Form | undefined {
		const { geometry, approximation = 'none' } = this.#model.shapes[index]!;
		if (geometry.kind !== 'mesh' || approximation === 'convexHull') return undefined;
		const { use, pose } = meshUse(geometry, this.#placeOf(index));
		if (this.#geometries.fault(use) !== undefined) return undefined;
		return { geometry: this.#geometries.touched(use), pose, approximation: 'none' };
	}

	/** Where a collider is on the link that moves it. */
	#placeOf(index: number): Float64Array {
		const { body, pose } = this.#model.shapes[index]!;
		return this.#layout.onCarrier(body, pose);
	}
}
