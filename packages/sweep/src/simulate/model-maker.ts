import { translateSdf } from '@manyworlds/convert';
import { quote, Report } from '@manyworlds/core';
import {
	type ImportUsdOptions,
	importAsset,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
	type SchemaResolver,
} from '@manyworlds/import';
import { ImportedParts, readStage } from '@manyworlds/import/internal';
import { ModelBuilder, ModelError, registerMujocoAttributes } from '@manyworlds/model';
import { loadSceneText, readScene } from '@manyworlds/scene';
import { sceneSolver } from '@manyworlds/scene/internal';
import { overlapsOf, type SolverSapOptions } from '@manyworlds/sim';
import { SAP_ROBOT_OPTIONS } from '@manyworlds/sim/internal';
import { isAssetFailure, whenLoaded } from '@manyworlds/usd';
import { SourcePlaces } from '@manyworlds/usd/internal';
import { ROBOT_DEFAULTS, startOf } from '@manyworlds/worlds';
import { ownGround } from '@manyworlds/worlds/internal';
import { stringify } from 'yaml';
import type { SweepPlan } from '../plan/plan.ts';
import type { ParameterTarget, ParameterValue, PlanParameter } from '../sample/parameter.ts';
import { EditedStage } from './edited-stage.ts';
import { setModelRows } from './model-rows.ts';
import { RefusedRun, type SweepAsset } from './sweep-asset.ts';
import { finishWorlds, refusalOf, type WorldRecipe } from './world-recipe.ts';

const RESOLVERS: Readonly<Record<string, SchemaResolver>> = {
	newton: SCHEMA_RESOLVER_NEWTON,
	physx: SCHEMA_RESOLVER_PHYSX,
	mjc: SCHEMA_RESOLVER_MJC,
};

/** Composed stages that are kept, one for each selection of variants. */
const MOST_STAGES = 8;

/** An imported robot, before rows of its model are changed. */
interface Robot {
	readonly builder: ModelBuilder;
	/** [s] */
	readonly timestep: number | undefined;
	readonly keyframes: readonly string[];
}

/**
 * Makes worlds of an asset for the values of runs. Properties and variants are opinions of a session layer over the
 * composed asset, fields are changed in the scene file before it is read, rows in the builder before it is finished; so all that
 * follows from a value does. What does not change between runs is done once.
 */
export class ModelMaker {
	readonly #plan: SweepPlan;
	readonly #asset: SweepAsset;
	readonly #stages = new Map<string, EditedStage>();
	#robot: { readonly key: string; readonly robot: Robot } | undefined;
	#scene: unknown;

	constructor(plan: SweepPlan, asset: SweepAsset) {
		this.#plan = plan;
		this.#asset = asset;
	}

	/** The world of a run. Throws a {@link RefusedRun} when there is none. */
	async make(values: readonly ParameterValue[]): Promise<WorldRecipe> {
		// what is refused for want of a file is tried again once that is loaded
		const made = await whenLoaded(this.#asset.store, () => this.#make(values));
		if (made instanceof RefusedRun) throw made;
		return made;
	}

	#make(values: readonly ParameterValue[]): WorldRecipe | RefusedRun {
		try {
			const options = this.#optionsOf(values);
			return this.#asset.format === 'scene' ? this.#ofScene(values, options) : this.#ofRobot(values, options);
		} catch (error) {
			if (error instanceof RefusedRun) return error;
			if (error instanceof ModelError) return new RefusedRun(error.message, [error.code]);
			throw error;
		}
	}

