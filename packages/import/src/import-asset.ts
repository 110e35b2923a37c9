import { quote, Report } from '@manyworlds/core';
import type { ModelBuilder, TransformInput } from '@manyworlds/model';
import { type AssetStore, isAssetFailure, type LoadRules, Stage } from '@manyworlds/usd';
import { SourcePlaces } from '@manyworlds/usd/internal';
import type { RootOptions } from './attach-root.ts';
import { type AssetFormat, detectAssetFormat } from './detect-asset-format.ts';
import { createDiagnostic } from './diagnostics.ts';
import { Ledger } from './ledger.ts';
import type { MeshColliders } from './mesh/mesh-colliders.ts';
import { type ImportMjcfResult, importMjcf } from './mjcf/import-mjcf.ts';
import type { ImportMjcfOptions } from './mjcf/options.ts';
import { type ImportUrdfResult, importUrdf } from './urdf/import-urdf.ts';
import type { ImportUrdfOptions } from './urdf/options.ts';
import { importUsd } from './usd/import-usd.ts';
import type { ImportUsdOptions } from './usd/options.ts';
import type { ImportUsdResult } from './usd/result.ts';

/** An asset of another format in a format that is imported. @public */
export interface TranslatedAsset {
	/** MJCF in the store. */
	readonly file: string;
	readonly store: AssetStore;
	/** The state that it starts in, where it is not that of the file. */
	readonly keyframe?: string;
	/** Whether parts of the robot touch each other, unless the options say. */
	readonly enableSelfCollisions: boolean;
}

/** Translates an asset; undefined when there is none, which the report says. @public */
export type AssetTranslator = (identifier: string, store: AssetStore, report: Report) => TranslatedAsset | undefined;

/** Options of {@link importAsset}. What the formats share stands first; settings of one format win over it. @public */
export interface ImportAssetOptions extends RootOptions {
	/** Where the asset and the files it refers to are. What is wrong with its layers goes to the report of the store. */
	readonly store: AssetStore;
	/** The format, when it is known. */
	readonly format?: AssetFormat;
	readonly xform?: TransformInput;
	readonly enableSelfCollisions?: boolean;
	readonly collapseFixedJoints?: boolean;
	readonly newtonCompat?: boolean;
	/** Whether bodies that fixed joints hold together with the two of a joint cannot touch either; yes, except with `newtonCompat`. */
	readonly filterJoinedParts?: boolean;
	/** What meshes of URDF and MJCF collide as; USD says it by `physics:approximation`. */
	readonly meshColliders?: MeshColliders;
	/** Payloads of a stage that are loaded; all unless given. */
	readonly load?: LoadRules;
	/** Gets the findings of the import; that of the store when absent. */
	readonly report?: Report;
	/** Reads SDF: `translateSdf` of `@manyworlds/convert`, which stands above this package. */
	readonly translateSdf?: AssetTranslator;
	readonly usd?: ImportUsdOptions;
	readonly urdf?: ImportUrdfOptions;
	readonly mjcf?: ImportMjcfOptions;
}

/** What {@link importAsset} gives: the result of the importer, with the format. @public */
export type ImportAssetResult = { readonly report: Report; readonly ledger: Ledger } & (
	| { readonly format: 'usd'; readonly result: ImportUsdResult }
	| { readonly format: 'urdf'; readonly result: ImportUrdfResult }
	| { readonly format: 'mjcf' | 'sdf'; readonly result: ImportMjcfResult }
	| { readonly format: undefined; readonly result: undefined }
);

/**
 * Imports a file of any format, told by its content, into a builder. A file that cannot be read is a diagnostic.
 *
 * ```ts
 * const store = new MemoryStore({ 'arm.urdf': text, 'meshes/link.stl': bytes });
 * const { format, ledger } = importAsset('arm.urdf', builder, { store, floating: false });
 * ```
 * @public
 */
export function importAsset(file: string, builder: ModelBuilder, options: ImportAssetOptions): ImportAssetResult {
	const { store, usd, urdf, mjcf, translateSdf, load, format: given, ...shared } = options;
	const report = options.report ?? store.report;
	const none = (message: string): ImportAssetResult => {
		report.add(createDiagnostic('IMP100', message, { file: store.name(file) }));
		return { report, ledger: new Ledger(), format: undefined, result: undefined };
	};
	const { identifier, refusal } = store.identify(file, '');
	const name = quote(store.name(identifier));
	const content =
		refusal === undefined ? (store.bytes(identifier) ?? { failure: 'it is not loaded yet' }) : { failure: refusal };
	if (isAssetFailure(content))
		return none(`${name} ${content.failure === '' ? 'does not exist' : `cannot be read: ${content.failure}`}`);
	const format = given ?? detectAssetFormat(content, identifier);
	if (format === undefined) return none(`${name} is neither USD nor URDF nor MJCF nor SDF`);
	if (format === 'sdf' && translateSdf === undefined)
		return none(`${name} is SDF, convert it first: manyworlds convert ${store.name(identifier)} robot.urdf`);
	const common = { ...shared, report };
	if (format === 'sdf') {
		const translated = translateSdf!(identifier, store, report);
		if (translated === undefined) return none(`${name} holds no robot`);
		const { collapseFixedJoints: _, ...known } = common;
		const result = importTranslated(translated, builder, { ...known, ...mjcf }, identifier, report);
		return { report, ledger: result.ledger, format, result };
	}
	if (format === 'urdf') {
		const result = importUrdf(content, builder, { ...common, ...urdf, store, file: identifier });
		return { report, ledger: result.ledger, format, result };
	}
	if (format === 'mjcf') {
		const { collapseFixedJoints: _, ...known } = common;
		const result = importMjcf(content, builder, { ...known, ...mjcf, store, file: identifier });
		return { report, ledger: result.ledger, format, result };
	}
	const layer = store.layer(identifier)!;
	if (isAssetFailure(layer)) return none(`${name} cannot be opened: ${layer.failure}`);
	const stage = Stage.open(layer, { store, report, ...(load && { load }) });
	const result = importUsd(stage, builder, { places: new SourcePlaces(store), ...common, ...usd });
	return { report, ledger: result.ledger, format, result };
}

/** Imports what stands for an asset; findings are about the asset, as nobody has seen what stands for it. */
function importTranslated(
	{ file, store, ...own }: TranslatedAsset,
	builder: ModelBuilder,
	options: ImportMjcfOptions,
	source: string,
	report: Report,
): ImportMjcfResult {
	const found = new Report();
	const { identifier } = store.identify(file, '');
	const bytes = store.bytes(identifier) as Uint8Array;
	const result = importMjcf(bytes, builder, {
		...own,
		...options,
		store,
		file: identifier,
		report: found,
	});
	for (const { code, severity, message } of found.toArray()) {
		report.add({ code, severity, message, file: source });
	}
	return result;
}
