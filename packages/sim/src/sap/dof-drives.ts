import { type Control, JointTargetMode, JointType, type Model } from '@manyworlds/model';
import { dofReferences } from '@manyworlds/model/internal';
import { massDiagonal } from './mass-diagonal.ts';
import { MujocoRows } from './mujoco-rows.ts';

/** Which degrees of freedom have a coordinate of their own, and which have a drive. */
export class DofDrives {
	/** Coordinate of each degree of freedom, -1 for rotations of ball joints and for floating joints. */
	readonly coordinate: Int32Array;
	/** What limits and targets are ahead of the coordinate of the model, by degree of freedom. */
	readonly reference: Float64Array;
	/** Bounds of targets and of the force, from the actuators that were imported for a drive; infinite for others. */
	readonly targetLower: Float64Array;
	readonly targetUpper: Float64Array;
	readonly rateLower: Float64Array;
	readonly rateUpper: Float64Array;
	readonly forceLower: Float64Array;
	readonly forceUpper: Float64Array;
	/** Damping of position drives that was imported as a ratio, by degree of freedom. */
	readonly #resolved: Map<number, number> = new Map();
	readonly #model: Model;

	constructor(model: Model) {
		this.#model = model;
		const bound = (value: number): Float64Array => new Float64Array(model.jointDofCount).fill(value);
		[this.targetLower, this.rateLower, this.forceLower] = [0, 1, 2].map(() =>
			bound(Number.NEGATIVE_INFINITY),
		) as Bounds;
		[this.targetUpper, this.rateUpper, this.forceUpper] = [0, 1, 2].map(() =>
			bound(Number.POSITIVE_INFINITY),
		) as Bounds;
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
			const [low, high] = rows.range('ctrl', row);
			const isVelocity = rows.number('ctrl_type', row) === 1;
			(isVelocity ? this.rateLower : this.targetLower)[dof] = low;
			(isVelocity ? this.rateUpper : this.targetUpper)[dof] = high;
			this.#resolveRatio(rows, row, dof);
			const [least, most] = rows.range('force', row);
			this.forceLower[dof] = driven.has(dof) ? this.forceLower[dof]! + least : least;
			this.forceUpper[dof] = driven.has(dof) ? this.forceUpper[dof]! + most : most;
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

type Bounds = [Float64Array, Float64Array, Float64Array];

/** What drives joints: a control, or the model itself. */
export type DriveSource = Pick<Control, 'jointF' | 'jointAct' | 'jointTargetQ' | 'jointTargetQd'>;
