import { decodeImage, encodePng, type Raster } from '@manyworlds/image';
import { type Prim, readUsda } from '@manyworlds/usd';
import { shaderId, surfaceShader } from '@manyworlds/usd/internal';
import { describe, expect, it } from 'vitest';
import { nodeValue, samplerOf } from '../../src/shading/node-values.ts';
import { type Files, fixMemory, openMemory } from './memory-asset.ts';

const HEAD = '#usda 1.0\n(\n    defaultPrim = "R"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n';

function material(nodes: string, terminal = 'outputs:surface', output = 'outputs:out'): string {
	return `${HEAD}def Xform "R" {\ndef Material "m" {\ntoken ${terminal}.connect = </R/m/s.${output}>\n${nodes}\n}\n}\n`;
}

function fix(files: Files, family: 'F32' | 'F33' | 'F34' | 'F35'): ReturnType<typeof fixMemory> {
	const options = { only: [family], unsafe: true } as const;
	const result = fixMemory(files, 'a.usda', options);
	expect(fixMemory(result.after, 'a.usda', options).plan.items).toEqual([]);
	return result;
}

/** A PNG of 8 bits whose red grows to the right and green upwards. */
function picture(width = 4, height = 4): Uint8Array {
	const samples = new Uint8Array(width * height * 3);
	for (let i = 0; i < width * height; i++) {
		samples[3 * i] = Math.round((255 * ((i % width) + 0.5)) / width);
		samples[3 * i + 1] = Math.round(255 * (1 - (Math.floor(i / width) + 0.5) / height));
		samples[3 * i + 2] = 100;
	}
	return encodePng({ width, height, channels: 3, samples });
}

/** What an input of the surface is worth at a point. */
function valueAt(files: Files, input: string, u = 0.625, v = 0.375): number[] {
	const { stage } = openMemory(files, 'a.usda');
	const surface = surfaceShader(stage.prim('/R/m')!)!;
	expect(shaderId(surface)).toBe('UsdPreviewSurface');
	const value = nodeValue(surface.attribute(`inputs:${input}`));
	if (value === undefined) return [];
	const read = (name: string): Raster => {
		const image = decodeImage(files[name.replace('./', '')] as Uint8Array);
		if ('reason' in image) throw new Error(image.reason);
		return image.raster;
	};
	return [...samplerOf(value)(u, v, ({ assetPath }) => read(assetPath))];
}

function near(found: readonly number[], expected: readonly number[], tolerance = 1e-6): void {
	expect(found).toHaveLength(expected.length);
	for (const [i, x] of found.entries()) expect(Math.abs(x - expected[i]!)).toBeLessThanOrEqual(tolerance);
}

describe('F32', () => {
	it('derives a preview surface from standard_surface and keeps the original on its own terminal', () => {
		const text = material(`def Shader "s" {
uniform token info:id = "ND_standard_surface_surfaceshader"
float inputs:base = 0.5
color3f inputs:base_color = (1, 0.5, 0)
float inputs:metalness = 1
float inputs:emission = 2
color3f inputs:emission_color = (0, 1, 0)
float inputs:sheen = 0.3
token outputs:out
}`);
		const { after, messages } = fix({ 'a.usda': text }, 'F32');
		near(valueAt(after, 'diffuseColor'), [0.5, 0.25, 0]);
		near(valueAt(after, 'metallic'), [1]);
		near(valueAt(after, 'roughness'), [0.2]);
		near(valueAt(after, 'emissiveColor'), [0, 2, 0]);
		const { stage } = openMemory(after, 'a.usda');
		expect(stage.attribute('/R/m.outputs:mtlx:surface')!.connections().join()).toBe('/R/m/s.outputs:out');
		expect(messages.join()).toContain('lacks sheen');
	});

	it('derives one from OmniPBR, textures with their transform and packed channels included', () => {
		const text = material(
			`def Shader "s" {
uniform token info:implementationSource = "sourceAsset"
uniform asset info:mdl:sourceAsset = @OmniPBR.mdl@
uniform token info:mdl:sourceAsset:subIdentifier = "OmniPBR"
asset inputs:diffuse_texture = @./a.png@ (colorSpace = "raw")
color3f inputs:diffuse_tint = (0.5, 1, 1)
bool inputs:enable_ORM_texture = 1
asset inputs:ORM_texture = @./orm.png@
float2 inputs:texture_scale = (2, 1)
token outputs:out
}`,
			'outputs:mdl:surface',
		);
		const files = { 'a.usda': text, 'a.png': picture(), 'orm.png': picture() };
		const { after, messages } = fix(files, 'F32');
		expect(messages).toEqual([]);
		const written = String(after['a.usda']);
		expect(written).toContain('"UsdTransform2d"');
		expect(written).toContain('float4 inputs:scale = (0.5, 1, 1, 1)');
		expect(written).toContain('.outputs:g>');
		const { stage } = openMemory(after, 'a.usda');
		const inputs = surfaceShader(stage.prim('/R/m')!)!;
		expect(inputs.attribute('inputs:occlusion').connections().join()).toContain('outputs:r');
		expect(inputs.attribute('inputs:metallic').connections().join()).toContain('outputs:b');
		expect(stage.attribute('/R/m.outputs:mdl:surface')!.connections().join()).toBe('/R/m/s.outputs:out');
	});

	it('refuses what it does not know, and changes nothing', () => {
		const text = material('def Shader "s" {\nuniform token info:id = "ND_disney_principled"\ntoken outputs:out\n}');
		const { messages, files } = fix({ 'a.usda': text }, 'F32');
		expect(messages.join()).toContain("no translation of 'ND_disney_principled' is known");
		expect(files).toEqual([]);
	});
});

