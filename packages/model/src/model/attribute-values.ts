import {
	type AttributeArray,
	type AttributeDeclaration,
	type AttributeHandle,
	type AttributeType,
	attributeKey,
} from '../attribute-types.ts';
import { ModelError } from '../model-error.ts';
import { type ArrayAllocator, copyArray } from './array-allocator.ts';

/** A custom attribute with its values. @public */
export interface AttributeEntry {
	readonly declaration: AttributeDeclaration;
	/** A row for each entity of the frequency, in index order. */
	readonly values: AttributeArray;
}

/** The custom attributes that one object holds: a model, a state, a control or contacts. @public */
export class AttributeValues {
	readonly #entries: ReadonlyMap<string, AttributeEntry>;

	constructor(entries: Iterable<AttributeEntry>) {
		const byKey = new Map<string, AttributeEntry>();
		for (const entry of entries) byKey.set(attributeKey(entry.declaration), entry);
		this.#entries = byKey;
	}

	/** Keys in the order of declaration. */
	keys(): string[] {
		return [...this.#entries.keys()];
	}

	has(attribute: string | AttributeHandle): boolean {
		return this.#entries.has(typeof attribute === 'string' ? attribute : attribute.key);
	}

	/** The values of an attribute, to read or to change in place. A handle types the array. */
	get<T extends AttributeType>(handle: AttributeHandle<T>): AttributeArray<T>;
	get(key: string): AttributeArray;
	get(attribute: string | AttributeHandle): AttributeArray {
		return this.entry(attribute).values;
	}

	/** Declaration and values of an attribute. */
	entry(attribute: string | AttributeHandle): AttributeEntry {
		const key = typeof attribute === 'string' ? attribute : attribute.key;
		const entry = this.#entries.get(key);
		if (entry === undefined) {
			const known = this.keys();
			const hint = known.length === 0 ? 'none is held here' : `held here: ${known.slice(0, 8).join(', ')}`;
			throw new ModelError('MODEL024', `attribute '${key}' is not held by this object (${hint})`, {
				kind: 'attribute',
				label: key,
			});
		}
		return entry;
	}

	entries(): IterableIterator<AttributeEntry> {
		return this.#entries.values();
	}

	/** The same attributes with copies of the values; numbers are kept where `keep` says. */
	clone(keep: ArrayAllocator = copyArray): AttributeValues {
		const copies: AttributeEntry[] = [];
		for (const [key, { declaration, values }] of this.#entries) {
			copies.push({ declaration, values: Array.isArray(values) ? values.slice() : keep(values, `attribute/${key}`) });
		}
		return new AttributeValues(copies);
	}

	/** Copies the values of another object, which must hold the same attributes. */
	assign(other: AttributeValues): void {
		this.checkSame(other);
		for (const [key, { values }] of this.#entries) copyValues(values, other.get(key));
	}

	/** Sets every number to zero, every text to the empty one. */
	zero(): void {
		for (const { values } of this.#entries.values()) values.fill((Array.isArray(values) ? '' : 0) as never);
	}

	/** Throws unless another object holds the same attributes with as many values. */
	checkSame(other: AttributeValues): void {
		for (const key of [...this.keys(), ...other.keys()]) {
			const own = this.#entries.get(key)?.values.length;
			const others = other.#entries.get(key)?.values.length;
			if (own !== others) {
				throw new ModelError(
					'MODEL042',
					`attribute '${key}' has ${own ?? 'no'} values on one side and ${others ?? 'none'} on the other`,
					{
						kind: 'attribute',
						label: key,
					},
				);
			}
		}
	}
}

function copyValues(target: AttributeArray, source: AttributeArray): void {
	if (Array.isArray(target)) for (let i = 0; i < target.length; i++) target[i] = (source as string[])[i]!;
	else target.set(source as never);
}
