import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Explanation, StageInspection } from '@manyworlds/usd';
import { expect, test } from 'vitest';
import { HERON, ROOT, runCli, temporaryFolder } from './run-cli.ts';

const layer = (text: string): string => `#usda 1.0\n${text}\n`;

/** A stage of three layers: sublayers with time offsets, a reference, a variant, an instance pair and a class. */
function smallStage(): string {
	const folder = temporaryFolder();
	const files: Record<string, string> = {
		'root.usda': layer(`(
    defaultPrim = "robot"
    subLayers = [@./strong.usda@, @./weak.usda@ (offset = 10; scale = 2)]
)
def Xform "robot" (
    kind = "component"
    variants = {
        string size = "large"
    }
    prepend variantSets = "size"
)
{
    variantSet "size" = {
        "large" {
            double reach = 2
        }
        "small" {
            double reach = 1
        }
    }
    def "left" (
        instanceable = true
        references = @./part.usda@</part>
    )
    {
    }
    def "right" (
        instanceable = true
        references = @./part.usda@</part>
    )
    {
    }
}`),
		'strong.usda': layer(`over "robot" (
    prepend apiSchemas = ["PhysicsMassAPI"]
    delete apiSchemas = ["PhysicsRigidBodyAPI"]
)
{
    float physics:mass = None
    double speed = 1
    append rel links = </robot/right>
    token visibility = "invisible"
}`),
		'weak.usda': layer(`over "robot" (
    prepend apiSchemas = ["PhysicsRigidBodyAPI", "UnknownAPI"]
    kind = "group"
)
{
    float physics:mass = 3
    double speed = 7
    double speed.timeSamples = {
        0: 5,
        10: 6,
    }
    double angle.timeSamples = {
        0: 0,
        10: 1,
    }
    rel links = </robot/left>
    double b.connect = </robot.speed>
}`),
		'part.usda': layer(
			'def Xform "part" (assetInfo = {\n    string name = "part"\n})\n{\n    def Cube "box"\n    {\n        double size = 3\n    }\n}',
		),
	};
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	return folder;
}

async function explain(path: string, ...args: string[]): Promise<string> {
	const { stdout, stderr, code } = await runCli(['explain', 'root.usda', path, ...args], { cwd: smallStage() });
	expect(stderr).toBe('');
	expect(code).toBe(0);
	return stdout;
}

async function explainJson(path: string, ...args: string[]): Promise<Explanation> {
	return JSON.parse(await explain(path, '--json', ...args)) as Explanation;
}

test('inspect --stage lists the composed tree with variants, arcs, instances and schemas', async () => {
	const { stdout, stderr, code } = await runCli(['inspect', 'root.usda', '--stage'], { cwd: smallStage() });
	expect(stderr).toBe('');
	expect(code).toBe(0);
	expect(stdout).toContain('root.usda  stage, 4 prims, 4 layers, 2 instances, 1 prototype\n');
	expect(stdout).toContain('  def Xform robot  (component)  [PhysicsMassAPI UnknownAPI?]  ');
	expect(stdout).toContain('      variantSet size = large  of large, small\n');
	expect(stdout).toContain('    def Xform left  instance of /__Prototype_1\n        reference @./part.usda@</part>\n');
	expect(stdout).toContain('  prototype __Prototype_1\n    def Cube box  1 property\n');
	expect(stdout).toContain('  arcs              references 2, variants 1\n');
});

test('inspect --stage --json has what the text has, and values at a time', async () => {
	const args = ['inspect', 'root.usda', '--stage', '--json', '--values', '--time', '20'];
	const { stdout } = await runCli(args, { cwd: smallStage() });
	const inspection = JSON.parse(stdout) as StageInspection;
	expect(inspection.layerStack).toEqual(['root.usda', 'strong.usda', 'weak.usda']);
	expect(inspection.otherLayers).toEqual(['part.usda']);
	const robot = inspection.prims[0]!;
	expect(robot).toMatchObject({
		path: '/robot',
		appliedSchemas: ['PhysicsMassAPI'],
		unknownSchemas: ['UnknownAPI'],
		variantSets: [{ name: 'size', variants: ['large', 'small'], selection: 'large' }],
	});
	const properties = Object.fromEntries(robot.properties!.map((property) => [property.name, property]));
	expect(properties['angle']).toEqual({ name: 'angle', typeName: 'double', value: 0.5, sampleCount: 2 });
	expect(properties['speed']?.value).toBe(1);
	expect(properties['links']?.targets).toEqual(['/robot/left', '/robot/right']);
	expect(properties['b']?.connections).toEqual(['/robot.speed']);
	const left = inspection.prims.find(({ path }) => path === '/robot/left')!;
	expect(left.arcs).toEqual([
		{
			arc: 'reference',
			layer: 'part.usda',
			path: '/part',
			assetPath: './part.usda',
			authored: { file: 'root.usda', line: 24, column: 23 },
		},
	]);
});

