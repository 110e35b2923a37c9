import { halfToNumber, numberToHalf } from '@manyworlds/core/internal';
import type { ArrayEdit, ArrayEditInstruction, ArrayEditSource } from '../sdf/array-edit.ts';
import { makeValue, type Value } from '../sdf/value.ts';
import type { ValueType } from '../sdf/value-type.ts';
import { createNumbers, type NumericArray } from './array-reader.ts';
import { CrateFault } from './crate-fault.ts';

/*
 * Array edits are an array of literals and a list of 64-bit integers: an operation word (count in the low 56 bits,
 * operation in the high 8) followed by the arguments of that many instructions.
 */

const Op = {
	writeLiteral: 0,
	writeRef: 1,
	insertLiteral: 2,
	insertRef: 3,
	erase: 4,
	minSize: 5,
	minSizeFill: 6,
	resize: 7,
	resizeFill: 8,
	maxSize: 9,
} as const;

/** Index that means one past the end. */
const END_INDEX = -(2n ** 63n);
const COUNT_MASK = (1n << 56n) - 1n;

/** Turns stored literals and instructions into an array edit. */
export function decodeArrayEdit(
	arrayType: ValueType,
	literals: NumericArray | readonly string[],
	words: BigInt64Array,
	offset: number,
): ArrayEdit {
	const { element } = arrayType;
	const literal = (index: bigint): Value => {
		const at = Number(index);
		if (at < 0 || at * element.width >= literals.length) {
			throw new CrateFault(`an array edit uses literal ${index} of ${literals.length / element.width}`, offset);
		}
		return makeValue(element, elementData(element, literals, at));
	};
	const instructions: ArrayEditInstruction[] = [];
	const insert = (source: ArrayEditSource, index: bigint): ArrayEditInstruction => {
		if (index === 0n) return { op: 'prepend', source };
		return index === END_INDEX ? { op: 'append', source } : { op: 'insert', source, index: Number(index) };
	};
	let at = 0;
	while (at < words.length) {
		const op = Number(BigInt.asUintN(64, words[at]!) >> 56n);
		const count = Number(words[at++]! & COUNT_MASK);
		const arity = op < 4 || op === Op.minSizeFill || op === Op.resizeFill ? 2 : 1;
		if (op > Op.maxSize) throw new CrateFault(`an array edit has operation ${op}, expected 0 to ${Op.maxSize}`, offset);
		if (count * arity > words.length - at) {
			throw new CrateFault(`an array edit claims ${count} instructions, but ends before them`, offset);
		}
		for (let i = 0; i < count; i++, at += arity) {
			const a = words[at]!;
			const b = arity === 2 ? words[at + 1]! : 0n;
			switch (op) {
				case Op.writeLiteral:
					instructions.push({ op: 'write', source: { literal: literal(a) }, index: Number(b) });
					break;
				case Op.writeRef:
					instructions.push({ op: 'write', source: { index: Number(a) }, index: Number(b) });
					break;
				case Op.insertLiteral:
					instructions.push(insert({ literal: literal(a) }, b));
					break;
				case Op.insertRef:
					instructions.push(insert({ index: Number(a) }, b));
					break;
				case Op.erase:
					instructions.push({ op: 'erase', index: Number(a) });
					break;
				case Op.minSize:
					instructions.push({ op: 'minSize', size: Number(a) });
					break;
				case Op.minSizeFill:
					instructions.push({ op: 'minSize', size: Number(a), fill: literal(b) });
					break;
				case Op.resize:
					instructions.push({ op: 'resize', size: Number(a) });
					break;
				case Op.resizeFill:
					instructions.push({ op: 'resize', size: Number(a), fill: literal(b) });
					break;
				default:
					instructions.push({ op: 'maxSize', size: Number(a) });
			}
		}
	}
	return { arrayType, instructions };
}

/** Data of one element of array data. */
function elementData(element: ValueType, items: NumericArray | readonly string[], index: number): unknown {
	if (element.width > 1) return (items as Float64Array).slice(index * element.width, (index + 1) * element.width);
	if (element.component === 'half') return halfToNumber(items[index] as number);
	return element.component === 'bool' ? items[index] === 1 : items[index];
}

/** What is stored of an array edit. Equal literals are stored once. */
export function encodeArrayEdit(edit: ArrayEdit): { literals: NumericArray | string[]; words: BigInt64Array } {
	const { element } = edit.arrayType;
	const seen = new Map<unknown, bigint>();
	const list: unknown[] = [];
	const literal = (value: Value): bigint => {
		const { data } = value;
		const key = element.width > 1 ? String(data) : Object.is(data, -0) ? '-0' : data;
		let index = seen.get(key);
		if (index === undefined) {
			index = BigInt(list.length);
			seen.set(key, index);
			list.push(data);
		}
		return index;
	};
	const words: bigint[] = [];
	let opAt = -1;
	let lastOp = -1;
	const add = (op: number, ...args: bigint[]): void => {
		if (op !== lastOp) {
			opAt = words.length;
			words.push(BigInt.asIntN(64, BigInt(op) << 56n));
			lastOp = op;
		}
		words[opAt] = words[opAt]! + 1n;
		words.push(...args);
	};
	for (const step of edit.instructions) {
		switch (step.op) {
			case 'write':
			case 'insert':
			case 'prepend':
			case 'append': {
				const isWrite = step.op === 'write';
				const index = 'index' in step ? BigInt(step.index) : step.op === 'prepend' ? 0n : END_INDEX;
				if ('literal' in step.source) {
					add(isWrite ? Op.writeLiteral : Op.insertLiteral, literal(step.source.literal), index);
				} else {
					add(isWrite ? Op.writeRef : Op.insertRef, BigInt(step.source.index), index);
				}
				break;
			}
			case 'erase':
				add(Op.erase, BigInt(step.index));
				break;
			case 'maxSize':
				add(Op.maxSize, BigInt(step.size));
				break;
			default: {
				const [plain, filled] = step.op === 'minSize' ? [Op.minSize, Op.minSizeFill] : [Op.resize, Op.resizeFill];
				if (step.fill === undefined) add(plain, BigInt(step.size));
				else add(filled, BigInt(step.size), literal(step.fill));
			}
		}
	}
	return { literals: packLiterals(element, list), words: BigInt64Array.from(words) };
}

function packLiterals(element: ValueType, list: readonly unknown[]): NumericArray | string[] {
	if (element.component === 'text') return list as string[];
	const items = createNumbers(element.component, list.length * element.width) as Float64Array;
	for (let i = 0; i < list.length; i++) {
		const data = list[i];
		if (element.width > 1) items.set(data as Float64Array, i * element.width);
		else if (element.component === 'half') items[i] = numberToHalf(data as number);
		else items[i] = typeof data === 'boolean' ? Number(data) : (data as number);
	}
	return items;
}
