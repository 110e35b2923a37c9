import { checkAsset } from '@manyworlds/rep158';
import { publicCheck } from '@manyworlds/rep158/internal';
import { describe, expect, it } from 'vitest';
import { toRepReport } from '../src/report/format-rep.ts';
import { openAsset } from './open-asset.ts';

/** The faults that the public checker's collection of violations has, one after the other, in an asset of our own. */
const ALL_VIOLATIONS = `#usda 1.0
(
	defaultPrim = "Robot"
	kilogramsPerUnit = 0.001
	metersPerUnit = 0.01
	upAxis = "Y"
)

class "_class_Wheel"
{
}

def Xform "Robot" (
	prepend apiSchemas = ["RosContextAPI", "PhysicsArticulationRootAPI"]
	kind = "component"
	prepend payload = @./heavy_payload.usda@
	prepend variantSets = "size"
)
{
	uniform string ros:context:namespace = "bad/name/"
	custom string my_sim:prefabPath = "robot.usd"
	float xformOp:rotateX = -90
	uniform token[] xformOpOrder = ["xformOp:rotateX"]
	variantSet "size" = {
		"big" {
		}
	}

	def Xform "Module" (
		prepend apiSchemas = ["RosContextAPI"]
		kind = "component"
	)
	{
		uniform string ros:context:parent_frame = "odom"
	}

	def Xform "NoRole" (
		prepend apiSchemas = ["RosTopicAPI"]
	)
	{
		uniform string ros:topic:name = "a"
		uniform string ros:topic:type = "std_msgs/msg/String"
	}

	def Xform "NoNameTypeRate" (
		prepend apiSchemas = ["RosTopicAPI"]
	)
	{
		uniform token ros:topic:role = "publisher"
		uniform token ros:topic:qos:reliability = "perhaps"
		uniform token ros:topic:qos:durability = "perhaps"
		uniform token ros:topic:qos:history = "perhaps"
	}

	def Xform "Clock" (
		prepend apiSchemas = ["RosTopicAPI"]
	)
	{
		uniform string ros:topic:name = "/clock"
		uniform double ros:topic:publish_rate = 100
		uniform token ros:topic:role = "publisher"
		uniform string ros:topic:type = "rosgraph_msgs/msg/Clock"
	}

	def Xform "Service" (
		prepend apiSchemas = ["RosServiceAPI"]
	)
	{
		uniform string ros:service:name = "spawn"
		uniform string ros:service:type = "simulation_interfaces/srv/SpawnEntity"
	}

	def Xform "Action" (
		prepend apiSchemas = ["RosActionAPI"]
	)
	{
		uniform string ros:action:name = "go"
		uniform token ros:action:role = "server"
	}

	def Xform "FrameBody" (
		prepend apiSchemas = ["RosFrameAPI", "PhysicsRigidBodyAPI"]
	)
	{
		uniform string ros:frame:id = "/frame body"
	}

	def Camera "Camera" (
		prepend apiSchemas = ["RosTopicAPI"]
	)
	{
		uniform string ros:topic:name = "image"
		uniform double ros:topic:publish_rate = 30
		uniform token ros:topic:role = "publisher"
		uniform string ros:topic:type = "sensor_msgs/msg/Image"
	}

	def PhysicsRevoluteJoint "Hinge"
	{
		rel physics:body0 = </Robot/FrameBody>
		rel physics:body1 = </Robot/ZeroMass>
	}

	def PhysicsFixedJoint "Mimic" (
		prepend apiSchemas = ["MimicJointAPI"]
		instanceable = true
	)
	{
		rel physics:body1 = </Robot/FrameBody>
	}

	def Xform "ZeroMass" (
		prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]
	)
	{
		float physics:mass = 0

		def Mesh "Collider" (
			prepend apiSchemas = ["PhysicsCollisionAPI"]
		)
		{
			uniform token purpose = "guide"
			int[] faceVertexCounts = [4]
			int[] faceVertexIndices = [0, 1, 2, 3]
			point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
		}
	}

	def Xform "InstanceBody" (
		prepend apiSchemas = ["PhysicsRigidBodyAPI"]
		instanceable = true
	)
	{
	}

	def Mesh "LeftHanded"
	{
		uniform bool doubleSided = true
		int[] faceVertexCounts = [3]
		int[] faceVertexIndices = [0, 1, 2]
		normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1)] (
			interpolation = "vertex"
		)
		uniform token orientation = "leftHanded"
		point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
	}

	def Material "Empty"
	{
	}

	def Material "Tiled"
	{
		token outputs:surface.connect = </Robot/Tiled/Surface.outputs:surface>

		def Shader "Surface"
		{
			uniform token info:id = "UsdPreviewSurface"
			color3f inputs:diffuseColor.connect = </Robot/Tiled/Texture.outputs:rgb>
			token outputs:surface
		}

		def Shader "Texture"
		{
			uniform token info:id = "UsdUVTexture"
			asset inputs:file = @./wood.<UDIM>.exr@
			float3 outputs:rgb
		}
	}

	def RectLight "Panel"
	{
	}

	def Xform "Server" (
		prepend references = @omniverse://server/part.usd@
	)
	{
	}

	def Xform "Absolute" (
		prepend references = @/home/me/part.usda@
	)
	{
	}

	def Xform "Inheriting" (
		prepend apiSchemas = ["PhysicsRigidBodyAPI"]
		prepend inherits = </_class_Elsewhere>
	)
	{
	}

	def Xform "Specializing" (
		prepend apiSchemas = ["PhysicsRigidBodyAPI"]
		prepend specializes = </_class_Elsewhere>
	)
	{
	}

	def Cube "Scaled" (
		prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
	)
	{
		float physics:mass = 1
		float3 xformOp:scale = (2, 2, 2)
		uniform token[] xformOpOrder = ["xformOp:scale"]
	}

	def PointInstancer "Crowd"
	{
		point3f[] positions = [(0, 0, 0)]
		int[] protoIndices = [0]
		rel prototypes = </Robot/Scaled>
	}

	def Xform "InstancePart" (
		instanceable = true
		prepend apiSchemas = ["PhysicsRigidBodyAPI"]
		prepend references = @./part.usda@
	)
	{
	}

	def Xform "TwoInterfaces" (
		prepend apiSchemas = ["RosServiceAPI", "RosActionAPI"]
	)
	{
		uniform string ros:action:name = "a"
		uniform token ros:action:role = "server"
		uniform string ros:action:type = "control_msgs/action/FollowJointTrajectory"
		uniform string ros:service:name = "s"
		uniform token ros:service:role = "server"
		uniform string ros:service:type = "std_srvs/srv/SetBool"
	}

	def Xform "BadName" (
		prepend apiSchemas = ["RosTopicAPI"]
	)
	{
		uniform string ros:topic:name = "9 lives"
		uniform double ros:topic:publish_rate = 1
		uniform token ros:topic:role = "publisher"
		uniform string ros:topic:type = "std_msgs/msg/String"
	}
}
`;

