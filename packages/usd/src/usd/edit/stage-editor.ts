import { UsageRangeError, UsageTypeError } from '@manyworlds/core';
import type { Layer, PropertySpecOptions } from '../../sdf/layer.ts';
import type { ListOp } from '../../sdf/list-op.ts';
import type { Path } from '../../sdf/path.ts';
import {
	arcKey,
	type Dictionary,
	dataOf,
	EMPTY_DICTIONARY,
	makeTimeSamples,
	makeValue,
	type Payload,
	type Reference,
	type TimeSamples,
	type Value,
} from '../../sdf/value.ts';
import { T, type ValueType } from '../../sdf/value-type.ts';
import type { Stage } from '../stage.ts';
import { toPath } from '../to-path.ts';
import { mapTime, retimeValue } from '../value-time.ts';
import { ListEditor } from './arc-editor.ts';
import { EditSite } from './edit-site.ts';
import { applyItem, insertItem, type ListPosition, removeItem } from './list-edits.ts';

/**
 * Edits a stage: every call writes opinions into the layer of the stage's edit target, making `over`s on the way, and the stage
 * follows at once. Paths and times are those of the stage.
 *
 * ```ts
 * stage.editor.definePrim('/Robot/arm', 'Xform');
 * stage.editor.createAttribute('/Robot/arm.length', 'double');
 * stage.editor.setValue('/Robot/arm.length', makeValue(T.double, 0.4));
 * ```
 */
export class StageEditor {
	readonly #site: EditSite;

	constructor(stage: Stage) {
		this.#site = new EditSite(stage);
	}

	get layer(): Layer {
		return this.#site.layer;
	}

	/** Runs several edits that the stage follows together. If one throws, all are taken back. */
	batch<R>(change: () => R): R {
		return this.layer.edit(change);
	}

