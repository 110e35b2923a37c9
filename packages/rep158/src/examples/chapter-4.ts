import type { RuleExample } from './rule-example.ts';

/** Examples for the rules of chapter 4, taken from `conformance/data/rep158` by `npm run docs`. */
export const REP_4_EXAMPLES: Readonly<Record<string, RuleExample>> = {
	'R4.2.1.1': {
		bad: '# asset.usda\n)\n{\n    float sensor:sonar:max_range = 4\n    float sensor:sonar:focalLength = 50\n}\n\ndef Xform "schemas" (',
		good: '# asset.usda\n)\n{\n    float sensor:sonar:max_range = 4\n}\n\ndef Xform "schemas" (',
	},
	'R4.2.1.2': {
		bad: '# base.usda\ndef Xform "controllers"\n{\n    def Scope "arm"\n    {\n    }',
		good: '# base.usda\ndef Xform "controllers"\n{\n    def Xform "arm"\n    {\n    }',
	},
	'R4.2.1.3': {
		bad: '# asset.usda\n)\n{\n    float sensor:sonar:max_range = 4\n    string sensor:sonar:topic_name = "sonar"\n}\n\ndef Xform "schemas" (',
		good: '# asset.usda\n)\n{\n    float sensor:sonar:max_range = 4\n    rel sensor:sonar:publisher\n}\n\ndef Xform "schemas" (',
	},
	'R4.2.2.1': {
		bad: '# physics.usda\n    quatf physics:localRot1 = (1, 0, 0, 0)\n    float physics:lowerLimit = -90\n    float physics:upperLimit = 90\n    custom float ext_physics:viscous = 0.1\n}\n\nover "arm_link" (',
		good: '# physics.usda\n    quatf physics:localRot1 = (1, 0, 0, 0)\n    float physics:lowerLimit = -90\n    float physics:upperLimit = 90\n    custom float ext_physics:friction:viscous = 0.1\n}\n\nover "arm_link" (',
	},
	'R4.2.2.2': {
		bad: '# physics.usda\n    quatf physics:localRot1 = (1, 0, 0, 0)\n    float physics:lowerLimit = -90\n    float physics:upperLimit = 90\n    custom float physics:viscousFriction = 0.1\n}\n\nover "arm_link" (',
		good: '# physics.usda\n    quatf physics:localRot1 = (1, 0, 0, 0)\n    float physics:lowerLimit = -90\n    float physics:upperLimit = 90\n    custom float ext_physics:friction:viscous = 0.1\n}\n\nover "arm_link" (',
	},
	'R4.2.2.3': {
		bad: '# newton.usda\n    over "base_link"\n    {\n        over "arm_joint" (\n            prepend apiSchemas = ["NewtonMimicAPI"]\n        )\n        {\n        }\n    }\n}',
		good: '# newton.usda\n    over "base_link"\n    {\n        over "arm_joint" (\n            prepend apiSchemas = ["NewtonJointAPI"]\n        )\n        {\n            float newton:armature = 0.01\n        }\n    }\n}',
	},
	'R4.2.2.4': {
		bad: '# physics.usda\n)\n{\n    float ext_physics:mimic:multiplier = 2\n    rel ext_physics:mimic:joint = </robot/base_link/elbow>\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link/arm_link>\n    rel physics:body1 = </robot/base_link/arm_link/hand_link>',
		good: '# physics.usda\n)\n{\n    float ext_physics:mimic:multiplier = 2\n    rel ext_physics:mimic:joint = </robot/base_link/arm_joint>\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link/arm_link>\n    rel physics:body1 = </robot/base_link/arm_link/hand_link>',
	},
	'R4.2.2.5': {
		bad: '# physics.usda\n        prepend apiSchemas = ["ExtendedPhysicsActuatorAPI"]\n    )\n    {\n        rel ext_physics:actuator:targets = </robot/base_link>\n    }\n}',
		good: '# physics.usda\n        prepend apiSchemas = ["ExtendedPhysicsActuatorAPI"]\n    )\n    {\n        rel ext_physics:actuator:targets = </robot/base_link/arm_joint>\n    }\n}',
	},
	'R4.2.2.6': {
		bad: '# physics.usda\n    )\n    {\n        float[] ext_physics:clamp_position:lookupEfforts = [1, 2, 3]\n        float[] ext_physics:clamp_position:lookupPositions = [-1, 1, 1]\n        rel ext_physics:actuator:targets = </robot/base_link/arm_joint>\n    }\n}',
		good: '# physics.usda\n    )\n    {\n        float[] ext_physics:clamp_position:lookupEfforts = [1, 2, 3]\n        float[] ext_physics:clamp_position:lookupPositions = [-1, 0, 1]\n        rel ext_physics:actuator:targets = </robot/base_link/arm_joint>\n    }\n}',
	},
	'R4.2.3.1': {
		bad: '# base.usda\n    }\n}\n\ndef Xform "controller"\n{\n}\n\ndef Xform "arm_link"\n{\n    quatf xformOp:orient = (1, 0, 0, 0)\n# ros.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "base_link"\n    {\n        over "controller" (\n            prepend apiSchemas = ["RosControlJointTrajectoryAPI"]\n        )\n        {\n            rel ros:joint_trajectory:command_joints = </robot/base_link/arm_joint>\n            rel ros:joint_trajectory:server = </robot/controllers/trajectory>\n        }\n    }\n\n    over "controllers"\n    {\n        over "trajectory" (\n            prepend apiSchemas = ["RosActionAPI"]\n        )',
		good: '# base.usda\n    }\n}\n\ndef Xform "arm_link"\n{\n    quatf xformOp:orient = (1, 0, 0, 0)\n# ros.usda\n{\n    uniform string ros:context:namespace = "robot"\n\n    over "controllers"\n    {\n        over "arm" (\n            prepend apiSchemas = ["RosControlJointTrajectoryAPI"]\n        )\n        {\n            rel ros:joint_trajectory:command_joints = </robot/base_link/arm_joint>\n            rel ros:joint_trajectory:server = </robot/controllers/trajectory>\n        }\n\n        over "trajectory" (\n            prepend apiSchemas = ["RosActionAPI"]\n        )',
	},
	'R4.2.3.2': {
		bad: '# ros.usda\n    prepend apiSchemas = ["RosControlJointTrajectoryAPI"]\n)\n{\n    rel ros:joint_trajectory:command_joints = </robot/base_link/elbow_joint>\n    rel ros:joint_trajectory:server = </robot/controllers/trajectory>\n}',
		good: '# ros.usda\n    prepend apiSchemas = ["RosControlJointTrajectoryAPI"]\n)\n{\n    rel ros:joint_trajectory:command_joints = </robot/base_link/arm_joint>\n    rel ros:joint_trajectory:server = </robot/controllers/trajectory>\n}',
	},
	'R4.2.3.4': {
		bad: '# physics.usda\n    }\n}\n\ndef PhysicsRevoluteJoint "arm_joint"\n{\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link>\n    rel physics:body1 = </robot/base_link/arm_link>',
		good: '# physics.usda\n    }\n}\n\ndef PhysicsRevoluteJoint "arm_joint" (\n    prepend apiSchemas = ["PhysicsDriveAPI:angular"]\n)\n{\n    float drive:angular:physics:damping = 1\n    float drive:angular:physics:maxForce = 20\n    float drive:angular:physics:stiffness = 10\n    uniform token physics:axis = "Z"\n    rel physics:body0 = </robot/base_link>\n    rel physics:body1 = </robot/base_link/arm_link>',
	},
	'R4.2.3.5': {
		bad: '# physics.usda\n)\n{\n    float3 physics:diagonalInertia = (0.02, 0.02, 0.02)\n    float physics:mass = 2\n    quatf physics:principalAxes = (1, 0, 0, 0)',
		good: '# physics.usda\n)\n{\n    float3 physics:diagonalInertia = (0.02, 0.02, 0.02)\n    bool physics:kinematicEnabled = true\n    float physics:mass = 2\n    quatf physics:principalAxes = (1, 0, 0, 0)',
	},
	'R4.2.3.6': {
		bad: '# ros.usda\n{\n    rel ros:joint_trajectory:command_joints = </robot/base_link/arm_joint>\n    rel ros:joint_trajectory:server = </robot/controllers/trajectory>\n    custom string control:reset = "simulation_interfaces/srv/ResetSimulation"\n}\n\nover "trajectory" (',
		good: '# ros.usda\n{\n    rel ros:joint_trajectory:command_joints = </robot/base_link/arm_joint>\n    rel ros:joint_trajectory:server = </robot/controllers/trajectory>\n}\n\nover "trajectory" (',
	},
	'R4.2.3.7': {
		bad: '# ros.usda\n    prepend apiSchemas = ["RosControlJointTrajectoryAPI"]\n)\n{\n    custom bool control:starts_enabled = true\n    rel ros:joint_trajectory:command_joints = </robot/base_link/arm_joint>\n    rel ros:joint_trajectory:server = </robot/controllers/trajectory>\n}',
		good: '# ros.usda\n    prepend apiSchemas = ["RosControlJointTrajectoryAPI"]\n)\n{\n    custom bool control:starts_enabled = false\n    rel ros:joint_trajectory:command_joints = </robot/base_link/arm_joint>\n    rel ros:joint_trajectory:server = </robot/controllers/trajectory>\n}',
	},
	'R4.2.4.1': {
		bad: '# sensors.usda\n    )\n    {\n        float sensor:sonar:max_range = 4\n        bool sensor:sonar:semantic_segmentation = true\n    }\n}',
		good: '# sensors.usda\n    )\n    {\n        float sensor:sonar:max_range = 4\n    }\n}',
	},
	'R4.2.4.2': {
		bad: '# geometries.usda\n        uniform token subdivisionScheme = "none"\n    }\n\n    def Scope "sonar"\n    {\n    }\n}',
		good: '# geometries.usda\n        uniform token subdivisionScheme = "none"\n    }\n\n    def Xform "sonar"\n    {\n    }\n}',
	},
	'R4.2.4.3': {
		bad: '# sensors.usda\n    )\n    {\n        float sensor:sonar:max_range = 4\n        custom float noise_model = 0.1\n    }\n}',
		good: '# sensors.usda\n    )\n    {\n        float sensor:sonar:max_range = 4\n    }\n}',
	},
};
