/** Interfaces of unique_identifier_msgs (2.5.0, BSD-3-Clause): their fields and constants. */
export const UNIQUE_IDENTIFIER_MSGS = `
msg/UUID:
uint8[16] uuid
`;
