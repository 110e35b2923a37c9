/** Something that a person does in an editor, asked of a real editor and of a protocol client alike. */
export interface Scenario {
	readonly name: string;
	/** File below the folder of the robot. */
	readonly file: string;
	/** Replaces the first text by the second before anything else. */
	readonly edit?: readonly [find: string, replace: string];
	/** A piece of the text with `|` where the cursor stands. */
	readonly at?: string;
	readonly method: string;
	readonly params?: Readonly<Record<string, unknown>>;
	/** Whether the answer is a change that is made; what is compared is the texts after it. */
	readonly applies?: boolean;
}

const BASE = 'layers/base.usda';
const PHYSICS = 'layers/physics.usda';
const ROOT = 'heron.usda';
const FORMAT = { options: { tabSize: 4, insertSpaces: true } };
const REFERENCES = { context: { includeDeclaration: true } };

/** What is done with the example robot Heron. */
export const SCENARIOS: readonly Scenario[] = [
	{ name: 'diagnostics of the robot as it is', file: ROOT, method: 'diagnostics' },
	{ name: 'diagnostics of a wrong axis', file: ROOT, edit: ['upAxis = "Z"', 'upAxis = "Y"'], method: 'diagnostics' },
	{
		name: 'diagnostics behind an emoji',
		file: ROOT,
		edit: ['upAxis = "Z"', '/* 😀 ü */ upAxis = "Y"'],
		method: 'diagnostics',
	},
	{ name: 'diagnostics of a missing bracket', file: BASE, edit: ['{', ''], method: 'diagnostics' },
	{
		name: 'diagnostics of a broken reference',
		file: ROOT,
		edit: ['@./layers/base.usda@', '@./layers/bass.usda@'],
		method: 'diagnostics',
	},
	{ name: 'hover over a prim', file: BASE, at: 'def Xform "he|ron"', method: 'textDocument/hover' },
	{ name: 'hover over a type', file: BASE, at: 'def Xfo|rm "heron"', method: 'textDocument/hover' },
	{ name: 'hover over metadata', file: ROOT, at: 'upA|xis = "Z"', method: 'textDocument/hover' },
	{ name: 'hover over a property', file: PHYSICS, at: 'float physics:ma|ss', method: 'textDocument/hover' },
	{ name: 'hover over a sublayer', file: ROOT, at: '@./layers/ba|se.usda@', method: 'textDocument/hover' },
	{
		name: 'definition of a body of a joint',
		file: PHYSICS,
		at: 'material:binding:physics = </heron/surfaces/plas|tic>',
		method: 'textDocument/definition',
	},
	{ name: 'definition of a prim', file: BASE, at: 'def Xform "he|ron"', method: 'textDocument/definition' },
	{ name: 'definition of a file', file: ROOT, at: '@./layers/ba|se.usda@', method: 'textDocument/definition' },
	{ name: 'declaration of a prim', file: PHYSICS, at: 'over "he|ron"', method: 'textDocument/declaration' },
	{
		name: 'references of a prim',
		file: BASE,
		at: 'def Xform "he|ron"',
		method: 'textDocument/references',
		params: REFERENCES,
	},
	{ name: 'highlights of a prim', file: PHYSICS, at: 'over "he|ron"', method: 'textDocument/documentHighlight' },
	{ name: 'symbols of a layer', file: PHYSICS, method: 'textDocument/documentSymbol' },
	{ name: 'symbols of the workspace', file: ROOT, method: 'workspace/symbol', params: { query: 'heron' } },
	{
		name: 'completion of a type',
		file: BASE,
		edit: ['def Xform "heron"', 'def \ndef Xform "heron"'],
		at: 'def |\n',
		method: 'textDocument/completion',
	},
	{
		name: 'completion of a key',
		file: ROOT,
		edit: ['upAxis = "Z"', 'upAxis = "Z"\n    met'],
		at: '    met|',
		method: 'textDocument/completion',
	},
	{ name: 'completion of a token', file: ROOT, at: 'upAxis = "|Z"', method: 'textDocument/completion' },
	{
		name: 'rename of a prim',
		file: BASE,
		at: 'def Xform "he|ron"',
		method: 'textDocument/rename',
		params: { newName: 'Egret' },
		applies: true,
	},
	{
		name: 'rename to a name that is none',
		file: BASE,
		at: 'def Xform "he|ron"',
		method: 'textDocument/rename',
		params: { newName: 'no name' },
	},
	{
		name: 'formatting of a layer',
		file: PHYSICS,
		edit: ['        over', '  over'],
		method: 'textDocument/formatting',
		params: FORMAT,
		applies: true,
	},
	{ name: 'folding of a layer', file: PHYSICS, method: 'textDocument/foldingRange' },
	{ name: 'links of a layer', file: ROOT, method: 'textDocument/documentLink' },
	{ name: 'lenses of a layer', file: BASE, method: 'textDocument/codeLens' },
	{ name: 'colours of materials', file: 'layers/materials.usda', method: 'textDocument/documentColor' },
	{ name: 'tokens of a layer', file: ROOT, method: 'textDocument/semanticTokens/full' },
	{ name: 'fix of everything', file: ROOT, edit: ['upAxis = "Z"', 'upAxis = "Y"'], method: 'fixAll', applies: true },
];
