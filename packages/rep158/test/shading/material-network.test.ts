import { describe, expect, it } from 'vitest';
import { isDataRole, materialNetwork } from '../../src/shading/material-network.ts';
import { textStage } from '../text-stage.ts';

const GRAPH = `
def Material "m"
{
	asset inputs:normalFile = @n.png@
	token outputs:surface.connect = </m/surface.outputs:surface>
	token outputs:mdl:surface.connect = </m/mdl.outputs:out>
	def Shader "surface"
	{
		uniform token info:id = "UsdPreviewSurface"
		color3f inputs:diffuseColor.connect = </m/graph.outputs:colour>
		normal3f inputs:normal.connect = </m/normal.outputs:rgb>
		float inputs:opacity.connect = </m/graph.outputs:alpha>
		token outputs:surface
	}
	def NodeGraph "graph"
	{
		color3f outputs:colour.connect = </m/graph/image.outputs:rgb>
		float outputs:alpha.connect = </m/graph/image.outputs:a>
		def Shader "image"
		{
			uniform token info:id = "UsdUVTexture"
			asset inputs:file = @c.jpg@
			float2 inputs:st.connect = </m/reader.outputs:result>
			float3 outputs:rgb
			float outputs:a
		}
	}
	def Shader "normal"
	{
		uniform token info:id = "UsdUVTexture"
		asset inputs:file.connect = </m.inputs:normalFile>
		float2 inputs:st.connect = </m/reader.outputs:result>
		float3 outputs:rgb
	}
	def Shader "reader"
	{
		uniform token info:id = "UsdPrimvarReader_float2"
		float2 outputs:result
	}
	def Shader "mdl" { token outputs:out }
	def Shader "stray" { uniform token info:id = "UsdUVTexture"
		asset inputs:file = @x.png@ }
}`;

describe('materialNetwork', () => {
	it('walks from the universal surface through node graphs to textures and their roles', () => {
		const network = materialNetwork(textStage(GRAPH).prim('/m')!);
		expect(network.surface?.path.toString()).toBe('/m/surface');
		expect(network.shaders.map(({ name }) => name).sort()).toEqual(['image', 'normal', 'reader', 'surface']);
		const textures = new Map(network.textures.map((use) => [use.assetPath, use]));
		expect([...textures.keys()].sort()).toEqual(['c.jpg', 'n.png']);
		expect(textures.get('c.jpg')!.roles).toEqual([
			{ input: 'diffuseColor', output: 'rgb' },
			{ input: 'opacity', output: 'a' },
		]);
		expect(textures.get('c.jpg')!.roles.some(isDataRole)).toBe(false);
		expect(textures.get('n.png')!.roles).toEqual([{ input: 'normal', output: 'rgb' }]);
		expect(textures.get('n.png')!.roles.every(isDataRole)).toBe(true);
		expect(textures.get('n.png')!.file.path.toString()).toBe('/m.inputs:normalFile');
	});

	it('gives an empty network for a material without surface', () => {
		const network = materialNetwork(textStage('def Material "m" {}').prim('/m')!);
		expect(network).toMatchObject({ surface: undefined, shaders: [], textures: [] });
	});

	it('ends on circles', () => {
		const stage = textStage(`def Material "m" {
	token outputs:surface.connect = </m/a.outputs:o>
	def Shader "a" { float inputs:x.connect = </m/b.outputs:o>
		token outputs:o }
	def Shader "b" { float inputs:x.connect = </m/a.outputs:o>
		token outputs:o }
}`);
		expect(materialNetwork(stage.prim('/m')!).shaders).toHaveLength(2);
	});
});
