import { translateSdf } from '@manyworlds/convert';
import { type Diagnostic, Report } from '@manyworlds/core';
import { type AssetFormat, importAsset, importMjcf, importUrdf, type Ledger } from '@manyworlds/import';
import { ModelError } from '@manyworlds/model';
import type { AssetStore } from '@manyworlds/usd';
import { nameOf, pythonText } from '../python-text.ts';
import type { ScenePath } from '../scene-document.ts';
import type { SceneAsset } from '../schema/asset.ts';
import { type AssetPlace, findAssetSource, type GitCheckout } from './asset-source.ts';
import { withExternalAssets } from './external-assets.ts';
import { importOptions } from './import-options.ts';
import type { LoadContext } from './load-context.ts';
import { addBodyArmature, settleShapes, settleUrdfDrives } from './settle-imported.ts';
import { withShapeConfig } from './shape-defaults.ts';

/** An imported asset of a loaded scene. @public */
export interface LoadedAsset {
	readonly id: string | number;
	readonly format: AssetFormat;
	/** The file that was imported; undefined for URDF text in the scene. */
	readonly file: string | undefined;
	/** What became of every attribute of the asset. */
	readonly ledger: Ledger;
	/** First body, shape and joint of the asset, and the ones behind its last, before replication. */
	readonly bodies: readonly [start: number, end: number];
	readonly shapes: readonly [start: number, end: number];
	readonly joints: readonly [start: number, end: number];
}

/** Imports the assets of a scene. */
export function addAssets(
	context: LoadContext,
	assets: readonly SceneAsset[],
	checkout: GitCheckout | undefined,
): LoadedAsset[] {
	const loaded: LoadedAsset[] = [];
	const ids = new Set<string | number>();
	assets.forEach((asset, i) => {
		const path: ScenePath = ['assets', i];
		const id = asset.id ?? i;
		if (ids.has(id)) {
			context.add('SCN023', [...path, 'id'], `is '${id}', which another asset has too`);
			return;
		}
		ids.add(id);
		const added = addAsset(context, asset, id, path, checkout);
		if (added === undefined) context.isIncomplete = true;
		else loaded.push(added);
	});
	return loaded;
}

function addAsset(
	context: LoadContext,
	asset: SceneAsset,
	id: string | number,
	path: ScenePath,
	checkout: GitCheckout | undefined,
): LoadedAsset | undefined {
	const { builder } = context;
	const { type } = asset;
	if (type !== 'usd' && type !== 'urdf' && type !== 'mjcf') {
		const at = type === '' ? path : [...path, 'type'];
		context.addUnsupported(
			`asset[${pythonText(id)}] type=${type || '<missing>'}`,
			at,
			'SCN030',
			'; usd, urdf and mjcf are supported',
		);
		return undefined;
	}
	const name = `asset[${pythonText(id)}] ${type}`;
	const gaps = gapsOf(asset);
	for (const { feature, key } of gaps) context.addUnsupported(`${name} ${feature}`, [...path, key]);
	if (gaps.length > 0) return undefined;
	const options = { name, checkout, allowsText: type !== 'usd' };
	const place = findAssetSource(context, asset.source, [...path, 'source'], options);
	if (place === undefined) return undefined;
	let { store } = context;
	if (asset.options.external_assets !== undefined && 'identifier' in place && store !== undefined) {
		store = withExternalAssets(context, store, place.identifier, asset.options.external_assets, path, options);
		if (store === undefined) return undefined;
	}
	const starts = [builder.bodyCount, builder.shapeCount, builder.jointCount] as const;
	const gravity = builder.gravity;
	const ledger = importInto(context, asset, type, place, store, path);
	if (ledger === undefined) return undefined;
	const isGiven = context.document.has(['builder', 'gravity']);
	if (isGiven && builder.gravity.some((value, axis) => value !== gravity[axis])) {
		const message = `gives the gravity [${Array.from(builder.gravity).join(', ')}] m/s², which replaces builder.gravity`;
		context.add('SCN061', path, message);
	}
	settleShapes(context, asset, ledger, starts[1]);
	addBodyArmature(context, starts[0]);
	if (type === 'urdf') settleUrdfDrives(context, ledger, starts[2]);
	return {
		id,
		format: type,
		file: 'identifier' in place ? place.identifier : undefined,
		ledger,
		bodies: [starts[0], builder.bodyCount],
		shapes: [starts[1], builder.shapeCount],
		joints: [starts[2], builder.jointCount],
	};
}

