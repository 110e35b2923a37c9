import type { LayerData } from '../sdf/layer-data.ts';
import type { Path } from '../sdf/path.ts';
import { dataOf, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import type { LayerOutput } from './layer-output.ts';
import { writeDictionary } from './write-dictionary.ts';
import { writePath } from './write-list-op.ts';

/**
 * Writes the mappers of the connections of an attribute, one statement each. OpenUSD no longer reads mappers; files that
 * have them keep them.
 * @param declaration - type and name of the attribute
 */
export function writeMappers(out: LayerOutput, indent: number, data: LayerData, path: Path, declaration: string): void {
	for (const target of dataOf(data.field(path, 'mapperChildren'), T.pathVector) ?? []) {
		const mapper = path.appendMapper(target);
		out.line(indent, `${declaration}.mapper[ `);
		writePath(out, target);
		out.text(` ] = ${dataOf(data.field(mapper, 'typeName'), T.token) ?? ''}`);
		const entries = new Map<string, Value>();
		for (const name of dataOf(data.field(mapper, 'mapperArgChildren'), T.tokenVector) ?? []) {
			const value = data.field(mapper.appendMapperArg(name), 'mapperArgValue');
			if (value !== undefined) entries.set(name, value);
		}
		if (entries.size > 0) {
			out.byte(0x20);
			writeDictionary(out, indent, entries);
		} else out.byte(0x0a);
	}
}