	#ofRobot(values: readonly ParameterValue[], options: RunOptions): WorldRecipe {
		const { simulate } = this.#plan;
		const report = new Report();
		const robot = this.#import(values, report);
		const { builder: source } = robot;
		if (simulate.keyframe !== undefined && !robot.keyframes.includes(simulate.keyframe))
			throw new RefusedRun(`there is no keyframe ${quote(simulate.keyframe)}`, ['SWP025']);
		const builder = new ModelBuilder({
			upAxis: source.upAxis,
			gravity: source.gravity,
			contactDefaults: source.contactDefaults,
		});
		builder.addBuilder(source);
		const added = simulate.ground && ownGround(source) === undefined ? builder.addGroundPlane() : undefined;
		this.#setRows(builder, values);
		const model = finishWorlds([builder]);
		const { state } = startOf(model, report, {
			findOverlaps: overlapsOf(model),
			...(added !== undefined && { ground: added }),
			...(simulate.height !== undefined && { height: simulate.height }),
		});
		if (model.jointDofCount === 0) throw new RefusedRun('nothing of the asset can move', ['SWP025']);
		// the start may have lowered the ground
		if (added !== undefined)
			builder.column('shapeTransform').set(model.shapeTransform.subarray(7 * added, 7 * added + 7), 7 * added);
		return {
			builder,
			model,
			start: state,
			dt: options.dt ?? robot.timestep ?? ROBOT_DEFAULTS.dt,
			duration: options.duration,
			solver: options.solver,
			sap: { ...SAP_ROBOT_OPTIONS, ...options.sap },
		};
	}

	/** The robot with the properties and variants of a run; the last one again where they are the same. */
	#import(values: readonly ParameterValue[], report: Report): Robot {
		const { format, identifier, store } = this.#asset;
		const edits = this.#of(values, 'property', 'variant');
		const key = JSON.stringify(edits.map(([, value]) => value));
		if (this.#robot?.key === key) return this.#robot.robot;
		const { resolvers, floating, keyframe } = this.#plan.simulate;
		const empty = (): ModelBuilder => {
			const builder = new ModelBuilder({ contactDefaults: ROBOT_DEFAULTS.contactDefaults });
			if (resolvers.includes('mjc')) registerMujocoAttributes(builder);
			return builder;
		};
		const root = floating === undefined ? {} : { floating };
		let robot: Robot;
		if (format === 'usd') {
			const stage = this.#edited(edits);
			const options: ImportUsdOptions = {
				...root,
				places: new SourcePlaces(store),
				schemaResolvers: resolvers.map((name) => RESOLVERS[name]!),
				// nobody looks at the worlds of a sweep, and nobody asks where their numbers come from
				loadVisualShapes: false,
				loadStaticVisualShapes: false,
				keepLedger: false,
			};
			const reading = stage.keep('reading', [], (composed) => readStage(composed, options));
			const parts = stage.keep(
				'parts',
				[reading],
				(composed, decide) => new ImportedParts(composed, empty(), { ...options, reading, decide }),
			);
			const imported = parts.finishCopy();
			report.addAll(imported.report);
			robot = { builder: imported.builder, timestep: imported.timestep, keyframes: [] };
		} else {
			if (edits.length > 0) throw new RefusedRun(onlyUsd(edits[0]![0].target), ['SWP020']);
			const builder = empty();
			const imported = importAsset(identifier, builder, {
				store,
				report,
				...root,
				translateSdf,
				...(keyframe !== undefined && { mjcf: { keyframe } }),
			});
			if (imported.format === undefined) throw refusalOf(`${quote(store.name(identifier))} cannot be imported`, report);
			const isMjcf = imported.format === 'mjcf';
			robot = {
				builder,
				timestep: isMjcf ? imported.result.timestep : undefined,
				keyframes: isMjcf ? imported.result.keyframes.map(({ name }) => name) : [],
			};
		}
		if (robot.builder.bodyCount === 0) throw refusalOf(`${quote(store.name(identifier))} has no bodies`, report);
		this.#robot = { key, robot };
		return robot;
	}

	/** The composed asset with the variants and properties of a run. */
	#edited(edits: readonly Edit[]): EditedStage {
		const { store, identifier } = this.#asset;
		const variants = edits.flatMap(([{ target }, value]) =>
			target.kind === 'variant' ? [[target.prim, target.set, String(value)] as const] : [],
		);
		const key = JSON.stringify(variants);
		let stage = this.#stages.get(key);
		if (stage === undefined) {
			stage = new EditedStage(store, identifier, variants);
			if (this.#stages.size >= MOST_STAGES) this.#stages.delete(this.#stages.keys().next().value!);
			this.#stages.set(key, stage);
		}
		for (const [{ name, target, apply }, value] of edits) {
			if (target.kind === 'variant') {
				const fault = variantFault(stage, target, String(value));
				if (fault !== undefined) throw new RefusedRun(`${name}: ${fault}`, ['SWP021']);
			}
			if (target.kind !== 'property') continue;
			const fault = stage.set(target, apply, value);
			if (fault !== undefined)
				throw new RefusedRun(`${name}: ${fault}`, [
					fault.startsWith('<') && !fault.includes('no attribute') ? 'SWP022' : 'SWP020',
				]);
		}
		return stage;
	}

	#ofScene(values: readonly ParameterValue[], options: RunOptions): WorldRecipe {
		const { store, identifier, checkout } = this.#asset;
		const scene = this.#sceneWith(values);
		const report = new Report();
		let builder: ModelBuilder | undefined;
		const { loaded } = loadSceneText(stringify(scene), {
			store,
			file: identifier,
			report,
			numWorlds: 1,
			...(checkout && { checkout }),
			observe: (step, own) => {
				if (step === 'ground') builder = own;
			},
		});
		const unknown = report.toArray().find(({ code }) => code === 'SCN005');
		const fields = this.#of(values, 'scene').map(
			([{ target }]) => target as Extract<ParameterTarget, { kind: 'scene' }>,
		);
		if (unknown !== undefined && fields.some(({ path }) => unknown.message.includes(`'${path.at(-1)}'`)))
			throw new RefusedRun(unknown.message, ['SWP020']);
		if (loaded === undefined || builder === undefined)
			throw refusalOf(`${quote(store.name(identifier))} cannot be loaded`, report);
		this.#setRows(builder, values);
		const model = finishWorlds([builder]);
		if (model.jointDofCount === 0) throw new RefusedRun('nothing of the scene can move', ['SWP025']);
		const { settings } = loaded;
		const start = model.createState();
		start.jointQ.set(loaded.state.jointQ);
		start.jointQd.set(loaded.state.jointQd);
		start.bodyQ.set(loaded.state.bodyQ);
		start.bodyQd.set(loaded.state.bodyQd);
		return {
			builder,
			model,
			start,
			dt: options.dt ?? settings.dt,
			duration: options.duration,
			solver: options.solver,
			sap: { ...settings.solver, ...options.sap },
			...(settings.maxRigidContact !== undefined && { contactsPerWorld: settings.maxRigidContact }),
		};
	}

	/** The control file of a scene, relative to it; undefined when it plays none. */
	sceneControl(): string | undefined {
		const control = (this.#sceneValue() as { control?: { source?: unknown } } | null)?.control?.source;
		return typeof control === 'string' ? control : undefined;
	}

	/** The scene with the fields of a run. */
	#sceneWith(values: readonly ParameterValue[]): unknown {
		const copy = structuredCopy(this.#sceneValue());
		for (const [{ name, target, apply }, value] of this.#of(values, 'scene')) {
			if (target.kind !== 'scene') continue;
			const fault = setField(copy, target.path, apply, value);
			if (fault !== undefined) throw new RefusedRun(`${name}: ${fault}`, ['SWP020']);
		}
		return copy;
	}

	#sceneValue(): unknown {
		if (this.#scene !== undefined) return this.#scene;
		const { store, identifier } = this.#asset;
		const content = store.bytes(identifier) ?? { failure: 'it is not loaded' };
		if (isAssetFailure(content))
			throw new RefusedRun(`the scene cannot be read: ${content.failure || 'there is no such file'}`, ['SWP025']);
		const { config, report } = readScene(new TextDecoder().decode(content), { file: identifier });
		if (config === undefined) throw refusalOf('the scene cannot be read', report);
		this.#scene = config;
		return config;
	}

	#setRows(builder: ModelBuilder, values: readonly ParameterValue[]): void {
		for (const [{ name, target, apply }, value] of this.#of(values, 'model')) {
			if (target.kind !== 'model') continue;
			const fault = setModelRows(builder, target, apply, value);
			if (fault !== undefined) throw new RefusedRun(`${name}: ${fault}`, ['SWP020']);
		}
	}

	/** Parameters of some kinds with their values. */
	#of(values: readonly ParameterValue[], ...kinds: readonly ParameterTarget['kind'][]): Edit[] {
		return this.#plan.parameters.flatMap((parameter, i) =>
			kinds.includes(parameter.target.kind) ? [[parameter, values[i]!] as const] : [],
		);
	}

	/** What the options of a run come to. */
	#optionsOf(values: readonly ParameterValue[]): RunOptions {
		const { simulate } = this.#plan;
		const chosen: Record<string, ParameterValue> = {};
		for (const [{ target }, value] of this.#of(values, 'option'))
			if (target.kind === 'option') chosen[target.name] = value;
		const { solver = simulate.solver, dt = simulate.dt, duration = simulate.duration, ...rest } = chosen;
		const fault = optionFault({ solver, dt, duration }, rest);
		if (typeof fault === 'string') throw new RefusedRun(fault, ['SWP023']);
		return {
			solver: String(solver),
			duration: Number(duration),
			sap: fault,
			...(dt !== undefined && { dt: Number(dt) }),
		};
	}
}

