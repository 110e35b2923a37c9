import { type Value, valueIs } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { LayerOutput } from './layer-output.ts';
import { writeDictionary } from './write-dictionary.ts';
import { writeSimpleField } from './write-metadata.ts';
import { writeValue } from './write-value.ts';

/** A value as usda text: `(1, 2, 3)`, `["a", "b"]`, `None`. Dictionaries take several lines. */
export function formatValue(value: Value): string {
	const out = new LayerOutput();
	if (valueIs(value, T.dictionary)) {
		writeDictionary(out, 0, value.data);
		out.length--;
	} else {
		writeValue(out, value);
	}
	return new TextDecoder().decode(out.finish());
}

/** A metadata field as usda text: `kind = "component"`, or one line for each list of a list-op. */
export function formatField(name: string, value: Value, indent = 0): string {
	const out = new LayerOutput();
	writeSimpleField(out, indent, name, value);
	return new TextDecoder().decode(out.finish());
}
