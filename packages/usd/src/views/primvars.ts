import { dataOf, makeValue, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { Attribute } from '../usd/attribute.ts';
import type { Prim } from '../usd/prim.ts';
import { readInts } from './read-values.ts';
import { reportFinding, type ViewOptions } from './view-report.ts';

const PREFIX = 'primvars:';
const INDICES = ':indices';

/** A primvar of a prim: an attribute `primvars:name`, perhaps with indices. */
export class Primvar {
	readonly attribute: Attribute;

	constructor(attribute: Attribute) {
		this.attribute = attribute;
	}

	/** Its name without `primvars:`. */
	get name(): string {
		return this.attribute.name.startsWith(PREFIX) ? this.attribute.name.slice(PREFIX.length) : this.attribute.name;
	}

	get prim(): Prim {
		return this.attribute.prim;
	}

	get typeName(): string {
		return this.attribute.typeName;
	}

	/** `constant` unless it says otherwise. */
	get interpolation(): string {
		return dataOf(this.attribute.metadata('interpolation'), T.token) ?? 'constant';
	}

	/** How many values make up one element. */
	get elementSize(): number {
		return dataOf(this.attribute.metadata('elementSize'), T.int) ?? 1;
	}

	get indicesAttribute(): Attribute {
		return this.prim.attribute(this.attribute.name + INDICES);
	}

	get isIndexed(): boolean {
		return this.indicesAttribute.hasAuthoredValue;
	}

	/** Stands for elements that have no value in an indexed primvar. */
	get unauthoredValuesIndex(): number {
		return dataOf(this.attribute.metadata('unauthoredValuesIndex'), T.int) ?? -1;
	}

	get hasAuthoredValue(): boolean {
		return this.attribute.hasAuthoredValue;
	}

	value(time?: number): Value | undefined {
		return this.attribute.get(time);
	}

	indices(time?: number): Int32Array | undefined {
		return this.isIndexed ? readInts(this.prim, this.attribute.name + INDICES, time) : undefined;
	}

	/** Its value with the indices applied. Elements whose index is out of range are reported and become zero or ''. */
	flattened(options: ViewOptions = {}): Value | undefined {
		const value = this.value(options.time);
		if (value === undefined || !value.type.isArray || !this.isIndexed) return value;
		const indices = this.indices(options.time);
		if (indices === undefined) return undefined;
		const size = this.elementSize;
		if (size < 1) return undefined;
		const span = value.type.width * size;
		const source = value.data as ArrayLike<unknown> & { readonly constructor: unknown };
		const result = makeArray(source, indices.length * span);
		let wrong: number | undefined;
		for (let i = 0; i < indices.length; i++) {
			const from = indices[i]! * span;
			if (indices[i]! < 0 || from + span > source.length) {
				wrong ??= i;
				continue;
			}
			for (let k = 0; k < span; k++) result[i * span + k] = source[from + k];
		}
		if (wrong !== undefined) {
			const message = `index ${indices[wrong]} at position ${wrong} is out of range: there are ${source.length / span} elements`;
			reportFinding('VIEW002', this.prim, message, options, this.attribute.path);
		}
		return makeValue(value.type, result) as Value;
	}
}

/** The primvar with a name, with or without `primvars:`, on the prim itself; undefined when there is none. */
export function findPrimvar(prim: Prim, name: string): Primvar | undefined {
	const full = name.startsWith(PREFIX) ? name : PREFIX + name;
	const property = prim.property(full);
	return property instanceof Attribute && isPrimvarName(full) ? new Primvar(property) : undefined;
}

/** The primvars that the prim itself has, also without a value. */
export function primvars(prim: Prim): Primvar[] {
	return prim
		.propertyNames()
		.filter(isPrimvarName)
		.flatMap((name) => findPrimvar(prim, name) ?? []);
}

/** The primvars of the prim itself that have an authored value. */
export function primvarsWithAuthoredValues(prim: Prim): Primvar[] {
	return primvars(prim).filter((primvar) => primvar.hasAuthoredValue);
}

/** The primvar that counts for a prim: its own, else the nearest constant one above. Others above end the search. */
export function findPrimvarWithInheritance(prim: Prim, name: string): Primvar | undefined {
	const own = findPrimvar(prim, name);
	if (own?.hasAuthoredValue === true) return own;
	for (let at = prim.parent; at !== undefined && !at.isPseudoRoot; at = at.parent) {
		const found = findPrimvar(at, name);
		if (found?.hasAuthoredValue === true) return found.interpolation === 'constant' ? found : undefined;
	}
	return own;
}

/**
 * The primvars that prims below take over from this one: constant ones of it and its ancestors.
 * @example
 * ```ts
 * const names = inheritablePrimvars(prim).map((primvar) => primvar.name);
 * ```
 */
export function inheritablePrimvars(prim: Prim): Primvar[] {
	return collectPrimvars(prim, false);
}

/** Every primvar that counts for a prim, inherited ones included. */
export function primvarsWithInheritance(prim: Prim): Primvar[] {
	return collectPrimvars(prim, true);
}

function collectPrimvars(prim: Prim, isAllOfLast: boolean): Primvar[] {
	const chain: Prim[] = [];
	for (let at: Prim | undefined = prim; at !== undefined && !at.isPseudoRoot; at = at.parent) chain.push(at);
	const found = new Map<string, Primvar>();
	for (let i = chain.length - 1; i >= 0; i--) {
		for (const name of chain[i]!.authoredPropertyNames()) {
			const primvar = isPrimvarName(name) ? findPrimvar(chain[i]!, name) : undefined;
			if (primvar === undefined || !primvar.hasAuthoredValue) continue;
			if ((i === 0 && isAllOfLast) || primvar.interpolation === 'constant') found.set(name, primvar);
			else found.delete(name);
		}
	}
	return [...found.values()];
}

function isPrimvarName(name: string): boolean {
	return name.startsWith(PREFIX) && name.length > PREFIX.length && !name.endsWith(INDICES);
}

/** An array of the same kind, of zeros or empty texts. */
function makeArray(like: ArrayLike<unknown>, length: number): unknown[] {
	if (Array.isArray(like)) return new Array(length).fill('');
	const Kind = (like as unknown as { constructor: new (length: number) => unknown[] }).constructor;
	return new Kind(length);
}
