import { UsageRangeError } from '@manyworlds/core';
import {
	CHILDREN_FIELDS,
	type ChildrenField,
	childName,
	childPaths,
	childrenFieldOf,
	specParent,
	subtreePaths,
} from './children.ts';
import { type ChangeList, type FieldEntry, invertChanges, type LayerChange } from './layer-changes.ts';
import type { LayerData } from './layer-data.ts';
import { MemoryData } from './memory-data.ts';
import { isIdentifier, isNamespacedIdentifier, isVariantIdentifier, Path, PathKind } from './path.ts';
import { SpecType } from './spec-type.ts';
import { dataOf, makeValue, type Value } from './value.ts';
import { valuesEqual } from './value-equality.ts';
import { type Specifier, T, type Variability } from './value-type.ts';

/** What a new prim spec says. */
export interface PrimSpecOptions {
	readonly specifier?: Specifier;
	readonly typeName?: string;
}

/** What a new prim spec says when nothing else is asked for. */
export const PRIM_SPEC_DEFAULTS: Required<PrimSpecOptions> = { specifier: 'over', typeName: '' };

/** What a new property spec says. */
export interface PropertySpecOptions {
	readonly variability?: Variability;
	readonly custom?: boolean;
}

/** Attributes vary and relationships are uniform unless said otherwise. */
export const PROPERTY_SPEC_DEFAULTS: { readonly custom: boolean } = { custom: false };

/** Called after an edit, once for all changes made inside one `edit`. */
export type LayerListener = (changes: ChangeList, layer: Layer) => void;

/**
 * A layer: specs that can be read and edited, with an identifier. Edits keep the ordered lists of children in step with the
 * specs and are told to listeners as change lists, which `revert` can take back.
 *
 * ```ts
 * const layer = Layer.create('robot.usda');
 * layer.createPrim('/Robot', { specifier: 'def', typeName: 'Xform' });
 * layer.createAttribute('/Robot.radius', 'double');
 * layer.setField('/Robot.radius', 'default', makeValue(T.double, 0.25));
 * ```
 */
export class Layer {
	readonly identifier: string;
	readonly data: LayerData;
	readonly #listeners = new Set<LayerListener>();
	/** Changes of the edit under way. */
	#pending: LayerChange[] = [];
	#depth = 0;
	/** Lists of children made by the edit under way. */
	#ownLists = new WeakSet<readonly string[]>();

	/** Wraps existing data, such as a reader gives. */
	constructor(identifier: string, data: LayerData) {
		this.identifier = identifier;
		this.data = data;
	}

	/** A new layer without content. */
	static create(identifier: string): Layer {
		const data = new MemoryData();
		data.createSpec(Path.root, SpecType.pseudoRoot);
		return new Layer(identifier, data);
	}

	has(path: Path | string): boolean {
		return this.data.has(toPath(path));
	}

	specType(path: Path | string): SpecType {
		return this.data.specType(toPath(path));
	}

	fieldNames(path: Path | string): readonly string[] {
		return this.data.fieldNames(toPath(path));
	}

	field(path: Path | string, name: string): Value | undefined {
		return this.data.field(toPath(path), name);
	}

	/** Paths of the specs directly below one, in order. */
	children(path: Path | string): Path[] {
		return childPaths(this.data, toPath(path));
	}

	/** Sets a field of an existing spec. Children fields follow from the specs and cannot be set. */
	setField(path: Path | string, name: string, value: Value): void {
		this.#assignField(toPath(path), name, value);
	}

	eraseField(path: Path | string, name: string): void {
		this.#assignField(toPath(path), name, undefined);
	}

	/** Creates a prim and the ancestors it lacks, which become overs. An existing prim gets the given options. */
	createPrim(path: Path | string, options: PrimSpecOptions = {}): void {
		const prim = toPath(path);
		if (prim.kind !== PathKind.prim || !prim.isAbsolute) throw misuse(prim, 'is not the path of a prim');
		this.edit(() => {
			this.#ensurePrim(prim, options.specifier ?? PRIM_SPEC_DEFAULTS.specifier);
			if (options.specifier !== undefined) this.#write(prim, 'specifier', makeValue(T.specifier, options.specifier));
			if (options.typeName) this.#write(prim, 'typeName', makeValue(T.token, options.typeName));
		});
	}

	/** Creates an attribute and the prims it lacks. */
	createAttribute(path: Path | string, typeName: string, options: PropertySpecOptions = {}): void {
		this.#createProperty(toPath(path), SpecType.attribute, options.variability ?? 'varying', options, typeName);
	}

	/** Creates a relationship and the prims it lacks. */
	createRelationship(path: Path | string, options: PropertySpecOptions = {}): void {
		this.#createProperty(toPath(path), SpecType.relationship, options.variability ?? 'uniform', options, undefined);
	}