type Edit = readonly [PlanParameter, ParameterValue];

/** Options of one run. */
interface RunOptions {
	readonly solver: string;
	readonly dt?: number;
	readonly duration: number;
	readonly sap: SolverSapOptions;
}

/** What options of SAP come to; a text says what is wrong with an option. */
function optionFault(
	{
		solver,
		dt,
		duration,
	}: { readonly solver: ParameterValue; readonly dt: ParameterValue | undefined; readonly duration: ParameterValue },
	rest: Readonly<Record<string, ParameterValue>>,
): SolverSapOptions | string {
	if (solver !== 'sap' && solver !== 'mujoco')
		return `the option solver is ${quote(String(solver))}, expected sap or mujoco`;
	for (const [name, value] of [
		['dt', dt],
		['duration', duration],
	] as const)
		if (value !== undefined && !(typeof value === 'number' && value > 0))
			return `the option ${name} is ${value}, expected a number above 0`;
	if (Object.keys(rest).length === 0) return {};
	const parsed = sceneSolver.safeParse(rest);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		return issue!.code === 'unrecognized_keys'
			? `there is no option ${quote(issue!.keys[0]!)}, expected solver, dt, duration or an option of SAP such as contact_tau_d`
			: `the option ${issue!.path.join('.')} ${issue!.message}`;
	}
	const inert = Object.entries(parsed.data.inert)[0];
	return inert === undefined ? parsed.data.options : `the option ${inert[0]} has no effect: ${inert[1]}`;
}

