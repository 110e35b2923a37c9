/** Interfaces of diagnostic_msgs (5.3 (Jazzy), Apache-2.0): their fields and constants. */
export const DIAGNOSTIC_MSGS = `
msg/DiagnosticArray:
std_msgs/Header header
DiagnosticStatus[] status
msg/DiagnosticStatus:
byte OK=0
byte WARN=1
byte ERROR=2
byte STALE=3
byte level
string name
string message
string hardware_id
KeyValue[] values
msg/KeyValue:
string key
string value
`;
