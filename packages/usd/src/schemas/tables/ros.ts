import type { SchemaLibrary } from '../schema-library.ts';

/** The ROS interface schemas of REP 158 (usdRos) and its controller extensions (usdRosControl). */
export const ROS: SchemaLibrary = {
	name: 'usdRos',
	typePrefix: 'UsdRos',
	identifierPrefix: 'Ros',
	table: `
single RosContextAPI
	uniform int ros:context:domain_id
	uniform string ros:context:namespace
	uniform string ros:context:parent_frame = "world"
single RosTopicAPI
	uniform string ros:topic:name
	uniform string ros:topic:override_frame_id
	uniform double ros:topic:publish_rate
	uniform int ros:topic:qos:depth = 10
	uniform token ros:topic:qos:durability = "system_default" <system_default transient_local volatile>
	uniform token ros:topic:qos:history = "system_default" <system_default keep_last keep_all>
	uniform bool ros:topic:qos:match_publisher = false
	uniform token ros:topic:qos:reliability = "system_default" <system_default reliable best_effort>
	uniform token ros:topic:role <publisher subscription>
	uniform bool ros:topic:starts_enabled = true
	uniform string ros:topic:type
single RosServiceAPI
	uniform string ros:service:name
	uniform token ros:service:role <server client>
	uniform bool ros:service:starts_enabled = true
	uniform string ros:service:type
single RosActionAPI
	uniform string ros:action:name
	uniform token ros:action:role <server client>
	uniform bool ros:action:starts_enabled = true
	uniform string ros:action:type
single RosFrameAPI
	uniform string ros:frame:id
	uniform bool ros:frame:static = true
single RosControlExternalAPI
single RosControlIntegratedAPI
single RosControlRigidBodyTwistAPI + RosControlIntegratedAPI
	rel ros:rigid_body_twist:body
	rel ros:rigid_body_twist:subscriber
single RosControlDiffDriveAPI + RosControlIntegratedAPI
	uniform double ros:diff_drive:angular:z:max_acceleration
	uniform double ros:diff_drive:angular:z:max_velocity
	uniform double ros:diff_drive:cmd_vel_timeout = 0.5
	rel ros:diff_drive:left_wheels
	uniform double ros:diff_drive:linear:x:max_acceleration
	uniform double ros:diff_drive:linear:x:max_velocity
	rel ros:diff_drive:odom
	rel ros:diff_drive:right_wheels
	rel ros:diff_drive:subscriber
	uniform double ros:diff_drive:wheel_radius
	uniform double ros:diff_drive:wheel_separation
single RosControlJointTrajectoryAPI + RosControlIntegratedAPI
	uniform double ros:joint_trajectory:action_monitor_rate
	rel ros:joint_trajectory:command_joints
	rel ros:joint_trajectory:server
	uniform double ros:joint_trajectory:stopped_velocity_tolerance
	uniform double ros:joint_trajectory:timeout
single RosControlJointStateBroadcasterAPI + RosControlIntegratedAPI
	rel ros:joint_state_broadcaster:joints
	rel ros:joint_state_broadcaster:publisher
`,
};
