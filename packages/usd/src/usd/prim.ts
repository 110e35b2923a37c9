import { UsageStateError } from '@manyworlds/core';
import type { SpecSite } from '../pcp/prim-index.ts';
import type { PrimDefinition } from '../schemas/prim-definition.ts';
import { compareDictionary } from '../sdf/dictionary-order.ts';
import { ListOp } from '../sdf/list-op.ts';
import type { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { dataOf, makeValue, type Value } from '../sdf/value.ts';
import { type Specifier, T } from '../sdf/value-type.ts';
import { Attribute } from './attribute.ts';
import { composeField, dictionaryEntry, metadataNames } from './metadata.ts';
import { type PrimData, PrimFlags } from './prim-data.ts';
import type { Property } from './property.ts';
import { instancePaths, mapToInstance } from './proxy-paths.ts';
import { Relationship } from './relationship.ts';
import type { ValueContext } from './resolve-value.ts';
import type { Stage } from './stage.ts';
import { authoredSelections, variantNames, variantSelection, variantSetNames } from './variants.ts';

/**
 * A composed prim, seen at a path of the stage. Below an instance it is a proxy: its opinions are those of the prototype, its path
 * is the one below the instance. Handles stay valid while the prim exists, whatever is edited.
 */
export class Prim {
	readonly stage: Stage;
	readonly path: Path;
	#data: PrimData;

	/** Handles come from the stage. */
	constructor(stage: Stage, path: Path, data: PrimData) {
		this.stage = stage;
		this.path = path;
		this.#data = data;
	}

	/** The composed prim behind the handle. */
	get data(): PrimData {
		if (this.#data.has(PrimFlags.dead)) {
			const found = this.stage.findData(this.path);
			if (found === undefined) throw new UsageStateError(`there is no prim at <${this.path}> any more`);
			this.#data = found;
		}
		return this.#data;
	}

	/** Whether the prim still exists. */
	get isValid(): boolean {
		return !this.#data.has(PrimFlags.dead) || this.stage.findData(this.path) !== undefined;
	}

	get name(): string {
		return this.path.name;
	}

	get isPseudoRoot(): boolean {
		return this.data.isPseudoRoot;
	}

	/** The prim's type; '' when it has none, and kept when no schema knows it. */
	get typeName(): string {
		return this.data.typeName;
	}

	get specifier(): Specifier {
		return this.data.specifier;
	}

	get kind(): string | undefined {
		return this.data.kind;
	}

	get isActive(): boolean {
		return this.data.has(PrimFlags.active);
	}

	/** Whether it is active and its payloads, or those of its ancestors, are loaded. */
	get isLoaded(): boolean {
		return this.data.has(PrimFlags.loaded);
	}

	get isModel(): boolean {
		return this.data.has(PrimFlags.model);
	}

	get isGroup(): boolean {
		return this.data.has(PrimFlags.group);
	}

	/** Whether it or an ancestor is a class. */
	get isAbstract(): boolean {
		return this.data.has(PrimFlags.abstract);
	}

	/** Whether it and all its ancestors are defined, by `def` or `class`. */
	get isDefined(): boolean {
		return this.data.has(PrimFlags.defined);
	}

	get hasDefiningSpecifier(): boolean {
		return this.data.has(PrimFlags.definingSpecifier);
	}

	get hasPayload(): boolean {
		return this.data.has(PrimFlags.payload);
	}

	/** Whether the strongest opinion says `instanceable = true`; it is an instance only if it brings something to share. */
	get isInstanceable(): boolean {
		return dataOf(this.metadata('instanceable'), T.bool) ?? false;
	}

	get isInstance(): boolean {
		return this.data.has(PrimFlags.instance);
	}

	/** Whether it stands for a prim of a prototype below an instance. */
	get isInstanceProxy(): boolean {
		return this.data.path !== this.path;
	}

	get isPrototype(): boolean {
		return this.data.has(PrimFlags.prototype);
	}

	/** The prototype of an instance. */
	get prototype(): Prim | undefined {
		const { prototype } = this.data;
		return prototype === undefined ? undefined : new Prim(this.stage, prototype.path, prototype.root);
	}

	/** The prim of the prototype that a proxy stands for. */
	get primInPrototype(): Prim | undefined {
		return this.isInstanceProxy ? new Prim(this.stage, this.data.path, this.data) : undefined;
	}

	get parent(): Prim | undefined {
		const { parent } = this.path;
		return parent === null || this.isPrototype ? undefined : this.stage.prim(parent);
	}

	/** All children in composed order; those of an instance are proxies. */
	children(): Prim[] {
		const { data, stage, path } = this;
		const source = data.prototype === undefined ? data : data.prototype.root;
		const isProxy = source !== data || data.path !== path;
		return source.children.map(
			(child) => new Prim(stage, isProxy ? path.appendChild(child.path.name) : child.path, child),
		);
	}

	child(name: string): Prim | undefined {
		return this.stage.prim(this.path.appendChild(name));
	}

	/** What its type and applied schemas define. */
	get definition(): PrimDefinition {
		return this.data.definition(this.stage.schemas);
	}

	/** API schemas that are applied and known, built-in ones included. */
	get appliedSchemas(): readonly string[] {
		return this.definition.appliedSchemas;
	}

	/** API schemas that layers apply, known or not; undefined without an opinion. */
	get authoredSchemas(): readonly string[] | undefined {
		return this.data.authoredSchemas;
	}

	/** Whether its type is a schema or derives from it. */
	isA(schema: string): boolean {
		return this.stage.schemas.isA(this.typeName, schema);
	}

	hasSchema(schema: string): boolean {
		return this.definition.hasSchema(schema);
	}

	/** The prim specs, strongest first. */
	specs(): readonly SpecSite[] {
		return this.data.specs;
	}

	/** Names of all properties, built-in ones included, in composed order. */
	propertyNames(): string[] {
		return this.#ordered(new Set([...this.definition.propertyNames, ...this.#authoredNames()]));
	}

	/** Names of the properties that layers have. */
	authoredPropertyNames(): string[] {
		return this.#ordered(new Set(this.#authoredNames()));
	}

	/** The attribute with this name, whether it exists or not. */
	attribute(name: string): Attribute {
		return new Attribute(this, name);
	}

	/** The relationship with this name, whether it exists or not. */
	relationship(name: string): Relationship {
		return new Relationship(this, name);
	}

	/** The property with this name; undefined when it is neither built in nor authored. */
	property(name: string): Property | undefined {
		const type = this.propertyType(name);
		if (type === SpecType.attribute) return new Attribute(this, name);
		return type === SpecType.relationship ? new Relationship(this, name) : undefined;
	}

	/** What a property is: by its schema, else by its strongest spec. */
	propertyType(name: string): SpecType {
		const defined = this.definition.property(name);
		if (defined !== undefined) return defined.kind === 'attribute' ? SpecType.attribute : SpecType.relationship;
		for (const { layer, path } of this.data.specs) {
			const type = layer.data.specType(path.appendProperty(name));
			if (type !== SpecType.unknown) return type;
		}
		return SpecType.unknown;
	}

	/** All properties in composed order. */
	properties(): Property[] {
		return this.propertyNames().flatMap((name) => this.property(name) ?? []);
	}

	/** The properties that layers have, in composed order. */
	authoredProperties(): Property[] {
		return this.authoredPropertyNames().flatMap((name) => this.property(name) ?? []);
	}

	attributes(): Attribute[] {
		return this.properties().filter((property) => property instanceof Attribute);
	}

	relationships(): Relationship[] {
		return this.properties().filter((property) => property instanceof Relationship);
	}

	/** Names of the metadata that some layer has. */
	authoredMetadata(): string[] {
		return [...metadataNames(this.#metadataSites())].sort();
	}

	/** A metadata field, composed; the type's schema gives the fallback. */
	metadata(name: string, context: ValueContext = this.valueContext): Value | undefined {
		switch (name) {
			case 'specifier':
				return makeValue(T.specifier, this.specifier) as Value;
			case 'typeName':
				return this.typeName === '' ? undefined : (makeValue(T.token, this.typeName) as Value);
			default:
				return composeField(this.#metadataSites(), name, context, this.#fallback(name));
		}
	}

	/** An entry of a dictionary field, composed, by its path of keys: `customData`, `a:b`. */
	metadataEntry(name: string, keyPath: string): Value | undefined {
		return dictionaryEntry(this.metadata(name), keyPath);
	}

	/** A metadata field as layers have it, without the fallback. */
	authoredMetadataValue(name: string, context: ValueContext = this.valueContext): Value | undefined {
		if (name === 'typeName' || name === 'specifier') return this.metadata(name, context);
		return composeField(this.#metadataSites(), name, context);
	}

	/** Names of the variant sets, strongest first. */
	variantSets(): string[] {
		return variantSetNames(this.data.index);
	}

	/** Names of the variants of a set, sorted. */
	variants(set: string): string[] {
		return variantNames(this.data.index, set);
	}

	/** The selection in effect, authored or fallback; '' when there is none. */
	variantSelection(set: string): string {
		return variantSelection(this.data.index, set);
	}

	/** Every authored selection, also for sets that do not exist. */
	authoredSelections(): Map<string, string> {
		return authoredSelections(this.data.index, false);
	}

	/** How values of its layers read where it is seen. */
	get valueContext(): ValueContext {
		const pairs = this.data.has(PrimFlags.inPrototype) ? instancePaths(this) : undefined;
		return pairs === undefined ? PLAIN : { mapToInstance: (path) => mapToInstance(pairs, path) };
	}

	#fallback(name: string): Value | undefined {
		const fallback = this.definition.metadata.get(name);
		if (fallback !== undefined || name !== 'apiSchemas') return fallback;
		// what comes with a type reads as if its schema applied it
		const builtin = this.stage.schemas.find(this.typeName)?.builtinSchemas ?? [];
		if (builtin.length === 0) return undefined;
		return makeValue(T.tokenListOp, ListOp.edits({ prependedItems: builtin })) as Value;
	}

	/** The pseudo-root has the metadata of the session and root layers alone. */
	#metadataSites(): readonly SpecSite[] {
		const { specs } = this.data;
		if (!this.isPseudoRoot) return specs;
		const { rootLayer, sessionLayer } = this.stage;
		return specs.filter(({ layer }) => layer === rootLayer || layer === sessionLayer);
	}

	#authoredNames(): readonly string[] {
		return this.isPrototype ? [] : this.data.index.propertyNames();
	}

	#ordered(names: Set<string>): string[] {
		const sorted = [...names].sort(compareDictionary);
		const order = dataOf(composeField(this.data.specs, 'propertyOrder', PLAIN), T.tokenVector);
		if (order === undefined) return sorted;
		const rest = new Set(sorted);
		const first = [...new Set(order)].filter((name) => rest.delete(name));
		return [...first, ...rest];
	}
}

const PLAIN: ValueContext = {};
