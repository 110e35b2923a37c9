/** Interfaces of control_msgs (6.8.0, BSD-3-Clause): their fields and constants. */
export const CONTROL_MSGS = `
msg/JointComponentTolerance:
uint16 X_AXIS=1
uint16 Y_AXIS=2
uint16 Z_AXIS=3
uint16 TRANSLATION=4
uint16 ROTATION=5
string joint_name
uint16 component
float64 position
float64 velocity
float64 acceleration
msg/JointTolerance:
string name
float64 position
float64 velocity
float64 acceleration
action/FollowJointTrajectory:
trajectory_msgs/JointTrajectory trajectory
trajectory_msgs/MultiDOFJointTrajectory multi_dof_trajectory
JointTolerance[] path_tolerance
JointComponentTolerance[] component_path_tolerance
JointTolerance[] goal_tolerance
JointComponentTolerance[] component_goal_tolerance
builtin_interfaces/Duration goal_time_tolerance
---
int32 error_code
int32 SUCCESSFUL=0
int32 INVALID_GOAL=-1
int32 INVALID_JOINTS=-2
int32 OLD_HEADER_TIMESTAMP=-3
int32 PATH_TOLERANCE_VIOLATED=-4
int32 GOAL_TOLERANCE_VIOLATED=-5
string error_string
---
std_msgs/Header header
string[] joint_names
trajectory_msgs/JointTrajectoryPoint desired
trajectory_msgs/JointTrajectoryPoint actual
trajectory_msgs/JointTrajectoryPoint error
int32 index
string[] multi_dof_joint_names
trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_desired
trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_actual
trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_error
int32 multi_dof_index
`;
