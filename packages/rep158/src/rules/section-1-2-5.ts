import { quote } from '@manyworlds/core';
import { type Dictionary, type Layer, Path, SpecType, T } from '@manyworlds/usd';
import type { AssetPathUse } from '@manyworlds/usd/internal';
import { dataOf, valueIs } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import type { Reporter } from '../reporter.ts';
import type { Statement } from './statement.ts';

const common = { section: '1.2.5', level: 'must', check: 'static' } as const;

/** REP 1.2.5: asset management. */
export const SECTION_1_2_5: readonly Statement[] = [
	{ id: 'R1.2.5.1', ...common, visit: checkDefaultPrim },
	{ id: 'R1.2.5.2', ...common, visit: checkIdentifier },
	{ id: 'R1.2.5.3', ...common, visit: checkVersion },
	{ id: 'R1.2.5.4', ...common, level: 'should', visit: checkProvenance },
	{ id: 'R1.2.5.5', ...common, visit: pathVisit('R1.2.5.5') },
	{ id: 'R1.2.5.6', ...common, level: 'should', visit: pathVisit('R1.2.5.6') },
	{ id: 'R1.2.5.7', ...common, visit: pathVisit('R1.2.5.7') },
	{ id: 'R1.2.5.8', ...common, level: 'must not', visit: pathVisit('R1.2.5.8') },
	{
		id: 'R1.2.5.9',
		...common,
		level: 'tool',
		check: 'behaviour',
		heldBy: 'packages/usd/test/asset-store.test.ts',
	},
	{ id: 'R1.2.5.10', ...common, level: 'must not', visit: checkPrefabs },
	// R1.2.5.10 stands for both: what loads assets by attributes composes by other means than arcs
	{ id: 'R1.2.5.11', ...common, heldBy: 'R1.2.5.10' },
	{
		id: 'R1.2.5.12',
		...common,
		level: 'tool',
		check: 'behaviour',
		heldBy: 'packages/rep158/test/file-formats.test.ts',
	},
];

function checkDefaultPrim(context: CheckContext, report: Reporter): void {
	if (!context.isDefaultSelection) return;
	const { rootLayer, stage } = context;
	const name = dataOf(rootLayer.data.field(Path.root, 'defaultPrim'), T.token);
	if (name === undefined || name === '') {
		report.add(context.atSpec(rootLayer), 'the root layer names no defaultPrim, expected that of the asset');
	} else if (stage.defaultPrim?.isDefined !== true) {
		const message = `defaultPrim is ${quote(name)}, and the stage has no such prim`;
		report.add(context.atSpec(rootLayer, Path.root, 'defaultPrim'), message);
	}
}

function checkIdentifier(context: CheckContext, report: Reporter): void {
	const root = context.stage.defaultPrim;
	if (root === undefined) return;
	const value = assetInfo(context)?.get('identifier');
	const place = context.atField(root, 'assetInfo');
	if (valueIs(value, T.asset) && value.data !== '') {
		const message = `assetInfo.identifier is an asset path, @${value.data}@, and the REP asks for a string: both are accepted`;
		report.add(place, message, { severity: 'info' });
	} else if (value === undefined) report.add(place, 'assetInfo has no identifier, expected a non-empty string');
	else if (!valueIs(value, T.string) || value.data.trim() === '') {
		report.add(place, `assetInfo.identifier is ${describe(value.data)}, expected a non-empty string`);
	}
}

function checkVersion(context: CheckContext, report: Reporter): void {
	const root = context.stage.defaultPrim;
	if (root === undefined) return;
	const value = assetInfo(context)?.get('version');
	const place = context.atField(root, 'assetInfo');
	if (value === undefined) report.add(place, 'assetInfo has no version, expected a non-empty string');
	else if (!valueIs(value, T.string) || value.data.trim() === '') {
		report.add(place, `assetInfo.version is ${describe(value.data)}, expected a non-empty string`);
	}
}

/** Assets with interfaces or from a converter have an origin to name; others may. */
function checkProvenance(context: CheckContext, report: Reporter): void {
	const root = context.stage.defaultPrim;
	if (root === undefined || !context.isDefaultSelection) return;
	const ros = dataOf(assetInfo(context)?.get('ros'), T.dictionary);
	if (ros !== undefined && ros.size > 0) return;
	const origin = originOf(context);
	const has = origin ?? 'assetInfo says nothing about its origin';
	const message = `${has}, expected provenance in the dictionary 'ros' of assetInfo, such as package_uri`;
	report.add(context.atField(root, 'assetInfo'), message, { severity: origin === undefined ? 'info' : 'warning' });
}

/** What tells that an asset was made for or from ROS. */
function originOf(context: CheckContext): string | undefined {
	if (context.lists.ros.length > 0) return 'the asset has ROS interfaces';
	for (const layer of context.layers) {
		const creator = dataOf(layer.data.field(Path.root, 'customLayerData'), T.dictionary)?.get('creator')?.data;
		if (typeof creator === 'string' && /urdf|mjcf|mujoco|sdf/i.test(creator)) {
			return `the asset was made by ${quote(creator)}`;
		}
	}
	return undefined;
}

function assetInfo(context: CheckContext): Dictionary | undefined {
	return dataOf(context.stage.defaultPrim?.authoredMetadataValue('assetInfo'), T.dictionary);
}

function describe(data: unknown): string {
	return typeof data === 'string' ? quote(data) : `of another type (${typeof data})`;
}

type PathRule = 'R1.2.5.5' | 'R1.2.5.6' | 'R1.2.5.7' | 'R1.2.5.8';

