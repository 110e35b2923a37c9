import type { Prim } from '@manyworlds/usd';
import type { Provenance } from '../ledger.ts';
import { attributeValue, authoredValue, showValue } from './plain-value.ts';

/** Where a number comes from that one attribute gives: the attribute when it is authored, else the schema's default. */
export function originOf(prim: Prim, name: string, whyAuthored: string, whyNot: string): Provenance {
	const path = prim.path.toString();
	const authored = authoredValue(prim, name);
	if (authored !== undefined) {
		return { source: 'authored', path, name, value: showValue(authored), why: `${name} is authored: ${whyAuthored}` };
	}
	const fallback = attributeValue(prim, name);
	return {
		source: 'schema default',
		path,
		name,
		...(fallback === undefined ? {} : { value: showValue(fallback) }),
		why: whyNot,
	};
}
