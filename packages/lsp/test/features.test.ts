import { Report } from '@manyworlds/core';
import { readUsda } from '@manyworlds/usd';
import { afterEach, expect, test } from 'vitest';
import type {
	CodeAction,
	CodeLens,
	ColorInformation,
	CompletionItem,
	CompletionList,
	DocumentLink,
	DocumentSymbol,
	FoldingRange,
	Hover,
	InlayHint,
	LocationLink,
	SelectionRange,
	SemanticTokens,
	SemanticTokensDelta,
	SymbolInformation,
	TextEdit,
	TypeHierarchyItem,
	WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { applyEdits, TestClient } from './support/test-client.ts';

let client: TestClient;
afterEach(() => client.stop());

async function start(files: Record<string, string>): Promise<void> {
	client = await TestClient.start(files);
	for (const name of Object.keys(files)) await client.open(name);
}

async function complete(name: string, piece: string): Promise<CompletionItem[]> {
	return (await client.at<CompletionList>('textDocument/completion', name, piece)).items;
}

async function labels(name: string, piece: string): Promise<string[]> {
	return (await complete(name, piece)).map(({ label }) => label);
}

const BOX = `#usda 1.0
(
    defaultPrim = "World"
    upAxis = "Z"
    metersPerUnit = 1
)

def Xform "World"
{
    def Cube "Box" (
        prepend apiSchemas = ["PhysicsMassAPI", ""]
        kind = ""
    )
    {
        float physics:
        token purpose = ""
        color3f[] primvars:displayColor = [(1, 0, 0)]
        color3f inputs:tint = (0.5, 0.25, 1)
        rel near = <>
        rel far = </World/>
    }

    def Sphere "Ball"
    {
        float physics:
    }

    def 
}
`;

test('attributes of an API schema are offered only where it is applied', async () => {
	await start({ 'box.usda': BOX });
	const own = await complete('box.usda', 'inputs:tint = (0.5, 0.25, 1)\n       | ');
	const mass = own.find(({ label }) => label === 'physics:mass');
	expect(mass).toMatchObject({ insertText: 'float physics:mass = ', detail: 'float [kg]' });
	expect(await labels('box.usda', 'Ball"\n    {\n        |float')).not.toContain('physics:mass');
	expect(await labels('box.usda', 'Ball"\n    {\n        |float')).toContain('radius');
});

test('values offered are the tokens of exactly that attribute', async () => {
	await start({ 'box.usda': BOX });
	expect(await labels('box.usda', 'purpose = "|"')).toEqual(['default', 'render', 'proxy', 'guide']);
	expect(await labels('box.usda', 'kind = "|"')).toContain('component');
	expect(await labels('box.usda', 'upAxis = "|Z"')).toEqual(['Y', 'Z']);
	expect(await labels('box.usda', 'defaultPrim = "|World"')).toEqual(['World']);
});

test('schemas offered can be applied and are not yet', async () => {
	await start({ 'box.usda': BOX });
	const found = await labels('box.usda', '"PhysicsMassAPI", "|"');
	expect(found).toContain('PhysicsRigidBodyAPI');
	expect(found).toContain('PhysicsDriveAPI:angular');
	expect(found).not.toContain('PhysicsMassAPI');
	expect(await labels('box.usda', 'def |\n')).toContain('PhysicsRevoluteJoint');
});

test('paths are completed by walking the stage, asset paths by walking the folder', async () => {
	await start({
		'box.usda': BOX,
		'scene.usda':
			'#usda 1.0\ndef "Root" (\n    references = @@\n)\n{\n    def "a"\n    {\n    }\n    rel to = </Root/>\n}\n',
		'parts/wheel.usda': '#usda 1.0\n',
	});
	expect(await labels('box.usda', 'rel far = </World/|>')).toEqual(['Box', 'Ball']);
	expect(await labels('scene.usda', 'rel to = </Root/|>')).toEqual(['a']);
	expect((await labels('scene.usda', 'references = @|@')).sort()).toEqual(['box.usda', 'parts/']);
});

test('metadata keys are offered where they can stand, each once', async () => {
	await start({
		'a.usda': '#usda 1.0\n(\n    upAxis = "Z"\n    \n)\n\ndef "A" (\n    kind = "group"\n    \n)\n{\n}\n',
	});
	const layer = await labels('a.usda', 'upAxis = "Z"\n   | ');
	expect(layer).toContain('metersPerUnit');
	expect(layer).not.toContain('upAxis');
	const prim = await labels('a.usda', 'kind = "group"\n   | ');
	expect(prim).toContain('apiSchemas');
	expect(prim).not.toContain('metersPerUnit');
});

test('symbols are the tree of prims; a client without trees gets a list', async () => {
	await start({ 'box.usda': BOX });
	const [world] = await client.in<DocumentSymbol[]>('textDocument/documentSymbol', 'box.usda');
	expect(world!.name).toBe('World');
	expect(world!.children!.map(({ name }) => name).slice(0, 2)).toEqual(['Box', 'Ball']);
	const found = await client.connection.sendRequest<SymbolInformation[]>('workspace/symbol', { query: 'bx' });
	expect(found.map(({ name }) => name)).toEqual(['Box']);
});

test('tokens after an edit are sent as the difference and give the same as all of them', async () => {
	await start({ 'box.usda': BOX });
	const first = await client.in<SemanticTokens>('textDocument/semanticTokens/full', 'box.usda');
	await client.edit('box.usda', 'def Sphere "Ball"', 'def Sphere "Rolling_Ball_😀"');
	const delta = await client.in<SemanticTokensDelta>('textDocument/semanticTokens/full/delta', 'box.usda', {
		previousResultId: first.resultId,
	});
	expect(delta.edits.length).toBeGreaterThan(0);
	const data = [...first.data];
	for (const { start: at, deleteCount, data: added = [] } of [...delta.edits].reverse())
		data.splice(at, deleteCount, ...added);
	const whole = await client.in<SemanticTokens>('textDocument/semanticTokens/full', 'box.usda');
	expect(data).toEqual(whole.data);
	expect(delta.edits.flatMap((one) => one.data ?? []).length).toBeLessThan(whole.data.length / 4);
});

test('formatting keeps comments and meaning, and does nothing twice', async () => {
	const text =
		'#usda 1.0\n\n\n\ndef Xform "A"   # why\n{\n      double x = 1\n  // more\n    string s = """a\n  b"""\ndef "B" (\n kind = "group"\n)\n{\n}\n}\n';
	await start({ 'a.usda': text });
	const options = { options: { tabSize: 4, insertSpaces: true } };
	const edits = await client.in<TextEdit[]>('textDocument/formatting', 'a.usda', options);
	const once = applyEdits(client.texts.get('a.usda')!.text, edits);
	expect(once).toBe(
		'#usda 1.0\n\ndef Xform "A"   # why\n{\n    double x = 1\n    // more\n    string s = """a\n  b"""\n    def "B" (\n        kind = "group"\n    )\n    {\n    }\n}\n',
	);
	await client.replace('a.usda', 0, new TextEncoder().encode(text).length, once);
	expect(await client.in<TextEdit[]>('textDocument/formatting', 'a.usda', options)).toEqual([]);
});

test('formatting a part changes the prim around it only', async () => {
	await start({ 'a.usda': '#usda 1.0\ndef "A"\n{\n  double x = 1\n}\ndef "B"\n{\n  double x = 1\n}\n' });
	const position = client.position('a.usda', '"B"\n{\n  |double');
	const edits = await client.in<TextEdit[]>('textDocument/rangeFormatting', 'a.usda', {
		range: { start: position, end: position },
		options: { tabSize: 4, insertSpaces: true },
	});
	expect(applyEdits(client.texts.get('a.usda')!.text, edits)).toBe(
		'#usda 1.0\ndef "A"\n{\n  double x = 1\n}\ndef "B"\n{\n    double x = 1\n}\n',
	);
});

test('the lens over a layer names the stage it is checked with, and another can be chosen', async () => {
	const scene =
		'#usda 1.0\n(\n    defaultPrim = "S"\n)\ndef "S" (\n    references = @./part.usda@</P>\n)\n{\n    rel p = </S/a>\n}\n';
	await start({
		'part.usda': '#usda 1.0\ndef "P"\n{\n    def "a"\n    {\n    }\n}\n',
		'one.usda': scene,
		'two.usda': scene,
	});
	const lenses = await client.in<CodeLens[]>('textDocument/codeLens', 'part.usda');
	expect(lenses[0]!.command!.title).toBe('checked as part of one.usda, 2 stages');
	expect(lenses.some(({ command }) => command?.title === '1 path leads here')).toBe(true);
	await client.connection.sendRequest('workspace/executeCommand', {
		command: 'manyworlds.chooseStage',
		arguments: [client.uri('part.usda'), client.uri('two.usda')],
	});
	const [chosen] = await client.in<CodeLens[]>('textDocument/codeLens', 'part.usda');
	expect(chosen!.command!.title).toBe('checked as part of two.usda, 2 stages');
});

test('an overridden value has a hint with what wins; colours, links, folding and selections are found', async () => {
	const base = '#usda 1.0\ndef "A"\n{\n    double x = 1\n    color3f tint = (0.5, 0.25, 1)\n}\n';
	const over = '#usda 1.0\n(\n    subLayers = [\n        @./base.usda@\n    ]\n)\nover "A"\n{\n    double x = 2\n}\n';
	await start({ 'base.usda': base, 'over.usda': over });
	const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
	const hints = await client.in<InlayHint[]>('textDocument/inlayHint', 'base.usda', { range });
	expect(hints.map(({ label }) => label)).toEqual(['2 in over.usda wins']);
	expect(await client.in<InlayHint[]>('textDocument/inlayHint', 'over.usda', { range })).toEqual([]);
	const [colour] = await client.in<ColorInformation[]>('textDocument/documentColor', 'base.usda');
	expect(colour!.color).toEqual({ red: 0.5, green: 0.25, blue: 1, alpha: 1 });
	const [link] = await client.in<DocumentLink[]>('textDocument/documentLink', 'over.usda');
	expect(link!.target).toBe(client.uri('base.usda'));
	const folds = await client.in<FoldingRange[]>('textDocument/foldingRange', 'over.usda');
	expect(folds).toContainEqual({ startLine: 1, endLine: 4 });
	const [chosen] = await client.in<SelectionRange[]>('textDocument/selectionRange', 'base.usda', {
		positions: [client.position('base.usda', 'double |x = 1')],
	});
	const texts: string[] = [];
	for (let at: SelectionRange | undefined = chosen; at !== undefined; at = at.parent)
		texts.push(client.textOf(client.uri('base.usda'), at.range));
	expect(texts.slice(0, 2)).toEqual(['x', 'double x = 1']);
	expect(texts.at(-1)).toBe(base);
});

test('schemas have a hierarchy', async () => {
	await start({ 'a.usda': '#usda 1.0\ndef Cube "A"\n{\n}\n' });
	const [item] = await client.at<TypeHierarchyItem[]>('textDocument/prepareTypeHierarchy', 'a.usda', 'def Cu|be');
	const above = await client.connection.sendRequest<TypeHierarchyItem[]>('typeHierarchy/supertypes', { item });
	expect(above.map(({ name }) => name)).toEqual(['Gprim']);
	const below = await client.connection.sendRequest<TypeHierarchyItem[]>('typeHierarchy/subtypes', { item: above[0] });
	expect(below.map(({ name }) => name)).toContain('Cube');
});

test('fixes of a finding are those of the command, with a version; unsafe ones are marked', async () => {
	const text =
		'#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n\n# kept\ndef Xform "R"\n{\n}\n';
	await start({ 'r.usda': text });
	const diagnostics = await client.diagnostics('r.usda');
	const fixable = diagnostics.filter(({ data }) => (data as { family?: string }).family !== undefined);
	expect(fixable.length).toBeGreaterThan(0);
	const range = { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } };
	const actions = await client.in<CodeAction[]>('textDocument/codeAction', 'r.usda', {
		range,
		context: { diagnostics: fixable },
	});
	const preferred = actions.filter(({ isPreferred }) => isPreferred === true);
	expect(preferred.length).toBeGreaterThan(0);
	for (const { edit, kind, diagnostics: about } of preferred) {
		expect(kind).toBe('quickfix');
		expect(about!.length).toBeGreaterThan(0);
		const after = client.applied(edit!).get('r.usda')!;
		expect(after).toContain('# kept');
		const report = new Report();
		readUsda(new TextEncoder().encode(after), { report });
		expect(report.size).toBe(0);
	}
	expect(
		actions.filter(({ isPreferred }) => isPreferred === false).every(({ title }) => title.includes('unsafe')),
	).toBe(true);
});

