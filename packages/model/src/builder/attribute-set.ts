import { AttributeColumn } from '../attribute-column.ts';
import {
	type AttributeArray,
	type AttributeDeclaration,
	type AttributeFrequency,
	type AttributeHandle,
	type AttributeType,
	type AttributeValue,
	attributeKey,
} from '../attribute-types.ts';
import { ENTITIES, type Entity } from '../columns.ts';
import { ModelError } from '../model-error.ts';

/** Values for the custom attributes of one entity, by key. @public */
export type AttributeAssignments = Readonly<Record<string, AttributeValue | readonly AttributeValue[] | IndexedValues>>;

/** Values for some of the degrees of freedom or coordinates of a joint. @public */
export type IndexedValues = ReadonlyMap<number, AttributeValue>;

/** Where the degrees of freedom, coordinates and constraints of a joint are. */
export interface JointRanges {
	readonly joint: number;
	readonly jointDof: readonly [start: number, count: number];
	readonly jointCoord: readonly [start: number, count: number];
	readonly jointConstraint: readonly [start: number, count: number];
}

/** How far indices move when another builder's rows are appended. */
export interface MergeOffsets {
	readonly base: Readonly<Record<Entity, number>>;
	readonly sourceCounts: Readonly<Record<Entity, number>>;
	/** First of the new worlds; -1 when the rows stay global. */
	readonly firstWorld: number;
	readonly copies: number;
}

/** The custom attributes and frequencies that a builder declares, with their values. */
export class AttributeSet {
	readonly columns: Map<string, AttributeColumn> = new Map();
	/** Rows of each frequency of the user's own. */
	readonly rowCounts: Map<string, number> = new Map();
	#declarations: readonly AttributeDeclaration[] = [];

	/** In the order of declaration; the same list until there are more, as importers ask for it at every prim. */
	declarations(): readonly AttributeDeclaration[] {
		if (this.#declarations.length !== this.columns.size) {
			this.#declarations = Array.from(this.columns.values(), ({ declaration }) => declaration);
		}
		return this.#declarations;
	}

	declare<T extends AttributeType>(declaration: AttributeDeclaration & { readonly type: T }): AttributeHandle<T> {
		const key = attributeKey(declaration);
		const { frequency } = declaration;
		if (isOwnFrequency(frequency) && !this.rowCounts.has(frequency)) {
			throw fault(
				'MODEL021',
				`attribute '${key}' has the frequency '${frequency}', which is not declared: call defineFrequency() first`,
				key,
			);
		}
		checkReference(declaration, this.rowCounts);
		const existing = this.columns.get(key);
		if (existing === undefined) this.columns.set(key, new AttributeColumn(declaration));
		else if (!sameDeclaration(existing.declaration, declaration)) {
			throw fault(
				'MODEL022',
				`attribute '${key}' is declared already, with ${differingPart(existing.declaration, declaration)}`,
				key,
			);
		}
		return { key, type: declaration.type };
	}

	/** Declares a frequency of the user's own; declaring it again changes nothing. */
	declareFrequency(namespace: string, name: string): `${string}:${string}` {
		if (name === '' || name.includes(':') || namespace === '' || namespace.includes(':')) {
			throw fault(
				'MODEL023',
				`frequency '${namespace}:${name}' needs a namespace and a name without ':'`,
				`${namespace}:${name}`,
			);
		}
		const key = `${namespace}:${name}` as const;
		if (!this.rowCounts.has(key)) this.rowCounts.set(key, 0);
		return key;
	}

	/** Adds one row to a frequency of the user's own; columns without a value get their default. */
	addRow(frequency: string, values: Readonly<Record<string, AttributeValue>>): number {
		const row = this.rowCounts.get(frequency);
		if (row === undefined)
			throw fault('MODEL021', `frequency '${frequency}' is not declared: call defineFrequency() first`, frequency);
		const keys = Object.keys(values);
		for (const key of keys) this.#column(key, frequency).check(values[key]!);
		for (const key of keys) this.#column(key, frequency).set(row, values[key]!);
		this.rowCounts.set(frequency, row + 1);
		return row;
	}

	/** The values of an attribute for all entities or rows that exist. */
	valuesOf(key: string, count: (entity: Entity) => number, worldCount: number): AttributeArray {
		const column = this.#declared(key);
		const { frequency } = column.declaration;
		if (frequency === 'once') return column.build(1);
		if (frequency === 'world') return column.build(Math.max(1, worldCount));
		return column.build(isOwnFrequency(frequency) ? this.rowCounts.get(frequency)! : count(frequency as Entity));
	}