function variantFault(
	stage: EditedStage,
	{ prim, set }: Extract<ParameterTarget, { kind: 'variant' }>,
	variant: string,
): string | undefined {
	const found = stage.stage.prim(prim);
	if (found === undefined) return `there is no prim <${prim}>`;
	if (!found.variantSets().includes(set))
		return `<${prim}> has no variant set ${quote(set)}, expected ${found.variantSets().join(', ') || 'none: it has none'}`;
	const known = found.variants(set);
	return known.includes(variant)
		? undefined
		: `variant set ${quote(set)} of <${prim}> has no variant ${quote(variant)}, expected ${known.join(', ')}`;
}

function onlyUsd(target: ParameterTarget): string {
	const what = target.kind === 'variant' ? 'variant' : 'prim: and material:';
	return `${what} paths are about OpenUSD; change rows of the model of this robot instead, such as model:body_mass[LABEL]`;
}

/** Changes a field of a plain value; gives why that cannot be done. */
function setField(
	root: unknown,
	path: readonly (string | number)[],
	apply: 'set' | 'scale' | 'add',
	value: ParameterValue,
): string | undefined {
	let at = root as Record<string | number, unknown> | undefined;
	for (const [i, step] of path.slice(0, -1).entries()) {
		at = at?.[step] as Record<string | number, unknown> | undefined;
		if (at === null || typeof at !== 'object') return `the scene has no ${formatPath(path.slice(0, i + 1))}`;
	}
	const last = path.at(-1)!;
	const old = at![last];
	if (Array.isArray(at) && (typeof last !== 'number' || last >= at.length))
		return `the scene has no ${formatPath(path)}`;
	if (apply === 'set') {
		at![last] = value;
		return undefined;
	}
	if (typeof old !== 'number' || typeof value !== 'number')
		return `${formatPath(path)} is not a number that could be ${apply === 'scale' ? 'scaled' : 'added to'}`;
	at![last] = apply === 'scale' ? old * value : old + value;
	return undefined;
}

function formatPath(path: readonly (string | number)[]): string {
	return path.reduce<string>(
		(text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
		'',
	);
}

function structuredCopy(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(structuredCopy);
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, structuredCopy(part)]));
}
