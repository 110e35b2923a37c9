import { translateSdf } from '@manyworlds/convert';
import { createDiagnostic, quote, Report } from '@manyworlds/core';
import {
	type AssetFormat,
	type ImportAssetResult,
	importAsset,
	type Ledger,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
	type SchemaResolver,
} from '@manyworlds/import';
import { createImportDiagnostic } from '@manyworlds/import/internal';
import {
	type ContactDefaultsName,
	type Model,
	ModelBuilder,
	ModelError,
	registerMujocoAttributes,
} from '@manyworlds/model';
import type { CommandContext } from './command-context.ts';
import { openRobotStore } from './open-robot-store.ts';
import type { StageCommandOptions } from './open-stage.ts';

/** Options of commands that import a robot. */
export interface RobotCommandOptions extends StageCommandOptions {
	/** Schema resolvers by name, in order of priority. */
	readonly resolvers?: readonly string[];
	/** Whether attributes without effect are errors. */
	readonly strict?: boolean;
	readonly newtonCompat?: boolean;
	/** Whether the base of a robot floats; left out, as its format says. */
	readonly floating?: boolean;
	/** Contact of shapes that say nothing about it; left out, Newton's. */
	readonly contactDefaults?: ContactDefaultsName;
	/** Keyframe of MJCF to start from. */
	readonly keyframe?: string;
	/** What is done with the imported robot before it is finished; gives the builder to finish. */
	readonly prepare?: (robot: ModelBuilder) => ModelBuilder;
}

/** A robot that was imported. */
export interface OpenedRobot {
	readonly model: Model;
	/** Whether the model passed its checks. */
	readonly isSound: boolean;
	readonly imported: ImportAssetResult;
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
	const opened = openRobotStore(context, file, options);
	if (opened === undefined) return undefined;
	const { store, identifier, name, isUsd } = opened;
	context.progress.step(`importing ${name}`);
	const schemaResolvers = (options.resolvers ?? ['newton']).map((one) => RESOLVERS[one]!);
	const { contactDefaults } = options;
	const builder = new ModelBuilder(contactDefaults === undefined ? {} : { contactDefaults });
	if (isUsd && schemaResolvers.includes(SCHEMA_RESOLVER_MJC)) registerMujocoAttributes(builder);
	const found = new Report();
	const { keyframe } = options;
	const imported = importAsset(identifier, builder, {
		store,
		report: found,
		newtonCompat: options.newtonCompat ?? false,
		...(options.floating !== undefined && { floating: options.floating }),
		translateSdf,
		usd: { schemaResolvers },
		...(keyframe !== undefined && { mjcf: { keyframe } }),
	});
	const { format, ledger } = imported;
	const finished = format === undefined ? undefined : finalize(options.prepare?.(builder) ?? builder, found);
	// what is wrong with a robot that could be imported is a finding
	const target = finished === undefined ? context.report : context.findings;
	for (const one of found.toArray())
		target.add(one.file === undefined ? one : { ...one, file: context.display(one.file) });
	if (format === undefined || finished === undefined) return undefined;
	if (options.strict) reportIgnored(context, ledger, name);
	return { ...finished, imported, ledger, format, file: name };
}

/** Attributes without effect, as findings. */
function reportIgnored(context: CommandContext, ledger: Ledger, name: string): void {
	for (const { class: class_, file, range, reason, path, name: attribute } of ledger.entries()) {
		if (class_ !== 'ignored') continue;
		const message = `${quote(`${path}@${attribute}`, 200)} has no effect: ${reason}`;
		context.findings.add(
			createImportDiagnostic('IMP101', message, {
				file: file === undefined ? name : context.display(file),
				...(range && { range }),
			}),
		);
	}
}

/** The model; one that does not pass its checks is shown without them, and the report says why. */
function finalize(builder: ModelBuilder, report: Report): Pick<OpenedRobot, 'model' | 'isSound'> {
	try {
		const model = builder.finalize();
		report.addAll(model.report);
		return { model, isSound: true };
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		report.add(createDiagnostic(error.code, 'error', error.message));
		return { model: builder.finalize({ skipValidation: true }), isSound: false };
	}
}
