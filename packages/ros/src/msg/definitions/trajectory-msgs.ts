/** Interfaces of trajectory_msgs (5.3.6, Apache-2.0): their fields and constants. */
export const TRAJECTORY_MSGS = `
msg/JointTrajectory:
std_msgs/Header header
string[] joint_names
JointTrajectoryPoint[] points
msg/JointTrajectoryPoint:
float64[] positions
float64[] velocities
float64[] accelerations
float64[] effort
builtin_interfaces/Duration time_from_start
msg/MultiDOFJointTrajectory:
std_msgs/Header header
string[] joint_names
MultiDOFJointTrajectoryPoint[] points
msg/MultiDOFJointTrajectoryPoint:
geometry_msgs/Transform[] transforms
geometry_msgs/Twist[] velocities
geometry_msgs/Twist[] accelerations
builtin_interfaces/Duration time_from_start
`;