/** Runs the importer with the settings of the asset as defaults of the builder. Undefined after an error, which is reported. */
function importInto(
	context: LoadContext,
	asset: SceneAsset,
	format: AssetFormat,
	place: AssetPlace,
	store: AssetStore | undefined,
	path: ScenePath,
): Ledger | undefined {
	const { builder } = context;
	const report = new Report();
	const before = builder.defaultShapeConfig;
	const layers = [asset.material, asset.cfg ?? {}];
	builder.defaultShapeConfig = layers.reduce(withShapeConfig, context.shapeDefaults).config;
	try {
		const { shared: own, urdf: ownUrdf, usd, mjcf } = importOptions(asset);
		const urdf = { ...ownUrdf, renamedPackages: context.renamedPackages };
		const shared = { ...own, meshColliders: context.meshColliders, filterJoinedParts: context.filterJoinedParts };
		if ('text' in place) {
			const more = { ...shared, report, file: context.file, ...(store === undefined ? {} : { store }) };
			const { ledger } =
				format === 'mjcf'
					? importMjcf(place.text, builder, { ...more, ...mjcf })
					: importUrdf(place.text, builder, { ...more, ...urdf });
			return failedImport(context, report, path) ? undefined : ledger;
		}
		if (store === undefined) return undefined;
		const { identifier } = place;
		const { ledger } = importAsset(identifier, builder, {
			...shared,
			urdf,
			usd,
			mjcf,
			store,
			report,
			format,
			translateSdf,
		});
		return failedImport(context, report, path) ? undefined : ledger;
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		return context.add('SCN025', path, `cannot be imported: ${error.message} (${error.code})`);
	} finally {
		for (const diagnostic of report.toArray()) {
			// a file that cannot be opened is said at the place that names it
			if (diagnostic.code === 'IMP100') continue;
			context.report.add('text' in place ? atSource(context, diagnostic, path) : diagnostic);
		}
		builder.defaultShapeConfig = before;
	}
}

/** A finding about text that stands in the scene, at the place of the text. */
function atSource({ document }: LoadContext, diagnostic: Diagnostic, path: ScenePath): Diagnostic {
	const { range, message } = diagnostic;
	const where = range === undefined ? '' : ` (line ${range.start.line}, column ${range.start.column} of the text)`;
	return { ...diagnostic, ...document.locate([...path, 'source']), message: message + where };
}

function failedImport(context: LoadContext, report: Report, path: ScenePath): boolean {
	if (!report.hasErrors) return false;
	const first = report.toArray().find(({ severity }) => severity === 'error');
	context.add('SCN031', [...path, 'source'], `cannot be imported: ${first?.message ?? 'it has errors'}`);
	return true;
}

/** Options that are recognised and refused, in the order in which they are listed. */
function gapsOf({ type, gaps, options }: SceneAsset): { readonly feature: string; readonly key: string }[] {
	const found: { feature: string; key: string }[] = [];
	const add = (key: string, isGap: boolean, feature: string = key): void => {
		if (isGap) found.push({ feature, key });
	};
	add('base_joint', gaps['base_joint'] !== undefined && gaps['base_joint'] !== null);
	add('parent_body', gaps['parent_body'] !== undefined && gaps['parent_body'] !== -1);
	add('collapse_fixed_joints', type === 'urdf' && options.collapse_fixed_joints === true);
	add('split_bimanual_root_articulation', Boolean(gaps['split_bimanual_root_articulation']));
	add('override_root_xform', Boolean(gaps['override_root_xform']));
	const up = gaps['up_axis'];
	add('up_axis', up !== undefined && !['z', 'axis.z', '2'].includes(nameOf(up)), `up_axis=${pythonText(up)}`);
	const { joint_ordering: ordering } = options;
	if (type !== 'mjcf' && ordering !== undefined && ordering !== null && ordering !== 'dfs' && ordering !== 'bfs') {
		add('joint_ordering', true, `joint_ordering=${pythonText(ordering)}`);
	}
	return found;
}
