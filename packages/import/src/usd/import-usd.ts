import { Report, UsageRangeError } from '@manyworlds/core';
import { type CollapseResult, JointType, type ModelBuilder, registerMujocoAttributes } from '@manyworlds/model';
import type { Prim, Stage } from '@manyworlds/usd';
import { isUsualPrim, traverse } from '@manyworlds/usd/internal';
import { checkRootOptions } from '../attach-root.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { filterJoinedParts } from '../filter-joined-parts.ts';
import { Ledger } from '../ledger.ts';
import { accountForAttributes, authorAttributes } from './account.ts';
import { importActuators } from './actuators.ts';
import { approximateColliders } from './approximate.ts';
import { ArticulationImporter } from './articulations.ts';
import { settleBodyMasses } from './body-mass.ts';
import { cloneBuilder } from './clone-builder.ts';
import { ColliderImporter } from './colliders.ts';
import { ImportContext } from './context.ts';
import { addEqualities, bodyEqualities } from './equality.ts';
import { expandPointInstancers, INSTANCER_ATTRIBUTES } from './expand-instancers.ts';
import { CollisionPairs } from './filters.ts';
import { initializeFreeJoints } from './free-joints.ts';
import { type Decide, MassRecorder } from './mass-recorder.ts';
import { addMimicConstraints } from './mimic.ts';
import { addMujocoRows } from './mjc-rows.ts';
import { type ImportUsdOptions, resolveUsdOptions } from './options.ts';
import { readStage, type StageReading, type StageUnits } from './read-stage.ts';
import { reportDeprecated } from './report-deprecated.ts';
import { ResolverSet } from './resolvers/resolver-set.ts';
import type { CollapseResults, ImportUsdResult, MergedBody } from './result.ts';
import { placeStage, readScene, readSceneValues, type SceneFacts } from './scene.ts';
import { UnitScale } from './unit-scale.ts';
import { VisualLoader } from './visuals.ts';

/**
 * Imports a stage into a builder: bodies, articulations found from joint relationships, colliders, visuals, sites, materials,
 * masses, filters, constraints and custom attributes. Assets never make it throw: what is wrong with them is in the report and
 * the rest is imported; options that contradict themselves do.
 *
 * ```ts
 * const builder = new ModelBuilder();
 * const { pathBodyMap, report, ledger } = importUsd(stage, builder, {
 *   schemaResolvers: [SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_NEWTON],
 * });
 * const model = builder.finalize();
 * ```
 * @public
 */
export function importUsd(stage: Stage, builder: ModelBuilder, options: ImportUsdOptions = {}): ImportUsdResult {
	const settings = resolveUsdOptions(options);
	// Newton leaves out what point instancers place
	const root = settings.rootPath === '/' ? stage.pseudoRoot : stage.prim(settings.rootPath);
	const report = options.report ?? new Report();
	const expanded = settings.newtonCompat || root === undefined ? undefined : expandPointInstancers(stage, root, report);
	if (expanded === undefined) return importStage(stage, builder, { ...options, report });
	const result = importStage(expanded.stage, builder, { ...options, report });
	for (const path of expanded.instancers) {
		for (const name of INSTANCER_ATTRIBUTES) result.ledger.use(path, name, { note: 'places the instances' });
	}
	return result;
}

function importStage(
	stage: Stage,
	builder: ModelBuilder,
	options: ImportUsdOptions & { readonly report: Report },
): ImportUsdResult {
	return new ImportedParts(stage, builder, { ...options, reading: readStage(stage, options) }).finish();
}

/** What an import of parts takes besides the options of all imports. */
export interface ImportPartsOptions extends ImportUsdOptions {
	/** What {@link readStage} read with the same options. */
	readonly reading: StageReading;
	/**
	 * Makes a decision that depends on the stage. Whoever keeps the parts may note it and make it again: they are the same as long as
	 * all decisions are.
	 */
	readonly decide?: Decide;
}

/**
 * An import up to the moment when bodies are weighed: all that hangs on the geometry is there. A stage that is imported again and again
 * with other masses keeps these and finishes copies of them; whoever does so vouches that nothing has changed of what was read for them.
 */
export class ImportedParts {
	readonly #ctx: ImportContext;
	readonly #units: StageUnits;
	/** Undefined where there is nothing at the root path. */
	readonly #placed: PlacedParts | undefined;

