import type { RuleExample } from './rule-example.ts';

/** Examples for the rules of chapter 2, taken from `conformance/data/rep158` by `npm run docs`. */
export const REP_2_EXAMPLES: Readonly<Record<string, RuleExample>> = {
	'R2.0.1': {
		bad: '# isaac.usda\n        def OmniGraphNode "publish"\n        {\n            token node:type = "isaacsim.ros2.bridge.ROS2PublishImu"\n            string inputs:topicName = "imu"\n        }\n    }\n}',
		good: '# isaac.usda\n        def OmniGraphNode "publish"\n        {\n            token node:type = "isaacsim.ros2.bridge.ROS2PublishImu"\n            string inputs:topicName = "ground_truth"\n        }\n    }\n}',
	},
	'R2.0.2': {
		bad: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./ros.usda@,\n    @./physics.usda@,\n    @./graphs.usda@,\n    @./base.usda@\n]\ntimeCodesPerSecond = 1\n# graphs.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    def OmniGraph "graph"\n    {\n        def OmniGraphNode "publish"\n        {\n            token node:type = "isaacsim.ros2.bridge.ROS2PublishImu"\n            string inputs:topicName = "ground_truth"\n        }\n    }\n}',
		good: '# asset.usda\nkilogramsPerUnit = 1\nmetersPerUnit = 1\nsubLayers = [\n    @./isaac.usda@,\n    @./ros.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\ntimeCodesPerSecond = 1\n# isaac.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    def OmniGraph "graph"\n    {\n        def OmniGraphNode "publish"\n        {\n            token node:type = "isaacsim.ros2.bridge.ROS2PublishImu"\n            string inputs:topicName = "ground_truth"\n        }\n    }\n}',
	},
	'R2.1.1': {
		bad: '# ros.usda\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "interfaces"\n    {\n        over "status" (\n            prepend apiSchemas = ["RosTopicAPI"]\n        )\n        {\n            uniform string ros:topic:name = "log"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "std_msgs/msg/String"\n        }\n    }\n}',
		good: '# ros.usda\n    upAxis = "Z"\n)\n\nover "robot" (\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "interfaces"\n    {\n        over "status" (\n            prepend apiSchemas = ["RosTopicAPI"]\n        )\n        {\n            uniform string ros:topic:name = "diagnostics"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        }\n    }\n}',
	},
	'R2.1.2': {
		bad: '# ros.usda\n)\n{\n    uniform string ros:context:namespace = "robot"\n    uniform int ros:context:domain_id = 240\n\n    over "interfaces"\n    {',
		good: '# ros.usda\n)\n{\n    uniform string ros:context:namespace = "robot"\n    uniform int ros:context:domain_id = 7\n\n    over "interfaces"\n    {',
	},
	'R2.1.3': {
		bad: '# ros.usda\n)\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "interfaces" (\n        prepend apiSchemas = ["RosContextAPI"]\n    )\n    {\n        uniform string ros:context:namespace = "parts"\n        uniform string ros:context:parent_frame = "odom"\n\n        over "status" (\n            prepend apiSchemas = ["RosTopicAPI"]',
		good: '# ros.usda\n)\n{\n    uniform string ros:context:namespace = "robot"\n    uniform string ros:context:parent_frame = "odom"\n\n    over "interfaces" (\n        prepend apiSchemas = ["RosContextAPI"]\n    )\n    {\n        uniform string ros:context:namespace = "parts"\n\n        over "status" (\n            prepend apiSchemas = ["RosTopicAPI"]',
	},
	'R2.1.1.1': {
		bad: '# ros.usda\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "a/b"\n\n    over "status" (\n        prepend apiSchemas = ["RosTopicAPI"]',
		good: '# ros.usda\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "parts"\n\n    over "status" (\n        prepend apiSchemas = ["RosTopicAPI"]',
	},
	'R2.1.1.2': {
		bad: '# ros.usda\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "/parts"\n\n    over "status" (\n        prepend apiSchemas = ["RosTopicAPI"]',
		good: '# ros.usda\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "parts"\n\n    over "status" (\n        prepend apiSchemas = ["RosTopicAPI"]',
	},
	'R2.1.1.6': {
		bad: '# ros.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "interfaces" (\n        prepend apiSchemas = ["RosContextAPI"]\n    )\n    {\n        uniform string ros:context:namespace = "parts"\n\n        over "status" (\n            prepend apiSchemas = ["RosTopicAPI"]\n        )',
		good: '# ros.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "interfaces"\n    {\n        over "status" (\n            prepend apiSchemas = ["RosTopicAPI"]\n        )',
	},
	'R2.1.1.7': {
		bad: '# asset.usda\n    kind = "assembly"\n)\n{\n    def Xform "left" (\n        kind = "group"\n    )\n    {\n        def Xform "robot" (\n            prepend references = @./parts/robot.usda@\n        )\n        {\n        }\n    }\n\n    def Xform "right" (\n        kind = "group"\n    )\n    {\n        def Xform "robot" (\n            prepend references = @./parts/robot.usda@\n        )\n        {\n            uniform string ros:context:namespace = "robot"\n        }\n    }\n}',
		good: '# asset.usda\n    kind = "assembly"\n)\n{\n    def Xform "robot_1" (\n        prepend references = @./parts/robot.usda@\n    )\n    {\n        uniform string ros:context:namespace = "robot_1"\n    }\n\n    def Xform "robot_2" (\n        prepend references = @./parts/robot.usda@\n    )\n    {\n        uniform string ros:context:namespace = "robot_2"\n    }\n}',
	},
	'R2.1.1.8': {
		bad: '# ros.usda\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "bot"\n\n    over "interfaces"\n    {',
		good: '# ros.usda\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "interfaces"\n    {',
	},
	'R2.1.1.9': {
		bad: '# ros.usda\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "interfaces" (\n        prepend apiSchemas = ["RosContextAPI"]\n    )\n    {\n        uniform string ros:context:namespace = "interfaces"\n\n        over "status" (\n            prepend apiSchemas = ["RosTopicAPI"]',
		good: '# ros.usda\n    upAxis = "Z"\n)\n\nover "robot" (\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "interfaces" (\n        prepend apiSchemas = ["RosContextAPI"]\n    )\n    {\n        uniform string ros:context:namespace = "parts"\n\n        over "status" (\n            prepend apiSchemas = ["RosTopicAPI"]',
	},
	'R2.1.1.10': {
		bad: '# asset.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n    def Xform "head" (\n        kind = "subcomponent"\n        prepend references = @./parts/head.usda@\n    )\n    {\n        over "camera"\n        {\n            uniform string ros:context:namespace = "eye"\n        }\n    }\n}\n# parts/head.usda\n#usda 1.0\n(\n    defaultPrim = "head"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "head" (\n    assetInfo = {\n        string identifier = "head"\n        dictionary ros = {\n            string package_uri = "package://head_description/urdf/head.urdf"\n        }\n        string version = "1.0.0"\n    }\n    kind = "component"\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "head"\n\n    def Xform "camera" (\n        prepend apiSchemas = ["RosContextAPI"]\n    )\n    {\n        uniform string ros:context:namespace = "camera"',
		good: '# asset.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n    def Xform "camera_left" (\n        kind = "subcomponent"\n        prepend references = @./parts/camera.usda@\n    )\n    {\n        uniform string ros:context:namespace = "camera_left"\n    }\n\n    def Xform "camera_right" (\n        kind = "subcomponent"\n        prepend references = @./parts/camera.usda@\n    )\n    {\n        uniform string ros:context:namespace = "camera_right"\n    }\n}\n# parts/camera.usda\n#usda 1.0\n(\n    defaultPrim = "camera"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "camera" (\n    assetInfo = {\n        string identifier = "camera"\n        dictionary ros = {\n            string package_uri = "package://camera_description/urdf/camera.urdf"\n        }\n        string version = "1.0.0"\n    }\n    kind = "component"\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "camera"\n\n    def Xform "mount"\n    {\n    }\n}',
	},
	'R2.1.1.11': {
		bad: '# asset.usda\n        prepend references = @./parts/camera.usda@\n    )\n    {\n    }\n\n    def Xform "camera_right" (\n        kind = "subcomponent"\n        prepend references = @./parts/camera.usda@\n    )\n    {\n    }\n}',
		good: '# asset.usda\n        prepend references = @./parts/camera.usda@\n    )\n    {\n        uniform string ros:context:namespace = "camera_left"\n    }\n\n    def Xform "camera_right" (\n        kind = "subcomponent"\n        prepend references = @./parts/camera.usda@\n    )\n    {\n        uniform string ros:context:namespace = "camera_right"\n    }\n}',
	},
	'R2.1.1.12': {
		bad: '# asset.usda\n    uniform string ros:context:namespace = "robot"\n\n    def Xform "sensor" (\n        prepend payload = @./parts/sensor.usda@\n    )\n    {\n    }\n}\n# parts/sensor.usda\n    upAxis = "Z"\n)\n\ndef Xform "sensor" (\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "sensor"\n\n    def Xform "part"\n    {\n    }',
		good: '# asset.usda\n    uniform string ros:context:namespace = "robot"\n\n    def Xform "sensor" (\n        prepend apiSchemas = ["RosContextAPI"]\n        prepend payload = @./parts/sensor.usda@\n    )\n    {\n        uniform string ros:context:namespace = "sensor"\n    }\n}\n# parts/sensor.usda\n    upAxis = "Z"\n)\n\ndef Xform "sensor"\n{\n    def Xform "part"\n    {\n    }',
	},
	'R2.1.1.13': {
		bad: '# asset.usda\n}\n\ndef Xform "camera_right" (\n    instanceable = true\n    kind = "subcomponent"\n    prepend references = @./parts/camera.usda@\n)',
		good: '# asset.usda\n}\n\ndef Xform "camera_right" (\n    kind = "subcomponent"\n    prepend references = @./parts/camera.usda@\n)',
	},
	'R2.2.1': {
		bad: '# base.usda\n    }\n}\n\ndef Xform "joint_states"\n{\n}\n\ndef Xform "arm_link"\n{\n    quatf xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0.3, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n    def Scope "visual" (\n        variants = {\n            string visual_representation = "mesh_medium"\n        }\n        prepend variantSets = "visual_representation"\n    )\n    {\n        variantSet "visual_representation" = {\n            "mesh_medium" {\n                def Cube "shell"\n                {\n                    float3[] extent = [(-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)]\n                    double size = 0.2\n                }\n            }\n# ros.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "base_link"\n    {\n        over "joint_states" (\n            prepend apiSchemas = ["RosTopicAPI"]',
		good: '# base.usda\n    }\n}\n\ndef Xform "arm_link"\n{\n    quatf xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0.3, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n    def Scope "visual" (\n        variants = {\n            string visual_representation = "mesh_medium"\n        }\n        prepend variantSets = "visual_representation"\n    )\n    {\n        variantSet "visual_representation" = {\n            "mesh_medium" {\n                def Cube "shell"\n                {\n                    float3[] extent = [(-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)]\n                    double size = 0.2\n                }\n            }\n        }\n    }\n\n    def Scope "collision" (\n# ros.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "interfaces"\n    {\n        over "joint_states" (\n            prepend apiSchemas = ["RosTopicAPI"]',
	},
	'R2.2.2': {
		bad: '# base.usda\n    }\n}\n\ndef Xform "arm_link"\n{\n    quatf xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0.3, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n    def Scope "visual" (\n        variants = {\n            string visual_representation = "mesh_medium"\n        }\n        prepend variantSets = "visual_representation"\n    )\n    {\n        variantSet "visual_representation" = {\n            "mesh_medium" {\n                def Cube "shell"\n                {\n                    float3[] extent = [(-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)]\n                    double size = 0.2\n                }\n            }\n        }\n    }\n\n    def Scope "collision" (\n# ros.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "interfaces"\n    {\n        over "joint_states" (\n            prepend apiSchemas = ["RosTopicAPI"]\n        )\n        {',
		good: '# base.usda\n    }\n}\n\ndef Xform "imu"\n{\n}\n\ndef Xform "arm_link"\n{\n    quatf xformOp:orient = (1, 0, 0, 0)\n    double3 xformOp:translate = (0.3, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n    def Scope "visual" (\n        variants = {\n            string visual_representation = "mesh_medium"\n        }\n        prepend variantSets = "visual_representation"\n    )\n    {\n        variantSet "visual_representation" = {\n            "mesh_medium" {\n                def Cube "shell"\n                {\n                    float3[] extent = [(-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)]\n                    double size = 0.2\n                }\n            }\n# ros.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "base_link"\n    {\n        over "imu" (\n            prepend apiSchemas = ["RosTopicAPI"]\n        )\n        {',
	},
	'R2.2.3': {
		bad: '# ros.usda\nover "interfaces"\n{\n    over "status" (\n        prepend apiSchemas = ["RosTopicAPI", "RosServiceAPI"]\n    )\n    {\n        uniform string ros:topic:name = "diagnostics"\n        uniform double ros:topic:publish_rate = 10\n        uniform token ros:topic:role = "publisher"\n        uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        uniform string ros:service:name = "set_lights"\n        uniform token ros:service:role = "server"\n        uniform string ros:service:type = "std_srvs/srv/SetBool"',
		good: '# ros.usda\nover "interfaces"\n{\n    over "status" (\n        prepend apiSchemas = ["RosTopicAPI"]\n    )\n    {\n        uniform string ros:topic:name = "diagnostics"\n        uniform double ros:topic:publish_rate = 10\n        uniform token ros:topic:role = "publisher"\n        uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n    }\n\n    over "second" (\n        prepend apiSchemas = ["RosServiceAPI"]\n    )\n    {\n        uniform string ros:service:name = "set_lights"\n        uniform token ros:service:role = "server"\n        uniform string ros:service:type = "std_srvs/srv/SetBool"',
	},
	'R2.2.4': {
		bad: '# asset.usda\n    uniform string ros:context:namespace = "robot"\n\n    def Xform "sensor" (\n        prepend payload = @./parts/sensor.usda@\n    )\n    {\n    }\n}\n# parts/sensor.usda\n    upAxis = "Z"\n)\n\ndef Xform "sensor" (\n    prepend apiSchemas = ["RosFrameAPI"]\n)\n{\n    uniform string ros:frame:id = "sensor_frame"\n\n    def Xform "part"\n    {\n    }',
		good: '# asset.usda\n    uniform string ros:context:namespace = "robot"\n\n    def Xform "sensor" (\n        prepend apiSchemas = ["RosFrameAPI"]\n        prepend payload = @./parts/sensor.usda@\n    )\n    {\n        uniform string ros:frame:id = "sensor_frame"\n    }\n}\n# parts/sensor.usda\n    upAxis = "Z"\n)\n\ndef Xform "sensor"\n{\n    def Xform "part"\n    {\n    }',
	},
	'R2.3.1': {
		bad: '# ros.usda\n            uniform string ros:topic:name = "diagnostics"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArry"\n        }\n    }\n}',
		good: '# ros.usda\n            uniform string ros:topic:name = "diagnostics"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        }\n    }\n}',
	},
	'R2.3.3': {
		bad: '# ros.usda\n    prepend apiSchemas = ["RosTopicAPI"]\n)\n{\n    uniform string ros:topic:name = "front-scan"\n    uniform double ros:topic:publish_rate = 10\n    uniform token ros:topic:role = "publisher"\n    uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"',
		good: '# ros.usda\n    prepend apiSchemas = ["RosTopicAPI"]\n)\n{\n    uniform string ros:topic:name = "front/scan_2"\n    uniform double ros:topic:publish_rate = 10\n    uniform token ros:topic:role = "publisher"\n    uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"',
	},
	'R2.3.4': {
		bad: '# ros.usda\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n            uniform int ros:topic:starts_enabled = 0\n        }\n    }\n}',
		good: '# ros.usda\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n            uniform bool ros:topic:starts_enabled = false\n        }\n    }\n}',
	},
	'R2.3.5': {
		bad: '# ros.usda\n            uniform string ros:topic:name = "diagnostics"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/DiagnosticArray"\n        }\n    }\n}',
		good: '# ros.usda\n            uniform string ros:topic:name = "diagnostics"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        }\n    }\n}',
	},
	'R2.3.6': {
		bad: '# ros.usda\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n            uniform double ros:topic:publish_rte = 5\n        }\n    }\n}',
		good: '# ros.usda\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        }\n    }\n}',
	},
	'R2.3.7': {
		bad: '# ros.usda\n            prepend apiSchemas = ["RosTopicAPI"]\n        )\n        {\n            uniform string ros:topic:name = "diagnostics"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticStatus"\n        }\n    }\n}',
		good: '# ros.usda\n            prepend apiSchemas = ["RosTopicAPI"]\n        )\n        {\n            uniform string ros:topic:name = "other"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        }\n    }\n}',
	},
	'R2.4.1': {
		bad: '# ros.usda\n    {\n        uniform string ros:topic:name = "diagnostics"\n        uniform double ros:topic:publish_rate = 10\n        uniform token ros:topic:role = "listener"\n        uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n    }\n}',
		good: '# ros.usda\n    {\n        uniform string ros:topic:name = "diagnostics"\n        uniform double ros:topic:publish_rate = 10\n        uniform token ros:topic:role = "publisher"\n        uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n    }\n}',
	},
	'R2.4.2': {
		bad: '# ros.usda\n    prepend apiSchemas = ["RosTopicAPI"]\n)\n{\n    uniform string ros:topic:name = ""\n    uniform double ros:topic:publish_rate = 10\n    uniform token ros:topic:role = "publisher"\n    uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"',
		good: '# ros.usda\n    prepend apiSchemas = ["RosTopicAPI"]\n)\n{\n    uniform string ros:topic:name = "diagnostics"\n    uniform double ros:topic:publish_rate = 10\n    uniform token ros:topic:role = "publisher"\n    uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"',
	},
	'R2.4.3': {
		bad: '# ros.usda\n            uniform string ros:topic:name = "diagnostics"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = ""\n        }\n    }\n}',
		good: '# ros.usda\n            uniform string ros:topic:name = "diagnostics"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        }\n    }\n}',
	},
	'R2.4.4': {
		bad: '# ros.usda\n)\n{\n    uniform string ros:topic:name = "diagnostics"\n    uniform double ros:topic:publish_rate = 0\n    uniform token ros:topic:role = "publisher"\n    uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n}',
		good: '# ros.usda\n)\n{\n    uniform string ros:topic:name = "diagnostics"\n    uniform double ros:topic:publish_rate = 10\n    uniform token ros:topic:role = "publisher"\n    uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n}',
	},
	'R2.4.5': {
		bad: '# ros.usda\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n            uniform string ros:topic:override_frame_id = "robot"\n        }\n    }\n}',
		good: '# ros.usda\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n            uniform string ros:topic:override_frame_id = "map"\n        }\n    }\n}',
	},
	'R2.4.6': {
		bad: '# ros.usda\n        uniform string ros:topic:name = "diagnostics"\n        uniform double ros:topic:publish_rate = 10\n        uniform token ros:topic:role = "publisher"\n        uniform string ros:topic:type = "std_msgs/msg/String"\n        uniform string ros:topic:override_frame_id = "map"\n    }\n}',
		good: '# ros.usda\n        uniform string ros:topic:name = "diagnostics"\n        uniform double ros:topic:publish_rate = 10\n        uniform token ros:topic:role = "publisher"\n        uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        uniform string ros:topic:override_frame_id = "map"\n    }\n}',
	},
	'R2.4.7': {
		bad: '# ros.usda\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n            uniform token ros:topic:qos:reliability = "sometimes"\n        }\n    }\n}',
		good: '# ros.usda\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n            uniform token ros:topic:qos:reliability = "reliable"\n        }\n    }\n}',
	},
	'R2.4.8': {
		bad: '# ros.usda\n)\n{\n    uniform string ros:topic:name = "diagnostics"\n    uniform double ros:topic:publish_rate = 10\n    uniform token ros:topic:role = "publisher"\n    uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n    uniform bool ros:topic:qos:match_publisher = true\n}',
		good: '# ros.usda\n)\n{\n    uniform string ros:topic:name = "diagnostics"\n    uniform token ros:topic:role = "subscription"\n    uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n    uniform bool ros:topic:qos:match_publisher = true\n}',
	},
	'R2.4.9': {
		bad: '# ros.usda\n        uniform double ros:topic:publish_rate = 10\n        uniform token ros:topic:role = "publisher"\n        uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        uniform int ros:topic:qos:depth = 0\n        uniform token ros:topic:qos:history = "keep_last"\n    }\n}',
		good: '# ros.usda\n        uniform double ros:topic:publish_rate = 10\n        uniform token ros:topic:role = "publisher"\n        uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        uniform int ros:topic:qos:depth = 5\n        uniform token ros:topic:qos:history = "keep_last"\n    }\n}',
	},
	'R2.4.10': {
		bad: '# ros.usda\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "nav_msgs/msg/OccupancyGrid"\n            uniform token ros:topic:qos:durability = "volatile"\n        }\n    }\n}',
		good: '# ros.usda\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "nav_msgs/msg/OccupancyGrid"\n            uniform token ros:topic:qos:durability = "transient_local"\n        }\n    }\n}',
	},
	'R2.5.1': {
		bad: '# ros.usda\n    )\n    {\n        uniform string ros:service:name = "set_lights"\n        uniform token ros:service:role = "publisher"\n        uniform string ros:service:type = "std_srvs/srv/SetBool"\n    }\n}',
		good: '# ros.usda\n    )\n    {\n        uniform string ros:service:name = "set_lights"\n        uniform token ros:service:role = "server"\n        uniform string ros:service:type = "std_srvs/srv/SetBool"\n    }\n}',
	},
	'R2.6.1': {
		bad: '# ros.usda\n    prepend apiSchemas = ["RosActionAPI"]\n)\n{\n    uniform string ros:action:name = ""\n    uniform token ros:action:role = "server"\n    uniform string ros:action:type = "nav2_msgs/action/DockRobot"\n}',
		good: '# ros.usda\n    prepend apiSchemas = ["RosActionAPI"]\n)\n{\n    uniform string ros:action:name = "dock"\n    uniform token ros:action:role = "server"\n    uniform string ros:action:type = "nav2_msgs/action/DockRobot"\n}',
	},
	'R2.7.4': {
		bad: '# asset.usda\nmetersPerUnit = 1\nsubLayers = [\n    @./ros.usda@,\n    @./base.usda@\n]\ntimeCodesPerSecond = 1\n# base.usda\ndef Xform "robot"\n{\n    def Xform "interfaces"\n    {\n        def Xform "status"\n        {\n        }\n\n        def Xform "second"\n        {\n        }\n    }\n}\n# ros.usda\n    upAxis = "Z"\n)\n\nover "robot"\n{\n    over "interfaces"\n    {\n        over "status" (\n            prepend apiSchemas = ["RosTopicAPI"]\n        )\n        {\n            uniform string ros:topic:name = "diagnostics"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        }\n    }\n}',
		good: '# asset.usda\nmetersPerUnit = 1\nsubLayers = [\n    @./ros.usda@,\n    @./physics.usda@,\n    @./base.usda@\n]\ntimeCodesPerSecond = 1\n# base.usda\ndef Xform "robot"\n{\n    def Xform "base_link"\n    {\n        quatf xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0.1)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n\n        def Scope "visual" (\n            variants = {\n                string visual_representation = "mesh_medium"\n            }\n            prepend variantSets = "visual_representation"\n        )\n        {\n            variantSet "visual_representation" = {\n                "mesh_medium" {\n                    def Cube "shell"\n                    {\n                        float3[] extent = [(-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)]\n                        double size = 0.2\n                    }\n                }\n            }\n        }\n\n        def Scope "collision" (\n# physics.usda\n#usda 1.0\n(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "robot" (\n    prepend apiSchemas = ["PhysicsArticulationRootAPI"]\n)\n{\n    over "base_link" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n    )\n    {\n        float3 physics:diagonalInertia = (0.02, 0.02, 0.02)\n        float physics:mass = 2\n        quatf physics:principalAxes = (1, 0, 0, 0)\n\n        over "collision"\n        {\n            over "box" (\n                prepend apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]\n            )\n            {\n                rel material:binding:physics = </robot/surfaces/plastic>\n# ros.usda\n    upAxis = "Z"\n)\n\nover "robot" (\n    prepend apiSchemas = ["RosContextAPI"]\n)\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "base_link"\n    {\n        over "imu" (\n            prepend apiSchemas = ["RosTopicAPI"]\n        )\n        {\n            uniform string ros:topic:name = "imu"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "sensor_msgs/msg/Imu"\n        }\n    }\n}',
	},
	'R2.7.5': {
		bad: '# base.usda\n    }\n}\n\ndef Scope "grasp"\n{\n}',
		good: '# base.usda\n    }\n}\n\ndef Xform "grasp"\n{\n}',
	},
	'R2.7.6': {
		bad: '# ros.usda\n            prepend apiSchemas = ["RosFrameAPI"]\n        )\n        {\n            uniform string ros:frame:id = "/grasp"\n        }\n    }\n}',
		good: '# ros.usda\n            prepend apiSchemas = ["RosFrameAPI"]\n        )\n        {\n            uniform string ros:frame:id = "tool/grasp"\n        }\n    }\n}',
	},
	'R2.7.7': {
		bad: '# ros.usda\n            prepend apiSchemas = ["RosFrameAPI"]\n        )\n        {\n            uniform bool ros:frame:static = true\n        }\n    }\n}',
		good: '# ros.usda\n            prepend apiSchemas = ["RosFrameAPI"]\n        )\n        {\n            uniform bool ros:frame:static = false\n        }\n    }\n}',
	},
	'R2.7.9': {
		bad: '# ros.usda\n            prepend apiSchemas = ["RosFrameAPI"]\n        )\n        {\n            uniform string ros:frame:id = "arm_link"\n        }\n    }\n}',
		good: '# ros.usda\n            prepend apiSchemas = ["RosFrameAPI"]\n        )\n        {\n            uniform string ros:frame:id = "grasp"\n        }\n    }\n}',
	},
	'R2.8.1': {
		bad: '# base.usda\n{\n    def Xform "camera_optical_frame"\n    {\n        quatf xformOp:orient = (1, 0, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]',
		good: '# base.usda\n{\n    def Xform "camera_optical_frame"\n    {\n        quatf xformOp:orient = (0, 1, 0, 0)\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]',
	},
	'R2.8.2': {
		bad: '# ros.usda\nover "base_link"\n{\n    over "camera" (\n        prepend apiSchemas = ["RosTopicAPI"]\n    )\n    {\n        uniform string ros:topic:name = "image_raw"\n        uniform double ros:topic:publish_rate = 10\n        uniform token ros:topic:role = "publisher"\n        uniform string ros:topic:type = "sensor_msgs/msg/Image"\n\n        over "camera_optical_frame" (\n            prepend apiSchemas = ["RosFrameAPI"]\n        )\n        {\n        }\n    }\n}',
		good: '# ros.usda\nover "base_link"\n{\n    over "camera"\n    {\n        over "camera_optical_frame" (\n            prepend apiSchemas = ["RosFrameAPI"]\n        )\n        {\n            over "image" (\n                prepend apiSchemas = ["RosTopicAPI"]\n            )\n            {\n                uniform string ros:topic:name = "image_raw"\n                uniform double ros:topic:publish_rate = 10\n                uniform token ros:topic:role = "publisher"\n                uniform string ros:topic:type = "sensor_msgs/msg/Image"\n            }\n        }\n    }\n}',
	},
	'R2.9.1': {
		bad: '# ros.usda\n    prepend apiSchemas = ["RosTopicAPI"]\n)\n{\n    uniform string ros:topic:name = "/clock"\n    uniform double ros:topic:publish_rate = 10\n    uniform token ros:topic:role = "publisher"\n    uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"',
		good: '# ros.usda\n    prepend apiSchemas = ["RosTopicAPI"]\n)\n{\n    uniform string ros:topic:name = "clock"\n    uniform double ros:topic:publish_rate = 10\n    uniform token ros:topic:role = "publisher"\n    uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"',
	},
	'R2.9.2': {
		bad: '# ros.usda\n            uniform string ros:topic:name = "diagnostics"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "rosgraph_msgs/msg/Clock"\n        }\n    }\n}',
		good: '# ros.usda\n            uniform string ros:topic:name = "diagnostics"\n            uniform double ros:topic:publish_rate = 10\n            uniform token ros:topic:role = "publisher"\n            uniform string ros:topic:type = "diagnostic_msgs/msg/DiagnosticArray"\n        }\n    }\n}',
	},
	'R2.10.1': {
		bad: '# physics.usda\n    }\n}\n\ndef PhysicsRevoluteJoint "tn__armjoint1_a" (\n    prepend apiSchemas = ["PhysicsDriveAPI:angular"]\n)\n{\n# ros.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n}',
		good: '# physics.usda\n    }\n}\n\ndef PhysicsRevoluteJoint "arm_joint" (\n    prepend apiSchemas = ["PhysicsDriveAPI:angular"]\n)\n{\n# ros.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "base_link"\n    {\n        over "arm_joint"\n        {\n            custom string ros:joint:name = "arm_joint"\n        }\n    }\n}',
	},
	'R2.10.3': {
		bad: '# ros.usda\n    {\n        over "arm_joint"\n        {\n            custom string ros:joint:name = "shoulder"\n        }\n    }\n}',
		good: '# ros.usda\n    {\n        over "arm_joint"\n        {\n            custom string ros:joint:name = "arm-joint"\n        }\n    }\n}',
	},
	'R2.10.5': {
		bad: '# physics.usda\n    }\n}\n\ndef PhysicsFixedJoint "arm_joint"\n{\n    rel physics:body1 = </robot/base_link>\n    point3f physics:localPos0 = (0, 0, 0.1)',
		good: '# physics.usda\n    }\n}\n\ndef PhysicsFixedJoint "anchor"\n{\n    rel physics:body1 = </robot/base_link>\n    point3f physics:localPos0 = (0, 0, 0.1)',
	},
};
