import { type DiagnosticDetails, quote, Report } from '@manyworlds/core';
import {
	type DocumentKind,
	nearestName,
	readDocument,
	type SceneDocument,
	type ScenePath,
} from '@manyworlds/scene/internal';
import { createDiagnostic, type SweepCode } from '../diagnostics.ts';
import { parseExpression } from '../expression/expression.ts';
import { axisLength } from '../sample/distribution.ts';
import type { PlanParameter, SamplerSpec } from '../sample/parameter.ts';
import { namesOf, ownersOf } from '../sample/sampler.ts';
import { SOBOL_DIMENSIONS } from '../sample/sobol.ts';
import type { PlanMetric, SweepPlan } from './plan.ts';
import { planSchema, type RawPlan } from './plan-schema.ts';

/** Options of {@link readPlan}. @public */
export interface ReadPlanOptions {
	/** Name of the file in diagnostics; one that ends with `.json` is JSON. */
	readonly file?: string;
	/** Collects diagnostics; left out, a new one. */
	readonly report?: Report;
}

/** What {@link readPlan} gives. @public */
export interface ReadPlanResult {
	/** Undefined when the file has errors. */
	readonly plan: SweepPlan | undefined;
	/** Where the parts of the plan are written. */
	readonly places: PlanPlaces | undefined;
	readonly report: Report;
}

/** Where the parts of a plan are written. @public */
export interface PlanPlaces {
	locate(path: readonly (string | number)[], part?: 'key' | 'value'): DiagnosticDetails;
	/** Place of a character of a text. */
	locateWithin(path: readonly (string | number)[], at: number): DiagnosticDetails;
}

/** Values of plans that are used when absent. @public */
export const PLAN_DEFAULTS: {
	/** [s] */
	readonly duration: number;
	/** [s] */
	readonly timePerRun: number;
	readonly maxFailures: number;
	readonly seed: number;
} = { duration: 1, timePerRun: 600, maxFailures: Number.POSITIVE_INFINITY, seed: 0 };

/** Codes of plans by those that scenes have for the same. */
const CODES: Readonly<Record<string, SweepCode>> = {
	SCN001: 'SWP001',
	SCN002: 'SWP002',
	SCN003: 'SWP003',
	SCN005: 'SWP005',
	SCN006: 'SWP006',
	SCN007: 'SWP007',
	SCN008: 'SWP008',
	SCN009: 'SWP009',
	SCN010: 'SWP010',
	SCN012: 'SWP012',
};

const PLAN_KIND: DocumentKind = {
	what: 'plan',
	create: (code, message, details) => createDiagnostic(CODES[code] ?? 'SWP006', message, details),
};

/**
 * Reads the plan of a sweep: YAML 1.2 or JSON, checked against the schema and in itself: samplers fit their parameters,
 * expressions can be read and name what there is. Every finding has a line and a column. Nothing is opened or executed.
 *
 * ```ts
 * const { plan, report } = readPlan(text, { file: 'plan.yaml' });
 * ```
 * @public
 */
export function readPlan(text: string, options: ReadPlanOptions = {}): ReadPlanResult {
	const own = new Report();
	const file = options.file ?? 'plan.yaml';
	const { value, document } = readDocument(text, planSchema, { file, report: own }, PLAN_KIND);
	const plan = value !== undefined && document !== undefined ? resolvePlan(value, document, own) : undefined;
	options.report?.addAll(own);
	return { plan: own.hasErrors ? undefined : plan, places: document, report: options.report ?? own };
}

