import type { Control, Model, State } from '@manyworlds/model';
import type { ArrayAllocator, NumberArray } from '@manyworlds/model/internal';
import { ContactForces } from './contact-forces.ts';
import { WorldStatistics } from './world-statistics.ts';
import type { StepperSettings } from './world-stepper.ts';

/** What all threads see: state and control of every world, what is asked of them, and what became of them. */
export class SharedWorlds {
	readonly state: State;
	readonly control: Control;
	readonly statistics: WorldStatistics;
	/** Undefined when nobody asked for it. */
	readonly contacts: ContactForces | undefined;
	/** Force [N] and torque [N·m] of all contacts on each body at its centre of mass, in world axes; empty unless asked for. */
	readonly bodyContactF: Float64Array;
	/** Time step of each world [s]. */
	readonly dt: Float64Array;
	/** 1 for worlds that a command is about. */
	readonly mask: Uint8Array;
	/** Number of the first step of a command. */
	readonly firstStep: Float64Array;
	/** A {@link CommandWord} each. */
	readonly words: Int32Array;

	constructor(
		model: Model,
		keep: ArrayAllocator,
		{ include, contactsKept, tellsContacts }: Pick<StepperSettings, 'include' | 'contactsKept' | 'tellsContacts'>,
	) {
		const under =
			(prefix: string): ArrayAllocator =>
			(initial, name) =>
				keep(initial, `${prefix}/${name}`);
		const worlds = model.worldCount;
		this.state = model.createState({ include, keep: under('state') });
		this.control = model.createControl({ keep: under('control') });
		this.statistics = new WorldStatistics(worlds, under('statistics'));
		this.contacts = contactsKept > 0 ? new ContactForces(worlds, contactsKept, under('contacts')) : undefined;
		this.bodyContactF = keep(new Float64Array(tellsContacts ? model.bodyQd.length : 0), 'bodyContactF');
		this.dt = keep(new Float64Array(worlds), 'dt');
		this.mask = keep(new Uint8Array(worlds), 'mask');
		this.firstStep = keep(new Float64Array(1), 'firstStep');
		this.words = keep(new Int32Array(Object.keys(CommandWord).length), 'words');
	}
}

/** Places in {@link SharedWorlds.words}. */
export const CommandWord = {
	/** Grows with every command; workers wait for it. */
	SEQUENCE: 0,
	/** Workers that have not finished. */
	PENDING: 1,
	/** A {@link CommandKind}. */
	KIND: 2,
	/** Steps to take, or flags of what changed. */
	ARGUMENT: 3,
} as const;

/** What workers are asked to do. */
export const CommandKind = { NONE: 0, STEP: 1, RESET: 2, MODEL_CHANGED: 3 } as const;
export type CommandKind = (typeof CommandKind)[keyof typeof CommandKind];

/** Buffers that threads share, by the name of their array. */
export type SharedBuffers = Readonly<Record<string, SharedArrayBuffer>>;

/** Keeps arrays in shared memory and notes the buffers. */
export function shareArrays(): { readonly keep: ArrayAllocator; readonly buffers: SharedBuffers } {
	const buffers: Record<string, SharedArrayBuffer> = {};
	return {
		buffers,
		keep(initial, name) {
			const buffer = new SharedArrayBuffer(initial.byteLength);
			buffers[name] = buffer;
			const shared = viewLike(initial, buffer);
			shared.set(initial as never);
			return shared;
		},
	};
}

/** Finds arrays that another thread shares; they keep the numbers that they have there. */
export function findArrays(buffers: SharedBuffers): ArrayAllocator {
	return (initial, name) => {
		const buffer = buffers[name];
		if (buffer?.byteLength !== initial.byteLength) {
			throw new RangeError(`'${name}' has ${buffer?.byteLength ?? 'no'} bytes, expected ${initial.byteLength}`);
		}
		return viewLike(initial, buffer);
	};
}

function viewLike<T extends NumberArray>(like: T, buffer: SharedArrayBuffer): T {
	return new (like.constructor as new (buffer: SharedArrayBuffer) => T)(buffer);
}

/** Bytes in memory that threads share. */
export function shareBytes(bytes: Uint8Array): SharedArrayBuffer {
	const buffer = new SharedArrayBuffer(bytes.length);
	new Uint8Array(buffer).set(bytes);
	return buffer;
}
