import { quote } from '@manyworlds/core';
import type { Layer, Path, Prim, Value } from '@manyworlds/usd';
import { type SpecSite, valuesEqual } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { isPhysicsSchema } from '../context/layer-census.ts';
import type { Reporter } from '../reporter.ts';
import type { Statement } from './statement.ts';
import { vendorVisit } from './vendor-opinions.ts';

const common = { section: '1.4', level: 'must', check: 'static' } as const;

/** REP 1.4: isolation of vendor extensions. */
export const SECTION_1_4: readonly Statement[] = [
	{ id: 'R1.4.1', ...common, visit: vendorVisit('R1.4.1') },
	{ id: 'R1.4.2', ...common, visit: vendorVisit('R1.4.2') },
	{ id: 'R1.4.3', ...common, visit: checkPrefixes },
	{ id: 'R1.4.4', ...common, visit: vendorVisit('R1.4.4') },
	{ id: 'R1.4.5', ...common, visit: checkDuplicates },
];

/** Custom attributes without any prefix on prims with physics: nobody can tell whose they are. */
function checkPrefixes(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		if (!isPhysical(prim)) continue;
		for (const name of prim.authoredPropertyNames()) {
			if (name.includes(':')) continue;
			const property = prim.property(name);
			if (property === undefined || property.definition !== undefined || isOfSchema(context, name)) continue;
			// what a prim without a known type has may belong to that
			if (!property.isCustom && !prim.isA('Imageable') && !prim.typeName.startsWith('Physics')) continue;
			const message = `the custom property ${quote(name)} has no prefix, expected that of a vendor, such as ${quote(`isaac:${name}`)}`;
			report.add(context.at(property), message);
		}
	}
}

/** Whether some schema of OpenUSD has a property of this name: on the wrong prim it is inert, and not a vendor's. */
function isOfSchema({ stage: { schemas } }: CheckContext, name: string): boolean {
	return COMMON_TYPES.some((type) => schemas.definitionOf(type)?.property(name) !== undefined);
}

const COMMON_TYPES = [
	'Xform',
	'Mesh',
	'Cube',
	'Capsule',
	'Cylinder',
	'Camera',
	'SphereLight',
	'PointInstancer',
] as const;

function isPhysical(prim: Prim): boolean {
	return prim.typeName.startsWith('Physics') || prim.appliedSchemas.some(isPhysicsSchema);
}

/** Neutral opinions of a proprietary layer that other layers have alike. */
function checkDuplicates(context: CheckContext, report: Reporter): void {
	const proprietary = new Set(context.layers.filter((layer) => context.role(layer).role === 'proprietary'));
	if (proprietary.size === 0) return;
	for (const prim of context.lists.all) {
		const specs = prim.specs();
		if (!specs.some(({ layer }) => proprietary.has(layer))) continue;
		for (const name of prim.authoredPropertyNames()) {
			if (context.vendors.ofProperty(name) !== undefined) continue;
			for (const site of specs) {
				if (!proprietary.has(site.layer)) continue;
				const path = site.path.appendProperty(name);
				const field = ['default', 'targetPaths'].find((at) => site.layer.data.field(path, at) !== undefined);
				if (field === undefined) continue;
				const other = equalOpinion(specs, proprietary, name, field, site.layer.data.field(path, field)!);
				if (other === undefined) continue;
				const message = `${quote(name)} repeats what ${quote(context.layerName(other))} says, expected only what the vendor needs`;
				report.add({ layer: site.layer, path, shown: prim.path.appendProperty(name), node: site.node }, message);
			}
		}
	}
}

function equalOpinion(
	specs: readonly SpecSite[],
	proprietary: ReadonlySet<Layer>,
	name: string,
	field: string,
	value: Value,
): Layer | undefined {
	for (const { layer, path } of specs) {
		if (proprietary.has(layer)) continue;
		const property: Path = path.appendProperty(name);
		const other = layer.data.field(property, field);
		// the strongest neutral opinion is the one that would show without the vendor's
		if (other !== undefined) return valuesEqual(other, value) ? layer : undefined;
	}
	return undefined;
}
