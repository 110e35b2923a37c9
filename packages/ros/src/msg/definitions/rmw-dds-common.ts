/** Interfaces of rmw_dds_common (3.1.0, Apache-2.0): their fields and constants. */
export const RMW_DDS_COMMON = `
msg/Gid:
char[16] data
msg/NodeEntitiesInfo:
string<=256 node_namespace
string<=256 node_name
Gid[] reader_gid_seq
Gid[] writer_gid_seq
msg/ParticipantEntitiesInfo:
Gid gid
NodeEntitiesInfo[] node_entities_info_seq
`;
