import { afterEach, expect, test } from 'vitest';
import type { Hover, Location, LocationLink, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { TestClient } from './support/test-client.ts';

let client: TestClient;
afterEach(() => client.stop());

const PART = `#usda 1.0
(
    defaultPrim = "Part"
)

def Xform "Part"
{
    # the string "/Part/arm" stays
    def Xform "arm" (
        doc = "see /Part/arm"
    )
    {
        double size = 1
        def Cube "hand"
        {
        }
    }

    rel hand = </Part/arm/hand>
}
`;

const SCENE = `#usda 1.0
(
    defaultPrim = "Scene"
    relocates = {
        <Scene/left/arm/hand>: <Scene/left/grip>
    }
)

def Xform "Scene"
{
    def "left" (
        references = @./part.usda@</Part>
    )
    {
        over "arm"
        {
            double size = 2
        }
    }

    def "right" (
        prepend references = @./part.usda@</Part>
        prepend variantSets = "tool"
        variants = {
            string tool = "none"
        }
    )
    {
        variantSet "tool" = {
            "none" {
            }
            "drill" {
                def Cylinder "drill"
                {
                }

                rel uses = </Scene/right/drill>
            }
        }
    }

    def Xform "arm"
    {
    }

    rel a = </Scene/left/arm>
    rel b = </Scene/left/grip>
    rel c = </Scene/right/arm.size>
    rel d = <left/arm>
    rel own = </Scene/arm>
}
`;

async function start(files: Record<string, string> = { 'scene.usda': SCENE, 'part.usda': PART }): Promise<void> {
	client = await TestClient.start(files, { isIdle: true });
	for (const name of Object.keys(files)) await client.open(name);
}

/** Where a definition leads: file, line and the name there. */
async function definition(name: string, piece: string): Promise<string[]> {
	const links = await client.at<LocationLink[]>('textDocument/definition', name, piece);
	return links.map(({ targetUri, targetSelectionRange }) => {
		const line = client.textOf(targetUri, {
			start: { line: targetSelectionRange.start.line, character: 0 },
			end: targetSelectionRange.end,
		});
		return `${targetUri.split('/').at(-1)}: ${line.trim()}`;
	});
}

test('a path through a reference with another root leads to all specs, strongest first', async () => {
	await start();
	expect(await definition('scene.usda', 'rel a = </Scene/left/ar|m>')).toEqual([
		'scene.usda: over "arm',
		'part.usda: def Xform "arm',
	]);
	expect(await definition('scene.usda', 'rel own = </Scene/ar|m>')).toEqual(['scene.usda: def Xform "arm']);
});

test('a relocated prim is found where it was written, and a property where it is', async () => {
	await start();
	expect(await definition('scene.usda', 'rel b = </Scene/left/gri|p>')).toEqual(['part.usda: def Cube "hand']);
	expect(await definition('scene.usda', '/right/arm.si|ze>')).toEqual(['part.usda: double size']);
});

test('a path of a referenced layer means another one on the stage', async () => {
	await start();
	expect(await definition('part.usda', 'rel hand = </Part/arm/han|d>')).toEqual(['part.usda: def Cube "hand']);
	expect(await definition('part.usda', 'rel hand = </Part/ar|m/hand>')).toEqual([
		'scene.usda: over "arm',
		'part.usda: def Xform "arm',
	]);
});

test('a target that only an unselected variant defines is found', async () => {
	await start();
	expect(await definition('scene.usda', 'rel uses = </Scene/right/dril|l>')).toEqual([
		'scene.usda: def Cylinder "drill',
	]);
});

test('asset paths and arcs lead to files and to prims in them', async () => {
	await start();
	const [file] = await client.at<LocationLink[]>('textDocument/definition', 'scene.usda', '@./par|t.usda@</Part>');
	expect(file?.targetUri).toBe(client.uri('part.usda'));
	expect(await definition('scene.usda', '@./part.usda@</Par|t>')).toEqual(['part.usda: def Xform "Part']);
});

test('references are those of the prim on the stage, not of its name', async () => {
	await start();
	const found = await client.at<Location[]>('textDocument/references', 'scene.usda', 'rel a = </Scene/left/ar|m>', {
		context: { includeDeclaration: false },
	});
	const texts = found.map(({ uri, range }) => `${uri.split('/').at(-1)} ${client.textOf(uri, range)}`).sort();
	expect(texts).toEqual(['scene.usda /Scene/left/arm', 'scene.usda left/arm']);
});

test('hovering a weaker opinion names the winner and its layer', async () => {
	await start();
	const { contents } = await client.at<Hover>('textDocument/hover', 'part.usda', 'double si|ze = 1');
	const { value } = contents as { value: string };
	expect(value).toContain('value: `2`');
	expect(value).toMatch(/\*\*wins\*\* \[scene\.usda:\d+\].*`2`/);
	expect(value).toMatch(/hidden \[part\.usda:\d+\].*`1`/);
});

test('hovering a prim tells its type, schemas and variants; a schema its properties', async () => {
	await start({ 'a.usda': '#usda 1.0\ndef Cube "Box" (\n    apiSchemas = ["PhysicsMassAPI"]\n)\n{\n}\n' });
	const prim = await client.at<Hover>('textDocument/hover', 'a.usda', 'def Cube "Bo|x"');
	expect((prim.contents as { value: string }).value).toMatch(/\*\*def Cube\*\*[\s\S]*PhysicsMassAPI/);
	const schema = await client.at<Hover>('textDocument/hover', 'a.usda', '"PhysicsMass|API"');
	expect((schema.contents as { value: string }).value).toContain('physics:mass');
});

test('renaming changes specs and paths of all layers, and no comment or string', async () => {
	await start();
	const edit = await client.at<WorkspaceEdit>('textDocument/rename', 'part.usda', 'def Xform "ar|m"', {
		newName: 'boom',
	});
	const files = client.applied(edit);
	const part = files.get('part.usda')!;
	expect(part).toContain('def Xform "boom"');
	expect(part).toContain('# the string "/Part/arm" stays');
	expect(part).toContain('doc = "see /Part/arm"');
	expect(part).toContain('rel hand = </Part/boom/hand>');
	const scene = files.get('scene.usda')!;
	expect(scene).toContain('<Scene/left/boom/hand>: <Scene/left/grip>');
	expect(scene).toContain('over "boom"');
	expect(scene).toContain('rel a = </Scene/left/boom>');
	expect(scene).toContain('rel c = </Scene/right/boom.size>');
	expect(scene).toContain('rel d = <left/boom>');
	expect(scene).toContain('rel own = </Scene/arm>');
	expect(scene).toContain('    def Xform "arm"');
});

test('renaming reaches variants that are not selected', async () => {
	await start();
	const edit = await client.at<WorkspaceEdit>('textDocument/rename', 'scene.usda', 'def "ri|ght"', {
		newName: 'other',
	});
	expect(client.applied(edit).get('scene.usda')).toContain('rel uses = </Scene/other/drill>');
	const inside = await client.at<WorkspaceEdit>('textDocument/rename', 'scene.usda', 'def Cylinder "dri|ll"', {
		newName: 'bit',
	});
	const scene = client.applied(inside).get('scene.usda')!;
	expect(scene).toContain('def Cylinder "bit"');
	expect(scene).toContain('rel uses = </Scene/right/bit>');
	expect(scene).toContain('"drill" {');
});

test('renaming reaches layers that only a variant which is not selected brings', async () => {
	const tool = '#usda 1.0\n(\n    defaultPrim = "Tool"\n)\ndef Xform "Tool"\n{\n    def Cube "bit"\n    {\n    }\n}\n';
	const robot =
		'#usda 1.0\n(\n    defaultPrim = "R"\n)\ndef Xform "R" (\n    variants = {\n        string tool = "none"\n    }\n    prepend variantSets = "tool"\n)\n{\n    variantSet "tool" = {\n        "none" {\n        }\n        "drill" {\n            def "hand" (\n                references = @./tool.usda@\n            )\n            {\n                rel tip = </R/hand/bit>\n            }\n        }\n    }\n}\n';
	await start({ 'tool.usda': tool, 'robot.usda': robot });
	const edit = await client.at<WorkspaceEdit>('textDocument/rename', 'tool.usda', 'def Cube "bi|t"', {
		newName: 'tip',
	});
	const files = client.applied(edit);
	expect(files.get('tool.usda')).toContain('def Cube "tip"');
	expect(files.get('robot.usda')).toContain('rel tip = </R/hand/tip>');
});

test('renaming a relocated prim changes where it goes, not where it comes from', async () => {
	await start();
	const edit = await client.at<WorkspaceEdit>('textDocument/rename', 'scene.usda', 'rel b = </Scene/left/gri|p>', {
		newName: 'claw',
	});
	const files = client.applied(edit);
	expect([...files.keys()]).toEqual(['scene.usda']);
	expect(files.get('scene.usda')).toContain('<Scene/left/arm/hand>: <Scene/left/claw>');
	expect(files.get('scene.usda')).toContain('rel b = </Scene/left/claw>');
});

test('renaming a property follows its opinions and connections; that of a schema is refused', async () => {
	await start();
	const edit = await client.at<WorkspaceEdit>('textDocument/rename', 'scene.usda', 'double si|ze = 2', {
		newName: 'length',
	});
	const files = client.applied(edit);
	expect(files.get('part.usda')).toContain('double length = 1');
	expect(files.get('scene.usda')).toContain('double length = 2');
	expect(files.get('scene.usda')).toContain('</Scene/right/arm.length>');
	await client.open('b.usda', '#usda 1.0\ndef Cube "Box"\n{\n    double size = 1\n}\n');
	await expect(client.at('textDocument/rename', 'b.usda', 'double si|ze', { newName: 'x' })).rejects.toThrow(
		/schema Cube/,
	);
});

test('a name that is taken in some layer or variant is refused with the place', async () => {
	await start();
	await expect(client.at('textDocument/rename', 'scene.usda', 'over "ar|m"', { newName: 'grip' })).rejects.toThrow(
		/left\/grip> is there already/,
	);
	await expect(client.at('textDocument/rename', 'part.usda', 'def Xform "ar|m"', { newName: 'drill' })).rejects.toThrow(
		/drill> is there already/,
	);
	await expect(
		client.at('textDocument/rename', 'part.usda', 'def Xform "ar|m"', { newName: 'no name' }),
	).rejects.toThrow(/no name/);
});

test('renaming the default prim changes the layer and those that refer to it', async () => {
	await start();
	const edit = await client.at<WorkspaceEdit>('textDocument/rename', 'part.usda', 'def Xform "Pa|rt"', {
		newName: 'Piece',
	});
	const files = client.applied(edit);
	expect(files.get('part.usda')).toContain('defaultPrim = "Piece"');
	expect(files.get('scene.usda')!.match(/@<\/Piece>/g)).toHaveLength(2);
});

test('moving a file changes the asset paths that lead to it, and its own', async () => {
	await start();
	const edit = await client.connection.sendRequest<WorkspaceEdit>('workspace/willRenameFiles', {
		files: [{ oldUri: client.uri('part.usda'), newUri: client.uri('parts/piece.usda') }],
	});
	expect(
		client
			.applied(edit)
			.get('scene.usda')!
			.match(/@\.\/parts\/piece\.usda@/g),
	).toHaveLength(2);
});
