import { type AssetStore, type Prim, type Stage, XformCache } from '@manyworlds/usd';
import { isLight, isXformable, traverse } from '@manyworlds/usd/internal';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionModel } from '../model/conversion-model.ts';
import type { LossCode } from '../model/loss-codes.ts';
import type { GltfDocument, GltfObject } from './gltf-document.ts';
import { identity, isIdentity, relativeTo } from './node-transform.ts';
import { type SceneNode, type SceneNodes, writeNodes } from './scene-nodes.ts';
import { addStageAnimation, type MovedNodes } from './stage-animation.ts';
import { StageInstancers } from './stage-instancers.ts';
import { StageItems } from './stage-items.ts';
import { motionsOf } from './stage-motion.ts';
import { SOLIDS, type StageShapeOptions, StageShapes } from './stage-shapes.ts';
import { EARLIEST } from './stage-values.ts';
import { StageVisibility } from './stage-visibility.ts';
import { gltfCamera, punctualLight } from './usd-lights.ts';
import type { WriteGltfOptions } from './write-gltf.ts';

/** Writes what a stage shows: nodes nest as joints hold bodies, everything else as prims. Gives the roots. */
export function writeUsdScene(
	document: GltfDocument,
	stage: Stage,
	model: ConversionModel,
	store: AssetStore,
	ledger: ConversionLedger,
	options: UsdSceneOptions = {},
): SceneNodes {
	return new UsdScene(document, stage, model, store, ledger, options).write();
}

/** What of a stage is written, and how. */
export interface UsdSceneOptions
	extends StageShapeOptions,
		Pick<WriteGltfOptions, 'animateStage' | 'areaLights' | 'keepHidden' | 'prune'> {
	/** Purposes of geometry that is drawn. */
	readonly purposes?: ReadonlySet<string>;
}

class UsdScene {
	readonly #options: UsdSceneOptions;
	readonly #document: GltfDocument;
	readonly #stage: Stage;
	readonly #model: ConversionModel;
	readonly #items: StageItems;
	readonly #transforms = new XformCache({ time: EARLIEST });
	readonly #visibility: StageVisibility;
	readonly #shapes: StageShapes;
	readonly #instancers: StageInstancers;
	readonly #ofBody = new Map<number, SceneNode>();
	readonly #frames = new Set<SceneNode>();
	readonly #primOf = new Map<SceneNode, Prim>();
	readonly #unit: number;