	/** Makes a prim exist: `def` for it and for ancestors that nothing defines. */
	definePrim(path: Path | string, typeName = ''): void {
		const at = toPath(path);
		this.layer.edit(() => {
			const missing: Path[] = [];
			for (let up = at.parent!; up.depth > 0; up = up.parent!) {
				if (this.#site.stage.prim(up)?.isDefined !== true) missing.push(up);
			}
			for (const up of missing.reverse()) this.layer.createPrim(this.#site.specPath(up), { specifier: 'def' });
			this.layer.createPrim(this.#site.specPath(at), { specifier: 'def', ...(typeName !== '' && { typeName }) });
		});
	}

	/** Makes sure that the layer has a spec of the prim, to hold opinions. */
	overridePrim(path: Path | string): void {
		this.layer.edit(() => this.#site.primSpec(path));
	}

	/** Makes an abstract prim for others to inherit. */
	createClass(path: Path | string, typeName = ''): void {
		this.layer.createPrim(this.#site.specPath(path), { specifier: 'class', ...(typeName !== '' && { typeName }) });
	}

	/** Removes the opinions of the layer about a prim and all below it. Those of other layers stay. */
	removePrim(path: Path | string): void {
		this.layer.removeSpec(this.#site.specPath(path));
	}

	/** Removes the opinions of the layer about a property. */
	removeProperty(path: Path | string): void {
		this.layer.removeSpec(this.#site.specPath(path));
	}

	createAttribute(path: Path | string, typeName: string, options: PropertySpecOptions = {}): void {
		const at = toPath(path);
		this.layer.edit(() => {
			this.#site.primSpec(at.primPath);
			this.layer.createAttribute(this.#site.specPath(at), typeName, options);
		});
	}

	createRelationship(path: Path | string, options: PropertySpecOptions = {}): void {
		const at = toPath(path);
		this.layer.edit(() => {
			this.#site.primSpec(at.primPath);
			this.layer.createRelationship(this.#site.specPath(at), options);
		});
	}

	/** Sets the default value of an attribute, or the sample at a time. */
	setValue(path: Path | string, value: Value, time?: number): void {
		const { stage } = this.#site;
		const expected = stage.attribute(path)?.valueType;
		if (expected !== undefined && !isAssignable(expected, value.type)) {
			throw new UsageTypeError(`<${toPath(path)}> holds ${expected.name}, not ${value.type.name}`);
		}
		this.layer.edit(() => {
			const spec = this.#site.attributeSpec(path);
			const local = retimeValue(value, this.#site.toLayerTime);
			if (time === undefined) this.layer.setField(spec, 'default', local);
			else this.#setSample(spec, mapTime(this.#site.toLayerTime, time), local);
		});
	}

	/** Says that an attribute has no value: neither samples nor a default of this layer, and none of weaker ones. */
	blockValue(path: Path | string): void {
		this.layer.edit(() => {
			const spec = this.#site.attributeSpec(path);
			this.layer.eraseField(spec, 'timeSamples');
			this.layer.setField(spec, 'default', makeValue(T.valueBlock, null) as Value);
		});
	}

	/** Removes the value of an attribute from the layer: all of it, or the sample at a time. */
	clearValue(path: Path | string, time?: number): void {
		this.layer.edit(() => {
			const spec = this.#site.attributeSpec(path);
			if (time === undefined) {
				for (const field of ['default', 'timeSamples', 'spline']) this.layer.eraseField(spec, field);
			} else {
				this.#setSample(spec, mapTime(this.#site.toLayerTime, time), undefined);
			}
		});
	}

	/** Sets a metadata field of a prim, property or (at `/`) the layer; `keyPath` (`a:b`) leads into a dictionary. */
	setMetadata(path: Path | string, name: string, value: Value, keyPath?: string): void {
		this.layer.edit(() => {
			const spec = this.#site.objectSpec(path);
			this.layer.setField(spec, name, keyPath === undefined ? value : this.#withEntry(spec, name, keyPath, value));
		});
	}

	clearMetadata(path: Path | string, name: string, keyPath?: string): void {
		this.layer.edit(() => {
			const spec = this.#site.objectSpec(path);
			if (keyPath === undefined) this.layer.eraseField(spec, name);
			else this.layer.setField(spec, name, this.#withEntry(spec, name, keyPath, undefined));
		});
	}

	setActive(path: Path | string, isActive: boolean): void {
		this.setMetadata(path, 'active', makeValue(T.bool, isActive) as Value);
	}

	setTypeName(path: Path | string, typeName: string): void {
		this.setMetadata(path, 'typeName', makeValue(T.token, typeName) as Value);
	}

	setInstanceable(path: Path | string, isInstanceable: boolean): void {
		this.setMetadata(path, 'instanceable', makeValue(T.bool, isInstanceable) as Value);
	}

	setKind(path: Path | string, kind: string): void {
		this.setMetadata(path, 'kind', makeValue(T.token, kind) as Value);
	}

	/** The references that the layer adds to or removes from a prim. */
	references(path: Path | string): ListEditor<Reference> {
		const spec = (site: EditSite): Path => site.primSpec(path);
		return new ListEditor(this.#site, { field: 'references', type: T.referenceListOp, key: arcKey, spec });
	}

	payloads(path: Path | string): ListEditor<Payload> {
		const spec = (site: EditSite): Path => site.primSpec(path);
		return new ListEditor(this.#site, { field: 'payload', type: T.payloadListOp, key: arcKey, spec });
	}

	inherits(path: Path | string): ListEditor<Path> {
		return this.#paths('inheritPaths', (site) => site.primSpec(path));
	}

	specializes(path: Path | string): ListEditor<Path> {
		return this.#paths('specializes', (site) => site.primSpec(path));
	}

	targets(path: Path | string): ListEditor<Path> {
		return this.#paths('targetPaths', (site) => site.relationshipSpec(path));
	}

	connections(path: Path | string): ListEditor<Path> {
		return this.#paths('connectionPaths', (site) => site.attributeSpec(path));
	}

	/** Adds a variant set to a prim. */
	addVariantSet(path: Path | string, set: string, position: ListPosition = 'backOfPrepended'): void {
		this.layer.edit(() => {
			const spec = this.#site.primSpec(path);
			const op = insertItem(this.#site.listOp(spec, 'variantSetNames', T.stringListOp), set, position);
			this.layer.setField(spec, 'variantSetNames', makeValue(T.stringListOp, op) as Value);
		});
	}

	/** Adds a variant to a set of a prim, and the set if need be. */
	addVariant(path: Path | string, set: string, variant: string): void {
		this.layer.edit(() => {
			this.addVariantSet(path, set);
			this.layer.createVariant(this.#site.specPath(path).appendVariant(set, variant));
		});
	}

	/** Selects a variant; '' blocks weaker selections, undefined takes the layer's own back. */
	selectVariant(path: Path | string, set: string, variant: string | undefined): void {
		this.layer.edit(() => {
			const spec = this.#site.primSpec(path);
			const selections = new Map(this.#site.listOp(spec, 'variantSelection', T.variantSelectionMap) ?? []);
			if (variant === undefined) selections.delete(set);
			else selections.set(set, variant);
			if (selections.size === 0) this.layer.eraseField(spec, 'variantSelection');
			else this.layer.setField(spec, 'variantSelection', makeValue(T.variantSelectionMap, selections) as Value);
		});
	}

	/** Applies an API schema: `PhysicsMassAPI`, `PhysicsDriveAPI:angular`. */
	applySchema(path: Path | string, schema: string): void {
		this.#editSchemas(path, (op) => applyItem(op, schema));
	}

	/** Takes an API schema away, also one that weaker layers apply. */
	removeSchema(path: Path | string, schema: string): void {
		this.#editSchemas(path, (op) => removeItem(op, schema));
	}

	#editSchemas(path: Path | string, change: (op: ListOp<string> | undefined) => ListOp<string>): void {
		this.layer.edit(() => {
			const spec = this.#site.primSpec(path);
			const op = change(this.#site.listOp(spec, 'apiSchemas', T.tokenListOp));
			this.layer.setField(spec, 'apiSchemas', makeValue(T.tokenListOp, op) as Value);
		});
	}

	#paths(
		field: 'inheritPaths' | 'specializes' | 'targetPaths' | 'connectionPaths',
		spec: (site: EditSite) => Path,
	): ListEditor<Path> {
		const list = { field, type: T.pathListOp, key: (path: Path): unknown => path, spec };
		return new ListEditor<Path>(this.#site, list, (path) => this.#site.targetPath(path));
	}

	#setSample(spec: Path, time: number, value: Value | undefined): void {
		const present = dataOf(this.layer.field(spec, 'timeSamples'), T.timeSamples);
		const samples = new Map<number, Value>();
		for (let i = 0; i < (present?.times.length ?? 0); i++) samples.set(present!.times[i]!, present!.valueAt(i));
		if (value === undefined) samples.delete(time);
		else samples.set(time, value);
		if (samples.size === 0) this.layer.eraseField(spec, 'timeSamples');
		else this.layer.setField(spec, 'timeSamples', makeValue(T.timeSamples, sorted(samples)) as Value);
	}

	/** A dictionary field with another entry at a path of keys. */
	#withEntry(spec: Path, name: string, keyPath: string, value: Value | undefined): Value {
		const present = this.layer.field(spec, name);
		if (present !== undefined && present.type !== (T.dictionary as ValueType)) {
			throw new UsageTypeError(`'${name}' of <${spec}> is no dictionary`);
		}
		const keys = keyPath.split(':');
		if (keys.includes('')) throw new UsageRangeError(`'${keyPath}' is not a path of keys`);
		return makeValue(T.dictionary, withKey((present?.data as Dictionary) ?? EMPTY_DICTIONARY, keys, 0, value)) as Value;
	}
}

function withKey(dictionary: Dictionary, keys: readonly string[], at: number, value: Value | undefined): Dictionary {
	const out = new Map(dictionary);
	const key = keys[at]!;
	if (at < keys.length - 1) {
		const nested = dataOf(out.get(key), T.dictionary) ?? EMPTY_DICTIONARY;
		out.set(key, makeValue(T.dictionary, withKey(nested, keys, at + 1, value)) as Value);
	} else if (value === undefined) out.delete(key);
	else out.set(key, value);
	return out;
}

function sorted(samples: ReadonlyMap<number, Value>): TimeSamples {
	const times = [...samples.keys()].sort((a, b) => a - b);
	return makeTimeSamples(
		Float64Array.from(times),
		times.map((time) => samples.get(time)!),
	);
}

function isAssignable(expected: ValueType, given: ValueType): boolean {
	if (expected === given) return true;
	return (
		given === (T.valueBlock as ValueType) || given === (T.animationBlock as ValueType) || given.name === 'arrayEdit'
	);
}
