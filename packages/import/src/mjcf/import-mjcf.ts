import { quote, Report, UsageRangeError } from '@manyworlds/core';
import { quatBetween, type XmlElement } from '@manyworlds/core/internal';
import { type MjcfDocument, type MjcfElement, type MjcfFileContent, readMjcf } from '@manyworlds/formats';
import { type ModelBuilder, registerMujocoAttributes, ShapeFlags, type UpAxis, WORLD } from '@manyworlds/model';
import { resolveMujocoOwners } from '@manyworlds/model/internal';
import { checkRootOptions, collapseMasslessRoots, joinArticulation } from '../attach-root.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { filterJoinedParts } from '../filter-joined-parts.ts';
import { Ledger } from '../ledger.ts';
import { toTransformArray } from '../transform-input.ts';
import { addActuators } from './actuators.ts';
import { Assets } from './assets.ts';
import { pathOf } from './attributes.ts';
import { BodyImporter } from './bodies.ts';
import { compileMasks } from './collision-masks.ts';
import { addExcludes, addPairs, pairedGeoms, shapeFinder } from './contacts.ts';
import { composed, type ElementShapes, type MjcfContainer, MjcfContext } from './context.ts';
import { addEqualities, addTendonEqualities } from './equality.ts';
import { GeomImporter } from './geoms.ts';
import { applyKeyframe, type MjcfKeyframe, readKeyframes } from './keyframes.ts';
import { applyMassSettings } from './mass-settings.ts';
import { IMPORT_MJCF_DEFAULTS, type ImportMjcfOptions, type ImportMjcfSettings } from './options.ts';
import { readSolverOptions } from './solver-options.ts';
import { addTendons } from './tendons.ts';
import { reportUnsupported } from './unsupported.ts';

/** Where a joint of the model is in the builder. @public */
export interface MjcfJointPlace {
	readonly name: string;
	readonly type: 'free' | 'ball' | 'hinge' | 'slide';
	readonly joint: number;
	/** First degree of freedom and first coordinate. */
	readonly dof: number;
	readonly coordinate: number;
}

/** What an import gave. @public */
export interface ImportMjcfResult {
	readonly report: Report;
	/** What became of every attribute of every file. */
	readonly ledger: Ledger;
	/** Bodies, joints, geoms, sites and tendons by the names that the model gives them; joints by first degree of freedom. */
	readonly bodies: ReadonlyMap<string, number>;
	readonly joints: ReadonlyMap<string, { readonly joint: number; readonly dof: number }>;
	readonly geoms: ReadonlyMap<string, number>;
	readonly sites: ReadonlyMap<string, number>;
	readonly tendons: ReadonlyMap<string, number>;
	/**
	 * Bodies without mass or shapes that stand between joints of one body which no single joint holds, with that body: joints
	 * at different points, a hinge before a slide, a ball beside others, or one that a constraint or tendon names alone.
	 */
	readonly insertedBodies: ReadonlyMap<number, number>;
	/** Joints in the order of MuJoCo's coordinates, with their places in the builder. */
	readonly jointOrder: readonly MjcfJointPlace[];
	/** Shapes of geoms and of sites in MuJoCo's order: body by body, then as written. A geom of several meshes has several. */
	readonly geomOrder: readonly (readonly number[])[];
	readonly siteOrder: readonly (readonly number[])[];
	readonly keyframes: readonly MjcfKeyframe[];
	/** [s]; undefined when the model gives none. */
	readonly timestep: number | undefined;
	/** All files of the model, the main one first. */
	readonly files: readonly string[];
	/** The document, and the elements behind rows of the builder: for what a model has no place for. */
	readonly document: MjcfDocument;
	readonly elements: MjcfElements;
}

/** Elements by what they became. @public */
export interface MjcfElements {
	readonly bodies: ReadonlyMap<number, MjcfElement>;
	/** The first of the elements that are one joint; the body for those that hold it fast. */
	readonly joints: ReadonlyMap<number, MjcfElement>;
	/** Geoms and sites. */
	readonly shapes: ReadonlyMap<number, MjcfElement>;
	readonly equalities: ReadonlyMap<number, MjcfElement>;
	/** Elements that geoms, sites, cameras and lights stand in: the worldbody, bodies and frames. */
	readonly containers: ReadonlyMap<MjcfElement, MjcfContainer>;
}

