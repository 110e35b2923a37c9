import { Report } from '@manyworlds/core';
import { explainPath, type Layer, MemoryStore, Stage } from '@manyworlds/usd';
import { diagnoseComposition, SourcePlaces } from '@manyworlds/usd/internal';
import { expect, test } from 'vitest';

/** Composes `root.usda` of some texts and gives the errors as `code file:line:column`. */
function open(files: Readonly<Record<string, string>>): {
	stage: Stage;
	places: SourcePlaces;
	found: string[];
	messages: string;
} {
	const store = new MemoryStore(new Map(Object.entries(files).map(([name, text]) => [name, `#usda 1.0\n${text}`])));
	const stage = Stage.open(store.open('root.usda') as Layer, { store });
	const places = new SourcePlaces(store);
	const diagnostics = stage.errors().map((error) => diagnoseComposition(error, places));
	const found = diagnostics.map(
		({ code, file, range }) => `${code} ${file}:${range?.start.line}:${range?.start.column}`,
	);
	return { stage, places, found, messages: diagnostics.map(({ message }) => message).join('\n') };
}

test.each([
	[
		'a cycle of references',
		'def "a" (references = </b>)\n{\n}\ndef "b" (references = </a>)\n{\n}\n',
		'PCP001 root.usda:5:24',
		'closes a cycle',
	],
	[
		'a missing layer',
		'def "a" (references = @./no.usda@)\n{\n}\n',
		'PCP003 root.usda:2:24',
		'@./no.usda@ cannot be opened: there is no such file',
	],
	['a missing payload', 'def "a" (payload = @./no.usda@)\n{\n}\n', 'PCP003 root.usda:2:21', 'the payload @./no.usda@'],
	['a missing sublayer', '(\n    subLayers = [@./no.usda@]\n)\n', 'PCP004 root.usda:3:19', 'the sublayer @./no.usda@'],
	[
		'a sublayer cycle',
		'(\n    subLayers = [@./root.usda@]\n)\n',
		'PCP002 root.usda:3:19',
		'the layer is its own sublayer',
	],
	[
		'a missing prim',
		'def "a" (references = </no>)\n{\n}\n',
		'PCP005 root.usda:2:24',
		'leads to </no>, which is not in',
	],
	[
		'no default prim',
		'def "a" (references = @./part.usda@)\n{\n}\n',
		'PCP005 root.usda:2:10',
		"'part.usda' has no defaultPrim",
	],
	['a bad expression', 'def "a" (references = @`if(1)`@)\n{\n}\n', 'PCP010 root.usda:2:24', 'cannot be evaluated'],
	[
		'a relocate of a root prim',
		'(\n    relocates = {\n        </a>: </b>\n    }\n)\ndef "a"\n{\n}\n',
		'PCP014 root.usda:',
		'the relocate of </a> to </b> cannot be done: a root prim',
	],
])('%s is located where it was authored', (_, text, place, message) => {
	const { found, messages } = open({ 'root.usda': text, 'part.usda': 'def "part"\n{\n}\n' });
	expect(
		found.some((entry) => entry.startsWith(place)),
		found.join(', '),
	).toBe(true);
	expect(messages).toContain(message);
});

test('errors of targets and of properties are told by explain', () => {
	const { stage, places } = open({
		'root.usda': 'def "a" (references = @./part.usda@</part>)\n{\n    rel r\n}\n',
		'part.usda': 'def "part"\n{\n    rel out = </elsewhere>\n    double r = 1\n}\ndef "elsewhere"\n{\n}\n',
	});
	const report = new Report();
	explainPath(stage, '/a.out', { file: 'root.usda', places, report });
	explainPath(stage, '/a.r', { file: 'root.usda', places, report });
	const found = report
		.toArray()
		.map(({ code, file, range }) => `${code} ${file}:${range?.start.line}:${range?.start.column}`);
	expect(found).toEqual(['PCP012 part.usda:4:16', 'PCP011 part.usda:5:12']);
});