test('explain lists opinions by strength, the block and the fallback that counts', async () => {
	const explanation = await explainJson('/robot.physics:mass');
	expect(explanation).toMatchObject({
		subject: 'attribute',
		typeName: 'float',
		value: 0,
		source: 'fallback',
		isBlocked: true,
	});
	expect(explanation.opinions.map(({ file, line, column, role, value }) => [file, line, column, role, value])).toEqual([
		['strong.usda', 7, 5, 'block', null],
		['weak.usda', 7, 5, 'hidden', 3],
	]);
	expect(explanation.fallback).toEqual({ role: 'winner', schema: 'PhysicsMassAPI', value: 0 });
	expect(explanation.opinions[1]?.timeOffset).toEqual({ offset: 10, scale: 2 });
	const text = await explain('/robot.physics:mass');
	expect(text).toContain('value = 0, the fallback of its schema, because the value is blocked\n');
	expect(text).toContain('  x strong.usda:7:5  default = None (blocked)\n');
	expect(text).toContain('      time on the stage = time in the layer * 2 + 10\n');
});

test('explain tells a stronger default from weaker samples, at every time', async () => {
	const at = await explainJson('/robot.speed', '--time', '10');
	expect(at.value).toBe(1);
	expect(at.opinions.map(({ field, role }) => [field, role])).toEqual([
		['default', 'winner'],
		['timeSamples', 'hidden'],
		['default', 'hidden'],
	]);
	const angle = await explainJson('/robot.angle', '--time', '20');
	expect(angle).toMatchObject({ time: 20, value: 0.5, source: 'timeSamples' });
	const text = await explain('/robot.angle');
	expect(text).toContain('no value\n');
	expect(text).toContain('timeSamples = 2 samples from 0 to 10, first 0  at other times\n');
});

test('explain shows variants, references and proxies of instances with their arcs', async () => {
	expect(await explain('/robot.reach')).toContain(
		'  > root.usda:16:13  default = 2\n      at </robot{size=large}.reach>\n      by variant {size=large}\n',
	);
	const box = await explain('/robot/right/box.size');
	expect(box).toContain('  > part.usda:8:9  default = 3\n      at </part/box.size>\n');
	expect(box).toContain('      by reference @./part.usda@</part>, authored in root.usda:');
	expect(box).toContain('    schema Cube  fallback = 2\n');
});

test('explain combines relationship targets and connections', async () => {
	const links = await explain('/robot.links');
	expect(links).toContain('targets = </robot/left> </robot/right>\n');
	expect(links).toContain('  + strong.usda:9:5  append targetPaths = /robot/right\n');
	expect(links).toContain('  + weak.usda:17:5  targetPaths = /robot/left\n');
	const connected = await explain('/robot.b');
	expect(connected).toContain('connected to </robot.speed>\n');
});

test('explain of metadata: plain, lists, dictionaries, the stage, a property', async () => {
	expect(await explain('/robot:kind')).toContain(
		'  > root.usda:7:5  kind = "component"\n    weak.usda:4:5  kind = "group"\n',
	);
	const schemas = await explainJson('/robot', '--metadata', 'apiSchemas');
	expect(schemas.value).toEqual(['PhysicsMassAPI', 'UnknownAPI']);
	expect(schemas.opinions.map(({ role }) => role)).toEqual(['used', 'used']);
	expect((await explainJson('/robot/left:assetInfo')).value).toEqual({ name: 'part' });
	expect(await explain('/:defaultPrim')).toContain('  > root.usda:3:5  defaultPrim = "robot"\n');
	expect((await explainJson('/robot.visibility', '--metadata', 'typeName')).value).toBe('token');
	expect(await explain('/robot:nothing')).toContain('No layer and no schema says anything about it.\n');
});

test('explain of a prim lists its specs', async () => {
	const text = await explain('/robot');
	expect(text).toContain(
		'Specs, strongest first\n    root.usda:6:11  def Xform  +kind +variantSelection +variantSetNames\n',
	);
	expect(text).toContain('    strong.usda:2:6  over  +apiSchemas\n');
});

test.each([
	[
		'/robot.physics:mas',
		"the prim </robot> has no property 'physics:mas'; it has 'physics:centerOfMass', 'physics:mass'",
	],
	['/robot/lef', "there is no prim </robot/lef>: </robot> has the children 'left'"],
	['robot', "'robot' is not a path of a prim or property"],
	['/robot{size=large}', 'is not a path of a prim or property'],
])('explain of %s says what there is instead', async (path, message) => {
	const { stderr, stdout, code } = await runCli(['explain', 'root.usda', path], { cwd: smallStage() });
	expect(stdout).toBe('');
	expect(stderr).toContain(`error CLI013: `);
	expect(stderr).toContain(message);
	expect(code).toBe(2);
});

