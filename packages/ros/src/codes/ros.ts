/** Codes of the ROS runtime, each with its usual severity. */
export const RUNTIME_CODES = {
	ROS001: 'warning',
	ROS002: 'warning',
	ROS003: 'error',
	ROS004: 'info',
	ROS005: 'error',
	ROS006: 'error',
	ROS007: 'error',
	ROS008: 'error',
} as const;
