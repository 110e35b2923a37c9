/** Interfaces of rosgraph_msgs (2.0.3, Apache-2.0): their fields and constants. */
export const ROSGRAPH_MSGS = `
msg/Clock:
builtin_interfaces/Time clock
`;
