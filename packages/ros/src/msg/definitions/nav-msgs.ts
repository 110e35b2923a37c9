/** Interfaces of nav_msgs (5.3.6, Apache-2.0): their fields and constants. */
export const NAV_MSGS = `
msg/Goals:
std_msgs/Header header
geometry_msgs/PoseStamped[] goals
msg/GridCells:
std_msgs/Header header
float32 cell_width
float32 cell_height
geometry_msgs/Point[] cells
msg/MapMetaData:
builtin_interfaces/Time map_load_time
float32 resolution
uint32 width
uint32 height
geometry_msgs/Pose origin
msg/OccupancyGrid:
std_msgs/Header header
MapMetaData info
int8[] data
msg/Odometry:
std_msgs/Header header
string child_frame_id
geometry_msgs/PoseWithCovariance pose
geometry_msgs/TwistWithCovariance twist
msg/Path:
std_msgs/Header header
geometry_msgs/PoseStamped[] poses
srv/GetMap:
---
OccupancyGrid map
srv/GetPlan:
geometry_msgs/PoseStamped start
geometry_msgs/PoseStamped goal
float32 tolerance
---
Path plan
srv/LoadMap:
string map_url
---
uint8 RESULT_SUCCESS=0
uint8 RESULT_MAP_DOES_NOT_EXIST=1
uint8 RESULT_INVALID_MAP_DATA=2
uint8 RESULT_INVALID_MAP_METADATA=3
uint8 RESULT_UNDEFINED_FAILURE=255
nav_msgs/OccupancyGrid map
uint8 result
srv/SetMap:
nav_msgs/OccupancyGrid map
geometry_msgs/PoseWithCovarianceStamped initial_pose
---
bool success
`;