test('flatten writes usda to stdout, and by extension to files that compose to the same', async () => {
	const cwd = smallStage();
	const text = await runCli(['flatten', 'root.usda'], { cwd });
	expect(text.code).toBe(0);
	expect(text.stdout).toContain('over "Flattened_Prototype_1"');
	expect(text.stdout).toContain('append references = </Flattened_Prototype_1>');
	expect(text.stdout).toContain('    float physics:mass = None\n');
	expect(text.stdout).not.toContain('subLayers');
	for (const name of ['flat.usda', 'flat.usdc']) {
		expect((await runCli(['flatten', 'root.usda', '-o', name], { cwd })).code).toBe(0);
		expect((await runCli(['convert', name, `again-${name}.usda`], { cwd })).code).toBe(0);
		expect(readFileSync(join(cwd, `again-${name}.usda`), 'utf8')).toBe(text.stdout);
	}
	const explained = await runCli(['explain', 'flat.usda', '/robot.angle', '--time', '20'], { cwd });
	expect(explained.stdout).toContain('value at time 20 = 0.5\n');
});

test('flatten --layer-stack keeps arcs and moves times', async () => {
	const { stdout, code } = await runCli(['flatten', 'root.usda', '--layer-stack'], { cwd: smallStage() });
	expect(code).toBe(0);
	expect(stdout).toContain('references = @./part.usda@</part>');
	expect(stdout).toContain('variantSet "size" = {');
	expect(stdout).toContain('double angle.timeSamples = {\n        10: 0,\n        30: 1,\n    }');
	// the default of the stronger layer hides the samples of the weaker one
	expect(stdout).not.toContain('speed.timeSamples');
	expect(stdout).not.toContain('subLayers');
});

test('flatten names files as seen from the output, or by absolute paths', async () => {
	const cwd = temporaryFolder();
	mkdirSync(join(cwd, 'robot/textures'), { recursive: true });
	writeFileSync(join(cwd, 'robot/textures/skin.png'), 'png');
	writeFileSync(join(cwd, 'robot/root.usda'), layer('def "a"\n{\n    asset skin = @./textures/skin.png@\n}'));
	const flatten = async (...args: string[]): Promise<string> =>
		(await runCli(['flatten', 'robot/root.usda', ...args], { cwd })).stdout;
	expect(await flatten()).toContain('asset skin = @./robot/textures/skin.png@');
	expect(await flatten('--absolute-paths')).toContain(`asset skin = @${join(cwd, 'robot/textures/skin.png')}@`);
	await flatten('-o', 'out/flat.usda');
	expect(readFileSync(join(cwd, 'out/flat.usda'), 'utf8')).toContain('@../robot/textures/skin.png@');
	const refused = await runCli(['flatten', 'robot/root.usda', '-o', 'flat.usdz'], { cwd });
	expect(refused.stderr).toContain('error CLI005');
	expect(refused.code).toBe(2);
});

test('payloads can stay unloaded', async () => {
	const cwd = temporaryFolder();
	writeFileSync(join(cwd, 'root.usda'), layer('def "a" (payload = @./p.usda@</p>)\n{\n}'));
	writeFileSync(join(cwd, 'p.usda'), layer('def "p"\n{\n    def "below"\n    {\n    }\n}'));
	expect((await runCli(['inspect', 'root.usda', '--stage'], { cwd })).stdout).toContain('def below');
	const { stdout } = await runCli(['inspect', 'root.usda', '--stage', '--no-payloads'], { cwd });
	expect(stdout).toContain('def a  payload not loaded\n');
	expect(stdout).not.toContain('below');
});

test('options about composition need --stage', async () => {
	const { code, stdout, stderr } = await runCli(['inspect', HERON, '--time', '1']);
	expect(stdout).toBe('');
	expect(stderr).toContain(
		'error CLI006: --root, --package, --no-payloads and --time are about what a file composes to',
	);
	expect(code).toBe(2);
});

test('the example robot is the same as a package', async () => {
	const cwd = temporaryFolder();
	expect((await runCli(['convert', join(ROOT, HERON), 'heron.usdz'], { cwd })).code).toBe(0);
	const tree = (text: string): string => text.slice(text.indexOf('Tree'));
	const plain = await runCli(['inspect', HERON, '--stage']);
	const packed = await runCli(['inspect', 'heron.usdz', '--stage'], { cwd });
	expect(packed.stderr).toBe('');
	expect(tree(packed.stdout)).toBe(tree(plain.stdout));
});
