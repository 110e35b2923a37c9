import { encodePng } from '@manyworlds/image';
import { writeUsdz } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { type Glb, type Json, toGlb } from './gltf-scene.ts';

function stage(content: string): string {
	return `#usda 1.0\n(\n defaultPrim = "W"\n metersPerUnit = 1\n upAxis = "Y"\n)\ndef Xform "W"\n{\n${content}\n}\n`;
}

const SQUARE = `int[] faceVertexCounts = [4]
	int[] faceVertexIndices = [0, 1, 2, 3]
	point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0)]`;
const PLAIN = `${SQUARE}\nuniform token subdivisionScheme = "none"`;

const mesh = (content: string, name = 'm', schemas = ''): string => `def Mesh "${name}"${schemas}\n{\n${content}\n}\n`;

/** The primitives of the only mesh. */
const primitives = ({ json }: Glb): Json[] => json.meshes[0].primitives;

const draw = (content: string, files: Record<string, string | Uint8Array> = {}): Glb =>
	toGlb({ 'a.usda': stage(content), ...files }, 'a.usda');

/** A material of one texture of its colour, read at a primvar. */
const material = (varname: string, extra = '', name = 'M'): string => `def Material "${name}"
	{
		token outputs:surface.connect = </W/${name}/S.outputs:surface>
		def Shader "S"
		{
			uniform token info:id = "UsdPreviewSurface"
			color3f inputs:diffuseColor.connect = </W/${name}/T.outputs:rgb>
			token outputs:surface
		}
		def Shader "T"
		{
			uniform token info:id = "UsdUVTexture"
			asset inputs:file = @./t.png@
			float2 inputs:st.connect = </W/${name}/R.outputs:result>
			${extra}
			float3 outputs:rgb
		}
		def Shader "R"
		{
			uniform token info:id = "UsdPrimvarReader_float2"
			string inputs:varname = "${varname}"
			float2 outputs:result
		}
	}
	`;
const BOUND = ' ( prepend apiSchemas = ["MaterialBindingAPI"] )';
const PNG = encodePng({ width: 1, height: 1, channels: 3, samples: Uint8Array.of(10, 20, 30) });

describe('places of prims as glTF', () => {
	it('that leave the stack of transforms stand in the world', () => {
		const glb = draw(`def Xform "up"
	{
		double3 xformOp:translate = (0, 0, 5)
		uniform token[] xformOpOrder = ["xformOp:translate"]
		def Xform "free"
		{
			double3 xformOp:translate = (1, 0, 0)
			uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"]
			${mesh(PLAIN)}
		}
	}`);
		expect(glb.world('free').slice(12, 15)).toEqual([1, 0, 0]);
	});
});

