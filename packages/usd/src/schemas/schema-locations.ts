import { type DiagnosticDetails, SourceText } from '@manyworlds/core';
import type { LayerData } from '../sdf/layer-data.ts';
import type { Path } from '../sdf/path.ts';

/** Where diagnostics about a schema file point to. */
export interface SchemaFile {
	/** Name of the file, for diagnostics. */
	readonly file?: string;
	/** Its text: with it diagnostics have lines and columns. */
	readonly source?: Uint8Array;
}

/** Gives the place of a class of a schema layer, as exactly as it is known. */
export function schemaLocator(data: LayerData, place: SchemaFile): (prim?: Path) => DiagnosticDetails {
	const text = place.source === undefined ? undefined : new SourceText(place.source, place.file);
	return (prim) => {
		const named = place.file === undefined ? {} : { file: place.file };
		if (prim === undefined) return named;
		const nameStart = data.specSource(prim)?.nameStart ?? -1;
		const found = text === undefined || nameStart < 0 ? named : text.locate(nameStart, nameStart + prim.name.length);
		return { ...found, prim: prim.toString() };
	};
}