	constructor(
		document: GltfDocument,
		stage: Stage,
		model: ConversionModel,
		store: AssetStore,
		ledger: ConversionLedger,
		options: UsdSceneOptions,
	) {
		this.#options = options;
		this.#visibility = new StageVisibility(options.purposes);
		this.#document = document;
		this.#stage = stage;
		this.#model = model;
		this.#items = new StageItems(ledger);
		this.#shapes = new StageShapes(document, stage, store, this.#items, options);
		this.#instancers = new StageInstancers(
			document,
			stage,
			this.#items,
			this.#shapes,
			this.#visibility,
			this.#transforms,
		);
		const unit = stage.pseudoRoot.metadata('metersPerUnit')?.data;
		this.#unit = typeof unit === 'number' && unit > 0 ? unit : 0.01;
	}

	write(): SceneNodes {
		const all = this.#collect();
		const nodes = this.#options.prune === true ? this.#pruned(all) : all;
		const isZUp = stageUpAxis(this.#stage) === 'Z';
		const hasRoot = isZUp || this.#unit !== 1;
		const root: GltfObject = {
			name: 'scene',
			...(isZUp ? { rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] } : {}),
			...(this.#unit === 1 ? {} : { scale: [this.#unit, this.#unit, this.#unit] }),
		};
		const { roots, indexOf, frameOf } = writeNodes(this.#document, nodes, hasRoot ? root : undefined);
		this.#animate({ nodes, indexOf, frameOf }, this.#options.animateStage === true);
		const bodies = new Map([...this.#ofBody].map(([body, node]) => [body, indexOf.get(node)!]));
		return { roots, bodies, unit: this.#unit };
	}

	/** Moves nodes as the stage does over time, when asked; what is not written is told. */
	#animate(written: Pick<MovedNodes, 'nodes' | 'indexOf' | 'frameOf'>, isAnimated: boolean): void {
		const moving: Prim[] = [];
		for (const { prim, isMoving, others } of motionsOf(this.#stage)) {
			const item = this.#items.enter('animation', prim.path.toString());
			if (isMoving) moving.push(prim);
			if (!isAnimated) {
				const message = 'it changes over time; --animate-stage writes how things move';
				this.#items.ledger.drop('animation', item, 'animation', message);
			} else if (others.length > 0) {
				const message = `${others.join(', ')} over time ${others.length === 1 ? 'has' : 'have'} no place in glTF`;
				if (isMoving) this.#items.ledger.approximate('animation', item, 'animation', message);
				else this.#items.ledger.drop('animation', item, 'animation', message);
			}
		}
		if (!isAnimated) return;
		addStageAnimation(this.#document, { stage: this.#stage, primOf: this.#primOf, moving, ...written }, ({ name }) => {
			const item = this.#items.enter('animation', name);
			const message = `'${name}' is stretched over time in a way that a node cannot be; it keeps its first shape`;
			this.#items.ledger.approximate('animation', item, 'shear-baked', message);
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
			const isGeometry = prim.isA('Gprim');
			const isHidden = isGeometry && this.#options.keepHidden === true && this.#isHidden(prim, isNamed);
			const isDrawn = this.#visibility.isDrawn(prim) || isHidden;
			if (isGeometry && !isDrawn) this.#dropHidden(prim);
			const isCamera = prim.isA('Camera');
			if (!isNamed && !isCamera && (!isDrawn || (isGeometry && !SOLIDS.has(prim.typeName)))) {
				if (isDrawn && isGeometry) this.#dropKind(prim);
				continue;
			}
			const world = this.#transforms.worldTransform(prim);
			if (!world.every(Number.isFinite)) {
				if (isGeometry) this.#items.drop('visual', path, 'scale-baked', 'its transform is not finite');
				continue;
			}
			const name = body !== undefined ? bodies[body]!.name : (frameAt.get(path) ?? prim.name);
			const node: SceneNode = { name, world, isPose: body !== undefined, parent: undefined, attachments: [] };
			nodes.push(node);
			ofPrim.set(path, node);
			primOf.set(node, prim);
			if (body !== undefined) ofBody.set(body, node);
			if (frameAt.has(path)) this.#frames.add(node);
			if (isHidden) this.#hide(node);
			if (isDrawn) this.#attach(node, prim);
			else if (isCamera) this.#attachCamera(node, prim);
		}
		this.#nest(nodes, primOf, ofPrim, ofBody);
		return nodes;
	}

	/** Without nodes that hold nothing, are called by nobody and stand where what is above them stands. */
	#pruned(nodes: readonly SceneNode[]): SceneNode[] {
		const named = new Set([...this.#ofBody.values(), ...this.#frames]);
		const isMoving = new Set(motionsOf(this.#stage).map(({ prim }) => prim.path));
		const isIdle = (node: SceneNode): boolean =>
			node.attachments.length === 0 &&
			!named.has(node) &&
			!isMoving.has(this.#primOf.get(node)!.path) &&
			isIdentity(relativeTo(node.world, node.parent?.world ?? identity()));
		const idle = new Set(nodes.filter(isIdle));
		const kept = nodes.filter((node) => !idle.has(node));
		for (const node of kept)
			while (node.parent !== undefined && idle.has(node.parent)) node.parent = node.parent.parent;
		return kept;
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
		else if (prim.isA('PointInstancer')) this.#instancers.attach(node, prim);
		else if (SOLIDS.has(prim.typeName)) this.#attachGeometry(node, prim);
	}

	#attachCamera(node: SceneNode, prim: Prim): void {
		const item = this.#items.enter('camera', prim.path.toString());
		const written = gltfCamera(prim, this.#unit);
		if ('dropped' in written) {
			this.#items.ledger.drop('camera', item, ...written.dropped);
			return;
		}
		for (const loss of written.losses) this.#items.ledger.approximate('camera', item, ...loss);
		node.attachments.push(() => ({ camera: this.#document.add('cameras', written.object) }));
	}

	#attachLight(node: SceneNode, prim: Prim): void {
		const item = this.#items.enter('light', prim.path.toString());
		const scale = [0, 4, 8].map((row) => Math.hypot(...node.world.subarray(row, row + 3)));
		const length = (this.#unit * scale.reduce((sum, value) => sum + value, 0)) / 3;
		const written = punctualLight(prim, length, this.#options.areaLights);
		if ('dropped' in written) {
			this.#items.ledger.drop('light', item, ...written.dropped);
			return;
		}
		for (const loss of written.losses) this.#items.ledger.approximate('light', item, ...loss);
		node.attachments.push(() => {
			this.#document.use('KHR_lights_punctual');
			const light = this.#document.lights.push(written.object) - 1;
			return { extensions: { KHR_lights_punctual: { light } } };
		});
	}

	#attachGeometry(node: SceneNode, prim: Prim): void {
		const item = this.#items.enter('visual', prim.path.toString());
		if (prim.typeName === 'Plane' && prim.hasSchema('PhysicsCollisionAPI')) {
			// its size is only how much of it viewers show
			this.#items.ledger.drop('visual', item, 'surroundings', 'a plane that collides has no end, and is not drawn');
			return;
		}
		node.attachments.push((rest) => {
			if (rest !== undefined)
				this.#items.ledger.approximate(
					'visual',
					item,
					'shear-baked',
					'its transform shears it, which goes into its points',
				);
			const mesh = this.#shapes.mesh(prim, item, rest);
			return mesh === undefined ? undefined : { mesh };
		});
	}

	/** Whether geometry is invisible and nothing else keeps it from being drawn. Links and frames hold others, which would vanish too. */
	#isHidden(prim: Prim, isNamed: boolean): boolean {
		return !isNamed && !this.#visibility.isShown(prim) && this.#visibility.hasDrawnPurpose(prim);
	}

	#hide(node: SceneNode): void {
		node.attachments.push(() => {
			this.#document.use('KHR_node_visibility');
			return { extensions: { KHR_node_visibility: { visible: false } } };
		});
	}

	/** Colliders are told apart; what else is hidden was meant for other eyes. */
	#dropHidden(prim: Prim): void {
		if (prim.hasSchema('PhysicsCollisionAPI')) return;
		const why = this.#visibility.isShown(prim)
			? `its purpose is ${this.#visibility.purpose(prim).purpose}`
			: 'it is invisible';
		this.#items.drop('visual', prim.path.toString(), 'purpose-proxy', `geometry is not drawn: ${why}`);
	}

	#dropKind(prim: Prim): void {
		const code: LossCode = prim.typeName.includes('Curves') ? 'curves' : 'points';
		this.#items.drop('visual', prim.path.toString(), code, `glTF has no ${prim.typeName}`);
	}
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
