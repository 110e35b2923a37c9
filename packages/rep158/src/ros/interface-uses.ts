import type { RosInterface } from '@manyworlds/usd/internal';

/** Interfaces that span a kinematic tree (REP 0158 §2.2). */
const ROBOT_WIDE: ReadonlySet<string> = new Set([
	'sensor_msgs/msg/JointState',
	'sensor_msgs/msg/MultiDOFJointState',
	'control_msgs/msg/DynamicJointState',
	'control_msgs/action/FollowJointTrajectory',
	'control_msgs/action/JointTrajectory',
	'trajectory_msgs/msg/JointTrajectory',
	'trajectory_msgs/msg/MultiDOFJointTrajectory',
]);

/** Messages of packages of sensors that no sensor sends. */
const NO_SENSOR: ReadonlySet<string> = new Set([
	'sensor_msgs/msg/JointState',
	'sensor_msgs/msg/MultiDOFJointState',
	'sensor_msgs/msg/Joy',
	'sensor_msgs/msg/JoyFeedback',
	'sensor_msgs/msg/JoyFeedbackArray',
	'sensor_msgs/msg/BatteryState',
	'sensor_msgs/msg/TimeReference',
]);

/** Messages that hold a map (REP 2003). */
const MAPS: ReadonlySet<string> = new Set([
	'nav_msgs/msg/OccupancyGrid',
	'nav_msgs/msg/GridCells',
	'map_msgs/msg/OccupancyGridUpdate',
	'map_msgs/msg/PointCloud2Update',
	'map_msgs/msg/ProjectedMap',
	'octomap_msgs/msg/Octomap',
	'octomap_msgs/msg/OctomapWithPose',
	'nav2_msgs/msg/Costmap',
	'nav2_msgs/msg/VoxelGrid',
]);

/** Messages of cameras, whose frame is an optical one. */
const CAMERA: ReadonlySet<string> = new Set([
	'sensor_msgs/msg/Image',
	'sensor_msgs/msg/CompressedImage',
	'sensor_msgs/msg/CameraInfo',
	'stereo_msgs/msg/DisparityImage',
]);

/** Whether an interface concerns the whole robot: joint states, trajectories, velocity commands. */
export function isRobotWide({ type, role }: RosInterface): boolean {
	if (type === undefined) return false;
	if (ROBOT_WIDE.has(type)) return true;
	return role === 'subscription' && (type === 'geometry_msgs/msg/Twist' || type === 'geometry_msgs/msg/TwistStamped');
}

/** Whether an interface gives what a sensor at some place measures. */
export function isSensorOutput({ type, role, schema }: RosInterface): boolean {
	if (type === undefined || schema.noun !== 'topic' || role !== 'publisher' || NO_SENSOR.has(type)) return false;
	return /^(?:sensor_msgs|stereo_msgs|radar_msgs)\/msg\//.test(type);
}

/** Whether an interface publishes a map. */
export function isMapOutput({ type, role }: RosInterface): boolean {
	return type !== undefined && role === 'publisher' && MAPS.has(type);
}

/** Whether an interface gives what a camera sees. */
export function isCameraOutput({ type, role }: RosInterface): boolean {
	return type !== undefined && role === 'publisher' && CAMERA.has(type);
}