function resolvePlan(raw: RawPlan, document: SceneDocument, report: Report): SweepPlan {
	const add = (code: SweepCode, path: ScenePath, message: string, at?: number): void => {
		const place = at === undefined ? document.locate(path) : document.locateWithin(path, at);
		report.add(createDiagnostic(code, message, place));
	};
	const task = raw.task ?? 'simulate';
	const { simulate, outputs } = raw;
	const parameters = Object.entries(raw.parameters ?? {}).map(([name, own]): PlanParameter => ({ name, ...own }));
	for (const { name } of parameters)
		if (!/^[A-Za-z_]\w*$/.test(name))
			add('SWP009', ['parameters', name], `parameters has the name ${quote(name)}, expected letters, digits and '_'`);
	const metrics = Object.entries(outputs?.metrics ?? {}).map(([name, own]): PlanMetric => ({ name, ...own }));
	const sampler = raw.runs?.sampler ?? { kind: 'grid' };
	checkAsset(raw, task, add);
	checkSampler(sampler, parameters, add);
	checkExpressions(raw, parameters, metrics, add);
	const repeats = raw.runs?.repeats ?? 1;
	const noise = { jointQ: simulate?.noise?.joint_q ?? 0, jointQd: simulate?.noise?.joint_qd ?? 0 };
	if (repeats > 1 && noise.jointQ === 0 && noise.jointQd === 0)
		add(
			'SWP027',
			['runs', 'repeats'],
			`runs.repeats is ${repeats}, but simulate.noise is not set: all repeats of a point are equal`,
		);
	const resolvers = simulate?.resolvers ?? ['newton'];
	for (const [i, one] of resolvers.entries())
		if (!['newton', 'physx', 'mjc'].includes(one))
			add(
				'SWP009',
				['simulate', 'resolvers', i],
				`simulate.resolvers has ${quote(one)}, expected newton, physx or mjc`,
			);
	const { control, dt, floating, keyframe, height, sample } = simulate ?? {};
	const when = outputs?.keep?.series?.when;
	const { profile, select, ignore } = raw.check ?? {};
	return {
		name: raw.name,
		task,
		asset: raw.asset ?? raw.scene ?? '',
		isScene: raw.scene !== undefined,
		assets: raw.assets ?? [],
		seed: raw.seed ?? PLAN_DEFAULTS.seed,
		sampler,
		repeats,
		parameters,
		constraints: raw.constraints ?? [],
		simulate: {
			duration: simulate?.duration ?? PLAN_DEFAULTS.duration,
			worldsPerRun: simulate?.worlds_per_run ?? 1,
			solver: simulate?.solver ?? 'sap',
			ground: simulate?.ground ?? true,
			resolvers: resolvers as ('newton' | 'physx' | 'mjc')[],
			noise,
			...(control !== undefined && { control }),
			...(dt !== undefined && { dt }),
			...(floating !== undefined && { floating }),
			...(keyframe !== undefined && { keyframe }),
			...(height !== undefined && { height }),
			...(sample !== undefined && { sample }),
		},
		outputs: {
			metrics,
			...(outputs?.series !== undefined && { series: outputs.series }),
			...(when !== undefined && { keepSeriesWhen: when }),
		},
		check: {
			...(profile !== undefined && { profile }),
			...(select !== undefined && { select }),
			...(ignore !== undefined && { ignore }),
		},
		stop: {
			maxFailures: raw.stop?.max_failures ?? PLAN_DEFAULTS.maxFailures,
			timePerRun: raw.stop?.time_per_run ?? PLAN_DEFAULTS.timePerRun,
		},
	};
}

type Add = (code: SweepCode, path: ScenePath, message: string, at?: number) => void;

/** What a plan is about: one robot or scene, or files to check. */
function checkAsset(raw: RawPlan, task: string, add: Add): void {
	if (task === 'check') {
		if (raw.assets === undefined)
			add('SWP010', [], 'assets is missing, expected the files, folders and globs to check');
		for (const key of ['asset', 'scene', 'parameters', 'constraints', 'simulate', 'outputs', 'runs'] as const)
			if (raw[key] !== undefined) add('SWP009', [key], `${key} is about simulations, and the task is check`);
		return;
	}
	if (raw.assets !== undefined) add('SWP009', ['assets'], 'assets is about task: check, expected asset or scene');
	if (raw.asset !== undefined && raw.scene !== undefined)
		add('SWP009', ['scene'], 'the plan has asset and scene, expected one of them');
	if (raw.asset === undefined && raw.scene === undefined)
		add('SWP010', [], 'asset is missing, expected the file of a robot, or scene');
	if (raw.scene === undefined) return;
	for (const key of ['ground', 'floating', 'keyframe', 'height', 'resolvers'] as const)
		if (raw.simulate?.[key] !== undefined)
			add('SWP009', ['simulate', key], `simulate.${key} is about robots: a scene says that itself`);
}

