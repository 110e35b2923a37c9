import { JointType, type Model, type State } from '@manyworlds/model';
import { energyOf } from './energy.ts';

/** What one run came to: rows of world 0 over time. */
export class Recording {
	readonly columns: readonly string[];
	readonly times: number[] = [];
	readonly rows: number[][] = [];
	readonly #model: Model;
	readonly #world: number;
	readonly #roots: readonly number[];

	constructor(model: Model, world: number = 0) {
		this.#model = model;
		this.#world = world;
		const bodies = model.worlds.range('body', world);
		const joints = model.worlds.range('joint', world);
		const roots: number[] = [];
		const names: string[] = [];
		for (let joint = joints.start; joint < joints.end; joint++) {
			const type = model.jointType[joint];
			if (model.jointParent[joint] === -1 && type === JointType.FREE) roots.push(model.jointChild[joint]!);
			const count = model.jointQStart[joint + 1]! - model.jointQStart[joint]!;
			for (let i = 0; i < count; i++) names.push(`${model.jointLabels[joint]}${count > 1 ? `[${i}]` : ''}`);
		}
		this.#roots = roots.filter((body) => body >= bodies.start && body < bodies.end);
		this.columns = [
			'energy',
			'contacts',
			...this.#roots.map((body) => `height of ${model.bodyLabels[body]}`),
			...names,
		];
	}

	/** Number of columns before the joint coordinates. */
	get headCount(): number {
		return 2 + this.#roots.length;
	}

	/** Appends the state at a time [s]. */
	add(time: number, state: State, contacts: number): void {
		const model = this.#model;
		const { start, end } = model.worlds.range('jointCoord', this.#world);
		const up = 'xyz'.indexOf(model.upAxis);
		this.times.push(time);
		this.rows.push([
			energyOf(model, state, this.#world),
			contacts,
			...this.#roots.map((body) => state.bodyQ[7 * body + up]!),
			...state.jointQ.subarray(start, end),
		]);
	}

	column(index: number): number[] {
		return this.rows.map((row) => row[index]!);
	}

	/** Comma-separated values with a header. */
	toCsv(): string {
		const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
		const lines = [['time', ...this.columns].map(quoted).join(',')];
		for (const [i, row] of this.rows.entries()) lines.push([this.times[i]!, ...row].join(','));
		return `${lines.join('\n')}\n`;
	}

	toJson(): string {
		return `${JSON.stringify({ version: 1, columns: ['time', ...this.columns], rows: this.rows.map((row, i) => [this.times[i], ...row]) })}\n`;
	}
}
