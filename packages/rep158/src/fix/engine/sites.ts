import {
	type Layer,
	ListOp,
	makeValue,
	type Path,
	type Prim,
	type Stage,
	T,
	type Value,
	type ValueType,
	type Variability,
} from '@manyworlds/usd';
import { applyItem, dataOf, type SpecSite, translateToNode, valuesEqual } from '@manyworlds/usd/internal';
import type { RepCode } from '../../diagnostics.ts';
import type { FixSession } from './fix-session.ts';

// Edits of composed prims at the specs that hold their opinions. Each finds the strongest spec that has a say and that may be
// edited, and writes there; paths are given as the stage has them.

/** How a new property is declared. */
export interface NewProperty {
	readonly typeName?: string;
	readonly variability?: Variability;
	readonly custom?: boolean;
}

/** The spec that an opinion about a prim belongs to: the strongest that may be edited. */
export function primSite(session: FixSession, prim: Prim): SpecSite | undefined {
	return prim.specs().find((site) => session.isEditable(site.layer) && !isSessionLayer(prim.stage, site.layer));
}

/**
 * The spec that defines a prim: the strongest one with `def` or `class` that may be edited, else the strongest that may be. New
 * opinions go there, so that a physics layer keeps to physics and so on.
 */
export function definingSite(session: FixSession, prim: Prim): SpecSite | undefined {
	const sites = prim
		.specs()
		.filter((site) => session.isEditable(site.layer) && !isSessionLayer(prim.stage, site.layer));
	return sites.find(({ layer, path }) => layer.field(path, 'specifier')?.data !== 'over') ?? sites[0];
}

/** The strongest spec with an opinion about a field of a prim, that may be edited. */
export function fieldSite(session: FixSession, prim: Prim, field: string): SpecSite | undefined {
	return prim.specs().find(({ layer, path }) => session.isEditable(layer) && layer.field(path, field) !== undefined);
}

/** The strongest prim spec that has a spec of a property. */
export function propertySite(session: FixSession, prim: Prim, name: string): SpecSite | undefined {
	return prim.specs().find(({ layer, path }) => session.isEditable(layer) && layer.has(path.appendProperty(name)));
}

/** The spec that applies API schemas whose names begin with a prefix: where opinions of that kind live. */
export function schemaSite(session: FixSession, prim: Prim, prefix: string): SpecSite | undefined {
	return prim.specs().find(({ layer, path }) => {
		const op = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
		if (op === undefined || !session.isEditable(layer)) return false;
		return [...op.explicitItems, ...op.prependedItems, ...op.appendedItems, ...op.addedItems].some((name) =>
			name.startsWith(prefix),
		);
	});
}

/** Whether a stronger layer that cannot be edited would hide what is written to a site. */
export function isHidden(session: FixSession, prim: Prim, site: SpecSite, has: (site: SpecSite) => boolean): boolean {
	for (const other of prim.specs()) {
		if (other.layer === site.layer && other.path === site.path) return false;
		if (!session.isEditable(other.layer) && has(other)) return true;
	}
	return false;
}

/**
 * Sets the default value of an attribute where it is authored, else at `site`, else where physics or the prim itself is. A value
 * that it has already changes nothing. A value that varies over time is left alone, and the refusal says so.
 */
export function setAttribute(
	session: FixSession,
	rule: RepCode,
	prim: Prim,
	name: string,
	value: Value,
	options: NewProperty & { readonly site?: SpecSite | undefined } = {},
): boolean {
	const site = propertySite(session, prim, name) ?? options.site ?? definingSite(session, prim);
	if (site === undefined) {
		session.refuse(rule, `no layer that may be edited has an opinion about <${prim.path}>`, { prim });
		return false;
	}
	const path = site.path.appendProperty(name);
	if (['timeSamples', 'spline'].some((field) => site.layer.field(path, field) !== undefined)) {
		session.refuse(rule, `${name} changes over time`, { prim, layer: site.layer });
		return false;
	}
	const definition = prim.definition.property(name);
	const isBuiltIn = definition?.kind === 'attribute';
	return session.edit(rule, site.layer, (layer) => {
		if (!layer.has(path)) {
			layer.createAttribute(path, options.typeName ?? (isBuiltIn ? definition.typeName : value.type.name), {
				variability: options.variability ?? (isBuiltIn ? definition.variability : 'varying'),
				custom: options.custom ?? false,
			});
		}
		if (!valuesEqual(layer.field(path, 'default'), value)) layer.setField(path, 'default', value);
	});
}

/** Removes every opinion about a property of a prim. Opinions that cannot be removed are blocked at the strongest site. */
export function removeProperty(session: FixSession, rule: RepCode, prim: Prim, name: string): void {
	let isLeft = false;
	for (const { layer, path } of prim.specs()) {
		const property = path.appendProperty(name);
		if (!layer.has(property) || isSessionLayer(prim.stage, layer)) continue;
		if (session.isEditable(layer)) session.edit(rule, layer, () => layer.removeSpec(property));
		else isLeft = true;
	}
	const site = isLeft ? primSite(session, prim) : undefined;
	if (site === undefined) return;
	const typeName = prim.attribute(name).typeName;
	const path = site.path.appendProperty(name);
	session.edit(rule, site.layer, (layer) => {
		layer.createAttribute(path, typeName);
		layer.setField(path, 'default', makeValue(T.valueBlock, null) as Value);
	});
}

