import { type Layer, ListOp, makeValue, type Path, type Prim, SpecType, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { readNumber } from '../../asset/read-values.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { applySchema, propertySite, schemaSite, setAttribute, setTargets } from '../engine/sites.ts';
import { specOwners } from '../engine/spec-values.ts';
import {
	IMPLIED_CORE,
	type PropertyTranslation,
	type SchemaTranslation,
	TRANSLATIONS,
} from './f01/schema-translations.ts';

/** F1: staging schemas of vendors as ExtendedPhysics, keyed by applied schema and property, never by property alone. */
export const SCHEMAS: Fixer = {
	family: 'F1',
	title: 'vendor staging schemas as ExtendedPhysics',
	rules: ['R1.3.18', 'R4.2.2.3', 'R2.3.6'],
	safety: 'safe',
	apply(session) {
		applyImplied(session);
		translateEqualities(session);
		for (const translation of TRANSLATIONS) translate(session, translation);
	},
};

/** Applies what vendor schemas bring along, in the same place, before anything is taken away. */
function applyImplied(session: FixSession): void {
	const owners = specOwners(session);
	for (const layer of session.layers()) {
		for (const path of [...layer.data.paths()]) {
			const op = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
			if (op === undefined) continue;
			const composed = owners.get(layer)?.get(path)?.authoredSchemas ?? [];
			const own = [...op.explicitItems, ...op.prependedItems, ...op.appendedItems, ...op.addedItems];
			const present = new Set([...own, ...composed]);
			const expand = (items: readonly string[], isDeletion: boolean): string[] =>
				items.flatMap((item) => [
					...(isDeletion ? [] : (IMPLIED_CORE.get(item) ?? []).filter((core) => !has(present, core))),
					item,
				]);
			const next = mapLists(op, expand);
			if (next !== undefined) setSchemas(session, 'R4.2.2.3', layer, path, next);
		}
	}
}

function has(present: Set<string>, item: string): boolean {
	if (present.has(item)) return true;
	present.add(item);
	return false;
}

/** Polynomials of MuJoCo that are straight lines are mimic joints. */
function translateEqualities(session: FixSession): void {
	session.forEachSelection((stage) => {
		const joints = [...stage.traverse()].filter(
			(prim) =>
				prim.authoredSchemas?.includes('MjcEqualityJointAPI') &&
				!prim.authoredSchemas.includes('NewtonMimicAPI') &&
				!prim.authoredSchemas.includes('ExtendedPhysicsMimicAPI'),
		);
		for (const prim of joints) translateEquality(session, prim);
	});
}

function translateEquality(session: FixSession, prim: Prim): void {
	const rule = 'R1.3.18';
	const [leader] = prim.relationship('mjc:target').targets();
	const coefficient = (i: number): number => readNumber(prim, `mjc:coef${i}`) ?? (i === 1 ? 1 : 0);
	const isBent = [2, 3, 4].some((i) => coefficient(i) !== 0);
	if (leader === undefined || isBent) {
		const reason = isBent ? 'it is a polynomial of higher degree than one' : 'it has no other joint';
		session.refuse(rule, `MjcEqualityJointAPI cannot be a mimic joint: ${reason}`, { prim });
		return;
	}
	const site = schemaSite(session, prim, 'Mjc');
	const isTurning = prim.typeName === 'PhysicsRevoluteJoint';
	const float = (x: number): Value => makeValue(T.float, Math.fround(x)) as Value;
	const again = (): Prim => session.stage.prim(prim.path)!;
	const offset = coefficient(0) * (isTurning ? 180 / Math.PI : 1);
	const multiplier = coefficient(1);
	applySchema(session, rule, again(), 'ExtendedPhysicsMimicAPI', site);
	setTargets(session, rule, again(), 'ext_physics:mimic:joint', [leader], { site });
	setAttribute(session, rule, again(), 'ext_physics:mimic:offset', float(offset), { typeName: 'float', site });
	setAttribute(session, rule, again(), 'ext_physics:mimic:multiplier', float(multiplier), { typeName: 'float', site });
}

function translate(session: FixSession, translation: SchemaTranslation): void {
	const { rule } = translation;
	const layers = session.wants(rule) ? session.layers() : [];
	if (!layers.some((layer) => mentions(layer, translation))) return;
	const owners = specOwners(session);
	const refused = new Set<Path>();
	const done = new Set<string>();
	for (const layer of layers) {
		const own = owners.get(layer);
		for (const path of [...layer.data.paths()]) {
			const type = layer.specType(path);
			if (type !== SpecType.prim && type !== SpecType.variant) continue;
			const prim = own?.get(path);
			const instance = matchedInstance(translation, layer, path, prim);
			if (instance === undefined) continue;
			const reason = prim === undefined ? undefined : translation.accepts?.(prim);
			if (reason !== undefined) {
				if (prim !== undefined && !refused.has(prim.path)) session.refuse(rule, reason, { prim });
				if (prim !== undefined) refused.add(prim.path);
				continue;
			}
			if (prim !== undefined) done.add(prim.path.toString());
			translateSpec(session, translation, layer, path, prim, instance);
		}
	}
	if (translation.fallbacks === undefined) return;
	session.forEachSelection((stage) => {
		for (const prim of [...stage.traverse(), ...stage.prototypes().flatMap((root) => root.children())]) {
			if (done.has(prim.path.toString())) authorFallbacks(session, translation, prim);
		}
	});
}

/** Whether a layer names a schema, as an applied one or as a type. */
function mentions(layer: Layer, { schema, kind }: SchemaTranslation): boolean {
	const prefix = schema.endsWith(':*') ? schema.slice(0, -1) : undefined;
	for (const path of layer.data.paths()) {
		if (kind === 'type') {
			if (layer.field(path, 'typeName')?.data === schema && !path.isProperty) return true;
			continue;
		}
		const op = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
		if (op === undefined) continue;
		const items = [
			...op.explicitItems,
			...op.prependedItems,
			...op.appendedItems,
			...op.addedItems,
			...op.deletedItems,
		];
		if (items.some((item) => (prefix === undefined ? item === schema : item.startsWith(prefix)))) return true;
	}
	return false;
}

/** The instance name of the schema ('' without one) when a spec belongs to a prim that has it. */
function matchedInstance(
	{ schema, kind }: SchemaTranslation,
	layer: Layer,
	path: Path,
	prim: Prim | undefined,
): string | undefined {
	if (kind === 'type') {
		const typeName = prim?.typeName ?? layer.field(path, 'typeName')?.data;
		return typeName === schema ? '' : undefined;
	}
	const op = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
	const own =
		op === undefined
			? []
			: [...op.explicitItems, ...op.prependedItems, ...op.appendedItems, ...op.addedItems, ...op.deletedItems];
	const names = [...own, ...(prim?.authoredSchemas ?? [])];
	if (!schema.endsWith(':*')) return names.includes(schema) ? '' : undefined;
	const prefix = schema.slice(0, -1);
	return names.find((name) => name.startsWith(prefix))?.slice(prefix.length);
}

function translateSpec(
	session: FixSession,
	translation: SchemaTranslation,
	layer: Layer,
	path: Path,
	prim: Prim | undefined,
	instance: string,
): void {
	const { rule, schema, target, targetType, isKept, kind } = translation;
	session.edit(rule, layer, () => {
		const names = dataOf(layer.field(path, 'properties'), T.tokenVector) ?? [];
		for (const name of names) {
			for (const property of translation.properties) {
				const to = renamed(name, property, instance);
				if (to === undefined) continue;
				moveProperty(layer, path, name, to, property, prim);
				break;
			}
		}
		const op = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
		const from = schema.endsWith(':*') ? `${schema.slice(0, -1)}${instance}` : schema;
		if (kind === 'type') {
			if (layer.field(path, 'typeName')?.data !== schema) return;
			layer.setField(path, 'typeName', makeValue(T.token, targetType!) as Value);
			const next = ListOp.edits({ ...editsOf(op), prependedItems: [target, ...(op?.prependedItems ?? [])] });
			const value = op?.isExplicit ? ListOp.explicit([target, ...op.explicitItems]) : next;
			layer.setField(path, 'apiSchemas', makeValue(T.tokenListOp, value) as Value);
			return;
		}
		const next =
			op &&
			mapLists(op, (items) => {
				const replaced = items.flatMap((item) => {
					if (item !== from) return [item];
					if (isKept !== true) return [target];
					return items.includes(target) ? [item] : [target, item];
				});
				return [...new Set(replaced)];
			});
		if (next !== undefined) layer.setField(path, 'apiSchemas', makeValue(T.tokenListOp, next) as Value);
	});
}

function editsOf(op: ListOp<string> | undefined): Partial<ListOp<string>> {
	if (op === undefined || op.isExplicit) return {};
	const { addedItems, appendedItems, deletedItems, orderedItems } = op;
	return { addedItems, appendedItems, deletedItems, orderedItems };
}

/** The new name of a property; '' when it is dropped, undefined when the translation is not about it. */
function renamed(name: string, { from, to }: PropertyTranslation, instance: string): string | undefined {
	if (from.endsWith('**')) {
		const prefix = from.slice(0, -2);
		return name.startsWith(prefix) ? to.slice(0, -2) + name.slice(prefix.length) : undefined;
	}
	return name === from.replace(':*:', `:${instance}:`) ? to : undefined;
}

function moveProperty(
	layer: Layer,
	path: Path,
	name: string,
	to: string,
	{ convert, typeName, variability }: PropertyTranslation,
	prim: Prim | undefined,
): void {
	const old = path.appendProperty(name);
	if (to === '') {
		layer.removeSpec(old);
		return;
	}
	const target = path.appendProperty(to);
	if (layer.has(target)) layer.removeSpec(target);
	layer.moveSpec(old, target);
	const value = layer.field(target, 'default');
	if (convert !== undefined && value !== undefined) layer.setField(target, 'default', convert(value, prim));
	if (typeName !== undefined) layer.setField(target, 'typeName', makeValue(T.token, typeName) as Value);
	if (variability !== undefined) layer.setField(target, 'variability', makeValue(T.variability, variability) as Value);
	if (layer.field(target, 'custom')?.data === true) layer.setField(target, 'custom', makeValue(T.bool, false) as Value);
}

/** Fallbacks of the two schemas differ, so what was not authored is said now. */
function authorFallbacks(session: FixSession, translation: SchemaTranslation, prim: Prim): void {
	const site = schemaSite(session, prim, translation.target);
	for (const { name, typeName, value } of translation.fallbacks ?? []) {
		if (propertySite(session, prim, name) !== undefined || prim.attribute(name).isAuthored) continue;
		const fallback = makeValue(T.float, Math.fround(value)) as Value;
		setAttribute(session, translation.rule, session.stage.prim(prim.path)!, name, fallback, { typeName, site });
	}
}

/** A list-op with every list mapped; undefined when nothing changed. */
function mapLists(
	op: ListOp<string>,
	map: (items: readonly string[], isDeletion: boolean) => string[],
): ListOp<string> | undefined {
	const isSame = (a: readonly string[], b: readonly string[]): boolean =>
		a.length === b.length && a.every((x, i) => x === b[i]);
	if (op.isExplicit) {
		const items = map(op.explicitItems, false);
		return isSame(items, op.explicitItems) ? undefined : ListOp.explicit(items);
	}
	const lists = {
		prependedItems: map(op.prependedItems, false),
		appendedItems: map(op.appendedItems, false),
		addedItems: map(op.addedItems, false),
		deletedItems: map(op.deletedItems, true),
		orderedItems: map(op.orderedItems, true),
	};
	const names = Object.keys(lists) as (keyof typeof lists)[];
	return names.every((name) => isSame(lists[name], op[name])) ? undefined : ListOp.edits(lists);
}

function setSchemas(session: FixSession, rule: 'R4.2.2.3', layer: Layer, path: Path, op: ListOp<string>): void {
	session.edit(rule, layer, () => layer.setField(path, 'apiSchemas', makeValue(T.tokenListOp, op) as Value));
}