const HEAVY_PAYLOAD = `#usda 1.0
(
	defaultPrim = "Heavy"
)

def Scope "Heavy"
{
	def Xform "Link" (
		prepend apiSchemas = ["PhysicsRigidBodyAPI"]
	)
	{
	}

	def Mesh "Triangle"
	{
		int[] faceVertexCounts = [3]
		int[] faceVertexIndices = [0, 1, 2]
		point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
	}
}
`;

function check(files: Readonly<Record<string, string>>): ReturnType<typeof checkAsset>['report'] {
	const { layer, store } = openAsset(files, 'asset.usda');
	const { report } = checkAsset(layer, store);
	expect(store.report.toArray()).toEqual([]);
	expect(report.toArray().filter(({ code }) => code === 'CHK002')).toEqual([]);
	return report;
}

const PART = '#usda 1.0\n(\n\tdefaultPrim = "Part"\n)\ndef Xform "Part"\n{\n}\n';

const FILES = { 'asset.usda': ALL_VIOLATIONS, 'heavy_payload.usda': HEAVY_PAYLOAD, 'part.usda': PART };

/** Numbers of the checks that its list breaks. */
const NUMBERS = [
	...['1.1.1', '1.1.2', '1.1.3', '1.1.4', '1.1.5', '1.1.6', '1.1.7'],
	...['1.2.4', '1.2.6', '1.2.7', '1.2.8', '1.2.9', '1.2.10', '1.2.11'],
	...['1.3.1', '1.3.3', '1.3.4', '1.3.5', '1.3.7', '1.3.8'],
	...['2.1.2', '2.1.3', '2.2.3', '2.3.1', '2.4.1', '2.4.2', '2.4.3', '2.4.4', '2.4.5', '2.5.1', '2.6.1'],
	...['2.7.1', '2.8.1', '2.9.1', '2.9.2'],
	...['3.1.1', '3.1.2', '3.2.1', '3.4.1', '3.4.2', '3.6.1'],
];

