import { quote } from '@manyworlds/core';
import type { PcpError, Prim } from '@manyworlds/usd';
import { diagnoseComposition, SourcePlaces } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { NO_CONTENTS } from '../context/link-contents.ts';
import type { Place } from '../context/place.ts';
import type { Reporter } from '../reporter.ts';
import type { Statement } from './statement.ts';

const common = { section: '1.2.4', level: 'must', check: 'static' } as const;

/** REP 1.2.4: variants. */
export const SECTION_1_2_4: readonly Statement[] = [
	{
		id: 'R1.2.4.1',
		...common,
		visit: checkSelections,
	},
	{ id: 'R1.2.4.2', ...common, visit: checkCompleteness },
	{
		id: 'R1.2.4.3',
		...common,
		level: 'tool',
		check: 'behaviour',
		heldBy: 'packages/rep158/test/composition.test.ts',
	},
];

function checkSelections(context: CheckContext, report: Reporter): void {
	for (const prim of context.variantPrims) {
		const sets = prim.variantSets();
		const selections = prim.authoredSelections();
		for (const set of sets) {
			const variants = prim.variants(set);
			const selection = selections.get(set);
			if (selection !== undefined && variants.includes(selection)) continue;
			const names = variants.slice(0, 8).map((name) => quote(name));
			const expected = `expected one of ${names.join(', ')}`;
			if (selection === undefined || selection === '') {
				const message = `the variant set ${quote(set)} has no authored selection, ${expected}`;
				report.add(context.atField(prim, 'variantSetNames', set), message, { key: set });
			} else {
				const message = `the variant set ${quote(set)} has the selection ${quote(selection)}, which is no variant of it, ${expected}`;
				report.add(context.atField(prim, 'variantSelection', set), message, { key: set });
			}
		}
	}
}

function checkCompleteness(context: CheckContext, report: Reporter): void {
	for (const error of context.stage.errors()) reportMissing(context, report, error);
	checkFiles(context, report);
	if (context.isDefaultSelection) checkLinks(context, report);
}

/** Composition errors that mean that something of the asset is not there. */
export const MISSING_PARTS: ReadonlySet<string> = new Set([
	'InvalidAssetPath',
	'InvalidSublayerPath',
	'UnresolvedPrimPath',
] satisfies PcpError['kind'][]);

function reportMissing(context: CheckContext, report: Reporter, error: PcpError): void {
	if (!MISSING_PARTS.has(error.kind)) return;
	const { message } = diagnoseComposition(error, new SourcePlaces(context.store));
	report.add(placeOfError(context, error), message, { key: message });
}

function placeOfError(context: CheckContext, error: PcpError): Place {
	const shown = error.root.path;
	switch (error.kind) {
		case 'InvalidAssetPath': {
			const field = error.arcType === PAYLOAD_ARC ? 'payload' : 'references';
			return { layer: error.sourceLayer, path: error.site.path, field, item: error.assetPath, shown };
		}
		case 'UnresolvedPrimPath': {
			const item = error.unresolvedPath?.toString();
			const field = ARC_FIELDS[error.arcType] ?? 'references';
			return { layer: error.sourceLayer, path: error.site.path, field, shown, ...(item !== undefined && { item }) };
		}
		case 'InvalidSublayerPath':
			return context.atSpec(error.layer, undefined, 'subLayers', error.sublayerPath);
		default:
			return context.atSpec(context.rootLayer);
	}
}

const PAYLOAD_ARC = 5;
const ARC_FIELDS: { readonly [type: number]: string } = {
	1: 'inheritPaths',
	4: 'references',
	5: 'payload',
	6: 'specializes',
};

/** Files that attributes name: textures, meshes and the like. */
function checkFiles(context: CheckContext, report: Reporter): void {
	const { store } = context;
	for (const layer of context.newLayers) {
		for (const { assetPath, path, field, kind } of context.assetPaths(layer)) {
			// what is searched for, tiled or an address cannot be told to be missing
			if (kind !== 'asset' || !/^\.\.?\//.test(assetPath) || /<|\{|`/.test(assetPath)) continue;
			const { identifier, refusal } = store.identify(assetPath, layer.identifier);
			if (refusal === undefined && store.exists(identifier) !== false) continue;
			const why = refusal ?? 'there is no such file';
			report.add(context.atSpec(layer, path, field, assetPath), `the file ${quote(assetPath)} cannot be used: ${why}`);
		}
	}
}

/** Links that joints connect have something to show and to collide with, unless they are frames. */
function checkLinks(context: CheckContext, report: Reporter): void {
	const links = new Set<Prim>();
	for (const { body0, body1 } of context.graph.joints) {
		for (const { body } of [body0, body1]) if (body !== undefined) links.add(body);
	}
	const paths = new Set([...links].map(({ path }) => path));
	for (const body of context.lists.bodies) {
		if (!paths.has(body.path) || body.hasSchema('RosFrameAPI')) continue;
		const { colliders, visuals } = context.links.get(body.path) ?? NO_CONTENTS;
		// with neither it is a frame, or a point mass
		if ((colliders.length === 0) === (visuals.length === 0)) continue;
		const lack = colliders.length === 0 ? 'a visual and no collider' : 'a collider and no visual';
		const message = `the link ${quote(body.name)} has ${lack}, expected both`;
		report.add(context.atSchema(body, 'PhysicsRigidBodyAPI'), message, { severity: 'warning' });
	}
}
