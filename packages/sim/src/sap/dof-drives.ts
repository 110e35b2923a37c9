import { type Control, JointTargetMode, JointType, type Model } from '@manyworlds/model';
import { dofReferences } from '@manyworlds/model/internal';
import { massDiagonal } from './mass-diagonal.ts';
import { MujocoRows } from './mujoco-rows.ts';

/** Numbers of the bounds of a degree of freedom, and where those of each kind stand. */
export const BOUNDS = 6;
export const TARGET = 0;
export const RATE = 2;
export const FORCE = 4;

/** Which degrees of freedom have a coordinate of their own, and which have a drive. */
export class DofDrives {
	/** Coordinate of each degree of freedom, -1 for rotations of ball joints and for floating joints. */
	readonly coordinate: Int32Array;
	/** What limits and targets are ahead of the coordinate of the model, by degree of freedom. */
	readonly reference: Float64Array;
	/**
	 * Bounds of target, rate and force, lower before upper, from the actuators that were imported for a drive; infinite for
	 * others. Together, as a step reads all of them; shape (dofs, {@link BOUNDS}).
	 */
	readonly bounds: Float64Array;
	/** Damping of position drives that was imported as a ratio, by degree of freedom. */
	readonly #resolved: Map<number, number> = new Map();
	readonly #model: Model;

	constructor(model: Model) {
		this.#model = model;
		this.bounds = Float64Array.from({ length: BOUNDS * model.jointDofCount }, (_, i) =>
			i % 2 === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
		);
		this.#readRanges();
		this.reference = dofReferences(model) ?? new Float64Array(model.jointDofCount);
		this.coordinate = new Int32Array(model.jointDofCount).fill(-1);
		for (let joint = 0; joint < model.jointCount; joint++) {
			const type = model.jointType[joint]!;
			if (type !== JointType.PRISMATIC && type !== JointType.REVOLUTE && type !== JointType.D6) continue;
			const start = model.jointQdStart[joint]!;
			for (let dof = start; dof < model.jointQdStart[joint + 1]!; dof++) {
				this.coordinate[dof] = model.jointQStart[joint]! + dof - start;
			}
		}
	}

	/** Ranges of imported actuators that became targets of joints; forces of two actuators of one joint add up. */
	#readRanges(): void {
		const rows = new MujocoRows(this.#model);
		const driven = new Set<number>();
		for (let row = 0; row < rows.count('actuator'); row++) {
			const dof = rows.number('actuator_trnid', row, -1, 2, 0);
			if (rows.number('ctrl_source', row, 1) !== 0 || rows.number('actuator_trntype', row) !== 0) continue;
			if (!(dof >= 0 && dof < this.#model.jointDofCount)) continue;
			const isVelocity = rows.number('ctrl_type', row) === 1;
			this.bounds.set(rows.range('ctrl', row), BOUNDS * dof + (isVelocity ? RATE : TARGET));
			this.#resolveRatio(rows, row, dof);
			const [least, most] = rows.range('force', row);
			const at = BOUNDS * dof + FORCE;
			this.bounds[at] = driven.has(dof) ? this.bounds[at]! + least : least;
			this.bounds[at + 1] = driven.has(dof) ? this.bounds[at + 1]! + most : most;
			driven.add(dof);
		}
	}

	/** A positive third number of the bias is a ratio of damping, which MuJoCo takes of the inertia at the reference. */
	#resolveRatio(rows: MujocoRows, row: number, dof: number): void {
		const ratio = rows.number('actuator_biasprm', row, 0, 10, 2);
		if (!(ratio > 0)) return;
		this.#diagonal ??= massDiagonal(this.#model);
		const stiffness = this.#model.jointTargetKe[dof]!;
		this.#resolved.set(dof, 2 * ratio * Math.sqrt(stiffness * this.#diagonal[dof]!));
	}

	#diagonal: Float64Array | undefined;

	/** Damping of a drive [N·s/m, N·m·s/rad]. */
	dampingOf(dof: number): number {
		const own = this.#model.jointTargetKd[dof]!;
		return own === 0 && this.#resolved.size > 0 ? (this.#resolved.get(dof) ?? 0) : own;
	}

	/** Whether a degree of freedom has a drive. */
	has(dof: number): boolean {
		const { jointTargetMode, jointTargetKe } = this.#model;
		const mode = jointTargetMode[dof]!;
		if (mode === JointTargetMode.NONE || mode === JointTargetMode.EFFORT) return false;
		const isStiff = mode !== JointTargetMode.VELOCITY && jointTargetKe[dof]! > 0;
		// a position needs a coordinate to hold: such drives of floating and ball joints are off, dampers work
		if (isStiff && this.coordinate[dof]! < 0) return false;
		return isStiff || this.dampingOf(dof) > 0;
	}
}

/** What drives joints: a control, or the model itself. */
export type DriveSource = Pick<Control, 'jointF' | 'jointAct' | 'jointTargetQ' | 'jointTargetQd'>;
