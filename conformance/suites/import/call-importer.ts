import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Diagnostic, Report } from '@manyworlds/core';
import * as importers from '@manyworlds/import';
import type { ModelBuilder } from '@manyworlds/model';
import { PackageMap, SchemaRegistry, Stage } from '@manyworlds/usd';
import { ROBOT_LIBRARIES } from '@manyworlds/usd/internal';
import { DiskStore } from '../../src/disk-store.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import { fields } from '../../src/newton/expected-model.ts';
import { camelCase } from '../../src/newton/names.ts';
import type { SuiteContext } from '../../src/suite.ts';
import { AXIS_KEYS, axisConfig, real } from './builder-settings.ts';
import type { ImportStep } from './import-case.ts';

/** What a call gave. */
export interface StepOutcome {
	/** Why the import failed: an error that was thrown or reported. */
	readonly error: string | undefined;
	readonly diagnostics: readonly Diagnostic[];
	readonly result: Readonly<Record<string, unknown>> | undefined;
}

type Importer = (
	source: unknown,
	builder: ModelBuilder,
	options: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>;

const IMPORTERS: Readonly<Record<string, string>> = {
	add_usd: 'importUsd',
	add_urdf: 'importUrdf',
	add_mjcf: 'importMjcf',
};

/** Runs one call of a case on a builder. Faults of the asset and bad use are outcomes, everything else is thrown. */
export function runStep(
	builder: ModelBuilder,
	step: ImportStep,
	folder: string,
	context: SuiteContext,
	extra: Readonly<Record<string, unknown>> = {},
): StepOutcome {
	if (step.call === 'begin_world' || step.call === 'end_world') {
		const { gravity } = fields(step.options, 'begin_world', ['gravity'], ['gravity']);
		if (step.call === 'end_world') builder.endWorld();
		else builder.beginWorld(gravity === undefined || gravity === null ? {} : { gravity: gravity as number[] });
		return { error: undefined, diagnostics: [], result: {} };
	}
	const name = IMPORTERS[step.call];
	if (name === undefined) throw new TypeError(`the call '${step.call}' is not known`);
	const importer = (importers as unknown as Readonly<Record<string, Importer | undefined>>)[name];
	if (importer === undefined) throw new Error(`${name} is not there yet`);
	const options = { ...importOptions(step.call, step.options), newtonCompat: true, ...extra };
	const report = new Report();
	try {
		const { source, more } = open(step, folder, context, report);
		const result = importer(source, builder, { ...options, ...more });
		const diagnostics = [...report.toArray(), ...(result.report as Report).toArray(), ...builder.report.toArray()];
		const error = diagnostics.find(({ severity }) => severity === 'error');
		return { error: error && `${error.code} ${error.message}`, diagnostics, result };
	} catch (error) {
		// bad use of an importer is refused by an error with a code; others are faults of ours
		if (!(error instanceof Error) || !('code' in error)) throw error;
		return { error: `${String(error.code)} ${error.message}`, diagnostics: [], result: undefined };
	}
}

interface Opened {
	readonly source: unknown;
	readonly more: Readonly<Record<string, unknown>>;
}

function open(step: ImportStep, folder: string, context: SuiteContext, report: Report): Opened {
	const path = pathOf(step, folder, context);
	const packages = new PackageMap({ packages: packagesAround(path, context.assetsDir) });
	const store = new DiskStore({ packages });
	if (step.call !== 'add_usd') {
		if (step.isInline) return { source: readFileSync(path, 'utf8'), more: { store } };
		return { source: new Uint8Array(readFileSync(path)), more: { store, file: path } };
	}
	const stage = Stage.open(store.open(path), { store, report, schemas: REFERENCE_SCHEMAS });
	return { source: stage, more: { reproduceFaults: REFERENCE_FAULTS } };
}

/** The schemas that the reference knows: those of OpenUSD and Newton's own. */
const REFERENCE_SCHEMAS = SchemaRegistry.openUsd.extend({
	libraries: ROBOT_LIBRARIES.filter(({ name }) => name === 'newton'),
});

/** Faults of the reference in reading USD (FORMAT.md and options of `importUsd`); the importer repeats them on request. */
const REFERENCE_FAULTS: readonly importers.NewtonFault[] = [
	'collision-groups',
	'joint-velocity',
	'drive-scaling',
	'd6-lock',
	'd6-unlimited',
	'd6-linear-state',
	'orphan-frame',
	'mimic-offset',
	'visual-plane',
	'visual-mirror',
	'hidden-body-frame',
	'ball-offset',
	'world-label',
	'disabled-filter',
];

/** Path of the file that a call reads. */
export function pathOf(step: ImportStep, folder: string, context: SuiteContext): string {
	if (step.source === undefined) throw new TypeError('the call has no source');
	const name = typeof step.source === 'string' ? step.source : step.source.asset;
	if (typeof step.source === 'string') {
		const beside = resolve(folder, name);
		// a case may name a file that is not there
		if (existsSync(beside) || !name.includes('/')) return beside;
	}
	const found = context.inputs.find(name, folder);
	if ('problem' in found) throw new Error(found.problem);
	return found.path;
}

/** ROS packages of the asset folder by their usual names (README of the oracle), and the folders above a file by theirs. */
function packagesAround(path: string, assetsDir: string): Map<string, string> {
	const packages = new Map<string, string>();
	for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
		if (!packages.has(basename(folder))) packages.set(basename(folder), folder);
	}
	packages.set('anymal_c_simple_description', join(assetsDir, 'anymal_c'));
	packages.set('allegro_hand_description', join(assetsDir, 'allegro_hand'));
	return packages;
}

/** Options of an importer under our names. */
export function importOptions(call: string, options: JsonObject): Record<string, unknown> {
	const out: Record<string, unknown> = {};
	for (const [key, value] of Object.entries(options)) {
		// no order is a choice, elsewhere null stands for the default
		if (value === null && key !== 'joint_ordering') continue;
		if (key === 'joint_ordering') out.jointOrdering = value ?? (call === 'add_usd' ? 'stage' : 'file');
		else if (key === 'schema_resolvers') out.schemaResolvers = (value as readonly string[]).map(resolverOf);
		else if (key === 'up_axis') out.upAxis = (value as string).toLowerCase();
		else if (key === 'base_joint') out.baseJoint = baseJoint(value as JsonObject);
		else if (key === 'xform') out.xform = (value as readonly Json[]).map((number) => Number(real(number)));
		else out[camelCase(key)] = real(value);
	}
	return out;
}

/** A schema resolver by the name that the format gives it. */
function resolverOf(name: string): unknown {
	const key = `SCHEMA_RESOLVER_${name.toUpperCase()}`;
	const resolver = (importers as unknown as Readonly<Record<string, unknown>>)[key];
	if (resolver === undefined) throw new Error(`${key} is not there yet`);
	return resolver;
}

/** A joint that holds the root, with whatever keys the case gives: those that are not allowed are part of the test. */
function baseJoint(json: JsonObject): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(json).map(([key, value]) => {
			if (key === 'joint_type') return ['type', (value as string).toLowerCase()];
			if (key === 'linear_axes' || key === 'angular_axes')
				return [camelCase(key), (value as readonly Json[]).map(axisConfig)];
			if (AXIS_KEYS.includes(key)) return [camelCase(key), axisConfig({ [key]: value })[camelCase(key)]];
			return [camelCase(key), real(value)];
		}),
	);
}
