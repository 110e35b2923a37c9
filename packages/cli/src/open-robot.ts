import { createDiagnostic, quote, Report } from '@manyworlds/core';
import {
	type AssetFormat,
	createImportDiagnostic,
	detectAssetFormat,
	importMjcf,
	importUrdf,
	importUsd,
	type Ledger,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
	type SchemaResolver,
} from '@manyworlds/import';
import { type Model, ModelBuilder, ModelError, registerMujocoAttributes } from '@manyworlds/model';
import { SourcePlaces } from '@manyworlds/usd';
import { type CommandContext, toSlashes } from './command-context.ts';
import { readInput } from './files.ts';
import { openStage, packageMap, type StageCommandOptions } from './open-stage.ts';
import { packageSources } from './package-folders.ts';
import { RobotResolver } from './robot-resolver.ts';

/** Options of commands that import a robot. */
export interface RobotCommandOptions extends StageCommandOptions {
	/** Schema resolvers by name, in order of priority. */
	readonly resolvers?: readonly string[];
	/** Whether attributes without effect are errors. */
	readonly strict?: boolean;
	readonly newtonCompat?: boolean;
	/** Whether the base of a robot floats; left out, as its format says. */
	readonly floating?: boolean;
	/** What is done with the imported robot before it is finished; gives the builder to finish. */
	readonly prepare?: (robot: ModelBuilder) => ModelBuilder;
}

/** A robot that was imported. */
export interface OpenedRobot {
	readonly model: Model;
	readonly ledger: Ledger;
	readonly format: AssetFormat;
	/** The file as messages name it. */
	readonly file: string;
}

/** Names of schema resolvers. */
export const RESOLVERS: Readonly<Record<string, SchemaResolver>> = {
	newton: SCHEMA_RESOLVER_NEWTON,
	physx: SCHEMA_RESOLVER_PHYSX,
	mjc: SCHEMA_RESOLVER_MJC,
};

/** Imports a robot of any format; undefined, with a diagnostic, when there is nothing to import. */
export function openRobot(
	context: CommandContext,
	file: string,
	options: RobotCommandOptions,
): OpenedRobot | undefined {
	const { report } = context;
	const name = context.display(file);
	const bytes = readInput(context, file.replace(/\[.*$/, ''));
	if (bytes === undefined) return undefined;
	const format = detectAssetFormat(bytes, file);
	if (format === undefined) {
		report.add(createImportDiagnostic('IMP100', `${quote(name)} is neither USD nor URDF nor MJCF`, { file: name }));
		return undefined;
	}
	const builder = new ModelBuilder();
	const found = new Report();
	const ledger =
		format === 'usd'
			? fromStage(context, file, builder, options, found)
			: fromXml(context, file, builder, options, { bytes, format, found });
	if (ledger === undefined) return undefined;
	const model = finalize(options.prepare?.(builder) ?? builder, found);
	for (const one of found.toArray())
		report.add(one.file === undefined ? one : { ...one, file: context.display(one.file) });
	if (options.strict) {
		const before = report.counts.error;
		for (const entry of ledger.entries()) {
			if (entry.class !== 'ignored') continue;
			const { file: own, range, reason } = entry;
			const message = `${quote(`${entry.path}@${entry.name}`, 200)} has no effect: ${reason}`;
			report.add(
				createImportDiagnostic('IMP101', message, {
					file: own === undefined ? name : context.display(own),
					...(range && { range }),
				}),
			);
		}
		context.findingErrors += report.counts.error - before;
	}
	return { model, ledger, format, file: name };
}

function fromStage(
	context: CommandContext,
	file: string,
	builder: ModelBuilder,
	options: RobotCommandOptions,
	found: Report,
): Ledger | undefined {
	const opened = openStage(context, file, options);
	if (opened === undefined) return undefined;
	const schemaResolvers = (options.resolvers ?? ['newton']).map((one) => RESOLVERS[one]!);
	if (schemaResolvers.includes(SCHEMA_RESOLVER_MJC)) registerMujocoAttributes(builder);
	context.progress.step(`importing ${opened.file}`);
	const places = new SourcePlaces(opened.source);
	return importUsd(opened.stage, builder, {
		schemaResolvers,
		report: found,
		places,
		newtonCompat: options.newtonCompat ?? false,
		...(options.floating !== undefined && { floating: options.floating }),
	}).ledger;
}

function fromXml(
	context: CommandContext,
	file: string,
	builder: ModelBuilder,
	options: RobotCommandOptions,
	input: { readonly bytes: Uint8Array; readonly format: 'urdf' | 'mjcf'; readonly found: Report },
): Ledger | undefined {
	const packages = packageMap(context, options.package ?? []);
	if (packages === undefined) return undefined;
	const baseFile = toSlashes(context.absolute(file));
	const resolver = new RobotResolver({
		file: baseFile,
		roots: (options.root ?? []).map((folder) => context.absolute(folder)),
		packages: packageSources(packages, context.io.env),
		given: [baseFile, input.bytes],
		onRead: (name, size) => context.progress.step(`reading ${context.display(name)}`, size),
	});
	const shared = {
		resolver,
		baseFile,
		report: input.found,
		newtonCompat: options.newtonCompat ?? false,
		...(options.floating !== undefined && { floating: options.floating }),
	};
	return input.format === 'urdf'
		? importUrdf(input.bytes, builder, shared).ledger
		: importMjcf(input.bytes, builder, shared).ledger;
}

/** The model; one that does not pass its checks is shown without them, and the report says why. */
function finalize(builder: ModelBuilder, report: Report): Model {
	try {
		const model = builder.finalize();
		report.addAll(model.report);
		return model;
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		report.add(createDiagnostic(error.code, 'error', error.message));
		return builder.finalize({ skipValidation: true });
	}
}
