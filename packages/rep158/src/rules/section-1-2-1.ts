import { quote } from '@manyworlds/core';

import { type Attribute, type Layer, type Path, Relationship, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { applied } from '../context/find-place.ts';
import type { ArrayEntry, CensusGroup, LayerCensus } from '../context/layer-census.ts';
import type { Reporter } from '../reporter.ts';
import { type Feature, isLayered, type Misplacement, misplacedFeature, placeOfEntry } from './layer-content.ts';
import type { Statement } from './statement.ts';
import { vendorVisit } from './vendor-opinions.ts';

const must = { section: '1.2.1', level: 'must', check: 'static' } as const;

/** REP 1.2.1: functional layers; R1.2.0.1 is about the structure of the asset as a whole (REP 1.2). */
export const SECTION_1_2_1: readonly Statement[] = [
	{
		id: 'R1.2.0.1',
		...must,
		section: '1.2',
		visit: checkEncapsulation,
	},
	{ id: 'R1.2.1.1', ...must, level: 'should', visit: checkMonolith },
	{ id: 'R1.2.1.2', ...must, visit: (context, report) => checkFeatures(context, report, 'mixed') },
	{ id: 'R1.2.1.3', ...must, visit: checkBinarySchemas },
	{ id: 'R1.2.1.4', ...must, visit: checkHeavyText },
	{ id: 'R1.2.1.5', ...must, visit: checkGeometryLayers },
	{ id: 'R1.2.1.6', ...must, visit: checkMaterialLayers },
	{ id: 'R1.2.1.7', ...must, level: 'should', visit: checkInstances },
	{ id: 'R1.2.1.8', ...must, visit: checkBaseLayers },
	{
		id: 'R1.2.1.9',
		...must,
		visit: (context, report) => checkFeatures(context, report, 'elsewhere', ['physics']),
	},
	{
		id: 'R1.2.1.10',
		...must,
		visit: (context, report) => checkFeatures(context, report, 'elsewhere', ['ros']),
	},
	{ id: 'R1.2.1.11', ...must, visit: checkEntry },
	{ id: 'R1.2.1.12', ...must, visit: vendorVisit('R1.2.1.12') },
];

const FEATURE_NAMES: Readonly<Record<Feature, string>> = { physics: 'UsdPhysics', ros: 'ROS' };

/** Root prims that describe how a stage is simulated or rendered, not what the asset is. */
const STAGE_TYPES: ReadonlySet<string> = new Set(['PhysicsScene', 'RenderSettings', 'RenderProduct', 'RenderVar']);

/** REP 1.2 (ASWF guidelines): one root prim, and nothing that leads out of it. */
function checkEncapsulation(context: CheckContext, report: Reporter): void {
	const root = context.stage.defaultPrim;
	if (root === undefined) return;
	for (const prim of context.stage.pseudoRoot.children()) {
		const isContent = prim.isActive && prim.isDefined && !prim.isAbstract && !STAGE_TYPES.has(prim.typeName);
		if (prim.path === root.path || !isContent) continue;
		const message = `${quote(prim.name)} is a second root prim, expected everything below the default prim ${quote(root.name)}`;
		report.add(context.at(prim), message);
	}
	const linked = new Map(context.layers.map((layer) => [layer, context.fact(layer, linksByPrim)]));
	for (const prim of context.subtree(root)) {
		const names = new Set(prim.specs().flatMap(({ layer, path }) => linked.get(layer)?.get(path) ?? []));
		if (names.size === 0) continue;
		// most prims bind a material and nothing else: one name needs no order
		for (const name of names.size === 1 ? names : prim.authoredPropertyNames()) {
			if (!names.has(name)) continue;
			const property = prim.property(name)!;
			const targets = property instanceof Relationship ? property.targets() : (property as Attribute).connections();
			for (const target of targets) {
				if (target.hasPrefix(root.path)) continue;
				const field = property instanceof Relationship ? 'targetPaths' : 'connectionPaths';
				const message = `<${target}> lies outside of the default prim <${root.path}>, expected targets within the asset`;
				report.add(context.atField(property, field, target.toString()), message, { key: target.toString() });
			}
		}
	}
}

/** Names of the relationships and connections of each prim spec of a layer. */
function linksByPrim(_: Layer, { links }: LayerCensus): Map<Path, string[]> {
	const prims = new Map<Path, string[]>();
	for (const { path } of links.entries) {
		const names = prims.get(path.parent!);
		if (names === undefined) prims.set(path.parent!, [path.name]);
		else names.push(path.name);
	}
	return prims;
}

/** Three kinds of content in the only layer that has any: the layer is the whole asset. */
function checkMonolith(context: CheckContext, report: Reporter): void {
	if (!context.isDefaultSelection) return;
	const contents = [...context.featureLayers]
		.map((layer) => ({ layer, kinds: contentKinds(context.census(layer)) }))
		.filter(({ kinds }) => kinds.length > 0);
	const [only] = contents;
	if (only === undefined || contents.length > 1 || only.kinds.length < 3) return;
	// mesh data beside simulation schemas breaks the stricter rule
	if (context.census(only.layer).meshes.count > 0) return;
	report.add(context.atSpec(only.layer), `one layer holds ${only.kinds.join(', ')}, expected functional layers`);
}

function contentKinds({ shapes, materials, physics, ros }: LayerCensus): string[] {
	const kinds: [string, CensusGroup][] = [
		['geometry', shapes],
		['materials', materials],
		['physics', physics],
		['ROS interfaces', ros],
	];
	return kinds.filter(([, { count }]) => count > 0).map(([name]) => name);
}

function checkFeatures(
	context: CheckContext,
	report: Reporter,
	wanted: Misplacement,
	features: readonly Feature[] = ['physics', 'ros'],
): void {
	for (const layer of context.newLayers) {
		for (const feature of features) {
			const found = misplacedFeature(context, layer, feature);
			if (found?.misplacement !== wanted) continue;
			const what = `${found.count} ${FEATURE_NAMES[feature]} ${found.count === 1 ? 'opinion' : 'opinions'}`;
			const { meshes } = context.census(layer);
			const message =
				wanted === 'mixed'
					? `the layer has ${meshes.count} mesh arrays and ${what}, expected them in layers of their own`
					: `the layer has ${what}, expected them in the ${feature} layer of the asset`;
			const mesh = meshes.entries[0];
			const place =
				wanted === 'mixed' && mesh !== undefined
					? context.atSpec(layer, mesh.path.primPath)
					: placeOfEntry(context, layer, found.entry);
			report.add(place, message, { key: feature });
		}
	}
}

function checkBinarySchemas(context: CheckContext, report: Reporter): void {
	for (const layer of context.newLayers) {
		const { isCrate, schemas, links } = context.census(layer);
		if (!isCrate) continue;
		const entry = schemas.entries[0] ?? links.entries[0];
		if (entry === undefined) continue;
		const parts = [];
		if (schemas.count > 0) parts.push(`${schemas.count} applied schemas`);
		if (links.count > 0) parts.push(`${links.count} relationships or connections`);
		report.add(
			placeOfEntry(context, layer, entry),
			`the binary layer has ${parts.join(' and ')}, expected text (usda)`,
		);
	}
}

function checkHeavyText(context: CheckContext, report: Reporter): void {
	const { heavyBytes, entryBytes } = context.thresholds;
	for (const layer of context.newLayers) {
		const { isCrate, arrays, ...census } = context.census(layer);
		if (isCrate) continue;
		const arrayBytes = census.arrayBytes();
		if (arrayBytes < heavyBytes) continue;
		// a heavy entry layer is told by its own rule
		if (layer === context.rootLayer && arrayBytes > entryBytes) continue;
		const largest = largestArray(arrays)!;
		const message = `the text layer has ${arrayBytes} bytes of arrays, expected a crate file (usdc) from ${heavyBytes} on`;
		report.add(placeOfEntry(context, layer, largest), message);
	}
}

function checkGeometryLayers(context: CheckContext, report: Reporter): void {
	for (const layer of layersNamed(context, 'geometry')) {
		const { materials, graphs, lights, cameras } = context.census(layer);
		checkContent(context, report, layer, 'geometry', [
			['material', materials],
			['execution graph', graphs],
			['light', lights],
			['camera', cameras],
		]);
	}
}

function checkMaterialLayers(context: CheckContext, report: Reporter): void {
	for (const layer of layersNamed(context, 'materials')) {
		const { meshes, shapes, graphs, lights, cameras } = context.census(layer);
		checkContent(context, report, layer, 'materials', [
			['mesh array', meshes],
			['shape', shapes],
			['execution graph', graphs],
			['light', lights],
			['camera', cameras],
		]);
	}
}

function checkBaseLayers(context: CheckContext, report: Reporter): void {
	for (const layer of layersNamed(context, 'base')) {
		checkContent(context, report, layer, 'base', [['execution graph', context.census(layer).graphs]]);
	}
}

function layersNamed(context: CheckContext, wanted: string): Layer[] {
	return context.newLayers.filter((layer) => {
		const { role, by } = context.role(layer);
		return role === wanted && by === 'name';
	});
}

/** Reports the first of each kind that the layer should not hold, features included. */
function checkContent(
	context: CheckContext,
	report: Reporter,
	layer: Layer,
	role: Misplacement,
	kinds: readonly (readonly [name: string, group: CensusGroup])[],
): void {
	for (const feature of ['physics', 'ros'] as const) {
		const found = misplacedFeature(context, layer, feature);
		if (found?.misplacement !== role) continue;
		const message = `the ${role} layer has ${FEATURE_NAMES[feature]} opinions (${found.count}), expected none`;
		report.add(placeOfEntry(context, layer, found.entry), message, { key: feature });
	}
	for (const [name, group] of kinds) {
		const [entry] = group.entries;
		if (entry === undefined) continue;
		const message = `the ${role} layer has ${group.count === 1 ? `a ${name}` : `${group.count} ${name}s`}, expected none`;
		report.add(placeOfEntry(context, layer, entry), message, { key: name });
	}
}

function checkInstances(context: CheckContext, report: Reporter): void {
	if (!context.isDefaultSelection || context.layers.some((layer) => context.role(layer).role === 'instances')) return;
	const uses = new Map<string, number>();
	for (const layer of context.newLayers) {
		for (const { path, field } of context.census(layer).arcs.entries) {
			if (field !== 'references') continue;
			const op = dataOf(layer.data.field(path, field), T.referenceListOp);
			for (const { assetPath, primPath } of op === undefined ? [] : applied(op)) {
				if (assetPath === '' || primPath.isEmpty) continue;
				const target = context.store.layer(context.store.identify(assetPath, layer.identifier).identifier);
				if (target === undefined || 'failure' in target || context.role(target).role !== 'geometry') continue;
				const key = `${target.identifier}<${primPath}>`;
				const count = (uses.get(key) ?? 0) + 1;
				uses.set(key, count);
				if (count !== context.thresholds.repeatedMeshes) continue;
				const message = `<${primPath}> of the geometry layer is referenced ${count} times or more, expected an instances layer that assembles it once`;
				report.add(context.atSpec(layer, path, field, assetPath), message);
				return;
			}
		}
	}
}

function checkEntry(context: CheckContext, report: Reporter): void {
	if (!context.isDefaultSelection) return;
	const { rootLayer } = context;
	const { arrays, ...census } = context.census(rootLayer);
	const arrayBytes = census.arrayBytes();
	const { entryBytes } = context.thresholds;
	if (arrayBytes > entryBytes) {
		const message = `the entry layer has ${arrayBytes} bytes of arrays, expected at most ${entryBytes}: arrays belong into the geometry layer`;
		report.add(placeOfEntry(context, rootLayer, largestArray(arrays)!), message);
	}
	const root = context.stage.defaultPrim;
	const hasPayload = root?.specs().some(({ layer, path }) => layer === rootLayer && layer.data.field(path, 'payload'));
	if (root === undefined || hasPayload !== true || !isLayered(context)) return;
	const policy = context.settings.payloadPolicy;
	const message =
		`the payload of the entry prim brings the features of the asset: sections 1.2.1 and 1.2.3 of the REP contradict ` +
		`each other here; checked with the payload policy ${quote(policy)}`;
	report.add(context.atField(root, 'payload'), message, { severity: 'info', key: 'payload' });
}

function largestArray(arrays: readonly ArrayEntry[]): ArrayEntry | undefined {
	return arrays.reduce<ArrayEntry | undefined>((best, at) => (best && best.bytes >= at.bytes ? best : at), undefined);
}
