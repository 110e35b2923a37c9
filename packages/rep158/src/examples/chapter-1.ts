import type { RuleExample } from './rule-example.ts';

/** Examples for the rules of chapter 1, taken from `conformance/data/rep158` by `npm run docs`. */
export const REP_1_EXAMPLES: Readonly<Record<string, RuleExample>> = {
	'R1.1.1': {
		bad: '# asset.usda\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 0.01\n    subLayers = [\n        @./physics.usda@,\n        @./base.usda@\n# base.usda\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 0.01\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n# physics.usda\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 0.01\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)',
		good: '# asset.usda\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    subLayers = [\n        @./physics.usda@,\n        @./base.usda@\n# base.usda\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n# physics.usda\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)',
	},
	'R1.1.2': {
		bad: '# asset.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 0.001\n    metersPerUnit = 1\n    subLayers = [\n        @./physics.usda@,\n# base.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 0.001\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n# physics.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 0.001\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"',
		good: '# asset.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    subLayers = [\n        @./physics.usda@,\n# base.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n# physics.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"',
	},
	'R1.1.3': {
		bad: '# asset.usda\n        @./physics.usda@,\n        @./base.usda@\n    ]\n    upAxis = "Z"\n)',
		good: '# asset.usda\n        @./physics.usda@,\n        @./base.usda@\n    ]\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)',
	},
	'R1.1.4': {
		bad: '# base.usda\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 0.01\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)',
		good: '# base.usda\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)',
	},
	'R1.1.5': {
		bad: '# asset.usda\n        @./base.usda@\n    ]\n    timeCodesPerSecond = 1\n    upAxis = "Y"\n)\n\ndef Xform "robot" (\n# base.usda\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Y"\n)\n\ndef Xform "robot"\n# physics.usda\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Y"\n)\n\nover "robot"',
		good: '# asset.usda\n        @./base.usda@\n    ]\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "robot" (\n# base.usda\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "robot"\n# physics.usda\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"',
	},
	'R1.1.6': {
		bad: '# base.usda\ndef Xform "arm"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    float3 xformOp:scale = (1, -1, 1)\n    double3 xformOp:translate = (0, 0, 0.5)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]\n\n    def Scope "visual" (\n        variants = {',
		good: '# base.usda\ndef Xform "arm"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0, 0, 0.5)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n    def Scope "visual" (\n        variants = {',
	},
	'R1.1.7': {
		bad: '# base.usda\n{\n    def Xform "base_link"\n    {\n\n        def Scope "visual" (\n            variants = {',
		good: '# base.usda\n{\n    def Xform "base_link"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n        def Scope "visual" (\n            variants = {',
	},
	'R1.1.8': {
		bad: '# base.usda\ndef Xform "arm"\n{\n    matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0.5, 1) )\n    uniform token[] xformOpOrder = ["xformOp:transform"]\n\n    def Scope "visual" (\n        variants = {',
		good: '# base.usda\ndef Xform "arm"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0, 0, 0.5)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n    def Scope "visual" (\n        variants = {',
	},
	'R1.1.9': {
		bad: '# base.usda\ndef Xform "arm"\n{\n    float3 xformOp:rotateXYZ = (0, 0, 0)\n    double3 xformOp:translate = (0, 0, 0.5)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]\n\n    def Scope "visual" (\n        variants = {',
		good: '# base.usda\ndef Xform "arm"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0, 0, 0.5)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n    def Scope "visual" (\n        variants = {',
	},
	'R1.1.10': {
		bad: '# base.usda\ndef Xform "arm"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    float3 xformOp:scale = (2, 2, 2)\n    double3 xformOp:translate = (0, 0, 0.5)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]\n\n    def Scope "visual" (\n        variants = {',
		good: '# base.usda\ndef Xform "arm"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0, 0, 0.5)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n    def Scope "visual" (\n        variants = {',
	},
	'R1.1.11': {
		bad: '# base.usda\n{\n    def Xform "visual"\n    {\n        float3 xformOp:scale = (1, 2, 1)\n        uniform token[] xformOpOrder = ["xformOp:scale"]\n\n        def Cube "left"\n        {\n            double size = 0.5\n            quatd xformOp:orient = (1, 0, 0, 0)\n            double3 xformOp:translate = (-0.25, 0, 0.25)\n            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n        }\n\n        def Cube "right"\n        {\n            double size = 0.5\n            quatd xformOp:orient = (1, 0, 0, 0)\n            double3 xformOp:translate = (0.25, 0, 0.25)\n            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n        }\n    }',
		good: '# base.usda\n{\n    def Xform "visual"\n    {\n        def Cube "left"\n        {\n            double size = 0.5\n            quatd xformOp:orient = (1, 0, 0, 0)\n            double3 xformOp:translate = (-0.25, 0, 0.25)\n            float3 xformOp:scale = (1, 2, 1)\n            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]\n        }\n\n        def Cube "right"\n        {\n            double size = 0.5\n            quatd xformOp:orient = (1, 0, 0, 0)\n            double3 xformOp:translate = (0.25, 0, 0.25)\n            float3 xformOp:scale = (1, 2, 1)\n            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]\n        }\n    }',
	},
	'R1.1.12': {
		bad: '# base.usda\ndef Xform "robot"\n{\n    quatd xformOp:orient = (0.7071067811865476, 0.7071067811865476, 0, 0)\n    double3 xformOp:translate = (0, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]',
		good: '# base.usda\ndef Xform "robot"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]',
	},
	'R1.1.13': {
		bad: '# base.usda\n        prepend payload = @./geometry.usda@\n    )\n    {\n        quatd xformOp:orient = (0.7071067811865476, 0.7071067811865476, 0, 0)\n        double3 xformOp:translate = (0, 0.5, 0.5)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n}',
		good: '# base.usda\n        prepend payload = @./geometry.usda@\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n}',
	},
	'R1.1.14': {
		bad: '# base.usda\n    {\n        double size = 1\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n}\n\ndef Scope "collision"\n{\n    uniform token purpose = "guide"\n\n    def Cube "shape"\n    {\n        double size = 1\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n}',
		good: '# base.usda\n    {\n        double size = 1\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0.5)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n}\n\ndef Scope "collision"\n{\n    uniform token purpose = "guide"\n\n    def Cube "shape"\n    {\n        double size = 1\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0.5)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n}',
	},
	'R1.1.15': {
		bad: '# base.usda\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n}\n\ndef Xform "chassis"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0, 0, 0.1)\n# physics.usda\nover "robot"\n{\n    over "chassis" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]\n    )\n    {\n        float physics:mass = 1\n\n        over "collision" (\n            prepend apiSchemas = ["MaterialBindingAPI"]\n        )\n        {\n            rel material:binding:physics = </robot/physics_materials/rubber>\n\n            over "shape" (\n                prepend apiSchemas = ["PhysicsCollisionAPI"]\n            )\n            {\n            }\n        }\n\n        over "left_wheel" (\n            prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n        )\n        {\n            float physics:mass = 1',
		good: '# base.usda\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n}\n\ndef Xform "base_link"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0, 0, 0.1)\n# physics.usda\nover "robot"\n{\n    over "base_link" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]\n    )\n    {\n        float physics:mass = 1\n\n        over "collision" (\n            prepend apiSchemas = ["MaterialBindingAPI"]\n        )\n        {\n            rel material:binding:physics = </robot/physics_materials/rubber>\n\n            over "shape" (\n                prepend apiSchemas = ["PhysicsCollisionAPI"]\n            )\n            {\n            }\n        }\n\n        over "left_wheel" (\n            prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n        )\n        {\n            float physics:mass = 1',
	},
	'R1.1.16': {
		bad: '# physics.usda\ndef PhysicsRevoluteJoint "shoulder"\n{\n    uniform token physics:axis = "Z"\n    double3 xformOp:translate = (0, 0, 0.5)\n    rel physics:body0 = </robot/base_link>\n    rel physics:body1 = </robot/base_link/arm>\n    point3f physics:localPos0 = (0, 0, 0.5)',
		good: '# physics.usda\ndef PhysicsRevoluteJoint "shoulder"\n{\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link>\n    rel physics:body1 = </robot/base_link/arm>\n    point3f physics:localPos0 = (0, 0, 0.5)',
	},
	'R1.2.0.1': {
		bad: '# base.usda\n{\n    def Xform "base_link"\n    {\n        custom rel fleet:vehicle = </fleet/carrier>\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]',
		good: '# base.usda\n{\n    def Xform "base_link"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]',
	},
	'R1.2.1.1': {
		bad: '# asset.usda\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "robot" (\n    assetInfo = {\n        string identifier = "robot"\n        dictionary ros = {\n            string package_uri = "package://robot_description/urdf/robot.urdf"\n        }\n        string version = "1.0.0"\n    }\n    kind = "component"\n)\n{\n    def Scope "visual"\n    {\n        def Cube "shape"\n        {\n            double size = 1\n            quatd xformOp:orient = (1, 0, 0, 0)\n            double3 xformOp:translate = (0, 0, 0.5)\n            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n        }\n    }',
		good: '# asset.usda\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    subLayers = [\n        @./physics.usda@,\n        @./base.usda@\n    ]\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "robot" (\n    assetInfo = {\n        string identifier = "robot"\n        dictionary ros = {\n            string package_uri = "package://robot_description/urdf/robot.urdf"\n        }\n        string version = "1.0.0"\n    }\n    kind = "component"\n)\n{\n}\n# base.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "robot"\n{\n    def Xform "base_link"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n        def Scope "visual" (\n            variants = {\n                string visual_representation = "mesh_medium"\n            }\n            prepend variantSets = "visual_representation"\n        )\n        {\n            variantSet "visual_representation" = {\n                "mesh_medium" {\n                    def Cube "shape"\n                    {\n# physics.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "base_link" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]\n    )\n    {\n        float3 physics:diagonalInertia = (0.02, 0.02, 0.02)\n        float physics:mass = 3\n        quatf physics:principalAxes = (1, 0, 0, 0)\n\n        over "collision" (\n            prepend apiSchemas = ["MaterialBindingAPI"]\n        )\n        {\n            rel material:binding:physics = </robot/physics_materials/rubber>\n\n            over "shape" (\n                prepend apiSchemas = ["PhysicsCollisionAPI"]\n            )',
	},
	'R1.2.1.2': {
		bad: '# base.usda\ndef Scope "visual"\n{\n    def Xform "box" (\n        prepend payload = @./body.usda@\n    )\n    {\n    }\n# body.usda\n#usda 1.0\n(\n    defaultPrim = "geometry"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "geometry"\n{\n    def Mesh "box" (\n        prepend apiSchemas = ["PhysicsMassAPI"]\n    )\n    {\n        float physics:density = 500\n        int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n        int[] faceVertexIndices = [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7]\n        point3f[] points = [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0), (-0.5, -0.5, 1), (0.5, -0.5, 1), (0.5, 0.5, 1), (-0.5, 0.5, 1)]\n        uniform token subdivisionScheme = "none"\n    }\n}',
		good: '# base.usda\ndef Scope "visual"\n{\n    def Xform "box" (\n        prepend payload = @./geometry.usda@\n    )\n    {\n    }\n# geometry.usda\n#usda 1.0\n(\n    defaultPrim = "geometry"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "geometry"\n{\n    def Mesh "box"\n    {\n        int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n        int[] faceVertexIndices = [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7]\n        point3f[] points = [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0), (-0.5, -0.5, 1), (0.5, -0.5, 1), (0.5, 0.5, 1), (-0.5, 0.5, 1)]\n        uniform token subdivisionScheme = "none"\n    }\n}',
	},
	'R1.2.1.3': {
		bad: '# base.usda\n}\n\ndef Scope "materials" (\n    prepend references = @./materials.usdc@\n)\n{\n}\n# materials.usdc\n# a crate layer',
		good: '# base.usda\n}\n\ndef Scope "materials" (\n    prepend references = @./materials.usda@\n)\n{\n}\n# materials.usda\n#usda 1.0\n(\n    defaultPrim = "materials"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Scope "materials"\n{\n    def Material "paint"\n    {\n        token outputs:surface.connect = </materials/paint/surface.outputs:surface>\n\n        def Shader "surface"\n        {\n            uniform token info:id = "UsdPreviewSurface"\n            color3f inputs:diffuseColor = (0.2, 0.4, 0.6)\n            token outputs:surface\n        }\n    }\n}',
	},
	'R1.2.1.4': {
		bad: '# base.usda\ndef Scope "visual"\n{\n    def Xform "box" (\n        prepend payload = @./geometry.usda@\n    )\n    {\n    }\n# geometry.usda\n#usda 1.0\n(\n    defaultPrim = "geometry"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "geometry"\n{\n    def Mesh "box"\n    {\n        int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, ...\n        int[] faceVertexIndices = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1,...\n        point3f[] points = [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0, 0.5, 1), (0, 0.5, 0)]\n        uniform token subdivisionScheme = "none"\n    }\n}',
		good: '# base.usda\ndef Scope "visual"\n{\n    def Xform "box" (\n        prepend payload = @./geometry.usdc@\n    )\n    {\n    }\n# geometry.usdc\n# a crate layer',
	},
	'R1.2.1.5': {
		bad: '# geometry.usda\ndef Xform "geometry"\n{\n    def Mesh "box" (\n        prepend apiSchemas = ["PhysicsMassAPI"]\n    )\n    {\n        float physics:density = 500\n        int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n        int[] faceVertexIndices = [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7]\n        point3f[] points = [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0), (-0.5, -0.5, 1), (0.5, -0.5, 1), (0.5, 0.5, 1), (-0.5, 0.5, 1)]',
		good: '# geometry.usda\ndef Xform "geometry"\n{\n    def Mesh "box"\n    {\n        int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n        int[] faceVertexIndices = [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7]\n        point3f[] points = [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0), (-0.5, -0.5, 1), (0.5, -0.5, 1), (0.5, 0.5, 1), (-0.5, 0.5, 1)]',
	},
	'R1.2.1.6': {
		bad: '# materials.usda\n            token outputs:surface\n        }\n    }\n\n    def Cube "swatch"\n    {\n        double size = 0.1\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0.5)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n}',
		good: '# materials.usda\n            token outputs:surface\n        }\n    }\n}',
	},
	'R1.2.1.7': {
		bad: '# base.usda\n{\n    def Xform "leg_1" (\n        instanceable = true\n        prepend references = @./geometry.usda@</geometry/leg>\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (-0.4, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n\n    def Xform "leg_2" (\n        instanceable = true\n        prepend references = @./geometry.usda@</geometry/leg>\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n\n    def Xform "leg_3" (\n        instanceable = true\n        prepend references = @./geometry.usda@</geometry/leg>\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)',
		good: '# base.usda\n{\n    def Xform "leg_1" (\n        instanceable = true\n        prepend references = @./instances.usda@</instances/leg>\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (-0.4, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n\n    def Xform "leg_2" (\n        instanceable = true\n        prepend references = @./instances.usda@</instances/leg>\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n\n    def Xform "leg_3" (\n        instanceable = true\n        prepend references = @./instances.usda@</instances/leg>\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n# instances.usda\n#usda 1.0\n(\n    defaultPrim = "instances"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "instances"\n{\n    def Xform "leg" (\n        prepend payload = @./geometry.usda@</geometry/leg>\n    )\n    {\n    }\n}',
	},
	'R1.2.1.8': {
		bad: '# base.usda\ndef Xform "robot"\n{\n    def Xform "base_link" (\n        prepend apiSchemas = ["PhysicsMassAPI"]\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)',
		good: '# base.usda\ndef Xform "robot"\n{\n    def Xform "base_link"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)',
	},
	'R1.2.1.9': {
		bad: '# asset.usda\n    kind = "component"\n)\n{\n    over "base_link"\n    {\n        float physics:mass = 4\n    }\n}',
		good: '# asset.usda\n    kind = "component"\n)\n{\n}',
	},
	'R1.2.1.10': {
		bad: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./physics.usda@,\n    @./base.usda@\n]\n# physics.usda\n    upAxis = "Z"\n)\n\nover "robot" (\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    over "base_link" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]',
		good: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./ros.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\n# physics.usda\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "base_link" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]\n# ros.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot" (\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "robot"\n}',
	},
	'R1.2.1.11': {
		bad: '# asset.usda\n    kind = "component"\n)\n{\n    custom float[] calibration = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5...\n}',
		good: '# asset.usda\n    kind = "component"\n)\n{\n}',
	},
	'R1.2.1.12': {
		bad: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./control.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\n# control.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    def OmniGraph "graph"\n    {\n        def OmniGraphNode "tick"\n        {\n            token node:type = "omni.graph.action.OnTick"\n        }\n    }\n}',
		good: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./isaac.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\n# isaac.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    def OmniGraph "graph"\n    {\n        def OmniGraphNode "tick"\n        {\n            token node:type = "omni.graph.action.OnTick"\n        }\n    }\n}',
	},
	'R1.2.2.1': {
		bad: '# asset.usda\n        }\n        string version = "1.0.0"\n    }\n)\n{\n}',
		good: '# asset.usda\n        }\n        string version = "1.0.0"\n    }\n    kind = "component"\n)\n{\n}',
	},
	'R1.2.2.2': {
		bad: '# asset.usda\n        }\n        string version = "1.0.0"\n    }\n    kind = "component"\n)\n{\n    def Xform "crate_1" (',
		good: '# asset.usda\n        }\n        string version = "1.0.0"\n    }\n    kind = "assembly"\n)\n{\n    def Xform "crate_1" (',
	},
	'R1.2.2.3': {
		bad: '# base.usda\n}\n\ndef Xform "arm" (\n    kind = "component"\n)\n{\n    quatd xformOp:orient = (1, 0, 0, 0)',
		good: '# base.usda\n}\n\ndef Xform "arm" (\n    kind = "subcomponent"\n)\n{\n    quatd xformOp:orient = (1, 0, 0, 0)',
	},
	'R1.2.2.4': {
		bad: '# asset.usda\n    kind = "assembly"\n)\n{\n    def Xform "shelf"\n    {\n        def Xform "crate_1" (\n            kind = "component"\n            prepend references = @./crate.usda@\n        )\n        {',
		good: '# asset.usda\n    kind = "assembly"\n)\n{\n    def Xform "shelf" (\n        kind = "group"\n    )\n    {\n        def Xform "crate_1" (\n            prepend references = @./crate.usda@\n        )\n        {',
	},
	'R1.2.3.2': {
		bad: '# physics.usda\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "base_link" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]\n    )\n    {\n        float3 physics:diagonalInertia = (0.02, 0.02, 0.02)\n        float physics:mass = 3\n        quatf physics:principalAxes = (1, 0, 0, 0)\n\n        over "collision" (\n            prepend apiSchemas = ["MaterialBindingAPI"]\n        )\n        {\n            rel material:binding:physics = </robot/physics_materials/rubber>\n\n            over "shape" (\n                prepend apiSchemas = ["PhysicsCollisionAPI"]\n            )\n            {\n            }\n        }\n\n        over "arm" (\n            prepend inherits = </_company_link>',
		good: '# physics.usda\n    upAxis = "Z"\n)\n\nclass "_link"\n{\n}\n\nover "robot"\n{\n    over "base_link" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]\n    )\n    {\n        float3 physics:diagonalInertia = (0.02, 0.02, 0.02)\n        float physics:mass = 3\n        quatf physics:principalAxes = (1, 0, 0, 0)\n\n        over "collision" (\n            prepend apiSchemas = ["MaterialBindingAPI"]\n        )\n        {\n            rel material:binding:physics = </robot/physics_materials/rubber>\n\n            over "shape" (\n                prepend apiSchemas = ["PhysicsCollisionAPI"]\n            )\n            {\n            }',
	},
	'R1.2.3.5': {
		bad: '# base.usda\ndef Scope "visual"\n{\n    def Xform "box" (\n        prepend references = @./geometry.usdc@\n    )\n    {\n    }',
		good: '# base.usda\ndef Scope "visual"\n{\n    def Xform "box" (\n        prepend payload = @./geometry.usdc@\n    )\n    {\n    }',
	},
	'R1.2.3.6': {
		bad: '# arm.usda\n    upAxis = "Z"\n)\n\ndef Xform "arm" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n)\n{\n    float physics:mass = 1.5\n    quatd xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0, 0, 0.5)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n    def Scope "visual" (\n        variants = {\n            string visual_representation = "mesh_medium"\n# base.usda\n            prepend payload = @./arm.usda@\n        )\n        {\n        }\n    }\n}\n# physics.usda\n    }\n}\n\nover "arm"\n{\n\n    over "collision" (\n        prepend apiSchemas = ["MaterialBindingAPI"]',
		good: '# arm.usda\n    upAxis = "Z"\n)\n\ndef Xform "arm"\n{\n    def Scope "visual" (\n        variants = {\n            string visual_representation = "mesh_medium"\n# base.usda\n            prepend payload = @./arm.usda@\n        )\n        {\n            quatd xformOp:orient = (1, 0, 0, 0)\n            double3 xformOp:translate = (0, 0, 0.5)\n            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n        }\n    }\n}\n# physics.usda\n    }\n}\n\nover "arm" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    float physics:mass = 1.5\n    quatf physics:principalAxes = (1, 0, 0, 0)\n\n    over "collision" (\n        prepend apiSchemas = ["MaterialBindingAPI"]',
	},
	'R1.2.3.7': {
		bad: '# arm.usda\n            double size = 0.2\n        }\n    }\n\n    def SphereLight "lamp"\n    {\n        float inputs:radius = 0.05\n    }\n}',
		good: '# arm.usda\n            double size = 0.2\n        }\n    }\n}',
	},
	'R1.2.4.1': {
		bad: '# asset.usda\n        string version = "1.0.0"\n    }\n    kind = "component"\n    prepend variantSets = "tool"\n)\n{',
		good: '# asset.usda\n        string version = "1.0.0"\n    }\n    kind = "component"\n    variants = {\n        string tool = "gripper"\n    }\n    prepend variantSets = "tool"\n)\n{',
	},
	'R1.2.4.2': {
		bad: '# base.usda\ndef Xform "robot"\n{\n    def Xform "cover" (\n        prepend references = @./cover.usda@\n    )\n    {\n    }\n\n    def Xform "base_link"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)',
		good: '# base.usda\ndef Xform "robot"\n{\n    def Xform "base_link"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)',
	},
	'R1.2.5.1': {
		bad: '# asset.usda\n#usda 1.0\n(\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    subLayers = [',
		good: '# asset.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    subLayers = [',
	},
	'R1.2.5.2': {
		bad: '# asset.usda\ndef Xform "robot" (\n    assetInfo = {\n        dictionary ros = {\n            string package_uri = "package://robot_description/urdf/robot.urdf"\n        }',
		good: '# asset.usda\ndef Xform "robot" (\n    assetInfo = {\n        string identifier = "robot"\n        dictionary ros = {\n            string package_uri = "package://robot_description/urdf/robot.urdf"\n        }',
	},
	'R1.2.5.3': {
		bad: '# asset.usda\n        dictionary ros = {\n            string package_uri = "package://robot_description/urdf/robot.urdf"\n        }\n    }\n    kind = "component"\n)',
		good: '# asset.usda\n        dictionary ros = {\n            string package_uri = "package://robot_description/urdf/robot.urdf"\n        }\n        string version = "1.0.0"\n    }\n    kind = "component"\n)',
	},
	'R1.2.5.4': {
		bad: '# asset.usda\ndef Xform "robot" (\n    assetInfo = {\n        string identifier = "robot"\n        string version = "1.0.0"\n    }\n    kind = "component"',
		good: '# asset.usda\ndef Xform "robot" (\n    assetInfo = {\n        string identifier = "robot"\n        dictionary ros = {\n            string package_uri = "package://robot_description/urdf/robot.urdf"\n        }\n        string version = "1.0.0"\n    }\n    kind = "component"',
	},
	'R1.2.5.5': {
		bad: '# base.usda\ndef Xform "robot"\n{\n    def Xform "cover" (\n        prepend references = @parts/cover.usda@\n    )\n    {\n    }',
		good: '# base.usda\ndef Xform "robot"\n{\n    def Xform "cover" (\n        prepend references = @./parts/cover.usda@\n    )\n    {\n    }',
	},
	'R1.2.5.6': {
		bad: '# base.usda\ndef Xform "robot"\n{\n    custom asset docs:photo = @../photos/front.png@\n\n    def Xform "base_link"\n    {',
		good: '# base.usda\ndef Xform "robot"\n{\n    def Xform "cover" (\n        prepend references = @./parts/cover.usda@\n    )\n    {\n    }\n\n    def Xform "base_link"\n    {\n# parts/cover.usda\n#usda 1.0\n(\n    defaultPrim = "cover"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "cover"\n{\n}',
	},
	'R1.2.5.7': {
		bad: '# base.usda\ndef Xform "robot"\n{\n    custom asset docs:photo = @$(find robot_photos)/front.png@\n\n    def Xform "base_link"\n    {',
		good: '# base.usda\ndef Xform "robot"\n{\n    custom asset docs:photo = @package://robot_photos/front.png@\n\n    def Xform "base_link"\n    {',
	},
	'R1.2.5.8': {
		bad: '# base.usda\ndef Xform "robot"\n{\n    custom asset docs:photo = @/home/me/front.png@\n\n    def Xform "base_link"\n    {',
		good: '# base.usda\ndef Xform "robot"\n{\n    custom asset docs:photo = @package://robot_photos/front.png@\n\n    def Xform "base_link"\n    {',
	},
	'R1.2.5.10': {
		bad: '# base.usda\ndef Xform "robot"\n{\n    custom string my_sim:prefabPath = "gripper"\n\n    def Xform "base_link"\n    {',
		good: '# base.usda\ndef Xform "robot"\n{\n    custom string my_sim:label = "gripper"\n\n    def Xform "base_link"\n    {',
	},
	'R1.2.6.1': {
		bad: '# module.usda\ndef Xform "module"\n{\n    def Cube "shape" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n    )\n    {\n        float physics:mass = 0.1\n        double size = 0.1\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 1)',
		good: '# module.usda\ndef Xform "module"\n{\n    def Cube "shape"\n    {\n        double size = 0.1\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 1)',
	},
	'R1.2.6.2': {
		bad: '# asset.usda\n    kind = "assembly"\n)\n{\n    def Xform "env_0" (\n        prepend references = @./arm.usda@\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n\n    def Xform "env_1" (\n        prepend references = @./arm.usda@\n    )\n    {',
		good: '# asset.usda\n    kind = "assembly"\n)\n{\n    def Xform "left" (\n        prepend references = @./arm.usda@\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n\n    def Xform "right" (\n        prepend references = @./arm.usda@\n    )\n    {',
	},
	'R1.2.6.3': {
		bad: '# asset.usda\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (2, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n\n    def Xform "d" (\n        prepend references = @./arm.usda@\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (3, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n}',
		good: '# asset.usda\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (2.5, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n\n    def Xform "d" (\n        prepend references = @./arm.usda@\n    )\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (7, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n}',
	},
	'R1.3.1': {
		bad: '# physics.usda\n            }\n        }\n    }\n}\n\ndef PhysicsRevoluteJoint "shoulder"\n{\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link>\n    rel physics:body1 = </robot/base_link/arm>\n    point3f physics:localPos0 = (0, 0, 0.5)\n    point3f physics:localPos1 = (0, 0, 0)\n    quatf physics:localRot0 = (1, 0, 0, 0)\n    quatf physics:localRot1 = (1, 0, 0, 0)\n    float physics:lowerLimit = -90\n    float physics:upperLimit = 90\n}\n\ndef Scope "physics_materials"',
		good: '# physics.usda\n            }\n        }\n    }\n\n    def PhysicsRevoluteJoint "shoulder"\n    {\n        uniform token physics:axis = "Z"\n        rel physics:body0 = </robot/base_link>\n        rel physics:body1 = </robot/base_link/arm>\n        point3f physics:localPos0 = (0, 0, 0.5)\n        point3f physics:localPos1 = (0, 0, 0)\n        quatf physics:localRot0 = (1, 0, 0, 0)\n        quatf physics:localRot1 = (1, 0, 0, 0)\n        float physics:lowerLimit = -90\n        float physics:upperLimit = 90\n    }\n}\n\ndef Scope "physics_materials"',
	},
	'R1.3.3': {
		bad: '# physics.usda\n        point3f physics:localPos1 = (0, 0, 0)\n        quatf physics:localRot0 = (1, 0, 0, 0)\n        quatf physics:localRot1 = (1, 0, 0, 0)\n    }\n}',
		good: '# physics.usda\n        point3f physics:localPos1 = (0, 0, 0)\n        quatf physics:localRot0 = (1, 0, 0, 0)\n        quatf physics:localRot1 = (1, 0, 0, 0)\n        float physics:lowerLimit = -90\n        float physics:upperLimit = 90\n    }\n}',
	},
	'R1.3.4': {
		bad: '# physics.usda\n}\n\nover "arm" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)',
		good: '# physics.usda\n}\n\nover "arm" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)',
	},
	'R1.3.5': {
		bad: '# physics.usda\nover "robot"\n{\n    over "base_link" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n    )\n    {\n        float3 physics:diagonalInertia = (0.02, 0.02, 0.02)',
		good: '# physics.usda\nover "robot"\n{\n    over "base_link" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI"]\n    )\n    {\n        float3 physics:diagonalInertia = (0.02, 0.02, 0.02)',
	},
	'R1.3.6': {
		bad: '# base.usda\n}\n\ndef Xform "tool" (\n    apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n    prepend references = @./gripper.usda@\n)\n{',
		good: '# base.usda\n}\n\ndef Xform "tool" (\n    delete apiSchemas = ["PhysicsArticulationRootAPI"]\n    prepend references = @./gripper.usda@\n)\n{',
	},
	'R1.3.7': {
		bad: '# physics.usda\ndef PhysicsRevoluteJoint "second"\n{\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link>\n    rel physics:body1 = </robot/base_link/arm>\n    point3f physics:localPos0 = (0, 0, 0.5)',
		good: '# physics.usda\ndef PhysicsRevoluteJoint "second"\n{\n    uniform token physics:axis = "Z"\n    uniform bool physics:excludeFromArticulation = 1\n    rel physics:body0 = </robot/base_link>\n    rel physics:body1 = </robot/base_link/arm>\n    point3f physics:localPos0 = (0, 0, 0.5)',
	},
	'R1.3.8': {
		bad: '# physics.usda\ndef PhysicsRevoluteJoint "coupler"\n{\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link/arm>\n    rel physics:body1 = </robot/base_link/rod>\n    point3f physics:localPos0 = (0.5, 0, -0.5)',
		good: '# physics.usda\ndef PhysicsRevoluteJoint "coupler"\n{\n    uniform token physics:axis = "Z"\n    uniform bool physics:excludeFromArticulation = 1\n    rel physics:body0 = </robot/base_link/arm>\n    rel physics:body1 = </robot/base_link/rod>\n    point3f physics:localPos0 = (0.5, 0, -0.5)',
	},
	'R1.3.10': {
		bad: '# physics.usda\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    float physics:mass = 0\n    quatf physics:principalAxes = (1, 0, 0, 0)\n\n    over "collision" (',
		good: '# physics.usda\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    float physics:mass = 1.5\n    quatf physics:principalAxes = (1, 0, 0, 0)\n\n    over "collision" (',
	},
	'R1.3.11': {
		bad: '# base.usda\ndef Xform "robot"\n{\n    quatd xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n    def Scope "visual" (\n        variants = {\n            string visual_representation = "mesh_medium"\n        }\n        prepend variantSets = "visual_representation"\n    )\n    {\n        variantSet "visual_representation" = {\n            "mesh_medium" {\n                def Cube "shape"\n                {\n                    double size = 1\n                    quatd xformOp:orient = (1, 0, 0, 0)\n                    double3 xformOp:translate = (0, 0, 0.5)\n                    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n                }\n            }\n        }\n    }\n# physics.usda\n    upAxis = "Z"\n)\n\nover "robot" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n)\n{\n    float physics:mass = 0\n\n    over "collision" (\n        prepend apiSchemas = ["MaterialBindingAPI"]\n    )\n    {\n        rel material:binding:physics = </robot/physics_materials/wood>\n\n        over "shape" (\n            prepend apiSchemas = ["PhysicsCollisionAPI"]\n        )\n        {\n        }\n    }\n\n    def PhysicsFixedJoint "anchor"\n    {\n        rel physics:body1 = </robot>\n    }\n\n    def Scope "physics_materials"',
		good: '# base.usda\ndef Xform "robot"\n{\n    def Scope "visual"\n    {\n        def Cube "shape"\n        {\n            double size = 1\n            quatd xformOp:orient = (1, 0, 0, 0)\n            double3 xformOp:translate = (0, 0, 0.5)\n            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n        }\n    }\n# physics.usda\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "collision" (\n        prepend apiSchemas = ["MaterialBindingAPI"]\n    )\n    {\n        rel material:binding:physics = </robot/physics_materials/wood>\n\n        over "shape" (\n            prepend apiSchemas = ["PhysicsCollisionAPI"]\n        )\n        {\n        }\n    }\n\n    def Scope "physics_materials"',
	},
	'R1.3.12': {
		bad: '# physics.usda\n    def PhysicsFixedJoint "anchor"\n    {\n        rel physics:body0 = </robot/base_link>\n    }\n}',
		good: '# physics.usda\n    def PhysicsFixedJoint "anchor"\n    {\n        rel physics:body1 = </robot/base_link>\n    }\n}',
	},
	'R1.3.13': {
		bad: '# physics.usda\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    float physics:mass = 1.5\n    quatf physics:principalAxes = (1, 0, 0, 0)',
		good: '# physics.usda\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    bool physics:kinematicEnabled = 1\n    float physics:mass = 1.5\n    quatf physics:principalAxes = (1, 0, 0, 0)',
	},
	'R1.3.14': {
		bad: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./physics.usda@,\n    @./base.usda@\n]\n# base.usda\ndef Xform "robot"\n{\n    def Xform "base_link"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n        def Scope "visual" (\n            variants = {\n                string visual_representation = "mesh_medium"\n            }\n            prepend variantSets = "visual_representation"\n        )\n        {\n            variantSet "visual_representation" = {\n                "mesh_medium" {\n                    def Cube "shape"\n                    {\n                        double size = 0.2\n                    }\n                }\n            }\n        }\n\n        def Scope "collision"\n        {\n# physics.usda\n    }\n}\n\nover "grasp_point" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI"]\n)\n{\n}\n\nover "arm" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n)',
		good: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./ros.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\n# base.usda\ndef Xform "robot"\n{\n    def Xform "grasp_point"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0.2)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n\n    def Xform "base_link"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n        def Scope "visual" (\n            variants = {\n                string visual_representation = "mesh_medium"\n            }\n            prepend variantSets = "visual_representation"\n        )\n        {\n            variantSet "visual_representation" = {\n                "mesh_medium" {\n                    def Cube "shape"\n                    {\n                        double size = 0.2\n# physics.usda\n    }\n}\n\nover "arm" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n)\n# ros.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "grasp_point" (\n        prepend apiSchemas = ["RosFrameAPI"]\n    )\n    {\n    }\n}',
	},
	'R1.3.15': {
		bad: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./physics.usda@,\n    @./base.usda@\n]\n# base.usda\ndef Xform "robot"\n{\n    def Xform "base_link"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n        def Scope "visual" (\n            variants = {\n                string visual_representation = "mesh_medium"\n            }\n            prepend variantSets = "visual_representation"\n        )\n        {\n            variantSet "visual_representation" = {\n                "mesh_medium" {\n                    def Cube "shape"\n                    {\n                        double size = 0.2\n                    }\n                }\n            }\n        }\n\n        def Scope "collision"\n        {',
		good: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./ros.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\n# base.usda\ndef Xform "robot"\n{\n    def Xform "tool_frame"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0.2)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n    }\n\n    def Xform "base_link"\n    {\n        quatd xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n        def Scope "visual" (\n            variants = {\n                string visual_representation = "mesh_medium"\n            }\n            prepend variantSets = "visual_representation"\n        )\n        {\n            variantSet "visual_representation" = {\n                "mesh_medium" {\n                    def Cube "shape"\n                    {\n                        double size = 0.2\n# ros.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "tool_frame" (\n        prepend apiSchemas = ["RosFrameAPI"]\n    )\n    {\n    }\n}',
	},
	'R1.3.16': {
		bad: '# physics.usda\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.05)\n    float physics:mass = 1.5\n    quatf physics:principalAxes = (1, 0, 0, 0)',
		good: '# physics.usda\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    float physics:mass = 1.5\n    quatf physics:principalAxes = (1, 0, 0, 0)',
	},
	'R1.3.17': {
		bad: '# physics.usda\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    custom double[] urdf:inertia = [0.01, 0.01, 0.01, 0, 0, 0]\n    float physics:mass = 1.5\n    quatf physics:principalAxes = (1, 0, 0, 0)',
		good: '# physics.usda\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    float physics:mass = 1.5\n    quatf physics:principalAxes = (1, 0, 0, 0)',
	},
	'R1.3.18': {
		bad: '# physics.usda\n}\n\ndef PhysicsRevoluteJoint "elbow" (\n    prepend apiSchemas = ["MimicJointAPI"]\n)\n{\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link>\n    rel physics:body1 = </robot/base_link/rod>',
		good: '# physics.usda\n}\n\ndef PhysicsRevoluteJoint "elbow" (\n    prepend apiSchemas = ["ExtendedPhysicsMimicAPI"]\n)\n{\n    rel ext_physics:mimic:joint = </robot/base_link/shoulder>\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link>\n    rel physics:body1 = </robot/base_link/rod>',
	},
	'R1.3.19': {
		bad: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./physics.usda@,\n    @./base.usda@\n]\n# physics.usda\n}\n\nover "arm" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysxDeformableBodyAPI"]\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)',
		good: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./physx.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\n# physics.usda\n}\n\nover "arm" (\n    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n)\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n# physx.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "base_link"\n    {\n        over "arm" (\n            prepend apiSchemas = ["PhysxDeformableBodyAPI"]\n        )\n        {\n        }\n    }\n}',
	},
	'R1.3.20': {
		bad: '# physics.usda\n{\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link>\n    rel physics:body1 = </robot/base_link/hand>\n    point3f physics:localPos0 = (0, 0, 0.5)\n    point3f physics:localPos1 = (0, 0, 0)\n    quatf physics:localRot0 = (1, 0, 0, 0)',
		good: '# physics.usda\n{\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link>\n    rel physics:body1 = </robot/base_link/arm>\n    point3f physics:localPos0 = (0, 0, 0.5)\n    point3f physics:localPos1 = (0, 0, 0)\n    quatf physics:localRot0 = (1, 0, 0, 0)',
	},
	'R1.3.1.1': {
		bad: '# base.usda\ndef Scope "collision"\n{\n    def Cube "shape"\n    {\n        double size = 1',
		good: '# base.usda\ndef Scope "collision"\n{\n    uniform token purpose = "guide"\n\n    def Cube "shape"\n    {\n        double size = 1',
	},
	'R1.3.1.2': {
		bad: '# physics.usda\n    over "part"\n    {\n        over "shape" (\n            prepend apiSchemas = ["PhysicsCollisionAPI"]\n        )\n        {\n        }\n    }\n}',
		good: '# physics.usda\n    over "part"\n    {\n        over "shape" (\n            prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]\n        )\n        {\n            uniform token physics:approximation = "convexHull"\n        }\n    }\n}',
	},
	'R1.3.1.3': {
		bad: '# base.usda\n        }\n    }\n\n    def Scope "collision"\n    {\n        uniform token purpose = "guide"\n\n        def Xform "part" (\n            prepend payload = @./geometry.usda@\n        )\n        {\n        }\n    }\n}',
		good: '# base.usda\n        }\n    }\n\n    def Scope "collision" (\n        variants = {\n            string collision_fidelity = "baseline"\n        }\n        prepend variantSets = "collision_fidelity"\n    )\n    {\n        uniform token purpose = "guide"\n\n        def Xform "part" (\n            prepend payload = @./geometry.usda@\n        )\n        {\n        }\n\n        variantSet "collision_fidelity" = {\n            "baseline" {\n            }\n        }\n    }\n}',
	},
	'R1.3.1.4': {
		bad: '# geometry.usda\n{\n    def Mesh "shape"\n    {\n        int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n        int[] faceVertexIndices = [0, 2, 1, 6, 7, 8, 0, 3, 2, 6, 8, 9, 0, 4, 3, 6, 9, 10, 0, 5, 4, 6, 10, 11, 0, 1, 7, 0, 7, 6, 1, 2, 8, 1, 8, 7, 2, 3, 9, 2,...\n        point3f[] points = [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0, 0), (0, 0, 0), (0, 0.5, 0), (-0.5, 0.5, 0), (-0.5, -0.5, 1), (0.5, -0.5, 1), (0.5, 0, 1...\n        uniform token subdivisionScheme = "none"\n    }\n}',
		good: '# geometry.usda\n{\n    def Mesh "shape"\n    {\n        int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n        int[] faceVertexIndices = [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7]\n        point3f[] points = [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0), (-0.5, -0.5, 1), (0.5, -0.5, 1), (0.5, 0.5, 1), (-0.5, 0.5, 1)]\n        uniform token subdivisionScheme = "none"\n    }\n}',
	},
	'R1.3.2.1': {
		bad: '# base.usda\n    }\n}\n\ndef Cube "hull"\n{\n    uniform token purpose = "guide"\n    double size = 0.2\n}\n\ndef Xform "arm"\n# physics.usda\nfloat physics:mass = 3\nquatf physics:principalAxes = (1, 0, 0, 0)\n\nover "hull" (\n    prepend apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]\n)\n{\n    rel material:binding:physics = </robot/physics_materials/rubber>\n}\n\nover "arm" (',
		good: '# base.usda\n    }\n}\n\ndef Scope "collision"\n{\n    def Cube "shape"\n    {\n        uniform token purpose = "guide"\n        double size = 0.2\n    }\n}\n\ndef Xform "arm"\n# physics.usda\nfloat physics:mass = 3\nquatf physics:principalAxes = (1, 0, 0, 0)\n\nover "collision" (\n    prepend apiSchemas = ["MaterialBindingAPI"]\n)\n{\n    rel material:binding:physics = </robot/physics_materials/rubber>\n\n    over "shape" (\n        prepend apiSchemas = ["PhysicsCollisionAPI"]\n    )\n    {\n    }\n}\n\nover "arm" (',
	},
	'R1.3.2.2': {
		bad: '# base.usda\ndouble3 xformOp:translate = (0, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\ndef Scope "visual"\n{\n    def Cube "shape"\n    {\n        double size = 0.2\n    }\n}',
		good: '# base.usda\ndouble3 xformOp:translate = (0, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\ndef Scope "visual" (\n    variants = {\n        string visual_representation = "mesh_medium"\n    }\n    prepend variantSets = "visual_representation"\n)\n{\n    variantSet "visual_representation" = {\n        "mesh_medium" {\n            def Cube "shape"\n            {\n                double size = 0.2\n            }\n        }\n    }\n}',
	},
	'R1.3.2.3': {
		bad: '# base.usda\ndef Scope "visual" (\n    variants = {\n        string visual_representation = "mesh_low"\n    }\n    prepend variantSets = "visual_representation"\n)\n{\n    variantSet "visual_representation" = {\n        "mesh_low" {\n            def Cube "shape"\n            {\n                double size = 0.2',
		good: '# base.usda\ndef Scope "visual" (\n    variants = {\n        string visual_representation = "mesh_medium"\n    }\n    prepend variantSets = "visual_representation"\n)\n{\n    variantSet "visual_representation" = {\n        "mesh_medium" {\n            def Cube "shape"\n            {\n                double size = 0.2',
	},
	'R1.3.2.4': {
		bad: '# base.usda\n    }\n}\n"volumetric_splat" {\n    def Points "cloud"\n    {\n    }\n}',
		good: '# base.usda\n    }\n}\n"volumetric_splat" {\n    def ParticleField3DGaussianSplat "cloud"\n    {\n    }\n}',
	},
	'R1.3.2.5': {
		bad: '# physics.usda\nfloat physics:mass = 3\nquatf physics:principalAxes = (1, 0, 0, 0)\n\nover "visual" (\n    prepend apiSchemas = ["MaterialBindingAPI"]\n)\n{\n    rel material:binding:physics = </robot/physics_materials/rubber>\n\n    variantSet "visual_representation" = {\n        "mesh_medium" {\n            over "shape" (\n                prepend apiSchemas = ["PhysicsCollisionAPI"]\n            )\n            {\n            }\n        }\n    }\n}\n\nover "collision" (\n    prepend apiSchemas = ["MaterialBindingAPI"]\n)',
		good: '# physics.usda\nfloat physics:mass = 3\nquatf physics:principalAxes = (1, 0, 0, 0)\n\nover "collision" (\n    prepend apiSchemas = ["MaterialBindingAPI"]\n)',
	},
	'R1.3.3.1': {
		bad: '# physics.usda\n    }\n}\n\ndef Scope "physics_materials"\n{\n    def Material "rubber" (',
		good: '# physics.usda\n    }\n}\n\ndef PhysicsCollisionGroup "links" (\n    prepend apiSchemas = ["CollectionAPI:colliders"]\n)\n{\n    rel collection:colliders:includes = </robot/base_link>\n    rel physics:filteredGroups = </robot/links>\n}\n\ndef Scope "physics_materials"\n{\n    def Material "rubber" (',
	},
	'R1.3.4.1': {
		bad: '# physics.usda\n    prepend apiSchemas = ["MaterialBindingAPI"]\n)\n{\n    over "shape" (\n        prepend apiSchemas = ["PhysicsCollisionAPI"]\n    )',
		good: '# physics.usda\n    prepend apiSchemas = ["MaterialBindingAPI"]\n)\n{\n    rel material:binding:physics = </robot/physics_materials/wood>\n\n    over "shape" (\n        prepend apiSchemas = ["PhysicsCollisionAPI"]\n    )',
	},
	'R1.3.4.2': {
		bad: '# physics.usda\n    )\n    {\n        float physics:dynamicFriction = 0.4\n        float physics:staticFriction = 0.5\n    }\n}',
		good: '# physics.usda\n    )\n    {\n        float physics:dynamicFriction = 0.4\n        float physics:restitution = 0.2\n        float physics:staticFriction = 0.5\n    }\n}',
	},
	'R1.3.4.3': {
		bad: '# physics.usda\n    prepend apiSchemas = ["MaterialBindingAPI"]\n)\n{\n    rel material:binding = </robot/physics_materials/wood>\n\n    over "shape" (\n        prepend apiSchemas = ["PhysicsCollisionAPI"]',
		good: '# physics.usda\n    prepend apiSchemas = ["MaterialBindingAPI"]\n)\n{\n    rel material:binding:physics = </robot/physics_materials/wood>\n\n    over "shape" (\n        prepend apiSchemas = ["PhysicsCollisionAPI"]',
	},
	'R1.4.1': {
		bad: '# asset.usda\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    subLayers = [\n        @./physics.usda@,\n        @./base.usda@\n    ]\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "robot" (\n    assetInfo = {\n        string identifier = "robot"\n        dictionary ros = {\n            string package_uri = "package://robot_description/urdf/robot.urdf"\n        }\n        string version = "1.0.0"\n    }\n    kind = "component"\n)\n{\n    over "base_link"\n    {\n        custom bool isaac:selfCollision = 1\n    }\n}',
		good: '# asset.usda\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    subLayers = [\n        @./isaac.usda@,\n        @./physics.usda@,\n        @./base.usda@\n    ]\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "robot" (\n    assetInfo = {\n        string identifier = "robot"\n        dictionary ros = {\n            string package_uri = "package://robot_description/urdf/robot.urdf"\n        }\n        string version = "1.0.0"\n    }\n    kind = "component"\n)\n{\n}\n# isaac.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "base_link"\n    {\n        over "arm"\n        {\n            custom bool isaac:selfCollision = 1\n        }\n    }\n}',
	},
	'R1.4.2': {
		bad: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./physics.usda@,\n    @./base.usda@\n]\n# physics.usda\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    float physics:mass = 1.5\n    custom int physxRigidBody:solverPositionIterationCount = 8\n    quatf physics:principalAxes = (1, 0, 0, 0)\n\n    over "collision" (',
		good: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./physx.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\n# physics.usda\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    float physics:mass = 1.5\n    quatf physics:principalAxes = (1, 0, 0, 0)\n\n    over "collision" (\n# physx.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "base_link"\n    {\n        over "arm"\n        {\n            custom int physxRigidBody:solverPositionIterationCount = 8\n        }\n    }\n}',
	},
	'R1.4.3': {
		bad: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./physics.usda@,\n    @./base.usda@\n]\n# physics.usda\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    float physics:mass = 1.5\n    custom int solverIterations = 8\n    quatf physics:principalAxes = (1, 0, 0, 0)\n\n    over "collision" (',
		good: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./mujoco.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\n# mujoco.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "base_link"\n    {\n        over "arm"\n        {\n            custom int mjc:solverIterations = 8\n        }\n    }\n}\n# physics.usda\n{\n    float3 physics:diagonalInertia = (0.01, 0.01, 0.01)\n    float physics:mass = 1.5\n    quatf physics:principalAxes = (1, 0, 0, 0)\n\n    over "collision" (',
	},
	'R1.4.4': {
		bad: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./tuning.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\n# tuning.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "base_link"\n    {\n        over "arm"\n        {\n            custom double mjc:armature = 0.1\n        }\n    }\n}',
		good: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./mujoco.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\n# mujoco.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "base_link"\n    {\n        over "arm"\n        {\n            custom double mjc:armature = 0.1\n        }\n    }\n}',
	},
	'R1.4.5': {
		bad: '# mujoco.usda\n        over "arm"\n        {\n            custom double mjc:armature = 0.1\n            float physics:mass = 1.5\n        }\n    }\n}',
		good: '# mujoco.usda\n        over "arm"\n        {\n            custom double mjc:armature = 0.1\n            float physics:mass = 1.6\n        }\n    }\n}',
	},
};