describe('the violations of the public checker', () => {
	const report = check(FILES);
	const found = new Map<string, string[]>();
	for (const { code, prim } of report.toArray()) found.set(code, [...(found.get(code) ?? []), prim ?? '']);

	it.each([
		['R1.1.1', ''],
		['R1.1.2', ''],
		['R1.1.3', ''],
		['R1.1.5', ''],
		['R1.1.12', '/Robot.xformOp:rotateX'],
		['R1.2.2.3', '/Robot/Module'],
		['R1.2.3.2', '/Robot/Inheriting'],
		['R1.2.3.2', '/Robot/Specializing'],
		['R1.2.4.1', '/Robot'],
		['R1.2.5.2', '/Robot'],
		['R1.2.5.3', '/Robot'],
		['R1.2.5.8', '/Robot/Absolute'],
		['R1.2.5.8', '/Robot/Server'],
		['R1.2.5.10', '/Robot.my_sim:prefabPath'],
		['R1.3.3', '/Robot/Hinge'],
		['R1.3.4', '/Robot/ZeroMass'],
		['R1.3.10', '/Robot/ZeroMass.physics:mass'],
		['R1.3.18', '/Robot/Mimic'],
		['R1.3.4.1', '/Robot/ZeroMass/Collider'],
		['R2.1.3', '/Robot/Module.ros:context:parent_frame'],
		['R2.1.1.1', '/Robot.ros:context:namespace'],
		['R2.4.1', '/Robot/NoRole'],
		['R2.4.2', '/Robot/NoNameTypeRate'],
		['R2.4.3', '/Robot/NoNameTypeRate'],
		['R2.4.4', '/Robot/NoNameTypeRate'],
		['R2.4.7', '/Robot/NoNameTypeRate.ros:topic:qos:reliability'],
		['R2.4.7', '/Robot/NoNameTypeRate.ros:topic:qos:durability'],
		['R2.4.7', '/Robot/NoNameTypeRate.ros:topic:qos:history'],
		['R2.5.1', '/Robot/Service'],
		['R2.6.1', '/Robot/Action'],
		['R2.7.5', '/Robot/FrameBody'],
		['R2.7.6', '/Robot/FrameBody.ros:frame:id'],
		['R2.8.1', '/Robot/Camera'],
		['R2.8.2', '/Robot/Camera'],
		['R2.9.1', '/Robot/Clock.ros:topic:name'],
		['R2.9.2', '/Robot/Clock.ros:topic:type'],
		['R2.9.2', '/Robot/Service.ros:service:type'],
		['R3.1.1', '/Robot/Empty'],
		['R3.1.6', '/Robot/Tiled/Texture.inputs:file'],
		['R3.4.1', '/Robot/ZeroMass/Collider.faceVertexCounts'],
		['R3.4.3', '/Robot/LeftHanded.orientation'],
		['R3.4.4', '/Robot/LeftHanded.doubleSided'],
		['R3.5.3', '/Robot/InstanceBody'],
		['R3.5.3', '/Robot/Mimic'],
		['R3.6.4', '/Robot/Panel'],
	])('include %s at <%s>', (code, prim) => {
		expect(found.get(code) ?? []).toContain(prim);
	});

	it.each(NUMBERS)('have the public number %s', (number) => {
		expect(report.toArray().map((finding) => publicCheck(finding)?.id)).toContain(number);
	});

	it('include the default prim that nobody names', () => {
		const unnamed = ALL_VIOLATIONS.replace('\tdefaultPrim = "Robot"\n', '');
		const ids = check({ ...FILES, 'asset.usda': unnamed })
			.toArray()
			.map((finding) => publicCheck(finding)?.id);
		expect(ids).toContain('1.2.1');
	});

	it('are written in the public format', () => {
		const diagnostics = report.toArray();
		const counts = { omitted: {}, primCount: 0, layerCount: 0, selectionCount: 1 };
		const { summary, violations } = toRepReport({ asset: 'asset.usda', diagnostics, ...counts });
		expect(summary.total).toBe(diagnostics.length);
		const ids = violations.map(({ check_id }) => check_id);
		for (const number of NUMBERS) expect(ids).toContain(number);
		for (const violation of violations)
			expect(violation).toMatchObject({ severity: expect.any(String), prim_path: expect.any(String) });
	});

	it('have a place each', () => {
		for (const { code, file, range } of report.toArray()) {
			expect(file, code).toBeDefined();
			expect(range, code).toBeDefined();
		}
	});
});

