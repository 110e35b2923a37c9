import type { ChangeList, LayerChange } from '../sdf/layer-changes.ts';
import { Path, PathKind } from '../sdf/path.ts';

/** What the changes of one layer mean for composition. */
export interface ChangedSites {
	/** Whether layer stacks with the layer are outdated: sublayers, relocates, rates, variables or the default prim changed. */
	readonly changesLayerStack: boolean;
	/** Paths at which arcs changed, or at which prim specs came or went. */
	readonly composition: ReadonlySet<Path>;
	/** Paths at which only names or order of children changed. */
	readonly children: ReadonlySet<Path>;
}

/** Sorts out which changes composition has to follow. Changes of properties and of other metadata leave indexes alone. */
export function classifyChanges(changes: ChangeList): ChangedSites {
	const composition = new Set<Path>();
	const children = new Set<Path>();
	let changesLayerStack = false;
	for (const change of changes) {
		if (change.path === Path.root) {
			if (change.kind === 'set-field' && LAYER_FIELDS.has(change.field)) changesLayerStack = true;
			else if (namesChildren(change)) children.add(Path.root);
			continue;
		}
		if (change.path.kind !== PathKind.prim && change.path.kind !== PathKind.variant) continue;
		if (change.kind === 'add-spec' || change.kind === 'remove-spec') {
			composition.add(primOrVariant(change.path));
		} else if (change.kind === 'set-field') {
			if (COMPOSING_FIELDS.has(change.field)) composition.add(primOrVariant(change.path));
			else if (namesChildren(change)) children.add(change.path);
		} else if (change.field === 'variantSetChildren' || change.field === 'variantChildren') {
			composition.add(primOrVariant(change.path));
		} else if (namesChildren(change)) {
			children.add(change.path);
		}
	}
	return { changesLayerStack, composition, children };
}

const LAYER_FIELDS: ReadonlySet<string> = new Set([
	'subLayers',
	'subLayerOffsets',
	'layerRelocates',
	'timeCodesPerSecond',
	'framesPerSecond',
	'expressionVariables',
	'defaultPrim',
	'owner',
	'sessionOwner',
	'hasOwnedSubLayers',
]);

const COMPOSING_FIELDS: ReadonlySet<string> = new Set([
	'references',
	'payload',
	'inheritPaths',
	'specializes',
	'variantSetNames',
	'variantSelection',
	'instanceable',
]);

function namesChildren(change: LayerChange): boolean {
	if (change.kind === 'insert-child' || change.kind === 'remove-child') return change.field === 'primChildren';
	return change.kind === 'set-field' && (change.field === 'primOrder' || change.field === 'primChildren');
}

/** The prim of a variant set, which is no place of its own in composition. */
function primOrVariant(path: Path): Path {
	return path.kind === PathKind.variant && path.variantSelection === '' ? path.parent! : path;
}