describe('F35', () => {
	const surface = (nodes: string, input = 'color3f inputs:diffuseColor', from = 'n.outputs:out'): string =>
		material(
			`def Shader "s" {\nuniform token info:id = "UsdPreviewSurface"\n${input}.connect = </R/m/${from}>\ntoken outputs:out\n}\n${nodes}`,
		);
	const image = `def Shader "i" {
uniform token info:id = "ND_image_color3"
asset inputs:file = @./a.png@ (colorSpace = "srgb_texture")
color3f outputs:out
}`;

	it('folds constants', () => {
		const text = surface(`def Shader "n" {
uniform token info:id = "ND_multiply_color3"
color3f inputs:in1 = (0.5, 0.5, 1)
color3f inputs:in2.connect = </R/m/c.outputs:out>
color3f outputs:out
}
def Shader "c" {
uniform token info:id = "ND_constant_color3"
color3f inputs:value = (1, 0.5, 0.25)
color3f outputs:out
}`);
		const { after } = fix({ 'a.usda': text }, 'F35');
		near(valueAt(after, 'diffuseColor'), [0.5, 0.25, 0.25]);
		expect(after['a.usda']).toContain('color3f inputs:diffuseColor = (0.5, 0.25, 0.25)');
	});

	it('makes a factor and a summand those of the texture', () => {
		const text = surface(`def Shader "n" {
uniform token info:id = "ND_mix_color3"
color3f inputs:fg.connect = </R/m/i.outputs:out>
color3f inputs:bg = (1, 0, 0)
color3f inputs:mix = (0.25, 0.25, 0.25)
color3f outputs:out
}\n${image}`);
		const files = { 'a.usda': text, 'a.png': picture() };
		const before = valueAt(files, 'diffuseColor');
		const { after } = fix(files, 'F35');
		near(valueAt(after, 'diffuseColor'), before, 1e-6);
		expect(after['a.usda']).toContain('float4 inputs:bias = (0.75, 0, 0, 0)');
		expect(Object.keys(after)).toEqual(Object.keys(files));
	});

	it('bakes the rest into an image, to its eight bits', () => {
		const text = surface(`def Shader "n" {
uniform token info:id = "ND_multiply_color3"
color3f inputs:in1.connect = </R/m/i.outputs:out>
color3f inputs:in2.connect = </R/m/r.outputs:out>
color3f outputs:out
}
def Shader "r" {
uniform token info:id = "ND_ramplr_color3"
color3f inputs:valuel = (0.2, 0.2, 0.2)
color3f inputs:valuer = (3, 1, 1)
color3f outputs:out
}\n${image}`);
		const files = { 'a.usda': text, 'a.png': picture(16, 16) };
		const { after, messages } = fix(files, 'F35');
		expect(messages.join()).toContain('16 × 16 points');
		for (const [u, v] of [
			[0.5 / 16, 0.5 / 16],
			[8.5 / 16, 3.5 / 16],
			[15.5 / 16, 12.5 / 16],
		] as const) {
			near(valueAt(after, 'diffuseColor', u, v), valueAt(files, 'diffuseColor', u, v), 0.02);
		}
	});

	it('refuses nodes that are not evaluated, and circles', () => {
		const noise = surface('def Shader "n" {\nuniform token info:id = "ND_noise2d_color3"\ncolor3f outputs:out\n}');
		expect(fix({ 'a.usda': noise }, 'F35').messages.join()).toContain("'ND_noise2d_color3' is not evaluated");
		const circle = surface(`def Shader "n" {
uniform token info:id = "ND_add_color3"
color3f inputs:in1.connect = </R/m/n.outputs:out>
color3f outputs:out
}`);
		expect(fix({ 'a.usda': circle }, 'F35').messages.join()).toContain('go round in a circle');
	});
});

