import type { ShapeMesh } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { importText } from './usd-scene.ts';

interface Looks {
	readonly color?: readonly number[];
	readonly opacity: number;
	readonly metallic?: number;
	readonly roughness?: number;
	readonly texture?: string;
}

/** What a triangle wears whose material has this text in it. */
function looksOf(material: string, primvars: string = '', more: string = ''): Looks {
	const { builder } = importText(`
def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def Mesh "m" (prepend apiSchemas = ["MaterialBindingAPI"]) {
		int[] faceVertexCounts = [3]
		int[] faceVertexIndices = [0, 1, 2]
		point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
		rel material:binding = </look>
		${primvars}
	}
}
def Material "look" ${more} {
	${material}
}`);
	const { color, metallic, roughness, texture } = builder.edits.shapeSource(0) as ShapeMesh;
	const opacity = builder.column('shapeOpacity')[0]!;
	return {
		opacity,
		...(color === undefined ? {} : { color: Array.from(color, (x) => Number(x.toPrecision(6))) }),
		...(metallic === undefined ? {} : { metallic }),
		...(roughness === undefined ? {} : { roughness }),
		...(texture === undefined ? {} : { texture: (texture as { file: string }).file }),
	};
}

/** Linear light as displays take it (IEC 61966-2-1). */
const shown = (...linear: readonly number[]): number[] =>
	linear.map((x) => Number((x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055).toPrecision(6)));

const COLOR = 'color3f inputs:NAME = (0.25, 0.5, 0.75)';
const surface = (inputs: string, id: string = 'UsdPreviewSurface'): string =>
	`token outputs:surface.connect = </look/s.outputs:surface>\ndef Shader "s" {\nuniform token info:id = "${id}"\ntoken outputs:surface\n${inputs}\n}\n`;

describe('materials of the subsets of a mesh', () => {
	it('that say what colour it has come before those that do not', () => {
		const part = (name: string): string => `def GeomSubset "${name}" (prepend apiSchemas = ["MaterialBindingAPI"]) {
	uniform token elementType = "face"
	uniform token familyName = "materialBind"
	int[] indices = [0]
	rel material:binding = </${name}>
}`;
		const looks = (...inputs: readonly string[]): ShapeMesh => {
			const names = inputs.map((_, i) => `look${i}`);
			const { builder } = importText(`
def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def Mesh "m" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {
		int[] faceVertexCounts = [3]
		int[] faceVertexIndices = [0, 1, 2]
		point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
		${names.map(part).join('\n')}
	}
}
${names.map((name, i) => `def Material "${name}" {\n${inputs[i]}\n}`).join('\n')}`);
			return builder.edits.shapeSource(0) as ShapeMesh;
		};
		const rough = 'float inputs:roughness = 0.25';
		expect(looks(rough, 'asset inputs:file = @wood.png@').texture).toMatchObject({ file: 'wood.png' });
		expect(looks(rough, `${COLOR.replace('NAME', 'baseColor')}\nfloat inputs:roughness = 0.5`).roughness).toBe(0.5);
		expect(looks(rough, 'float inputs:opacity = 0.5\nfloat inputs:roughness = 0.5').roughness).toBe(0.5);
		expect(looks(rough, 'float inputs:roughness = 0.5').roughness).toBe(0.25);
	});
});

