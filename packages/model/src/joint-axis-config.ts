import { JointTargetMode, UNLIMITED } from './enums.ts';
import { type AxisInput, toAxis } from './geometry-inputs.ts';

/** Settings of one axis of a joint. Linear axes in metres and newtons, angular ones in radians and newton metres. @public */
export interface JointAxisConfig {
	/** In the joint frame of the parent. */
	readonly axis: AxisInput;
	readonly limitLower: number;
	readonly limitUpper: number;
	readonly limitKe: number;
	readonly limitKd: number;
	/** Outside the limits, their middle is taken. */
	readonly targetPos: number;
	readonly targetVel: number;
	readonly targetKe: number;
	readonly targetKd: number;
	/** Passive, always on. */
	readonly damping: number;
	readonly armature: number;
	readonly effortLimit: number;
	readonly velocityLimit: number;
	readonly friction: number;
	/** Undefined: inferred from the gains. */
	readonly actuatorMode: JointTargetMode | undefined;
}

/** Newton's defaults. @public */
export const JOINT_AXIS_DEFAULTS: JointAxisConfig = {
	axis: 'x',
	limitLower: -UNLIMITED,
	limitUpper: UNLIMITED,
	limitKe: 1e4,
	limitKd: 10,
	targetPos: 0,
	targetVel: 0,
	targetKe: 0,
	targetKd: 0,
	damping: 0,
	armature: 0,
	effortLimit: 1e6,
	velocityLimit: 1e6,
	friction: 0,
	actuatorMode: undefined,
};

/** An axis without limits and without limit gains. */
export function unlimitedAxis(axis: AxisInput): JointAxisConfig {
	return { ...JOINT_AXIS_DEFAULTS, axis, limitKe: 0, limitKd: 0 };
}

/** A configuration of an axis with all filled in: unit direction, finite limits, target within them, mode chosen. */
export interface JointAxisSettings extends Omit<JointAxisConfig, 'axis' | 'actuatorMode'> {
	readonly axis: Float64Array;
	readonly mode: JointTargetMode;
}

/** Fills in every number of a configuration of an axis. */
export function resolveAxisConfig(config: JointAxisConfig): JointAxisSettings {
	const { targetPos, limitLower, limitUpper } = config;
	const isOutside = targetPos > limitUpper || targetPos < limitLower;
	return {
		...config,
		axis: toAxis(config.axis, 'axis'),
		limitLower: Number.isFinite(limitLower) ? limitLower : -UNLIMITED,
		limitUpper: Number.isFinite(limitUpper) ? limitUpper : UNLIMITED,
		targetPos: isOutside ? 0.5 * (limitLower + limitUpper) : targetPos,
		mode: config.actuatorMode ?? targetModeFromGains(config.targetKe, config.targetKd),
	};
}

/** The mode that gains imply: none without gains, position with a stiffness, velocity with damping alone. */
function targetModeFromGains(ke: number, kd: number): JointTargetMode {
	if (ke !== 0) return JointTargetMode.POSITION;
	return kd !== 0 ? JointTargetMode.VELOCITY : JointTargetMode.NONE;
}
