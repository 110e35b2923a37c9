import { quote, Report } from '@manyworlds/core';
import type { ModelBuilder, TransformInput } from '@manyworlds/model';
import { type AssetResolver, isLayerFailure, LayerRegistry, SchemaRegistry, Stage } from '@manyworlds/usd';
import type { RootOptions } from './attach-root.ts';
import { createDiagnostic } from './diagnostics.ts';
import { Ledger } from './ledger.ts';
import { type ImportMjcfResult, importMjcf } from './mjcf/import-mjcf.ts';
import type { ImportMjcfOptions } from './mjcf/options.ts';
import { type ImportUrdfResult, importUrdf } from './urdf/import-urdf.ts';
import type { ImportUrdfOptions } from './urdf/options.ts';
import { importUsd } from './usd/import-usd.ts';
import type { ImportUsdOptions } from './usd/options.ts';
import type { ImportUsdResult } from './usd/result.ts';

/** Formats that {@link importAsset} reads. @public */
export type AssetFormat = 'usd' | 'urdf' | 'mjcf';

/** Options of {@link importAsset}. What the formats share stands first; settings of one format win over it. @public */
export interface ImportAssetOptions extends RootOptions {
	/** Finds the asset and the files it refers to. */
	readonly resolver: AssetResolver;
	/** The format, when it is known. */
	readonly format?: AssetFormat;
	readonly xform?: TransformInput;
	readonly enableSelfCollisions?: boolean;
	readonly collapseFixedJoints?: boolean;
	readonly newtonCompat?: boolean;
	readonly report?: Report;
	readonly usd?: ImportUsdOptions;
	readonly urdf?: ImportUrdfOptions;
	readonly mjcf?: ImportMjcfOptions;
}

/** What {@link importAsset} gives: the result of the importer, with the format. @public */
export type ImportAssetResult = { readonly report: Report; readonly ledger: Ledger } & (
	| { readonly format: 'usd'; readonly result: ImportUsdResult }
	| { readonly format: 'urdf'; readonly result: ImportUrdfResult }
	| { readonly format: 'mjcf'; readonly result: ImportMjcfResult }
	| { readonly format: undefined; readonly result: undefined }
);

/**
 * Imports a file of any format, told by its content, into a builder. A file that cannot be read is a diagnostic.
 *
 * ```ts
 * const resolver = new DefaultResolver({ backend, roots: ['/robots'] });
 * const { format, ledger } = importAsset('/robots/arm.urdf', builder, { resolver, floating: false });
 * ```
 * @public
 */
export function importAsset(file: string, builder: ModelBuilder, options: ImportAssetOptions): ImportAssetResult {
	const { resolver, usd, urdf, mjcf, format: given, ...shared } = options;
	const report = options.report ?? new Report();
	const none = (message: string): ImportAssetResult => {
		report.add(createDiagnostic('IMP100', message, { file }));
		return { report, ledger: new Ledger(), format: undefined, result: undefined };
	};
	const { identifier, refusal } = resolver.resolve(file, '');
	if (refusal !== undefined) return none(`${quote(file)} cannot be read: ${refusal}`);
	const content = resolver.readSync(identifier);
	if (content === undefined) return none(`${quote(file)} cannot be read at once`);
	if ('failure' in content)
		return none(`${quote(file)} ${content.failure === '' ? 'does not exist' : `cannot be read: ${content.failure}`}`);
	const format = given ?? detectAssetFormat(content.bytes, file);
	if (format === undefined) return none(`${quote(file)} is neither USD nor URDF nor MJCF`);
	const common = { ...shared, report };
	if (format === 'urdf') {
		const result = importUrdf(content.bytes, builder, { ...common, ...urdf, resolver, baseFile: identifier });
		return { report, ledger: result.ledger, format, result };
	}
	if (format === 'mjcf') {
		const { collapseFixedJoints: _, ...known } = common;
		const result = importMjcf(content.bytes, builder, { ...known, ...mjcf, resolver, baseFile: identifier });
		return { report, ledger: result.ledger, format, result };
	}
	const registry = new LayerRegistry({ resolver, report });
	const layer = registry.openSync(file);
	if (isLayerFailure(layer)) return none(`${quote(file)} cannot be opened: ${layer.failure}`);
	const stage = Stage.open(layer, { source: registry, report, schemas: SchemaRegistry.openUsd });
	const result = importUsd(stage, builder, { ...common, ...usd });
	return { report, ledger: result.ledger, format, result };
}

/**
 * Tells the format of an asset by its content: the magic of crates, packages and usda, or the outermost element of XML.
 * The extension decides where the content does not. @public
 */
export function detectAssetFormat(bytes: Uint8Array, file = ''): AssetFormat | undefined {
	const head = new TextDecoder().decode(bytes.subarray(0, 4096));
	if (head.startsWith('PXR-USDC') || head.startsWith('PK\u0003\u0004') || head.startsWith('#usda')) return 'usd';
	const root = rootElement(bytes);
	if (root === 'robot') return 'urdf';
	if (root === 'mujoco' || root === 'mujocoinclude') return 'mjcf';
	if (root !== undefined) return undefined;
	const extension = /\.([a-z0-9]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '';
	return EXTENSIONS[extension];
}

const EXTENSIONS: Readonly<Record<string, AssetFormat>> = {
	usd: 'usd',
	usda: 'usd',
	usdc: 'usd',
	usdz: 'usd',
	urdf: 'urdf',
	mjcf: 'mjcf',
	xml: 'mjcf',
};

/** Name of the outermost element of an XML text, past the declaration, comments and instructions. */
function rootElement(bytes: Uint8Array): string | undefined {
	const isUtf16 = bytes[0] === 0xff || bytes[0] === 0xfe;
	const text = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes.subarray(0, 1 << 20));
	let at = /^\s*/.exec(text.replace(/^\ufeff/, ' '))![0].length;
	for (;;) {
		const rest = text.slice(at, at + 4);
		const closing = rest.startsWith('<!--')
			? '-->'
			: rest.startsWith('<?')
				? '?>'
				: rest.startsWith('<!')
					? '>'
					: undefined;
		if (closing === undefined) break;
		const end = text.indexOf(closing, at);
		if (end < 0) return undefined;
		at = end + closing.length;
		while (/\s/.test(text[at] ?? '')) at++;
	}
	return /^<([A-Za-z_][\w.:-]*)/.exec(text.slice(at, at + 200))?.[1];
}
