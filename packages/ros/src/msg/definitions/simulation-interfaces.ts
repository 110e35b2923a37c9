/** Interfaces of simulation_interfaces (2.1.0, Apache-2.0): their fields and constants. */
export const SIMULATION_INTERFACES = `
msg/Bounds:
uint8 TYPE_EMPTY=0
uint8 TYPE_BOX=1
uint8 TYPE_CONVEX_HULL=2
uint8 TYPE_SPHERE=3
uint8 type
geometry_msgs/Vector3[] points
msg/EntityCategory:
uint8 CATEGORY_OBJECT=0
uint8 CATEGORY_ROBOT=1
uint8 CATEGORY_HUMAN=2
uint8 CATEGORY_DYNAMIC_OBJECT=4
uint8 CATEGORY_STATIC_OBJECT=5
uint8 category
msg/EntityFilters:
string filter
EntityCategory[] categories
TagsFilter tags
Bounds bounds
msg/EntityInfo:
EntityCategory category
string description
string[] tags
msg/EntityState:
std_msgs/Header header
geometry_msgs/Pose pose
geometry_msgs/Twist twist
geometry_msgs/Accel acceleration
msg/NamedPose:
string name
string description
string[] tags
geometry_msgs/Pose pose
msg/Resource:
string uri
string resource_string
msg/Result:
uint8 RESULT_FEATURE_UNSUPPORTED=0
uint8 RESULT_OK=1
uint8 RESULT_NOT_FOUND=2
uint8 RESULT_INCORRECT_STATE=3
uint8 RESULT_OPERATION_FAILED=4
uint8 result
string error_message
msg/SimulationState:
uint8 STATE_STOPPED=0
uint8 STATE_PLAYING=1
uint8 STATE_PAUSED=2
uint8 STATE_QUITTING=3
uint8 STATE_NO_WORLD=4
uint8 STATE_LOADING_WORLD=5
uint8 state
msg/SimulatorFeatures:
uint8 SPAWNING=0
uint8 DELETING=1
uint8 NAMED_POSES=2
uint8 POSE_BOUNDS=3
uint8 ENTITY_TAGS=4
uint8 ENTITY_BOUNDS=5
uint8 ENTITY_BOUNDS_BOX=6
uint8 ENTITY_BOUNDS_CONVEX=7
uint8 ENTITY_CATEGORIES=8
uint8 SPAWNING_RESOURCE_STRING=9
uint8 ENTITY_STATE_GETTING=10
uint8 ENTITY_STATE_SETTING=11
uint8 ENTITY_INFO_GETTING=12
uint8 ENTITY_INFO_SETTING=13
uint8 SPAWNABLES=14
uint8 SIMULATION_RESET=20
uint8 SIMULATION_RESET_TIME=21
uint8 SIMULATION_RESET_STATE=22
uint8 SIMULATION_RESET_SPAWNED=23
uint8 SIMULATION_STATE_GETTING=24
uint8 SIMULATION_STATE_SETTING=25
uint8 SIMULATION_STATE_PAUSE=26
uint8 STEP_SIMULATION_SINGLE=31
uint8 STEP_SIMULATION_MULTIPLE=32
uint8 STEP_SIMULATION_ACTION=33
uint8 WORLD_LOADING=40
uint8 WORLD_RESOURCE_STRING=41
uint8 WORLD_TAGS=42
uint8 WORLD_UNLOADING=43
uint8 WORLD_INFO_GETTING=44
uint8 AVAILABLE_WORLDS=45
uint8 SPAWNING_ENTITIES=50
uint16[] features
string[] spawn_formats
string custom_info
msg/SpawnEntity:
string name
bool allow_renaming
Resource entity_resource
string entity_namespace
geometry_msgs/PoseStamped initial_pose
msg/SpawnResult:
uint8 NAME_NOT_UNIQUE=101
uint8 NAME_INVALID=102
uint8 UNSUPPORTED_FORMAT=103
uint8 NO_RESOURCE=104
uint8 NAMESPACE_INVALID=105
uint8 RESOURCE_PARSE_ERROR=106
uint8 MISSING_ASSETS=107
uint8 UNSUPPORTED_ASSETS=108
uint8 INVALID_POSE=109
Result result
string entity_name
msg/Spawnable:
Resource entity_resource
string description
Bounds spawn_bounds
msg/TagsFilter:
string[] tags
uint8 FILTER_MODE_ANY=0
uint8 FILTER_MODE_ALL=1
uint8 filter_mode
msg/WorldResource:
string name
Resource world_resource
string description
string[] tags
srv/DeleteEntity:
string entity
---
Result result
srv/GetAvailableWorlds:
string[] additional_sources
TagsFilter filter
bool offline_only
bool continue_on_error
---
uint8 DEFAULT_SOURCES_FAILED=101
Result result
WorldResource[] worlds
srv/GetCurrentWorld:
---
uint8 NO_WORLD_LOADED=101
Result result
WorldResource world
srv/GetEntities:
EntityFilters filters
---
Result result
string[] entities
srv/GetEntitiesStates:
EntityFilters filters
---
Result result
string[] entities
EntityState[] states
srv/GetEntityBounds:
string entity
---
Result result
Bounds bounds
srv/GetEntityInfo:
string entity
---
Result result
EntityInfo info
srv/GetEntityState:
string entity
---
Result result
EntityState state
srv/GetNamedPoseBounds:
string name
---
Result result
Bounds bounds
srv/GetNamedPoses:
TagsFilter tags
---
Result result
NamedPose[] poses
srv/GetSimulationState:
---
SimulationState state
Result result
srv/GetSimulatorFeatures:
---
SimulatorFeatures features
srv/GetSpawnables:
string[] sources
---
Result result
Spawnable[] spawnables
srv/LoadWorld:
Resource world_resource
bool fail_on_unsupported_element
bool ignore_missing_or_unsupported_assets
---
uint8 UNSUPPORTED_FORMAT=101
uint8 NO_RESOURCE=102
uint8 RESOURCE_PARSE_ERROR=103
uint8 MISSING_ASSETS=104
uint8 UNSUPPORTED_ASSETS=105
uint8 UNSUPPORTED_ELEMENTS=106
Result result
WorldResource world
srv/ResetSimulation:
uint8 SCOPE_DEFAULT=0
uint8 SCOPE_TIME=1
uint8 SCOPE_STATE=2
uint8 SCOPE_SPAWNED=4
uint8 SCOPE_ALL=255
uint8 scope
---
Result result
srv/SetEntityInfo:
string entity
EntityInfo info
---
Result result
srv/SetEntityState:
string entity
EntityState state
bool set_pose
bool set_twist
bool set_acceleration
---
uint8 INVALID_POSE=101
Result result
srv/SetSimulationState:
SimulationState state
---
uint8 ALREADY_IN_TARGET_STATE=101
uint8 STATE_TRANSITION_ERROR=102
uint8 INCORRECT_TRANSITION=103
Result result
srv/SpawnEntities:
SpawnEntity[] spawn_requests
---
uint8 ENTITIES_SPAWN_FAILED=150
Result result
SpawnResult[] results
srv/SpawnEntity:
string name
bool allow_renaming
Resource entity_resource
string entity_namespace
geometry_msgs/PoseStamped initial_pose
---
uint8 NAME_NOT_UNIQUE=101
uint8 NAME_INVALID=102
uint8 UNSUPPORTED_FORMAT=103
uint8 NO_RESOURCE=104
uint8 NAMESPACE_INVALID=105
uint8 RESOURCE_PARSE_ERROR=106
uint8 MISSING_ASSETS=107
uint8 UNSUPPORTED_ASSETS=108
uint8 INVALID_POSE=109
Result result
string entity_name
srv/StepSimulation:
uint64 steps 1
---
Result result
srv/UnloadWorld:
---
uint8 NO_WORLD_LOADED=101
Result result
action/SimulateSteps:
uint64 steps
---
Result result
---
uint64 completed_steps
uint64 remaining_steps
`;
