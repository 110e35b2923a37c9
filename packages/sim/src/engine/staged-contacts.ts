import type { Model } from '@manyworlds/model';
import type { WorldContacts } from '../collision/world-contacts.ts';
import { type ContactMaterials, MaterialPart } from '../sap/contact-materials.ts';
import type { KernelMemory } from '../wasm/kernel-memory.ts';

/** What the kernels export for contacts that go to them as they are. */
export interface StagedExports {
	/** Makes records of so many contacts; the shapes of the worlds of the batch begin at `firstShape`. */
	readonly makeRecords: (count: number, firstShape: number) => void;
	/** Lays the forces of so many records one after the other. */
	readonly collectForces: (count: number) => void;
}

/** Copies in the memory of the kernels: three numbers a contact, and an integer. */
const VECTORS = ['stagedNormal', 'stagedPoint0', 'stagedPoint1', 'stagedOffset0', 'stagedOffset1'] as const;
const INTEGERS = ['stagedShape0', 'stagedShape1'] as const;

/** Values of materials in the memory of the kernels. */
const MATERIALS = ['materialStiffness', 'materialFriction', 'materialTau'] as const;

/** Contacts up to which copying one by one is quicker than calls that copy arrays; shapes may be twice as many. */
const FEW = 12;

/** Steps in which the same rows came before views of them are made: rows that change often would make objects in most steps. */
const STEADY = 16;

/** Views of the rows of a batch, which are made when the same rows come again and again, and copied at once then. */
interface BatchRows {
	contacts: WorldContacts;
	first: number;
	count: number;
	/** Steps that came with these rows, up to {@link STEADY}. */
	steps: number;
	vectors: readonly Float64Array[] | undefined;
	integers: readonly Int32Array[];
	isAhead: Uint8Array;
}

/** Stiffness, friction and relaxation time of the shapes of a batch. */
type MaterialViews = readonly Float64Array[];

/**
 * Hands contacts and materials of a batch to the kernels as they stand in the buffer and in the model: most steps copy the same rows again. Forces
 * come back the same way.
 */
export class StagedContacts {
	readonly #exports: StagedExports;
	readonly #memory: KernelMemory;
	readonly #model: Model;
	/** Stiffness, friction and relaxation time by shape of the model. */
	readonly #values: readonly (Float64Array | undefined)[];
	/** Shapes before those of all worlds, and the first behind them. */
	readonly #front: number;
	readonly #tail: number;
	#vectors: number[] = [];
	#integers: number[] = [];
	#isAhead = 0;
	#force = 0;
	readonly #material: readonly number[];
	#bytes: Uint8Array;
	/** By first world of the batch. */
	readonly #rows: (BatchRows | undefined)[] = [];
	/** By first world and number of worlds. */
	readonly #shapes: (MaterialViews | undefined)[] = [];
	/** Forces of the first contacts, by their number, while the memory stays where it is. */
	#forces: (Float64Array | undefined)[] = [];
	readonly #mostWorlds: number;

