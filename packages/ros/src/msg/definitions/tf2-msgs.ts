/** Interfaces of tf2_msgs (0.36 (Jazzy), BSD-3-Clause): their fields and constants. */
export const TF2_MSGS = `
msg/TF2Error:
uint8 NO_ERROR=0
uint8 LOOKUP_ERROR=1
uint8 CONNECTIVITY_ERROR=2
uint8 EXTRAPOLATION_ERROR=3
uint8 INVALID_ARGUMENT_ERROR=4
uint8 TIMEOUT_ERROR=5
uint8 TRANSFORM_ERROR=6
uint8 error
string error_string
msg/TFMessage:
geometry_msgs/TransformStamped[] transforms
`;
