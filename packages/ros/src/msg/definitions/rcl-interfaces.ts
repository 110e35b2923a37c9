/** Interfaces of rcl_interfaces (2.0.3, Apache-2.0): their fields and constants. */
export const RCL_INTERFACES = `
msg/FloatingPointRange:
float64 from_value
float64 to_value
float64 step
msg/IntegerRange:
int64 from_value
int64 to_value
uint64 step
msg/ListParametersResult:
string[] names
string[] prefixes
msg/Log:
uint8 DEBUG=10
uint8 INFO=20
uint8 WARN=30
uint8 ERROR=40
uint8 FATAL=50
builtin_interfaces/Time stamp
uint8 level
string name
string msg
string file
string function
uint32 line
msg/LoggerLevel:
uint8 LOG_LEVEL_UNKNOWN=0
uint8 LOG_LEVEL_DEBUG=10
uint8 LOG_LEVEL_INFO=20
uint8 LOG_LEVEL_WARN=30
uint8 LOG_LEVEL_ERROR=40
uint8 LOG_LEVEL_FATAL=50
string name
uint32 level
msg/Parameter:
string name
ParameterValue value
msg/ParameterDescriptor:
string name
uint8 type
string description
string additional_constraints
bool read_only false
bool dynamic_typing false
FloatingPointRange[<=1] floating_point_range
IntegerRange[<=1] integer_range
msg/ParameterEvent:
builtin_interfaces/Time stamp
string node
Parameter[] new_parameters
Parameter[] changed_parameters
Parameter[] deleted_parameters
msg/ParameterEventDescriptors:
ParameterDescriptor[] new_parameters
ParameterDescriptor[] changed_parameters
ParameterDescriptor[] deleted_parameters
msg/ParameterType:
uint8 PARAMETER_NOT_SET=0
uint8 PARAMETER_BOOL=1
uint8 PARAMETER_INTEGER=2
uint8 PARAMETER_DOUBLE=3
uint8 PARAMETER_STRING=4
uint8 PARAMETER_BYTE_ARRAY=5
uint8 PARAMETER_BOOL_ARRAY=6
uint8 PARAMETER_INTEGER_ARRAY=7
uint8 PARAMETER_DOUBLE_ARRAY=8
uint8 PARAMETER_STRING_ARRAY=9
msg/ParameterValue:
uint8 type
bool bool_value
int64 integer_value
float64 double_value
string string_value
byte[] byte_array_value
bool[] bool_array_value
int64[] integer_array_value
float64[] double_array_value
string[] string_array_value
msg/SetLoggerLevelsResult:
bool successful
string reason
msg/SetParametersResult:
bool successful
string reason
srv/DescribeParameters:
string[] names
---
ParameterDescriptor[] descriptors
srv/GetLoggerLevels:
string[] names
---
LoggerLevel[] levels
srv/GetParameterTypes:
string[] names
---
uint8[] types
srv/GetParameters:
string[] names
---
ParameterValue[] values
srv/ListParameters:
uint64 DEPTH_RECURSIVE=0
string[] prefixes
uint64 depth
---
ListParametersResult result
srv/SetLoggerLevels:
LoggerLevel[] levels
---
SetLoggerLevelsResult[] results
srv/SetParameters:
Parameter[] parameters
---
SetParametersResult[] results
srv/SetParametersAtomically:
Parameter[] parameters
---
SetParametersResult result
`;
