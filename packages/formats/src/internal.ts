export { FORMATS_CODES } from './diagnostics.ts';
export { MAIN_CLASS } from './mjcf/mjcf-defaults.ts';
export { readNumbers } from './mjcf/mjcf-numbers.ts';
export {
	mjcfEulerQuaternion,
	ORIENTATION_SIZES,
	type OrientationKind,
	orientationQuaternion,
	segmentFrame,
	zAxisQuaternion,
} from './mjcf/mjcf-orientation.ts';
export { mjcfElementAtLine } from './mjcf/write-mjcf.ts';
export { readSdfSensor } from './sdf/read-sensors.ts';
export { REASONS as URDF_REASONS, URDF_CHILDREN } from './urdf/unread-elements.ts';