	constructor(
		exports: StagedExports,
		memory: KernelMemory,
		model: Model,
		materials: ContactMaterials,
		mostWorlds: number,
	) {
		this.#exports = exports;
		this.#memory = memory;
		this.#model = model;
		this.#mostWorlds = mostWorlds;
		const { shapeMaterialKe, shapeMaterialMu } = model;
		// without times of their own all shapes have that which stands for them
		this.#values = [shapeMaterialKe, shapeMaterialMu, materials.taus];
		const { shapeWorldStart: start, shapeCount, worldCount } = model;
		this.#front = start[0] ?? 0;
		this.#tail = start[worldCount] ?? this.#front;
		let most = 0;
		for (let world = 0; world < worldCount; world++) most = Math.max(most, start[world + 1]! - start[world]!);
		const room = mostWorlds * most;
		const shared = this.#front + shapeCount - this.#tail;
		this.#material = MATERIALS.map((name) => {
			const address = memory.doublesAt(new Float64Array(shared + room).fill(-1));
			memory.set(name, address);
			return address / 8;
		});
		const settings: Readonly<Record<string, number>> = {
			firstWorldShape: this.#front,
			lastWorldShape: this.#tail,
			shapeCount,
			materialRoom: room,
			fallbackStiffness: materials.fallback[MaterialPart.STIFFNESS]!,
			fallbackFriction: materials.fallback[MaterialPart.MU]!,
			fallbackTau: materials.fallback[MaterialPart.TAU]!,
		};
		for (const [name, value] of Object.entries(settings)) memory.set(name, value);
		this.#bytes = new Uint8Array(memory.doubles.buffer);
	}

	/** Makes room for so many contacts. */
	reserve(contacts: number): void {
		const memory = this.#memory;
		const set = (name: string, address: number, bytes: number): number => {
			memory.set(name, address);
			return address / bytes;
		};
		this.#vectors = VECTORS.map((name) => set(name, memory.doublesAt(3 * contacts), 8));
		this.#integers = INTEGERS.map((name) => set(name, memory.table(contacts), 4));
		this.#isAhead = set('stagedIsAhead', memory.table(Math.ceil(contacts / 4)), 1);
		this.#force = set('stagedForce', memory.doublesAt(6 * contacts), 8);
		this.#forces = [];
	}

	/** Makes records of `count` contacts from row `begin` on, which are those of worlds `first` to before `last`. */
	take(first: number, last: number, contacts: WorldContacts, begin: number, count: number): void {
		if (this.#bytes.buffer !== this.#memory.doubles.buffer) this.#bytes = new Uint8Array(this.#memory.doubles.buffer);
		const rows = count > FEW ? this.#rowsOf(first, contacts, begin, count) : undefined;
		if (rows === undefined) this.#copyOneByOne(contacts, begin, count);
		else this.#copyArrays(rows);
		this.#takeMaterials(first, last);
		this.#exports.makeRecords(count, this.#model.shapeWorldStart[first] ?? 0);
	}

	/** Writes the forces of all contacts of the batch to the rows from `begin` on. */
	give(force: Float64Array, begin: number, count: number): void {
		this.#exports.collectForces(count);
		const { doubles } = this.#memory;
		const from = this.#force;
		if (count <= FEW) {
			for (let i = 0; i < 6 * count; i++) force[6 * begin + i] = doubles[from + i]!;
			return;
		}
		let view = this.#forces[count];
		if (view === undefined || view.buffer !== doubles.buffer)
			this.#forces[count] = view = doubles.subarray(from, from + 6 * count);
		force.set(view, 6 * begin);
	}

	/** The rows of a batch, when they are those of the last steps. */
	#rowsOf(batch: number, contacts: WorldContacts, first: number, count: number): BatchRows | undefined {
		const known = this.#rows[batch];
		if (known === undefined) {
			this.#rows[batch] = { contacts, first, count, steps: 1, vectors: undefined, integers: [], isAhead: this.#bytes };
			return undefined;
		}
		if (known.contacts !== contacts || known.first !== first || known.count !== count) {
			known.contacts = contacts;
			known.first = first;
			known.count = count;
			known.steps = 1;
			known.vectors = undefined;
			return undefined;
		}
		if (known.vectors === undefined) {
			if (known.steps < STEADY) {
				known.steps++;
				return undefined;
			}
			viewRows(known);
		}
		return known;
	}

	#copyArrays({ vectors, integers, isAhead }: BatchRows): void {
		const memory = this.#memory;
		for (let k = 0; k < VECTORS.length; k++) memory.doubles.set(vectors![k]!, this.#vectors[k]!);
		for (let k = 0; k < INTEGERS.length; k++) memory.integers.set(integers[k]!, this.#integers[k]!);
		this.#bytes.set(isAhead, this.#isAhead);
	}

	#copyOneByOne(contacts: WorldContacts, begin: number, count: number): void {
		const { doubles, integers } = this.#memory;
		const { rigidNormal, rigidPoint0, rigidPoint1, rigidOffset0, rigidOffset1 } = contacts;
		const [normal, point0, point1, offset0, offset1] = this.#vectors as [number, number, number, number, number];
		const from = 3 * begin;
		for (let i = 0; i < 3 * count; i++) {
			doubles[normal + i] = rigidNormal[from + i]!;
			doubles[point0 + i] = rigidPoint0[from + i]!;
			doubles[point1 + i] = rigidPoint1[from + i]!;
			doubles[offset0 + i] = rigidOffset0[from + i]!;
			doubles[offset1 + i] = rigidOffset1[from + i]!;
		}
		const { rigidShape0, rigidShape1, isAhead } = contacts;
		const [shape0, shape1] = this.#integers as [number, number];
		for (let i = 0; i < count; i++) {
			integers[shape0 + i] = rigidShape0[begin + i]!;
			integers[shape1 + i] = rigidShape1[begin + i]!;
			this.#bytes[this.#isAhead + i] = isAhead[begin + i]!;
		}
	}

	/** Materials are those that the model has now. */
	#takeMaterials(first: number, last: number): void {
		const { doubles } = this.#memory;
		const { shapeCount } = this.#model;
		const views = (this.#shapes[this.#mostWorlds * first + last - first - 1] ??= this.#viewMaterials(first, last));
		const own = this.#front + shapeCount - this.#tail;
		for (let k = 0; k < MATERIALS.length; k++) {
			const values = this.#values[k];
			if (values === undefined) continue;
			const to = this.#material[k]!;
			for (let shape = 0; shape < this.#front; shape++) doubles[to + shape] = values[shape]!;
			const shift = to + this.#front - this.#tail;
			for (let shape = this.#tail; shape < shapeCount; shape++) doubles[shift + shape] = values[shape]!;
			const view = views[k]!;
			if (view.length > 2 * FEW) doubles.set(view, to + own);
			else for (let shape = 0; shape < view.length; shape++) doubles[to + own + shape] = view[shape]!;
		}
	}

	#viewMaterials(first: number, last: number): MaterialViews {
		const { shapeWorldStart, worldCount } = this.#model;
		const start = worldCount === 0 ? 0 : shapeWorldStart[first]!;
		const end = worldCount === 0 ? 0 : shapeWorldStart[last]!;
		return this.#values.map((values) => (values ?? NONE).subarray(start, end));
	}
}

const NONE = new Float64Array(0);

function viewRows(rows: BatchRows): void {
	const { contacts, first, count } = rows;
	const { rigidNormal, rigidPoint0, rigidPoint1, rigidOffset0, rigidOffset1, rigidShape0, rigidShape1 } = contacts;
	rows.vectors = [rigidNormal, rigidPoint0, rigidPoint1, rigidOffset0, rigidOffset1].map((array) =>
		array.subarray(3 * first, 3 * (first + count)),
	);
	rows.integers = [rigidShape0, rigidShape1].map((array) => array.subarray(first, first + count));
	rows.isAhead = contacts.isAhead.subarray(first, first + count);
}