function checkSampler(sampler: SamplerSpec, parameters: readonly PlanParameter[], add: Add): void {
	const path = ['runs', 'sampler'];
	const known = new Set(parameters.map(({ name }) => name));
	const drawn = new Map<string, number>();
	const visit = (spec: SamplerSpec, own: readonly PlanParameter[], at: ScenePath): void => {
		if (spec.kind === 'product') {
			for (const [i, [part, owned]] of ownersOf(spec, own).entries()) visit(part, owned, [...at, 'of', i]);
			return;
		}
		for (const name of namesOf(spec) ?? [])
			if (!known.has(name)) {
				const similar = nearestName(name, known);
				add(
					'SWP030',
					at,
					`the sampler draws ${quote(name)}, which is no parameter${similar === undefined ? '' : `; did you mean '${similar}'?`}`,
				);
			}
		const names = namesOf(spec) ?? own.map(({ name }) => name);
		for (const name of names) drawn.set(name, (drawn.get(name) ?? 0) + 1);
		const used = own.filter(({ name }) => names.includes(name));
		if (spec.kind === 'grid')
			for (const { name, distribution } of used)
				if (axisLength(distribution) === 0)
					add(
						'SWP030',
						['parameters', name],
						`parameters.${name} has no values that a grid could count, expected choices, integer, or a range with steps`,
					);
		if (spec.kind === 'sobol') {
			if (used.length > SOBOL_DIMENSIONS)
				add('SWP030', at, `the sampler draws ${used.length} parameters, expected at most ${SOBOL_DIMENSIONS}`);
			if (!Number.isInteger(Math.log2(spec.count)))
				add('SWP026', [...at, 'count'], `the count is ${spec.count}, which is no power of two`);
		}
		if (spec.kind === 'list')
			for (const [i, row] of spec.rows.entries()) {
				const wrong = [
					...Object.keys(spec.rows[0]!).filter((name) => !(name in row)),
					...Object.keys(row).filter((name) => !(name in spec.rows[0]!)),
				];
				if (wrong.length > 0)
					add('SWP030', [...at, 'rows', i], `row ${i} and the first row differ in ${wrong.join(', ')}`);
			}
	};
	visit(sampler, parameters, path);
	for (const { name } of parameters) {
		const times = drawn.get(name) ?? 0;
		if (times === 0) add('SWP030', ['parameters', name], `parameters.${name} is drawn by no sampler`);
		if (times > 1)
			add('SWP030', ['parameters', name], `parameters.${name} is drawn by ${times} samplers, expected one`);
	}
}

function checkExpressions(
	raw: RawPlan,
	parameters: readonly PlanParameter[],
	metrics: readonly PlanMetric[],
	add: Add,
): void {
	const known = new Set(parameters.map(({ name }) => name));
	for (const [i, text] of (raw.constraints ?? []).entries()) {
		const path = ['constraints', i];
		const parsed = parseExpression(text);
		if ('fault' in parsed) {
			add('SWP007', path, `constraints[${i}] is ${quote(text)}: ${parsed.fault}`, parsed.at);
			continue;
		}
		if (!parsed.isCondition) add('SWP007', path, `constraints[${i}] is ${quote(text)}, expected a comparison`);
		for (const { text: name, at } of parsed.names) {
			if (known.has(name)) continue;
			const similar = nearestName(name, known);
			add(
				'SWP024',
				path,
				`constraints[${i}] names ${quote(name)}, which is no parameter${similar === undefined ? '' : `; did you mean '${similar}'?`}`,
				at,
			);
		}
	}
	for (const { name, kind, expression } of metrics) {
		const path = ['outputs', 'metrics', name];
		if (!/^[A-Za-z_]\w*$/.test(name))
			add('SWP009', path, `outputs.metrics has the name ${quote(name)}, expected letters, digits and '_'`);
		const parsed = parseExpression(expression);
		const isCondition = ['any', 'all', 'first_time'].includes(kind);
		if ('fault' in parsed)
			add('SWP007', [...path, kind], `outputs.metrics.${name} is ${quote(expression)}: ${parsed.fault}`, parsed.at);
		else if (isCondition && !parsed.isCondition)
			add(
				'SWP007',
				[...path, kind],
				`outputs.metrics.${name} is ${kind} of ${quote(expression)}, expected a comparison`,
			);
	}
	const when = raw.outputs?.keep?.series?.when;
	if (when !== undefined && !metrics.some(({ name }) => name === when))
		add(
			'SWP024',
			['outputs', 'keep', 'series', 'when'],
			`outputs.keep.series.when is ${quote(when)}, which is no metric of the plan`,
		);
}