/** A visit that reports the file names of all layers that break one rule. */
function pathVisit(rule: PathRule): NonNullable<Statement['visit']> {
	return (context, report) => {
		for (const layer of context.newLayers) {
			for (const use of context.assetPaths(layer)) {
				const fault = faultOf(context, layer, use);
				if (fault?.[0] !== rule) continue;
				report.add(context.atSpec(layer, use.path, use.field, use.assetPath), fault[1], { key: use.assetPath });
			}
		}
	};
}

function faultOf(context: CheckContext, layer: Layer, use: AssetPathUse): readonly [PathRule, string] | undefined {
	const { assetPath, field } = use;
	// identifiers are names, expressions are evaluated when the stage is composed
	if (assetPath === '' || field === 'assetInfo' || assetPath.startsWith('`')) return undefined;
	const path = quote(assetPath);
	const find = /^\$\(find(?:-pkg-share)? ([^)]*)\)/.exec(assetPath)?.[1];
	if (find !== undefined)
		return ['R1.2.5.7', `${path} is a ROS substitution, expected ${quote(`package://${find}/…`)}`];
	const scheme = /^([A-Za-z][A-Za-z0-9+.-]+):/.exec(assetPath)?.[1]?.toLowerCase();
	if (scheme === 'package') return undefined;
	if (scheme !== undefined) {
		return ['R1.2.5.8', `${path} is an address (${scheme}:), expected a relative path or package://`];
	}
	if (/^(?:[/\\~]|[A-Za-z]:)/.test(assetPath)) {
		return ['R1.2.5.8', `${path} is an absolute path, expected a relative path or package://`];
	}
	if (!/^\.\.?[/\\]/.test(assetPath)) {
		return ['R1.2.5.5', `${path} is searched for, expected an anchored path, ${quote(`./${assetPath}`)}`];
	}
	const folder = folderOf(context.rootLayer.identifier);
	const target = context.store.identify(assetPath, layer.identifier).identifier;
	if (target.startsWith(`${folder}/`) || folder === '') return undefined;
	const [own, other] = [packageOf(context, `${folder}/`), packageOf(context, target)];
	if (other !== undefined && other !== own) {
		return [
			'R1.2.5.7',
			`${path} leads into another ROS package, expected ${quote(`package://${other.split('/').at(-1)}/…`)}`,
		];
	}
	return ['R1.2.5.6', `${path} leaves the folder of the asset, expected all files in it`];
}

function folderOf(identifier: string): string {
	const outer = identifier.split('[')[0]!;
	return outer.slice(0, Math.max(outer.lastIndexOf('/'), 0));
}

/** The nearest folder above a file that is a ROS package: it holds a package.xml. */
function packageOf({ store }: CheckContext, file: string): string | undefined {
	for (let folder = folderOf(file); folder !== ''; folder = folderOf(folder)) {
		if (store.exists(`${folder}/package.xml`) === true) return folder;
	}
	return undefined;
}

/** Last parts of names of attributes that load assets. */
const LOADER_NAME =
	/(?:prefab\w*|spawn\w*|(?:usd|urdf|sdf|mjcf|scene|model|robot|world|asset)_?(?:path|file|url|uri|asset))$/i;
const SCENE_FILE = /\.(?:usd[acz]?|urdf|xacro|sdf|world|mjcf|xml|prefab|glb|gltf)(?:[?#[].*)?$/i;

function checkPrefabs(context: CheckContext, report: Reporter): void {
	const suspects = new Map<Layer, Map<Path, string>>();
	for (const layer of context.layers) {
		const found = context.fact(layer, suspectAttributes);
		if (found.size > 0) suspects.set(layer, found);
	}
	if (suspects.size === 0) return;
	for (const prim of context.lists.all) {
		for (const { layer, path, node } of prim.specs()) {
			const inLayer = suspects.get(layer);
			if (inLayer === undefined) continue;
			for (const [attributePath, text] of inLayer) {
				if (attributePath.parent !== path) continue;
				const attribute = prim.attribute(attributePath.name);
				// attributes of schemas mean what their schema says; a stronger opinion counts instead of this one
				if (attribute.definition !== undefined || attribute.get()?.data !== text) continue;
				const message = `${quote(attributePath.name)} names ${quote(text)}, expected a reference or payload to compose it`;
				// a value alone may be a name that somebody keeps for reference
				const severity = LOADER_NAME.test(attributePath.name) ? {} : { severity: 'warning' as const };
				report.add({ layer, path: attributePath, shown: attribute.path, node }, message, severity);
			}
		}
	}
}

/** Attributes of a layer with a text that looks like the path of a scene, or with the name of one that loads assets. */
function suspectAttributes(layer: Layer): Map<Path, string> {
	const { data } = layer;
	const found = new Map<Path, string>();
	for (const path of data.paths()) {
		if (data.specType(path) !== SpecType.attribute) continue;
		const type = dataOf(data.field(path, 'typeName'), T.token);
		if (type !== 'string' && type !== 'token' && type !== 'asset') continue;
		// shaders name their sources; provenance is told where the asset comes from
		if (/^(?:info|inputs|outputs|ros):/.test(path.name)) continue;
		const value = data.field(path, 'default')?.data;
		if (typeof value !== 'string' || value === '') continue;
		// a sentence that mentions a file is none
		if (LOADER_NAME.test(path.name) || (SCENE_FILE.test(value) && !/\s/.test(value))) found.set(path, value);
	}
	return found;
}
