/** Interfaces of std_srvs (5.3.6, Apache-2.0): their fields and constants. */
export const STD_SRVS = `
srv/Empty:
---
srv/SetBool:
bool data
---
bool success
string message
srv/Trigger:
---
bool success
string message
`;
