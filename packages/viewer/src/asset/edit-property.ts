import { Report } from '@manyworlds/core';
import { type AssetStore, Layer, Path, patchUsda, readUsda, type Stage } from '@manyworlds/usd';
import type { Opinion } from '@manyworlds/usd/internal';
import type { EditTarget } from './asset-types.ts';
import { CHOSEN_FILE } from './chosen-variants.ts';

/** A property that gets another value, as a person typed it. */
export interface PropertyEdit {
	readonly name: string;
	/** Type of the attribute, such as `double3`. */
	readonly typeName: string;
	/** The value in the text of OpenUSD. */
	readonly text: string;
	readonly target: EditTarget;
}

/**
 * Where an opinion about a property can be written, strongest first: where there is one already, then the layers of the root layer
 * stack, which are stronger than everything that arcs bring.
 */
export function editTargets(
	stage: Stage,
	store: AssetStore,
	path: string,
	opinions: readonly Pick<Opinion, 'file' | 'path'>[],
): EditTarget[] {
	const targets = new Map<string, EditTarget>();
	const add = (file: string, prim: string, isNew: boolean): void => {
		// what the page itself chose is no file of the asset; members of packages cannot be written
		if (file.endsWith(CHOSEN_FILE) || file.includes('[')) return;
		const key = `${file} ${prim}`;
		if (!targets.has(key)) targets.set(key, { file, prim, isNew });
	};
	for (const { file, path: spec } of opinions) add(file, spec.slice(0, spec.lastIndexOf('.')), false);
	for (const layer of stage.layerStack()) add(store.name(layer.identifier), path, true);
	return [...targets.values()];
}

/** The bytes of a layer with another value for a property. Throws an error with a sentence when the text is no such value. */
export function editProperty(bytes: Uint8Array, edit: PropertyEdit): Uint8Array {
	const { name, target } = edit;
	const value = readValue(edit);
	// a copy: browsers do not decode memory that threads share
	const isText = new TextDecoder().decode(bytes.slice(0, 5)) === '#usda';
	if (!isText) throw new Error(`'${target.file}' is binary: choose a layer in text, or write it as usda first`);
	const layer = new Layer(target.file, readUsda(bytes));
	const prim = Path.parse(target.prim);
	if (prim === undefined) throw new Error(`'${target.prim}' is not a path of a prim`);
	if (!layer.has(prim)) layer.createPrim(prim);
	const property = prim.appendProperty(name);
	if (!layer.has(property)) layer.createAttribute(property, edit.typeName);
	layer.setField(property, 'default', value);
	return patchUsda(bytes, layer.data).bytes;
}

/** What a text means as a value of a type, as the reader of layers has it. */
function readValue({ name, typeName, text }: PropertyEdit): NonNullable<ReturnType<Layer['field']>> {
	const report = new Report();
	const source = `#usda 1.0\nover "p"\n{\n    ${typeName} ${name} = ${text}\n}\n`;
	const layer = new Layer('value.usda', readUsda(new TextEncoder().encode(source), { report }));
	const [finding] = report.toArray();
	const value = layer.field(`/p.${name}`, 'default');
	// a text that goes on after the value would write more than that
	if (finding !== undefined || value === undefined || layer.children('/p').length > 1) {
		throw new Error(
			`'${text}' is not a value of type ${typeName}${finding === undefined ? '' : `: ${finding.message}`}`,
		);
	}
	return value;
}
