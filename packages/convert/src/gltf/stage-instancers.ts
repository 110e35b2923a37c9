import type { Path, Prim, Stage, XformCache } from '@manyworlds/usd';
import { pointInstances, traverse } from '@manyworlds/usd/internal';
import type { GltfDocument, GltfObject } from './gltf-document.ts';
import { nodeTransform, product, relativeTo } from './node-transform.ts';
import type { SceneNode } from './scene-nodes.ts';
import type { StageItems } from './stage-items.ts';
import { SOLIDS, type StageShapes } from './stage-shapes.ts';
import { EARLIEST } from './stage-values.ts';
import type { StageVisibility } from './stage-visibility.ts';

/** A prim to draw, with the matrix that it is drawn with where an instancer places it. */
interface Placed {
	readonly prim: Prim;
	/** Points are rows. */
	readonly matrix: Float64Array;
}

/** What instancers of a stage repeat. */
export class StageInstancers {
	readonly #document: GltfDocument;
	readonly #stage: Stage;
	readonly #items: StageItems;
	readonly #shapes: StageShapes;
	readonly #visibility: StageVisibility;
	readonly #transforms: XformCache;

	constructor(
		document: GltfDocument,
		stage: Stage,
		items: StageItems,
		shapes: StageShapes,
		visibility: StageVisibility,
		transforms: XformCache,
	) {
		this.#document = document;
		this.#stage = stage;
		this.#items = items;
		this.#shapes = shapes;
		this.#visibility = visibility;
		this.#transforms = transforms;
	}

	/** One node for each mesh of each prototype, with the places of its instances. */
	attach(node: SceneNode, prim: Prim): void {
		const item = this.#items.enter('visual', prim.path.toString());
		const groups = new Map<Path, { prim: Prim; places: Float64Array[] }>();
		for (const { prim: leaf, matrix } of this.#instances(prim, 0)) {
			const group = groups.get(leaf.path);
			if (group === undefined) groups.set(leaf.path, { prim: leaf, places: [matrix] });
			else group.places.push(matrix);
		}
		for (const { prim: leaf, places } of groups.values()) {
			node.attachments.push((rest) => {
				const matrices = rest === undefined ? places : places.map((place) => product(place, rest));
				const transforms = matrices.map((matrix) => nodeTransform(matrix));
				if (transforms.every(({ isExact }) => isExact)) {
					const mesh = this.#shapes.mesh(leaf, item, undefined);
					return mesh === undefined ? undefined : { mesh, ...this.#instancing(transforms) };
				}
				this.#items.ledger.approximate(
					'visual',
					item,
					'instancer-expanded',
					'instances are sheared: each becomes a node',
				);
				const children = matrices.flatMap((matrix, i) => {
					const { matrix: held, isExact, translation, rotation, scale } = transforms[i]!;
					const mesh = this.#shapes.mesh(leaf, item, isExact ? undefined : relativeTo(matrix, held));
					return mesh === undefined ? [] : [this.#document.nodes.push({ translation, rotation, scale, mesh }) - 1];
				});
				return { children };
			});
		}
	}

	#instancing(transforms: readonly ReturnType<typeof nodeTransform>[]): GltfObject {
		this.#document.use('EXT_mesh_gpu_instancing');
		const put = (width: 3 | 4, of: (at: (typeof transforms)[number]) => readonly number[]): number =>
			this.#document.addFloats(Float32Array.from(transforms.flatMap((at) => [...of(at)])), width, { isVertex: false });
		return {
			extensions: {
				EXT_mesh_gpu_instancing: {
					attributes: {
						TRANSLATION: put(3, ({ translation }) => translation),
						ROTATION: put(4, ({ rotation }) => rotation),
						SCALE: put(3, ({ scale }) => scale),
					},
				},
			},
		};
	}

	/** What an instancer draws, in its own space; instancers inside of it are written out. */
	#instances(prim: Prim, depth: number): Placed[] {
		const found = pointInstances(prim, { time: EARLIEST });
		if (found === undefined || depth > 8) return [];
		const leaves = found.prototypes.map((path) => {
			const root = this.#stage.prim(path);
			return root === undefined ? [] : this.#prototype(root, depth);
		});
		const placed: Placed[] = [];
		found.prototypeIndices.forEach((index, i) => {
			const place = found.transforms.slice(16 * i, 16 * i + 16);
			if (!place.every(Number.isFinite)) return;
			for (const { prim: leaf, matrix } of leaves[index] ?? [])
				placed.push({ prim: leaf, matrix: product(matrix, place) });
		});
		return placed;
	}

	/** Geometry of a prototype, in the space of its root. */
	#prototype(root: Prim, depth: number): Placed[] {
		const base = this.#transforms.worldTransform(root);
		const placed: Placed[] = [];
		let skip: string | undefined;
		for (const prim of [root, ...traverse(root, { instanceProxies: true })]) {
			const path = prim.path.toString();
			if (skip !== undefined && path.startsWith(skip)) continue;
			skip = undefined;
			if (!this.#visibility.isDrawn(prim)) continue;
			const matrix = relativeTo(this.#transforms.worldTransform(prim), base);
			if (prim.isA('PointInstancer')) {
				skip = `${path}/`;
				for (const inner of this.#instances(prim, depth + 1))
					placed.push({ prim: inner.prim, matrix: product(inner.matrix, matrix) });
			} else if (SOLIDS.has(prim.typeName)) placed.push({ prim, matrix });
		}
		return placed;
	}
}