	/** Changes one value. */
	setValue(key: string, row: number, value: AttributeValue): void {
		this.#declared(key).set(row, value);
	}

	/** Checks assignments to one entity before it is added. */
	check(frequency: AttributeFrequency, values: AttributeAssignments | undefined): void {
		for (const [key, value] of Object.entries(values ?? {}))
			this.#column(key, frequency).check(value as AttributeValue);
	}

	assign(frequency: AttributeFrequency, row: number, values: AttributeAssignments | undefined): void {
		for (const [key, value] of Object.entries(values ?? {}))
			this.#column(key, frequency).set(row, value as AttributeValue);
	}

	/** Checks assignments to a joint that will have these counts. */
	checkJoint(ranges: JointRanges, values: AttributeAssignments | undefined): void {
		for (const [key, value] of Object.entries(values ?? {})) {
			const column = this.#jointColumn(key);
			for (const item of spread(column, value, ranges)) column.check(item[1]);
		}
	}

	assignJoint(ranges: JointRanges, values: AttributeAssignments | undefined): void {
		for (const [key, value] of Object.entries(values ?? {})) {
			const column = this.#jointColumn(key);
			for (const [row, item] of spread(column, value, ranges)) column.set(row, item);
		}
	}

	/** Throws when another builder's attributes cannot be merged into these. */
	checkMerge(other: AttributeSet): void {
		for (const [key, column] of other.columns) {
			const own = this.columns.get(key);
			if (own === undefined) continue;
			if (!sameDeclaration(own.declaration, column.declaration)) {
				throw fault(
					'MODEL022',
					`attribute '${key}' of the two builders differs in ${differingPart(own.declaration, column.declaration)}`,
					key,
				);
			}
			if (!sameValue(own.defaultValue, column.defaultValue)) {
				throw fault('MODEL022', `attribute '${key}' of the two builders differs in its default`, key);
			}
		}
	}

	merge(other: AttributeSet, offsets: MergeOffsets): void {
		const baseRows = new Map<string, number>();
		for (const [frequency, rows] of other.rowCounts) {
			baseRows.set(frequency, this.rowCounts.get(frequency) ?? 0);
			this.rowCounts.set(frequency, (this.rowCounts.get(frequency) ?? 0) + rows * offsets.copies);
		}
		for (const [key, column] of other.columns) {
			let own = this.columns.get(key);
			if (own === undefined) {
				own = new AttributeColumn(column.declaration);
				this.columns.set(key, own);
			}
			for (let copy = 0; copy < offsets.copies; copy++) this.#mergeColumn(own, column, other, offsets, baseRows, copy);
		}
	}

	#mergeColumn(
		own: AttributeColumn,
		source: AttributeColumn,
		other: AttributeSet,
		offsets: MergeOffsets,
		baseRows: ReadonlyMap<string, number>,
		copy: number,
	): void {
		const { frequency, references, referencesBy } = source.declaration;
		const kinds = referencesBy && other.columns.get(referencesBy.attribute);
		const firstOf = (kind: string): number =>
			isOwnFrequency(kind)
				? (baseRows.get(kind) ?? 0) + copy * (other.rowCounts.get(kind) ?? 0)
				: offsets.base[kind as Entity] + copy * offsets.sourceCounts[kind as Entity];
		const shift = (value: number, row: number): number => {
			if (referencesBy !== undefined && value >= 0) {
				const entity = referencesBy.entities[Number(kinds?.valueAt(row))];
				return entity === undefined ? value : value + firstOf(entity);
			}
			if (references === 'world') return offsets.firstWorld < 0 ? -1 : offsets.firstWorld + copy;
			if (value < 0 || references === undefined) return value;
			return value + firstOf(references);
		};
		if (frequency === 'once') {
			if (source.rows > 0) own.set(0, source.valueAt(0));
		} else if (frequency === 'world') {
			if (source.rows > 0 && offsets.firstWorld >= 0) own.set(offsets.firstWorld + copy, source.valueAt(0));
		} else if (isOwnFrequency(frequency)) {
			const rows = other.rowCounts.get(frequency) ?? 0;
			own.append(source, baseRows.get(frequency)! + copy * rows, rows, shift);
		} else {
			const entity = frequency as Entity;
			const rows = offsets.sourceCounts[entity];
			own.append(source, offsets.base[entity] + copy * rows, rows, shift);
		}
	}

	#column(key: string, frequency: string): AttributeColumn {
		const column = this.#declared(key);
		if (column.declaration.frequency !== frequency) {
			throw fault(
				'MODEL025',
				`attribute '${key}' has the frequency '${column.declaration.frequency}', it was given to a '${frequency}'`,
				key,
			);
		}
		return column;
	}

	#declared(key: string): AttributeColumn {
		const column = this.columns.get(key);
		if (column === undefined)
			throw fault('MODEL024', `attribute '${key}' is not declared: call defineAttribute() first`, key);
		return column;
	}

	#jointColumn(key: string): AttributeColumn {
		const column = this.#declared(key);
		const { frequency } = column.declaration;
		if (frequency !== 'joint' && !(frequency in JOINT_SPACES)) {
			throw fault('MODEL025', `attribute '${key}' has the frequency '${frequency}', it was given to a joint`, key);
		}
		return column;
	}
}

