import { describe, expect, it } from 'vitest';
import { dataOf } from '../src/sdf/value.ts';
import { T } from '../src/sdf/value-type.ts';
import { cameraWindow, fieldOfView, projectionMatrix, readCamera, viewMatrix } from '../src/views/camera.ts';
import { readLight } from '../src/views/light.ts';
import {
	connectedSources,
	inputValue,
	shaderId,
	surfaceShader,
	terminalSource,
	upstreamShaders,
} from '../src/views/shading.ts';
import { XformCache } from '../src/views/xform-cache.ts';
import { primAt, reported, stageOf } from './views-stage.ts';

const MATERIAL = `def Material "M"
{
	float inputs:rough = 0.25
	token outputs:surface.connect = </M/graph.outputs:out>
	token outputs:ri:surface.connect = </M/special.outputs:out>
	def NodeGraph "graph"
	{
		token outputs:out.connect = </M/graph/preview.outputs:surface>
		def Shader "preview"
		{
			uniform token info:id = "UsdPreviewSurface"
			color3f inputs:diffuseColor.connect = </M/graph/texture.outputs:rgb>
			float inputs:roughness = 0.5
			float inputs:roughness.connect = </M.inputs:rough>
			float inputs:opacity.connect = </M/nowhere.outputs:a>
			token outputs:surface
		}
		def Shader "texture"
		{
			uniform token info:id = "UsdUVTexture"
			float2 inputs:st.connect = </M/graph/reader.outputs:result>
			float3 outputs:rgb
		}
		def Shader "reader"
		{
			uniform token info:id = "UsdPrimvarReader_float2"
			float2 outputs:result
		}
	}
	def Shader "special"
	{
		token outputs:out
	}
}`;

describe('shading networks', () => {
	it('lead from a material through node graphs to its shader', () => {
		const stage = stageOf(MATERIAL);
		const material = primAt(stage, '/M');
		const shader = surfaceShader(material)!;
		expect(shaderId(shader)).toBe('UsdPreviewSurface');
		expect(terminalSource(material, 'surface', ['ri'])!.shader.name).toBe('special');
		expect(terminalSource(material, 'displacement')).toBeUndefined();
		expect(upstreamShaders(shader).map(({ name }) => name)).toEqual(['preview', 'texture', 'reader']);
	});

	it('take values of inputs from where they are connected', () => {
		const stage = stageOf(MATERIAL);
		const shader = primAt(stage, '/M/graph/preview');
		expect(dataOf(inputValue(shader, 'roughness'), T.float)).toBe(0.25);
		expect(inputValue(shader, 'diffuseColor')).toBeUndefined();
		const [source] = connectedSources(shader.attribute('inputs:diffuseColor'));
		expect([source!.prim.name, source!.kind, source!.name]).toEqual(['texture', 'output', 'rgb']);
	});

	it('report connections that lead nowhere or round in a circle', () => {
		const stage = stageOf(`${MATERIAL}
def NodeGraph "loop"
{
	float inputs:a.connect = </loop.inputs:b>
	float inputs:b.connect = </loop.inputs:a>
}`);
		expect(inputValue(primAt(stage, '/M/graph/preview'), 'opacity')).toBeUndefined();
		expect(inputValue(primAt(stage, '/loop'), 'a')).toBeUndefined();
		expect(reported(stage)).toEqual(['VIEW003 /M/graph/preview.inputs:opacity', 'VIEW003 /loop.inputs:a']);
	});
});

describe('lights', () => {
	it('give their values with fallbacks', () => {
		const stage = stageOf(`def SphereLight "L" ( prepend apiSchemas = ["ShapingAPI"] )
{
	float inputs:intensity = 3
	float inputs:exposure = 2
	color3f inputs:color = (1, 0.5, 0)
	float inputs:shaping:cone:angle = 30
}
def Xform "X"
{
}`);
		const light = readLight(primAt(stage, '/L'))!;
		expect(light.brightness).toBe(12);
		expect(Array.from(light.color)).toEqual([1, 0.5, 0]);
		expect(light.shape['radius']).toBe(0.5);
		expect(light.shaping!.coneAngle).toBe(30);
		expect([light.normalize, light.colorTemperature, light.diffuse]).toEqual([false, 6500, 1]);
		expect(readLight(primAt(stage, '/X'))).toBeUndefined();
	});
});

describe('cameras', () => {
	it('give their view', () => {
		const stage = stageOf(`def Camera "C"
{
	float horizontalAperture = 20
	float verticalAperture = 10
	float focalLength = 10
	float horizontalApertureOffset = 5
	float2 clippingRange = (1, 3)
	double3 xformOp:translate = (0, 0, 5)
	uniform token[] xformOpOrder = ["xformOp:translate"]
}`);
		const camera = readCamera(primAt(stage, '/C'))!;
		expect(fieldOfView(camera, 'horizontal')).toBeCloseTo(90, 9);
		expect(cameraWindow(camera)).toEqual({ left: -0.5, right: 1.5, bottom: -0.5, top: 0.5 });
		const projection = projectionMatrix(camera);
		expect(Array.from(projection)).toEqual([1, 0, 0, 0, 0, 2, 0, 0, 0.5, 0, -2, -1, 0, 0, -3, 0]);
		expect(viewMatrix(camera, new XformCache())[14]).toBe(-5);
	});

	it('that are orthographic see a window of a fixed size', () => {
		const stage = stageOf('def Camera "C"\n{\n	token projection = "orthographic"\n	float horizontalAperture = 20\n}');
		const { left, right } = cameraWindow(readCamera(primAt(stage, '/C'))!);
		expect([left, right]).toEqual([-1, 1]);
	});
});