describe('F34', () => {
	const textured = (file: string, input: string, more = '', output = 'rgb'): string =>
		material(`def Shader "s" {
uniform token info:id = "UsdPreviewSurface"
${input}.connect = </R/m/t.outputs:${output}>
token outputs:out
}
def Shader "t" {
uniform token info:id = "UsdUVTexture"
asset inputs:file = @./${file}@
${more}
float3 outputs:${output}
}`);

	/** A Radiance image of one pixel, or of several equal ones. */
	function radiance(red: number, green: number, blue: number, exponent: number): Uint8Array {
		const header = new TextEncoder().encode('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n');
		return Uint8Array.from([...header, red, green, blue, exponent]);
	}

	it('stores linear colours on the sRGB curve, however bright, and lets the texture read what it read', () => {
		const files = { 'a.usda': textured('a.hdr', 'color3f inputs:diffuseColor'), 'a.hdr': radiance(128, 64, 200, 131) };
		const before = valueAt(files, 'diffuseColor');
		near(before, [4, 2, 6.25]);
		const { after, messages } = fix(files, 'F34');
		expect(after['a.usda']).toContain('@./a.png@');
		expect(after['a.usda']).toContain('token inputs:sourceColorSpace = "sRGB"');
		near(valueAt(after, 'diffuseColor'), before, 6.25 / 255);
		expect(messages.join()).toContain('8 bits now');
	});

	it('keeps the numbers of data, and says that they are no colours', () => {
		const files = { 'a.usda': textured('a.hdr', 'normal3f inputs:normal'), 'a.hdr': radiance(64, 32, 128, 128) };
		const before = valueAt(files, 'normal');
		const { after } = fix(files, 'F34');
		expect(after['a.usda']).toContain('token inputs:sourceColorSpace = "raw"');
		near(valueAt(after, 'normal'), before, 1 / 510);
	});

	it('leaves what is fine, takes a free name, and tells what it cannot read', () => {
		const fine = { 'a.usda': textured('a.png', 'normal3f inputs:normal'), 'a.png': picture() };
		expect(fix(fine, 'F34').files).toEqual([]);
		const bmp = Uint8Array.from([
			...new TextEncoder().encode('BM'),
			...new Uint8Array(8),
			54,
			0,
			0,
			0,
			40,
			0,
			0,
			0,
			1,
			0,
			0,
			0,
			1,
			0,
			0,
			0,
			1,
			0,
			24,
			0,
			...new Uint8Array(24),
			30,
			20,
			10,
			0,
		]);
		const taken = { 'a.usda': textured('a.bmp', 'color3f inputs:diffuseColor'), 'a.bmp': bmp, 'a.png': picture() };
		const { after } = fix(taken, 'F34');
		expect(after['a.usda']).toContain('@./a_8bit.png@');
		near(valueAt(after, 'diffuseColor'), valueAt(taken, 'diffuseColor'));
		const dds = {
			'a.usda': textured('a.dds', 'color3f inputs:diffuseColor'),
			'a.dds': new TextEncoder().encode('DDS     '),
		};
		expect(fix(dds, 'F34').messages.join()).toContain('it is DDS, which is not decoded here');
	});
});

