export {
	type ConvertedRobot,
	type ConvertRobotOptions,
	convertRobot,
	isTargetFormat,
	readRobot,
	TARGET_EXTENSIONS,
	type TargetFormat,
} from './convert-robot.ts';
export { CONVERT_CODES, type ConvertCode } from './diagnostics.ts';
export type { ItemKind, LedgerItem, Loss } from './model/conversion-ledger.ts';
export type * from './model/conversion-model.ts';
export { LOSSES, type LossCode } from './model/loss-codes.ts';
export type { TargetFile } from './write/target-files.ts';
export { WRITE_MJCF_DEFAULTS, type WriteMjcfOptions } from './write/write-mjcf.ts';
export { WRITE_URDF_DEFAULTS, type WriteUrdfOptions } from './write/write-urdf.ts';
