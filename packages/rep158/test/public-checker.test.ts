import { checkAsset, publicCheck, toRepReport } from '@manyworlds/rep158';
import { describe, expect, test } from 'vitest';
import { MemorySource } from './memory-source.ts';

/** One asset with every violation that the public checker's own list has, written anew from its description. */
const ALL_VIOLATIONS = `#usda 1.0
(
    kilogramsPerUnit = 0.001
    metersPerUnit = 0.01
    upAxis = "Y"
)

class "_Base"
{
}

def Xform "Robot" (
    prepend apiSchemas = ["RosContextAPI", "PhysicsArticulationRootAPI"]
    kind = "component"
    prepend payload = @./heavy_payload.usda@
    prepend variantSets = "style"
)
{
    custom string my_sim:prefabPath = "robot.prefab"
    uniform string ros:context:namespace = "bad name/"
    float xformOp:rotateX = -90
    uniform token[] xformOpOrder = ["xformOp:rotateX"]
    variantSet "style" = {
        "red" {
        }
        "blue" {
        }
    }

    def Xform "Nested" (
        prepend apiSchemas = ["RosContextAPI", "RosTopicAPI"]
        kind = "component"
    )
    {
        uniform string ros:context:parent_frame = "map"
        uniform string ros:topic:qos:durability = "forever"
        uniform token ros:topic:qos:reliability = "sometimes"
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

    def Xform "Publisher" (
        prepend apiSchemas = ["RosTopicAPI"]
    )
    {
        uniform string ros:topic:name = "9 lives"
        uniform token ros:topic:role = "publisher"
        uniform string ros:topic:type = "std_msgs/msg/String"
    }

    def Xform "Service" (
        prepend apiSchemas = ["RosServiceAPI"]
    )
    {
        uniform string ros:service:name = "blink"
        uniform string ros:service:type = "std_srvs/srv/SetBool"
    }

    def Xform "Spawner" (
        prepend apiSchemas = ["RosServiceAPI"]
    )
    {
        uniform string ros:service:name = "spawn"
        uniform token ros:service:role = "server"
        uniform string ros:service:type = "simulation_interfaces/srv/SpawnEntity"
    }

    def Xform "Action" (
        prepend apiSchemas = ["RosActionAPI"]
    )
    {
        uniform string ros:action:name = "move"
        uniform token ros:action:role = "server"
    }

    def Xform "Frame" (
        prepend apiSchemas = ["RosFrameAPI", "PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    )
    {
        float physics:mass = 1
    }

    def Camera "Eye" (
        prepend apiSchemas = ["RosTopicAPI"]
    )
    {
        uniform string ros:topic:name = "image"
        uniform double ros:topic:publish_rate = 30
        uniform token ros:topic:role = "publisher"
        uniform string ros:topic:type = "sensor_msgs/msg/Image"
    }

    def Cube "Massless" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    )
    {
        float physics:mass = 0
        float3 xformOp:scale = (2, 2, 2)
        uniform token[] xformOpOrder = ["xformOp:scale"]
    }

    def PhysicsRevoluteJoint "Unlimited" (
        prepend apiSchemas = ["MimicJointAPI"]
    )
    {
        rel physics:body0 = </Robot/Massless>
        rel physics:body1 = </Robot/Frame>
    }

    def Xform "Instanced" (
        instanceable = true
        prepend apiSchemas = ["PhysicsRigidBodyAPI"]
        prepend references = @./part.usda@
    )
    {
    }

    def PointInstancer "Crowd"
    {
        point3f[] positions = [(0, 0, 0)]
        int[] protoIndices = [0]
        rel prototypes = </Robot/Massless>
    }

    def Mesh "Collider" (
        prepend apiSchemas = ["PhysicsCollisionAPI"]
    )
    {
        uniform bool doubleSided = 1
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        uniform token orientation = "leftHanded"
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    }

    def Material "Plain"
    {
    }

    def Material "Painted"
    {
        token outputs:surface.connect = </Robot/Painted/Surface.outputs:surface>

        def Shader "Surface"
        {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor.connect = </Robot/Painted/Texture.outputs:rgb>
            token outputs:surface
        }

        def Shader "Texture"
        {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @./paint.<UDIM>.exr@
            float3 outputs:rgb
        }
    }

    def RectLight "Panel"
    {
    }

    def Xform "Cloud" (
        prepend references = @omniverse://server/part.usd@
    )
    {
    }

    def Xform "Local" (
        prepend references = @/home/me/part.usd@
    )
    {
    }

    def Xform "Heir" (
        prepend apiSchemas = ["PhysicsMassAPI"]
        prepend inherits = </_Company>
    )
    {
    }

    def Xform "Double" (
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
}
`;

/** What the payload of the list brings: one body. */
const PAYLOAD = `#usda 1.0
(
    defaultPrim = "Heavy"
)

def Scope "Heavy"
{
    def Xform "Link" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"]
    )
    {
    }
}
`;

const PART = `#usda 1.0
(
    defaultPrim = "Part"
)

def Xform "Part"
{
}
`;