/**
 * Imports an MJCF model into a builder: bodies, joints, geoms, sites, actuators, tendons, equalities and contacts.
 *
 * Bad input never throws: what is wrong is reported where it is written, and the rest is imported. Bad options throw.
 *
 * ```ts
 * const builder = new ModelBuilder();
 * const { report, ledger } = importMjcf(text, builder, { store, file: 'robot/scene.xml' });
 * const model = builder.finalize();
 * ```
 * @public
 */
export function importMjcf(
	source: string | Uint8Array,
	builder: ModelBuilder,
	options: ImportMjcfOptions = {},
): ImportMjcfResult {
	const settings = resolveMjcfOptions(options);
	checkOptions(builder, settings);
	const report = options.report ?? new Report();
	const ledger = new Ledger();
	const { file, store } = options;
	const document = readMjcf(source, {
		report,
		expandReplicate: !settings.newtonCompat,
		...(file === undefined ? {} : { file }),
		...(store === undefined ? {} : { load: (path: string, from: string) => load(store, path, from) }),
	});
	const roots = new Set<XmlElement>();
	for (const element of document.elements()) {
		const { xml } = element;
		if (xml === undefined) continue;
		authorAttributes(ledger, pathOf(element), xml);
		let root = xml;
		while (root.parent !== undefined) root = root.parent;
		// the outermost element of an included file is no part of the model
		if (root === document.root?.xml || roots.has(root)) continue;
		roots.add(root);
		const path = `include[${root.file ?? roots.size}]/${root.name}`;
		authorAttributes(ledger, path, root);
		for (const { name } of root.attributes) ledger.ignore(path, name, 'it names the included file, not the model');
	}
	registerMujocoAttributes(builder);
	const upTurn = turnBetween(settings.upAxis, builder.upAxis);
	const xform = composed(toTransformArray(options.xform), Float64Array.of(0, 0, 0, ...upTurn));
	const context = new MjcfContext({ document, builder, options: settings, report, ledger, xform, upTurn });
	return new MjcfImport(context).run();
}

function authorAttributes(ledger: Ledger, path: string, element: XmlElement): void {
	for (const { name, value, range, file } of element.attributes) {
		const shown = value.length > 80 ? `${value.slice(0, 79)}…` : value;
		ledger.author(path, name, { range, value: shown, ...(file === undefined ? {} : { file }) });
	}
}

/** One import, section by section in the order of dependence. */
class MjcfImport {
	readonly #context: MjcfContext;

	constructor(context: MjcfContext) {
		this.#context = context;
	}

	run(): ImportMjcfResult {
		const context = this.#context;
		const { document, builder, options } = context;
		const { timestep, gravity } = readSolverOptions(context);
		if (gravity !== undefined) this.#setGravity(gravity);
		const geoms = new GeomImporter(context, new Assets(context), pairedGeoms(document), this.#maskDomain());
		const bodies = new BodyImporter(context, geoms);
		for (const world of document.sections('worldbody')) bodies.addWorldbody(world);
		if (!options.newtonCompat) applyMassSettings(context);
		for (const section of document.sections('equality')) addEqualities(context, section);
		const findShape = shapeFinder(context);
		addPairs(context, document.sections('contact'), findShape);
		for (const section of document.sections('contact')) addExcludes(context, section);
		for (const section of document.sections('tendon')) addTendons(context, section);
		for (const section of document.sections('equality')) addTendonEqualities(context, section);
		for (const section of document.sections('actuator')) addActuators(context, section);
		this.#showColliders();
		this.#filterShapes();
		this.#articulations();
		resolveMujocoOwners(builder);
		const keyframes = readKeyframes(context);
		this.#keyframe(keyframes);
		reportUnsupported(context);
		this.#mark();
		this.#collapse();
		return {
			report: context.report,
			ledger: context.ledger,
			bodies: context.bodies,
			joints: context.joints,
			geoms: context.geoms,
			sites: context.sites,
			tendons: context.tendons,
			insertedBodies: context.insertedBodies,
			jointOrder: context.jointOrder,
			geomOrder: inOrder(context, context.geomShapes),
			siteOrder: inOrder(context, context.siteShapes),
			keyframes,
			timestep,
			files: document.files,
			document,
			elements: { ...context.sources, shapes: shapeElements(context) },
		};
	}

	#setGravity(gravity: Float64Array): void {
		const { builder, options } = this.#context;
		if (!(options.importGravity ?? !options.newtonCompat)) return;
		if (builder.currentWorld === WORLD) builder.gravity = gravity;
		else builder.edits.setWorldGravity(builder.currentWorld, gravity);
	}

