import { encodePng } from '@manyworlds/image';
import { describe, expect, it } from 'vitest';
import { LOSSES, type LossCode, type TargetFormat } from '../src/index.ts';
import { convertText } from './robots.ts';

const INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>';

function urdf(content: string, joint = 'type="fixed"', joined = ''): string {
	return `<robot name="r"><link name="a">${INERTIAL}</link><link name="b">${INERTIAL}${content}</link>
		<joint name="j" ${joint}><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>${joined}</joint></robot>`;
}

const LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>';

/** A body on a hinge in MJCF. */
function mjcf(
	parts: { joint?: string; geom?: string; body?: string; world?: string; rest?: string; settings?: string } = {},
): string {
	const {
		joint = '<joint name="h" axis="0 0 1"/>',
		geom = '',
		body = '',
		world = '',
		rest = '',
		settings = '',
	} = parts;
	return `<mujoco model="m">${settings}<worldbody>${world}<body name="a">${joint}
		<geom name="g" size="0.1" ${geom}/>${body}</body></worldbody>${rest}</mujoco>`;
}

function stage(content: string, settings = ''): string {
	return `#usda 1.0\n(\n defaultPrim = "W"\n metersPerUnit = 1\n upAxis = "Z"\n ${settings})\ndef Xform "W"\n{\n${content}\n}\n`;
}

const MASS =
	'float physics:mass = 1\nfloat3 physics:diagonalInertia = (1, 1, 1)\npoint3f physics:centerOfMass = (0, 0, 0)';

function body(name: string, content = '', mass = MASS): string {
	return `def Xform "${name}" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"] )\n{\n${mass}\n${content}\n}\n`;
}

const hinge = (limits: string): string => `def PhysicsRevoluteJoint "hinge"
	{
		uniform token physics:axis = "Z"
		rel physics:body0 = </W/a>
		rel physics:body1 = </W/b>
		${limits}
	}`;

const SQUARE = `int[] faceVertexCounts = [4]
	int[] faceVertexIndices = [0, 1, 2, 3]
	point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0)]`;

/** A square with a surface of some inputs and shaders. */
function surface(inputs: string, shaders = '', id = 'UsdPreviewSurface', primvars = ''): string {
	return stage(`def Mesh "Square" ( prepend apiSchemas = ["MaterialBindingAPI"] )
	{
		rel material:binding = </W/M>
		${SQUARE}
		uniform token subdivisionScheme = "none"
		texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "vertex" )
		texCoord2f[] primvars:other = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "vertex" )
		${primvars}
	}
	def Material "M"
	{
		token outputs:surface.connect = </W/M/S.outputs:surface>
		def Shader "S"
		{
			uniform token info:id = "${id}"
			${inputs}
			token outputs:surface
		}
		${shaders}
	}`);
}

function texture(name: string, file: string, primvar = 'st'): string {
	return `def Shader "${name}"
	{
		uniform token info:id = "UsdUVTexture"
		asset inputs:file = @./${file}@
		float2 inputs:st.connect = </W/M/${name}_at.outputs:result>
		float3 outputs:rgb
		float outputs:r
	}
	def Shader "${name}_at"
	{
		uniform token info:id = "UsdPrimvarReader_float2"
		string inputs:varname = "${primvar}"
		float2 outputs:result
	}`;
}

const PNG = encodePng({ width: 1, height: 1, channels: 3, samples: Uint8Array.of(10, 20, 30) });

/** An L, which is hollow. */
const ELL = `${[0, 1].map((z) => `v 0 0 ${z}\nv 2 0 ${z}\nv 2 1 ${z}\nv 1 1 ${z}\nv 1 2 ${z}\nv 0 2 ${z}`).join('\n')}
f 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n`;

const meshCollider = (name: string): string => `<collision><geometry><mesh filename="${name}"/></geometry></collision>`;