describe('inputs of a material without a shader', () => {
	it.each(['diffuseColor', 'baseColor', 'diffuse_color', 'base_color', 'displayColor', 'group:DiffuseColor'])(
		'%s is its colour',
		(name) => {
			expect(looksOf(COLOR.replace('NAME', name))).toEqual({ opacity: 1, color: shown(0.25, 0.5, 0.75) });
		},
	);

	it.each(['opacity', 'alpha', 'displayOpacity', 'opacity_constant', 'alpha_constant'])('%s is its opacity', (name) => {
		expect(looksOf(`float inputs:${name} = 0.25`).opacity).toBe(0.25);
		expect(looksOf(`float inputs:${name} = -3`).opacity).toBe(0);
		expect(looksOf(`float inputs:${name} = 3`).opacity).toBe(1);
		expect(looksOf(`float inputs:${name} = inf`).opacity).toBe(1);
	});

	it.each(['metallic', 'metallic_constant'])('%s is its metal', (name) => {
		expect(looksOf(`float inputs:${name} = 0.25`).metallic).toBe(0.25);
	});

	it.each(['roughness', 'roughness_constant', 'reflection_roughness_constant'])('%s is its roughness', (name) => {
		expect(looksOf(`float inputs:${name} = 0.25`).roughness).toBe(0.25);
	});

	it.each(['diffuse_texture', 'file', 'TextureOfWood', 'deep:file'])('%s is its image', (name) => {
		expect(looksOf(`asset inputs:${name} = @wood.png@`).texture).toBe('wood.png');
		// no asset, no image
		expect(looksOf(`string inputs:${name} = "wood.png"`).texture).toBeUndefined();
		expect(looksOf(`asset inputs:${name} = @@`).texture).toBeUndefined();
	});

	it('count once, the first of them, in the order of their names', () => {
		const two = looksOf('asset inputs:a_file = @a.png@\nasset inputs:b_file = @b.png@');
		expect(two.texture).toBe('a.png');
		const colors = looksOf('color3f inputs:baseColor = (0, 0, 0)\ncolor3f inputs:diffuseColor = (1, 1, 1)');
		expect(colors.color).toEqual([0, 0, 0]);
	});

	it('that are connected have their value elsewhere', () => {
		const connected = `${COLOR.replace('NAME', 'diffuseColor')}\ncolor3f inputs:diffuseColor.connect = </look/none.outputs:out>\nfloat inputs:metallic = 0.5`;
		const looks = looksOf(connected);
		expect(looks.metallic).toBe(0.5);
		expect(looks.color).not.toEqual(shown(0.25, 0.5, 0.75));
	});

	it('that mean nothing here leave the display colour', () => {
		const primvars = 'color3f[] primvars:displayColor = [(0.25, 0.5, 0.75)]\nfloat[] primvars:displayOpacity = [0.5]';
		expect(looksOf('float inputs:wear = 1', primvars)).toEqual({ opacity: 0.5, color: shown(0.25, 0.5, 0.75) });
		// a material that says something speaks alone
		expect(looksOf('float inputs:metallic = 1', primvars).opacity).toBe(1);
	});
});