describe('F33', () => {
	const asset = (st: string, material = 'a.<UDIM>.png', more = ''): Files => ({
		'a.usda': `${HEAD}def Xform "R" {
def Mesh "g" (prepend apiSchemas = ["MaterialBindingAPI"]) {
int[] faceVertexCounts = [3, 3]
int[] faceVertexIndices = [0, 1, 2, 2, 1, 3]
point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
texCoord2f[] primvars:st = [${st}] (interpolation = "vertex")
rel material:binding = </R/m>
}
def Material "m" {
token outputs:surface.connect = </R/m/s.outputs:out>
def Shader "s" {
uniform token info:id = "UsdPreviewSurface"
color3f inputs:diffuseColor.connect = </R/m/t.outputs:rgb>
token outputs:out
}
def Shader "t" {
uniform token info:id = "UsdUVTexture"
asset inputs:file = @./${material}@
${more}
float3 outputs:rgb
}
}
}
`,
		'a.1001.png': picture(),
		'a.1002.png': picture(),
	});

	it('gives each tile a subset, a material and its image, and coordinates of the first tile', () => {
		const { after, messages } = fix(asset('(0.2, 0.2), (1, 0.5), (1, 0.9), (1.8, 0.5)'), 'F33');
		expect(messages).toEqual([]);
		const { stage } = openMemory(after, 'a.usda');
		const mesh = stage.prim('/R/g')!;
		expect(mesh.children().map(({ name }) => name)).toEqual(['tile_1001', 'tile_1002']);
		const file = (path: string): unknown => stage.attribute(`${path}/t.inputs:file`)!.get()!.data;
		const bound = (subset: Prim): string => subset.relationship('material:binding').targets().join();
		expect(mesh.children().map(bound)).toEqual(['/R/m', '/R/m_1002']);
		expect([file('/R/m'), file('/R/m_1002')]).toEqual(['./a.1001.png', './a.1002.png']);
		expect(stage.attribute('/R/m_1002/s.inputs:diffuseColor')!.connections().join()).toBe('/R/m_1002/t.outputs:rgb');
		const numbers = (name: string): number[] => [...(mesh.attribute(name).get()!.data as Float32Array)];
		const [values, indices] = [numbers('primvars:st'), numbers('primvars:st:indices')];
		const corners = indices.map((at) =>
			[values[2 * at], values[2 * at + 1]].map((x) => Math.round(x! * 10) / 10).join(),
		);
		expect(corners).toEqual(['0.2,0.2', '1,0.5', '1,0.9', '0,0.9', '0,0.5', '0.8,0.5']);
	});

	it('moves coordinates that a repeating texture reads, without materials', () => {
		const files = asset(
			'(1.2, 0.2), (1.3, 0.5), (1.5, 0.9), (1.8, 0.5)',
			'b.png',
			'token inputs:wrapS = "repeat"\ntoken inputs:wrapT = "repeat"',
		);
		const { after } = fix(files, 'F33');
		const st = openMemory(after, 'a.usda').stage.attribute('/R/g.primvars:st')!.get()!.data as Float32Array;
		near([...st], [0.2, 0.2, 0.3, 0.5, 0.5, 0.9, 0.8, 0.5]);
	});

	it('refuses faces over several tiles and images that are not there', () => {
		expect(fix(asset('(0.2, 0.2), (1.5, 0.5), (1, 0.9), (1.8, 0.5)'), 'F33').messages.join()).toContain(
			'face 0 reaches over several tiles',
		);
		expect(fix(asset('(2.2, 0.2), (2.3, 0.5), (2.5, 0.9), (2.8, 0.5)'), 'F33').messages.join()).toContain(
			"'./a.1003.png' is not there",
		);
	});
});

it('writes layers that read', () => {
	const text = material(
		'def Shader "s" {\nuniform token info:id = "ND_gltf_pbr_surfaceshader"\nfloat inputs:roughness = 0.3\ntoken outputs:out\n}',
	);
	const { after } = fix({ 'a.usda': text }, 'F32');
	expect(readUsda(new TextEncoder().encode(String(after['a.usda']))).specCount).toBeGreaterThan(5);
});