const ARM = `<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="tip"/>
  <joint name="turn" type="revolute">
    <parent link="base"/>
    <child link="tip"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="follow" type="fixed">
    <parent link="missing"/>
    <child link=""/>
    <mimic joint="turn"/>
  </joint>
</robot>
`;

test('URDF: names lead to what they name, are renamed with their uses and completed', async () => {
	await start({ 'arm.urdf': ARM });
	const [link] = await client.at<LocationLink[]>('textDocument/definition', 'arm.urdf', '<mimic joint="tu|rn"');
	expect(link!.targetSelectionRange.start.line).toBe(4);
	const edit = await client.at<WorkspaceEdit>('textDocument/rename', 'arm.urdf', '<link name="ba|se"', {
		newName: 'foot',
	});
	const after = client.applied(edit).get('arm.urdf')!;
	expect(after).toContain('<link name="foot"/>');
	expect(after).toContain('<parent link="foot"/>');
	expect(after).toContain('<robot name="arm">');
	expect(await labels('arm.urdf', '<child link="|"/>')).toEqual(['base', 'tip']);
	expect(await labels('arm.urdf', '<joint name="turn" type="|revolute"')).toContain('prismatic');
	const symbols = await client.in<DocumentSymbol[]>('textDocument/documentSymbol', 'arm.urdf');
	expect(symbols.map(({ name }) => name)).toEqual(['base', 'tip', 'turn', 'follow']);
	const found = await client.diagnostics('arm.urdf');
	expect(
		found.some(({ message }) => String(message).includes('missing')),
		found.map(({ message }) => message).join(),
	).toBe(true);
});