/** Numbers of the checks that its list breaks. */
const NUMBERS = [
	...['1.1.1', '1.1.2', '1.1.3', '1.1.4', '1.1.5', '1.1.6', '1.1.7'],
	...['1.2.1', '1.2.4', '1.2.6', '1.2.7', '1.2.8', '1.2.9', '1.2.10', '1.2.11'],
	...['1.3.1', '1.3.3', '1.3.4', '1.3.5', '1.3.7', '1.3.8'],
	...['2.1.2', '2.1.3', '2.2.3', '2.3.1', '2.4.1', '2.4.2', '2.4.3', '2.4.4', '2.4.5', '2.5.1', '2.6.1'],
	...['2.7.1', '2.8.1', '2.9.1', '2.9.2'],
	...['3.1.1', '3.1.2', '3.2.1', '3.4.1', '3.4.2', '3.6.1'],
];

function check(files: Readonly<Record<string, string>>, name = 'asset.usda') {
	const source = new MemorySource(files);
	return checkAsset(source.open(name), source);
}

describe('the violations that the public checker lists', () => {
	const files = { 'asset.usda': ALL_VIOLATIONS, 'heavy_payload.usda': PAYLOAD, 'part.usda': PART };
	const { report } = check(files);
	const found = new Set(report.toArray().map((finding) => publicCheck(finding)?.id));

	test.each(NUMBERS)('%s is found', (number) => {
		expect(found).toContain(number);
	});

	test('asset info is asked for once the default prim is named', () => {
		const named = ALL_VIOLATIONS.replace('(\n', '(\n    defaultPrim = "Robot"\n');
		const codes = check({ ...files, 'asset.usda': named })
			.report.toArray()
			.map(({ code }) => code);
		expect(codes).toEqual(expect.arrayContaining(['R1.2.5.2', 'R1.2.5.3', 'R1.1.12']));
	});

	test('every finding is located and in the report of its form', () => {
		const findings = report.toArray();
		for (const { file, range } of findings)
			expect([file, range?.start.line]).toEqual([expect.any(String), expect.any(Number)]);
		const rep = toRepReport({
			asset: 'asset.usda',
			diagnostics: findings,
			omitted: {},
			primCount: 0,
			layerCount: 0,
			selectionCount: 0,
		});
		expect(rep.summary.total).toBe(findings.length);
		expect(rep.violations[0]).toMatchObject({
			severity: 'error',
			check_id: expect.any(String),
			prim_path: expect.any(String),
		});
	});
});

describe('what the public checker finds wrongly', () => {
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
			.report.toArray()
			.map(({ code }) => code);

	test('two robots may have an articulation root each', () => {
		const robot = (name: string): string => `
    def Xform "${name}" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"]
    )
    {
    }
`;
		expect(codesOf(`def Xform "World"\n{${robot('a')}${robot('b')}}\n`)).not.toContain('R1.3.4');
	});

	test('a continuous joint is declared by infinite limits', () => {
		const joint =
			'def Xform "World"\n{\n    def PhysicsRevoluteJoint "wheel"\n    {\n        float physics:lowerLimit = -inf\n        float physics:upperLimit = inf\n    }\n}\n';
		expect(codesOf(joint)).not.toContain('R1.3.3');
	});

	test('a purpose and a physics material may be inherited, and primitives need no approximation', () => {
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

	test('a class within the asset may be inherited, and abstract prims give no findings', () => {
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
		const findings = check({ 'asset.usda': `${HEADER}${body}` }).report.toArray();
		expect(findings.map(({ code }) => code)).not.toContain('R1.2.3.2');
		expect(findings.filter(({ prim }) => prim?.startsWith('/_link') === true)).toEqual([]);
	});

	test('an identity orientation of the root is no rotation', () => {
		const body =
			'def Xform "World"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:orient"]\n}\n';
		expect(codesOf(body)).not.toContain('R1.1.12');
	});

	test('a body authored beside a payload does not come through it', () => {
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
		const { report } = check({ 'asset.usda': `${HEADER}${body}`, 'part.usda': PART });
		expect(report.toArray().map(({ code }) => code)).not.toContain('R1.2.3.6');
	});

	test('a nested context without parent_frame gives no finding about it', () => {
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

	test('inactive prims give no findings', () => {
		const body =
			'def Xform "World"\n{\n    def PhysicsRevoluteJoint "old" (\n        active = false\n    )\n    {\n    }\n}\n';
		expect(codesOf(body)).not.toContain('R1.3.3');
	});

	test('what is below an instance is looked at', () => {
		const part = PART.replace(
			'{\n}',
			'{\n    def Xform "link" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI"]\n    )\n    {\n    }\n}',
		);
		const body =
			'def Xform "World"\n{\n    def Xform "copy" (\n        instanceable = true\n        prepend references = @./part.usda@\n    )\n    {\n    }\n}\n';
		const { report } = check({ 'asset.usda': `${HEADER}${body}`, 'part.usda': part });
		expect(report.toArray().map(({ code }) => code)).toContain('R1.2.6.1');
	});
});
