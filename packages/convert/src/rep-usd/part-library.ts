import { Path } from '@manyworlds/usd';
import { UniqueNames } from '../write/unique-names.ts';
import { GEOMETRIES_FILE, type StoredMesh } from './geometry-library.ts';
import { LayerBuilder } from './layer-builder.ts';
import { MATERIALS_FILE } from './look-library.ts';

/** Layer of the meshes of an asset with their looks. */
export const INSTANCES_FILE = './instances.usda';

/** What is seen of an asset: meshes with their looks, each complete in itself, so that instances can share it (REP 1.2.1, 3.5). */
export class PartLibrary {
	readonly #names = new UniqueNames();
	readonly #known = new Map<string, Path>();
	#builder: LayerBuilder | undefined;

	/** The layer; undefined without parts. */
	get builder(): LayerBuilder | undefined {
		return this.#builder;
	}

	/** Path of a mesh with a look for all of it, and one for each of its subsets that has its own. */
	pathOf(mesh: StoredMesh, look: Path | undefined, looks: readonly (Path | undefined)[]): Path {
		const key = [mesh.path, look ?? '', ...looks.map((one) => one ?? '')].join(' ');
		const known = this.#known.get(key);
		if (known !== undefined) return known;
		const path = Path.root.appendChild(this.#names.take(mesh.path.name));
		this.#known.set(key, path);
		this.#builder ??= new LayerBuilder(INSTANCES_FILE, path.name, 'Meshes with their looks.');
		this.#write(this.#builder, path, mesh, look, looks);
		return path;
	}

	#write(
		builder: LayerBuilder,
		path: Path,
		mesh: StoredMesh,
		look: Path | undefined,
		looks: readonly (Path | undefined)[],
	): void {
		builder.define(path, 'Xform');
		const shape = builder.define(path.appendChild('mesh'), 'Mesh');
		builder.reference(shape, [GEOMETRIES_FILE], mesh.path);
		const scope = path.appendChild('looks');
		const bind = (prim: Path, source: Path): void => {
			const own = scope.appendChild(source.name);
			if (!builder.layer.has(own)) {
				if (!builder.layer.has(scope)) builder.define(scope, 'Scope');
				builder.define(own, 'Material');
				builder.reference(own, [MATERIALS_FILE], source);
			}
			bindLook(builder, prim, own);
		};
		if (look !== undefined) bind(shape, look);
		for (const [index, { name }] of mesh.subsets.entries()) {
			const own = looks[index];
			if (own !== undefined) bind(builder.over(shape.appendChild(name)), own);
		}
	}
}

/** Binds a look to a prim. */
export function bindLook(builder: LayerBuilder, prim: Path, look: Path): void {
	builder.apply(prim, ['MaterialBindingAPI']);
	builder.relationship(prim, 'material:binding', [look]);
}
