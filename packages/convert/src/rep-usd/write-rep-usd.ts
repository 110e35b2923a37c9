import { type AssetStore, Path, T, writeUsda, writeUsdc } from '@manyworlds/usd';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionModel } from '../model/conversion-model.ts';
import { indexBy } from '../model/index-by.ts';
import { LEAST_MASS } from '../model/split-compounds.ts';
import { dropUntouched } from '../write/drop-untouched.ts';
import type { TargetFile } from '../write/target-files.ts';
import { writeBodies } from './body-prims.ts';
import { CollisionScopes } from './collision-scopes.ts';
import { Equipment, opticalFrames } from './equipment.ts';
import { GeometryLibrary } from './geometry-library.ts';
import { JointPrims, type PlacedFreedom } from './joint-prims.ts';
import { LayerBuilder } from './layer-builder.ts';
import { LookLibrary } from './look-library.ts';
import { PartLibrary } from './part-library.ts';
import { PhysicsMaterials } from './physics-materials.ts';
import { primName } from './prim-names.ts';
import { type PlacedPrim, SCOPES, StageLayout } from './stage-layout.ts';
import { type Vendor, vendorLayer, vendorValues } from './vendor-layers.ts';
import { VisualScopes } from './visual-scopes.ts';

/** Options of the writer of REP 0158 assets. @public */
export interface WriteRepUsdOptions {
	/** What roots do that nothing holds: `fixed` to the world or `floating`. URDF does not say; other formats mean floating. */
	readonly base?: 'fixed' | 'floating';
	/** Layers of vendors to write beside the asset, for values that no neutral schema has. */
	readonly vendors?: readonly Vendor[];
	/** ROS package that the asset is part of. */
	readonly package?: string;
	/** Version of the asset. */
	readonly version?: string;
	/** Mass of links that move and have none [kg]. */
	readonly leastMass?: number;
	/**
	 * How the entry layer brings the layers of functions. REP 0158 asks for payloads (1.2.1) and for links that are seen without
	 * them (1.2.3): `kinematics-visible` refers to them, so that only geometry is behind payloads; `entry` loads them as payloads.
	 */
	readonly payloadPolicy?: 'kinematics-visible' | 'entry';
}

/** Values of {@link WriteRepUsdOptions} that are used when absent. @public */
export const WRITE_REP_USD_DEFAULTS: {
	readonly vendors: readonly Vendor[];
	readonly version: string;
	readonly leastMass: number;
	readonly payloadPolicy: 'kinematics-visible' | 'entry';
} = {
	vendors: [],
	version: '1.0.0',
	leastMass: LEAST_MASS,
	payloadPolicy: 'kinematics-visible',
};

/**
 * Writes a robot as an asset that REP 0158 describes: an entry layer that refers to one layer for each function, links nested below
 * the links that hold them, what is seen and touched in scopes with their variants, frames for links without mass.
 */
export function writeRepUsd(
	model: ConversionModel,
	mainFile: string,
	store: AssetStore,
	ledger: ConversionLedger,
	options: WriteRepUsdOptions = {},
): TargetFile[] {
	return new RepUsdWriter(model, mainFile, store, ledger, options).write();
}

class RepUsdWriter {
	readonly #model: ConversionModel;
	readonly #mainFile: string;
	readonly #ledger: ConversionLedger;
	readonly #options: WriteRepUsdOptions;
	readonly #name: string;
	readonly #layout: StageLayout;
	readonly #base: LayerBuilder;
	readonly #colliders: LayerBuilder;
	readonly #physics: LayerBuilder;
	readonly #ros: LayerBuilder;
	readonly #geometries: GeometryLibrary;
	readonly #looks: LookLibrary;
	readonly #parts = new PartLibrary();

