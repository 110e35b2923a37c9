import {
	type AssetStore,
	computePurposeInfo,
	findPrimvarWithInheritance,
	geomSubsets,
	inheritPurpose,
	isImageable,
	isLight,
	isXformable,
	type Path,
	type Prim,
	type PurposeInfo,
	pointInstances,
	type Stage,
	traverse,
	XformCache,
} from '@manyworlds/usd';
import type { ConversionLedger, ItemKind } from '../model/conversion-ledger.ts';
import type { ConversionModel } from '../model/conversion-model.ts';
import type { LossCode } from '../model/loss-codes.ts';
import type { GltfDocument, GltfObject } from './gltf-document.ts';
import { GltfMaterials, type MaterialGround, type WrittenMaterial } from './gltf-materials.ts';
import { addMesh, type MeshPart } from './gltf-meshes.ts';
import { GltfTextures } from './gltf-textures.ts';
import { firstDifference, type VariantStage } from './material-variants.ts';
import { nodeTransform, product, relativeTo } from './node-transform.ts';
import { type SceneNode, type SceneNodes, writeNodes } from './scene-nodes.ts';
import { addStageAnimation, type MovedNodes } from './stage-animation.ts';
import { StageLooks } from './stage-looks.ts';
import { motionsOf } from './stage-motion.ts';
import { EARLIEST, numberAt, numbersIn, textAt } from './stage-values.ts';
import type { SurfaceMesh } from './surface-mesh.ts';
import { type PlainShape, Tessellator } from './tessellate.ts';
import { gltfCamera, punctualLight } from './usd-lights.ts';
import { moved, type PartNeeds, SurfaceCache, UsdSurface } from './usd-surface.ts';