describe('inputs of a shader', () => {
	it.each([
		['diffuse_color_constant', 'OmniPBR'],
		['diffuse_color', 'OmniPBR'],
		['diffuseColor', 'OmniPBR'],
		['base_color', 'OmniPBR'],
		['baseColor', 'OmniPBR'],
		['displayColor', 'OmniPBR'],
		['diffuseColor', 'UsdPreviewSurface'],
		['baseColor', 'UsdPreviewSurface'],
		['displayColor', 'UsdPreviewSurface'],
	])('%s of %s is the colour', (name, id) => {
		expect(looksOf(surface(COLOR.replace('NAME', name), id)).color).toEqual(shown(0.25, 0.5, 0.75));
	});

	it.each([
		['opacity', 'opacity'],
		['opacity', 'alpha'],
		['opacity', 'displayOpacity'],
		['opacity', 'opacity_constant'],
		['opacity', 'alpha_constant'],
		['metallic', 'metallic_constant'],
		['metallic', 'metallic'],
		['roughness', 'reflection_roughness_constant'],
		['roughness', 'roughness_constant'],
		['roughness', 'roughness'],
	] as const)('%s is read from %s', (part, name) => {
		for (const id of ['UsdPreviewSurface', 'OmniPBR']) {
			expect(looksOf(surface(`float inputs:${name} = 0.25`, id))[part], id).toBe(0.25);
		}
	});

	it.each(['diffuse_texture', 'albedo_image', 'baseColorMap', 'base_color_map', 'displayColorMap'])(
		'%s is the image of the colour',
		(name) => {
			expect(looksOf(surface(`asset inputs:${name} = @wood.png@`, 'OmniPBR')).texture).toBe('wood.png');
		},
	);

	it.each(['normal_texture', 'roughness_image', 'diffuse:normal'])('%s is no image of the colour', (name) => {
		expect(looksOf(surface(`asset inputs:${name} = @wood.png@`, 'OmniPBR')).texture).toBeUndefined();
	});

	it.each([
		[['diffuseColor', 'baseColor'], 'baseColor', 'diffuseColor'],
		[['diffuse_color_constant', 'diffuseColor'], 'diffuseColor', 'diffuse_color_constant'],
		[['diffuse_color_constant', 'baseColor'], 'baseColor', 'diffuse_color_constant'],
		[['displayColor', 'base_color'], 'base_color', 'base_color'],
	])('%j: UsdPreviewSurface has the colour %s, others %s', (names, ofPreview, ofOthers) => {
		const color = (name: string): number => (names.indexOf(name) + 1) / 4;
		const text = names.map((name) => `color3f inputs:${name} = (${color(name)}, 0, 0)`).join('\n');
		expect(looksOf(surface(text)).color).toEqual(shown(color(ofPreview), 0, 0));
		expect(looksOf(surface(text, 'OmniPBR')).color).toEqual(shown(color(ofOthers), 0, 0));
	});

	it('leave what they do not say to display colours', () => {
		const primvars = 'color3f[] primvars:displayColor = [(0.25, 0.5, 0.75)]\nfloat[] primvars:displayOpacity = [0.5]';
		expect(looksOf(surface('float inputs:metallic = 1'), primvars)).toEqual({
			opacity: 0.5,
			color: shown(0.25, 0.5, 0.75),
			metallic: 1,
		});
		const own = `${COLOR.replace('NAME', 'diffuseColor')}\nfloat inputs:opacity = 0.125`;
		expect(looksOf(surface(own), primvars.replaceAll('0.25', '0.75'))).toEqual({
			opacity: 0.125,
			color: shown(0.25, 0.5, 0.75),
		});
	});

	it('have their opacity as a fourth number of the colour, where nothing else says it', () => {
		const four = 'float4 inputs:diffuseColor = (0.25, 0.5, 0.75, 0.125)';
		expect(looksOf(surface(four))).toEqual({ opacity: 0.125, color: shown(0.25, 0.5, 0.75) });
		expect(looksOf(surface('float2 inputs:diffuseColor = (0.25, 0.5)')).color).toBeUndefined();
		// display colours have no opacity of their own
		const primvars = 'float4[] primvars:displayColor = [(0.25, 0.5, 0.75, 0.125)]';
		expect(looksOf('', primvars)).toEqual({ opacity: 1, color: shown(0.25, 0.5, 0.75) });
	});
});

describe('spaces of colours', () => {
	const colored = (space: string): string => `${COLOR.replace('NAME', 'diffuseColor')} (colorSpace = "${space}")`;
	const LINEAR = shown(0.25, 0.5, 0.75);
	const PLAIN = [0.25, 0.5, 0.75];

	it.each([
		...['identity', 'raw', 'data', 'linear', 'lin_rec709', ' Raw '].map((space) => [space, LINEAR] as const),
		...['sRGB', 'srgb_rec709', 'auto'].map((space) => [space, PLAIN] as const),
	])("'%s'", (space, expected) => {
		expect(looksOf(colored(space)).color).toEqual(expected);
	});

	it('come from the nearest prim that has one, the own one first', () => {
		const api = '(prepend apiSchemas = ["ColorSpaceAPI"])';
		const named = 'uniform token colorSpace:name = "srgb_rec709"';
		expect(looksOf(`${named}\n${COLOR.replace('NAME', 'diffuseColor')}`, '', api).color).toEqual(PLAIN);
		expect(looksOf(`${named}\n${surface(COLOR.replace('NAME', 'diffuseColor'))}`, '', api).color).toEqual(PLAIN);
		expect(looksOf(`${named}\n${colored('raw')}`, '', api).color).toEqual(LINEAR);
		// without the schema it is nobody's
		expect(looksOf(`${named}\n${COLOR.replace('NAME', 'diffuseColor')}`).color).toEqual(LINEAR);
	});

	it('are dark in a straight line and bright along a power', () => {
		const color = 'color3f inputs:diffuseColor = (0.002, 0.004, -1)';
		expect(looksOf(color).color).toEqual([...shown(0.002, 0.004), 0]);
	});
});
