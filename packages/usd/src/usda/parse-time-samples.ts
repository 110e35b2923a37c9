import { makeTimeSamples, makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { nextItem } from './parse-scalar.ts';
import { readAttributeValue } from './parse-value.ts';
import type { ParserState } from './parser-state.ts';

const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const COLON = 0x3a;

/** Reads `{ time: value, ... }`. Times end up in ascending order; of two equal times the last counts. */
export function readTimeSamples(p: ParserState, type: ValueType | undefined | null, typeName: string): Value {
	if (!p.accept(BRACE_OPEN)) p.failExpected("time samples in '{'");
	const times: number[] = [];
	const values: Value[] = [];
	let isAscending = true;
	p.skipAll();
	if (!p.accept(BRACE_CLOSE)) {
		do {
			p.number();
			const time = p.value;
			p.skipInline();
			p.expect(COLON);
			p.skipInline();
			if (times.length > 0 && !(time > times[times.length - 1]!)) isAscending = false;
			times.push(time);
			values.push(readAttributeValue(p, type, typeName));
		} while (nextItem(p, BRACE_CLOSE));
	}
	if (!isAscending) sortSamples(times, values);
	return makeValue(T.timeSamples, makeTimeSamples(Float64Array.from(times), values));
}

function sortSamples(times: number[], values: Value[]): void {
	const byTime = new Map<number, Value>();
	for (let i = 0; i < times.length; i++) byTime.set(times[i]!, values[i]!);
	const order = [...byTime.keys()].sort((a, b) => a - b);
	times.length = order.length;
	values.length = order.length;
	for (let i = 0; i < order.length; i++) {
		times[i] = order[i]!;
		values[i] = byTime.get(order[i]!)!;
	}
}
