import type { ArrayEdit, ArrayEditSource } from '../sdf/array-edit.ts';
import type { Path } from '../sdf/path.ts';
import type { Unregistered, Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import type { TextOutput } from '../text/text-output.ts';
import type { LayerOutput } from './layer-output.ts';
import { writeArray, writeElement } from './write-array.ts';

/** Whether text has a form for values of this type where an attribute or a simple metadata field has its value. */
export function isWritable(type: ValueType): boolean {
	return type.component !== 'other' || WRITABLE.has(type);
}

const WRITABLE: ReadonlySet<ValueType> = new Set<ValueType>([
	T.valueBlock,
	T.animationBlock,
	T.arrayEdit,
	T.unregistered,
	T.tokenVector,
	T.stringVector,
	T.doubleVector,
	T.path,
	T.specifier,
	T.permission,
	T.variability,
]);

/** Writes a value as it stands behind `=` of an attribute or dictionary entry. */
export function writeValue(out: LayerOutput, value: Value): void {
	const { type, data } = value;
	if (type.component !== 'other') {
		if (type.element === (T.duration as ValueType)) out.need(4);
		if (type.isArray) writeArray(out, type, data);
		else writeElement(out, type, data);
		return;
	}
	switch (type) {
		case T.valueBlock:
			out.text('None');
			break;
		case T.animationBlock:
			out.text('AnimationBlock');
			break;
		case T.arrayEdit:
			writeArrayEdit(out, data as ArrayEdit);
			break;
		case T.unregistered:
			if (typeof (data as Unregistered) === 'string') out.text(data as string);
			break;
		case T.tokenVector:
		case T.stringVector:
			writeArray(out, T.string.array, data);
			break;
		case T.doubleVector:
			writeArray(out, T.double.array, data);
			break;
		case T.path:
			out.text((data as Path).toString());
			break;
		case T.specifier:
		case T.permission:
		case T.variability:
			out.text(data as string);
			break;
	}
}

const VERSIONED_EDITS: ReadonlySet<ValueType> = new Set<ValueType>([T.string, T.token, T.asset, T.pathExpression]);

function writeArrayEdit(out: LayerOutput, edit: ArrayEdit): void {
	const element = edit.arrayType.element;
	// OpenUSD asks for 1.2 only where it has its own way to spell elements
	if (element === (T.duration as ValueType)) out.need(4);
	else if (VERSIONED_EDITS.has(element)) out.need(2);
	const source = (from: ArrayEditSource): void => {
		if ('literal' in from) writeValue(out, from.literal);
		else writeIndex(out, from.index);
	};
	out.text('edit [');
	edit.instructions.forEach((instruction, i) => {
		if (i > 0) out.text('; ');
		switch (instruction.op) {
			case 'write':
			case 'insert':
				out.text(`${instruction.op} `);
				source(instruction.source);
				out.text(instruction.op === 'write' ? ' to ' : ' at ');
				writeIndex(out, instruction.index);
				break;
			case 'prepend':
			case 'append':
				out.text(`${instruction.op} `);
				source(instruction.source);
				break;
			case 'erase':
				out.text('erase ');
				writeIndex(out, instruction.index);
				break;
			default:
				out.text(`${instruction.op.toLowerCase()} `);
				out.int(instruction.size);
				if (instruction.fill !== undefined) {
					out.text(' fill ');
					writeValue(out, instruction.fill);
				}
		}
	});
	out.byte(0x5d);
}

function writeIndex(out: TextOutput, index: number): void {
	out.byte(0x5b);
	out.int(index);
	out.byte(0x5d);
}
