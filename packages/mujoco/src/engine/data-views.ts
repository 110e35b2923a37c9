import type { CompiledModel } from './compiled-model.ts';
import { activeEqualities, doubleField } from './mj-fields.ts';

/**
 * Cached views of the working state. Every growth of the engine's memory detaches them, so they are taken again when one
 * is found empty. A step of MuJoCo itself never makes memory grow.
 */
export class DataViews {
	readonly #compiled: CompiledModel;
	#views!: Views;

	constructor(compiled: CompiledModel) {
		this.#compiled = compiled;
		this.#views = this.#take();
	}

	/** Live views, checked. */
	get current(): Views {
		if (this.#views.xfrcApplied.byteLength === 0) this.#views = this.#take();
		return this.#views;
	}

	#take(): Views {
		const { data, mj } = this.#compiled;
		const changing = {
			qpos: doubleField(data, 'qpos'),
			qvel: doubleField(data, 'qvel'),
			act: doubleField(data, 'act'),
			warmstart: doubleField(data, 'qacc_warmstart'),
		};
		const others = {
			ctrl: doubleField(data, 'ctrl'),
			qfrcApplied: doubleField(data, 'qfrc_applied'),
			xfrcApplied: doubleField(data, 'xfrc_applied'),
			mocapPos: doubleField(data, 'mocap_pos'),
			mocapQuat: doubleField(data, 'mocap_quat'),
			active: activeEqualities(data, mj.neq),
		};
		const changingArrays = Object.values(changing);
		return {
			...changing,
			...others,
			changing: spanOf(changingArrays),
			block: spanOf([...changingArrays, ...Object.values(others)]),
		};
	}
}

/** The memory from the first of some arrays to the end of the last. */
function spanOf(arrays: readonly (Float64Array | Uint8Array)[]): Float64Array {
	const used = arrays.filter(({ length }) => length > 0);
	const start = Math.min(...used.map(({ byteOffset }) => byteOffset));
	const end = Math.max(...used.map(({ byteOffset, byteLength }) => byteOffset + byteLength));
	const { buffer } = arrays[0]!;
	return used.length === 0 ? new Float64Array(0) : new Float64Array(buffer, start, Math.ceil((end - start) / 8));
}

/** The arrays that a step reads and writes. */
export interface Views {
	readonly qpos: Float64Array;
	readonly qvel: Float64Array;
	readonly act: Float64Array;
	readonly warmstart: Float64Array;
	readonly ctrl: Float64Array;
	readonly qfrcApplied: Float64Array;
	/** Shape (bodies, 6); never empty, because the world is a body. */
	readonly xfrcApplied: Float64Array;
	readonly mocapPos: Float64Array;
	readonly mocapQuat: Float64Array;
	readonly active: Uint8Array;
	/** Everything from the first of those that a step changes (`qpos`, `qvel`, `act`, `warmstart`) to the last of them. */
	readonly changing: Float64Array;
	/** Everything from the first to the last of all of them: the state of a world. */
	readonly block: Float64Array;
}