describe('what the public checker reports by mistake', () => {
	const METRICS = 'kilogramsPerUnit = 1\n\tmetersPerUnit = 1\n\ttimeCodesPerSecond = 1\n\tupAxis = "Z"';
	const robot = (name: string): string => `
	def Xform "${name}" (
		prepend apiSchemas = ["RosContextAPI", "PhysicsArticulationRootAPI"]
	)
	{
		uniform string ros:context:namespace = "${name}"
		uniform string ros:context:parent_frame = "map"

		def Xform "base" (
			prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
			prepend payload = @./shape.usda@
		)
		{
			float physics:mass = 1

			# authored here, although a payload is on its parent
			def Xform "tip" (
				prepend apiSchemas = ["RosFrameAPI"]
			)
			{
			}

			def Xform "module" (
				prepend apiSchemas = ["RosContextAPI"]
			)
			{
			}

			def Camera "camera"
			{
				def Xform "optical"
				{
					quatf xformOp:orient = (0, 1, 0, 0)
					uniform token[] xformOpOrder = ["xformOp:orient"]

					def Xform "image" (
						prepend apiSchemas = ["RosTopicAPI"]
					)
					{
						uniform string ros:topic:name = "clock"
						uniform double ros:topic:publish_rate = 30
						uniform token ros:topic:role = "publisher"
						uniform string ros:topic:type = "sensor_msgs/msg/Image"
					}
				}
			}

			def Scope "collision" (
				prepend apiSchemas = ["MaterialBindingAPI"]
			)
			{
				rel material:binding:physics = </scene/rubber>
				uniform token purpose = "guide"

				def Cube "box" (
					prepend apiSchemas = ["PhysicsCollisionAPI"]
				)
				{
				}
			}
		}

		def Xform "wheel" (
			prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
			prepend inherits = </scene/_class_Wheel>
		)
		{
			float physics:mass = 1
		}

		def PhysicsRevoluteJoint "wheel_joint"
		{
			rel physics:body0 = </scene/${name}/base>
			rel physics:body1 = </scene/${name}/wheel>
			float physics:lowerLimit = -inf
			float physics:upperLimit = inf
		}
	}`;
	const report = check({
		'asset.usda': `#usda 1.0
(
	defaultPrim = "scene"
	${METRICS}
)

def Xform "scene"
{
	quatf xformOp:orient = (1, 0, 0, 0)
	uniform token[] xformOpOrder = ["xformOp:orient"]

	class Xform "_class_Wheel" (
		prepend apiSchemas = ["RosTopicAPI"]
	)
	{
	}

	def Xform "off" (
		active = false
		prepend apiSchemas = ["RosTopicAPI"]
	)
	{
	}

	def Material "rubber" (
		prepend apiSchemas = ["PhysicsMaterialAPI"]
	)
	{
		float physics:dynamicFriction = 0.8
		float physics:restitution = 0
		float physics:staticFriction = 0.9
	}

	def Mesh "card"
	{
		uniform bool doubleSided = true
		int[] faceVertexCounts = [3]
		int[] faceVertexIndices = [0, 1, 2]
		point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
	}

	def Material "photo"
	{
		token outputs:surface.connect = </scene/photo/surface.outputs:surface>

		def Shader "surface"
		{
			uniform token info:id = "UsdPreviewSurface"
			color3f inputs:diffuseColor.connect = </scene/photo/texture.outputs:rgb>
			token outputs:surface
		}

		def Shader "texture"
		{
			uniform token info:id = "UsdUVTexture"
			asset inputs:file = @./roughness.2024.png@
			float3 outputs:rgb
		}
	}
${robot('left')}
${robot('right')}
}
`,
		'shape.usda': `#usda 1.0\n(\n\tdefaultPrim = "shape"\n\t${METRICS}\n)\ndef Xform "shape"\n{\n\tdef Cube "shell"\n\t{\n\t}\n}\n`,
	});
	const codes = report.toArray().map(({ code, prim }) => `${code} ${prim}`);

	it.each([
		['an endless joint that says so', /^R1\.3\.3 /],
		['two robots with an articulation root each', /^R1\.3\.4 /],
		['parent_frame of two robots, and the fallback on nested contexts', /^R2\.1\.3 /],
		['a physics material bound above the collider', /^R1\.3\.4\.1 /],
		['purpose guide on the scope of colliders', /^R1\.3\.1\.1 /],
		['primitive colliders without an approximation', /^R1\.3\.1\.2 /],
		['interfaces below a prim with a payload', /^R2\.(?:1\.1\.12|2\.4) /],
		['topics below the optical frame of a camera', /^R2\.(?:2\.2|8\.[12]) /],
		['/left/clock', /^R2\.9\.1 /],
		['a root turned by nothing', /^R1\.1\.12 /],
		['joints without a ROS name', /^R2\.10\.1 /],
		['a year in the name of a texture', /^R3\.1\.6 /],
		['a word in the name of a colour texture', /^R3\.2\.2 /],
		['double-sided faces that are wound well', /^R3\.4\.4 /],
		['classes and inactive prims', /^R2.*(?:_class_Wheel|\/off)/],
	])('%s', (_, pattern) => {
		expect(codes.filter((code) => pattern.test(code))).toEqual([]);
	});
});