/** Kinds of geometry that are triangles, or can be. */
const SOLIDS: ReadonlySet<string> = new Set([
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

/** A prim to draw, with the matrix that it is drawn with where an instancer places it. */
interface Placed {
	readonly prim: Prim;
	/** Points are rows. */
	readonly matrix: Float64Array;
}

/** Purposes of geometry that is drawn when nobody says which. */
export const DRAWN_PURPOSES: ReadonlySet<string> = new Set(['default', 'render']);

/** Options of {@link writeUsdScene}. */
interface UsdSceneOptions {
	readonly variants?: readonly VariantStage[];
	readonly isAnimated?: boolean;
	readonly purposes?: ReadonlySet<string>;
}

/** Writes what a stage shows: nodes nest as joints hold bodies, everything else as prims. Gives the roots. */
export function writeUsdScene(
	document: GltfDocument,
	stage: Stage,
	model: ConversionModel,
	store: AssetStore,
	ledger: ConversionLedger,
	{ variants = [], isAnimated = false, purposes = DRAWN_PURPOSES }: UsdSceneOptions = {},
): SceneNodes {
	return new UsdScene(document, stage, model, store, ledger, variants, purposes).write(isAnimated);
}

class UsdScene {
	readonly #document: GltfDocument;
	readonly #stage: Stage;
	readonly #model: ConversionModel;
	readonly #ledger: ConversionLedger;
	readonly #transforms = new XformCache({ time: EARLIEST });
	readonly #looks: StageLooks;
	/** Looks of the same prims in each variant that can be chosen. */
	readonly #variants: readonly { readonly stage: Stage; readonly looks: StageLooks }[];
	readonly #materialItems = new Map<Path, number>();
	readonly #usdMeshes = new Map<string, UsdSurface | string>();
	readonly #surfaces = new SurfaceCache();
	readonly #shapes = new Tessellator();
	readonly #shown = new Map<Path, boolean>();
	readonly #purposes = new Map<Path, PurposeInfo>();
	readonly #counts = new Map<ItemKind, number>();
	readonly #ofBody = new Map<number, SceneNode>();
	readonly #primOf = new Map<SceneNode, Prim>();
	readonly #unit: number;
	readonly #drawnPurposes: ReadonlySet<string>;

	constructor(
		document: GltfDocument,
		stage: Stage,
		model: ConversionModel,
		store: AssetStore,
		ledger: ConversionLedger,
		variants: readonly VariantStage[],
		purposes: ReadonlySet<string>,
	) {
		this.#drawnPurposes = purposes;
		this.#document = document;
		this.#stage = stage;
		this.#model = model;
		this.#ledger = ledger;
		const materials = new GltfMaterials(document, new GltfTextures(document, store, ledger));
		this.#looks = new StageLooks(materials, {
			see: (material) => this.#materialItem(material),
			lose: (material, code, message) => ledger.approximate('material', this.#materialItem(material), code, message),
		});
		this.#variants = this.#choosable(variants).map(({ stage: own }) => ({
			stage: own,
			looks: new StageLooks(materials),
		}));
		const unit = stage.pseudoRoot.metadata('metersPerUnit')?.data;
		this.#unit = typeof unit === 'number' && unit > 0 ? unit : 0.01;
	}

	/** Variants that differ by materials alone; none when one differs otherwise, which is told (REP 3.7). */
	#choosable(variants: readonly VariantStage[]): readonly VariantStage[] {
		for (const { name, stage } of variants) {
			const why = firstDifference(this.#stage, stage);
			if (why === undefined) continue;
			const message = `variant '${name}' is no matter of materials: ${why}; only the selected one is written`;
			this.#drop('variant', name, 'variants-not-material', message);
			return [];
		}
		this.#document.variants.push(...variants.map(({ name }) => name));
		for (const { name } of variants) this.#enter('variant', name);
		return variants;
	}

	write(isAnimated: boolean): SceneNodes {
		const nodes = this.#collect();
		const isZUp = stageUpAxis(this.#stage) === 'Z';
		const hasRoot = isZUp || this.#unit !== 1;
		const root: GltfObject = {
			name: 'scene',
			...(isZUp ? { rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] } : {}),
			...(this.#unit === 1 ? {} : { scale: [this.#unit, this.#unit, this.#unit] }),
		};
		const { roots, indexOf, frameOf } = writeNodes(this.#document, nodes, hasRoot ? root : undefined);
		this.#animate({ nodes, indexOf, frameOf }, isAnimated);
		const bodies = new Map([...this.#ofBody].map(([body, node]) => [body, indexOf.get(node)!]));
		return { roots, bodies, unit: this.#unit };
	}

	/** Moves nodes as the stage does over time, when asked; what is not written is told. */
	#animate(written: Pick<MovedNodes, 'nodes' | 'indexOf' | 'frameOf'>, isAnimated: boolean): void {
		const moving: Prim[] = [];
		for (const { prim, isMoving, others } of motionsOf(this.#stage)) {
			const item = this.#enter('animation', prim.path.toString());
			if (isMoving) moving.push(prim);
			if (!isAnimated) {
				const message = 'it changes over time; --animate-stage writes how things move';
				this.#ledger.drop('animation', item, 'animation', message);
			} else if (others.length > 0) {
				const message = `${others.join(', ')} over time ${others.length === 1 ? 'has' : 'have'} no place in glTF`;
				if (isMoving) this.#ledger.approximate('animation', item, 'animation', message);
				else this.#ledger.drop('animation', item, 'animation', message);
			}
		}
		if (!isAnimated) return;
		addStageAnimation(this.#document, { stage: this.#stage, primOf: this.#primOf, moving, ...written }, ({ name }) => {
			const item = this.#enter('animation', name);
			const message = `'${name}' is stretched over time in a way that a node cannot be; it keeps its first shape`;
			this.#ledger.approximate('animation', item, 'shear-baked', message);
		});
	}

	/** Nodes of bodies, frames and whatever is drawn. */
	#collect(): SceneNode[] {
		const { bodies, frames } = this.#model;
		const bodyAt = new Map(bodies.map(({ from }, index) => [from.prim ?? '', index]));
		const frameAt = new Map(frames.map(({ from, name }) => [from.prim ?? '', name]));
		const nodes: SceneNode[] = [];
		const ofPrim = new Map<string, SceneNode>();
		const ofBody = this.#ofBody;
		const primOf = this.#primOf;
		const instancers: string[] = [];
		for (const prim of traverse(this.#stage.pseudoRoot, { instanceProxies: true })) {
			const path = prim.path.toString();
			// what instancers repeat is not there by itself
			while (instancers.length > 0 && !path.startsWith(instancers.at(-1)!)) instancers.pop();
			if (instancers.length > 0) continue;
			const body = bodyAt.get(path);
			const isNamed = body !== undefined || frameAt.has(path);
			if (prim.isA('PointInstancer')) instancers.push(`${path}/`);
			if (!isXformable(prim) && !isNamed) continue;
			const isDrawn = this.#isDrawn(prim);
			const isGeometry = prim.isA('Gprim');
			if (isGeometry && !isDrawn) this.#dropHidden(prim);
			const isCamera = prim.isA('Camera');
			if (!isNamed && !isCamera && (!isDrawn || (isGeometry && !SOLIDS.has(prim.typeName)))) {
				if (isDrawn && isGeometry) this.#dropKind(prim);
				continue;
			}
			const world = this.#transforms.worldTransform(prim);
			if (!world.every(Number.isFinite)) {
				if (isGeometry) this.#drop('visual', path, 'scale-baked', 'its transform is not finite');
				continue;
			}
			const name = body !== undefined ? bodies[body]!.name : (frameAt.get(path) ?? prim.name);
			const node: SceneNode = { name, world, isPose: body !== undefined, parent: undefined, attachments: [] };
			nodes.push(node);
			ofPrim.set(path, node);
			primOf.set(node, prim);
			if (body !== undefined) ofBody.set(body, node);
			if (isDrawn) this.#attach(node, prim);
			else if (isCamera) this.#attachCamera(node, prim);
		}
		this.#nest(nodes, primOf, ofPrim, ofBody);
		return nodes;
	}

	/** Bodies hang on the bodies that joints hold them to, everything else on what is above it. */
	#nest(
		nodes: readonly SceneNode[],
		primOf: ReadonlyMap<SceneNode, Prim>,
		ofPrim: ReadonlyMap<string, SceneNode>,
		ofBody: ReadonlyMap<number, SceneNode>,
	): void {
		const held = new Map<SceneNode, SceneNode>();
		for (const { parent, child } of this.#model.joints) {
			const [above, below] = [ofBody.get(parent), ofBody.get(child)];
			if (above !== undefined && below !== undefined) held.set(below, above);
		}
		const holders = new Set(held.values());
		for (const node of nodes) {
			const holder = held.get(node);
			if (holder !== undefined) {
				node.parent = holder;
				continue;
			}
			for (let at = primOf.get(node)!.parent; at !== undefined && node.parent === undefined; at = at.parent) {
				const above = ofPrim.get(at.path.toString());
				// a root that stands inside of what it holds goes further up
				if (above === undefined) continue;
				if (!holders.has(node) || !hangsOn(above, node, held, primOf, ofPrim)) node.parent = above;
			}
		}
	}

	#attach(node: SceneNode, prim: Prim): void {
		if (prim.isA('Camera')) this.#attachCamera(node, prim);
		else if (isLight(prim) && !prim.isA('Gprim')) this.#attachLight(node, prim);
		else if (prim.isA('PointInstancer')) this.#attachInstances(node, prim);
		else if (SOLIDS.has(prim.typeName)) this.#attachGeometry(node, prim);
	}

	#attachCamera(node: SceneNode, prim: Prim): void {
		const item = this.#enter('camera', prim.path.toString());
		const written = gltfCamera(prim, this.#unit);
		if ('dropped' in written) {
			this.#ledger.drop('camera', item, ...written.dropped);
			return;
		}
		for (const loss of written.losses) this.#ledger.approximate('camera', item, ...loss);
		node.attachments.push(() => ({ camera: this.#document.add('cameras', written.object) }));
	}

	#attachLight(node: SceneNode, prim: Prim): void {
		const item = this.#enter('light', prim.path.toString());
		const scale = [0, 4, 8].map((row) => Math.hypot(...node.world.subarray(row, row + 3)));
		const written = punctualLight(prim, (this.#unit * scale.reduce((sum, value) => sum + value, 0)) / 3);
		if ('dropped' in written) {
			this.#ledger.drop('light', item, ...written.dropped);
			return;
		}
		for (const loss of written.losses) this.#ledger.approximate('light', item, ...loss);
		node.attachments.push(() => {
			this.#document.use('KHR_lights_punctual');
			const light = this.#document.lights.push(written.object) - 1;
			return { extensions: { KHR_lights_punctual: { light } } };
		});
	}

	#attachGeometry(node: SceneNode, prim: Prim): void {
		const item = this.#enter('visual', prim.path.toString());
		if (prim.typeName === 'Plane' && prim.hasSchema('PhysicsCollisionAPI')) {
			// its size is only how much of it viewers show
			this.#ledger.drop('visual', item, 'surroundings', 'a plane that collides has no end, and is not drawn');
			return;
		}
		node.attachments.push((rest) => {
			if (rest !== undefined)
				this.#ledger.approximate('visual', item, 'shear-baked', 'its transform shears it, which goes into its points');
			const mesh = this.#mesh(prim, item, rest);
			return mesh === undefined ? undefined : { mesh };
		});
	}

	/** One node for each mesh of each prototype, with the places of its instances. */
	#attachInstances(node: SceneNode, prim: Prim): void {
		const item = this.#enter('visual', prim.path.toString());
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
					const mesh = this.#mesh(leaf, item, undefined);
					return mesh === undefined ? undefined : { mesh, ...this.#instancing(transforms) };
				}
				this.#ledger.approximate('visual', item, 'instancer-expanded', 'instances are sheared: each becomes a node');
				const children = matrices.flatMap((matrix, i) => {
					const { matrix: held, isExact, translation, rotation, scale } = transforms[i]!;
					const mesh = this.#mesh(leaf, item, isExact ? undefined : relativeTo(matrix, held));
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
			if (!this.#isDrawn(prim)) continue;
			const matrix = relativeTo(this.#transforms.worldTransform(prim), base);
			if (prim.isA('PointInstancer')) {
				skip = `${path}/`;
				for (const inner of this.#instances(prim, depth + 1))
					placed.push({ prim: inner.prim, matrix: product(inner.matrix, matrix) });
			} else if (SOLIDS.has(prim.typeName)) placed.push({ prim, matrix });
		}
		return placed;
	}

	/** Index of the mesh of a prim with the materials that it wears; undefined when there is nothing to draw. */
	#mesh(prim: Prim, item: number, bake: Float64Array | undefined): number | undefined {
		const parts = this.#parts(prim, item, bake);
		if (typeof parts === 'string') {
			this.#ledger.drop('visual', item, 'shape-tessellated', `${prim.typeName.toLowerCase()} ${parts}`);
			return undefined;
		}
		if (parts.length === 0) {
			this.#ledger.drop('visual', item, 'shape-tessellated', `${prim.typeName.toLowerCase()} has no faces`);
			return undefined;
		}
		return addMesh(this.#document, prim.name, parts);
	}

	#parts(prim: Prim, item: number, bake: Float64Array | undefined): MeshPart[] | string {
		const isDoubleSided = prim.attribute('doubleSided').get(EARLIEST)?.data === true;
		if (prim.typeName !== 'Mesh') {
			const mesh = this.#shape(prim);
			if (mesh === undefined) return 'has a size that makes no shape';
			this.#ledger.approximate('visual', item, 'shape-tessellated', 'glTF has triangles only');
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
		if ((textAt(prim, 'subdivisionScheme') ?? 'catmullClark') !== 'none')
			this.#ledger.approximate('visual', item, 'subdivision', 'its cage is written, with smooth normals');
		const parts: MeshPart[] = [];
		const add = (owner: Prim, faces: Uint8Array | undefined): void => {
			const { material, needs, mappings } = this.#worn(owner, ground);
			const mesh = surface.part(faces, needs, bake);
			if (mesh !== undefined) parts.push({ mesh, material, mappings });
		};
		const subsets = geomSubsets(prim, { elementType: 'face', familyName: 'materialBind', time: EARLIEST });
		if (subsets.length === 0) {
			add(prim, undefined);
			return parts;
		}
		const left = new Uint8Array(surface.faceCount).fill(1);
		for (const { prim: subset, indices } of subsets) {
			const faces = new Uint8Array(surface.faceCount);
			for (const face of indices) {
				if (face < 0 || face >= faces.length || left[face] === 0) continue;
				faces[face] = 1;
				left[face] = 0;
			}
			add(subset, faces);
		}
		add(prim, left);
		return parts;
	}

	#surfaceOf(prim: Prim): UsdSurface | string {
		// instances have the primvars of their prototype, unless one comes from above
		const key = `${prim.primInPrototype?.path ?? prim.path} ${inheritedFrom(prim)}`;
		let found = this.#usdMeshes.get(key);
		if (found === undefined) {
			found = UsdSurface.read(prim, this.#surfaces);
			this.#usdMeshes.set(key, found);
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
				this.#drop('variant', `${prim.path}`, 'variants-not-material', message);
				return bound.material;
			}
			needs = shared;
			return own.material;
		});
		return { material: bound.material, needs, mappings };
	}

	/** The entry of a material, made when it is first seen. */
	#materialItem(material: Prim): number {
		let item = this.#materialItems.get(material.path);
		if (item === undefined) {
			item = this.#enter('material', material.path.toString());
			this.#materialItems.set(material.path, item);
		}
		return item;
	}

	#isDrawn(prim: Prim): boolean {
		return this.#isShown(prim) && this.#drawnPurposes.has(this.#purpose(prim).purpose);
	}

	#isShown(prim: Prim): boolean {
		let isShown = this.#shown.get(prim.path);
		if (isShown === undefined) {
			const { parent } = prim;
			const isOwn = !isImageable(prim) || textAt(prim, 'visibility') !== 'invisible';
			isShown = isOwn && (parent === undefined || parent.isPseudoRoot || this.#isShown(parent));
			this.#shown.set(prim.path, isShown);
		}
		return isShown;
	}

	#purpose(prim: Prim): PurposeInfo {
		let found = this.#purposes.get(prim.path);
		if (found === undefined) {
			const { parent } = prim;
			found =
				parent === undefined || parent.isPseudoRoot
					? computePurposeInfo(prim)
					: inheritPurpose(prim, this.#purpose(parent));
			this.#purposes.set(prim.path, found);
		}
		return found;
	}

	/** Colliders are told apart; what else is hidden was meant for other eyes. */
	#dropHidden(prim: Prim): void {
		if (prim.hasSchema('PhysicsCollisionAPI')) return;
		const why = this.#isShown(prim) ? `its purpose is ${this.#purpose(prim).purpose}` : 'it is invisible';
		this.#drop('visual', prim.path.toString(), 'purpose-proxy', `geometry is not drawn: ${why}`);
	}

	#dropKind(prim: Prim): void {
		const code: LossCode = prim.typeName.includes('Curves') ? 'curves' : 'points';
		this.#drop('visual', prim.path.toString(), code, `glTF has no ${prim.typeName}`);
	}

	#enter(kind: ItemKind, name: string): number {
		const index = this.#counts.get(kind) ?? 0;
		this.#counts.set(kind, index + 1);
		this.#ledger.enter(kind, index, name);
		return index;
	}

	#drop(kind: ItemKind, name: string, code: LossCode, message: string): void {
		this.#ledger.drop(kind, this.#enter(kind, name), code, message);
	}
}

