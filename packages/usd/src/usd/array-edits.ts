import { numberToHalf } from '@manyworlds/core/internal';
import type { ArrayEdit } from '../sdf/array-edit.ts';
import { makeValue, type Value } from '../sdf/value.ts';
import type { ValueType } from '../sdf/value-type.ts';

/** The array that an edit gives when it is applied to the weaker value; an empty one where there is none. */
export function applyArrayEdits(edit: Value, weaker: () => Value | undefined): Value {
	const { arrayType, instructions } = edit.data as ArrayEdit;
	const base = weaker();
	const element = arrayType.element;
	const items = base?.type === arrayType ? elementsOf(arrayType, base.data) : [];
	const zero = (): unknown[] => new Array(element.width).fill(zeroOf(element));
	for (const step of instructions) {
		const at = (index: number): number => (index < 0 ? items.length + index : index);
		const source = 'source' in step ? step.source : undefined;
		const item =
			source === undefined ? undefined : 'literal' in source ? partsOf(source.literal) : items[at(source.index)];
		switch (step.op) {
			case 'write':
				if (item !== undefined && at(step.index) >= 0 && at(step.index) < items.length) items[at(step.index)] = item;
				break;
			case 'insert':
				if (item !== undefined && at(step.index) >= 0 && at(step.index) <= items.length) {
					items.splice(at(step.index), 0, item);
				}
				break;
			case 'prepend':
				if (item !== undefined) items.unshift(item);
				break;
			case 'append':
				if (item !== undefined) items.push(item);
				break;
			case 'erase':
				if (at(step.index) >= 0 && at(step.index) < items.length) items.splice(at(step.index), 1);
				break;
			default: {
				const fill = step.fill === undefined ? zero() : partsOf(step.fill);
				if (step.op !== 'maxSize') while (items.length < step.size) items.push(fill);
				if (step.op !== 'minSize' && items.length > step.size) items.length = step.size;
			}
		}
	}
	return makeValue(arrayType, pack(arrayType, items));
}

function elementsOf(type: ValueType, data: unknown): unknown[][] {
	const flat = data as ArrayLike<unknown>;
	const items: unknown[][] = [];
	for (let i = 0; i < flat.length; i += type.width) {
		items.push(Array.from({ length: type.width }, (_, k) => flat[i + k]));
	}
	return items;
}

function partsOf({ type, data }: Value): unknown[] {
	if (type.width > 1) return Array.from(data as ArrayLike<unknown>);
	// a single half is a number, arrays hold its bits
	return [type.component === 'half' ? numberToHalf(data as number) : data];
}

function zeroOf(type: ValueType): unknown {
	if (type.component === 'text') return '';
	return type.component === 'int64' || type.component === 'uint64' ? 0n : 0;
}

function pack(type: ValueType, items: readonly unknown[][]): unknown {
	const flat = items.flat();
	const make = ARRAYS[type.component];
	return make === undefined ? flat : make(flat as number[] & bigint[]);
}

const ARRAYS: Partial<Record<ValueType['component'], (items: number[] & bigint[]) => unknown>> = {
	bool: (items) => Uint8Array.from(items, Number),
	uchar: (items) => Uint8Array.from(items),
	int: (items) => Int32Array.from(items),
	uint: (items) => Uint32Array.from(items),
	int64: (items) => BigInt64Array.from(items),
	uint64: (items) => BigUint64Array.from(items),
	half: (items) => Uint16Array.from(items),
	float: (items) => Float32Array.from(items),
	double: (items) => Float64Array.from(items),
};