	/** Masks of different files are no common language: each import has a number of its own. */
	#maskDomain(): number {
		let last = -1;
		for (const domain of this.#context.builder.attributeValues('mujoco:collision_mask_domain') as Float64Array) {
			last = Math.max(last, domain);
		}
		return last + 1;
	}

	/** Without visual geoms the colliders are what there is to see. */
	#showColliders(): void {
		const { builder, visualShapes, colliderShapes } = this.#context;
		if (visualShapes.length > 0) return;
		const flags = builder.column('shapeFlags');
		for (const shape of colliderShapes) flags[shape] = flags[shape]! | ShapeFlags.VISIBLE;
	}

	#filterShapes(): void {
		const { builder, options, firstShape } = this.#context;
		const flags = builder.column('shapeFlags');
		const colliding: number[] = [];
		for (let shape = firstShape; shape < builder.shapeCount; shape++) {
			if ((flags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0) colliding.push(shape);
		}
		if (!options.newtonCompat) this.#context.welds.filter(builder);
		if (!options.enableSelfCollisions) {
			for (const [i, a] of colliding.entries()) {
				for (const b of colliding.slice(i + 1)) builder.addCollisionFilterPair(a, b);
			}
		}
		if (options.filterJoinedParts ?? !options.newtonCompat) {
			const { firstBody: body, firstJoint: joint, firstShape: shape } = this.#context;
			filterJoinedParts(builder, { body, joint, shape, includesFixed: false });
		}
		if (colliding.length > 0) this.#groupShapes(colliding);
	}

	/** Collision groups of the builder that stand for the masks of the model. */
	#groupShapes(colliding: readonly number[]): void {
		const { builder, firstShape } = this.#context;
		const local = new Map(colliding.map((shape, i) => [shape, i]));
		const pairs = builder.column('filterPair');
		const filtered: [number, number][] = [];
		for (let i = 0; i < pairs.length; i += 2) {
			const a = local.get(pairs[i]!);
			const b = local.get(pairs[i + 1]!);
			if (a !== undefined && b !== undefined) filtered.push([a, b]);
		}
		const contype = builder.attributeValues('mujoco:contype') as Float64Array;
		const conaffinity = builder.attributeValues('mujoco:conaffinity') as Float64Array;
		const maskOf = (masks: Float64Array): number[] => colliding.map((shape) => masks[shape]!);
		const { groups, excluded } = compileMasks(maskOf(contype), maskOf(conaffinity), filtered);
		const own = builder.column('shapeCollisionGroup');
		const taken = new Set(own.subarray(0, firstShape).filter((group) => group < 0));
		const numbers = new Map<number, number>();
		let next = -1;
		for (const group of [...new Set(groups)].sort((a, b) => a - b)) {
			if (group >= 0) continue;
			while (taken.has(next)) next--;
			numbers.set(group, next);
			taken.add(next);
		}
		const positive = builder.defaultShapeConfig.collisionGroup > 0 ? builder.defaultShapeConfig.collisionGroup : 1;
		colliding.forEach((shape, i) => {
			const group = groups[i]!;
			own[shape] = group > 0 ? positive : (numbers.get(group) ?? 0);
		});
		for (const [a, b] of excluded) builder.addCollisionFilterPair(colliding[a]!, colliding[b]!);
	}

	/** One articulation for each root body, or the one that the import hangs on. */
	#articulations(): void {
		const { builder, options, document, jointIndices, roots } = this.#context;
		const model = document.modelName ?? '';
		if (options.parentBody !== WORLD || roots.length <= 1) {
			joinArticulation(builder, jointIndices, { parentBody: options.parentBody, label: model });
			return;
		}
		for (const [i, { start, name }] of roots.entries()) {
			const joints = jointIndices.slice(start, roots[i + 1]?.start ?? jointIndices.length);
			joinArticulation(builder, joints, { label: model ? `${model}/${name}` : name });
		}
	}

	#keyframe(keyframes: readonly MjcfKeyframe[]): void {
		const { keyframe } = this.#context.options;
		if (keyframe === undefined) return;
		const found = typeof keyframe === 'number' ? keyframes[keyframe] : keyframes.find(({ name }) => name === keyframe);
		if (found !== undefined) {
			applyKeyframe(this.#context, found);
			return;
		}
		const names = keyframes.map(({ name }) => quote(name)).join(', ') || 'none';
		const message = `the model has no keyframe ${quote(String(keyframe))}, expected one of: ${names}`;
		const { document, options } = this.#context;
		const file = options.file === undefined ? {} : { file: options.file };
		this.#context.report.add(createDiagnostic('MJCF009', message, document.root?.location ?? file));
	}

	/** Names of the model and its classes, and why what nobody read has no effect. */
	#mark(): void {
		const { document, ledger } = this.#context;
		ledger.use('mujoco', 'model');
		for (const element of document.elements()) {
			const path = pathOf(element);
			if (element.name === 'default') ledger.use(path, 'class');
			const reason = isInDefault(element) ? NO_MEMBER : UNREAD[element.name];
			if (reason === undefined) continue;
			for (const { name } of element.attributes) ledger.ignore(path, name, reason);
		}
	}

	#collapse(): void {
		const { builder, options, document, jointIndices } = this.#context;
		if (options.collapseFixedJoints) builder.collapseFixedJoints();
		else if (options.collapseMasslessFixedRoot) collapseMasslessRoots(builder, jointIndices);
		else if (document.compiler.fuseStatic && !options.newtonCompat) this.#fuseStatic();
	}

	/** MuJoCo's fusestatic merges bodies without joints into the bodies that carry them. */
	#fuseStatic(): void {
		const { builder, jointIndices } = this.#context;
		const imported = new Set(jointIndices);
		const parents = builder.column('jointParent');
		const keep = Array.from(parents, (_, joint) => joint).filter(
			(joint) => !imported.has(joint) || parents[joint] === WORLD,
		);
		builder.collapseFixedJoints({ jointsToKeep: keep });
	}
}