test('xacro: templates are told apart and not checked', async () => {
	await start({
		'arm.urdf':
			'<robot name="a" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:include filename="x"/><link name="$(arg p)"/></robot>',
	});
	expect((await client.diagnostics('arm.urdf')).map(({ code }) => code)).toEqual(['LSP002']);
});

const WALKER = `<mujoco model="w">
  <default>
    <default class="leg">
      <geom size="0.1" rgba="1 0 0 1"/>
    </default>
  </default>
  <worldbody>
    <body name="torso" childclass="leg">
      <joint name="hip" type="hinge"/>
      <geom type="sphere"/>
    </body>
  </worldbody>
  <actuator>
    <motor name="m" joint="hip"/>
    <motor name="n" joint=""/>
  </actuator>
</mujoco>
`;

test('MJCF: actuators lead to joints, and hovering shows values with their classes', async () => {
	await start({ 'w.xml': WALKER });
	const [link] = await client.at<LocationLink[]>('textDocument/definition', 'w.xml', 'name="m" joint="hi|p"');
	expect(link!.targetSelectionRange.start.line).toBe(8);
	const hover = await client.at<Hover>('textDocument/hover', 'w.xml', '<geo|m type="sphere"');
	expect((hover.contents as { value: string }).value).toContain('`size="0.1"` from class leg, line 4');
	expect(await labels('w.xml', 'name="n" joint="|"')).toEqual(['hip']);
	expect(await labels('w.xml', '<worldbody>\n    <|body')).toContain('geom');
	const [definition] = await client.at<LocationLink[]>('textDocument/definition', 'w.xml', 'childclass="le|g"');
	expect(definition!.targetSelectionRange.start.line).toBe(2);
});