describe('meshes as glTF', () => {
	it('have no faces without area', () => {
		const glb = draw(
			mesh(`int[] faceVertexCounts = [3, 3]
	int[] faceVertexIndices = [0, 1, 2, 0, 1, 1]
	point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 2, 0)]
	uniform token subdivisionScheme = "none"`),
		);
		expect(glb.accessor(primitives(glb)[0].indices)).toEqual([0, 1, 2]);
	});

	it.each([
		[65534, 5123],
		[65535, 5125],
	])('with %i vertices have indices of type %i: the last number of two bytes means something else', (count, type) => {
		const points = Array.from(
			{ length: count },
			(_, i) => `(${i % 300}, ${Math.floor(i / 300)}, ${(i * i) % 11})`,
		).join(', ');
		const faces = Array.from({ length: count - 2 }, (_, i) => `${i}, ${i + 1}, ${i + 2}`).join(', ');
		const glb = draw(
			mesh(`int[] faceVertexCounts = [${Array(count - 2)
				.fill(3)
				.join(', ')}]
	int[] faceVertexIndices = [${faces}]
	point3f[] points = [${points}]
	uniform token subdivisionScheme = "none"`),
		);
		const { json } = glb;
		expect(json.accessors[primitives(glb)[0].attributes.POSITION].count).toBe(count);
		expect(json.accessors[primitives(glb)[0].indices].componentType).toBe(type);
	});

	it('take normals of the primvar before those of the attribute, and none where there are none', () => {
		const both = draw(
			mesh(`${PLAIN}
	normal3f[] normals = [(1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)] ( interpolation = "vertex" )
	normal3f[] primvars:normals = [(0, 0, 2)] ( interpolation = "uniform" )`),
		);
		expect(both.accessor(primitives(both)[0].attributes.NORMAL)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
		expect(primitives(draw(mesh(PLAIN)))[0].attributes.NORMAL).toBeUndefined();
	});

	it('have the normal of the face where one points nowhere or is no number', () => {
		const glb = draw(
			mesh(
				`${PLAIN}\nnormal3f[] normals = [(0, 0, 0), (nan, 0, 0), (1, 0, 0), (0, 1, 0)] ( interpolation = "vertex" )`,
			),
		);
		const normals = glb.accessor(primitives(glb)[0].attributes.NORMAL);
		const points = glb.accessor(primitives(glb)[0].attributes.POSITION);
		for (let i = 0; i < normals.length; i += 3) {
			const at = points.slice(i, i + 3).join();
			const expected = at === '1,2,0' ? [1, 0, 0] : at === '0,2,0' ? [0, 1, 0] : [0, 0, 1];
			expect(normals.slice(i, i + 3)).toEqual(expected);
		}
	});

	it('that are subdivided have smooth normals, whatever is authored', () => {
		const roof = `int[] faceVertexCounts = [3, 3]
	int[] faceVertexIndices = [0, 1, 2, 1, 0, 3]
	point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
	normal3f[] normals = [(1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)] ( interpolation = "vertex" )`;
		const glb = draw(mesh(roof));
		const normals = glb.accessor(primitives(glb)[0].attributes.NORMAL);
		// the ridge belongs to a face that looks along z and one that looks along y
		expect(normals[0]).toBeCloseTo(0, 6);
		expect(normals[1]).toBeCloseTo(Math.SQRT1_2, 6);
		expect(normals[2]).toBeCloseTo(Math.SQRT1_2, 6);
	});

	it('have the coordinates that the reader names, indexed ones too', () => {
		const glb = draw(
			`${material('map1')}${mesh(
				`rel material:binding = </W/M>\n${PLAIN}
	texCoord2f[] primvars:map1 = [(0, 0), (1, 1)] ( interpolation = "faceVarying" )
	int[] primvars:map1:indices = [0, 1, 0, 1]`,
				'm',
				BOUND,
			)}`,
			{ 't.png': PNG },
		);
		expect(glb.accessor(primitives(glb)[0].attributes.TEXCOORD_0)).toEqual([0, 1, 1, 0, 0, 1, 1, 0]);
	});

	it('of two sides have a material of their own', () => {
		const glb = draw(`${mesh(PLAIN, 'one')}${mesh(`${PLAIN}\nuniform bool doubleSided = 1`, 'two')}`);
		expect(glb.json.materials.map(({ doubleSided }: Json) => doubleSided ?? false).sort()).toEqual([false, true]);
	});

	it('whose subsets overlap draw each face once, in the first of them', () => {
		const subset = (name: string, faces: string): string =>
			`def GeomSubset "${name}"\n{\nuniform token elementType = "face"\nuniform token familyName = "materialBind"\nint[] indices = [${faces}]\n}\n`;
		const glb = draw(
			mesh(`int[] faceVertexCounts = [3, 3]
	int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
	point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0)]
	uniform token subdivisionScheme = "none"
	${subset('a', '0')}${subset('b', '0, 1')}`),
		);
		expect(primitives(glb).map(({ indices }) => glb.json.accessors[indices].count)).toEqual([3, 3]);
		const { losses } = glb.robot.ledger.find(({ kind }) => kind === 'visual')!;
		expect(losses.map(({ code }) => code)).toEqual(['material-not-preview']);
	});
});

describe('instances as glTF', () => {
	it('that wear another material have a mesh of their own with the same numbers', () => {
		const colour = (name: string, rgb: string): string =>
			`def Material "${name}"\n{\ntoken outputs:surface.connect = </W/${name}/S.outputs:surface>\ndef Shader "S"\n{\nuniform token info:id = "UsdPreviewSurface"\ncolor3f inputs:diffuseColor = ${rgb}\ntoken outputs:surface\n}\n}\n`;
		const instance = (name: string, material: string): string =>
			`def Xform "${name}" ( instanceable = true\nprepend references = </W/P>\nprepend apiSchemas = ["MaterialBindingAPI"] )\n{\nrel material:binding = </W/${material}>\n}\n`;
		const { json } = draw(`${colour('Red', '(1, 0, 0)')}${colour('Blue', '(0, 0, 1)')}
	class Xform "P"\n{\n${mesh(PLAIN)}}\n${instance('a', 'Red')}${instance('b', 'Blue')}${instance('c', 'Red')}`);
		const used: number[] = json.nodes.flatMap(({ mesh: index }: Json) => (index === undefined ? [] : [index]));
		expect(used).toHaveLength(3);
		expect(new Set(used).size).toBe(2);
		const [one, two] = json.meshes.map(({ primitives: [only] }: Json) => only);
		expect(one.attributes).toEqual(two.attributes);
		expect(one.indices).toBe(two.indices);
		expect(one.material).not.toBe(two.material);
	});

	it('of instancers in instancers are written out where they stand', () => {
		const instancer = (name: string, prototype: string, step: string, inner: string): string =>
			`def PointInstancer "${name}"\n{\nint[] protoIndices = [0, 0]\npoint3f[] positions = [(0, 0, 0), ${step}]\nrel prototypes = <${prototype}>\n${inner}\n}\n`;
		const inner = instancer('in', '/W/out/in/P', '(1, 0, 0)', `def Xform "P"\n{\n${mesh(PLAIN)}}`);
		const glb = draw(instancer('out', '/W/out/in', '(0, 0, 10)', inner));
		const [{ extensions }] = glb.json.nodes.filter((node: Json) => node.extensions !== undefined);
		const { TRANSLATION } = extensions.EXT_mesh_gpu_instancing.attributes;
		const places = glb.accessor(TRANSLATION);
		const found = [0, 3, 6, 9].map((i) => places.slice(i, i + 3).join()).sort();
		expect(found).toEqual(['0,0,0', '0,0,10', '1,0,0', '1,0,10']);
	});
});

describe('images as glTF', () => {
	it('of sixteen bits are written with eight', () => {
		// one texel of 65535 32896 0
		const deep = Uint8Array.from(
			atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABEAIAAADA54+dAAAAD0lEQVR4nGP4/7+hgYEBAA58Av+HAkZEAAAAAElFTkSuQmCC'),
			(character) => character.charCodeAt(0),
		);
		const { robot, json } = draw(
			`${material('st')}${mesh(
				`rel material:binding = </W/M>\n${PLAIN}\ntexCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "vertex" )`,
				'm',
				BOUND,
			)}`,
			{ 't.png': deep },
		);
		expect(json.images[0].mimeType).toBe('image/png');
		expect(robot.ledger.find(({ kind }) => kind === 'texture')).toMatchObject({
			outcome: 'approximated',
			losses: [{ code: 'texture-reencoded' }],
		});
	});

	it('whose pixels cannot be read are passed on, and told of where the pixels are needed', () => {
		// a JPEG of one pixel, whose codes are none of its tables
		const broken = Uint8Array.from(
			atob(
				'/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAABAAEDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAAAAAAAAAAAAAB/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8A/v7/2Q==',
			),
			(character) => character.charCodeAt(0),
		);
		const coordinates = 'texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "vertex" )';
		const drawn = (more: string): ReturnType<typeof draw> =>
			draw(`${material('st')}${mesh(`rel material:binding = </W/M>\n${PLAIN}\n${more}`, 'm', BOUND)}`, {
				't.png': broken,
			});
		const told = ({ robot }: ReturnType<typeof draw>): unknown => robot.ledger.find(({ kind }) => kind === 'texture');
		const passed = drawn(coordinates);
		expect(passed.json.images[0].mimeType).toBe('image/jpeg');
		expect(told(passed)).toMatchObject({ losses: [] });
		expect(told(drawn(''))).toMatchObject({ outcome: 'dropped', losses: [{ code: 'texture-missing' }] });
	});

	it('inside of a package are read through it', () => {
		const source = stage(
			`${material('st')}${mesh(
				`rel material:binding = </W/M>\n${PLAIN}\ntexCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "vertex" )`,
				'm',
				BOUND,
			)}`,
		);
		const usdz = writeUsdz([
			{ name: 'a.usda', bytes: new TextEncoder().encode(source) },
			{ name: 't.png', bytes: PNG },
		]);
		const { json } = toGlb({ 'a.usdz': usdz }, 'a.usdz');
		expect(json.images).toHaveLength(1);
		expect(json.materials[0].pbrMetallicRoughness.baseColorTexture.index).toBe(0);
	});
});

describe('lights as glTF', () => {
	it('have the colour of their temperature where it counts', () => {
		const lamp = (extra: string): string => `def SphereLight "l"\n{\nfloat inputs:colorTemperature = 3000\n${extra}\n}`;
		const [warm] = draw(lamp('bool inputs:enableColorTemperature = 1')).json.extensions.KHR_lights_punctual.lights;
		const [white] = draw(lamp('')).json.extensions.KHR_lights_punctual.lights;
		expect(warm.color[0]).toBe(1);
		expect(warm.color[0]).toBeGreaterThan(warm.color[1]);
		expect(warm.color[1]).toBeGreaterThan(warm.color[2]);
		expect(white.color).toBeUndefined();
	});
});
