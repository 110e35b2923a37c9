/** Interfaces of geometry_msgs (5.3.6, Apache-2.0): their fields and constants. */
export const GEOMETRY_MSGS = `
msg/Accel:
Vector3 linear
Vector3 angular
msg/AccelStamped:
std_msgs/Header header
Accel accel
msg/AccelWithCovariance:
Accel accel
float64[36] covariance
msg/AccelWithCovarianceStamped:
std_msgs/Header header
AccelWithCovariance accel
msg/Inertia:
float64 m
geometry_msgs/Vector3 com
float64 ixx
float64 ixy
float64 ixz
float64 iyy
float64 iyz
float64 izz
msg/InertiaStamped:
std_msgs/Header header
Inertia inertia
msg/Point:
float64 x
float64 y
float64 z
msg/Point32:
float32 x
float32 y
float32 z
msg/PointStamped:
std_msgs/Header header
Point point
msg/Polygon:
Point32[] points
msg/PolygonInstance:
geometry_msgs/Polygon polygon
int64 id
msg/PolygonInstanceStamped:
std_msgs/Header header
geometry_msgs/PolygonInstance polygon
msg/PolygonStamped:
std_msgs/Header header
Polygon polygon
msg/Pose:
Point position
Quaternion orientation
msg/Pose2D:
float64 x
float64 y
float64 theta
msg/PoseArray:
std_msgs/Header header
Pose[] poses
msg/PoseStamped:
std_msgs/Header header
Pose pose
msg/PoseWithCovariance:
Pose pose
float64[36] covariance
msg/PoseWithCovarianceStamped:
std_msgs/Header header
PoseWithCovariance pose
msg/Quaternion:
float64 x 0
float64 y 0
float64 z 0
float64 w 1
msg/QuaternionStamped:
std_msgs/Header header
Quaternion quaternion
msg/Transform:
Vector3 translation
Quaternion rotation
msg/TransformStamped:
std_msgs/Header header
string child_frame_id
Transform transform
msg/Twist:
Vector3 linear
Vector3 angular
msg/TwistStamped:
std_msgs/Header header
Twist twist
msg/TwistWithCovariance:
Twist twist
float64[36] covariance
msg/TwistWithCovarianceStamped:
std_msgs/Header header
TwistWithCovariance twist
msg/Vector3:
float64 x
float64 y
float64 z
msg/Vector3Stamped:
std_msgs/Header header
Vector3 vector
msg/VelocityStamped:
std_msgs/Header header
string body_frame_id
string reference_frame_id
Twist velocity
msg/Wrench:
Vector3 force
Vector3 torque
msg/WrenchStamped:
std_msgs/Header header
Wrench wrench
`;
