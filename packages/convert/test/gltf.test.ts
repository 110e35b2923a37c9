import { encodePng } from '@manyworlds/image';
import { MemoryStore } from '@manyworlds/usd';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { convertRobot } from '../src/index.ts';
import { type Glb, type Json, toGlb } from './gltf-scene.ts';

/** A stage of one world. */
function stage(body: string, head = 'metersPerUnit = 1\n upAxis = "Z"'): string {
	return `#usda 1.0\n(\n defaultPrim = "W"\n ${head}\n)\ndef Xform "W"\n{\n${body}\n}\n`;
}

const SQUARE = `int[] faceVertexCounts = [4]
	int[] faceVertexIndices = [0, 1, 2, 3]
	point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0)]
	uniform token subdivisionScheme = "none"`;

const ST = `texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 0.75), (0, 0.75)] ( interpolation = "faceVarying" )`;

/** A material with some inputs and shaders; `@` stands for its path. */
function material(inputs: string, shaders = ''): string {
	return `def Material "M"
	{
		token outputs:surface.connect = </W/M/S.outputs:surface>
		def Shader "S"
		{
			uniform token info:id = "UsdPreviewSurface"
			${inputs}
			token outputs:surface
		}
		${shaders}
	}`;
}

function texture(name: string, file: string, extra = '', st = '/W/M/R'): string {
	return `def Shader "${name}"
	{
		uniform token info:id = "UsdUVTexture"
		asset inputs:file = @./${file}@
		float2 inputs:st.connect = <${st}.outputs:result>
		${extra}
		float3 outputs:rgb
		float outputs:r
		float outputs:g
		float outputs:b
		float outputs:a
	}`;
}

const READER = `def Shader "R"
	{
		uniform token info:id = "UsdPrimvarReader_float2"
		string inputs:varname = "st"
		float2 outputs:result
	}`;

const BOUND = `def Mesh "Square" ( prepend apiSchemas = ["MaterialBindingAPI"] )
	{
		rel material:binding = </W/M>
		${SQUARE}
		${ST}
	}`;

/** A PNG of one colour in each texel. */
function png(channels: 1 | 3 | 4, ...texels: number[][]): Uint8Array {
	return encodePng({ width: texels.length, height: 1, channels, samples: Uint8Array.from(texels.flat()) });
}

function surface(inputs: string, shaders = '', files: Record<string, Uint8Array> = {}): Json {
	const { json } = toGlb({ 'a.usda': stage(`${material(inputs, shaders)}\n${BOUND}`), ...files });
	return { ...json.materials[0], json };
}

function expectNear(actual: readonly number[], expected: readonly number[], digits = 6): void {
	expect(actual).toHaveLength(expected.length);
	for (const [i, value] of expected.entries()) expect(actual[i]).toBeCloseTo(value, digits);
}

