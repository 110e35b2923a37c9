import {
	ATTRIBUTE_WIDTH,
	type AttributeArray,
	type AttributeDeclaration,
	type AttributeOwner,
	type AttributeValue,
	allocateAttribute,
	attributeKey,
	zeroValue,
} from './attribute-types.ts';
import { ModelError } from './model-error.ts';

/** A declared attribute with the values given so far. Rows without one read as the default. */
export class AttributeColumn {
	readonly key: string;
	readonly declaration: AttributeDeclaration;
	readonly owner: AttributeOwner;
	readonly width: number;
	readonly defaultValue: AttributeValue;
	#rows = 0;
	#data: AttributeArray;

	constructor(declaration: AttributeDeclaration) {
		this.key = attributeKey(declaration);
		this.declaration = declaration;
		this.owner = declaration.owner ?? 'model';
		this.width = ATTRIBUTE_WIDTH[declaration.type];
		this.#data = allocateAttribute(declaration.type, 0);
		this.defaultValue = declaration.default ?? zeroValue(declaration.type);
		this.check(this.defaultValue);
	}

	/** Rows up to the last one that was given a value. */
	get rows(): number {
		return this.#rows;
	}

	/** Throws when a value does not fit the type. */
	check(value: AttributeValue): void {
		const { type } = this.declaration;
		const fault =
			type === 'string'
				? typeof value === 'string'
					? undefined
					: 'a text'
				: typeof value === 'string'
					? 'a number'
					: this.width === 1
						? typeof value === 'object' && value.length !== 1
							? 'one number'
							: undefined
						: typeof value !== 'object' || value.length !== this.width
							? `${this.width} numbers`
							: undefined;
		if (fault !== undefined) {
			throw new ModelError(
				'MODEL020',
				`attribute '${this.key}' of type ${type} was given ${show(value)}, expected ${fault}`,
				{
					kind: 'attribute',
					label: this.key,
				},
			);
		}
	}

	set(row: number, value: AttributeValue): void {
		this.check(value);
		this.grow(row + 1);
		this.#write(row, value);
	}

	/** The values of `rows` rows, as a new array. */
	build(rows: number): AttributeArray {
		const out = allocateAttribute(this.declaration.type, rows);
		const given = Math.min(rows, this.#rows);
		if (Array.isArray(out)) {
			const source = this.#data as string[];
			for (let i = 0; i < rows; i++) out[i] = i < given ? source[i]! : `${this.defaultValue}`;
			return out;
		}
		out.set((this.#data as Float64Array).subarray(0, given * this.width));
		for (let row = given; row < rows; row++) writeNumbers(out as Float64Array, row, this.width, this.defaultValue);
		return out;
	}

	/** Appends another column's rows from row `base` on; `shift` maps references. */
	append(source: AttributeColumn, base: number, rows: number, shift: (value: number, row: number) => number): void {
		// the world of a row that says nothing is the one that it goes to
		const isPlaced = this.declaration.references === 'world';
		if (source.#rows === 0 && this.#rows === 0 && !isPlaced) return;
		const values = source.build(rows);
		this.grow(base + rows);
		if (Array.isArray(values)) {
			const target = this.#data as string[];
			for (let i = 0; i < rows; i++) target[base + i] = values[i]!;
			return;
		}
		const target = this.#data as Float64Array;
		const { width, declaration } = this;
		const refers = declaration.references !== undefined || declaration.referencesBy !== undefined;
		for (let i = 0; i < values.length; i++) {
			target[base * width + i] = refers ? shift(values[i]!, Math.floor(i / width)) : values[i]!;
		}
	}

	/** Keeps the given rows, in the given order. */
	keepRows(rows: readonly number[]): void {
		if (this.#rows === 0) return;
		const copy = new AttributeColumn(this.declaration);
		for (const [i, row] of rows.entries()) copy.set(i, this.valueAt(row));
		this.#data = copy.#data;
		this.#rows = copy.#rows;
	}

	/** Maps every given value of a column of references. */
	mapReferences(map: (value: number, row: number) => number): void {
		if (Array.isArray(this.#data)) return;
		const data = this.#data as Float64Array;
		for (let i = 0; i < this.#rows * this.width; i++) data[i] = map(data[i]!, Math.floor(i / this.width));
	}

	valueAt(row: number): AttributeValue {
		if (row >= this.#rows) return this.defaultValue;
		if (Array.isArray(this.#data)) return this.#data[row]!;
		const data = this.#data as Float64Array;
		return this.width === 1 ? data[row]! : data.slice(row * this.width, (row + 1) * this.width);
	}

	/** Takes back rows beyond `rows`. */
	truncate(rows: number): void {
		if (rows < this.#rows) this.#rows = rows;
	}

	/** Makes sure that `rows` rows exist; new ones hold the default. */
	grow(rows: number): void {
		if (rows <= this.#rows) return;
		if (Array.isArray(this.#data)) {
			for (let i = this.#rows; i < rows; i++) this.#data[i] = `${this.defaultValue}`;
		} else {
			if (rows * this.width > this.#data.length) {
				const grown = allocateAttribute(this.declaration.type, Math.max(rows, 2 * this.#rows, 8)) as Float64Array;
				grown.set((this.#data as Float64Array).subarray(0, this.#rows * this.width));
				this.#data = grown as AttributeArray;
			}
			for (let i = this.#rows; i < rows; i++) {
				writeNumbers(this.#data as Float64Array, i, this.width, this.defaultValue);
			}
		}
		this.#rows = rows;
	}

	#write(row: number, value: AttributeValue): void {
		if (Array.isArray(this.#data)) this.#data[row] = `${value}`;
		else writeNumbers(this.#data as Float64Array, row, this.width, value);
	}
}

function writeNumbers(out: Float64Array, row: number, width: number, value: AttributeValue): void {
	if (typeof value === 'object') {
		for (let i = 0; i < width; i++) out[row * width + i] = value[i]!;
	} else {
		out[row] = Number(value);
	}
}

function show(value: AttributeValue): string {
	if (typeof value === 'object') return `[${Array.from(value).join(', ')}]`;
	return typeof value === 'string' ? `'${value}'` : `${value}`;
}