describe('what the public checker finds wrongly, one by one', () => {
	const HEADER = `#usda 1.0
(
    defaultPrim = "World"
    kilogramsPerUnit = 1
    metersPerUnit = 1
    timeCodesPerSecond = 1
    upAxis = "Z"
)
`;
	const codesOf = (body: string): string[] =>
		check({ 'asset.usda': `${HEADER}${body}` })
			.toArray()
			.map(({ code }) => code);

	it('two robots may have an articulation root each', () => {
		const robot = (name: string): string => `
    def Xform "${name}" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"]
    )
    {
    }
`;
		expect(codesOf(`def Xform "World"\n{${robot('a')}${robot('b')}}\n`)).not.toContain('R1.3.4');
	});

	it('a continuous joint is declared by infinite limits', () => {
		const joint =
			'def Xform "World"\n{\n    def PhysicsRevoluteJoint "wheel"\n    {\n        float physics:lowerLimit = -inf\n        float physics:upperLimit = inf\n    }\n}\n';
		expect(codesOf(joint)).not.toContain('R1.3.3');
	});

	it('a purpose and a physics material may be inherited, and primitives need no approximation', () => {
		const body = `def Xform "World" (
    prepend apiSchemas = ["MaterialBindingAPI"]
)
{
    rel material:binding:physics = </World/rubber>
    uniform token purpose = "guide"

    def Cube "box" (
        prepend apiSchemas = ["PhysicsCollisionAPI"]
    )
    {
    }

    def Material "rubber" (
        prepend apiSchemas = ["PhysicsMaterialAPI"]
    )
    {
        float physics:dynamicFriction = 0.5
        float physics:restitution = 0
        float physics:staticFriction = 0.5
    }
}
`;
		const codes = codesOf(body);
		for (const rule of ['R1.3.1.1', 'R1.3.1.2', 'R1.3.4.1', 'R1.3.4.2', 'R1.3.4.3']) expect(codes).not.toContain(rule);
	});

	it('a class within the asset may be inherited, and abstract prims give no findings', () => {
		const body = `class Xform "_link" (
    prepend apiSchemas = ["PhysicsMassAPI", "PhysicsRigidBodyAPI"]
)
{
}

def Xform "World"
{
    def Xform "arm" (
        prepend inherits = </_link>
    )
    {
        float physics:mass = 1
    }
}
`;
		const findings = check({ 'asset.usda': `${HEADER}${body}` }).toArray();
		expect(findings.map(({ code }) => code)).not.toContain('R1.2.3.2');
		expect(findings.filter(({ prim }) => prim?.startsWith('/_link') === true)).toEqual([]);
	});

	it('an identity orientation of the root is no rotation', () => {
		const body =
			'def Xform "World"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:orient"]\n}\n';
		expect(codesOf(body)).not.toContain('R1.1.12');
	});

	it('a body authored beside a payload does not come through it', () => {
		const body = `def Xform "World"
{
    def Xform "link" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI"]
        prepend payload = @./part.usda@
    )
    {
        def PhysicsFixedJoint "joint"
        {
        }
    }
}
`;
		const report = check({ 'asset.usda': `${HEADER}${body}`, 'part.usda': PART });
		expect(report.toArray().map(({ code }) => code)).not.toContain('R1.2.3.6');
	});

	it('a nested context without parent_frame gives no finding about it', () => {
		const body = `def Xform "World" (
    prepend apiSchemas = ["RosContextAPI"]
)
{
    uniform string ros:context:namespace = "World"

    def Xform "camera" (
        prepend apiSchemas = ["RosContextAPI"]
    )
    {
        uniform string ros:context:namespace = "camera"
    }
}
`;
		expect(codesOf(body)).not.toContain('R2.1.3');
	});

	it('inactive prims give no findings', () => {
		const body =
			'def Xform "World"\n{\n    def PhysicsRevoluteJoint "old" (\n        active = false\n    )\n    {\n    }\n}\n';
		expect(codesOf(body)).not.toContain('R1.3.3');
	});

	it('what is below an instance is looked at', () => {
		const part = PART.replace(
			'{\n}',
			'{\n    def Xform "link" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI"]\n    )\n    {\n    }\n}',
		);
		const body =
			'def Xform "World"\n{\n    def Xform "copy" (\n        instanceable = true\n        prepend references = @./part.usda@\n    )\n    {\n    }\n}\n';
		const report = check({ 'asset.usda': `${HEADER}${body}`, 'part.usda': part });
		expect(report.toArray().map(({ code }) => code)).toContain('R1.2.6.1');
	});
});
