import {
	COLUMN_NAMES,
	COLUMNS,
	COLUMNS_OF,
	type ColumnArray,
	type ColumnName,
	ENTITIES,
	type Entity,
} from './columns.ts';

/** What stands beside the numbers of some entities. */
export type LabelledEntity = 'body' | 'shape' | 'joint' | 'articulation' | 'equalityConstraint' | 'constraintMimic';

/** Entities with labels, in a fixed order. */
export const LABELLED_ENTITIES: readonly LabelledEntity[] = [
	'body',
	'shape',
	'joint',
	'articulation',
	'equalityConstraint',
	'constraintMimic',
];

type AnyColumn = Float64Array | Int32Array | Uint8Array;

/**
 * The growing arrays of a builder. Columns of one entity always have the same number of rows. Arrays got from `column`
 * are views of the present rows: they see and make changes, but not rows that are added later.
 */
export class Tables {
	readonly counts: Record<Entity, number>;
	readonly labels: Record<LabelledEntity, string[]>;
	readonly #columns: Record<ColumnName, AnyColumn>;
	readonly #capacity: Record<Entity, number>;

	constructor() {
		this.counts = { ...NO_COUNTS };
		this.#capacity = { ...NO_COUNTS };
		this.labels = Object.fromEntries(LABELLED_ENTITIES.map((entity) => [entity, [] as string[]])) as Record<
			LabelledEntity,
			string[]
		>;
		this.#columns = { ...NO_ROWS };
	}

	/** The rows of a column, `width` numbers each. */
	column<N extends ColumnName>(name: N): ColumnArray<N> {
		const { entity, width } = COLUMNS[name];
		return this.#columns[name].subarray(0, this.counts[entity] * width) as ColumnArray<N>;
	}

	/** Adds rows filled with zeros and gives the index of the first. */
	addRows(entity: Entity, count = 1): number {
		const first = this.counts[entity];
		this.reserve(entity, first + count);
		this.counts[entity] = first + count;
		return first;
	}

	/** Writes one row of a column. */
	set(name: ColumnName, row: number, ...values: readonly number[]): void {
		const { width } = COLUMNS[name];
		const column = this.#columns[name];
		for (let i = 0; i < width; i++) column[row * width + i] = values[i]!;
	}

	get(name: ColumnName, row: number): number {
		return this.#columns[name][row * COLUMNS[name].width]!;
	}

	/** Makes room for `rows` rows without adding any. */
	reserve(entity: Entity, rows: number): void {
		if (rows <= this.#capacity[entity]) return;
		const capacity = Math.max(rows, 2 * this.#capacity[entity], 16);
		for (const name of COLUMNS_OF[entity]) {
			const grown = allocate(name, capacity);
			// what is beyond the rows is zero in both
			if (this.counts[entity] > 0) grown.set(this.#columns[name] as never);
			this.#columns[name] = grown;
		}
		this.#capacity[entity] = capacity;
	}

	/**
	 * Appends `copies` copies of another builder's rows and gives, for each entity, the index of the first new row.
	 * Indices in the copies are shifted so that each copy refers to itself; negative ones stay.
	 */
	appendCopies(source: Tables, copies: number): Record<Entity, number> {
		const base = { ...this.counts };
		for (const entity of ENTITIES) this.addRows(entity, source.counts[entity] * copies);
		for (const name of COLUMN_NAMES) {
			const { entity, width, refers } = COLUMNS[name];
			if (source.counts[entity] === 0) continue;
			const rows = source.column(name);
			const target = this.#columns[name];
			const first = base[entity] * width;
			repeat(target, rows, first, copies);
			if (refers === undefined) continue;
			for (let copy = 0, at = first; copy < copies; copy++) {
				const shift = base[refers] + copy * source.counts[refers];
				for (let i = 0; i < rows.length; i++, at++) {
					if (target[at]! >= 0) target[at] = target[at]! + shift;
				}
			}
		}
		return base;
	}

	/** Keeps the given rows of an entity, in the given order; labels as well. References to it are not changed. */
	keepRows(entity: Entity, rows: readonly number[]): void {
		for (const name of COLUMNS_OF[entity]) {
			const { width } = COLUMNS[name];
			const old = this.column(name).slice();
			const column = this.#columns[name];
			rows.forEach((row, i) => {
				for (let k = 0; k < width; k++) column[i * width + k] = old[row * width + k]!;
			});
			column.fill(0, rows.length * width, old.length);
		}
		this.counts[entity] = rows.length;
		if (entity in this.labels) {
			const labels = this.labels[entity as LabelledEntity];
			this.labels[entity as LabelledEntity] = rows.map((row) => labels[row]!);
		}
	}

	/** Takes back rows that were added last. */
	truncate(counts: Readonly<Record<Entity, number>>): void {
		for (const entity of ENTITIES) {
			for (const name of COLUMNS_OF[entity]) {
				const { width } = COLUMNS[name];
				this.#columns[name].fill(0, counts[entity] * width, this.counts[entity] * width);
			}
			this.counts[entity] = counts[entity];
		}
		for (const entity of LABELLED_ENTITIES) this.labels[entity].length = counts[entity];
	}
}

/** Writes numbers several times in a row, doubling what is there. */
function repeat(target: AnyColumn, rows: AnyColumn, start: number, copies: number): void {
	target.set(rows as never, start);
	const total = rows.length * copies;
	for (let filled = rows.length; filled < total; filled *= 2) {
		target.copyWithin(start + filled, start, start + Math.min(filled, total - filled));
	}
}

const NO_COUNTS = Object.fromEntries(ENTITIES.map((entity) => [entity, 0])) as Record<Entity, number>;
/** Columns without rows, which builders share: nothing can be written to them. */
const NO_ROWS = Object.fromEntries(COLUMN_NAMES.map((name) => [name, allocate(name, 0)])) as Record<
	ColumnName,
	AnyColumn
>;

function allocate(name: ColumnName, rows: number): AnyColumn {
	const { type, width } = COLUMNS[name];
	if (type === 'float') return new Float64Array(rows * width);
	return type === 'int' ? new Int32Array(rows * width) : new Uint8Array(rows * width);
}
