import { type Control, JointTargetMode, JointType, type Model } from '@manyworlds/model';

/** Which degrees of freedom have a coordinate of their own, and which have a drive. */
export class DofDrives {
	/** Coordinate of each degree of freedom, -1 for rotations of ball joints and for floating joints. */
	readonly coordinate: Int32Array;
	readonly #model: Model;

	constructor(model: Model) {
		this.#model = model;
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

	/** Whether a degree of freedom has a drive. */
	has(dof: number): boolean {
		const { jointTargetMode, jointTargetKe, jointTargetKd } = this.#model;
		const mode = jointTargetMode[dof]!;
		if (mode === JointTargetMode.NONE || mode === JointTargetMode.EFFORT) return false;
		const isStiff = mode !== JointTargetMode.VELOCITY && jointTargetKe[dof]! > 0;
		// a position needs a coordinate to hold: such drives of floating and ball joints are off, dampers work
		if (isStiff && this.coordinate[dof]! < 0) return false;
		return isStiff || jointTargetKd[dof]! > 0;
	}
}

/** What drives joints: a control, or the model itself. */
export type DriveSource = Pick<Control, 'jointF' | 'jointAct' | 'jointTargetQ' | 'jointTargetQd'>;