describe('scenes as glTF', () => {
	it('turns a stage with z up once, at the root, and keeps the numbers below it', () => {
		const glb = toGlb({ 'a.usda': stage(`def Mesh "Square"\n{\n${SQUARE}\n}`) });
		expectNear(glb.json.nodes[glb.json.scenes[0].nodes[0]].rotation, [-Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
		expect(glb.node('Square').rotation).toBeUndefined();
		const corners = glb.triangles().get('Square')!;
		expect(corners).toHaveLength(6);
		expectNear(corners[2]!, [1, 0, -2]);
	});

	it('scales centimetres at the root, and leaves a stage with y up in metres as it is', () => {
		const mesh = `def Mesh "Square"\n{\n${SQUARE}\n}`;
		const small = toGlb({ 'a.usda': stage(mesh, 'metersPerUnit = 0.01\n upAxis = "Y"') });
		expectNear(small.triangles().get('Square')![2]!, [0.01, 0.02, 0]);
		const plain = toGlb({ 'a.usda': stage(mesh, 'metersPerUnit = 1\n upAxis = "Y"') });
		expect(plain.json.nodes[plain.json.scenes[0].nodes[0]].name).toBe('W');
	});

	it('turns faces over for left-handed meshes, leaves holes out and clips concave faces', () => {
		const mesh = `def Mesh "Bent"
		{
			int[] faceVertexCounts = [5, 3]
			int[] faceVertexIndices = [0, 1, 2, 3, 4, 0, 1, 2]
			int[] holeIndices = [1]
			uniform token orientation = "leftHanded"
			uniform token subdivisionScheme = "none"
			point3f[] points = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (1, 0.5, 0), (0, 2, 0)]
		}`;
		const corners = toGlb({ 'a.usda': stage(mesh, 'metersPerUnit = 1\n upAxis = "Y"') })
			.triangles()
			.get('Bent')!;
		expect(corners).toHaveLength(9);
		let area = 0;
		for (let t = 0; t < 9; t += 3) {
			const [a, b, c] = corners.slice(t, t + 3) as [number[], number[], number[]];
			area += ((b[0]! - a[0]!) * (c[1]! - a[1]!) - (b[1]! - a[1]!) * (c[0]! - a[0]!)) / 2;
		}
		expect(area).toBeCloseTo(-2.5, 6);
	});

	it('keeps mirrors in the scale and puts a shear into the points', () => {
		const source = stage(
			`def Mesh "Square"
			{
				${SQUARE}
				matrix4d xformOp:transform = ((1, 0, 0, 0), (0.5, 1, 0, 0), (0, 0, 1, 0), (3, 0, 0, 1))
				uniform token[] xformOpOrder = ["xformOp:transform"]
			}
			def Mesh "Mirror"
			{
				${SQUARE}
				float3 xformOp:scale = (-1, 1, 1)
				uniform token[] xformOpOrder = ["xformOp:scale"]
			}`,
			'metersPerUnit = 1\n upAxis = "Y"',
		);
		const glb = toGlb({ 'a.usda': source });
		expectNear(glb.node('Mirror').scale, [-1, 1, 1]);
		const sheared = [...glb.triangles()].find(([name]) => name.startsWith('Square'))![1];
		expectNear(sheared[2]!, [3 + 1 + 0.5 * 2, 2, 0]);
		expect(glb.json.nodes.some((node: Json) => 'matrix' in node)).toBe(false);
		const entry = glb.robot.ledger.find(({ name }) => name === '/W/Square')!;
		expect(entry.losses.map(({ code }) => code)).toEqual(['shear-baked']);
	});

	it('nests bodies as joints hold them, whatever the prims say', () => {
		const body = (
			name: string,
			z: number,
		): string => `def Xform "${name}" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"] )
			{
				float physics:mass = 1
				float3 physics:diagonalInertia = (1, 1, 1)
				double3 xformOp:translate = (0, 0, ${z})
				uniform token[] xformOpOrder = ["xformOp:translate"]
			}`;
		const source = stage(`${body('base', 1)}\n${body('arm', 3)}
			def PhysicsRevoluteJoint "J"
			{
				rel physics:body0 = </W/base>
				rel physics:body1 = </W/arm>
				uniform token physics:axis = "Z"
				point3f physics:localPos0 = (0, 0, 2)
			}`);
		const glb = toGlb({ 'a.usda': source });
		const base = glb.node('base');
		expect(base.children.map((child: number) => glb.json.nodes[child].name)).toEqual(['arm']);
		expectNear(glb.node('arm').translation, [0, 0, 2]);
		expectNear(glb.world('arm').slice(12, 15), [0, 3, 0]);
		expect(glb.robot.ledger.find(({ kind }) => kind === 'joint')!.outcome).toBe('approximated');
	});

	it('draws neither guides nor what is invisible, and says so', () => {
		const source = stage(`def Cube "Guide" ( prepend apiSchemas = ["PhysicsCollisionAPI"] )
			{
				uniform token purpose = "guide"
			}
			def Cube "Proxy"
			{
				uniform token purpose = "proxy"
			}
			def Cube "Hidden"
			{
				token visibility = "invisible"
			}
			def Cube "Seen"
			{
				double size = 1
			}`);
		const glb = toGlb({ 'a.usda': source });
		expect([...glb.triangles().keys()]).toEqual(['Seen']);
		const visuals = glb.robot.ledger
			.filter(({ kind }) => kind === 'visual')
			.map(({ name, outcome }) => [name, outcome]);
		expect(visuals).toEqual([
			['/W/Proxy', 'dropped'],
			['/W/Hidden', 'dropped'],
			['/W/Seen', 'approximated'],
		]);
	});

	it('has round shapes with their corners on the surface', () => {
		const source = stage(
			`def Cylinder "Rod"
			{
				double radius = 0.5
				double height = 3
				uniform token axis = "X"
			}`,
			'metersPerUnit = 1\n upAxis = "Y"',
		);
		const glb = toGlb({ 'a.usda': source });
		const corners = glb.triangles().get('Rod')!;
		expect(corners.length / 3).toBeGreaterThanOrEqual(4 * 48);
		expect(Math.max(...corners.map(([x]) => x!))).toBeCloseTo(1.5, 6);
		for (const [, y, z] of corners) expect([0, 0.5].some((r) => Math.abs(Math.hypot(y!, z!) - r) < 1e-6)).toBe(true);
	});

	it('shares one mesh between instances and places point instances on the GPU', () => {
		const source = stage(`def Xform "A" ( instanceable = true
				prepend references = </Bolt> )
			{
			}
			def Xform "B" ( instanceable = true
				prepend references = </Bolt> )
			{
				double3 xformOp:translate = (5, 0, 0)
				uniform token[] xformOpOrder = ["xformOp:translate"]
			}
			def PointInstancer "Many"
			{
				int[] protoIndices = [0, 0, 0]
				point3f[] positions = [(0, 0, 0), (1, 0, 0), (2, 0, 0)]
				quath[] orientations = [(1, 0, 0, 0), (0.707, 0, 0, 0.707), (1, 0, 0, 0)]
				int64[] invisibleIds = [2]
				rel prototypes = </W/Many/P>
				def Xform "P"
				{
					double3 xformOp:translate = (0, 0, 2)
					uniform token[] xformOpOrder = ["xformOp:translate"]
					def Mesh "m"
					{
						${SQUARE}
					}
				}
			}`).replace('def Xform "W"', `class Xform "Bolt"\n{\n def Mesh "m"\n {\n${SQUARE}\n }\n}\ndef Xform "W"`);
		const glb = toGlb({ 'a.usda': source });
		const meshes = glb.json.nodes.flatMap(({ mesh, extensions }: Json) =>
			mesh === undefined || extensions ? [] : [mesh],
		);
		expect(meshes).toHaveLength(2);
		expect(new Set(meshes).size).toBe(1);
		const instancer = glb.json.nodes.find(({ extensions }: Json) => extensions?.EXT_mesh_gpu_instancing !== undefined);
		const { TRANSLATION, ROTATION } = instancer.extensions.EXT_mesh_gpu_instancing.attributes;
		expectNear(glb.accessor(TRANSLATION), [0, 0, 2, 1, 0, 2]);
		expectNear(glb.accessor(ROTATION).slice(4), [0, 0, Math.SQRT1_2, Math.SQRT1_2], 3);
	});
});

describe('lights and cameras as glTF', () => {
	it('gives lamps in candela and the sun in lux', () => {
		const source = stage(
			`def SphereLight "Lamp"
			{
				float inputs:intensity = 1000
				float inputs:exposure = 1
				float inputs:radius = 5
			}
			def DistantLight "Sun"
			{
				float inputs:intensity = 5000
				float inputs:angle = 0.53
			}
			def SphereLight "Spot" ( prepend apiSchemas = ["ShapingAPI"] )
			{
				float inputs:intensity = 8
				bool inputs:normalize = 1
				float inputs:shaping:cone:angle = 30
				float inputs:shaping:cone:softness = 0.5
			}
			def RectLight "Panel"
			{
			}
			def DomeLight "Sky"
			{
			}`,
			'metersPerUnit = 0.01\n upAxis = "Z"',
		);
		const { json, robot } = toGlb({ 'a.usda': source });
		const [lamp, sun, spot] = json.extensions.KHR_lights_punctual.lights;
		expect(lamp.type).toBe('point');
		expect(lamp.intensity).toBeCloseTo(15.708, 3);
		expect(sun.type).toBe('directional');
		expect(sun.intensity).toBeCloseTo(0.336, 3);
		expect(spot.intensity).toBeCloseTo(2, 9);
		expect(spot.spot.outerConeAngle).toBeCloseTo(Math.PI / 6, 6);
		expect(spot.spot.innerConeAngle).toBeCloseTo(Math.PI / 12, 6);
		const dropped = robot.ledger.filter(({ outcome }) => outcome === 'dropped');
		expect(dropped.map(({ name, losses }) => [name, losses[0]!.code])).toEqual([
			['/W/Panel', 'area-light'],
			['/W/Sky', 'dome-light'],
		]);
	});

	it('gives cameras their field of view, and clipping planes in metres', () => {
		const source = stage(
			`def Camera "Eye"
			{
				float2 clippingRange = (1, 1000)
				float focalLength = 35
				float horizontalAperture = 36
				float verticalAperture = 20.25
			}
			def Camera "Flat"
			{
				token projection = "orthographic"
				float horizontalAperture = 400
				float verticalAperture = 200
			}`,
			'metersPerUnit = 0.01\n upAxis = "Z"',
		);
		const [eye, flat] = toGlb({ 'a.usda': source }).json.cameras;
		expect(eye.perspective.yfov).toBeCloseTo(2 * Math.atan(20.25 / 70), 6);
		expect(eye.perspective.aspectRatio).toBeCloseTo(36 / 20.25, 6);
		expectNear([eye.perspective.znear, eye.perspective.zfar], [0.01, 10]);
		expectNear([flat.orthographic.xmag, flat.orthographic.ymag], [0.2, 0.1]);
	});
});

describe('surfaces as glTF', () => {
	it('keeps constant inputs, and clamps colours that are brighter than white', () => {
		const {
			pbrMetallicRoughness: pbr,
			extensions,
			emissiveFactor,
		} = surface(`color3f inputs:diffuseColor = (1.2, 0.5, 0.25)
			float inputs:metallic = 0.6
			float inputs:roughness = 0.3
			float inputs:ior = 1.4
			float inputs:clearcoat = 0.4
			float inputs:clearcoatRoughness = 0.2
			color3f inputs:emissiveColor = (2, 1, 0)`);
		expectNear(pbr.baseColorFactor, [1, 0.5, 0.25, 1]);
		expectNear([pbr.metallicFactor, pbr.roughnessFactor], [0.6, 0.3]);
		expect(extensions.KHR_materials_ior.ior).toBeCloseTo(1.4, 6);
		expect(extensions.KHR_materials_clearcoat.clearcoatFactor).toBeCloseTo(0.4, 6);
		expect(extensions.KHR_materials_clearcoat.clearcoatRoughnessFactor).toBeCloseTo(0.2, 6);
		expectNear(emissiveFactor, [1, 0.5, 0]);
		expect(extensions.KHR_materials_emissive_strength.emissiveStrength).toBe(2);
	});

	it('says the specular workflow by a colour over the reflectance of glass', () => {
		const { extensions, pbrMetallicRoughness } = surface(
			'int inputs:useSpecularWorkflow = 1\ncolor3f inputs:specularColor = (0.04, 0.1, 0.2)',
		);
		expect(pbrMetallicRoughness.metallicFactor).toBe(0);
		expectNear(extensions.KHR_materials_specular.specularColorFactor, [1, 2.5, 5], 5);
	});

	it('blends, masks or neither, as opacity and its threshold say', () => {
		const half = surface('float inputs:opacity = 0.4');
		expect(half.alphaMode).toBe('BLEND');
		expect(half.pbrMetallicRoughness.baseColorFactor[3]).toBeCloseTo(0.4, 6);
		expect(surface('float inputs:opacity = 1').alphaMode).toBeUndefined();
		const masked = surface(
			'float inputs:opacity.connect = </W/M/T.outputs:a>\nfloat inputs:opacityThreshold = 0.3',
			`${texture('T', 'a.png')}\n${READER}`,
			{ 'a.png': png(4, [10, 20, 30, 40], [50, 60, 70, 200]) },
		);
		expect(masked.alphaMode).toBe('MASK');
		expect(masked.alphaCutoff).toBeCloseTo(0.3, 6);
	});

	it('turns v over, splits corners only where they differ, and keeps the file of the image', () => {
		const image = png(3, [255, 0, 0], [0, 255, 0]);
		const glb = toGlb({
			'a.usda': stage(
				`${material('color3f inputs:diffuseColor.connect = </W/M/T.outputs:rgb>', `${texture('T', 'a.png', 'token inputs:wrapS = "mirror"\ntoken inputs:wrapT = "clamp"\nfloat4 inputs:scale = (0.5, 1, 1, 1)')}\n${READER}`)}\n${BOUND}`,
			),
			'a.png': image,
		});
		const [{ attributes }] = glb.json.meshes[0].primitives;
		expectNear(glb.accessor(attributes.TEXCOORD_0), [0, 1, 1, 1, 1, 0.25, 0, 0.25]);
		const { pbrMetallicRoughness: pbr } = glb.json.materials[0];
		expectNear(pbr.baseColorFactor, [0.5, 1, 1, 1]);
		const { source, sampler } = glb.json.textures[pbr.baseColorTexture.index];
		expect(glb.json.samplers[sampler]).toMatchObject({ wrapS: 33648, wrapT: 33071 });
		expect(glb.json.bufferViews[glb.json.images[source].bufferView].byteLength).toBe(image.length);
	});

	it('packs roughness and metallic of two files into the channels that glTF reads', () => {
		const { json, pbrMetallicRoughness: pbr } = surface(
			'float inputs:metallic.connect = </W/M/A.outputs:r>\nfloat inputs:roughness.connect = </W/M/B.outputs:r>',
			`${texture('A', 'a.png', 'token inputs:sourceColorSpace = "raw"')}\n${texture('B', 'b.png')}\n${READER}`,
			{ 'a.png': png(3, [200, 1, 2]), 'b.png': png(1, [100], [50]) },
		);
		expect(pbr.metallicFactor ?? 1).toBe(1);
		expect(json.images).toHaveLength(1);
		expect(pbr.metallicRoughnessTexture.index).toBe(0);
	});

	it('says turned coordinates by the extension, and bakes those that viewers disagree about', () => {
		const turn = (scale: string): string => `def Shader "X"
			{
				uniform token info:id = "UsdTransform2d"
				float2 inputs:in.connect = </W/M/R.outputs:result>
				float inputs:rotation = 30
				float2 inputs:scale = ${scale}
				float2 inputs:translation = (0.1, 0.2)
				float2 outputs:result
			}`;
		const input = 'color3f inputs:diffuseColor.connect = </W/M/T.outputs:rgb>';
		const files = { 'a.png': png(3, [255, 0, 0], [0, 255, 0]) };
		const even = surface(input, `${texture('T', 'a.png', '', '/W/M/X')}\n${turn('(2, 2)')}\n${READER}`, files);
		const transform = even.pbrMetallicRoughness.baseColorTexture.extensions.KHR_texture_transform;
		const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
		expect(transform.rotation).toBeCloseTo(Math.PI / 6, 6);
		expectNear(transform.scale, [2, 2]);
		expectNear(transform.offset, [0.1 - 2 * s, 1 - 0.2 - 2 * c]);
		const uneven = surface(input, `${texture('T', 'a.png', '', '/W/M/X')}\n${turn('(2, 1)')}\n${READER}`, files);
		expect(uneven.pbrMetallicRoughness.baseColorTexture.extensions).toBeUndefined();
	});

	it('keeps usual normal maps, their strength, and bakes those of DirectX', () => {
		const map = (scale: string, bias: string): Json =>
			surface(
				'normal3f inputs:normal.connect = </W/M/T.outputs:rgb>',
				`${texture('T', 'n.png', `token inputs:sourceColorSpace = "raw"\nfloat4 inputs:scale = ${scale}\nfloat4 inputs:bias = ${bias}`)}\n${READER}`,
				{ 'n.png': png(3, [128, 128, 255], [200, 100, 220]) },
			);
		expect(map('(2, 2, 2, 1)', '(-1, -1, -1, 0)').normalTexture.scale).toBeUndefined();
		expect(map('(1, 1, 2, 1)', '(-0.5, -0.5, -1, 0)').normalTexture.scale).toBeCloseTo(0.5, 6);
		const { json } = map('(2, -2, 2, 1)', '(-1, 1, -1, 0)');
		expect(json.images).toHaveLength(1);
	});

	it('uses the fallback of an image that is not there, and one texel where there are no coordinates', () => {
		const missing = surface(
			'color3f inputs:diffuseColor.connect = </W/M/T.outputs:rgb>',
			`${texture('T', 'no.png', 'float4 inputs:fallback = (0.25, 0.5, 0.75, 1)')}\n${READER}`,
		);
		expectNear(missing.pbrMetallicRoughness.baseColorFactor, [0.25, 0.5, 0.75, 1]);
		const unread = surface(
			'color3f inputs:diffuseColor.connect = </W/M/T.outputs:rgb>',
			texture('T', 'a.png', 'token inputs:sourceColorSpace = "raw"').replace(/float2 inputs:st.connect.*/, ''),
			{ 'a.png': png(3, [51, 102, 255]) },
		);
		expectNear(unread.pbrMetallicRoughness.baseColorFactor, [0.2, 0.4, 1, 1]);
	});

	it('gives faces of subsets their own material, and colours of vertices where no material is', () => {
		const source = stage(`${material('color3f inputs:diffuseColor = (1, 0, 0)')}
			def Mesh "Two"
			{
				int[] faceVertexCounts = [3, 3]
				int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
				point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
				uniform token subdivisionScheme = "none"
				color3f[] primvars:displayColor = [(0, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)] ( interpolation = "vertex" )
				def GeomSubset "Red" ( prepend apiSchemas = ["MaterialBindingAPI"] )
				{
					uniform token elementType = "face"
					uniform token familyName = "materialBind"
					int[] indices = [1]
					rel material:binding = </W/M>
				}
			}`);
		const glb = toGlb({ 'a.usda': source });
		const [red, rest] = glb.json.meshes[0].primitives;
		expectNear(glb.json.materials[red.material].pbrMetallicRoughness.baseColorFactor, [1, 0, 0, 1]);
		expect(red.attributes.COLOR_0).toBeUndefined();
		expectNear(glb.accessor(rest.attributes.COLOR_0), [0, 0, 0, 0, 1, 0, 0, 0, 1]);
	});
});

const ROBOT = `<robot name="r">
	<material name="red"><color rgba="0.5 0 0 0.5"/></material>
	<link name="base"><visual><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
		<collision><geometry><sphere radius="5"/></geometry></collision></link>
	<link name="tip"><visual><geometry><cylinder radius="0.1" length="1"/></geometry></visual></link>
	<joint name="j" type="revolute"><parent link="base"/><child link="tip"/><origin xyz="0 0 2" rpy="0 0 1.5707963267948966"/>
		<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>`;

describe('robots of other formats as glTF', () => {
	it('nests links of a URDF, with their shapes and the light of their colours, and without colliders', () => {
		const glb = toGlb({ 'r.urdf': ROBOT });
		const names = glb.node('base').children.map((child: number) => glb.json.nodes[child].name);
		expect(names).toContain('tip');
		const box = glb.triangles().get('base_visual')!;
		expect(Math.max(...box.map(([, y]) => y!))).toBeCloseTo(2.5, 6);
		const { baseColorFactor } = glb.json.materials.find(({ name }: Json) => name === 'red').pbrMetallicRoughness;
		expectNear(baseColorFactor, [0.21404114, 0, 0, 0.5], 5);
		expect(glb.robot.ledger.find(({ kind }) => kind === 'collider')!.outcome).toBe('dropped');
	});

	it('writes text with its numbers beside it', () => {
		const glb = toGlb({ 'r.urdf': ROBOT });
		const robot = convertFiles({ 'r.urdf': ROBOT });
		expect(robot.map(({ path }) => path)).toEqual(['r.gltf', 'r.bin']);
		const json = JSON.parse(robot[0]!.content as string) as Json;
		expect(json.buffers).toEqual([{ uri: 'r.bin', byteLength: (robot[1]!.content as Uint8Array).length }]);
		expect(json.meshes).toEqual(glb.json.meshes);
	});

	it('reads nothing wrong for the validator, and gives the same bytes twice', async () => {
		const image = png(4, [255, 0, 0, 255], [0, 255, 0, 10]);
		const scene = {
			'a.usda': stage(
				`${material('color3f inputs:diffuseColor.connect = </W/M/T.outputs:rgb>\nfloat inputs:opacity.connect = </W/M/T.outputs:a>\nfloat inputs:clearcoat = 1', `${texture('T', 'a.png')}\n${READER}`)}\n${BOUND}
				def Capsule "C"\n{\n}\ndef SphereLight "L"\n{\n}\ndef Camera "E"\n{\n}`,
			),
			'a.png': image,
		};
		for (const files of [scene, { 'r.urdf': ROBOT }]) {
			const first: Glb = toGlb(files);
			expect(toGlb(files).bytes).toEqual(first.bytes);
			const { issues } = await validateBytes(first.bytes);
			expect(issues.messages.filter(({ severity }: Json) => severity < 2)).toEqual([]);
		}
	});
});

function convertFiles(files: Record<string, string>): readonly { path: string; content: Uint8Array | string }[] {
	const robot = convertRobot(Object.keys(files)[0]!, { store: new MemoryStore(files), to: 'gltf' });
	return robot!.files;
}