const JOINT_SPACES = { jointDof: true, jointCoord: true, jointConstraint: true };

/** Whether a frequency is one of the user's own. */
export function isOwnFrequency(frequency: string): frequency is `${string}:${string}` {
	return frequency.includes(':');
}

/** The rows that a value given to a joint goes to: one, a list with one for each, some by index, or the same for all. */
function spread(
	column: AttributeColumn,
	value: AttributeAssignments[string],
	ranges: JointRanges,
): (readonly [number, AttributeValue])[] {
	const { frequency } = column.declaration;
	if (frequency === 'joint') return [[ranges.joint, value as AttributeValue]];
	const [start, count] = ranges[frequency as 'jointDof'];
	if (count === 0) return [];
	if (value instanceof Map) return indexed(column, value, start, count);
	const isList = Array.isArray(value) && (column.width === 1 || typeof value[0] === 'object');
	const rows: (readonly [number, AttributeValue])[] = [];
	if (!isList) {
		for (let i = 0; i < count; i++) rows.push([start + i, value as AttributeValue]);
		return rows;
	}
	const list = value as readonly AttributeValue[];
	if (list.length !== count) {
		throw fault(
			'MODEL026',
			`attribute '${column.key}' was given ${list.length} values for a joint with ${count}`,
			column.key,
		);
	}
	for (let i = 0; i < count; i++) rows.push([start + i, list[i]!]);
	return rows;
}

function indexed(
	column: AttributeColumn,
	values: IndexedValues,
	start: number,
	count: number,
): (readonly [number, AttributeValue])[] {
	return [...values].map(([index, item]) => {
		if (!Number.isInteger(index) || index < 0 || index >= count) {
			throw fault(
				'MODEL026',
				`attribute '${column.key}' was given a value for index ${index} of a joint with ${count}`,
				column.key,
			);
		}
		return [start + index, item] as const;
	});
}

function checkReference(declaration: AttributeDeclaration, own: ReadonlyMap<string, number>): void {
	const { references } = declaration;
	if (references === undefined || references === 'world' || (ENTITIES as readonly string[]).includes(references))
		return;
	if (own.has(references)) return;
	const key = attributeKey(declaration);
	throw fault(
		'MODEL027',
		`attribute '${key}' refers to '${references}', expected an entity or a declared frequency`,
		key,
	);
}

function sameDeclaration(a: AttributeDeclaration, b: AttributeDeclaration): boolean {
	return differingPart(a, b) === undefined;
}

function differingPart(a: AttributeDeclaration, b: AttributeDeclaration): string | undefined {
	if (a.type !== b.type) return `type ${a.type} instead of ${b.type}`;
	if (a.frequency !== b.frequency) return `frequency ${a.frequency} instead of ${b.frequency}`;
	if ((a.owner ?? 'model') !== (b.owner ?? 'model'))
		return `owner ${a.owner ?? 'model'} instead of ${b.owner ?? 'model'}`;
	if (a.references !== b.references) return `references ${a.references} instead of ${b.references}`;
	return undefined;
}

function sameValue(a: AttributeValue, b: AttributeValue): boolean {
	if (typeof a === 'object' && typeof b === 'object') {
		return a.length === b.length && Array.from(a).every((item, i) => item === b[i]);
	}
	return typeof a === 'object' || typeof b === 'object' || typeof a === 'string' || typeof b === 'string'
		? a === b
		: Number(a) === Number(b);
}

function fault(code: ConstructorParameters<typeof ModelError>[0], message: string, key: string): ModelError {
	return new ModelError(code, message, { kind: 'attribute', label: key });
}
