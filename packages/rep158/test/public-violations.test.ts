import { checkAsset, toRepReport } from '@manyworlds/rep158';
import { describe, expect, it } from 'vitest';
import { MemorySource } from './memory-source.ts';

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
}
`;

const HEAVY_PAYLOAD = `#usda 1.0
(
	defaultPrim = "Heavy"
)

def Scope "Heavy"
{
	def Mesh "Triangle"
	{
		int[] faceVertexCounts = [3]
		int[] faceVertexIndices = [0, 1, 2]
		point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
	}
}
`;

function check(files: Readonly<Record<string, string>>): ReturnType<typeof checkAsset>['report'] {
	const source = new MemorySource(files);
	const { report } = checkAsset(source.open('asset.usda'), source);
	expect(source.report.toArray()).toEqual([]);
	expect(report.toArray().filter(({ code }) => code === 'CHK002')).toEqual([]);
	return report;
}

describe('the violations of the public checker', () => {
	const report = check({ 'asset.usda': ALL_VIOLATIONS, 'heavy_payload.usda': HEAVY_PAYLOAD });
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

	it('are given by their public numbers in the public format', () => {
		const result = {
			asset: 'asset.usda',
			diagnostics: report.toArray(),
			omitted: {},
			primCount: 0,
			layerCount: 0,
			selectionCount: 1,
		};
		const ids = new Set(toRepReport(result).violations.map(({ check_id }) => check_id));
		for (const id of [
			'1.1.1',
			'1.1.3',
			'1.2.4',
			'1.2.7',
			'1.3.1',
			'1.3.7',
			'2.4.1',
			'2.4.5',
			'2.8.1',
			'2.9.1',
			'3.1.2',
		]) {
			expect([...ids]).toContain(id);
		}
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
