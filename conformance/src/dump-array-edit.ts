import type { ArrayEdit, ArrayEditSource, Value } from '@manyworlds/usd';
import { encodeValue } from './dump-value.ts';
import { isObject, type Json } from './json.ts';

/** The text OpenUSD prints for an array edit: like the one in a text layer, with strings unquoted. */
export function formatArrayEdit(edit: ArrayEdit): string {
	const parts = edit.instructions.map((step) => {
		switch (step.op) {
			case 'write':
				return `write ${formatSource(step.source)} to [${step.index}]`;
			case 'insert':
				return `insert ${formatSource(step.source)} at [${step.index}]`;
			case 'prepend':
			case 'append':
				return `${step.op} ${formatSource(step.source)}`;
			case 'erase':
				return `erase [${step.index}]`;
			default: {
				const fill = step.fill === undefined ? '' : ` fill ${formatLiteral(step.fill)}`;
				return `${step.op.toLowerCase()} ${step.size}${fill}`;
			}
		}
	});
	return `edit [${parts.join('; ')}]`;
}

function formatSource(source: ArrayEditSource): string {
	return 'index' in source ? `[${source.index}]` : formatLiteral(source.literal);
}

function formatLiteral(value: Value): string {
	const json = encodeValue(value);
	if (value.type.shape === 'matrix') {
		return `( ${(json as Json[]).map((row) => formatJson(row, value.type.component)).join(', ')} )`;
	}
	return formatJson(json, value.type.component);
}

function formatJson(json: Json, component: string): string {
	if (Array.isArray(json)) return `(${json.map((item) => formatJson(item, component)).join(', ')})`;
	if (isObject(json)) return `@${json['asset'] as string}@`;
	if (typeof json === 'boolean') return json ? '1' : '0';
	if (typeof json === 'string') return json;
	return formatNumber(json as number, component);
}

/** Shortest digits, halfs with six; exponents from 1e15 on and below 1e-6 (usd-core, section 3.2). */
function formatNumber(number: number, component: string): string {
	const value = component === 'half' ? Number(number.toPrecision(6)) : number;
	if (Object.is(value, -0)) return '-0';
	const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
	const power = Number(exponent);
	if (power >= 15 || power < -6) return `${mantissa}e${power}`;
	return power < 0 ? value.toFixed(Math.max(0, mantissa.replace(/[-.]/g, '').length - 1 - power)) : String(value);
}