	/** Creates the variant `/Prim{set=selection}`, its variant set, and the prims it lacks. */
	createVariant(path: Path | string): void {
		const variant = toPath(path);
		if (variant.kind !== PathKind.variant || variant.variantSelection === '') {
			throw misuse(variant, 'is not the path of a variant');
		}
		this.edit(() => this.#ensurePrim(variant, 'over'));
	}

	/** Removes a spec with everything below it. Removing what is not there changes nothing. */
	removeSpec(path: Path | string): void {
		const start = toPath(path);
		if (start === Path.root) throw misuse(start, 'cannot be removed');
		if (!this.data.has(start)) return;
		this.edit(() => {
			this.#removeFromParent(start);
			const doomed = [...subtreePaths(this.data, start)];
			for (let i = doomed.length - 1; i >= 0; i--) this.#removeOne(doomed[i]!);
		});
	}

	/**
	 * Renames or moves a spec with everything below it. It becomes the last child of its new parent unless `index` says
	 * otherwise; a rename keeps its place. Paths that point at it are not changed.
	 */
	moveSpec(from: Path | string, to: Path | string, index?: number): void {
		const source = toPath(from);
		const target = toPath(to);
		if (!this.data.has(source)) throw misuse(source, 'has no spec to move');
		if (source === target && index === undefined) return;
		if (source.kind !== target.kind || source.kind === PathKind.root)
			throw misuse(target, `cannot take what is at <${source}>`);
		if (source !== target && target.hasPrefix(source)) throw misuse(target, `lies below <${source}>`);
		if (source !== target && this.data.has(target)) throw misuse(target, 'has a spec already');
		const parent = specParent(target)!;
		if (!this.data.has(parent)) throw misuse(parent, 'has no spec to move to');
		checkName(target);
		this.edit(() => {
			const place = index ?? (specParent(source) === parent ? this.#childIndex(source) : undefined);
			this.#removeFromParent(source);
			if (source !== target) this.#moveSubtree(source, target);
			this.#addToParent(target, place);
		});
	}

	/** Puts the children of one field into a new order, which must name each of them once. */
	reorderChildren(path: Path | string, field: ChildrenField, names: readonly string[]): void {
		const parent = toPath(path);
		const present = dataOf(this.data.field(parent, field), T.tokenVector) ?? [];
		if (names.length !== present.length || new Set([...names, ...present]).size !== present.length) {
			throw misuse(parent, `has ${field} [${present.join(', ')}], the new order is [${names.join(', ')}]`);
		}
		this.edit(() => this.#write(parent, field, makeValue(T.tokenVector, [...names])));
	}

	/** Runs `change` and tells listeners of all it did at once. If it throws, what it did is taken back. */
	edit<R>(change: () => R): R {
		const start = this.#pending.length;
		this.#depth++;
		try {
			return change();
		} catch (error) {
			for (const change of invertChanges(this.#pending.slice(start))) this.#perform(change);
			this.#pending.length = start;
			throw error;
		} finally {
			this.#depth--;
			if (this.#depth === 0) this.#publish();
		}
	}

	/** Takes back the changes of an edit; they must be the last ones made to the specs they touch. */
	revert(changes: ChangeList): void {
		this.edit(() => {
			for (const change of invertChanges(changes)) this.#apply(change);
		});
	}

	/** Calls `listener` after every edit until the returned function is called. */
	onChange(listener: LayerListener): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	#publish(): void {
		const changes = this.#pending;
		if (changes.length === 0) return;
		this.#pending = [];
		this.#ownLists = new WeakSet();
		for (const listener of this.#listeners) listener(changes, this);
	}

	#assignField(path: Path, name: string, value: Value | undefined): void {
		if ((CHILDREN_FIELDS as readonly string[]).includes(name)) {
			throw misuse(path, `: '${name}' follows from the specs; create, remove or reorder them instead`);
		}
		this.edit(() => this.#write(path, name, value));
	}

	#createProperty(
		path: Path,
		type: SpecType,
		variability: Variability,
		options: PropertySpecOptions,
		typeName: string | undefined,
	): void {
		if (path.kind !== PathKind.property || !path.isAbsolute) throw misuse(path, 'is not the path of a property');
		const existing = this.data.specType(path);
		if (existing !== SpecType.unknown && existing !== type) throw misuse(path, 'has a spec of another type already');
		this.edit(() => {
			this.#ensurePrim(path.parent!, 'over');
			if (existing === SpecType.unknown) this.#addSpec(path, type);
			this.#write(path, 'custom', makeValue(T.bool, options.custom ?? PROPERTY_SPEC_DEFAULTS.custom));
			if (typeName !== undefined) this.#write(path, 'typeName', makeValue(T.token, typeName));
			this.#write(path, 'variability', makeValue(T.variability, variability));
		});
	}

	/** Makes sure that a prim or variant and its ancestors have specs; the last one gets `specifier`, others are overs. */
	#ensurePrim(path: Path, specifier: Specifier): void {
		const missing: Path[] = [];
		for (let node: Path | null = path; node !== null && !this.data.has(node); node = specParent(node))
			missing.push(node);
		for (let i = missing.length - 1; i >= 0; i--) {
			const node = missing[i]!;
			if (node.kind === PathKind.variant) {
				this.#addSpec(node, node.variantSelection === '' ? SpecType.variantSet : SpecType.variant);
			} else {
				this.#addSpec(node, SpecType.prim);
				this.#write(node, 'specifier', makeValue(T.specifier, i === 0 ? specifier : 'over'));
			}
		}
	}

	#addSpec(path: Path, type: SpecType): void {
		checkName(path);
		this.#apply({ kind: 'add-spec', path, type });
		this.#addToParent(path);
	}

	#removeOne(path: Path): void {
		this.#apply({ kind: 'remove-spec', path, type: this.data.specType(path), fields: this.#fieldEntries(path) });
	}

	#moveSubtree(source: Path, target: Path): void {
		const moved = [...subtreePaths(this.data, source)].map((path) => ({
			path,
			type: this.data.specType(path),
			fields: this.#fieldEntries(path),
		}));
		for (let i = moved.length - 1; i >= 0; i--) this.#removeOne(moved[i]!.path);
		for (const { path, type, fields } of moved) {
			const place = movedPath(path, source, target);
			this.#apply({ kind: 'add-spec', path: place, type });
			for (const [name, value] of fields) this.#write(place, name, value);
		}
	}

	#fieldEntries(path: Path): FieldEntry[] {
		const entries: FieldEntry[] = [];
		for (const name of this.data.fieldNames(path)) {
			const value = this.data.field(path, name);
			if (value !== undefined) entries.push([name, value]);
		}
		return entries;
	}