	/** Imports into a builder. Point instancers are not expanded. */
	constructor(stage: Stage, builder: ModelBuilder, options: ImportPartsOptions) {
		this.#ctx = makeContext(stage, builder, options);
		this.#units = options.reading.units;
		const { root } = options.reading;
		this.#placed = root === undefined ? undefined : placeParts(this.#ctx, root, this.#units, options.decide);
	}

	/** Finishes the import in the builder that the parts are in, which ends their use. */
	finish(): ImportUsdResult {
		const placed = this.#placed;
		return placed === undefined ? emptyResult(this.#ctx, this.#units) : finishParts(this.#ctx, placed, this.#units);
	}

	/** Finishes a copy, of which all goes to a builder of its own. The report is that of the parts. */
	finishCopy(): ImportUsdResult & { readonly builder: ModelBuilder } {
		const builder = cloneBuilder(this.#ctx.builder);
		const ctx = this.#ctx.fork(builder);
		const placed = this.#placed;
		if (placed === undefined) return { ...emptyResult(ctx, this.#units), builder };
		const own = { ...placed, articulations: placed.articulations.fork(ctx), pairs: placed.pairs.fork(ctx) };
		return { ...finishParts(ctx, own, this.#units), builder };
	}
}

function makeContext(stage: Stage, builder: ModelBuilder, options: ImportPartsOptions): ImportContext {
	const settings = resolveUsdOptions(options);
	checkRootOptions(builder, settings);
	if (settings.overrideRootXform && settings.xform === undefined) {
		throw new UsageRangeError('overrideRootXform is true without xform, expected the pose to put roots at');
	}
	const report = options.report ?? new Report();
	const { reading } = options;
	const { root, units, physics, deformable } = reading;
	report.addAll(reading.report);
	const resolvers = new ResolverSet(settings.schemaResolvers, (prim, attribute) =>
		reportDeprecated(report, settings.places, prim, attribute),
	);
	const scale = settings.convertUnits ? new UnitScale(units.length, units.mass) : new UnitScale(1, 1);
	// actuators and tendons of MuJoCo are part of the robot, whoever asks for it; Newton wants to be told
	if (!settings.newtonCompat && reading.hasMujocoRows) registerMujocoAttributes(builder);
	const ctx = new ImportContext({
		stage,
		builder,
		options: settings,
		report,
		ledger: new Ledger(),
		resolvers,
		physics,
		units: scale,
		transforms: reading.transforms,
	});
	if (root === undefined) {
		report.add(
			createDiagnostic('IMP004', `there is no prim at the root path <${settings.rootPath}>`, {
				prim: settings.rootPath,
			}),
		);
		return ctx;
	}
	for (const path of deformable) ctx.excluded.add(path);
	if (settings.keepLedger) authorAttributes(ctx, root);
	return ctx;
}

/** What finishing needs of the parts, besides what the context has. */
interface PlacedParts {
	readonly root: Prim;
	/** Rows that the builder had before. */
	readonly first: Readonly<Record<'body' | 'shape' | 'joint' | 'equalityConstraint' | 'constraintMimic', number>>;
	readonly scene: SceneFacts;
	readonly masses: MassRecorder;
	readonly articulations: ArticulationImporter;
	readonly pairs: CollisionPairs;
}

/** Adds bodies, joints and shapes. */
function placeParts(
	ctx: ImportContext,
	root: Prim,
	units: StageUnits,
	decide: Decide = (decision) => decision(),
): PlacedParts {
	const { builder } = ctx;
	const first = {
		body: builder.bodyCount,
		shape: builder.shapeCount,
		joint: builder.jointCount,
		equalityConstraint: builder.count('equalityConstraint'),
		constraintMimic: builder.count('constraintMimic'),
	};
	tellAboutUnits(ctx, units);
	placeStage(ctx, units.upAxis);
	const scene = readScene(ctx, units.length);
	readSceneValues(ctx, scene);
	const visuals = new VisualLoader(ctx);
	const masses = new MassRecorder(ctx, visuals.meshes, decide);
	const colliders = new ColliderImporter(ctx, visuals, masses, decide);
	colliders.readMaterials();
	const articulations = new ArticulationImporter(ctx, visuals, bodyEqualities(ctx));
	articulations.importArticulations();
	articulations.importRest();
	loadStaticVisuals(ctx, visuals, root);
	colliders.importAll();
	const pairs = new CollisionPairs(ctx, approximateColliders(ctx, colliders.pending));
	pairs.filterDisabled(colliders.disabled);
	pairs.filterArticulations(articulations.articulations);
	pairs.filterGroups();
	return { root, first, scene, masses, articulations, pairs };
}

/** Weighs the bodies and adds what depends on that, then what depends on all bodies and joints. */
function finishParts(ctx: ImportContext, placed: PlacedParts, units: StageUnits): ImportUsdResult {
	const { root, first, scene, masses, articulations, pairs } = placed;
	const { builder } = ctx;
	settleBodyMasses(ctx, masses);
	articulations.attachFloatingBodies();
	pairs.filterPairs();
	if (ctx.options.filterJoinedParts ?? !ctx.options.newtonCompat) {
		filterJoinedParts(builder, { ...first, includesFixed: true });
	}
	addEqualities(ctx);
	ctx.units.convert(builder, first, articulations.givenRoots);
	return finish(ctx, root, scene, units);
}

function finish(ctx: ImportContext, root: Prim, scene: SceneFacts, units: StageUnits): ImportUsdResult {
	const { builder } = ctx;
	const original = new Map(ctx.bodies);
	const relative = new Map<string, Float64Array>();
	const starts = { dofs: builder.column('jointQdStart').slice(), coords: builder.column('jointQStart').slice() };
	const collapse = scene.collapsesFixedJoints ? collapseJoints(ctx, relative) : undefined;
	ctx.settleCredits(finalIndices(starts, builder, collapse));
	initializeFreeJoints(ctx);
	const mimics = builder.count('constraintMimic');
	addMimicConstraints(ctx, ctx.joints);
	ctx.units.convertMimics(builder, mimics);
	const actuators = importActuators(ctx, root);
	addMujocoRows(ctx, root);
	accountForAttributes(ctx);
	return describe(ctx, scene, units, {
		collapseResults: collapse,
		pathBodyRelativeTransform: relative,
		pathOriginalBodyMap: original,
		actuators,
	});
}

function describe(
	ctx: ImportContext,
	scene: SceneFacts,
	units: StageUnits,
	rest: Pick<ImportUsdResult, 'collapseResults' | 'pathBodyRelativeTransform' | 'pathOriginalBodyMap' | 'actuators'>,
): ImportUsdResult {
	const { stage } = ctx;
	return {
		fps: stage.framesPerSecond,
		duration: stage.endTimeCode - stage.startTimeCode,
		upAxis: units.upAxis,
		pathBodyMap: ctx.bodies,
		pathJointMap: ctx.joints,
		pathDofMap: ctx.mergedDofs,
		pathShapeMap: ctx.shapes,
		pathShapeScale: ctx.shapeScales,
		pathParticleMap: new Map(),
		massUnit: units.mass,
		linearUnit: units.length,
		sceneAttributes: scene.attributes,
		physicsScenePath: scene.prim?.path.toString(),
		physicsDt: scene.physicsDt,
		timestep: scene.timestep,
		maxSolverIterations: scene.maxSolverIterations,
		schemaAttrs: ctx.resolvers.collected,
		particleScenePath: undefined,
		report: ctx.report,
		ledger: ctx.ledger,
		actuatorCount: rest.actuators.length,
		...rest,
	};
}

function tellAboutUnits(ctx: ImportContext, units: StageUnits): void {
	const { options, stage, report } = ctx;
	for (const [name, value, unit] of [
		['metersPerUnit', units.length, 'metre'],
		['kilogramsPerUnit', units.mass, 'kilogram'],
	] as const) {
		const isUsual = Math.abs(value - 1) <= 1e-9;
		const isAssumed = name === 'metersPerUnit' && units.isLengthAssumed && !options.newtonCompat;
		if (isUsual && isAssumed) {
			const message = `${name} is not given; ${value} is assumed, where OpenUSD has 0.01 for such stages: the option assumedMetersPerUnit says otherwise`;
			report.add(createDiagnostic('IMP002', message, { file: stage.rootLayer.identifier, severity: 'info' }));
		}
		if (isUsual) continue;
		const found = isAssumed ? `${name} is not given and assumed to be ${value}` : `${name} is ${value}`;
		const message = options.convertUnits
			? `${found}; everything is converted to ${unit}s`
			: `${found}, expected 1; numbers are imported as they are, not in ${unit}s`;
		const severity = options.convertUnits ? 'info' : 'warning';
		report.add(createDiagnostic('IMP002', message, { file: stage.rootLayer.identifier, severity }));
	}
}

/** Visuals that hang on no body. */
function loadStaticVisuals(ctx: ImportContext, visuals: VisualLoader, root: Prim): void {
	const { loadVisualShapes, loadStaticVisualShapes } = ctx.options;
	if (!loadVisualShapes || !loadStaticVisualShapes) return;
	const bodies = new Set(ctx.physics.bodies.map(({ primPath }) => primPath.toString()));
	// below a body everything belongs to it
	const isOutside = (prim: Prim): boolean => isUsualPrim(prim) && !bodies.has(prim.path.toString());
	for (let at = root.path.parent; at !== null; at = at.parent) if (bodies.has(at.toString())) return;
	if (!root.isPseudoRoot && !isOutside(root)) return;
	if (!root.isPseudoRoot) visuals.loadStatic(root);
	for (const prim of traverse(root, { instanceProxies: true, predicate: isOutside })) visuals.loadStatic(prim);
}

/** Merges bodies that fixed joints hold together and brings the maps up to date. */
function collapseJoints(ctx: ImportContext, relative: Map<string, Float64Array>): CollapseResults {
	const { builder } = ctx;
	const labels = [...builder.labels('joint')];
	const held = fixedBodies(ctx);
	const result = builder.collapseFixedJoints();
	for (const [path, body] of ctx.bodies) {
		const parent = result.bodyMergedParent.get(body);
		if (parent === undefined) {
			ctx.bodies.set(path, result.bodyRemap.get(body) ?? body);
			continue;
		}
		ctx.bodies.set(path, result.bodyRemap.get(parent) ?? -1);
		relative.set(path, result.bodyMergedTransform.get(body)!);
	}
	for (const [path, joint] of [...ctx.joints]) {
		const index = result.jointRemap.get(joint);
		if (index === undefined) ctx.joints.delete(path);
		else ctx.joints.set(path, index);
	}
	if (ctx.options.newtonCompat) {
		// Newton names every joint of the builder here, its own ones too
		labels.forEach((label, joint) => {
			const index = result.jointRemap.get(joint);
			if (index !== undefined && !ctx.joints.has(label)) ctx.joints.set(label, index);
		});
	}
	const mergedBodyData = new Map<string, MergedBody>();
	for (const [body, relativeXform] of result.bodyMergedTransform) {
		const [label, parentBody] = held.get(body)!;
		mergedBodyData.set(label, { parentBody, relativeXform });
	}
	return { ...result, mergedBodyData };
}

/** Bodies that fixed joints hold, with their labels and those of what holds them. */
function fixedBodies(ctx: ImportContext): ReadonlyMap<number, readonly [label: string, parent: string]> {
	const { builder } = ctx;
	const labels = builder.labels('body');
	const parents = builder.column('jointParent');
	const children = builder.column('jointChild');
	// Newton reads the label before the first as the last one
	const world = ctx.has('world-label') ? (labels.at(-1) ?? '') : '';
	const found = new Map<number, readonly [string, string]>();
	builder.column('jointType').forEach((type, joint) => {
		const child = children[joint]!;
		if (type === JointType.FIXED && !found.has(child))
			found.set(child, [labels[child]!, labels[parents[joint]!] ?? world]);
	});
	return found;
}

/** Where entries of arrays went when bodies and joints were merged. */
function finalIndices(
	starts: { readonly dofs: Int32Array; readonly coords: Int32Array },
	builder: ModelBuilder,
	collapse: CollapseResult | undefined,
): (array: string, index: number) => number | undefined {
	if (collapse === undefined) return (_array, index) => index;
	const byStart = (old: Int32Array, now: Int32Array, index: number): number | undefined => {
		const joint = old.findLastIndex((start) => start <= index);
		const moved = collapse.jointRemap.get(joint);
		return moved === undefined ? undefined : now[moved]! + index - old[joint]!;
	};
	return (array, index) => {
		if (array === 'joint_q' || array === 'joint_target_q')
			return byStart(starts.coords, builder.column('jointQStart'), index);
		if (array.startsWith('joint_')) return byStart(starts.dofs, builder.column('jointQdStart'), index);
		return array.startsWith('body_') ? collapse.bodyRemap.get(index) : index;
	};
}

function emptyResult(ctx: ImportContext, units: StageUnits): ImportUsdResult {
	const scene = {
		prim: undefined,
		attributes: new Map(),
		physicsDt: undefined,
		timestep: undefined,
		maxSolverIterations: undefined,
	};
	return describe(ctx, { ...scene, collapsesFixedJoints: false }, units, {
		collapseResults: undefined,
		pathBodyRelativeTransform: new Map(),
		pathOriginalBodyMap: new Map(),
		actuators: [],
	});
}