interface Case {
	readonly to: TargetFormat;
	readonly file?: string;
	readonly source: string;
	readonly options?: object;
	readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** For each loss a robot that has something which the target cannot hold. */
const CASES: Readonly<Record<LossCode, Case>> = {
	'joint-disabled': {
		to: 'urdf',
		source: stage(
			`${body('a')}${body('b')}${hinge('')}${hinge('bool physics:jointEnabled = 0').replace('"hinge"', '"off"')}`,
		),
	},
	'joint-locked': {
		to: 'mjcf',
		source: urdf('', 'type="revolute"', '<limit lower="0" upper="0" effort="1" velocity="1"/>'),
	},
	loop: {
		to: 'urdf',
		source: mjcf({
			world: '<body name="b"><joint/><geom size="0.1"/></body>',
			rest: '<equality><connect body1="a" body2="b" anchor="0 0 0"/></equality>',
		}),
	},
	'joint-kind': { to: 'urdf', source: mjcf({ joint: '<joint name="h" type="ball"/>' }) },
	'one-sided-limit': {
		to: 'mjcf',
		source: stage(`${body('a')}${body('b')}${hinge('float physics:lowerLimit = -90\nfloat physics:upperLimit = inf')}`),
	},
	'velocity-limit': { to: 'mjcf', source: urdf('', 'type="revolute"', LIMIT) },
	armature: { to: 'urdf', source: mjcf({ joint: '<joint name="h" axis="0 0 1" armature="0.1"/>' }) },
	friction: { to: 'urdf', source: mjcf({ geom: 'friction="0.3 0.1 0.1"' }) },
	restitution: {
		to: 'mjcf',
		file: 'r.sdf',
		source: `<sdf version="1.9"><model name="m"><link name="a"><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry>
			<surface><bounce><restitution_coefficient>0.5</restitution_coefficient></bounce></surface></collision></link></model></sdf>`,
	},
	drive: { to: 'urdf', source: mjcf({ rest: '<actuator><position joint="h" kp="10"/></actuator>' }) },
	actuator: { to: 'sdf', source: mjcf({ rest: '<actuator><motor joint="h" gear="10"/></actuator>' }) },
	'mimic-nonlinear': {
		to: 'urdf',
		source: mjcf({
			body: '<body name="b"><joint name="k"/><geom size="0.1"/></body>',
			rest: '<equality><joint joint1="k" joint2="h" polycoef="0 1 1 0 0"/></equality>',
		}),
	},
	equality: { to: 'urdf', source: mjcf({ rest: '<equality><joint joint1="h" polycoef="0 0 0 0 0"/></equality>' }) },
	tendon: { to: 'sdf', source: mjcf({ rest: '<tendon><fixed name="t"><joint joint="h" coef="1"/></fixed></tendon>' }) },
	filter: {
		to: 'urdf',
		source: mjcf({
			world: '<body name="b"><joint/><geom size="0.1"/></body>',
			rest: '<contact><exclude body1="a" body2="b"/></contact>',
		}),
	},
	'contact-pair': {
		to: 'urdf',
		source: mjcf({ body: '<geom name="k" size="0.1"/>', rest: '<contact><pair geom1="g" geom2="k"/></contact>' }),
	},
	'collision-group': { to: 'sdf', source: stage(`${body('a')}def PhysicsCollisionGroup "G"\n{\n}`) },
	approximation: {
		to: 'rep',
		source: urdf(meshCollider('flat.obj')),
		files: { 'flat.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' },
	},
	'concave-hull': { to: 'mjcf', source: urdf(meshCollider('ell.obj')), files: { 'ell.obj': ELL } },
	'shape-tessellated': {
		to: 'urdf',
		source: mjcf({ geom: 'type="ellipsoid"' }).replace('size="0.1"', 'size="0.1 0.2 0.3"'),
	},
	'scale-baked': {
		to: 'urdf',
		source: stage(
			body(
				'a',
				'def Cylinder "c" ( prepend apiSchemas = ["PhysicsCollisionAPI"] )\n{\nfloat3 xformOp:scale = (1, 2, 1)\nuniform token[] xformOpOrder = ["xformOp:scale"]\n}',
			),
		),
	},
	'name-changed': { to: 'sdf', source: urdf('').replace('name="j"', 'name="a"') },
	'fixed-merged': {
		to: 'urdf',
		source:
			'<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>',
		options: { mergeFixed: true },
	},
	'frame-inserted': { to: 'urdf', source: mjcf({ joint: '<joint name="h" axis="0 0 1" pos="1 0 0"/>' }) },
	'mass-derived': {
		to: 'urdf',
		source: stage(body('a', 'def Cube "c" ( prepend apiSchemas = ["PhysicsCollisionAPI"] )\n{\n}', '')),
	},
	'mass-invented': {
		to: 'mjcf',
		source: urdf('', 'type="revolute"', LIMIT).replace(`<link name="b">${INERTIAL}</link>`, '<link name="b"/>'),
	},
	'visual-derived': {
		to: 'rep',
		source: urdf('<collision><geometry><box size="1 1 1"/></geometry></collision>'),
	},
	'inertia-unphysical': { to: 'mjcf', source: urdf('').replaceAll('izz="1"', 'izz="9"') },
	'texture-missing': {
		to: 'glb',
		source: surface('color3f inputs:diffuseColor.connect = </W/M/T.outputs:rgb>', texture('T', 'no.png')),
	},
	'texture-reencoded': {
		to: 'glb',
		source: surface('float inputs:roughness.connect = </W/M/T.outputs:r>', texture('T', 't.png')),
		files: { 't.png': PNG },
	},
	udim: {
		to: 'glb',
		source: surface('color3f inputs:diffuseColor.connect = </W/M/T.outputs:rgb>', texture('T', 't.<UDIM>.png')),
	},
	'material-not-preview': { to: 'glb', source: surface('', '', 'OtherSurface') },
	'opacity-mode': { to: 'glb', source: surface('float inputs:opacity = 0.5') },
	'occlusion-constant': { to: 'glb', source: surface('float inputs:occlusion = 0.5') },
	displacement: { to: 'glb', source: surface('float inputs:displacement = 0.5') },
	'specular-baked': { to: 'glb', source: surface('int inputs:useSpecularWorkflow = 1\nfloat inputs:ior = 1') },
	'uv-set': {
		to: 'glb',
		source: surface(
			'float inputs:roughness.connect = </W/M/T.outputs:r>\nfloat inputs:metallic.connect = </W/M/U.outputs:r>',
			`${texture('T', 't.png')}\n${texture('U', 't.png', 'other')}`,
		),
		files: { 't.png': PNG },
	},
	subdivision: { to: 'glb', source: stage(`def Mesh "m"\n{\n${SQUARE}\n}`) },
	primvar: { to: 'glb', source: stage(`def Mesh "m"\n{\n${SQUARE}\nfloat primvars:heat = 3\n}`) },
	'shear-baked': {
		to: 'glb',
		source: stage(`def Mesh "m"
	{
		${SQUARE}
		matrix4d xformOp:transform = ((1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
		uniform token[] xformOpOrder = ["xformOp:transform"]
	}`),
	},
	'area-light': { to: 'glb', source: stage('def RectLight "l"\n{\n}') },
	'dome-light': { to: 'glb', source: stage('def DomeLight "l"\n{\n}') },
	'light-linking': {
		to: 'glb',
		source: stage(
			`def SphereLight "l"\n{\nrel collection:lightLink:excludes = </W/m>\n}\ndef Mesh "m"\n{\n${SQUARE}\n}`,
		),
	},
	'camera-offset': { to: 'glb', source: stage('def Camera "c"\n{\nfloat horizontalApertureOffset = 1\n}') },
	curves: { to: 'glb', source: stage('def BasisCurves "c"\n{\n}') },
	points: { to: 'glb', source: stage('def Points "p"\n{\n}') },
	'instancer-expanded': {
		to: 'glb',
		source: stage(`def Xform "tall"
	{
		float3 xformOp:scale = (1, 1, 3)
		uniform token[] xformOpOrder = ["xformOp:scale"]
		def PointInstancer "many"
		{
			int[] protoIndices = [0]
			point3f[] positions = [(0, 0, 0)]
			quath[] orientations = [(0.9, 0.3, 0.3, 0)]
			rel prototypes = </W/tall/many/P>
			def Xform "P"
			{
				def Mesh "m"
				{
					${SQUARE}
					float3 xformOp:scale = (1, 2, 3)
					float3 xformOp:rotateXYZ = (20, 30, 40)
					uniform token[] xformOpOrder = ["xformOp:scale", "xformOp:rotateXYZ"]
				}
			}
		}
	}`),
	},
	'purpose-proxy': { to: 'glb', source: stage(`def Mesh "m"\n{\nuniform token purpose = "proxy"\n${SQUARE}\n}`) },
	surroundings: {
		to: 'sdf',
		source: stage(`${body('a')}def Cube "ground" ( prepend apiSchemas = ["PhysicsCollisionAPI"] )\n{\n}`),
	},
	keyframe: { to: 'sdf', source: mjcf({ rest: '<keyframe><key name="k" qpos="0.5"/></keyframe>' }) },
	light: { to: 'urdf', source: stage(`${body('a', 'def SphereLight "l"\n{\n}')}`) },
	camera: { to: 'urdf', source: stage(`${body('a', 'def Camera "c"\n{\n}')}`) },
	sensor: { to: 'urdf', source: mjcf({ rest: '<sensor><jointpos joint="h"/></sensor>' }) },
	interface: {
		to: 'urdf',
		source: stage(
			body(
				'a',
				'def Xform "t" ( prepend apiSchemas = ["RosTopicAPI"] )\n{\nuniform string ros:topic:name = "t"\nuniform string ros:topic:type = "std_msgs/msg/String"\nuniform token ros:topic:role = "publisher"\n}',
			),
		),
	},
	controller: {
		to: 'urdf',
		source: stage(body('a', 'def Xform "c" ( prepend apiSchemas = ["RosControlJointTrajectoryAPI"] )\n{\n}')),
	},
	plugin: { to: 'urdf', source: mjcf({ rest: '<extension><plugin plugin="mujoco.pid"/></extension>' }) },
	metadata: { to: 'urdf', source: mjcf({ rest: '<custom><numeric name="n" data="1"/></custom>' }) },
	flexible: {
		to: 'urdf',
		source: mjcf({ world: '<flexcomp name="f" type="grid" count="2 2 1" dim="2"/>' }),
	},
	'variant-dropped': {
		to: 'urdf',
		source: stage(`${body('a')}def Xform "v" (
	variants = { string size = "big" }
	prepend variantSets = "size"
)
{
	variantSet "size" = { "big" { } "small" { } }
}`),
	},
	'variants-not-material': {
		to: 'glb',
		options: { materialVariants: { prim: '/W/v', set: 'size' } },
		source: stage(`def Xform "v" (
	variants = { string size = "big" }
	prepend variantSets = "size"
)
{
	variantSet "size" = {
		"big" {
			def Mesh "m"
			{
				${SQUARE}
			}
		}
		"small" {
		}
	}
}`),
	},
	animation: {
		to: 'glb',
		source: stage(
			`def Xform "x"\n{\ndouble3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 1: (1, 0, 0) }\nuniform token[] xformOpOrder = ["xformOp:translate"]\n}`,
		),
	},
	skel: {
		to: 'glb',
		source: stage(
			`def Mesh "m"\n{\n${SQUARE}\nint[] primvars:skel:jointIndices = [0, 0, 0, 0] ( interpolation = "vertex" )\n}`,
		),
	},
};

describe('losses', () => {
	it('all have a robot that shows them', () => {
		expect(Object.keys(CASES).sort()).toEqual(Object.keys(LOSSES).sort());
	});

	it.each(Object.keys(CASES) as LossCode[])('%s is told of what has it, in a sentence', (code) => {
		const { to, source, options, files } = CASES[code];
		const kind = source.startsWith('#usda') ? 'usda' : source.startsWith('<robot') ? 'urdf' : 'xml';
		const { ledger, report } = convertText(CASES[code].file ?? `r.${kind}`, source, to, options, files);
		const found = ledger.flatMap(({ losses, outcome }) =>
			losses.filter((loss) => loss.code === code).map(({ message }) => ({ message, outcome })),
		);
		expect(found.length, JSON.stringify(ledger.flatMap(({ losses }) => losses))).toBeGreaterThan(0);
		for (const { message, outcome } of found) {
			expect(message.length).toBeGreaterThan(10);
			expect(outcome).not.toBe('exported');
		}
		expect(report.toArray().some(({ message }) => message.startsWith(`${code}: `))).toBe(true);
	});
});
