import { InternalError } from '@manyworlds/core';
import type { MjData, MujocoModule } from './mujoco-module.ts';

/** Numbers of `mjData` that are no arrays, as views of one element: a property of the package costs as much as a small copy. */
export interface DataScalars {
	/** [s] */
	readonly time: Float64Array;
	/** Contacts of the last step. */
	readonly contactCount: Int32Array;
}

/** Where the numbers are in the struct, in bytes. */
interface Offsets {
	readonly time: number;
	readonly contactCount: number;
}

const KNOWN = new WeakMap<MujocoModule, Offsets>();

/** Live views of the numbers of a state, valid until the memory of the engine grows. */
export function dataScalars(module: MujocoModule, data: MjData): DataScalars {
	const { buffer } = data.qpos;
	const start = structOf(data, buffer);
	let offsets = KNOWN.get(module);
	if (offsets === undefined) {
		offsets = findOffsets(data, buffer, start);
		KNOWN.set(module, offsets);
	}
	return {
		time: new Float64Array(buffer, start + offsets.time, 1),
		contactCount: new Int32Array(buffer, start + offsets.contactCount, 1),
	};
}

/** The address of the struct: the object of the package is a pointer to a pointer to it. */
function structOf(data: MjData, buffer: ArrayBufferLike): number {
	const handle: unknown = Reflect.get(data, '$$');
	const pointer: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'ptr') : undefined;
	if (typeof pointer !== 'number') throw new InternalError('an object of MuJoCo does not say where it is');
	return new Uint32Array(buffer, pointer, 1)[0]!;
}

/** Writes a number that is nowhere else through the package, and looks where it came to lie. */
function findOffsets(data: MjData, buffer: ArrayBufferLike, start: number): Offsets {
	const { time, ncon } = data;
	const size = Math.min(MOST_BYTES, buffer.byteLength - start);
	data.time = RARE_TIME;
	data.ncon = RARE_COUNT;
	try {
		const doubles = new Float64Array(buffer, start, Math.floor(size / 8));
		const integers = new Int32Array(buffer, start, Math.floor(size / 4));
		const offsets = { time: 8 * doubles.indexOf(RARE_TIME), contactCount: 4 * integers.indexOf(RARE_COUNT) };
		if (offsets.time < 0 || offsets.contactCount < 0)
			throw new InternalError('a state of MuJoCo is not laid out as known');
		return offsets;
	} finally {
		data.time = time;
		data.ncon = ncon;
	}
}

/** More than the struct has. */
const MOST_BYTES = 2 ** 20;
const RARE_TIME = -1.2345678901234567e-123;
const RARE_COUNT = -1_234_567_891;