	#childIndex(path: Path): number | undefined {
		const field = childrenFieldOf(path);
		const names = field && dataOf(this.data.field(specParent(path)!, field), T.tokenVector);
		const index = names?.lastIndexOf(childName(path)) ?? -1;
		return index < 0 ? undefined : index;
	}

	#addToParent(path: Path, index?: number): void {
		const field = childrenFieldOf(path);
		const parent = specParent(path);
		if (field === undefined || parent === null) return;
		const count = dataOf(this.data.field(parent, field), T.tokenVector)?.length ?? 0;
		this.#apply({ kind: 'insert-child', path: parent, field, name: childName(path), index: index ?? count });
	}

	#removeFromParent(path: Path): void {
		const field = childrenFieldOf(path);
		const index = this.#childIndex(path);
		if (field === undefined || index === undefined) return;
		this.#apply({ kind: 'remove-child', path: specParent(path)!, field, name: childName(path), index });
	}

	#write(path: Path, field: string, after: Value | undefined): void {
		if (!this.data.has(path)) throw misuse(path, `has no spec to set '${field}' on`);
		const before = this.data.field(path, field);
		if (valuesEqual(before, after)) return;
		this.#apply({ kind: 'set-field', path, field, before, after });
	}

	#apply(change: LayerChange): void {
		this.#perform(change);
		this.#pending.push(change);
	}

	#perform(change: LayerChange): void {
		switch (change.kind) {
			case 'add-spec':
				this.data.createSpec(change.path, change.type);
				break;
			case 'remove-spec':
				this.data.eraseSpec(change.path);
				break;
			case 'set-field':
				if (change.after === undefined) this.data.eraseField(change.path, change.field);
				else this.data.setField(change.path, change.field, change.after);
				break;
			case 'insert-child':
				this.#editableChildren(change.path, change.field).splice(change.index, 0, change.name);
				break;
			case 'remove-child': {
				const names = this.#editableChildren(change.path, change.field);
				names.splice(change.index, 1);
				if (names.length === 0) this.data.eraseField(change.path, change.field);
				break;
			}
		}
	}

	/** A list of children that this edit may change in place. Values are immutable outside, so each edit copies a list once. */
	#editableChildren(parent: Path, field: ChildrenField): string[] {
		const present = dataOf(this.data.field(parent, field), T.tokenVector);
		if (present !== undefined && this.#ownLists.has(present)) return present as string[];
		const own = [...(present ?? [])];
		this.#ownLists.add(own);
		this.data.setField(parent, field, makeValue(T.tokenVector, own));
		return own;
	}
}

function toPath(path: Path | string): Path {
	if (typeof path !== 'string') return path;
	const parsed = Path.parse(path);
	if (parsed === undefined) throw new UsageRangeError(`'${path}' is not a path`);
	return parsed;
}

function checkName(path: Path): void {
	const name = childName(path);
	const isValid =
		path.kind === PathKind.property
			? isNamespacedIdentifier(name)
			: path.kind === PathKind.variant && path.variantSelection !== ''
				? isVariantIdentifier(name)
				: isIdentifier(name);
	if (!isValid) throw misuse(path, `has the invalid name '${name}'`);
}

/** Where a spec below `source` ends up; variants keep their set's prim in step. */
function movedPath(path: Path, source: Path, target: Path): Path {
	if (source.kind === PathKind.variant && source.variantSelection === '') {
		// variants of a renamed set are siblings of the set's path, not below it
		const elements = path.elements();
		const at = source.depth - 1;
		const selection = elements[at]!.variantSelection;
		let moved = target.parent!.appendVariant(target.variantSet, selection);
		for (const element of elements.slice(at + 1)) moved = moved.appendElement(element);
		return moved;
	}
	return path.replacePrefix(source, target, false);
}

function misuse(path: Path, what: string): UsageRangeError {
	return new UsageRangeError(`<${path}> ${what}`);
}
