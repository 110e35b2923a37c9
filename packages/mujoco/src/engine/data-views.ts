import type { CompiledModel } from './compiled-model.ts';
import { type DataScalars, dataScalars } from './data-scalars.ts';
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
		if (this.#views.xfrcApplied.length === 0) this.#views = this.#take();
		return this.#views;
	}

	#take(): Views {
		const { module, data, mj } = this.#compiled;
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
		const { qpos, qvel, act, warmstart } = changing;
		const { ctrl, qfrcApplied, mocapPos, mocapQuat, active } = others;
		const block = spanOf([...Object.values(changing), ...Object.values(others)]);
		return {
			...changing,
			...others,
			...dataScalars(module, data),
			block,
			remembered: partOf(block, [act, warmstart]),
			changing: partOf(block, [qpos, qvel, act, warmstart]),
			unforced: partOf(block, [qpos, qvel, act, warmstart, ctrl, qfrcApplied]),
			placed: partOf(block, [active, mocapPos, mocapQuat]),
		};
	}
}

/** The memory from the first of some arrays to the end of the last; one of them must have numbers. */
function spanOf(arrays: readonly (Float64Array | Uint8Array)[]): Float64Array {
	const used = arrays.filter(({ length }) => length > 0);
	const start = Math.min(...used.map(({ byteOffset }) => byteOffset));
	const end = Math.max(...used.map(({ byteOffset, byteLength }) => byteOffset + byteLength));
	return new Float64Array(used[0]!.buffer, start, Math.ceil((end - start) / 8));
}

/** The part of a block from the first of some arrays to the end of the last. */
function partOf(block: Float64Array, arrays: readonly (Float64Array | Uint8Array)[]): Float64Array {
	return arrays.some(({ length }) => length > 0) ? spanOf(arrays) : block.subarray(0, 0);
}

/** The arrays that a step reads and writes. */
export interface Views extends DataScalars {
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
	/** Those of them that steps hand on to the next one while coordinates come from outside: `act` and `warmstart`. */
	readonly remembered: Float64Array;
	/** What only edits of the model change: `active`, `mocapPos` and `mocapQuat`. */
	readonly placed: Float64Array;
	/** The state of a world that no force on a body acts in, without what is {@link placed}. */
	readonly unforced: Float64Array;
	/** Everything from the first to the last of all of them: the state of a world. */
	readonly block: Float64Array;
}
