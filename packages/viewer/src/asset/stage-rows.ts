import { Report } from '@manyworlds/core';
import { type AssetStore, Attribute, explainPath, formatValue, type Prim, type Stage } from '@manyworlds/usd';
import { computePurposeInfo, isImageable, type Opinion, SourcePlaces, traverse } from '@manyworlds/usd/internal';
import type { OpinionRow, PayloadRow, PrimRow, PropertyRow, PurposeName, VariantSet } from './asset-types.ts';
import { editTargets } from './edit-property.ts';
import { timeSamples } from './time-samples.ts';

/** Most prims that the tree lists, and most characters of a value that the property panel shows or lets edit. */
const MOST_PRIMS = 20_000;
const MOST_TEXT = 400;

/** Prims of a stage as rows, parents before children. */
export function primRows(stage: Stage): PrimRow[] {
	const rows: PrimRow[] = [];
	for (const prim of traverse(stage.pseudoRoot, { instanceProxies: true, predicate: isListed })) {
		if (rows.length >= MOST_PRIMS) break;
		const path = prim.path.toString();
		rows.push({
			path,
			name: prim.name,
			typeName: prim.typeName,
			depth: path.split('/').length - 2,
			schemas: prim.appliedSchemas,
			hasChildren: prim.children().length > 0,
		});
	}
	return rows;
}

/** Variant sets of a stage. */
export function variantSets(stage: Stage): VariantSet[] {
	const sets: VariantSet[] = [];
	for (const prim of traverse(stage.pseudoRoot)) {
		for (const set of prim.variantSets()) {
			sets.push({
				prim: prim.path.toString(),
				set,
				variants: prim.variants(set),
				selected: prim.variantSelection(set),
			});
		}
	}
	return sets;
}

/** Prims that have payloads, loaded or not; those inside of payloads that are not loaded nobody knows. */
export function payloadRows(stage: Stage): PayloadRow[] {
	const rows: PayloadRow[] = [];
	for (const prim of traverse(stage.pseudoRoot, { predicate: isListed })) {
		if (prim.hasPayload) rows.push({ prim: prim.path.toString(), isLoaded: prim.isLoaded });
	}
	return rows;
}

/** Purposes that geometry of a stage has. */
export function purposesOf(stage: Stage): PurposeName[] {
	const found = new Set<string>();
	for (const prim of traverse(stage.pseudoRoot, { instanceProxies: true })) {
		if (isImageable(prim) && prim.property('purpose')?.isAuthored === true) found.add(computePurposeInfo(prim).purpose);
	}
	return (['render', 'proxy', 'guide'] as const).filter((purpose) => found.has(purpose));
}

/** Whether a stage says something to ROS (REP 0158). */
export function hasInterfaces(stage: Stage): boolean {
	for (const prim of traverse(stage.pseudoRoot)) {
		if (prim.appliedSchemas.some((name) => name.startsWith('Ros'))) return true;
	}
	return false;
}

/** Properties of a prim with where they come from and where they can be changed. */
export function propertyRows(stage: Stage, path: string, store: AssetStore, file: string): PropertyRow[] {
	const prim = stage.prim(path);
	if (prim === undefined) return [];
	const places = new SourcePlaces(store, { excerpts: false });
	const options = { file, places, report: new Report() };
	return prim.properties().flatMap((property) => {
		const explanation = explainPath(stage, `${path}.${property.name}`, options);
		if ('problem' in explanation) return [];
		const { opinions, typeName = '', value, source = '', fallback } = explanation;
		const authored = property instanceof Attribute ? property.get() : undefined;
		const samples = property instanceof Attribute ? timeSamples(property) : undefined;
		const edited = authored === undefined ? undefined : formatValue(authored);
		return [
			{
				name: property.name,
				typeName,
				value: value === undefined ? '' : textOf(value),
				source: source || (fallback === undefined ? '' : `fallback of ${fallback.schema}`),
				opinions: opinions.map(opinionRow),
				...(samples !== undefined && { samples }),
				...(edited !== undefined &&
					edited.length <= MOST_TEXT && { edited, targets: editTargets(stage, store, path, opinions) }),
			},
		];
	});
}

/** What the tree lists: what a scene usually means, and what is not loaded. */
function isListed(prim: Prim): boolean {
	return prim.isActive && prim.isDefined && !prim.isAbstract;
}

function opinionRow({ role, file, line, path, arc, value }: Opinion): OpinionRow {
	return { role, file, path, arc, value: textOf(value), ...(line !== undefined && { line }) };
}

function textOf(value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}
