import { ACTION_MSGS } from './action-msgs.ts';
import { BUILTIN_INTERFACES } from './builtin-interfaces.ts';
import { CONTROL_MSGS } from './control-msgs.ts';
import { DIAGNOSTIC_MSGS } from './diagnostic-msgs.ts';
import { GEOMETRY_MSGS } from './geometry-msgs.ts';
import { NAV_MSGS } from './nav-msgs.ts';
import { RCL_INTERFACES } from './rcl-interfaces.ts';
import { RMW_DDS_COMMON } from './rmw-dds-common.ts';
import { ROSGRAPH_MSGS } from './rosgraph-msgs.ts';
import { SENSOR_MSGS } from './sensor-msgs.ts';
import { SERVICE_MSGS } from './service-msgs.ts';
import { SHAPE_MSGS } from './shape-msgs.ts';
import { SIMULATION_INTERFACES } from './simulation-interfaces.ts';
import { STD_MSGS } from './std-msgs.ts';
import { STD_SRVS } from './std-srvs.ts';
import { STEREO_MSGS } from './stereo-msgs.ts';
import { TF2_MSGS } from './tf2-msgs.ts';
import { TRAJECTORY_MSGS } from './trajectory-msgs.ts';
import { TYPE_DESCRIPTION_INTERFACES } from './type-description-interfaces.ts';
import { UNIQUE_IDENTIFIER_MSGS } from './unique-identifier-msgs.ts';
import { VISUALIZATION_MSGS } from './visualization-msgs.ts';

/** Texts of the interfaces that are known without further files, by package. */
export const STANDARD_DEFINITIONS: Readonly<Record<string, string>> = {
	action_msgs: ACTION_MSGS,
	builtin_interfaces: BUILTIN_INTERFACES,
	control_msgs: CONTROL_MSGS,
	diagnostic_msgs: DIAGNOSTIC_MSGS,
	geometry_msgs: GEOMETRY_MSGS,
	nav_msgs: NAV_MSGS,
	rcl_interfaces: RCL_INTERFACES,
	rmw_dds_common: RMW_DDS_COMMON,
	rosgraph_msgs: ROSGRAPH_MSGS,
	sensor_msgs: SENSOR_MSGS,
	service_msgs: SERVICE_MSGS,
	shape_msgs: SHAPE_MSGS,
	simulation_interfaces: SIMULATION_INTERFACES,
	std_msgs: STD_MSGS,
	std_srvs: STD_SRVS,
	stereo_msgs: STEREO_MSGS,
	tf2_msgs: TF2_MSGS,
	trajectory_msgs: TRAJECTORY_MSGS,
	type_description_interfaces: TYPE_DESCRIPTION_INTERFACES,
	unique_identifier_msgs: UNIQUE_IDENTIFIER_MSGS,
	visualization_msgs: VISUALIZATION_MSGS,
};
