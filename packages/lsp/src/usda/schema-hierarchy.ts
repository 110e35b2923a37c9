import { SchemaRegistry } from '@manyworlds/usd';
import { SymbolKind, type TypeHierarchyItem } from 'vscode-languageserver';
import type { PlaceRequest } from '../language-features.ts';
import { subjectAt } from './usda-subject.ts';

/** Schemas above and below the one at a place. Schemas have no file of their own: items point to where they were asked for. */
export const schemaTree = {
	prepare({ workspace, document, text, offset }: PlaceRequest): TypeHierarchyItem[] {
		if (document.kind.kind !== 'usda') return [];
		const subject = subjectAt(workspace.outline(text), offset);
		if (subject?.kind !== 'schema') return [];
		const range = text.range(subject.start, subject.end);
		const [name = ''] = subject.name.split(':');
		return SchemaRegistry.standard.find(name) === undefined ? [] : [itemOf(name, document.uri, range)];
	},

	above(item: TypeHierarchyItem): TypeHierarchyItem[] {
		const bases = SchemaRegistry.standard.find(item.name)?.bases ?? [];
		return bases.map((base) => itemOf(base, item.uri, item.range));
	},

	below(item: TypeHierarchyItem): TypeHierarchyItem[] {
		const derived = [...SchemaRegistry.standard.classes()].filter(({ bases }) => bases.includes(item.name));
		return derived.map(({ identifier }) => itemOf(identifier, item.uri, item.range));
	},
};

function itemOf(name: string, uri: string, range: TypeHierarchyItem['range']): TypeHierarchyItem {
	const kind = SchemaRegistry.standard.find(name)?.kind;
	return {
		name,
		kind: SymbolKind.Class,
		uri,
		range,
		selectionRange: range,
		...(kind !== undefined && { detail: kind }),
	};
}
