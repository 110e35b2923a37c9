import type { ShapeMesh } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { importText } from './usd-scene.ts';

/** What a triangle wears whose material has a UsdPreviewSurface with these inputs. */
function looksOf(inputs: string, more = ''): Partial<ShapeMesh> {
	const { builder } = importText(`
def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def Mesh "m" (prepend apiSchemas = ["MaterialBindingAPI"]) {
		int[] faceVertexCounts = [3]
		int[] faceVertexIndices = [0, 1, 2]
		point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
		rel material:binding = </look>
	}
}
def Material "look" {
	token outputs:surface.connect = </look/surface.outputs:surface>
	def Shader "surface" {
		uniform token info:id = "UsdPreviewSurface"
		token outputs:surface
		${inputs}
	}
	${more}
}`);
	return builder.edits.shapeSource(0) as ShapeMesh;
}

describe('a material of UsdPreviewSurface', () => {
	it('gives colour, metal and roughness', () => {
		const looks = looksOf(`color3f inputs:diffuseColor = (0.25, 0.5, 0.75)
		float inputs:metallic = 0.75
		float inputs:roughness = 0.125`);
		expect(looks).toMatchObject({ metallic: 0.75, roughness: 0.125 });
		// colours of materials are linear, those of shapes are as screens show them (IEC 61966-2-1)
		for (const [i, linear] of [0.25, 0.5, 0.75].entries()) {
			expect(looks.color![i]).toBeCloseTo(1.055 * linear ** (1 / 2.4) - 0.055, 9);
		}
	});

	it('gives nothing of what it does not say', () => {
		const looks = looksOf('float inputs:metallic = 1');
		expect(looks.metallic).toBe(1);
		expect('roughness' in looks).toBe(false);
		expect(looksOf('float inputs:roughness = 0.5')).toMatchObject({ roughness: 0.5 });
		expect('metallic' in looksOf('float inputs:roughness = 0.5')).toBe(false);
	});
});

describe('the surface of a material', () => {
	const shader = (name: string, metallic: number): string =>
		`def Shader "${name}" {\nuniform token info:id = "UsdPreviewSurface"\nfloat inputs:metallic = ${metallic}\ntoken outputs:out\n}\n`;
	const metallicOf = (outputs: string): number | undefined => {
		const { builder } = importText(`
def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def Mesh "m" (prepend apiSchemas = ["MaterialBindingAPI"]) {
		int[] faceVertexCounts = [3]
		int[] faceVertexIndices = [0, 1, 2]
		point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
		rel material:binding = </look>
	}
}
def Material "look" {
	${outputs}
	${shader('first', 0.25)}${shader('second', 0.5)}${shader('third', 0.75)}
}`);
		return (builder.edits.shapeSource(0) as ShapeMesh).metallic;
	};
	const connect = (output: string, name: string): string => `token ${output}.connect = </look/${name}.outputs:out>\n`;

	it.each([
		['is that of the usual context', connect('outputs:surface', 'second'), 0.5],
		['is that of MDL where there is no other', connect('outputs:mdl:surface', 'third'), 0.75],
		[
			'is that of the usual context before that of MDL',
			connect('outputs:mdl:surface', 'third') + connect('outputs:surface', 'second'),
			0.5,
		],
		['is the first shader where nothing is connected', '', 0.25],
		[
			'is the first shader where the usual context leads nowhere',
			`token outputs:surface\n${connect('outputs:mdl:surface', 'third')}`,
			0.25,
		],
	])('%s', (_, outputs, expected) => {
		expect(metallicOf(outputs)).toBe(expected);
	});
});
