/** Interfaces of builtin_interfaces (2.0.3, Apache-2.0): their fields and constants. */
export const BUILTIN_INTERFACES = `
msg/Duration:
int32 sec
uint32 nanosec
msg/Time:
int32 sec
uint32 nanosec
`;
