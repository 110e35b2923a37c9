import { quote, type Report } from '@manyworlds/core';
import { ArticulatedDynamics, type Control, JointType, type Model, type State } from '@manyworlds/model';
import { createDiagnostic } from '../diagnostics.ts';
import type { ControlSequence } from './read-control.ts';

/** Options of {@link ControlPlayback}. @public */
export interface ControlPlaybackOptions {
	/** Whether to start over at the end; what the file says unless given (`control.loop` of the scene). */
	readonly loop?: boolean;
	/** Where the worlds are: what replication added to the authored world [m]; shape (worlds, 3). None unless given. */
	readonly worldOffsets?: ArrayLike<number>;
}

/** Plays a control sequence on a model: each row holds until the next one is due. @public */
export class ControlPlayback {
	readonly sequence: ControlSequence;
	readonly loop: boolean;
	readonly #model: Model;
	readonly #worldOffsets: ArrayLike<number> | undefined;
	/** Columns of a row and the coordinates that they are the targets of, in all worlds. */
	readonly #columns: Int32Array;
	readonly #coordinates: Int32Array;

	private constructor(sequence: ControlSequence, model: Model, options: ControlPlaybackOptions, report: Report) {
		this.sequence = sequence;
		this.loop = options.loop ?? sequence.loop;
		this.#model = model;
		this.#worldOffsets = options.worldOffsets;
		const columns: number[] = [];
		const coordinates: number[] = [];
		const { dofCount } = sequence;
		for (let joint = 0; joint < model.jointCount; joint++) {
			const dof = model.jointQdStart[joint]!;
			const count = model.jointQdStart[joint + 1]! - dof;
			if (!hasScalarPositions(model.jointType[joint]!)) {
				if (dof < dofCount) noteIdleTargets(sequence, model.jointLabels[joint]!, dof, count, report);
				continue;
			}
			for (let i = 0; i < count; i++) {
				columns.push((dof + i) % dofCount);
				coordinates.push(model.jointQStart[joint]! + i);
			}
		}
		this.#columns = Int32Array.from(columns);
		this.#coordinates = Int32Array.from(coordinates);
	}

	/** Connects a sequence with a model; undefined, with diagnostics, when the two do not fit. */
	static create(
		sequence: ControlSequence,
		model: Model,
		options: ControlPlaybackOptions & { readonly report: Report },
	): ControlPlayback | undefined {
		const widths = [
			['joint_target_pos', sequence.dofCount, model.jointDofCount, 'degrees of freedom'],
			['joint_q', sequence.jointQ?.length, model.jointCoordCount, 'coordinates'],
			['joint_qd', sequence.jointQd?.length, model.jointDofCount, 'degrees of freedom'],
		] as const;
		const worlds = Math.max(model.worldCount, 1);
		let fits = true;
		for (const [name, width, total, what] of widths) {
			if (width === undefined || width === total || width * worlds === total) continue;
			fits = false;
			const expected = worlds === 1 ? `${total}` : `${total / worlds} (one world) or ${total} (all ${worlds})`;
			const message = `rows of ${name} have ${width} numbers, expected as many as there are ${what}: ${expected}`;
			options.report.add(createDiagnostic('CTL003', message, { file: sequence.file }));
		}
		return fits ? new ControlPlayback(sequence, model, options, options.report) : undefined;
	}

	/** The row that is due in a frame: that of the time at its beginning. */
	sampleOf(frame: number, dt: number): number {
		const { frameCount, sampleDt, times } = this.sequence;
		if (sampleDt !== undefined) {
			const sample = Math.floor((frame * dt) / sampleDt + 1e-9);
			return this.loop ? sample % frameCount : Math.min(sample, frameCount - 1);
		}
		if (frameCount === 1) return 0;
		// the last row lasts as long as the one before
		const lastGap = times[frameCount - 1]! - times[frameCount - 2]!;
		const time = frame * dt + 1e-9 * lastGap;
		const period = times[frameCount - 1]! + lastGap;
		const within = this.loop ? time % period : time;
		let [low, high] = [0, frameCount];
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if (times[middle]! <= within) low = middle;
			else high = middle;
		}
		return low;
	}

	/** Writes the targets that are due in a frame, for all worlds. */
	apply(control: Control, frame: number, dt: number): void {
		const { targets, dofCount } = this.sequence;
		const start = this.sampleOf(frame, dt) * dofCount;
		for (let i = 0; i < this.#columns.length; i++)
			control.jointTargetQ[this.#coordinates[i]!] = targets[start + this.#columns[i]!]!;
	}

	/** Sets a state to where the sequence starts, in all worlds, and places the bodies; leaves it alone when the sequence does not say. */
	applyInitialState(state: State): void {
		const { jointQ, jointQd } = this.sequence;
		if (jointQ !== undefined) {
			for (let i = 0; i < state.jointQ.length; i++) state.jointQ[i] = jointQ[i % jointQ.length]!;
			if (jointQ.length < state.jointQ.length) this.#moveToWorlds(state);
		}
		if (jointQd !== undefined)
			for (let i = 0; i < state.jointQd.length; i++) state.jointQd[i] = jointQd[i % jointQd.length]!;
		if (jointQ !== undefined || jointQd !== undefined) new ArticulatedDynamics(this.#model).forwardKinematics(state);
	}

	/** A row for one world has the coordinates of the authored world; free bodies of the others stand elsewhere. */
	#moveToWorlds(state: State): void {
		const model = this.#model;
		const offsets = this.#worldOffsets;
		if (offsets === undefined) return;
		for (let world = 0; world < model.worldCount; world++) {
			const { start, end } = model.worlds.range('joint', world);
			for (let joint = start; joint < end; joint++) {
				const type = model.jointType[joint];
				if (model.jointParent[joint] !== -1 || (type !== JointType.FREE && type !== JointType.DISTANCE)) continue;
				const q = model.jointQStart[joint]!;
				for (let axis = 0; axis < 3; axis++)
					state.jointQ[q + axis] = state.jointQ[q + axis]! + offsets[3 * world + axis]!;
			}
		}
	}
}

/** Whether each degree of freedom of a joint has a coordinate of its own, which a drive can hold. */
function hasScalarPositions(type: number): boolean {
	return type === JointType.REVOLUTE || type === JointType.PRISMATIC || type === JointType.D6;
}

function noteIdleTargets(sequence: ControlSequence, label: string, dof: number, count: number, report: Report): void {
	const { targets, dofCount, frameCount, file } = sequence;
	for (let frame = 0; frame < frameCount; frame++) {
		for (let i = dof; i < dof + count; i++) {
			const value = targets[frame * dofCount + i]!;
			if (value === 0) continue;
			const message = `joint_target_pos.values[${frame}][${i}] is ${value}, but joint ${quote(label)} has no position that a drive could hold; its columns have no effect`;
			report.add(createDiagnostic('CTL004', message, { file }));
			return;
		}
	}
}