/** Shapes body by body, then in the order of the document. */
function inOrder(context: MjcfContext, entries: readonly ElementShapes[]): (readonly number[])[] {
	const places = new Map([...context.document.elements()].map((element, i) => [element, i]));
	return [...entries]
		.sort((a, b) => a.body - b.body || places.get(a.element)! - places.get(b.element)!)
		.map(({ shapes }) => shapes);
}

function shapeElements({ geomShapes, siteShapes }: MjcfContext): Map<number, MjcfElement> {
	const elements = new Map<number, MjcfElement>();
	for (const { element, shapes } of [...geomShapes, ...siteShapes]) {
		for (const shape of shapes) elements.set(shape, element);
	}
	return elements;
}

const NO_MEMBER = 'no element that is imported takes it from this class';

/** Why attributes that nobody read have no effect, by element. */
const UNREAD: Readonly<Record<string, string>> = {
	texture: 'textures that are made by MuJoCo, and how images are laid on, are not kept',
	material: 'of materials the colour and the image are kept',
	geom: 'it has no effect: the mass of the body is given, or the shape has no such property here',
	joint: 'joints have no such property here',
	option: 'it is set when the solver is made',
	mujoco: 'the model has a name and nothing else',
};

function isInDefault(element: MjcfElement): boolean {
	for (let at = element.parent; at !== undefined; at = at.parent) if (at.name === 'default') return true;
	return false;
}

function resolveMjcfOptions(options: ImportMjcfOptions): ImportMjcfSettings {
	const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
	return { ...IMPORT_MJCF_DEFAULTS, ...given } as ImportMjcfSettings;
}

function checkOptions(builder: ModelBuilder, options: ImportMjcfSettings): void {
	checkRootOptions(builder, options);
	if (options.overrideRootXform && options.xform === undefined) {
		throw new UsageRangeError('overrideRootXform is true and xform is not given, expected the place of the root');
	}
	for (const name of ['scale', 'armatureScale'] as const) {
		const value = options[name];
		if (!Number.isFinite(value) || value <= 0) {
			throw new UsageRangeError(`${name} is ${value}, expected a positive number`);
		}
	}
}

function load(store: NonNullable<ImportMjcfOptions['store']>, path: string, from: string): MjcfFileContent {
	const { identifier, refusal } = store.identify(path, from);
	if (refusal !== undefined) return { file: identifier || path, failure: refusal };
	const content = store.bytes(identifier) ?? { failure: 'it is not loaded yet' };
	return content instanceof Uint8Array ? { file: identifier, content } : { file: identifier, ...content };
}

const AXES: Readonly<Record<UpAxis, Float64Array>> = {
	x: Float64Array.of(1, 0, 0),
	y: Float64Array.of(0, 1, 0),
	z: Float64Array.of(0, 0, 1),
};

function turnBetween(from: UpAxis, to: UpAxis): Float64Array {
	return quatBetween(new Float64Array(4), AXES[from], AXES[to]);
}