/** Sets a metadata field of a prim where it is authored, else at `site`, else where the prim is defined. */
export function setPrimField(
	session: FixSession,
	rule: RepCode,
	prim: Prim,
	field: string,
	value: Value,
	site: SpecSite | undefined = undefined,
): boolean {
	const at = fieldSite(session, prim, field) ?? site ?? definingSite(session, prim);
	if (at === undefined) {
		session.refuse(rule, `no layer that may be edited has an opinion about <${prim.path}>`, { prim });
		return false;
	}
	return session.edit(rule, at.layer, (layer) => {
		if (!valuesEqual(layer.field(at.path, field), value)) layer.setField(at.path, field, value);
	});
}

/** Applies an API schema to a prim: where schemas of its kind (same first word) are applied, else where the prim is defined. */
export function applySchema(
	session: FixSession,
	rule: RepCode,
	prim: Prim,
	schema: string,
	site: SpecSite | undefined = undefined,
): boolean {
	if (prim.authoredSchemas?.includes(schema)) return true;
	const kind = /^[A-Z][a-z0-9]*/.exec(schema)?.[0] ?? schema;
	const at = site ?? schemaSite(session, prim, kind) ?? definingSite(session, prim);
	if (at === undefined) {
		session.refuse(rule, `no layer that may be edited has an opinion about <${prim.path}>`, { prim });
		return false;
	}
	for (const other of prim.specs()) {
		// a deletion in a stronger layer would undo it
		const op = dataOf(other.layer.field(other.path, 'apiSchemas'), T.tokenListOp);
		if (op?.deletedItems.includes(schema) !== true || !session.isEditable(other.layer)) continue;
		editSchemas(session, rule, other, (present) => withoutDeletion(present!, schema));
	}
	return editSchemas(session, rule, at, (op) => applyItem(op, schema));
}

function withoutDeletion<I>(op: ListOp<I>, item: I): ListOp<I> {
	const { addedItems, prependedItems, appendedItems, orderedItems, deletedItems } = op;
	const left = deletedItems.filter((other) => other !== item);
	return ListOp.edits({ addedItems, prependedItems, appendedItems, orderedItems, deletedItems: left });
}

/** Takes an API schema away in every layer that applies it; a layer that cannot be edited is overruled by a deletion. */
export function removeSchema(session: FixSession, rule: RepCode, prim: Prim, schema: string): void {
	let isLeft = false;
	for (const site of prim.specs()) {
		const op = dataOf(site.layer.field(site.path, 'apiSchemas'), T.tokenListOp);
		if (op === undefined || !addsItem(op, schema)) continue;
		if (session.isEditable(site.layer)) editSchemas(session, rule, site, (items) => withoutItem(items!, schema));
		else isLeft = true;
	}
	const site = isLeft ? primSite(session, prim) : undefined;
	if (site === undefined) return;
	editSchemas(session, rule, site, (op) =>
		ListOp.edits({ ...(op ?? {}), deletedItems: [...(op?.deletedItems ?? []), schema] }),
	);
}

/** Replaces the targets of a relationship where it is authored, else at `site`, else where the prim is defined. */
export function setTargets(
	session: FixSession,
	rule: RepCode,
	prim: Prim,
	name: string,
	targets: readonly Path[],
	options: NewProperty & { readonly site?: SpecSite | undefined } = {},
): boolean {
	const at = propertySite(session, prim, name) ?? options.site ?? definingSite(session, prim);
	if (at === undefined) {
		session.refuse(rule, `no layer that may be edited has an opinion about <${prim.path}>`, { prim });
		return false;
	}
	const mapped: Path[] = [];
	for (const target of targets) {
		const local = translateToNode(at.node.mapToRoot, target);
		if (local === undefined) {
			session.refuse(rule, `<${target}> has no name in ${at.layer.identifier}`, { prim, layer: at.layer });
			return false;
		}
		mapped.push(local);
	}
	const path = at.path.appendProperty(name);
	return session.edit(rule, at.layer, (layer) => {
		if (!layer.has(path)) layer.createRelationship(path, { custom: options.custom ?? false });
		const value = makeValue(T.pathListOp, ListOp.explicit(mapped)) as Value;
		if (!valuesEqual(layer.field(path, 'targetPaths'), value)) layer.setField(path, 'targetPaths', value);
	});
}

/** Changes the list of API schemas of a spec; a list-op without effect is erased. */
export function editSchemas(
	session: FixSession,
	rule: RepCode,
	site: { readonly layer: Layer; readonly path: Path },
	change: (op: ListOp<string> | undefined) => ListOp<string>,
): boolean {
	return session.edit(rule, site.layer, (layer) => {
		const present = dataOf(layer.field(site.path, 'apiSchemas'), T.tokenListOp);
		const op = change(present);
		if (op.isInert) layer.eraseField(site.path, 'apiSchemas');
		else {
			const value = makeValue(T.tokenListOp as ValueType<ListOp<string>>, op) as Value;
			if (!valuesEqual(layer.field(site.path, 'apiSchemas'), value)) layer.setField(site.path, 'apiSchemas', value);
		}
	});
}

/** Whether a list-op adds an item. */
export function addsItem<I>(op: ListOp<I>, item: I): boolean {
	return [op.explicitItems, op.prependedItems, op.appendedItems, op.addedItems].some((list) => list.includes(item));
}

/** A list-op without an item, wherever it is added. */
export function withoutItem<I>(op: ListOp<I>, item: I): ListOp<I> {
	const left = (list: readonly I[]): readonly I[] => list.filter((other) => other !== item);
	if (op.isExplicit) return ListOp.explicit(left(op.explicitItems));
	return ListOp.edits({
		addedItems: left(op.addedItems),
		prependedItems: left(op.prependedItems),
		appendedItems: left(op.appendedItems),
		deletedItems: op.deletedItems,
		orderedItems: left(op.orderedItems),
	});
}

function isSessionLayer(stage: Stage, layer: Layer): boolean {
	return layer === stage.sessionLayer;
}