	constructor(
		model: ConversionModel,
		mainFile: string,
		store: AssetStore,
		ledger: ConversionLedger,
		options: WriteRepUsdOptions,
	) {
		this.#model = model;
		this.#mainFile = mainFile;
		this.#ledger = ledger;
		this.#options = options;
		this.#name = primName(model.name, 'robot');
		const held = new Set(model.joints.map(({ child }) => child));
		// importers hold URDF robots that say nothing; other formats say what holds them
		const isFixed = (options.base ?? (model.format === 'urdf' ? 'fixed' : 'floating')) === 'fixed';
		this.#layout = new StageLayout(
			model,
			this.#name,
			(root) => isFixed && !held.has(root),
			opticalFrames(model),
			ledger,
			options.leastMass ?? WRITE_REP_USD_DEFAULTS.leastMass,
		);
		this.#base = new LayerBuilder('./base.usda', this.#name, 'Links and frames, and what is seen of them.');
		this.#colliders = new LayerBuilder('./colliders.usda', this.#name, 'What links touch with.');
		this.#physics = new LayerBuilder('./physics.usda', this.#name, 'Bodies, joints, drives and contact.');
		this.#ros = new LayerBuilder('./ros.usda', this.#name, 'What ROS sees.');
		this.#geometries = new GeometryLibrary(model);
		this.#looks = new LookLibrary(store);
	}

	write(): TargetFile[] {
		const freedoms: PlacedFreedom[] = [];
		const layers = [
			this.#base,
			this.#colliders,
			this.#physics,
			this.#ros,
			this.#geometries.builder,
			this.#looks.builder,
		];
		// one edit of each layer, so that lists of children are not copied for each child
		const edit = (rest: readonly LayerBuilder[]): void => {
			const [first, ...others] = rest;
			if (first !== undefined) first.layer.edit(() => edit(others));
			else freedoms.push(...this.#writeLayers());
		};
		edit(layers);
		this.#tellVendorValues(freedoms);
		return this.#files(freedoms);
	}

	#writeLayers(): readonly PlacedFreedom[] {
		const { root } = this.#layout;
		this.#base.define(root, 'Xform');
		for (const layer of [this.#colliders, this.#physics, this.#ros]) layer.over(root);
		this.#writeLinks();
		this.#writeShapes();
		writeBodies(this.#physics, this.#model, this.#layout, this.#ledger);
		if (
			this.#layout.loops.length + this.#layout.anchors.size > 0 ||
			this.#model.joints.some(({ parent }) => parent < 0)
		) {
			this.#physics.define(root.appendChild(SCOPES.joints), 'Scope');
		}
		const joints = new JointPrims(this.#physics, this.#layout, this.#ledger);
		joints.write(this.#model);
		this.#writeMimics();
		const isMoving = (body: number): boolean => this.#isFree(body, joints.joined);
		this.#writeRos(joints.names, isMoving);
		new Equipment({ base: this.#base, ros: this.#ros }, this.#layout, isMoving, this.#ledger).write(this.#model);
		return joints.freedoms;
	}

	#writeLinks(): void {
		const layout = this.#layout;
		for (const { path, pose, displayName } of [...layout.links, ...layout.frames.flatMap((frame) => frame ?? [])]) {
			this.#base.define(path, 'Xform');
			if (displayName !== undefined) this.#base.field(path, 'displayName', T.string, displayName);
			this.#base.place(path, pose);
		}
	}

	#writeShapes(): void {
		const model = this.#model;
		const { root, links } = this.#layout;
		const geometries = this.#geometries;
		const libraries = { geometries, looks: this.#looks, parts: this.#parts };
		const visuals = new VisualScopes(this.#base, this.#layout, model, libraries, this.#ledger);
		const surfaces = new PhysicsMaterials(this.#physics, root, model.format, this.#ledger);
		const layers = { colliders: this.#colliders, physics: this.#physics };
		const colliders = new CollisionScopes(layers, this.#layout, model, geometries, surfaces, this.#ledger);
		const carrierOf = (body: number): number => (body < 0 ? body : this.#layout.carrierOf(body));
		for (const [body, indices] of indexBy(model.shapes, ({ body: own }) => carrierOf(own))) {
			const kept = indices.filter(
				(index) => !this.#dropPlane(index) && !dropUntouched(model.shapes[index]!, index, 'USD', this.#ledger),
			);
			if (kept.length === 0) continue;
			const link = links[body]?.path ?? root.appendChild(SCOPES.world);
			if (body < 0) this.#base.define(link, 'Xform');
			const ofRole = (role: string): number[] => kept.filter((index) => model.shapes[index]!.role === role);
			const [seen, touched] = [ofRole('visual'), ofRole('collision')];
			if (seen.length === 0 && body >= 0) {
				const message = `'${model.bodies[body]!.name}' has nothing to see; what it touches with is shown (REP 1.2.4)`;
				this.#ledger.approximate('body', body, 'visual-derived', message);
			}
			visuals.write(link, seen.length === 0 ? touched : seen);
			colliders.write(link, touched);
		}
	}

	/** Planes without an end are ground to stand on, no part of a robot. */
	#dropPlane(index: number): boolean {
		const { geometry, body, role, name } = this.#model.shapes[index]!;
		if (geometry.kind !== 'plane' || (body >= 0 && geometry.size !== undefined)) return false;
		const message = `plane '${name}' belongs to the world, not to the robot`;
		this.#ledger.drop(role === 'visual' ? 'visual' : 'collider', index, 'surroundings', message);
		return true;
	}

	#writeMimics(): void {
		const { mimics, joints } = this.#model;
		for (const [index, { follower, leader, multiplier, offset }] of mimics.entries()) {
			const [own, other] = [follower, leader].map((joint) => this.#layout.joints[joint]!.path) as [Path, Path];
			const [freedom, ahead] = [follower, leader].map((joint) => joints[joint]!.freedoms[0]);
			const physics = this.#physics;
			if (!physics.layer.has(own) || !physics.layer.has(other) || freedom?.motion !== ahead?.motion) {
				const message = `'${joints[follower]!.name}' follows '${joints[leader]!.name}', which moves in another way`;
				this.#ledger.drop('mimic', index, 'mimic-nonlinear', message);
				continue;
			}
			const schemas = physics.layer.field(own, 'apiSchemas')?.data as { prependedItems: readonly string[] } | undefined;
			physics.apply(own, [...(schemas?.prependedItems ?? []), 'ExtendedPhysicsMimicAPI']);
			physics.relationship(own, 'ext_physics:mimic:joint', [other]);
			physics.attribute(own, 'ext_physics:mimic:multiplier', T.float, Math.fround(multiplier));
			const scale = freedom?.motion === 'turn' ? 180 / Math.PI : 1;
			physics.attribute(own, 'ext_physics:mimic:offset', T.float, Math.fround(offset * scale));
		}
	}

	#writeRos(names: ReadonlyMap<Path, string>, isMoving: (body: number) => boolean): void {
		const ros = this.#ros;
		const { root, links, frames, joints } = this.#layout;
		ros.apply(root, ['RosContextAPI']);
		ros.uniform(root, 'ros:context:namespace', T.string, this.#name);
		const writeFrame = ({ path, frameId }: PlacedPrim, body: number): void => {
			if (frameId === undefined) return;
			ros.apply(path, ['RosFrameAPI']);
			ros.uniform(path, 'ros:frame:id', T.string, frameId);
			if (isMoving(body)) ros.uniform(path, 'ros:frame:static', T.bool, false);
		};
		for (const [body, link] of links.entries()) writeFrame(link, body);
		for (const [index, frame] of frames.entries()) {
			if (frame !== undefined) writeFrame(frame, this.#model.frames[index]!.body);
		}
		for (const [index, { path }] of joints.entries()) {
			if (!this.#physics.layer.has(path) || names.has(path)) continue;
			const { name } = this.#model.joints[index]!;
			ros.attribute(ros.over(path), 'ros:joint:name', T.string, name || path.name, { custom: true });
		}
		for (const [path, name] of names) {
			ros.attribute(ros.over(path), 'ros:joint:name', T.string, name, { custom: true });
		}
	}

	/** Whether a link is on a body without joints: that is no frame of ROS, so that the link moves against the robot as a whole. */
	#isFree(body: number, joined: ReadonlySet<number>): boolean {
		const carrier = body < 0 ? body : this.#layout.carrierOf(body);
		return carrier >= 0 && this.#layout.roles[carrier]!.kind === 'body' && !joined.has(carrier);
	}

	/** Says what joints lose without layers of vendors. */
	#tellVendorValues(freedoms: readonly PlacedFreedom[]): void {
		const { vendors = WRITE_REP_USD_DEFAULTS.vendors } = this.#options;
		const indexOf = new Map(this.#layout.joints.map(({ path }, index) => [path, index]));
		for (const { joint, freedom } of freedoms) {
			const values = vendorValues(freedom);
			const index = indexOf.get(joint);
			if (values.length === 0 || index === undefined || vendors.includes('newton')) continue;
			const left = vendors.includes('mujoco') ? values.filter((value) => value === 'velocity limit') : values;
			if (left.length === 0) continue;
			const code = left[0] === 'velocity limit' ? 'velocity-limit' : left[0] === 'friction' ? 'friction' : 'armature';
			const message = `${left.join(', ')} of '${this.#model.joints[index]!.name}' have no neutral schema; --vendor newton writes a layer with them`;
			this.#ledger.approximate('joint', index, code, message);
		}
	}

	#entry(): LayerBuilder {
		const { package: packageName, version = WRITE_REP_USD_DEFAULTS.version, payloadPolicy } = this.#options;
		const entry = new LayerBuilder(this.#mainFile, this.#name, `${this.#model.name}, written by manyworlds.`);
		entry.field(Path.root, 'customLayerData', T.dictionary, entry.dictionary({ creator: 'manyworlds convert' }));
		const root = entry.define(this.#layout.root, 'Xform');
		const features = ['./ros.usda', './physics.usda', './colliders.usda', './base.usda'];
		if (payloadPolicy === 'entry') entry.payloads(root, features);
		else entry.reference(root, features);
		entry.field(root, 'kind', T.token, 'component');
		const file = this.#model.bodies[0]?.from.file ?? '';
		const origin = {
			...(packageName === undefined ? {} : { package_uri: `package://${packageName}/${this.#mainFile}` }),
			source: file.split(/[/\\]/).at(-1) ?? '',
		};
		const info = { identifier: this.#name, name: this.#name, ros: entry.dictionary(origin), version };
		entry.field(root, 'assetInfo', T.dictionary, entry.dictionary(info));
		return entry;
	}

	#files(freedoms: readonly PlacedFreedom[]): TargetFile[] {
		const text = (path: string, { layer }: LayerBuilder): TargetFile => ({ path, content: writeUsda(layer.data) });
		const { vendors = WRITE_REP_USD_DEFAULTS.vendors } = this.#options;
		const files = [
			text(this.#mainFile, this.#entry()),
			text('base.usda', this.#base),
			text('colliders.usda', this.#colliders),
			text('physics.usda', this.#physics),
			text('ros.usda', this.#ros),
		];
		if (this.#parts.builder !== undefined) files.push(text('instances.usda', this.#parts.builder));
		if (!this.#looks.isEmpty) files.push(text('materials.usda', this.#looks.builder));
		if (!this.#geometries.isEmpty) {
			files.push({ path: 'geometries.usdc', content: writeUsdc(this.#geometries.builder.layer.data) });
		}
		for (const vendor of vendors) files.push(text(`${vendor}.usda`, vendorLayer(vendor, this.#name, freedoms)));
		return [...files, ...this.#looks.files];
	}
}