/** What two materials need of one mesh: one of them has what the other has, and more. */
function sharedNeeds(one: PartNeeds, other: PartNeeds): PartNeeds | undefined {
	if (one.color !== other.color || one.opacity !== other.opacity) return undefined;
	const [less, more] = one.uvs.length <= other.uvs.length ? [one, other] : [other, one];
	const isBegin = less.uvs.every((set, i) => JSON.stringify(set) === JSON.stringify(more.uvs[i]));
	return isBegin ? more : undefined;
}

/** Whether a node hangs on another, by joints or by prims. */
function hangsOn(
	node: SceneNode,
	other: SceneNode,
	held: ReadonlyMap<SceneNode, SceneNode>,
	primOf: ReadonlyMap<SceneNode, Prim>,
	ofPrim: ReadonlyMap<string, SceneNode>,
): boolean {
	const seen = new Set<SceneNode>();
	for (let at: SceneNode | undefined = node; at !== undefined && !seen.has(at); ) {
		if (at === other) return true;
		seen.add(at);
		let next: SceneNode | undefined = held.get(at) ?? at.parent;
		for (let prim = primOf.get(at)!.parent; next === undefined && prim !== undefined; prim = prim.parent) {
			next = ofPrim.get(prim.path.toString());
		}
		at = next;
	}
	return false;
}

function stageUpAxis(stage: Stage): 'Y' | 'Z' {
	return stage.pseudoRoot.metadata('upAxis')?.data === 'Z' ? 'Z' : 'Y';
}

/** The nearest prim above with primvars of its own, which prims below may take over. */
function inheritedFrom(prim: Prim): string {
	for (let at = prim.parent; at !== undefined && !at.isPseudoRoot; at = at.parent) {
		if (at.authoredPropertyNames().some((name) => name.startsWith('primvars:'))) return at.path.toString();
	}
	return '';
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