test('other XML is left alone', async () => {
	await start({ 'pom.xml': '<project><a b="c"/></project>' });
	expect(await client.diagnostics('pom.xml')).toEqual([]);
	expect(await client.in('textDocument/documentSymbol', 'pom.xml')).toBeNull();
});

const SCENE = `simulation:
  dt: 0.002
  solver:
    type: sap
bodies:
  - name: box
    shapes:
      - type: box
        hx: 0.1
        
`;

test('scenes: keys and values come from the schema, mistakes have their place', async () => {
	await start({ 'box.scene.yaml': SCENE });
	const keys = await labels('box.scene.yaml', '        hx: 0.1\n        |');
	expect(keys).toContain('hy');
	expect(keys).not.toContain('hx');
	expect(await labels('box.scene.yaml', 'simulation:\n  |dt')).toContain('num_worlds');
	await client.edit('box.scene.yaml', 'dt: 0.002', 'dtt: 0.002');
	const found = await client.diagnostics('box.scene.yaml');
	const wrong = found.find(({ message }) => String(message).includes('dtt'));
	expect(wrong, found.map(({ message }) => message).join()).toBeDefined();
	expect(client.textOf(client.uri('box.scene.yaml'), wrong!.range)).toBe('dtt');
});

test('plans of sweeps: keys come from their schema, mistakes have their place; other YAML is left alone', async () => {
	const plan =
		'version: 1\nname: drop\nscene: box.yaml\nruns: { sampler: { kind: lhs, count: 16 } }\nparameterss:\n  a: { option: dt, choices: [1] }\n';
	await start({ 'drop.yaml': plan, 'compose.yaml': 'services:\n  a:\n    image: b\n' });
	const found = await client.diagnostics('drop.yaml');
	const wrong = found.find(({ message }) => String(message).includes('parameterss'));
	expect(wrong, found.map(({ message }) => message).join()).toBeDefined();
	expect(client.textOf(client.uri('drop.yaml'), wrong!.range)).toBe('parameterss');
	expect(await labels('drop.yaml', 'version: 1\n|name')).toContain('parameters');
	expect(await client.diagnostics('compose.yaml')).toEqual([]);
});
