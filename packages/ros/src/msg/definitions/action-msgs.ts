/** Interfaces of action_msgs (2.0.3, Apache-2.0): their fields and constants. */
export const ACTION_MSGS = `
msg/GoalInfo:
unique_identifier_msgs/UUID goal_id
builtin_interfaces/Time stamp
msg/GoalStatus:
int8 STATUS_UNKNOWN=0
int8 STATUS_ACCEPTED=1
int8 STATUS_EXECUTING=2
int8 STATUS_CANCELING=3
int8 STATUS_SUCCEEDED=4
int8 STATUS_CANCELED=5
int8 STATUS_ABORTED=6
GoalInfo goal_info
int8 status
msg/GoalStatusArray:
GoalStatus[] status_list
srv/CancelGoal:
GoalInfo goal_info
---
int8 ERROR_NONE=0
int8 ERROR_REJECTED=1
int8 ERROR_UNKNOWN_GOAL_ID=2
int8 ERROR_GOAL_TERMINATED=3
int8 return_code
GoalInfo[] goals_canceling
`;
