/** Interfaces of stereo_msgs (5.3 (Jazzy), Apache-2.0): their fields and constants. */
export const STEREO_MSGS = `
msg/DisparityImage:
std_msgs/Header header
sensor_msgs/Image image
float32 f
float32 t
sensor_msgs/RegionOfInterest valid_window
float32 min_disparity
float32 max_disparity
float32 delta_d
`;
