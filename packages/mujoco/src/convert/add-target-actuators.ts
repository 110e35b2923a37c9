import { JointTargetMode } from '@manyworlds/model';
import type { Conversion } from './conversion.ts';
import { isInTemplate, TransmissionType } from './shape-plan.ts';
import { standFor, subjectOf } from './subject.ts';

/** What a target actuator drives. */
export interface DrivenAxis {
	readonly joint: number;
	readonly dof: number;
	/** MuJoCo joint. */
	readonly target: string;
	/** Component of a ball's rotation vector, -1 for scalars. */
	readonly ballAxis: number;
}

/** Adds the actuators that the target mode of a degree of freedom asks for: position, velocity or both. */
export function addTargetActuators(conversion: Conversion, axis: DrivenAxis): void {
	const { model } = conversion;
	const { dof } = axis;
	const mode = model.jointTargetMode[dof]!;
	const kp = model.jointTargetKe[dof]!;
	const kd = model.jointTargetKd[dof]!;
	if (mode === JointTargetMode.POSITION) {
		const row = importedRow(conversion, rowDof(conversion, axis), true);
		add(conversion, axis, true, [kp], [0, -kp, targetDamping(conversion, row, kd)]);
	}
	if (mode === JointTargetMode.POSITION_VELOCITY) add(conversion, axis, true, [kp], [0, -kp, 0]);
	if (mode === JointTargetMode.VELOCITY || mode === JointTargetMode.POSITION_VELOCITY) {
		add(conversion, axis, false, [kd], [0, 0, -kd]);
	}
}

/** Degree of freedom that imported rows name: of balls the first. */
function rowDof({ model }: Conversion, { joint, dof, ballAxis }: DrivenAxis): number {
	return ballAxis >= 0 ? model.jointQdStart[joint]! : dof;
}

/**
 * Third number of the bias of a position actuator: its damping, or the ratio of damping that an imported row has instead,
 * which MuJoCo resolves when it derives its constants. Newton drops the ratio.
 */
export function targetDamping({ attributes, options }: Conversion, row: number, kd: number): number {
	const ratio = row < 0 ? 0 : (attributes.row('actuator_biasprm', row, 10)?.[2] ?? 0);
	return kd === 0 && ratio > 0 && !options.newtonCompat ? ratio : -kd;
}

/** Words of the three states of a limit. */
export const LIMITED: readonly string[] = ['false', 'true', 'auto'];

function add(conversion: Conversion, axis: DrivenAxis, isPosition: boolean, gain: number[], bias: number[]): void {
	const { model } = conversion;
	const { joint, dof, target, ballAxis } = axis;
	const isBall = ballAxis >= 0;
	const effort = model.jointEffortLimit[dof]!;
	const gear = [0, 0, 0, 0, 0, 0];
	gear[isBall ? ballAxis : 0] = 1;
	const row = importedRow(conversion, rowDof(conversion, axis), isPosition);
	const authored = row < 0 ? {} : authoredRanges(conversion, row);
	standFor(
		conversion,
		conversion.sections.actuator.add('general', {
			joint: target,
			gear,
			dyntype: 'none',
			gaintype: 'fixed',
			biastype: 'affine',
			gainprm: gain,
			biasprm: bias,
			// the force range of a joint does not cover balls
			forcerange: isBall ? [-effort, effort] : undefined,
			...authored,
		}),
		subjectOf(model, 'joint', joint),
	);
	const offset = dof - model.jointQdStart[joint]!;
	const positionStart = model.jointQStart[joint]!;
	conversion.actuators.push({
		source: 0,
		index: isPosition ? dof : -(dof + 2),
		coordinate: isBall ? positionStart : isPosition ? positionStart + offset : -1,
		axis: ballAxis,
		ballJoint: isBall ? joint : -1,
		row,
	});
}

/** Control type of an imported actuator row (`mujoco:ctrl_type`). */
export const ControlType = { POSITION: 0, VELOCITY: 1, GENERAL: 2 } as const;

/** The imported actuator row that a target stands for; the last such row counts, -1 is none. */
function importedRow(conversion: Conversion, dof: number, isPosition: boolean): number {
	const { attributes, template } = conversion;
	const skipped = isPosition ? ControlType.VELOCITY : ControlType.POSITION;
	for (let row = attributes.count('actuator') - 1; row >= 0; row--) {
		const isTarget =
			attributes.number('ctrl_source', row) === 0 &&
			(attributes.number('actuator_trntype', row) ?? 0) === TransmissionType.JOINT &&
			attributes.row('actuator_trnid', row, 2)?.[0] === dof &&
			attributes.number('ctrl_type', row) !== skipped &&
			isInTemplate(template, attributes.number('actuator_world', row));
		if (isTarget) return row;
	}
	return -1;
}

/** Ranges that an imported actuator row has authored. */
function authoredRanges({ attributes }: Conversion, row: number): Record<string, string | Float64Array | undefined> {
	return {
		...(attributes.number('actuator_has_forcerange', row)
			? { forcerange: attributes.row('actuator_forcerange', row, 2) }
			: {}),
		ctrllimited: LIMITED[attributes.number('actuator_ctrllimited', row) ?? 2],
		ctrlrange: attributes.number('actuator_has_ctrlrange', row)
			? attributes.row('actuator_ctrlrange', row, 2)
			: undefined,
		forcelimited: LIMITED[attributes.number('actuator_forcelimited', row) ?? 2],
		...attributes.written('actuator', row),
	};
}
